/* The trace: everything one recording says, as tables whose rows refer to one another by 32-bit ids.
 *
 * Id 0 means none in every table; row 0 is empty. Times are ns since the start of the recording, as 64-bit signed integers;
 * `clock_start` is what the recording's own clock said then. Once assembled, a trace does not change, with one
 * exception: symbols may arrive later and give frames their function (wp_trace_name_frame()); what was derived from
 * names is then built anew by whoever derived it.
 */
#pragma once

#include "base/array.h"
#include "base/diagnostics.h"
#include "base/intern.h"

/* What a wakeup (a link) was caused by; also says how a sleep ended. The ids are stable (wp_cause_id()). */
typedef enum
{
  WP_CAUSE_UNKNOWN, /* no rule knows */
  WP_CAUSE_NONE,    /* no wakeup was seen: the sleep was still on when the recording ended (wp_unfinished()), or its end was lost */
  WP_CAUSE_TASK,
  WP_CAUSE_TIMER,
  WP_CAUSE_DISK,
  WP_CAUSE_NET,
  WP_CAUSE_DEVICE,
  WP_CAUSE_IPI,
  WP_CAUSE_SIGNAL,    /* a task's doing too */
  WP_CAUSE_KERNEL,    /* bookkeeping of the kernel: rcu, migration, workqueues */
  WP_CAUSE_PREEMPTED, /* never woken: it was runnable all the time */
  WP_CAUSE_FORK,
  WP_CAUSE_EXEC,
  WP_CAUSE_COUNT
} WpCause;

const char *wp_cause_id (WpCause cause);

typedef enum
{
  WP_OP_NONE,
  WP_OP_RUN,
  WP_OP_SLEEP,
  WP_OP_DISK,       /* a request the device works on */
  WP_OP_DISK_QUEUE, /* the same request before it was issued */
  WP_OP_NET,        /* an exchange over the network with another machine */
  WP_OP_KIND_COUNT
} WpOpKind;

const char *wp_op_kind_id (WpOpKind kind); /* "run", "sleep", "disk", "disk-queue", "network" */

enum
{
  WP_OP_INFERRED = 1 << 0,  /* its start or end was not recorded but follows from what was */
  WP_OP_LOST = 1 << 1,      /* in a range where events were lost: nothing is known about it */
  WP_OP_NEW_TASK = 1 << 2,  /* the first sleep of a task, from its fork to its first run */
  WP_OP_OPEN_START = 1 << 3,/* it had begun before the recording did */
  WP_OP_OPEN_END = 1 << 4,  /* it was still on when the recording ended */
  WP_OP_WOKEN_INFERRED = 1 << 5, /* its cause was taken from its stack, since no wakeup was seen */
  WP_OP_THROTTLED = 1 << 6, /* of a run: the kernel held samples back; those without a stack stand for them */
  WP_OP_PAUSED = 1 << 7,    /* with LOST: recording was paused in it */
};

/* How a task left the CPU (of a sleep). */
typedef enum
{
  WP_STATE_UNKNOWN,
  WP_STATE_PREEMPTED, /* R or R+ */
  WP_STATE_SLEEPING,  /* S: interruptible */
  WP_STATE_DISK,      /* D: uninterruptible */
  WP_STATE_STOPPED,   /* T or t */
  WP_STATE_IDLE,      /* I: an idle kernel thread */
  WP_STATE_DEAD,      /* Z or X */
  WP_STATE_COUNT
} WpState;

const char *wp_state_id (WpState state); /* "R", "S", "D", "T", "I", "X", "?" */
WpState wp_switch_state (guint32 prev_state); /* as the tracepoint has it: see event.h */

/* An operation. Those of one task are contiguous, in time order, and for tasks of kind WP_TASK_THREAD they tile its
 * life: each run is followed by a sleep and each sleep by a run, without gaps or overlaps. Those of devices and
 * sockets may overlap. */
typedef struct
{
  gint64 start, end; /* ns */
  WpId task;
  WpId detail; /* sleep: its stack; run: its first sample; disk, disk queue: row of `disks`; network: row of `nets` */
  WpId link;   /* of a sleep: what ended it (wakeup, preemption); of a run without a sleep before it: what started it (exec); or 0 */
  guint8 kind;  /* WpOpKind */
  guint8 flags; /* WP_OP_* */
  guint8 state; /* WpState, of a sleep */
  guint8 cause; /* WpCause, of a sleep: how it ended */
  WpId explained_by; /* of a sleep that a disk or network operation ended: that operation; of one that waited for a child when the recording ended:
                        what that did last, where its process has but that one; 0: not known. Of a run: its last sample + 1 */
  guint32 cpu; /* of a run: the number of its CPU + 1; 0: not known, as in old saved profiles */
} WpOp;

