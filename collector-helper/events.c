/* The table of events and opening them; see events.h. */
#include "events.h"

#include "probes.h"
#include "threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef enum
{
  STACK_NONE,
  STACK_KERNEL,
  STACK_BOTH,
} Stack;

enum
{
  WITH_STACKS = 1 << 0,    /* the row serves recordings with stacks */
  WITHOUT_STACKS = 1 << 1, /* … without */
  ALWAYS = WITH_STACKS | WITHOUT_STACKS,
  REQUIRED = 1 << 2,   /* no recording without it */
  SUBSTITUTE = 1 << 3, /* only when a kind named in `instead_of` is not there */
  CARRIER = 1 << 4,
  CPU_SAMPLE = 1 << 5,
  UNTOLD = 1 << 6, /* a kernel without it has nothing that it would tell of */
  DEFERRED = 1 << 7, /* where the kernel can, it takes the user's part of the stack when the task goes back to its program */
};

struct WpcEventKind
{
  unsigned group;
  unsigned flags;
  const char *system; /* NULL: not a tracepoint */
  const char *name;
  const char *filter;
  Stack stack;
  unsigned short max_stack; /* frames; 0: the kernel's limit */
  const char *instead_of; /* one kind, or two divided by a blank */
  const char *functions;  /* of a kernel probe: tried one after the other */
  const char *fetch;      /* … and its arguments, as wpc_probe_make() takes them */
  const char *loss; /* what a recording without it does not tell; NULL: nothing that a user would notice */
};

/* Rows of one tracepoint have filters that complement each other: each firing is recorded once, with the stack that is worth its
 * price. That is some 1000 ns for any stack and 100 to 200 ns for each frame; a row more costs each firing 30 ns. 255 are the states of
 * a voluntary switch (256 is R+), 128 that of idle kernel threads, 24 the flags of hard and soft interrupts. Of a preempted task three
 * frames tell where: in which function of the kernel, on leaving it, or in sched_yield(). What the task did is its samples' to say.
 * The idle task and a kworker without work are always in the same function, and the recorder is nobody's concern: of them no stack is taken.
 *
 * The user's part of CPU samples is deferred where the kernel can do that: it costs as much, and pages that are not there can be read then. That
 * of switches is not: it would cost an eighth more, and whoever sleeps until the end of the recording, or is killed in his sleep, would have none. */
#define NO_WORK "(prev_state & 128 && prev_comm ~ \"kworker/*\")"
#define RECORDER "\"wakepath-collec\"" /* as much of its name as a task keeps */
#define PLAIN(group, system, name, ...) { group, ALWAYS, system, name, .loss = __VA_ARGS__ }
#define SCHED(flags, name, ...) { WPC_GROUP_SCHED, flags, "sched", name, __VA_ARGS__ }
#define FILES(flags, system, name, ...) \
  { WPC_GROUP_FILE, ALWAYS | (flags), system, name, .loss = "some disk requests lack the name of their file", __VA_ARGS__ }

/* The way that packets without a connection go is looked up each time, and once for those with one: from here on (1 is the interface
 * of what this machine sends), with both ends. */
#define WAYS(flags, system, name, ...) \
  { WPC_GROUP_NET, ALWAYS | (flags), system, name, .filter = "proto == 17 && dport != 0 && iif == 1", __VA_ARGS__ }

/* Kernel probes, where a tracepoint is not there: named like the functions in the method's paper, whatever they are on. */
#define PROBE(flags, name, instead_of, functions, fetch, ...) \
  { WPC_GROUP_NET, ALWAYS | SUBSTITUTE | (flags), "probe", name, NULL, STACK_NONE, 0, instead_of, functions, fetch, __VA_ARGS__ }

