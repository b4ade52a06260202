/* The one table of kernel function names and what each of them means on a stack: who or what causes a wakeup, and what
 * a sleep waits for. Names of 3.x kernels (the paper's), 5.x and 6.x stand side by side. */
#pragma once

#include "trace/trace.h"

/* The role is kept in WpFunction.role, so that walking a stack compares numbers. Bits. */
typedef enum
{
  WP_ROLE_NONE = 0,
  WP_ROLE_GENERIC = 1 << 0,   /* a wake function everybody shares: skip it */
  WP_ROLE_IRQ_ENTRY = 1 << 1, /* frames further out belong to the interrupted task */
  WP_ROLE_TIMER = 1 << 2,
  WP_ROLE_DISK = 1 << 3,
  WP_ROLE_NET = 1 << 4,
  WP_ROLE_TASK = 1 << 5,      /* something a task does for another: pipe, futex, exit, … */
  WP_ROLE_SIGNAL = 1 << 6,
  WP_ROLE_KERNEL = 1 << 7,    /* rcu, migration, workqueue bookkeeping */
  WP_ROLE_WORKER = 1 << 8,    /* process_one_work: a worker does what is above it */
  WP_ROLE_BLOCK_LAYER = 1 << 9, /* the block layer's own completion (blk_*) */
  WP_ROLE_BACKLOG = 1 << 10,    /* a packet that this machine sent to itself: process_backlog */
  WP_ROLE_NANOSLEEP = 1 << 11,  /* sleep stack: asked to sleep */
  WP_ROLE_IO_WAIT = 1 << 12,    /* sleep stack: waits for the disk */
  WP_ROLE_KERNEL_BLOCK = 1 << 13, /* sleep stack: blocked in the kernel on what is not traced */
  WP_ROLE_ENTRY = 1 << 14,    /* system call or exception entry: between user and kernel */
  WP_ROLE_SCHEDULE = 1 << 15, /* schedule and its callers: the inner end of every sleep */
  WP_ROLE_NET_SEND = 1 << 16, /* a packet is being sent: __tcp_transmit_skb, udp_send_skb */
  WP_ROLE_DEVICE_ENTRY = 1 << 17, /* an IRQ_ENTRY that is a device's */
  WP_ROLE_IPI_ENTRY = 1 << 18,    /* an IRQ_ENTRY that another CPU caused */
  WP_ROLE_LOCAL_ENTRY = 1 << 19,  /* an IRQ_ENTRY of this CPU's own clock or errors: never a device's */
  WP_ROLE_SOFTIRQ = 1 << 20,      /* what interrupts leave for later begins: further out is whoever was there then */
  WP_ROLE_USER_EXIT = 1 << 21,    /* a task on its way back to its program: no interrupt any more */
  WP_ROLE_MAY_TIME_OUT = 1 << 22, /* sleep stack: a wait that may have been given a time limit */
  WP_ROLE_CHILD_WAIT = 1 << 23,   /* sleep stack: waits for a child to end, or to have started */
} WpRole;

#define WP_KERNEL_NAME_MAX 128

/* The name without what compilers and the kernel's own macros put around it: ".isra.0", ".part.0", ".constprop.0", ".cold"; the padding before a
 * function; the wrappers of system calls, which all become "sys_". FALSE: it is too long. */
gboolean wp_kernel_plain_name (const char *name, char plain[WP_KERNEL_NAME_MAX]);

guint32 wp_kernel_name_role (const char *name);

/* The cause of a wakeup with this stack. `irq_flags` are the record's; without them only the stack decides. */
WpCause wp_kernel_wakeup_cause (const WpTrace *trace, WpId stack, guint8 irq_flags, gboolean has_irq_flags);

/* The bits of all roles on a stack. */
guint32 wp_kernel_stack_roles (const WpTrace *trace, WpId stack);