typedef enum
{
  WP_TASK_THREAD,
  WP_TASK_DISK,    /* the requests of one block device */
  WP_TASK_NETWORK, /* the operations of one socket's other end */
} WpTaskKind;

enum
{
  WP_TASK_KERNEL = 1 << 0, /* a kernel thread */
  WP_TASK_IDLE = 1 << 1,   /* an idle task, or what plays it: not part of anything */
};

/* One thread between two execs, or a device that operations happen on. */
typedef struct
{
  gint32 tid, pid;    /* a device: 0 and 0 */
  WpId name;          /* string: the last name it had */
  WpId first_op;      /* its operations are first_op … first_op + n_ops - 1 */
  guint32 n_ops;
  guint32 exec;       /* 0 for the first program of this tid, 1 after its first exec, … */
  WpId before, after; /* the tasks before and after this one's execs, same tid; or 0 */
  WpId forked_by;     /* the run it was forked in, or 0 */
  WpId leader;        /* the task that names its process: the process' first thread at that time; itself where it is one */
  guint8 kind;        /* WpTaskKind */
  guint8 flags;       /* WP_TASK_* */
} WpTask;

/* One operation causing another to start. */
typedef struct
{
  gint64 start;  /* the wakeup, fork, exec */
  WpId source;   /* the run of whoever did it; the disk or network operation for those causes; 0 unknown */
  WpId target;   /* the run that starts because of it; 0 if it never ran */
  WpId stack;    /* the wakeup's stack, or 0 */
  guint8 cause;  /* WpCause */
  guint8 horizontal; /* 1: stays on its stack layer (exec, preemption) */
  guint16 device; /* row of `devices`, or 0. Cause device: the interrupt that it came by; task: the socket; timer: the host that had not answered */
} WpLink;

/* A stack taken by the sampling profiler in a run. Those of one run are contiguous and in time order; those of no known run (which are kept
 * only where they are asked for, see WpAssemblerOptions) come first. */
typedef struct
{
  gint64 time;
  gint64 period; /* how much of its event it stands for */
  WpId stack;
  WpId run;
  WpId task;  /* of no known run: whose it is, or 0 */
  WpId event; /* of what: row of `events` + 1; 0: not known, or the kernel held it back, so that it stands for nothing but a share of its run */
} WpSample;

/* Stacks are a prefix tree: equal stacks have equal ids. Row 0 is the empty stack. */
typedef struct
{
  WpId parent; /* the stack of the caller; 0 below the outermost frame */
  WpId frame;  /* the innermost frame */
} WpStack;

enum
{
  WP_FRAME_KERNEL = 1 << 0,
};

/* One place in a program: interned by module and offset. Kernel frames are resolved at once and stand for the whole
 * function (offset 0); others get their function when symbols arrive. */
typedef struct
{
  guint64 offset; /* offset in the module's file, or 0; of a frame that called another, one byte before the return address */
  WpId module;    /* row of `modules` */
  WpId function;  /* row of `functions`; never 0 once assembled: `module+0x…` stands in for a missing symbol */
  guint8 flags;
} WpFrame;

enum
{
  WP_FUNCTION_KERNEL = 1 << 0,
  WP_FUNCTION_NO_SYMBOL = 1 << 1, /* its name is made of module and offset */
};

typedef struct
{
  WpId name;   /* string, demangled */
  WpId module; /* row of `modules` */
  guint32 role; /* WpRole of a kernel function (trace/kernel-names.h) */
  guint8 flags;
} WpFunction;

typedef struct
{
  WpId path;      /* string: file, "[kernel]", "[module_name]", "[vdso]", "[anon:PID]", "[unknown]" */
  WpId build_id;  /* string in hexadecimal, or 0 */
  gboolean absent; /* the file with its functions' names is not here as it was recorded */
} WpModule;

/* One request of a block device. */
typedef struct
{
  guint64 sector; /* of 512 bytes; for a flush 0 */
  guint32 sectors;
  guint32 dev; /* major << 20 | minor */
  WpId task;   /* who asked for it (a thread's task), or 0 */
  WpId rwbs;   /* string: the kernel's letters, "R", "WS", "FF", … */
  WpId queue, active; /* its operations of kind WP_OP_DISK_QUEUE and WP_OP_DISK, or 0 */
  WpId file;   /* string: path of the file it belongs to, "file 1234 of vda1" where only its inode is known, or 0 */
} WpDisk;

typedef struct
{
  WpId local, remote; /* strings "host:port", or 0 when not known */
  WpId task;          /* who sent */
  guint8 protocol;    /* IPPROTO_TCP, IPPROTO_UDP */
  guint8 handshake;   /* 1: a connect until it is established */
} WpNet;

/* Events of one CPU were lost in this time; what was open in it is unknown. With no number of events: the recording was paused, or
 * contradicts itself then (reliability.h), on any CPU. */
