#include "trace/kernel-names.h"

/* A name that ends in '*' stands for all names that begin so. Where several rows fit, all their roles count. Compilers' suffixes
 * (.constprop.0, .isra.0, .part.0) are cut off before looking. */
static const struct
{
  const char *name;
  guint32 role;
} rows[] = {
  /* Wake functions that everybody shares. */
  { "try_to_wake_up", WP_ROLE_GENERIC },
  { "ttwu_*", WP_ROLE_GENERIC },
  { "default_wake_function", WP_ROLE_GENERIC },
  { "wake_up_process", WP_ROLE_GENERIC },
  { "wake_up_state", WP_ROLE_GENERIC },
  { "autoremove_wake_function", WP_ROLE_GENERIC },
  { "woken_wake_function", WP_ROLE_GENERIC },
  { "__wake_up*", WP_ROLE_GENERIC },
  { "wake_up_q", WP_ROLE_GENERIC },
  { "wake_up_bit", WP_ROLE_GENERIC },
  { "wake_up_var*", WP_ROLE_GENERIC },
  { "swake_up*", WP_ROLE_GENERIC },
  { "__swake_up*", WP_ROLE_GENERIC },
  { "complete", WP_ROLE_GENERIC },
  { "complete_all", WP_ROLE_GENERIC },
  { "complete_with_flags", WP_ROLE_GENERIC },
  { "pollwake", WP_ROLE_GENERIC },
  { "ep_autoremove_wake_function", WP_ROLE_GENERIC },
  { "ep_poll_callback", WP_ROLE_GENERIC },
  { "ep_poll_safewake*", WP_ROLE_GENERIC },
  { "wake_page_function", WP_ROLE_GENERIC },
  { "wake_bit_function", WP_ROLE_GENERIC },
  { "var_wake_function", WP_ROLE_GENERIC },
  { "child_wait_callback", WP_ROLE_GENERIC },
  { "folio_wake_bit", WP_ROLE_GENERIC },
  { "unlock_page", WP_ROLE_GENERIC },
  { "rcuwait_wake_up", WP_ROLE_GENERIC },
  { "kick_pool", WP_ROLE_GENERIC },
  { "insert_work", WP_ROLE_GENERIC },
  { "io_req_task_work_add*", WP_ROLE_GENERIC },
  { "__io_req_task_work_add*", WP_ROLE_GENERIC },
  { "aio_complete*", WP_ROLE_GENERIC },
  { "signalfd_notify*", WP_ROLE_GENERIC },
  { "sock_def_readable", WP_ROLE_GENERIC },
  { "sock_def_write_space*", WP_ROLE_GENERIC },
  { "sk_stream_write_space", WP_ROLE_GENERIC },
  { "sock_def_wakeup", WP_ROLE_GENERIC },
  { "perf_trace_*", WP_ROLE_GENERIC },
  { "__traceiter_*", WP_ROLE_GENERIC },

  /* Interrupt entries. */
  { "asm_common_interrupt", WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY },
  { "common_interrupt", WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY },
  { "ret_from_intr", WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY },
  { "do_IRQ", WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY },
  { "gic_handle_irq", WP_ROLE_IRQ_ENTRY },
  { "el1h_64_irq*", WP_ROLE_IRQ_ENTRY },
  { "el0t_64_irq*", WP_ROLE_IRQ_ENTRY },
  { "el1_irq", WP_ROLE_IRQ_ENTRY },
  { "el0_irq", WP_ROLE_IRQ_ENTRY },
  { "asm_sysvec_*", WP_ROLE_IRQ_ENTRY },
  { "asm_sysvec_reschedule_ipi", WP_ROLE_IPI_ENTRY },
  { "asm_sysvec_call_function*", WP_ROLE_IPI_ENTRY },
  { "asm_exc_nmi", WP_ROLE_IRQ_ENTRY },
  { "apic_timer_interrupt", WP_ROLE_IRQ_ENTRY },
  { "reschedule_interrupt", WP_ROLE_IRQ_ENTRY | WP_ROLE_IPI_ENTRY },
  { "call_function_interrupt", WP_ROLE_IRQ_ENTRY | WP_ROLE_IPI_ENTRY },
  { "call_function_single_interrupt", WP_ROLE_IRQ_ENTRY | WP_ROLE_IPI_ENTRY },

  /* Timers. */
  { "hrtimer_wakeup", WP_ROLE_TIMER },
  { "__hrtimer_run_queues", WP_ROLE_TIMER },
  { "__run_hrtimer", WP_ROLE_TIMER },
  { "timerfd_tmrproc", WP_ROLE_TIMER },
  { "timerfd_alarmproc", WP_ROLE_TIMER },
  { "it_real_fn", WP_ROLE_TIMER },
  { "posix_timer_fn", WP_ROLE_TIMER },
  { "alarm_*", WP_ROLE_TIMER },
  { "alarmtimer_fired", WP_ROLE_TIMER },
  { "call_timer_fn", WP_ROLE_TIMER },
  { "__run_timers", WP_ROLE_TIMER },
  { "run_timer_softirq", WP_ROLE_TIMER },
  { "process_timeout", WP_ROLE_TIMER },
  { "sched_rt_period_timer", WP_ROLE_TIMER },
  { "blk_mq_timeout*", WP_ROLE_TIMER },
  { "delayed_work_timer_fn", WP_ROLE_TIMER },

  /* Disks. */
  { "bio_endio", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_update_request", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_mq_end_request*", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "__blk_mq_end_request", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_done_softirq", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_complete_reqs", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_mq_complete_request*", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_end_*request*", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "blk_finish_request", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "scsi_*done*", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "scsi_end_request", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "scsi_io_completion", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "nvme_*", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "virtblk_done", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "virtblk_request_done", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "flush_end_io", WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER },
  { "iomap_dio_bio_end_io", WP_ROLE_DISK },
  { "iomap_read_end_io", WP_ROLE_DISK },
  { "iomap_*_end_io", WP_ROLE_DISK },
  { "blkdev_bio_end_io*", WP_ROLE_DISK },
  { "submit_bio_wait_endio", WP_ROLE_DISK },
  { "dio_bio_end_*", WP_ROLE_DISK },
  { "end_bio_bh_io_sync", WP_ROLE_DISK },
  { "mpage_end_io", WP_ROLE_DISK },
  { "mpage_read_end_io", WP_ROLE_DISK },
  { "mpage_write_end_io", WP_ROLE_DISK },
  { "ext4_end_bio", WP_ROLE_DISK },
  { "ext4_finish_bio", WP_ROLE_DISK },
  { "folio_end_writeback*", WP_ROLE_DISK },
  { "folio_end_read", WP_ROLE_DISK },
  { "end_page_writeback", WP_ROLE_DISK },
  { "end_buffer_*", WP_ROLE_DISK },
  { "__read_end_io", WP_ROLE_DISK },
  { "xfs_end_bio", WP_ROLE_DISK },
  { "xfs_buf_bio_end_io", WP_ROLE_DISK },
  { "btrfs_end_bio*", WP_ROLE_DISK },
  { "process_one_work", WP_ROLE_WORKER },

  /* The network. */
  { "tcp_data_ready", WP_ROLE_NET },
  { "tcp_data_queue", WP_ROLE_NET },
  { "tcp_rcv_established", WP_ROLE_NET },
  { "tcp_child_process", WP_ROLE_NET },
  { "tcp_rcv_state_process", WP_ROLE_NET },
  { "tcp_v4_rcv", WP_ROLE_NET },
  { "tcp_v6_rcv", WP_ROLE_NET },
  { "tcp_v4_do_rcv", WP_ROLE_NET },
  { "tcp_v6_do_rcv", WP_ROLE_NET },
  { "tcp_finish_connect", WP_ROLE_NET },
  { "tcp_check_space", WP_ROLE_NET },
  { "tcp_new_space", WP_ROLE_NET },
  { "tcp_reset", WP_ROLE_NET },
  { "tcp_fin", WP_ROLE_NET },
  { "tcp_rack_*", WP_ROLE_NET },
  { "tcp_ack", WP_ROLE_NET },
  { "__udp_enqueue_schedule_skb", WP_ROLE_NET },
  { "udp_queue_rcv_*", WP_ROLE_NET },
  { "udpv6_queue_rcv_*", WP_ROLE_NET },
  { "udp_unicast_rcv_skb", WP_ROLE_NET },
  { "raw_rcv*", WP_ROLE_NET },
  { "ping_rcv", WP_ROLE_NET },
  { "packet_rcv*", WP_ROLE_NET },
  { "tpacket_rcv*", WP_ROLE_NET },
  { "process_backlog", WP_ROLE_BACKLOG },
  { "__tcp_transmit_skb", WP_ROLE_NET_SEND },
  { "tcp_transmit_skb", WP_ROLE_NET_SEND },
  { "udp_send_skb", WP_ROLE_NET_SEND },
  { "udp_sendmsg", WP_ROLE_NET_SEND },
  { "udpv6_sendmsg", WP_ROLE_NET_SEND },
  { "tcp_v4_send_synack", WP_ROLE_NET_SEND },
  { "ip_send_skb", WP_ROLE_NET_SEND },
  { "raw_sendmsg", WP_ROLE_NET_SEND },

  /* What a task does for another. */
  { "futex_*", WP_ROLE_TASK },
  { "do_futex", WP_ROLE_TASK },
  { "mm_release", WP_ROLE_TASK },
  { "complete_vfork_done", WP_ROLE_TASK },
  { "do_notify_parent*", WP_ROLE_TASK },
  { "wake_up_parent", WP_ROLE_TASK },
  { "do_exit", WP_ROLE_TASK },
  { "exit_notify", WP_ROLE_TASK },
  { "ptrace_*", WP_ROLE_TASK },
  { "pipe_*", WP_ROLE_TASK },
  { "anon_pipe_*", WP_ROLE_TASK },
  { "fifo_pipe_*", WP_ROLE_TASK },
  { "eventfd_*", WP_ROLE_TASK },
  { "fsnotify*", WP_ROLE_TASK },
  { "inotify_*", WP_ROLE_TASK },
  { "n_tty_*", WP_ROLE_TASK },
  { "tty_*", WP_ROLE_TASK },
  { "pty_*", WP_ROLE_TASK },
  { "flush_to_ldisc", WP_ROLE_TASK },
  { "unix_*", WP_ROLE_TASK },
  { "netlink_*", WP_ROLE_TASK },
  { "do_sem*", WP_ROLE_TASK },
  { "__do_sem*", WP_ROLE_TASK },
  { "do_msg*", WP_ROLE_TASK },
  { "do_mq_*", WP_ROLE_TASK },
  { "locks_*", WP_ROLE_TASK },
  { "__locks_wake*", WP_ROLE_TASK },
  { "rwsem_wake*", WP_ROLE_TASK },
  { "up_read", WP_ROLE_TASK },
  { "up_write", WP_ROLE_TASK },
  { "__mutex_unlock_slowpath", WP_ROLE_TASK },
  { "mutex_unlock", WP_ROLE_TASK },
  { "rt_mutex_*", WP_ROLE_TASK },
  { "percpu_up*", WP_ROLE_TASK },
  { "__queue_work", WP_ROLE_TASK },
  { "queue_work_on", WP_ROLE_TASK },
  { "mod_delayed_work*", WP_ROLE_TASK },
  { "__kthread_create_on_node", WP_ROLE_TASK },
  { "kthread_*", WP_ROLE_TASK },
  { "jbd2_*", WP_ROLE_TASK },
  { "__jbd2_*", WP_ROLE_TASK },
  { "wb_*", WP_ROLE_TASK },
  { "virtio_transport*", WP_ROLE_TASK },

  /* Signals. */
  { "complete_signal", WP_ROLE_GENERIC },
  { "signal_wake_up_state", WP_ROLE_GENERIC },
  { "__send_signal*", WP_ROLE_SIGNAL },
  { "send_signal*", WP_ROLE_SIGNAL },
  { "prepare_signal", WP_ROLE_SIGNAL },
  { "do_send_sig_info", WP_ROLE_SIGNAL },

  /* The kernel's own bookkeeping. */
  { "migration_cpu_stop", WP_ROLE_KERNEL },
  { "cpu_stop*", WP_ROLE_KERNEL },
  { "stop_one_cpu*", WP_ROLE_KERNEL },
  { "stop_two_cpus*", WP_ROLE_KERNEL },
  { "active_load_balance*", WP_ROLE_KERNEL },
  { "rcu_*", WP_ROLE_KERNEL },
  { "note_gp_changes", WP_ROLE_KERNEL },
  { "call_rcu*", WP_ROLE_KERNEL },
  { "__call_rcu*", WP_ROLE_KERNEL },
  { "wakeup_softirqd", WP_ROLE_KERNEL },
  { "handle_softirqs", WP_ROLE_KERNEL }, /* with nothing known inside: wakeup_softirqd, inlined */
  { "__do_softirq", WP_ROLE_KERNEL },
  { "raise_softirq*", WP_ROLE_KERNEL },
  { "wakeup_kswapd", WP_ROLE_KERNEL },
  { "wake_all_kswapds", WP_ROLE_KERNEL },
  { "wakeup_kcompactd", WP_ROLE_KERNEL },
  { "irq_work_*", WP_ROLE_KERNEL },
  { "perf_event_wakeup", WP_ROLE_KERNEL },
  { "wq_worker_*", WP_ROLE_KERNEL },
  { "worker_*", WP_ROLE_KERNEL },
  { "idle_worker_timeout", WP_ROLE_KERNEL },
  { "sched_core_*", WP_ROLE_KERNEL },
  { "oom_*", WP_ROLE_KERNEL },

  /* Sleep stacks. */
  { "hrtimer_nanosleep*", WP_ROLE_NANOSLEEP },
  { "common_nsleep*", WP_ROLE_NANOSLEEP },
  { "do_nanosleep", WP_ROLE_NANOSLEEP },
  { "alarm_timer_nsleep", WP_ROLE_NANOSLEEP },
  { "io_schedule*", WP_ROLE_IO_WAIT },
  { "bit_wait_io*", WP_ROLE_IO_WAIT },
  { "wait_for_completion_io*", WP_ROLE_IO_WAIT },
  { "folio_wait_writeback", WP_ROLE_IO_WAIT },
  { "affine_move_task", WP_ROLE_KERNEL_BLOCK },
  { "stop_one_cpu", WP_ROLE_KERNEL_BLOCK },
  { "stop_two_cpus", WP_ROLE_KERNEL_BLOCK },
  { "migration_*", WP_ROLE_KERNEL_BLOCK },
  { "sched_exec", WP_ROLE_KERNEL_BLOCK },
  { "synchronize_rcu*", WP_ROLE_KERNEL_BLOCK },
  { "synchronize_srcu*", WP_ROLE_KERNEL_BLOCK },
  { "__synchronize_srcu*", WP_ROLE_KERNEL_BLOCK },
  { "__wait_rcu_gp", WP_ROLE_KERNEL_BLOCK },
  { "rcu_barrier*", WP_ROLE_KERNEL_BLOCK },
  { "throttle_direct_reclaim", WP_ROLE_KERNEL_BLOCK },
  { "shrink_*", WP_ROLE_KERNEL_BLOCK },
  { "__alloc_pages_slowpath", WP_ROLE_KERNEL_BLOCK },
  { "lru_add_drain_all", WP_ROLE_KERNEL_BLOCK },
  { "compact_*", WP_ROLE_KERNEL_BLOCK },
  { "balance_dirty_pages*", WP_ROLE_KERNEL_BLOCK },
  { "__schedule", WP_ROLE_SCHEDULE },
  { "schedule", WP_ROLE_SCHEDULE },
  { "schedule_timeout*", WP_ROLE_SCHEDULE },
  { "schedule_hrtimeout*", WP_ROLE_SCHEDULE },
  { "preempt_schedule*", WP_ROLE_SCHEDULE },

  /* Between user and kernel. */
  { "entry_SYSCALL_64*", WP_ROLE_ENTRY },
  { "do_syscall_64", WP_ROLE_ENTRY },
  { "x64_sys_call", WP_ROLE_ENTRY },
  { "system_call_fastpath", WP_ROLE_ENTRY },
  { "el0_svc*", WP_ROLE_ENTRY },
  { "el0t_64_sync*", WP_ROLE_ENTRY },
  { "invoke_syscall", WP_ROLE_ENTRY },
  { "do_el0_svc", WP_ROLE_ENTRY },
  { "asm_exc_*", WP_ROLE_ENTRY },
  { "exc_page_fault", WP_ROLE_ENTRY },
  { "do_user_addr_fault", WP_ROLE_ENTRY },
  { "ret_from_fork*", WP_ROLE_ENTRY },
};

