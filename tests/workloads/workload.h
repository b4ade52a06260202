/* What the workloads share: clocks, CPU work inside a function of its own, and telling the truth as one JSON line.
 *
 * A workload does something whose times it measures, and prints them: {"workload": NAME, "pid": …, "begin_ns": …,
 * "end_ns": …, "wall_ns": …, "truth": {…}, …}. begin_ns and end_ns are CLOCK_MONOTONIC, the clock of our recordings; the
 * other numbers hold for that span. The names of all tasks that take part begin with the workload's.
 *
 * The truth comes from the kernel's own accounting, not from what is recorded. In ns, summed over all that take part:
 *   run        on a CPU
 *   delay      waiting for one: after a waking, or preempted
 *   late       that of it which was within calls that block
 *   asleep, timed_out, disk, kernel, partner
 *              the rest of the time within calls of that kind (see WlKind)
 *   left       what remains of their time: somewhere else it was blocked
 *
 * Of the partner's time, waited_ns says how long whose time is explained waited for it, and helped what those it waited for did or
 * waited for a CPU: where that is more, they did it at once.
 *
 * System calls are made inline: the C library has no frame pointers, and a call through it would hide the function that
 * made it from a frame-pointer stack. */
#pragma once

#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WL_NOINLINE __attribute__ ((noinline, noclone))
#define WL_INLINE static inline __attribute__ ((always_inline))
#define WL_MS INT64_C (1000000)

#if defined(__x86_64__)
WL_INLINE long
wl_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  long result;

  __asm__ volatile ("syscall"
                    : "=a"(result)
                    : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                    : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
WL_INLINE long
wl_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  register long x8 __asm__ ("x8") = number;
  register long x0 __asm__ ("x0") = a;
  register long x1 __asm__ ("x1") = b;
  register long x2 __asm__ ("x2") = c;
  register long x3 __asm__ ("x3") = d;
  register long x4 __asm__ ("x4") = e;
  register long x5 __asm__ ("x5") = f;

  __asm__ volatile ("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "workloads: no inline system call for this architecture"
#endif

#define WL_CALL(name, a, b, c, d) wl_syscall (SYS_##name, (long) (a), (long) (b), (long) (c), (long) (d), 0, 0)

WL_INLINE int64_t
wl_clock (clockid_t clock)
{
  struct timespec t = { 0 };

  WL_CALL (clock_gettime, clock, &t, 0, 0);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

WL_INLINE int64_t
wl_now (void)
{
  return wl_clock (CLOCK_MONOTONIC);
}

/* Keeps the CPU busy in the calling function for `ns` of its thread's CPU time. Returns what it took. */
WL_INLINE int64_t
wl_burn (int64_t ns)
{
  int64_t begin = wl_clock (CLOCK_THREAD_CPUTIME_ID), now = begin;
  volatile uint32_t sink = 1;

  while (now - begin < ns)
    {
      for (int i = 0; i < 8000; i++)
        sink = sink * 1664525u + 1013904223u;
      now = wl_clock (CLOCK_THREAD_CPUTIME_ID);
    }
  return now - begin;
}

long wl_argument (int argc, char **argv, int index, long otherwise); /* a number, 1 or more */
void wl_check (long result, const char *what);                      /* ends the program when result is an error */
void *wl_shared (size_t size);                                      /* zeroed memory that children share */
void wl_name (const char *name);                                    /* the calling task's name, as ps shows it */
void wl_pin (int nth);                                              /* runs on the nth of the CPUs it may use; on any when there are fewer. Partners on
                                                                         CPUs of their own do not preempt each other by waking */
int wl_bound_socket (int type, struct sockaddr_in *address);         /* on a free port of loopback; its address */
void wl_wait (pid_t child);                                         /* until it has ended well, or ends the program */

typedef enum
{
  WL_ASLEEP,    /* asked to sleep */
  WL_TIMED_OUT, /* waited for what did not come */
  WL_DISK,
  WL_KERNEL,    /* until the kernel is done with its own bookkeeping */
  WL_PARTNER,   /* for what another task does, who tells what that was */
  WL_KINDS
} WlKind;

/* The calling thread's clocks, in ns, and how often it has left its CPU of its own will. */
typedef struct
{
  int64_t wall, cpu, delay, switches;
} WlMoment;

WlMoment wl_moment (void);

/* Around what may block: that is counted. */
void wl_before (void);
void wl_after (WlKind kind);

#define WL_BLOCKING(kind, call)                                                                                                  \
  ({                                                                                                                             \
    long wl_result_;                                                                                                             \
                                                                                                                                 \
    wl_before ();                                                                                                                \
    wl_result_ = (call);                                                                                                         \
    wl_after (kind);                                                                                                             \
    wl_result_;                                                                                                                  \
  })

/* The calling thread takes part from the one to the other: what it did in between is added up. */
void wl_join (void);
void wl_leave (void);

/* Waits for a child as for a partner who took part from its birth to its end. */
void wl_wait_for_job (pid_t child);

/* The moment the truth begins: its time. The caller joins. */
int64_t wl_begin (void);

/* The line: begin writes the opening brace and what every workload has, and the caller leaves, which ends the truth; end adds
 * the truth, of all that have left by now, and closes it. */
void wl_json_begin (const char *workload, int64_t begin_ns);
void wl_json_number (const char *key, int64_t value);
void wl_json_end (void);
