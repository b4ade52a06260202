/* The cause of a waking by its stack: what 6.18 shows, and what the paper's 3.x kernels showed. */
#include "trace/event.h"
#include "trace/kernel-names.h"

#define HARD WP_IRQ_HARD
#define SOFT WP_IRQ_SOFT
#define APIC " < sysvec_apic_timer_interrupt < asm_sysvec_apic_timer_interrupt < default_idle < do_idle"

static const struct
{
  const char *stack; /* leaf first */
  guint8 irq_flags;
  WpCause cause;
} rows[] = {
  { "try_to_wake_up < hrtimer_wakeup < __hrtimer_run_queues < hrtimer_interrupt" APIC, HARD, WP_CAUSE_TIMER },
  { "try_to_wake_up < call_timer_fn < __run_timers < run_timer_softirq < handle_softirqs < __irq_exit_rcu" APIC, SOFT,
    WP_CAUSE_TIMER },
  { "try_to_wake_up < autoremove_wake_function < __wake_up_common < timerfd_tmrproc < __hrtimer_run_queues" APIC, HARD,
    WP_CAUSE_TIMER },
  { "try_to_wake_up < complete_signal < __send_signal_locked < do_send_sig_info < kill_pid_info_type < it_real_fn < "
    "__hrtimer_run_queues < hrtimer_interrupt" APIC, HARD, WP_CAUSE_TIMER },
  { "try_to_wake_up < iomap_dio_bio_end_io < blk_update_request < blk_mq_end_request < blk_done_softirq < "
    "handle_softirqs < __irq_exit_rcu < common_interrupt < asm_common_interrupt < work", SOFT, WP_CAUSE_DISK },
  { "try_to_wake_up < wake_page_function < __wake_up_common < folio_wake_bit < __read_end_io < blk_update_request", SOFT,
    WP_CAUSE_DISK },
  { "try_to_wake_up < autoremove_wake_function < __wake_up_common < folio_wake_bit < folio_end_writeback < "
    "ext4_end_io_rsv_work < process_one_work < worker_thread < kthread", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < kick_pool < __queue_work < queue_work_on < ext4_put_io_end_defer < blk_update_request < "
    "blk_mq_end_request < blk_done_softirq < handle_softirqs < __irq_exit_rcu < common_interrupt", SOFT, WP_CAUSE_DISK },
  { "try_to_wake_up < kick_pool < __queue_work < queue_work_on < tty_flip_buffer_push < pty_write", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < kick_pool < __queue_work < call_timer_fn < __run_timers < run_timer_softirq < handle_softirqs", SOFT,
    WP_CAUSE_TIMER },
  { "try_to_wake_up < complete < blk_update_request < blk_mq_end_request < flush_end_io", SOFT, WP_CAUSE_DISK },
  { "try_to_wake_up < woken_wake_function < __wake_up_common < __wake_up_sync_key < sock_def_readable < tcp_data_queue < "
    "tcp_rcv_established < tcp_v4_do_rcv < tcp_v4_rcv < ip_local_deliver_finish < process_backlog < __napi_poll < "
    "net_rx_action < handle_softirqs < do_softirq < __local_bh_enable_ip < __dev_queue_xmit < ip_finish_output2 < "
    "__ip_queue_xmit < __tcp_transmit_skb < tcp_write_xmit < tcp_sendmsg", SOFT, WP_CAUSE_TASK },
  { "try_to_wake_up < pollwake < __wake_up_common < __wake_up_sync_key < sock_def_readable < tcp_data_queue < "
    "tcp_rcv_established < tcp_v4_do_rcv < tcp_v4_rcv < net_rx_action < handle_softirqs < __irq_exit_rcu < "
    "common_interrupt < asm_common_interrupt < __tcp_transmit_skb", SOFT, WP_CAUSE_NET },
  { "try_to_wake_up < ep_autoremove_wake_function < __wake_up_common < ep_poll_callback < __wake_up_common < "
    "sock_def_readable < __udp_enqueue_schedule_skb < udp_queue_rcv_one_skb", SOFT, WP_CAUSE_NET },
  { "try_to_wake_up < pollwake < sock_def_readable < unix_stream_sendmsg", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < autoremove_wake_function < __wake_up_common < __wake_up_sync_key < anon_pipe_write < vfs_write", 0,
    WP_CAUSE_TASK },
  { "try_to_wake_up < wake_up_q < futex_wake < do_futex", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < child_wait_callback < __wake_up_common < __wake_up_sync_key < do_notify_parent < do_exit", 0,
    WP_CAUSE_TASK },
  { "try_to_wake_up < complete_signal < __send_signal_locked < do_send_sig_info < __x64_sys_kill", 0, WP_CAUSE_SIGNAL },
  { "try_to_wake_up < complete_all < migration_cpu_stop < cpu_stopper_thread", 0, WP_CAUSE_KERNEL },
  { "try_to_wake_up < complete < rcu_gp_cleanup < rcu_gp_kthread", 0, WP_CAUSE_KERNEL },
  { "try_to_wake_up < handle_softirqs < do_softirq < __local_bh_enable_ip < __dev_queue_xmit < __ip_queue_xmit < "
    "__tcp_transmit_skb", SOFT, WP_CAUSE_TASK }, /* ksoftirqd is to receive what this task sends to this machine */
  { "try_to_wake_up < handle_softirqs < __irq_exit_rcu < common_interrupt < asm_common_interrupt < work", SOFT,
    WP_CAUSE_KERNEL },
  { "try_to_wake_up < swake_up_one < rcu_core < handle_softirqs < __irq_exit_rcu" APIC, SOFT, WP_CAUSE_KERNEL },
  { "try_to_wake_up < __wake_up < evdev_events < input_event < i8042_interrupt < common_interrupt < asm_common_interrupt",
    HARD, WP_CAUSE_DEVICE },
  { "try_to_wake_up < ttwu_queue < some_function < asm_sysvec_call_function_single < do_idle", HARD, WP_CAUSE_IPI },
  { "try_to_wake_up < never_heard_of", HARD, WP_CAUSE_UNKNOWN },
  { "try_to_wake_up < never_heard_of < vfs_write", 0, WP_CAUSE_TASK },
  { "", 0, WP_CAUSE_TASK },
  { "", SOFT, WP_CAUSE_UNKNOWN },
  /* what is below an interrupt's entry belongs to the interrupted task */
  { "try_to_wake_up < hrtimer_wakeup < asm_sysvec_apic_timer_interrupt < blk_update_request < futex_wake", HARD,
    WP_CAUSE_TIMER },
  /* 3.x */
  { "try_to_wake_up < wake_up_process < hrtimer_wakeup < __run_hrtimer < hrtimer_interrupt < apic_timer_interrupt", HARD,
    WP_CAUSE_TIMER },
  { "try_to_wake_up < autoremove_wake_function < __wake_up < unlock_page < mpage_end_io < bio_endio < blk_update_request < "
    "ret_from_intr", HARD, WP_CAUSE_DISK },
  { "try_to_wake_up < pipe_write < vfs_write", 0, WP_CAUSE_TASK },
  /* compilers' suffixes */
  { "try_to_wake_up < pipe_write.constprop.0 < vfs_write", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < __pfx_pipe_write.part.0.cold < vfs_write", 0, WP_CAUSE_TASK },
  /* in an interrupt nothing is the interrupted task's doing … */
  { "try_to_wake_up < autoremove_wake_function < __wake_up_common < eventfd_signal_mask < aio_complete < "
    "iomap_dio_bio_end_io < blk_update_request < blk_mq_end_request < blk_done_softirq < handle_softirqs", SOFT,
    WP_CAUSE_DISK },
  { "try_to_wake_up < __wake_up < tty_flip_buffer_push < serial8250_interrupt < __handle_irq_event_percpu < "
    "common_interrupt < asm_common_interrupt < futex_wake < do_futex", HARD, WP_CAUSE_DEVICE },
  { "try_to_wake_up < __wake_up < some_tasklet < handle_softirqs < do_softirq < __local_bh_enable_ip < futex_wake", SOFT,
    WP_CAUSE_UNKNOWN },
  { "try_to_wake_up < complete_signal < __send_signal_locked < send_sigio_to_task < kill_fasync < device_handler", HARD,
    WP_CAUSE_UNKNOWN },
  /* … but outside of one an entry further out is that of an interrupt which is over */
  { "try_to_wake_up < __wake_up_common < __wake_up_sync_key < do_notify_parent < do_exit < do_group_exit < get_signal < "
    "arch_do_signal_or_restart < irqentry_exit_to_user_mode < asm_sysvec_reschedule_ipi", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < never_heard_of < task_work_run < exit_to_user_mode_loop < irqentry_exit_to_user_mode < "
    "asm_sysvec_apic_timer_interrupt", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < complete < process_one_work < worker_thread < kthread", 0, WP_CAUSE_TASK },
  { "try_to_wake_up < wake_page_function < __wake_up_common < folio_wake_bit < folio_end_read < fuse_read_folio", 0,
    WP_CAUSE_TASK },
  { "try_to_wake_up < rq_qos_wake_function < __wake_up_common < wbt_rqw_done < __rq_qos_done < blk_mq_free_request", SOFT,
    WP_CAUSE_DISK },
  /* the network: of this machine, of others, and its timers */
  { "try_to_wake_up < sock_def_readable < tcp_data_queue < tcp_rcv_established < tcp_v4_rcv < process_backlog < "
    "net_rx_action < handle_softirqs < run_ksoftirqd < smpboot_thread_fn < kthread", SOFT, WP_CAUSE_NET },
  { "try_to_wake_up < sock_def_readable < sctp_ulpq_tail_event < sctp_rcv < process_backlog < net_rx_action < "
    "handle_softirqs < do_softirq < __local_bh_enable_ip < __dev_queue_xmit < sctp_packet_transmit < sctp_sendmsg", SOFT,
    WP_CAUSE_TASK },
  { "try_to_wake_up < sk_error_report < tcp_write_err < tcp_write_timeout < tcp_retransmit_timer < tcp_write_timer < "
    "call_timer_fn < __run_timers < run_timer_softirq < handle_softirqs" APIC, SOFT, WP_CAUSE_TIMER },
  /* arm64 */
  { "try_to_wake_up < hrtimer_wakeup < __hrtimer_run_queues < hrtimer_interrupt < arch_timer_handler_phys < "
    "handle_percpu_devid_irq < gic_handle_irq < call_on_irq_stack < do_interrupt_handler < el1_interrupt < "
    "el1h_64_irq_handler < el1h_64_irq < default_idle_call", HARD, WP_CAUSE_TIMER },
  { "try_to_wake_up < wake_page_function < folio_wake_bit < __read_end_io < blk_update_request < blk_mq_end_request < "
    "virtblk_request_done < blk_done_softirq < handle_softirqs < __do_softirq < ____do_softirq < call_on_irq_stack < "
    "do_softirq_own_stack < irq_exit_rcu < el0_interrupt < el0t_64_irq_handler < el0t_64_irq", SOFT, WP_CAUSE_DISK },
  { "try_to_wake_up < __wake_up < uart_write_wakeup < pl011_int < __handle_irq_event_percpu < handle_irq_event < "
    "gic_handle_irq < call_on_irq_stack < el1_interrupt < el1h_64_irq_handler < el1h_64_irq", HARD, WP_CAUSE_DEVICE },
  { "try_to_wake_up < some_function < do_handle_IPI < ipi_handler < handle_percpu_devid_fasteoi_ipi < gic_handle_irq < "
    "el1h_64_irq", HARD, WP_CAUSE_IPI },
  { "try_to_wake_up < wake_up_q < futex_wake < do_futex < __arm64_sys_futex < invoke_syscall < el0_svc_common < do_el0_svc < "
    "el0_svc < el0t_64_sync_handler < el0t_64_sync", 0, WP_CAUSE_TASK },
  /* more of 3.x */
  { "try_to_wake_up < default_wake_function < autoremove_wake_function < __wake_up_common < __wake_up_sync_key < "
    "sock_def_readable < tcp_rcv_established < tcp_v4_do_rcv < tcp_v4_rcv < ip_local_deliver < ip_rcv < "
    "__netif_receive_skb < process_backlog < net_rx_action < __do_softirq < call_softirq < do_softirq < local_bh_enable < "
    "dev_queue_xmit < ip_finish_output < ip_queue_xmit < tcp_transmit_skb < tcp_write_xmit < tcp_sendmsg", SOFT,
    WP_CAUSE_TASK },
  { "try_to_wake_up < process_timeout < call_timer_fn < run_timer_softirq < __do_softirq < call_softirq < do_softirq < "
    "irq_exit < smp_apic_timer_interrupt < apic_timer_interrupt", SOFT, WP_CAUSE_TIMER },
  { "try_to_wake_up < wake_bit_function < __wake_up_common < unlock_buffer < end_buffer_read_sync < end_bio_bh_io_sync < "
    "bio_endio < blk_update_request < blk_end_bidi_request < scsi_io_completion < scsi_softirq_done < __do_softirq < "
    "call_softirq < do_softirq < irq_exit < do_IRQ < ret_from_intr", SOFT, WP_CAUSE_DISK },
};

/* Recordings that do not say what context an event is from: then the stack does. */
static const struct
{
  const char *stack;
  WpCause cause;
} unflagged[] = {
  { "try_to_wake_up < kick_pool < __queue_work < delayed_work_timer_fn < call_timer_fn < run_timer_softirq < "
    "__do_softirq < call_softirq < do_softirq < irq_exit < apic_timer_interrupt", WP_CAUSE_TIMER },
  { "try_to_wake_up < __wake_up < some_handler < do_IRQ < ret_from_intr < pipe_write", WP_CAUSE_DEVICE },
  { "try_to_wake_up < sock_def_readable < udp_queue_rcv_skb < process_backlog < net_rx_action < __do_softirq < call_softirq < "
    "do_softirq < local_bh_enable < dev_queue_xmit < udp_send_skb < udp_sendmsg", WP_CAUSE_TASK },
  { "try_to_wake_up < __wake_up_common < do_notify_parent < do_exit < get_signal < do_notify_resume < retint_signal",
    WP_CAUSE_TASK },
  { "try_to_wake_up < complete < kthread_stop", WP_CAUSE_TASK },
  { "", WP_CAUSE_TASK },
};

static WpId
make_stack (WpTrace *trace, const char *text)
{
  g_auto (GStrv) frames = g_strsplit (text, " < ", -1);
  WpId kernel = wp_trace_module (trace, "[kernel]", NULL), stack = 0;

  for (guint i = g_strv_length (frames); i-- > 0;)
    if (*frames[i] != '\0')
      stack = wp_trace_stack (trace, stack, wp_trace_kernel_frame (trace, kernel, frames[i]));
  return stack;
}

static void
test_causes (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WpCause cause = wp_kernel_wakeup_cause (trace, make_stack (trace, rows[i].stack), rows[i].irq_flags, TRUE);

      if (cause != rows[i].cause)
        g_test_message ("%s: %s", rows[i].stack, wp_cause_id (cause));
      g_assert_cmpstr (wp_cause_id (cause), ==, wp_cause_id (rows[i].cause));
    }
}

static void
test_unflagged (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();

  for (guint i = 0; i < G_N_ELEMENTS (unflagged); i++)
    {
      WpCause cause = wp_kernel_wakeup_cause (trace, make_stack (trace, unflagged[i].stack), 0, FALSE);

      if (cause != unflagged[i].cause)
        g_test_message ("%s: %s", unflagged[i].stack, wp_cause_id (cause));
      g_assert_cmpstr (wp_cause_id (cause), ==, wp_cause_id (unflagged[i].cause));
    }
}

/* One name, however compiler and kernel wrap it. */
static void
test_wrapped_names (void)
{
  static const char *const same[][2] = {
    { "do_nanosleep.isra.0", "do_nanosleep" },     { "tcp_data_queue.part.0.cold", "tcp_data_queue" },
    { "__pfx_blk_update_request", "blk_update_request" }, { "rwsem_wake.isra.0", "rwsem_wake" },
    { "__arm64_sys_pause", "__x64_sys_pause" },    { "__se_sys_pause", "SyS_pause" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    g_assert_cmphex (wp_kernel_name_role (same[i][0]), ==, wp_kernel_name_role (same[i][1]));
  g_assert_cmphex (wp_kernel_name_role ("do_nanosleep.isra.0"), ==, WP_ROLE_NANOSLEEP);
  g_assert_cmphex (wp_kernel_name_role (""), ==, 0);
  g_assert_cmphex (wp_kernel_name_role ("."), ==, 0);
  g_assert_cmphex (wp_kernel_name_role ("worker_thread"), ==, 0);
}

static void
test_sleeps (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpId nano = make_stack (trace, "__schedule < schedule < do_nanosleep < hrtimer_nanosleep < __x64_sys_clock_nanosleep");
  WpId read = make_stack (trace, "__schedule < schedule < io_schedule < folio_wait_bit_common < filemap_read");
  WpId migrate = make_stack (trace, "__schedule < schedule < wait_for_completion < affine_move_task");
  WpId pipe = make_stack (trace, "__schedule < schedule < anon_pipe_read");

  g_assert_true (wp_kernel_stack_roles (trace, nano) & WP_ROLE_NANOSLEEP);
  g_assert_true (wp_kernel_stack_roles (trace, read) & WP_ROLE_IO_WAIT);
  g_assert_true (wp_kernel_stack_roles (trace, migrate) & WP_ROLE_KERNEL_BLOCK);
  g_assert_false (wp_kernel_stack_roles (trace, pipe) & (WP_ROLE_NANOSLEEP | WP_ROLE_IO_WAIT | WP_ROLE_KERNEL_BLOCK));
}

/* Calls that may have been given a time limit, and calls that cannot: 6.x, then 5.x and 3.x. */
static void
test_time_limits (void)
{
  static const struct
  {
    const char *stack;
    gboolean limited;
  } sleeps[] = {
    { "__schedule < schedule < schedule_hrtimeout_range_clock < poll_schedule_timeout.constprop.0 < do_sys_poll", TRUE },
    { "__schedule < schedule < schedule_hrtimeout_range_clock < do_epoll_wait < __x64_sys_epoll_wait", TRUE },
    { "__schedule < schedule < futex_do_wait < __futex_wait < futex_wait < do_futex < __x64_sys_futex", TRUE },
    { "__schedule < schedule < schedule_timeout < unix_stream_read_generic < unix_stream_recvmsg", TRUE },
    { "__schedule < schedule < schedule_timeout < io_schedule_timeout < wait_for_completion_io_timeout < submit_bio_wait", TRUE },
    { "__schedule < schedule < read_events < do_io_getevents < __x64_sys_io_getevents", TRUE },
    { "__schedule < schedule < io_cqring_wait < __do_sys_io_uring_enter", TRUE },
    { "__schedule < schedule < anon_pipe_read < vfs_read < ksys_read", FALSE },
    { "__schedule < schedule < do_wait < kernel_wait4 < __do_sys_wait4", FALSE },
    { "__schedule < schedule < smpboot_thread_fn < kthread < ret_from_fork", FALSE },
    { "__schedule < schedule < io_schedule < folio_wait_bit_common < filemap_read", FALSE },
    { "__schedule < schedule < futex_wait_queue < __futex_wait < futex_wait < do_futex < __arm64_sys_futex", TRUE },
    { "schedule < futex_wait_queue_me < futex_wait < do_futex < sys_futex", TRUE },
    { "schedule < schedule_hrtimeout_range < poll_schedule_timeout < do_select < core_sys_select", TRUE },
    { "schedule < schedule_timeout < inet_csk_accept < inet_accept < SYSC_accept4", TRUE },
    { "schedule < pipe_wait < pipe_read < do_sync_read", FALSE },
  };
  g_autoptr (WpTrace) trace = wp_trace_new ();

  for (guint i = 0; i < G_N_ELEMENTS (sleeps); i++)
    {
      gboolean limited = (wp_kernel_stack_roles (trace, make_stack (trace, sleeps[i].stack)) & WP_ROLE_MAY_TIME_OUT) != 0;

      if (limited != sleeps[i].limited)
        g_test_message ("%s", sleeps[i].stack);
      g_assert_cmpint (limited, ==, sleeps[i].limited);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel-names/causes", test_causes);
  g_test_add_func ("/kernel-names/unflagged", test_unflagged);
  g_test_add_func ("/kernel-names/wrapped", test_wrapped_names);
  g_test_add_func ("/kernel-names/sleeps", test_sleeps);
  g_test_add_func ("/kernel-names/time-limits", test_time_limits);
  return g_test_run ();
}