typedef struct
{
  gint64 start, end;
  guint64 events; /* how many, as the kernel says; 0: it says nothing */
  guint32 cpu;
  guint8 paused;  /* 1: none was wanted */
} WpLost;

/* What a program said that it was doing (trace/marks.h). */
typedef struct
{
  gint64 start, end;
  gint32 pid, tid; /* tid 0: all threads of the process */
  WpId name;       /* string */
} WpMarkSpan;

/* A device's interrupt handler ran on a CPU, in the midst of whatever ran there. Those of one CPU do not overlap, and none reaches over a switch. */
typedef struct
{
  gint64 start, end;
  WpId name;   /* string: as the driver calls itself */
  guint32 cpu; /* its number + 1, as operations have it */
} WpInterrupt;

/* From then on so many CPU samples a second and CPU were taken. */
typedef struct
{
  gint64 time, rate;
} WpRate;

typedef struct
{
  WpId name; /* string: "sched:sched_switch", … */
  guint64 count;
} WpEventCount;

typedef struct WpTrace WpTrace;

/* All of it but what is private is kept in sidecars: what is added here goes into read/sidecar/columns.h or columns.c, and fit.c, too. */
struct WpTrace
{
  WpStrings *strings;
  WP_ARRAY (WpTask) tasks;
  WP_ARRAY (WpOp) ops;
  WP_ARRAY (WpLink) links;
  WP_ARRAY (WpSample) samples;
  WP_ARRAY (WpStack) stacks;
  WP_ARRAY (WpFrame) frames;
  WP_ARRAY (WpFunction) functions;
  WP_ARRAY (WpModule) modules;
  WP_ARRAY (WpDisk) disks;
  WP_ARRAY (WpNet) nets;
  WP_ARRAY (WpId) devices; /* strings: names of device interrupts and of sockets; row 0 is empty */
  WP_ARRAY (WpLost) lost; /* sorted by start; no row 0: a plain list */
  WP_ARRAY (WpInterrupt) interrupts; /* plain list: by CPU, then time */
  WP_ARRAY (WpRate) rates; /* where it was changed; plain list, in time order */
  WP_ARRAY (WpEventCount) events; /* plain list, in order of appearance */
  WP_ARRAY (WpMarkSpan) marks; /* plain list: by process, thread, start; longest first */

  WpDiagnostics diagnostics;
  gint64 end;          /* ns: the last event */
  gint64 clock_start;  /* the recording's own clock at time 0 */
  guint32 n_cpus;
  gint32 command_pid;  /* the recorded command's process, or 0 */
  gboolean goes_on;    /* recording does: what has not ended is still under way */
  gboolean partial;    /* of a saved profile: only what its paths use is there, so operations of a task may have gaps between */
  char *format;        /* "perf.data stream", "perf.data file", "perf script", "perun" */
  char *command;       /* the recorded command line, or NULL */
  char *host, *kernel; /* or NULL */
  char *missing;       /* what the recorder could not get, one sentence a line, or NULL */
  GHashTable *arguments; /* pid → string: with what it was started, its program first; may be NULL */
  GHashTable *block_devices; /* device number → string: their names; may be NULL */
  GHashTable *backing; /* device number → string: the path of the file that is its contents (files.h); may be NULL */
  GHashTable *extra;   /* string → string: what else the recorder said of itself (stack mode, rate, folder, commit); may be NULL */

  gboolean named;      /* user frames have their functions already (see wp_read_symbols()) */

  struct WpNotes *notes; /* what its user wrote down (trace/notes.h); never NULL, changes at any time */
  struct WpCarriedNames *own_names; /* that the recording brings; may be NULL */

  /* private: interning (trace.c); files by device and inode (files.c), may be NULL */
  struct WpTraceIndex *index;
  struct WpTraceFiles *files;
  void *lent; /* mapped memory that columns are lent of (read/sidecar); NULL: none */
  gsize lent_size;
};

WpTrace *wp_trace_new (void);
void wp_trace_free (WpTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrace, wp_trace_free)

/* Interning; all are idempotent. Only while the trace is being built. */
WpId wp_trace_module (WpTrace *self, const char *path, const char *build_id);
WpId wp_trace_function (WpTrace *self, WpId module, const char *name, guint8 flags); /* WP_FUNCTION_*; looks up the role of a kernel function */
WpId wp_trace_kernel_frame (WpTrace *self, WpId module, const char *name);           /* a resolved kernel function */
WpId wp_trace_user_frame (WpTrace *self, WpId module, guint64 offset); /* its function is `module+0x…` until it is named */
WpId wp_trace_named_frame (WpTrace *self, WpId module, const char *name); /* a user frame whose function is known by name only */
WpId wp_trace_stack (WpTrace *self, WpId parent, WpId frame);
void wp_trace_name_frame (WpTrace *self, WpId frame, WpId function);

