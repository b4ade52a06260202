/* Kernel functions and what they are in a user's words; see wait-words.h. */
#include "paths/wait-words.h"

#include "trace/kernel-names.h"

#include <glib/gi18n.h>
#include <string.h>

/* What a call is on, as far as it is known. */
typedef enum
{
  OBJECT_NONE,
  OBJECT_FILE, /* of the request that ended the sleep, with its device */
  OBJECT_PEER, /* the process of whoever ended the sleep */
  OBJECT_HOST, /* the other end of a connection, else the peer */
} Object;

/* Of several functions on a stack the one with the highest rank says what the call is; of equal ones the innermost. */
enum
{
  RANK_CALL = 1, /* a system call, whatever it is on */
  RANK_THING,    /* what it is on: a pipe, a socket, a lock */
  RANK_ALL,      /* a call that is one thing, whatever it does inside: fsync */
};

/* Names as wp_kernel_plain_name() makes them, divided by blanks. `with` has the object for %s. `running`: of a call that does not wait, where `alone` speaks of
 * waiting. */
static const struct
{
  guint8 rank;
  guint8 object;
  const char *names, *alone, *with, *running;
} rows[] = {
  { RANK_THING, OBJECT_PEER, "pipe_read anon_pipe_read fifo_pipe_read pipe_wait pipe_wait_readable",
    N_("reads a pipe"), N_("reads pipe from %s") },
  { RANK_THING, OBJECT_PEER, "pipe_write anon_pipe_write fifo_pipe_write pipe_wait_writable",
    N_("writes to a full pipe"), N_("writes to full pipe of %s"), N_("writes to a pipe") },
  { RANK_THING, OBJECT_PEER, "fifo_open wait_for_partner", N_("opens a FIFO"), N_("opens FIFO with %s") },
  { RANK_THING, OBJECT_PEER, "unix_stream_read_generic unix_stream_recvmsg unix_dgram_recvmsg __unix_dgram_recvmsg unix_seqpacket_recvmsg",
    N_("reads a Unix socket"), N_("reads Unix socket from %s") },
  { RANK_THING, OBJECT_PEER, "unix_stream_sendmsg unix_dgram_sendmsg unix_wait_for_peer sock_alloc_send_pskb",
    N_("writes to a full Unix socket"),
    N_("writes to full Unix socket of %s"), N_("writes to a Unix socket") },
  { RANK_THING, OBJECT_PEER, "unix_stream_connect", N_("connects to a Unix socket"), N_("connects to Unix socket of %s") },
  { RANK_THING, OBJECT_PEER, "unix_accept inet_accept inet_csk_accept sys_accept sys_accept4",
    N_("waits for a connection"), N_("waits for connection from %s"), N_("accepts a connection") },
  { RANK_THING, OBJECT_HOST, "tcp_recvmsg tcp_recvmsg_locked tcp_splice_read",
    N_("receives over TCP"), N_("receives over TCP from %s") },
  { RANK_THING, OBJECT_HOST, "tcp_sendmsg tcp_sendmsg_locked sk_stream_wait_memory",
    N_("sends over TCP"), N_("sends over TCP to %s") },
  { RANK_THING, OBJECT_HOST, "inet_stream_connect __inet_stream_connect inet_wait_for_connect",
    N_("connects over TCP"), N_("connects over TCP to %s") },
  { RANK_THING, OBJECT_HOST, "udp_recvmsg udpv6_recvmsg __skb_recv_udp",
    N_("receives over UDP"), N_("receives over UDP from %s") },
  { RANK_THING, OBJECT_PEER, "netlink_recvmsg netlink_dump", N_("asks the kernel (netlink)"), NULL },
  { RANK_THING, OBJECT_HOST, "do_sys_poll do_poll sys_poll sys_ppoll", N_("waits in poll"), N_("waits in poll for %s"), "poll" },
  { RANK_THING, OBJECT_HOST, "do_select core_sys_select sys_select sys_pselect6", N_("waits in select"), N_("waits in select for %s"), "select" },
  { RANK_THING, OBJECT_HOST, "do_epoll_wait ep_poll sys_epoll_wait sys_epoll_pwait sys_epoll_pwait2", N_("waits in epoll"), N_("waits in epoll for %s"), "epoll" },
  { RANK_THING, OBJECT_HOST, "io_cqring_wait", N_("waits in io_uring"), N_("waits in io_uring for %s"), "io_uring" },
  { RANK_THING, OBJECT_PEER, "read_events do_io_getevents", N_("waits for asynchronous I/O"), NULL, N_("asynchronous I/O") },
  { RANK_THING, OBJECT_PEER, "do_futex sys_futex futex_wait __futex_wait futex_lock_pi futex_wait_requeue_pi futex_wait_multiple",
    N_("waits on a futex"),
    N_("waits on futex for %s"), "futex" },
  { RANK_THING, OBJECT_PEER, "do_wait kernel_wait4 kernel_waitid sys_wait4 sys_waitid",
    N_("waits for a child"), N_("waits for child %s"), N_("looks for a child") },
  { RANK_THING, OBJECT_PEER, "kernel_clone _do_fork do_fork wait_for_vfork_done",
    N_("waits until a child has started"), N_("waits until child %s has started"), N_("starts a child") },
  { RANK_THING, OBJECT_PEER, "eventfd_read", N_("reads an eventfd"), N_("reads eventfd from %s") },
  { RANK_THING, OBJECT_NONE, "timerfd_read timerfd_read_iter", N_("reads a timer"), NULL },
  { RANK_THING, OBJECT_PEER, "signalfd_read signalfd_read_iter signalfd_dequeue do_sigtimedwait sys_rt_sigtimedwait sys_pause sys_rt_sigsuspend sigsuspend",
    N_("waits for a signal"), N_("waits for signal from %s"), N_("signals") },
  { RANK_THING, OBJECT_NONE, "inotify_read fanotify_read", N_("waits for changes of files"), NULL },
  { RANK_THING, OBJECT_PEER, "n_tty_read tty_read", N_("reads the terminal"), N_("reads terminal from %s") },
  { RANK_THING, OBJECT_PEER, "n_tty_write tty_write",
    N_("writes to a full terminal"), N_("writes to full terminal of %s"), N_("writes to the terminal") },
  { RANK_THING, OBJECT_PEER, "locks_lock_inode_wait fcntl_setlk do_lock_file_wait",
    N_("waits for a file lock"), N_("waits for file lock of %s"), N_("locks a file") },
  { RANK_THING, OBJECT_PEER, "do_semtimedop __do_semtimedop do_semop",
    N_("waits on a semaphore"), N_("waits on semaphore for %s"), N_("semaphore") },
  { RANK_THING, OBJECT_PEER, "do_msgrcv do_mq_timedreceive wq_sleep",
    N_("reads a message queue"), N_("reads message queue from %s") },
  { RANK_THING, OBJECT_NONE, "hrtimer_nanosleep do_nanosleep common_nsleep sys_nanosleep sys_clock_nanosleep", N_("sleeps on purpose"), NULL, "nanosleep" },
  { RANK_ALL, OBJECT_FILE, "do_fsync vfs_fsync_range ext4_sync_file sys_msync", N_("fsync"), N_("fsync %s") },
  { RANK_ALL, OBJECT_FILE, "ksys_sync sys_syncfs", N_("sync"), N_("sync %s") },
  { RANK_ALL, OBJECT_FILE, "do_execveat_common bprm_execve do_execve", N_("starts a program"), N_("starts a program, reads %s") },
  { RANK_ALL, OBJECT_NONE, "do_exit do_group_exit", N_("ends"), NULL },
  { RANK_THING, OBJECT_PEER, "ptrace_stop", N_("stopped by a debugger"), N_("stopped by %s") },
  { RANK_THING, OBJECT_NONE, "do_signal_stop", N_("stopped"), NULL },
  { RANK_THING, OBJECT_PEER, "rwsem_down_read_slowpath rwsem_down_write_slowpath down_read down_write __mutex_lock mutex_lock __mutex_lock_slowpath down",
    N_("waits for a lock in the kernel"), N_("waits for lock in the kernel held by %s"), N_("lock in the kernel") },
  { RANK_THING, OBJECT_FILE, "jbd2_log_wait_commit jbd2_journal_start start_this_handle",
    N_("waits for the journal"), N_("waits for the journal, writes %s"), N_("journal") },
  { RANK_THING, OBJECT_NONE, "balance_dirty_pages balance_dirty_pages_ratelimited", N_("writes faster than the disk"), NULL },
  { RANK_THING, OBJECT_NONE, "synchronize_rcu synchronize_net rcu_barrier __synchronize_srcu wait_rcu_gp",
    N_("waits for the kernel (RCU)"), NULL, "RCU" },
  { RANK_THING, OBJECT_NONE, "try_to_free_pages throttle_direct_reclaim shrink_lruvec",
    N_("waits for free memory"), NULL, N_("frees memory") },
  { RANK_THING, OBJECT_FILE, "do_swap_page", N_("reads from swap"), N_("reads from swap %s") },
  { RANK_THING, OBJECT_FILE, "filemap_fault do_fault", N_("takes a page fault"), N_("takes a page fault in %s"), N_("page fault") },
  { RANK_THING, OBJECT_FILE, "filemap_read generic_file_read_iter ext4_file_read_iter xfs_file_read_iter btrfs_file_read_iter blkdev_read_iter",
    N_("reads a file"), N_("reads %s") },
  { RANK_THING, OBJECT_FILE, "ext4_file_write_iter generic_perform_write xfs_file_write_iter btrfs_file_write_iter blkdev_write_iter",
    N_("writes a file"), N_("writes %s") },
  { RANK_CALL, OBJECT_FILE, "exc_page_fault do_user_addr_fault page_fault do_page_fault __do_page_fault handle_mm_fault",
    N_("takes a page fault"), N_("takes a page fault in %s"), N_("page fault") },
  { RANK_CALL, OBJECT_FILE, "ksys_read sys_read vfs_read sys_readv sys_pread64 ksys_pread64 do_readv",
    N_("reads"), N_("reads %s") },
  { RANK_CALL, OBJECT_FILE, "ksys_write sys_write vfs_write sys_writev sys_pwrite64 ksys_pwrite64 do_writev",
    N_("writes"), N_("writes %s") },
  { RANK_CALL, OBJECT_FILE, "do_sys_open do_sys_openat2 sys_open sys_openat", N_("opens a file"), N_("opens a file, reads %s") },
  { RANK_CALL, OBJECT_FILE, "vfs_statx vfs_fstatat sys_newfstatat sys_statx do_faccessat sys_access sys_readlink do_readlinkat",
    N_("looks up a file"), N_("looks up a file, reads %s") },
  { RANK_CALL, OBJECT_FILE, "iterate_dir sys_getdents64", N_("lists a folder"), N_("lists folder %s") },
  { RANK_CALL, OBJECT_FILE, "do_unlinkat do_rmdir", N_("deletes a file"), N_("deletes a file, reads %s") },
  { RANK_CALL, OBJECT_FILE, "do_renameat2", N_("renames a file"), N_("renames a file, reads %s") },
  { RANK_CALL, OBJECT_FILE, "do_mkdirat do_mknodat do_symlinkat do_linkat",
    N_("creates a file"), N_("creates a file, reads %s") },
  { RANK_CALL, OBJECT_FILE, "do_sys_ftruncate do_truncate", N_("truncates a file"), N_("truncates %s") },
  { RANK_CALL, OBJECT_FILE, "do_sendfile do_splice", N_("copies between files"), N_("copies, reads %s") },
  { RANK_CALL, OBJECT_FILE, "ksys_mmap_pgoff vm_mmap_pgoff sys_mmap", N_("maps memory"), N_("maps memory, reads %s") },
  { RANK_CALL, OBJECT_NONE, "sys_munmap __vm_munmap do_madvise sys_brk do_mprotect_pkey sys_mprotect",
    N_("changes its memory"), NULL },
  { RANK_CALL, OBJECT_HOST, "__sys_recvfrom sys_recvfrom sys_recvmsg sys_recvmmsg ___sys_recvmsg __sys_recvmsg sock_recvmsg",
    N_("receives from a socket"), N_("receives from %s") },
  { RANK_CALL, OBJECT_HOST, "__sys_sendto sys_sendto sys_sendmsg ___sys_sendmsg __sys_sendmsg sock_sendmsg",
    N_("sends to a socket"), N_("sends to %s") },
  { RANK_CALL, OBJECT_HOST, "__sys_connect sys_connect", N_("connects"), N_("connects to %s") },
  { RANK_CALL, OBJECT_NONE, "filp_close sys_close __fput", N_("closes a file"), NULL },
  { RANK_CALL, OBJECT_NONE, "__do_sys_ioctl sys_ioctl vfs_ioctl", N_("controls a device"), NULL },
};