/* '*' inside a row's name matches within the name, at its end it matches the rest. */
static gboolean
name_fits (const char *row, const char *name)
{
  const char *star = strchr (row, '*');
  gsize n;

  if (star == NULL)
    return strcmp (row, name) == 0;
  n = star - row;
  if (strncmp (row, name, n) != 0)
    return FALSE;
  return star[1] == '\0' || g_pattern_match_simple (row, name);
}

guint32
wp_kernel_name_role (const char *name)
{
  char plain[128];
  guint32 role = WP_ROLE_NONE;
  gsize n = strcspn (name, ".");

  if (n == 0 || n >= sizeof plain)
    return WP_ROLE_NONE;
  memcpy (plain, name, n);
  plain[n] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (name_fits (rows[i].name, plain))
      role |= rows[i].role;
  return role;
}

/* The role of the innermost frame of a stack; 0 for a user frame. */
static inline guint32
role_of (const WpTrace *trace, WpId stack)
{
  const WpFrame *frame = &trace->frames.data[trace->stacks.data[stack].frame];

  return frame->flags & WP_FRAME_KERNEL ? trace->functions.data[frame->function].role : WP_ROLE_NONE;
}

guint32
wp_kernel_stack_roles (const WpTrace *trace, WpId stack)
{
  guint32 roles = 0;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    roles |= role_of (trace, stack);
  return roles;
}