static const WpcEventKind kinds[] = {
  { WPC_GROUP_SCHED, ALWAYS | CARRIER, NULL, "dummy" },
  SCHED (WITH_STACKS | REQUIRED, "sched_switch", "prev_state & 255 && prev_comm != " RECORDER " && !" NO_WORK, STACK_BOTH),
  SCHED (WITH_STACKS | REQUIRED, "sched_switch", "!(prev_state & 255) && prev_comm != " RECORDER " && prev_pid != 0", STACK_KERNEL, 3),
  SCHED (WITH_STACKS | REQUIRED, "sched_switch", "(!(prev_state & 255) && prev_pid == 0) || prev_comm == " RECORDER " || " NO_WORK),
  SCHED (WITHOUT_STACKS | REQUIRED, "sched_switch"),
  SCHED (WITH_STACKS, "sched_waking", "common_flags & 24", STACK_KERNEL, 40),
  SCHED (WITH_STACKS, "sched_waking", "!(common_flags & 24)"),
  SCHED (WITHOUT_STACKS, "sched_waking"),
  SCHED (ALWAYS | SUBSTITUTE, "sched_wakeup", NULL, STACK_KERNEL, 40, "sched_waking",
         .loss = "who woke a task is often wrong"),
  SCHED (ALWAYS, "sched_wakeup_new"),
  SCHED (ALWAYS, "sched_process_fork", .loss = "who started a task is not known"),
  SCHED (ALWAYS, "sched_process_exec", .loss = "a program and the one it came from are one task"),
  SCHED (ALWAYS, "sched_process_exit"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_bio_queue", "who asked for a disk request is a guess"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_io_start", "the time in a disk’s queue begins where the parts of a request do"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_rq_insert", NULL),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_rq_issue", "disk requests are not told from their time in the queue"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_rq_complete", "disk requests are not seen"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_rq_requeue", "a disk request that is tried again looks like a long one"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_rq_merge", "some merged disk requests have no end"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_bio_backmerge", "some merged disk requests have no end"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_bio_frontmerge", "some merged disk requests have no end"),
  PLAIN (WPC_GROUP_BLOCK, "block", "block_split", "some split disk requests are taken for one"),
  FILES (0, "filemap", "mm_filemap_add_to_page_cache"),
  FILES (UNTOLD, "ext4", "ext4_ext_map_blocks_exit", .filter = "ret > 0"),
  FILES (UNTOLD, "ext4", "ext4_writepages"),
  FILES (0, "iomap", "iomap_dio_rw_begin"),
  PLAIN (WPC_GROUP_FILE, "ext4", "ext4_allocate_inode", NULL),
  PLAIN (WPC_GROUP_IRQ, "irq", "irq_handler_entry", "devices other than disks and networks have no name"),
  PLAIN (WPC_GROUP_IRQ, "irq", "irq_handler_exit", "what interrupts took of a run counts as that run’s"),
  PLAIN (WPC_GROUP_NET, "sock", "inet_sock_set_state", "connecting over the network is not seen"),
  PLAIN (WPC_GROUP_NET, "sock", "sk_data_ready", "UDP exchanges are not seen"),
  PLAIN (WPC_GROUP_NET, "sock", "sock_send_length", "network exchanges are seen only where they end"),
  PLAIN (WPC_GROUP_NET, "tcp", "tcp_probe", "the other end of TCP connections that were there before is not known"),
  PLAIN (WPC_GROUP_NET, "tcp", "tcp_sendmsg_locked", "a TCP exchange begins when the call that sent has returned"),
  WAYS (0, "fib", "fib_table_lookup", .loss = "the ends of UDP exchanges are not known"),
  WAYS (UNTOLD, "fib6", "fib6_table_lookup"),
  PROBE (0, "tcp_v4_connect", "inet_sock_set_state", "tcp_v4_connect", WPC_FETCH_TO, "connecting over IPv4 is not seen"),
  PROBE (UNTOLD, "tcp_v6_connect", "inet_sock_set_state", "tcp_v6_connect", WPC_FETCH_TO),
  PROBE (0, "tcp_finish_connect", "inet_sock_set_state", "tcp_finish_connect", WPC_FETCH_ENDS, "the end of connecting is not seen"),
  PROBE (0, "tcp_rcv_established", "tcp_probe", "tcp_rcv_established", WPC_FETCH_ENDS, "what TCP connections receive is not seen"),
  PROBE (0, "udp_queue_rcv_skb", "sk_data_ready", "__udp_enqueue_schedule_skb udp_queue_rcv_skb", WPC_FETCH_ENDS,
         "UDP exchanges are not seen"),
  PROBE (0, "tcp_sendmsg", "sock_send_length tcp_sendmsg_locked", "tcp_sendmsg tcp_sendmsg_locked", WPC_FETCH_ENDS,
         "TCP exchanges are seen only where they end"),
  PROBE (0, "udp_sendmsg", "sock_send_length", "udp_sendmsg", WPC_FETCH_MESSAGE, "UDP exchanges are seen only where they end"),
  PROBE (UNTOLD, "udpv6_sendmsg", "sock_send_length", "udpv6_sendmsg", WPC_FETCH_MESSAGE),
  PLAIN (WPC_GROUP_SIGNAL, "signal", "signal_generate", "signals have no name"),
  { WPC_GROUP_CPU, ALWAYS | CPU_SAMPLE | DEFERRED, NULL, "cpu-samples", NULL, STACK_BOTH, .loss = "what runs is not told apart" },
};

#define N_KINDS (sizeof kinds / sizeof *kinds)
_Static_assert (N_KINDS + 1 <= WPC_EVENTS_MAX, "the limit of open files is raised before they are opened");
#define WAKE_KB 2048 /* filled in a ring: its reader is woken */
#define FORMAT_LOST (1u << 4) /* PERF_FORMAT_LOST, which headers before Linux 6.0 do not have */
#define DEFER_CALLCHAIN (UINT64_C (1) << 38) /* attr.defer_callchain and … */
#define DEFER_OUTPUT (UINT64_C (1) << 39)    /* … defer_output among the flags, which headers before Linux 6.19 do not have */

char wpc_tracefs[64];

bool
wpc_find_tracefs (void)
{
  static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
  struct stat folder;
  char path[128];

  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      snprintf (path, sizeof path, "%s/events/sched", places[i]);
      if (stat (path, &folder) == 0 || errno == EACCES)
        {
          snprintf (wpc_tracefs, sizeof wpc_tracefs, "%s", places[i]);
          return true;
        }
    }
  return false;
}