enum
{
  NOT_LOOKED_UP = 0,
  NO_ROW = G_MAXUINT8,
};

G_STATIC_ASSERT (G_N_ELEMENTS (rows) < NO_ROW);

/* --- the table ---------------------------------------------------------------------------------------------------- */

static GHashTable *
make_table (void)
{
  GHashTable *table = g_hash_table_new (wp_hash_string, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) names = g_strsplit (rows[i].names, " ", 0);

      for (guint k = 0; names[k] != NULL; k++)
        g_hash_table_insert (table, (gpointer) g_intern_string (names[k]), GUINT_TO_POINTER (i + 1));
    }
  return table;
}

/* Row + 1 of a kernel function, or NO_ROW. */
static guint8
row_of_name (const char *name)
{
  static GHashTable *table;
  static gsize made;
  char plain[WP_KERNEL_NAME_MAX];
  guint row;

  if (g_once_init_enter (&made))
    {
      table = make_table ();
      g_once_init_leave (&made, 1);
    }
  row = wp_kernel_plain_name (name, plain) ? GPOINTER_TO_UINT (g_hash_table_lookup (table, plain)) : 0;
  return row != 0 ? (guint8) row : NO_ROW;
}

static guint8
row_of_function (WpWaitWords *self, WpId function)
{
  guint8 *row = &self->rows[function];

  if (*row == NOT_LOOKED_UP)
    *row = row_of_name (wp_trace_function_name (self->trace, function));
  return *row;
}