/* What stands between a frame and the interrupt's entry. */
static guint32
roles_within_interrupt (const WpTrace *trace, WpId stack)
{
  guint32 roles = 0;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      guint32 role = role_of (trace, stack);

      roles |= role;
      if (role & WP_ROLE_IRQ_ENTRY)
        break;
    }
  return roles;
}

static WpCause
disk_or_worker (const WpTrace *trace, WpId stack)
{
  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      guint32 role = role_of (trace, stack);

      if (role & (WP_ROLE_BLOCK_LAYER | WP_ROLE_IRQ_ENTRY))
        break;
      if (role & WP_ROLE_WORKER)
        return WP_CAUSE_TASK;
    }
  return WP_CAUSE_DISK;
}

/* A packet that this machine sent to itself is received within its sender's own send. */
static WpCause
net_or_local (const WpTrace *trace, WpId stack, guint8 irq_flags, gboolean has_irq_flags)
{
  guint32 roles = roles_within_interrupt (trace, stack);

  if ((roles & WP_ROLE_BACKLOG) && (roles & WP_ROLE_NET_SEND) && !(roles & WP_ROLE_IRQ_ENTRY))
    return WP_CAUSE_TASK;
  if (has_irq_flags && irq_flags == 0)
    return WP_CAUSE_TASK;
  return WP_CAUSE_NET;
}