const char *
wpc_instance_system (const WpcInstance *instance)
{
  return instance->kind->system;
}

const char *
wpc_instance_name (const WpcInstance *instance)
{
  return instance->kind->name;
}

const char *
wpc_instance_folder (const WpcInstance *instance)
{
  return instance->kind->functions != NULL ? wpc_probe_group : instance->kind->system;
}

/* --- what one event is -------------------------------------------------------------------------------------------- */

/* What unwinding needs: the registers that functions use for addresses and numbers. */
#if defined(__x86_64__)
#define USER_REGISTERS 0xff01ffull /* ax bx cx dx si di bp sp ip, r8 to r15 */
#elif defined(__aarch64__)
#define USER_REGISTERS ((1ull << 33) - 1) /* x0 to x29, lr, sp, pc */
#else
#define USER_REGISTERS 0ull /* no stack copies here */
#endif

static void
set_flag (struct perf_event_attr *attr, uint64_t flag)
{
  char *flags = (char *) &attr->read_format + sizeof attr->read_format;
  uint64_t all;

  memcpy (&all, flags, sizeof all);
  all |= flag;
  memcpy (flags, &all, sizeof all);
}

/* Where a stack is copied, the kernel walks its own part only. */
static void
set_stack (struct perf_event_attr *attr, const WpcEventKind *kind, const WpcEvents *events, const WpcOptions *options)
{
  bool copy = options->stacks == WPC_STACKS_DWARF && kind->stack == STACK_BOTH;

  if (kind->stack == STACK_NONE || options->stacks == WPC_STACKS_NONE)
    return;
  attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
  attr->exclude_callchain_user = kind->stack == STACK_KERNEL || copy;
  attr->sample_max_stack = kind->max_stack;
  if (!copy && (kind->flags & DEFERRED) != 0 && events->can_defer)
    set_flag (attr, DEFER_CALLCHAIN);
  if (!copy)
    return;
  attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr->sample_regs_user = USER_REGISTERS;
  attr->sample_stack_user = options->stack_bytes;
}

/* The same clock, sample ids and watermark everywhere: they share rings, and a reader finds the id at one place. */
static void
set_common (struct perf_event_attr *attr, const WpcEvents *events)
{
  attr->size = sizeof *attr;
  attr->read_format = events->read_format;
  attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  attr->sample_id_all = 1;
  attr->use_clockid = 1;
  attr->clockid = CLOCK_MONOTONIC;
  attr->disabled = 1;
  attr->watermark = 1;
}