/* Of a sleep whose switch-out is missing nobody knows in which call it was, nor whether it was only one. */
static inline gboolean
wp_start_unseen (const WpOp *sleep)
{
  return (sleep->flags & (WP_OP_INFERRED | WP_OP_OPEN_START)) && sleep->state == WP_STATE_UNKNOWN && sleep->detail == 0;
}

/* Where the name of a system call stands for the function that made it. */
#define WP_MODULE_SYSTEM_CALL "[system call]"

/* A sleep that had begun before the recording: what it waited in is what the recorder saw then. */
static inline gboolean
wp_told_before (const WpOp *op)
{
  return op->kind == WP_OP_SLEEP && (op->flags & WP_OP_OPEN_START) && op->state != WP_STATE_UNKNOWN;
}

/* A sleep that nobody had ended when the recording did. Of who was not seen to go to sleep nobody knows that. */
static inline gboolean
wp_unfinished (const WpOp *op)
{
  return op->kind == WP_OP_SLEEP && (op->flags & WP_OP_OPEN_END) && op->cause == WP_CAUSE_NONE && !wp_start_unseen (op);
}

/* A task that never ran. */
static inline gboolean
wp_slept_throughout (const WpOp *op)
{
  return wp_told_before (op) && wp_unfinished (op);
}

static inline const char *
wp_trace_string (const WpTrace *self, WpId id)
{
  return wp_strings_get (self->strings, id);
}

const char *wp_trace_function_name (const WpTrace *self, WpId function);
const char *wp_trace_task_name (const WpTrace *self, WpId task);

/* The task that names a task's process; a device, or who leads one: itself. */
static inline WpId
wp_trace_leader (const WpTrace *self, WpId task)
{
  return self->tasks.data[task].leader != 0 ? self->tasks.data[task].leader : task;
}

const char *wp_trace_module_name (const WpTrace *self, WpId module); /* the last part of its path */

/* A run is divided equally among its n samples: when the share of sample i begins; of i = n, when the last one ends. */
static inline gint64
wp_run_share (const WpOp *run, guint32 i, guint32 n)
{
  return i < n ? run->start + (gint64) ((double) (run->end - run->start) * i / n) : run->end;
}

/* The operation after / before this one in the same task; 0 at the ends. */
WpId wp_trace_next_op (const WpTrace *self, WpId op);
WpId wp_trace_prev_op (const WpTrace *self, WpId op);

/* When a sleep stopped being blocked: its wakeup, clamped into it. A new task and a preempted one are runnable from the
 * start; without a wakeup the sleep was blocked to its end. */
gint64 wp_trace_woken (const WpTrace *self, WpId sleep);

/* When the waker left the CPU, and when the woken one began to run. */
gint64 wp_trace_link_out (const WpTrace *self, WpId link);
gint64 wp_trace_link_end (const WpTrace *self, WpId link);

/* The one function that says best what an operation was about: the innermost user function, else the outermost kernel
 * function below the system call entry, else 0. */
WpId wp_trace_describe_stack (const WpTrace *self, WpId stack);

/* What a stack of the trace is without the kernel's frames, which are the innermost; 0: nothing. */
WpId wp_trace_user_stack (const WpTrace *self, WpId stack);

/* With what a process was started, as one line of text, its program first; NULL: nobody says, or it was another program then. */
void wp_trace_set_arguments (WpTrace *self, gint32 pid, const char *line);
const char *wp_trace_arguments (const WpTrace *self, WpId task);

/* What its arguments add to its name, so that it is told from others, and no more than a row has room for: "index-pack --stdin". Free with g_free(); NULL:
 * nothing. */
char *wp_trace_told_apart (const WpTrace *self, WpId task);

/* Names of block devices, as the recording says them; "254:0" for one it does not name. */
void wp_trace_set_device_name (WpTrace *self, guint32 dev, const char *name);
const char *wp_trace_device_name (const WpTrace *self, guint32 dev, char buffer[32]);
gboolean wp_trace_has_device_name (const WpTrace *self, guint32 dev);
void wp_trace_devices_of_tasks (WpTrace *self);                   /* for what has none yet: the name of the device's task */
gboolean wp_trace_parse_device (const char *text, guint32 *dev); /* "254:0" */

/* A readable line about an operation: "curl: sleep in read", "vda: read of 8 sectors at 43510584". Free with g_free(). */
char *wp_trace_describe_op (const WpTrace *self, WpId op);

/* Checks the invariants above (tiling, contiguity, ids in range); a message for the first that does not hold, or NULL.
 * For tests, and for files we did not write. */
char *wp_trace_check (const WpTrace *self);
