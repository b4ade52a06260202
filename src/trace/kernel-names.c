#include "trace/kernel-names.h"

#include "base/array.h"

/* Names of one meaning, divided by blanks; '*' stands for any characters. Where a name fits several rows, all their roles
 * count; none begins with '*'. wp_kernel_plain_name() says which prefixes and suffixes are cut off first. */
static const struct
{
  guint32 role;
  const char *names;
} rows[] = {
  /* Wake functions that everybody shares. */
  { WP_ROLE_GENERIC,
    "try_to_wake_up ttwu_* default_wake_function wake_up_process wake_up_state __wake_up* wake_up_q wake_up_bit wake_up_page* "
    "wake_up_var* wake_up_atomic_t swake_up* __swake_up* complete complete_all complete_with_flags complete_on_current_cpu "
    "autoremove_wake_function woken_wake_function wake_page_function wake_bit_function wake_bit_function_* "
    "wake_atomic_t_function var_wake_function child_wait_callback rq_qos_wake_function receiver_wake_function "
    "pollwake __pollwake ep_autoremove_wake_function ep_poll_callback ep_poll_safewake* ep_poll_wakeup_proc ep_call_nested "
    "folio_wake_bit folio_unlock unlock_page unlock_buffer rcuwait_wake_up kick_pool insert_work wake_up_worker "
    "io_req_task_work_add* __io_req_task_work_add* io_req_normal_work_add io_poll_wake aio_complete* aio_poll_wake "
    "signalfd_notify* complete_signal signal_wake_up_state "
    "sock_def_readable sock_def_write_space* sock_def_wakeup sock_def_error_report sk_error_report sk_stream_write_space "
    "sk_wake_async* sock_wake_async* perf_trace_* perf_tp_event perf_swevent_* __perf_event_overflow __traceiter_* "
    "trace_event_raw_event_* __bpf_trace_*" },

  /* Interrupt entries: of devices, of other CPUs, of this CPU's own clock. */
  { WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY,
    "asm_common_interrupt common_interrupt ret_from_intr do_IRQ __handle_irq_event_percpu xen_do_hypervisor_callback "
    "xen_hvm_callback_vector hyperv_callback_vector asm_sysvec_xen_hvm_callback asm_sysvec_hyperv_callback "
    "asm_sysvec_posted_msi_notification" },
  { WP_ROLE_IRQ_ENTRY | WP_ROLE_IPI_ENTRY,
    "asm_sysvec_reschedule_ipi asm_sysvec_call_function* reschedule_interrupt call_function_interrupt "
    "call_function_single_interrupt ipi_handler handle_IPI do_handle_IPI" },
  { WP_ROLE_IRQ_ENTRY | WP_ROLE_LOCAL_ENTRY,
    "asm_sysvec_apic_timer_interrupt apic_timer_interrupt arch_timer_handler_* asm_sysvec_irq_work irq_work_interrupt "
    "asm_sysvec_thermal asm_sysvec_threshold asm_sysvec_spurious_apic_interrupt asm_exc_nmi nmi end_repeat_nmi" },
  { WP_ROLE_IRQ_ENTRY, "asm_sysvec_* gic_handle_irq el1h_64_irq el1t_64_irq el0t_64_irq el0t_32_irq el1_irq el0_irq "
                       "el1h_64_fiq el0t_64_fiq" },
  { WP_ROLE_SOFTIRQ, "handle_softirqs __do_softirq ____do_softirq do_softirq do_softirq_own_stack call_softirq "
                     "__softirqentry_text_start" },
  /* On its way back to the program a task acts for itself again. */
  { WP_ROLE_USER_EXIT, "exit_to_user_mode* irqentry_exit_to_user_mode syscall_exit_to_user_mode* prepare_exit_to_usermode "
                       "do_notify_resume get_signal task_work_run retint_careful retint_signal retint_user int_careful "
                       "sysret_careful work_pending" },

  /* Timers. */
  { WP_ROLE_TIMER,
    "hrtimer_wakeup __hrtimer_run_queues __run_hrtimer hrtimer_run_queues hrtimer_run_softirq run_hrtimer_softirq "
    "timerfd_tmrproc timerfd_alarmproc it_real_fn posix_timer_fn run_posix_cpu_timers posix_cpu_timers_work alarm_handle_timer "
    "alarmtimer_fired call_timer_fn expire_timers __run_timers run_timer_softirq run_timer_base timer_expire_remote "
    "process_timeout sched_rt_period_timer blk_mq_timeout* delayed_work_timer_fn tcp_write_timer* tcp_keepalive_timer "
    "tcp_delack_timer*" },

  /* Disks: the block layer's own completion, then what file systems do in it. */
  { WP_ROLE_DISK | WP_ROLE_BLOCK_LAYER,
    "bio_endio blk_update_request blk_mq_end_request* __blk_mq_end_request blk_mq_free_request __blk_mq_free_request "
    "blk_done_softirq blk_complete_reqs blk_mq_complete_request* __blk_mq_complete_request* blk_end_*request* "
    "__blk_end_*request* blk_finish_request blk_end_sync_rq blk_flush_complete_seq mq_flush_data_end_io flush_end_io "
    "__rq_qos_done* wbt_done wbt_rqw_done sbitmap_queue_wake* sbitmap_queue_clear* blk_mq_put_tag* "
    "scsi_*done* scsi_end_request scsi_io_completion* scsi_finish_command scsi_complete ata_qc_complete* ata_scsi_qc_complete "
    "nvme_* virtblk_done virtblk_request_done virtblk_complete_batch blkif_interrupt mmc_request_done mmc_blk_mq_* "
    "lo_complete_rq lo_rw_aio_complete nbd_*complete* clone_endio dm_io_dec_pending dm_complete_request dm_softirq_done "
    "dec_pending end_clone_bio bio_chain_endio raid*_end_*_request raid_end_bio_io md_end_*" },
  { WP_ROLE_DISK,
    "iomap_dio_bio_end_io iomap_dio_complete* iomap_read_end_io iomap_*_end_io iomap_finish_* blkdev_bio_end_io* "
    "submit_bio_wait_endio bio_wait_end_io dio_bio_end_* dio_bio_complete dio_complete end_bio_bh_io_sync mpage_end_io "
    "mpage_*_end_io mpage_end_bio* ext4_end_bio ext4_finish_bio ext4_end_io* folio_end_writeback* folio_end_read "
    "end_page_writeback end_page_read end_buffer_* journal_end_buffer_io_sync __read_end_io end_swap_bio_* xfs_end_bio "
    "xfs_buf_bio_end_io xfs_buf_ioend* xlog_ioend_work btrfs_end_bio* btrfs_*_end_io end_bio_extent_* f2fs_*_end_io "
    "z_erofs_endio erofs_*endio" },
  { WP_ROLE_WORKER, "process_one_work" },

  /* The network. */
  { WP_ROLE_NET,
    "tcp_* __tcp_* udp_* __udp_* udpv6_* udplite_* raw_* rawv6_* icmp_* icmpv6_* ping_* sctp_* mptcp_* dccp_* packet_* "
    "tpacket_* inet_csk_* sk_stream_wake* net_rx_action napi_* __napi_poll netif_receive_skb* __netif_receive_skb* ip_rcv* "
    "ip_local_deliver* ip6_rcv* ipv6_rcv* ip6_input*" },
  { WP_ROLE_NET | WP_ROLE_BACKLOG, "process_backlog" },
  { WP_ROLE_NET_SEND,
    "__tcp_transmit_skb tcp_transmit_skb* tcp_v4_send_* tcp_v6_send_* udp_send_skb* udp_v6_send_skb* udp_sendmsg "
    "udpv6_sendmsg ip_send_skb ip_push_pending_frames ip6_send_skb ip_send_unicast_reply raw_sendmsg rawv6_sendmsg "
    "ping_v4_sendmsg ping_v6_sendmsg icmp_push_reply sctp_packet_transmit packet_sendmsg" },

  /* What a task does for another. */
  { WP_ROLE_TASK,
    "futex_* do_futex mm_release exit_mm_release exec_mm_release complete_vfork_done do_notify_parent* wake_up_parent do_exit "
    "exit_notify ptrace_* pipe_* anon_pipe_* fifo_pipe_* eventfd_* fsnotify* inotify_* n_tty_* tty_* pty_* flush_to_ldisc "
    "unix_* netlink_* do_sem* __do_sem* do_msg* do_mq_* locks_* __locks_wake* rwsem_wake* up up_read up_write "
    "__mutex_unlock_slowpath* mutex_unlock rt_mutex_* percpu_up* __queue_work queue_work_on mod_delayed_work* "
    "__kthread_create_on_node kthread_* jbd2_* __jbd2_* wb_* virtio_transport* fuse_*" },
  { WP_ROLE_SIGNAL, "__send_signal* send_signal* __group_send_sig_info specific_send_sig_info prepare_signal "
                    "do_send_sig_info send_sigqueue group_send_sig_info" },

  /* The kernel's own bookkeeping. */
  { WP_ROLE_KERNEL,
    "migration_cpu_stop cpu_stop* cpu_stopper_thread stop_one_cpu* stop_two_cpus* active_load_balance* rcu_* note_gp_changes "
    "call_rcu* __call_rcu* wakeme_after_rcu srcu_* wakeup_softirqd raise_softirq* wakeup_kswapd wake_all_kswapds "
    "wakeup_kcompactd irq_work_* perf_event_wakeup wake_up_klogd* wq_worker_* worker_enter_idle idle_worker_timeout "
    "sched_core_* oom_*" },

  /* Sleep stacks. */
  { WP_ROLE_NANOSLEEP, "hrtimer_nanosleep* common_nsleep* do_nanosleep alarm_timer_nsleep" },
  { WP_ROLE_IO_WAIT, "io_schedule* bit_wait_io* wait_for_completion_io* folio_wait_writeback submit_bio_wait blk_execute_rq* "
                     "sleep_on_page* sleep_on_buffer wait_on_page_bit*" },
  { WP_ROLE_KERNEL_BLOCK,
    "affine_move_task stop_one_cpu stop_two_cpus stop_machine* stop_cpus migration_* sched_exec synchronize_rcu* "
    "synchronize_sched* synchronize_net synchronize_srcu* __synchronize_srcu* __wait_rcu_gp wait_rcu_gp* rcu_barrier* "
    "rcu_sync_enter kvfree_rcu_barrier throttle_direct_reclaim shrink_* __alloc_pages_slowpath* __alloc_frozen_pages_slowpath "
    "lru_add_drain_all __lru_add_drain_all compact_* balance_dirty_pages*" },
  { WP_ROLE_MAY_TIME_OUT,
    "schedule_timeout* schedule_hrtimeout* io_schedule_timeout futex_do_wait futex_wait_queue* rt_mutex_wait_proxy_lock "
    "read_events io_cqring_wait io_cqring_schedule_timeout timerfd_read*" },
  { WP_ROLE_CHILD_WAIT, "do_wait kernel_wait4 kernel_waitid wait_for_vfork_done" },
  { WP_ROLE_SCHEDULE, "__schedule schedule schedule_timeout* schedule_hrtimeout* preempt_schedule*" },

  /* Between user and kernel. */
  { WP_ROLE_ENTRY,
    "entry_SYSCALL_64* entry_SYSENTER_compat* entry_INT80* do_syscall_64 do_int80_* do_fast_syscall_32 __do_fast_syscall_32 "
    "x64_sys_call ia32_sys_call system_call* sysenter_* tracesys stub_clone stub_execve stub_rt_sigreturn "
    "el0_svc* el0t_64_sync* el0t_32_sync* el0_sync* invoke_syscall do_el0_svc* el0_da el0_ia do_mem_abort "
    "asm_exc_* exc_page_fault do_user_addr_fault page_fault async_page_fault do_page_fault __do_page_fault ret_from_fork* "
    "kthread" },
};