/* Its rings are everybody's: their reader is woken early, since it may have to wait for a CPU. */
static void
set_carrier (struct perf_event_attr *attr, const WpcEvents *events, const WpcOptions *options)
{
  attr->type = PERF_TYPE_SOFTWARE;
  attr->config = PERF_COUNT_SW_DUMMY;
  attr->sample_period = 1;
  attr->mmap = attr->mmap2 = 1;
  attr->comm = attr->comm_exec = 1;
  attr->task = 1;
  if (events->can_defer)
    set_flag (attr, DEFER_OUTPUT);
  if (options->buffer_kb == 0 || options->buffer_kb >= 4 * WAKE_KB)
    attr->wakeup_watermark = WAKE_KB * 1024;
}

/* A software clock has a period in nanoseconds; a counter is left to find its own. Idle CPUs are not worth a record. */
static void
set_rate (struct perf_event_attr *attr, unsigned rate)
{
  if (attr->type == PERF_TYPE_SOFTWARE)
    {
      attr->sample_period = 1000000000u / rate;
      attr->exclude_idle = 1;
      return;
    }
  attr->freq = 1;
  attr->sample_freq = rate;
}

static void
set_sampling (struct perf_event_attr *attr, unsigned rate, bool counter)
{
  attr->type = counter ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
  attr->config = counter ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_SW_CPU_CLOCK;
  attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
  set_rate (attr, rate);
}

