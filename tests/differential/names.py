"""What kernel functions on a stack say: the checker's own table, from what kernels were seen to show.

Frames are tuples of all names that an address has, innermost first.
"""
import re

GENERIC = r'''try_to_wake_up ttwu_.* default_wake_function autoremove_wake_function woken_wake_function wake_page_function
 wake_bit_function var_wake_function child_wait_callback pollwake ep_autoremove_wake_function ep_poll_callback
 ep_poll_safewake.* __wake_up.* wake_up_process wake_up_state wake_up_q wake_up_bit wake_up_var.* swake_up.* __swake_up.*
 complete complete_all complete_with_flags folio_wake_bit rcuwait_wake_up __io_req_task_work_add.* io_req_task_work_add.*
 aio_complete.* sock_def_readable sock_def_write_space.* sk_stream_write_space sock_def_wakeup sock_wfree complete_signal
 signal_wake_up_state kick_pool perf_trace_.* __traceiter_.* __wake_up_sync_key
 signalfd_notify'''
QUEUE_WORK = r'insert_work __queue_work.* queue_work_on queue_delayed_work.* mod_delayed_work.*'
ENTRY = r'asm_common_interrupt common_interrupt asm_sysvec_.* asm_exc_nmi ret_from_intr apic_timer_interrupt el1h_64_irq.* el0t_64_irq.*'
DEVICE_ENTRY = r'asm_common_interrupt common_interrupt ret_from_intr'
IPI_ENTRY = r'asm_sysvec_reschedule_ipi asm_sysvec_call_function.*'
TIMER = r'''hrtimer_wakeup timerfd_tmrproc it_real_fn posix_timer_fn __hrtimer_run_queues call_timer_fn __run_timers
 run_timer_softirq process_timeout'''
BLOCK_LAYER = r'''blk_update_request blk_mq_end_request.* blk_done_softirq blk_complete_reqs blk_mq_complete_.*
 blk_finish_request blk_end_.* bio_endio scsi_.*done.* nvme_.* virtblk_.*done flush_end_io'''
DISK = BLOCK_LAYER + r''' iomap_.*end_io ext4_end_bio ext4_finish_bio folio_end_writeback.* folio_end_read __read_end_io
 mpage_.*end_io end_buffer_.* end_bio_.* blkdev_bio_end_io.* submit_bio_wait_endio dio_bio_end_.* end_page_writeback'''
NET = r'''tcp_data_ready tcp_data_queue tcp_rcv_.* tcp_child_process tcp_v[46]_.*rcv tcp_finish_connect tcp_check_space
 tcp_fin tcp_reset tcp_ack tcp_new_space __udp_enqueue_schedule_skb udp_queue_rcv_.* udp_unicast_rcv_skb packet_rcv.* raw_rcv.*'''
SEND = r'__tcp_transmit_skb tcp_transmit_skb udp_send_skb udp_sendmsg udpv6_sendmsg ip_send_skb tcp_v4_send_synack'
BACKLOG = r'process_backlog'
SIGNAL = r'__send_signal.* send_signal.* prepare_signal do_send_sig_info'
KERNEL = r'''rcu_.* note_gp_changes call_rcu.* __call_rcu.* migration_cpu_stop cpu_stop.* stop_one_cpu.* stop_two_cpus.*
 active_load_balance.* wakeup_softirqd raise_softirq.* wakeup_kswapd wakeup_kcompactd irq_work_.* wq_worker_.*
 idle_worker_timeout'''
TASK = r'''futex_.* do_futex mm_release do_notify_parent.* do_exit exit_notify .*pipe_.* eventfd_.* fsnotify.* inotify_.* n_tty_.*
 tty_.* pty_.* flush_to_ldisc unix_.* netlink_.* .*do_sem.* do_msg.* do_mq_.* locks_.* __locks_wake.* rwsem_wake.* up_read up_write
 __mutex_unlock_slowpath mutex_unlock percpu_up.* kthread_.* __kthread_.* jbd2_.* __jbd2_.* wb_.*'''
NANOSLEEP = r'do_nanosleep hrtimer_nanosleep.* common_nsleep.*'
IO_WAIT = r'io_schedule.* bit_wait_io.* wait_for_completion_io.* folio_wait_writeback'
KERNEL_BLOCK = r'''affine_move_task stop_one_cpu.* stop_two_cpus.* sched_exec synchronize_rcu.* synchronize_srcu.* __synchronize_srcu.*
 __wait_rcu_gp rcu_barrier.* throttle_direct_reclaim shrink_.* __alloc_pages_slowpath.* __alloc_frozen_pages_slowpath
 lru_add_drain_all __lru_add_drain_all compact_.* balance_dirty_pages.*'''


def pattern(names):
    return re.compile('(?:' + '|'.join(names.split()) + r')\Z')


TABLE = {name: pattern(names) for name, names in dict(
    generic=GENERIC, queue_work=QUEUE_WORK, entry=ENTRY, device_entry=DEVICE_ENTRY, ipi_entry=IPI_ENTRY, timer=TIMER, block=BLOCK_LAYER, disk=DISK, net=NET, send=SEND,
    backlog=BACKLOG, signal=SIGNAL, kernel=KERNEL, task=TASK, nanosleep=NANOSLEEP, io_wait=IO_WAIT, kernel_block=KERNEL_BLOCK, worker='process_one_work').items()}
cache = {}


def roles(frame):
    if frame not in cache:
        plain = [name.split('.')[0] for name in frame]
        cache[frame] = {role for role, names in TABLE.items() if any(names.match(name) for name in plain)}
    return cache[frame]


def stack_has(stack, role):
    return any(role in roles(frame) for frame in stack)


def within_interrupt(stack):
    """All roles up to where an interrupt was entered."""
    found = set()
    for frame in stack:
        found |= roles(frame)
        if 'entry' in roles(frame):
            break
    return found


def own_send(stack):
    """Whether all this goes on within a task's own send, with no interrupt or timer between."""
    around = within_interrupt(stack)
    return 'send' in around and not around & {'entry', 'timer'}


def waking_cause(stack, flags):
    interrupt = flags is not None and flags & 0x18
    for i, frame in enumerate(stack):
        known = roles(frame)
        if 'generic' in known:
            continue
        if 'queue_work' in known:
            if interrupt:
                continue
            return 'task'
        if 'disk' in known:
            for outer in stack[i:]:
                if roles(outer) & {'block', 'entry'}:
                    return 'disk'
                if 'worker' in roles(outer):
                    return 'task'
            return 'disk'
        if 'net' in known:
            around = within_interrupt(stack[i:])
            if {'backlog', 'send'} <= around and 'entry' not in around:
                return 'task'
            return 'net' if flags is None or interrupt else 'task'
        if 'worker' in known and not interrupt:
            return 'task'
        if 'signal' in known:
            return 'timer' if 'timer' in within_interrupt(stack[i:]) else 'signal'
        if 'ipi_entry' in known:
            return 'ipi'
        if 'device_entry' in known:
            return 'device'
        if 'entry' in known:
            return 'unknown'
        for role in ('timer', 'task', 'kernel'):
            if role in known:
                return role
    return 'unknown' if interrupt else 'task'