gboolean
wp_kernel_plain_name (const char *name, char plain[WP_KERNEL_NAME_MAX])
{
  static const char *const padding = "__pfx_";
  static const char *const wrappers[] = { "__x64_sys_", "__ia32_sys_", "__ia32_compat_sys_", "__arm64_sys_",
                                          "__arm64_compat_sys_", "__se_sys_", "__do_sys_", "SyS_" };
  const char *prefix = "";
  gsize n;

  if (g_str_has_prefix (name, padding))
    name += strlen (padding);
  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++)
    if (g_str_has_prefix (name, wrappers[i]))
      {
        name += strlen (wrappers[i]);
        prefix = "sys_";
        break;
      }
  n = strcspn (name, ".");
  return n > 0 && g_snprintf (plain, WP_KERNEL_NAME_MAX, "%s%.*s", prefix, (int) MIN (n, 200), name) < WP_KERNEL_NAME_MAX;
}

/* Whether the pattern of n characters fits the whole name. */
static gboolean
pattern_fits (const char *pattern, gsize n, const char *name)
{
  const char *star = memchr (pattern, '*', n);
  gsize head = star != NULL ? (gsize) (star - pattern) : n;
  g_autofree char *whole = NULL;

  if (strncmp (pattern, name, head) != 0)
    return FALSE;
  if (star == NULL)
    return name[n] == '\0';
  if (head == n - 1)
    return TRUE;
  whole = g_strndup (pattern, n);
  return g_pattern_match_simple (whole, name);
}