/* What the recorder saw before the recording has the call's name where others have a function of the program. */
static guint8
row_of_told_call (WpWaitWords *self, const WpFrame *frame)
{
  guint8 *row = &self->rows[frame->function];
  g_autofree char *name = NULL;

  if (self->system_calls == 0 || self->trace->modules.data[frame->module].path != self->system_calls)
    return NO_ROW;
  if (*row == NOT_LOOKED_UP)
    {
      name = g_strconcat ("sys_", wp_trace_function_name (self->trace, frame->function), NULL);
      *row = row_of_name (name);
    }
  return *row;
}

static guint8
look_up_stack (WpWaitWords *self, WpId stack)
{
  const WpTrace *trace = self->trace;
  guint8 best = 0;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[stack].frame];
      gboolean kernel = frame->flags & WP_FRAME_KERNEL;
      guint8 row = kernel ? row_of_function (self, frame->function) : row_of_told_call (self, frame);

      if (row != NO_ROW && (best == 0 || rows[row - 1].rank > rows[best - 1].rank))
        best = row;
      if (!kernel)
        break;
    }
  return best;
}

/* Row + 1 of what the kernel part of a stack does for its program; 0: it is none that the table knows. */
static guint8
row_of_stack (WpWaitWords *self, WpId stack)
{
  guint8 *row = &self->of_stack[stack];

  if (*row == NOT_LOOKED_UP)
    {
      guint8 found = look_up_stack (self, stack);

      *row = found != 0 ? found : NO_ROW;
    }
  return *row != NO_ROW ? *row : 0;
}