WpCause
wp_kernel_waking_cause (const WpTrace *trace, WpId stack, guint8 irq_flags, gboolean has_irq_flags)
{
  static const struct
  {
    guint32 role;
    WpCause cause;
  } causes[] = {
    { WP_ROLE_IPI_ENTRY, WP_CAUSE_IPI },       { WP_ROLE_DEVICE_ENTRY, WP_CAUSE_DEVICE },
    { WP_ROLE_IRQ_ENTRY, WP_CAUSE_UNKNOWN },   { WP_ROLE_TIMER, WP_CAUSE_TIMER },
    { WP_ROLE_TASK, WP_CAUSE_TASK },           { WP_ROLE_KERNEL, WP_CAUSE_KERNEL },
  };

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      guint32 role = role_of (trace, stack);

      if (role & WP_ROLE_GENERIC)
        continue;
      if (irq_flags != 0)
        role &= ~WP_ROLE_TASK; /* an interrupt hands work to a worker: what the interrupt is about comes further out */
      if (role & WP_ROLE_DISK)
        return disk_or_worker (trace, stack);
      if (role & WP_ROLE_NET)
        return net_or_local (trace, stack, irq_flags, has_irq_flags);
      if (role & WP_ROLE_SIGNAL)
        return roles_within_interrupt (trace, stack) & WP_ROLE_TIMER ? WP_CAUSE_TIMER : WP_CAUSE_SIGNAL;
      for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
        if (role & causes[i].role)
          return causes[i].cause;
    }
  return irq_flags != 0 ? WP_CAUSE_UNKNOWN : WP_CAUSE_TASK;
}