/* A name or pattern of a row. */
typedef struct
{
  const char *text;
  guint32 n, role;
  guint32 next; /* the next one that begins alike; 0: none */
} Word;

typedef struct
{
  WP_ARRAY (Word) words;
  guint32 first[256]; /* by what they begin with; 0: none */
} Words;

static void
add_words (Words *self, guint32 role, const char *names)
{
  for (const char *at = names; *at != '\0'; at += strspn (at, " "))
    {
      Word word = { .text = at, .n = (guint32) strcspn (at, " "), .role = role, .next = self->first[(guint8) *at] };

      self->first[(guint8) *at] = self->words.len;
      wp_array_push (&self->words, word);
      at += word.n;
    }
}

/* Made once: every function of a recording is looked for. */
static const Words *
all_words (void)
{
  static Words self;
  static gsize made;

  if (g_once_init_enter (&made))
    {
      wp_array_push (&self.words, ((Word) { 0 }));
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        add_words (&self, rows[i].role, rows[i].names);
      g_once_init_leave (&made, 1);
    }
  return &self;
}

guint32
wp_kernel_name_role (const char *name)
{
  const Words *all = all_words ();
  char plain[WP_KERNEL_NAME_MAX];
  guint32 role = WP_ROLE_NONE;

  if (!wp_kernel_plain_name (name, plain))
    return WP_ROLE_NONE;
  for (guint32 i = all->first[(guint8) plain[0]]; i != 0; i = all->words.data[i].next)
    if (pattern_fits (all->words.data[i].text, all->words.data[i].n, plain))
      role |= all->words.data[i].role;
  return role;
}