/* Returns 0 or an errno. */
static int
set_tracepoint (struct perf_event_attr *attr, const WpcEventKind *kind)
{
  char path[192], text[32];
  unsigned id;
  int error;

  error = kind->functions != NULL ? wpc_probe_make (kind->name, kind->functions, kind->fetch) : 0;
  if (error != 0)
    return error;
  snprintf (path, sizeof path, "%s/events/%s/%s/id", wpc_tracefs,
            kind->functions != NULL ? wpc_probe_group : kind->system, kind->name);
  error = wpc_read_line (path, text, sizeof text);
  if (error != 0)
    return error;
  if (!wpc_parse_number (text, 1u << 30, &id))
    return EINVAL;
  attr->type = PERF_TYPE_TRACEPOINT;
  attr->config = id;
  attr->sample_period = 1;
  attr->sample_type |= PERF_SAMPLE_RAW;
  return 0;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* All but the first `n`. */
static void
close_from (WpcInstance *instance, int n)
{
  while (instance->n > n)
    close (instance->fds[--instance->n]);
}

static void
close_instance (WpcInstance *instance)
{
  close_from (instance, 0);
  free (instance->fds);
  free (instance->ids);
  instance->fds = NULL;
  instance->ids = NULL;
}

static int
open_on_cpu (WpcInstance *instance, int thread, int cpu)
{
  const char *filter = instance->kind->filter;
  int fd = (int) syscall (SYS_perf_event_open, &instance->attr, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC);

  if (fd < 0)
    return errno;
  if (ioctl (fd, PERF_EVENT_IOC_ID, &instance->ids[instance->n]) < 0 ||
      (filter != NULL && ioctl (fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0))
    {
      int error = errno;

      close (fd);
      return error;
    }
  instance->fds[instance->n++] = fd;
  return 0;
}

/* On every CPU, or on none. */
static int
open_thread (WpcInstance *instance, const WpcEvents *events, int thread)
{
  int before = instance->n, error = 0;

  for (int i = 0; i < events->n_cpus && error == 0; i++)
    error = open_on_cpu (instance, thread, events->cpus[i]);
  if (error != 0)
    close_from (instance, before);
  return error;
}

/* Of these threads, those that are still there; -1: of all at once. Returns 0 or an errno: then none is open. */
static int
open_instance (WpcInstance *instance, const WpcEvents *events, const int *threads, int n_threads)
{
  size_t n = (size_t) n_threads * (size_t) events->n_cpus;
  int error = 0;

  instance->n = 0;
  instance->fds = calloc (n, sizeof *instance->fds);
  instance->ids = calloc (n, sizeof *instance->ids);
  if (instance->fds == NULL || instance->ids == NULL)
    error = ENOMEM;
  for (int i = 0; i < n_threads && error == 0; i++)
    {
      error = open_thread (instance, events, threads[i]);
      if (error == ESRCH && (i + 1 < n_threads || instance->n > 0))
        error = 0;
    }
  if (error != 0)
    close_instance (instance);
  return error;
}

static const int everybody = -1;

/* The kernel's limit is one for each tick: a sample that reaches it is the last before the next. One of them may be early, so there
 * has to be room for two more than the rate gives. */
static unsigned
find_rate_limit (void)
{
  unsigned limit, hz, in_tick;
  struct timespec tick;
  char text[32];

  if (wpc_read_line ("/proc/sys/kernel/perf_event_max_sample_rate", text, sizeof text) != 0 ||
      !wpc_parse_number (text, 1u << 30, &limit) || limit == 0)
    return WPC_RATE_MAX;
  if (clock_getres (CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_sec != 0 || tick.tv_nsec < 100000)
    return (limit + 1) / 2;
  hz = (unsigned) (1000000000 / tick.tv_nsec);
  in_tick = (limit + hz - 1) / hz;
  return in_tick > 2 ? (in_tick - 2) * hz : (limit + 1) / 2;
}

static void
limit_rate (WpcEvents *self)
{
  char why[128];

  self->rate_limit = find_rate_limit ();
  if (self->rate <= self->rate_limit)
    return;
  snprintf (why, sizeof why, "the kernel lets through %u a second and CPU, not %u (kernel.perf_event_max_sample_rate)",
            self->rate_limit, self->rate);
  wpc_missing_add (&self->missing, "more CPU samples", why, "short functions are seen less often");
  self->rate = self->rate_limit;
}

/* The next one, in so far as it does not depend on the kind. It counts once it is open. */
static WpcInstance *
begin_instance (WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options)
{
  WpcInstance *instance = &self->instances[self->n_instances];

  *instance = (WpcInstance) { .kind = kind };
  set_common (&instance->attr, self);
  set_stack (&instance->attr, kind, self, options);
  return instance;
}

/* What chosen threads start from then on is sampled, too. */
static int
open_cpu_samples_of (WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options, const int *threads, int n_threads)
{
  int error = 0;

  for (int counter = 1; counter >= 0; counter--)
    {
      WpcInstance *instance = begin_instance (self, kind, options);

      set_sampling (&instance->attr, self->rate, counter);
      instance->attr.inherit = instance->chosen = threads != &everybody;
      error = open_instance (instance, self, threads, n_threads);
      if (error == 0)
        {
          self->sampling = counter ? "cycles" : "cpu-clock";
          self->n_instances++;
          return 0;
        }
    }
  return error;
}

static void
tell_no_choice (WpcEvents *self, int error, int most)
{
  char why[128];

  if (error == E2BIG)
    snprintf (why, sizeof why, "these have more than %d threads, which are as many as can be chosen on %d CPUs", most,
              self->n_cpus);
  else
    snprintf (why, sizeof why, "their threads cannot be chosen: %s", strerror (error));
  wpc_missing_add (&self->missing, "CPU samples of chosen processes or threads alone", why, "all processes are sampled");
}

/* That they cannot be had is told where they were to be had from the beginning. */
static void
open_chosen (WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options)
{
  static int threads[WPC_SAMPLE_EVENTS_MAX];
  int most = WPC_SAMPLE_EVENTS_MAX / self->n_cpus, n = wpc_list_threads (options, threads, most), error;

  if (n <= most)
    error = n > 0 ? open_cpu_samples_of (self, kind, options, threads, n) : ESRCH;
  else
    error = E2BIG;
  if (error == 0)
    self->n_chosen = n;
  else if (options->sample_chosen)
    tell_no_choice (self, error, most);
  self->sample_chosen = error == 0 && options->sample_chosen;
}

/* Those of chosen threads beside everybody's: which of them are on can be changed while recording, when nothing can be opened. */
static int
open_cpu_samples (WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options)
{
  int error;

  limit_rate (self);
  error = open_cpu_samples_of (self, kind, options, &everybody, 1);
  if (error == 0 && options->n_sampled > 0)
    open_chosen (self, kind, options);
  return error;
}

static const char *
why_not (int error)
{
  return error == ENOENT ? "this kernel does not have it" : strerror (error);
}

/* Returns 0 or an errno. */
static int
open_kind (WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options)
{
  WpcInstance *instance;
  int error = 0;

  if (kind->flags & CPU_SAMPLE)
    return open_cpu_samples (self, kind, options);
  instance = begin_instance (self, kind, options);
  if (kind->flags & CARRIER)
    set_carrier (&instance->attr, self, options);
  else
    error = set_tracepoint (&instance->attr, kind);
  if (error == 0)
    error = open_instance (instance, self, &everybody, 1);
  if (error == 0)
    self->n_instances++;
  return error;
}

static int
tell_required (const WpcEventKind *kind, int error)
{
  const char *name = kind->flags & CARRIER ? "perf_event_open" : kind->name;

  if (error == EACCES || error == EPERM)
    return wpc_fail ("permission", "may not record the whole system (%s: %s)", name, strerror (error));
  if (error == ENOSYS)
    return wpc_fail ("perf", "this kernel has no perf events");
  if (error == EMFILE || error == ENFILE)
    return wpc_fail ("memory", "too many open files for the events of all CPUs");
  return wpc_fail ("perf", "cannot record %s: %s", name, why_not (error));
}

static bool
have (const WpcEvents *self, const char *name)
{
  for (int i = 0; i < self->n_instances; i++)
    if (strcmp (self->instances[i].kind->name, name) == 0)
      return true;
  return false;
}

/* Whether `kind` is one of those that a substitute stands for. */
static bool
stands_for (const WpcEventKind *substitute, const WpcEventKind *kind)
{
  size_t length = strlen (kind->name);

  for (const char *p = substitute->instead_of; p != NULL; p = strchr (p, ' '), p += p != NULL)
    if (strncmp (p, kind->name, length) == 0 && (p[length] == ' ' || p[length] == '\0'))
      return true;
  return false;
}

static bool
in_groups (const WpcEventKind *kind, const WpcOptions *options)
{
  return (kind->group & options->groups) != 0 &&
         (kind->flags & (options->stacks != WPC_STACKS_NONE ? WITH_STACKS : WITHOUT_STACKS)) != 0;
}

static bool
wanted (const WpcEvents *self, const WpcEventKind *kind, const WpcOptions *options)
{
  if (!in_groups (kind, options))
    return false;
  for (size_t i = 0; i < N_KINDS && (kind->flags & SUBSTITUTE) != 0; i++)
    if (stands_for (kind, &kinds[i]) && in_groups (&kinds[i], options) && !have (self, kinds[i].name))
      return true;
  return (kind->flags & SUBSTITUTE) == 0;
}

static bool
is_replaced (const WpcEvents *self, const WpcEventKind *kind)
{
  for (size_t i = 0; i < N_KINDS; i++)
    if (kinds[i].functions != NULL && stands_for (&kinds[i], kind) && have (self, kinds[i].name))
      return true;
  return false;
}

/* Where some probes could be had instead of an event and others could not, those are what is missing; else the event is. */
static bool
is_told (const WpcEvents *self, const WpcEventKind *kind, int error)
{
  if (error == 0 || (error == ENOENT && (kind->flags & UNTOLD) != 0))
    return false;
  if (kind->functions == NULL)
    return !is_replaced (self, kind);
  for (size_t i = 0; i < N_KINDS; i++)
    if (stands_for (kind, &kinds[i]) && is_replaced (self, &kinds[i]))
      return true;
  return false;
}

static int
list_cpus (WpcEvents *self, const WpcOptions *options)
{
  static bool online[WPC_MAX_CPUS];
  char text[4096];

  if (wpc_read_line ("/sys/devices/system/cpu/online", text, sizeof text) != 0 || !wpc_parse_cpus (text, online))
    return wpc_fail ("perf", "cannot tell which CPUs there are");
  self->cpus = calloc (WPC_MAX_CPUS, sizeof *self->cpus);
  if (self->cpus == NULL)
    return wpc_fail ("memory", "out of memory");
  for (int i = 0; i < WPC_MAX_CPUS; i++)
    if (online[i] && (!options->some_cpus || options->cpus[i]))
      self->cpus[self->n_cpus++] = i;
  return self->n_cpus > 0 ? 0 : wpc_fail ("usage", "none of these CPUs is there");
}

/* An older kernel refuses what it does not know. */
static bool
is_taken (const struct perf_event_attr *attr, int cpu)
{
  int fd = (int) syscall (SYS_perf_event_open, attr, everybody, cpu, -1, PERF_FLAG_FD_CLOEXEC);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

static void
find_abilities (WpcEvents *self, const WpcOptions *options)
{
  const struct perf_event_attr plain = { .size = sizeof plain, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY };
  struct perf_event_attr counting = plain, deferring = plain;

  counting.read_format = FORMAT_LOST;
  self->read_format = is_taken (&counting, self->cpus[0]) ? FORMAT_LOST : 0;
  set_flag (&deferring, DEFER_CALLCHAIN);
  set_flag (&deferring, DEFER_OUTPUT);
  self->can_defer = options->stacks == WPC_STACKS_FP && (options->groups & WPC_GROUP_CPU) != 0 && is_taken (&deferring, self->cpus[0]);
}

int
wpc_events_open (WpcEvents *self, const WpcOptions *options)
{
  int errors[N_KINDS], error;

  self->sampling = "";
  self->rate = self->asked_rate = options->rate;
  if (options->stacks == WPC_STACKS_DWARF && USER_REGISTERS == 0)
    return wpc_fail ("usage", "stacks cannot be copied on this machine: use --stacks=fp");
  if (list_cpus (self, options) != 0)
    return 1;
  find_abilities (self, options);
  self->instances = calloc (N_KINDS + 1, sizeof *self->instances); /* CPU samples may be two */
  if (self->instances == NULL)
    return wpc_fail ("memory", "out of memory");
  for (size_t i = 0; i < N_KINDS; i++)
    {
      errors[i] = wanted (self, &kinds[i], options) ? open_kind (self, &kinds[i], options) : 0;
      if (errors[i] != 0 && (kinds[i].flags & (REQUIRED | CARRIER)) != 0)
        return tell_required (&kinds[i], errors[i]);
    }
  for (size_t i = 0; i < N_KINDS; i++)
    if (is_told (self, &kinds[i], errors[i]))
      wpc_missing_add (&self->missing, kinds[i].name, why_not (errors[i]), kinds[i].loss);
  error = wpc_probes_guard ();
  return error == 0 ? 0 : wpc_fail ("perf", "cannot see to the removal of kernel probes: %s", strerror (error));
}

/* --- while recording ---------------------------------------------------------------------------------------------- */

void
wpc_events_enable_carrier (const WpcEvents *self)
{
  for (int i = 0; i < self->n_cpus; i++)
    ioctl (self->instances[0].fds[i], PERF_EVENT_IOC_ENABLE, 0);
}

static bool
has_samples (const WpcInstance *instance)
{
  return (instance->kind->flags & CPU_SAMPLE) != 0;
}

/* The other CPU samples are always off. */
static bool
is_wanted (const WpcEvents *self, const WpcInstance *instance)
{
  return !has_samples (instance) || instance->chosen == self->sample_chosen;
}

static void
enable_instance (const WpcInstance *instance, bool on)
{
  for (int i = 0; i < instance->n; i++)
    ioctl (instance->fds[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Event by event, not CPU by CPU: so each kind starts at nearly the same time everywhere. */
void
wpc_events_enable (const WpcEvents *self, bool on)
{
  for (int k = 1; k < self->n_instances; k++)
    if (is_wanted (self, &self->instances[k]))
      enable_instance (&self->instances[k], on);
}

static void
enable_samples (const WpcEvents *self, bool on)
{
  for (int k = 1; k < self->n_instances; k++)
    if (has_samples (&self->instances[k]) && is_wanted (self, &self->instances[k]))
      enable_instance (&self->instances[k], on);
}

/* Nobody is sampled twice. */
void
wpc_events_sample (WpcEvents *self, bool chosen, bool on)
{
  if (self->n_chosen == 0 || chosen == self->sample_chosen)
    return;
  enable_samples (self, false);
  self->sample_chosen = chosen;
  if (on)
    enable_samples (self, true);
}

bool
wpc_events_set_rate (WpcEvents *self, unsigned rate)
{
  unsigned asked = rate;
  bool done = true;

  if (rate > self->rate_limit && self->rate_limit > 0)
    rate = self->rate_limit;
  for (int k = 1; k < self->n_instances; k++)
    {
      const WpcInstance *instance = &self->instances[k];
      uint64_t value = instance->attr.type == PERF_TYPE_SOFTWARE ? 1000000000u / rate : rate;

      if (!has_samples (instance))
        continue;
      for (int i = 0; i < instance->n; i++)
        if (ioctl (instance->fds[i], PERF_EVENT_IOC_PERIOD, &value) < 0)
          done = false;
    }
  self->asked_rate = done ? asked : 0; /* some may have the new one: whatever is asked for next is tried */
  if (done)
    self->rate = rate;
  return done;
}