/* --- what is said of an operation --------------------------------------------------------------------------------- */

/* What no row of the table says. */
enum
{
  PHRASE_RUNS = G_N_ELEMENTS (rows) + 1, /* smaller ones: a row + 1 */
  PHRASE_CPU,
  PHRASE_FLUSHES,
  PHRASE_READS,
  PHRASE_WRITES,
  PHRASE_ANSWERS,
  PHRASE_IN_FUNCTION,
  PHRASE_FOR_WORK,
  PHRASE_FOR_TASK,
  PHRASE_CAUSES, /* and the cause */
};

static const struct
{
  const char *alone, *with;
} phrases[] = {
  [PHRASE_RUNS] = { N_("runs"), NULL },
  [PHRASE_CPU] = { N_("waits for a CPU"), NULL },
  [PHRASE_FLUSHES] = { N_("flushes its cache"), NULL },
  [PHRASE_READS] = { N_("reads"), N_("reads %s") },
  [PHRASE_WRITES] = { N_("writes"), N_("writes %s") },
  [PHRASE_ANSWERS] = { N_("answers"), N_("%s answers") },
  [PHRASE_IN_FUNCTION] = { N_("waits"), N_("waits in %s") },
  [PHRASE_FOR_WORK] = { N_("waits for work"), NULL },
  [PHRASE_FOR_TASK] = { N_("waits for a task"), N_("waits for %s") },
  [PHRASE_CAUSES + WP_CAUSE_TASK] = { N_("waits for a task"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_TIMER] = { N_("waits for a timer"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_DISK] = { N_("waits for the disk"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_NET] = { N_("waits for the network"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_DEVICE] = { N_("waits for a device"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_SIGNAL] = { N_("waits for a signal"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_KERNEL] = { N_("waits for the kernel"), NULL },
  [PHRASE_CAUSES + WP_CAUSE_COUNT] = { NULL, NULL },
};

/* Strings of the trace; 0: not known, or of nothing. */
typedef struct
{
  guint32 phrase;
  WpId of, on; /* what the call is on; the device that is on */
  WpWaitEnd end;
} Said;

static WpPlainWords
plain_of (const WpWaitWords *self, Said said)
{
  const char *alone = said.phrase <= G_N_ELEMENTS (rows) ? rows[said.phrase - 1].alone : phrases[said.phrase].alone;
  const char *with = said.phrase <= G_N_ELEMENTS (rows) ? rows[said.phrase - 1].with : phrases[said.phrase].with;
  gboolean of = said.of != 0 && with != NULL;

  return (WpPlainWords) { .words = of ? with : alone != NULL ? alone : N_("waits"), .of = of ? wp_trace_string (self->trace, said.of) : NULL,
                          .on = said.on != 0 ? wp_trace_string (self->trace, said.on) : NULL, .end = said.end };
}

static WpId
words_of (WpWaitWords *self, Said said)
{
  WpId *object = wp_pair_map_at (&self->objects, said.of, said.on), *known;
  g_autofree char *text = NULL;

  if (*object == 0)
    *object = ++self->n_objects;
  known = wp_pair_map_at (&self->known, said.phrase * WP_WAIT_END_COUNT + said.end, *object);
  if (*known == 0)
    {
      text = wp_plain_words_say (plain_of (self, said));
      *known = wp_strings_intern (self->strings, text);
    }
  return *known;
}

/* "reads", "/var/x", "vda": "reads /var/x on vda"; without a file: "fsync on vda". */
char *
wp_plain_words_say (WpPlainWords plain)
{
  const char *said = *plain.words != '\0' ? _(plain.words) : "", *place = plain.of != NULL ? strstr (said, "%s") : NULL;
  g_autofree char *of = plain.of != NULL && plain.on != NULL ? g_strdup_printf (_("%s on %s"), plain.of, plain.on) : g_strdup (plain.of);
  g_autofree char *text = place != NULL ? g_strdup_printf ("%.*s%s%s", (int) (place - said), said, of, place + 2)
                          : plain.on != NULL ? g_strdup_printf (_("%s on %s"), said, plain.on) : g_strdup (said);

  switch (plain.end)
    {
    case WP_WAIT_OPEN:
      return g_strdup_printf (_("still %s"), text);
    case WP_WAIT_LIMIT:
      return g_strdup_printf (_("%s until a time limit"), text);
    case WP_WAIT_UNANSWERED:
      return g_strdup_printf (_("%s until a time limit, without an answer"), text);
    default:
      return g_steal_pointer (&text);
    }
}

static const char *const end_ids[WP_WAIT_END_COUNT] = { [WP_WAIT_OPEN] = "open", [WP_WAIT_LIMIT] = "limit",
                                                        [WP_WAIT_UNANSWERED] = "unanswered" };

const char *
wp_wait_end_id (WpWaitEnd end)
{
  return end_ids[end];
}

WpWaitEnd
wp_wait_end_from_id (const char *id)
{
  WpWaitEnd end = WP_WAIT_END_COUNT - 1;

  while (end > WP_WAIT_ENDED && g_strcmp0 (end_ids[end], id) != 0)
    end--;
  return end;
}

/* --- sleeps ------------------------------------------------------------------------------------------------------- */

static gboolean
is_disk (const WpOp *op)
{
  return op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE;
}

/* The operation that ended a sleep, or 0. */
static WpId
source_of (const WpWaitWords *self, const WpOp *sleep)
{
  WpId known = self->paths->sleep_ends != NULL ? self->paths->sleep_ends[sleep - self->trace->ops.data].source : 0;

  return known != 0 || sleep->link == 0 ? known : self->trace->links.data[sleep->link].source;
}

/* Whoever ended a sleep; or a child that has not ended it. */
static WpId
peer_of (const WpWaitWords *self, const WpOp *sleep)
{
  const WpTrace *trace = self->trace;
  gboolean by_task = sleep->cause == WP_CAUSE_TASK || sleep->cause == WP_CAUSE_SIGNAL;
  WpId source = wp_unfinished (sleep) ? sleep->explained_by : by_task ? source_of (self, sleep) : 0;
  WpId task = trace->ops.data[source].task;

  if (source == 0 || (by_task && trace->ops.data[source].kind != WP_OP_RUN) || (trace->tasks.data[task].flags & WP_TASK_IDLE))
    return 0;
  return wp_paths_task_name (self->paths, task);
}

/* A file without a path says itself where it is: "file 4711 of vda1". */
static void
say_file (const WpTrace *trace, const WpOp *request, Said *said)
{
  WpId file = trace->disks.data[request->detail].file;

  said->of = file;
  if (file == 0 || *wp_trace_string (trace, file) == '/')
    said->on = trace->tasks.data[request->task].name;
}

static void
say_object (const WpWaitWords *self, const WpOp *sleep, Object kind, Said *said)
{
  const WpTrace *trace = self->trace;
  const WpOp *by = sleep->explained_by != 0 ? &trace->ops.data[sleep->explained_by] : NULL;
  WpId remote = by != NULL && by->kind == WP_OP_NET ? trace->nets.data[by->detail].remote : 0;

  if (kind == OBJECT_FILE && by != NULL && is_disk (by))
    say_file (trace, by, said);
  else if (kind == OBJECT_HOST && remote != 0)
    said->of = remote;
  else if (kind == OBJECT_PEER || kind == OBJECT_HOST)
    said->of = peer_of (self, sleep);
}

/* A wait that its time limit ended is for whoever was asked before and did not answer; or for nobody knows whom. */
static void
say_limit (const WpTrace *trace, const WpOp *sleep, Said *said)
{
  guint16 device = trace->links.data[sleep->link].device;
  WpId asked = device < trace->devices.len ? trace->devices.data[device] : 0;
  const char *alone = rows[said->phrase - 1].alone;

  if (sleep->cause != WP_CAUSE_TIMER || said->of != 0 || said->on != 0)
    return;
  if (asked != 0 && (rows[said->phrase - 1].object == OBJECT_PEER || rows[said->phrase - 1].object == OBJECT_HOST))
    {
      said->of = asked;
      said->end = WP_WAIT_UNANSWERED;
    }
  else if (g_str_has_prefix (alone, "waits "))
    said->end = WP_WAIT_LIMIT;
}

/* A stack that the table does not know, or none: who ended it, or what; where nothing did, in which function it waits. Of an idle thread of
 * the kernel its state says enough: stacks of kworkers are not even recorded then. */
static Said
say_unknown_call (const WpWaitWords *self, const WpOp *sleep)
{
  WpId function = wp_unfinished (sleep) ? wp_trace_describe_stack (self->trace, sleep->detail) : 0;
  WpId peer = sleep->cause == WP_CAUSE_TASK ? peer_of (self, sleep) : 0;

  if (sleep->state == WP_STATE_IDLE && sleep->cause == WP_CAUSE_NONE)
    return (Said) { .phrase = PHRASE_FOR_WORK };
  if (function != 0)
    return (Said) { .phrase = PHRASE_IN_FUNCTION, .of = self->trace->functions.data[function].name };
  if (peer != 0)
    return (Said) { .phrase = PHRASE_FOR_TASK, .of = peer };
  return (Said) { .phrase = PHRASE_CAUSES + sleep->cause };
}

static Said
say_sleep (WpWaitWords *self, const WpOp *sleep)
{
  Said said;
  guint8 row;

  if (sleep->state == WP_STATE_PREEMPTED || (sleep->flags & WP_OP_NEW_TASK))
    return (Said) { .phrase = PHRASE_CPU };
  row = row_of_stack (self, sleep->detail);
  said = row != 0 ? (Said) { .phrase = row } : say_unknown_call (self, sleep);
  if (row != 0)
    say_object (self, sleep, rows[row - 1].object, &said);
  if (wp_unfinished (sleep))
    said.end = WP_WAIT_OPEN;
  else if (row != 0)
    say_limit (self->trace, sleep, &said);
  return said;
}

/* --- what devices do ---------------------------------------------------------------------------------------------- */

static Said
say_request (const WpTrace *trace, const WpOp *op)
{
  const WpDisk *disk = &trace->disks.data[op->detail];
  gboolean reads = strchr (wp_trace_string (trace, disk->rwbs), 'R') != NULL;

  if (disk->sectors == 0)
    return (Said) { .phrase = PHRASE_FLUSHES };
  return (Said) { .phrase = reads ? PHRASE_READS : PHRASE_WRITES, .of = disk->file };
}

/* --- any operation ------------------------------------------------------------------------------------------------ */

static Said
say (WpWaitWords *self, WpId id)
{
  const WpOp *op = &self->trace->ops.data[id];

  switch (op->kind)
    {
    case WP_OP_SLEEP:
      return say_sleep (self, op);
    case WP_OP_DISK:
    case WP_OP_DISK_QUEUE:
      return say_request (self->trace, op);
    case WP_OP_NET:
      return (Said) { .phrase = PHRASE_ANSWERS, .of = self->trace->nets.data[op->detail].remote };
    default:
      return (Said) { .phrase = PHRASE_RUNS };
    }
}

WpId
wp_wait_words_of (WpWaitWords *self, WpId op)
{
  if (self->of_op[op] == 0)
    self->of_op[op] = words_of (self, say (self, op));
  return self->of_op[op];
}

WpPlainWords
wp_wait_words_plain (WpWaitWords *self, WpId op)
{
  return plain_of (self, say (self, op));
}

WpId
wp_wait_words_for_cpu (WpWaitWords *self)
{
  return self->cpu;
}

WpId
wp_wait_words_of_call (WpWaitWords *self, WpId stack)
{
  guint8 row = row_of_stack (self, stack);

  if (row != 0 && rows[row - 1].running != NULL)
    return wp_strings_intern (self->strings, _(rows[row - 1].running));
  return row != 0 ? words_of (self, (Said) { .phrase = row }) : 0;
}

void
wp_wait_words_init (WpWaitWords *self, const WpPaths *paths)
{
  *self = (WpWaitWords) { .paths = paths, .trace = paths->trace, .strings = wp_strings_new () };
  self->rows = g_new0 (guint8, paths->trace->functions.len);
  self->of_op = g_new0 (WpId, MAX (paths->trace->ops.len, 1));
  self->of_stack = g_new0 (guint8, MAX (paths->trace->stacks.len, 1));
  self->system_calls = wp_strings_find (paths->trace->strings, WP_MODULE_SYSTEM_CALL);
  self->cpu = words_of (self, (Said) { .phrase = PHRASE_CPU });
}

void
wp_wait_words_clear (WpWaitWords *self)
{
  wp_strings_free (self->strings);
  wp_pair_map_clear (&self->known);
  wp_pair_map_clear (&self->objects);
  g_free (self->rows);
  g_free (self->of_op);
  g_free (self->of_stack);
}
