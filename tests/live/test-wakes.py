#!/usr/bin/python3
"""Every way in which a sleep can end: the 56 programs of tests/workloads/wakes, recorded by the collector-helper in one go.

For each program a table says what its sleeps stand in, what must have ended them, and where its time must be explained; whatever
else it slept in must have ended as its kernel functions allow. Prints a line a program: how many sleeps of which kind, by what
cause. Needs root, tracefs and, for the disk programs, a folder on a block device.
"""
import collections, json, os, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end, thrice

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])

READ_PIPE, WRITE_PIPE = r'(anon_)?pipe_read|pipe_wait', r'(anon_)?pipe_write|pipe_wait'
FUTEX = r'futex_do_wait|futex_wait\w*'
POLL = r'do_sys_poll|do_poll'
PAUSE = r'__\w+_sys_pause|sys_pause'
DIRECT = r'__iomap_dio_rw|__blkdev_direct_IO|do_blockdev_direct_IO|blkdev_direct_IO'
PAGE = r'folio_wait_bit\w*|wait_on_page_bit\w*|__lock_page\w*|filemap_\w+'
FLUSH = r'blkdev_issue_flush|submit_bio_wait'

# name: (functions that the sleep stands in, what ended it, at least so many, the category that must have a share). Of eight sleeps a busy
# machine leaves out some: who comes late finds that what he would have waited for is there.
EXPECTED = {
    'w-nanosleep': ('hrtimer_nanosleep', 'timer', 2, 'deliberate-sleep'),
    'w-usleep': ('hrtimer_nanosleep', 'timer', 2, 'deliberate-sleep'),
    'w-poll-to': (POLL, 'timer', 2, 'timed-out'),
    'w-epoll-to': (r'do_epoll_wait|ep_poll', 'timer', 2, 'timed-out'),
    'w-select-to': ('do_select', 'timer', 2, 'timed-out'),
    'w-futex-to': (FUTEX, 'timer', 2, 'timed-out'),
    'w-timerfd': (r'timerfd_read\w*', 'timer', 2, 'timed-out'),
    'w-itimer': (PAUSE, 'timer', 2, 'timed-out'),
    'w-sigto': ('do_sigtimedwait', 'timer', 2, 'timed-out'),
    'w-rcvto': (r'unix_stream_read_generic|unix_stream_data_wait', 'timer', 2, 'timed-out'),
    'w-odirect': (DIRECT, 'disk', 4, 'blocking-io'),
    'w-bufread': (PAGE, 'disk', 4, 'blocking-io'),
    'w-pgfault': (PAGE, 'disk', 2, 'blocking-io'),
    'w-fsync': (r'\w*fsync\w*|\w*sync_file\w*|blkdev_issue_flush', ('disk', 'task'), 2, 'blocking-io'),
    'w-fdatasync': (r'\w*fsync\w*|\w*sync_file\w*|blkdev_issue_flush', ('disk', 'task'), 2, 'blocking-io'),
    'w-osync': (r'\w*fsync\w*|\w*sync_file\w*|blkdev_issue_flush', ('disk', 'task'), 2, 'blocking-io'),
    'w-dwrite': (DIRECT, 'disk', 4, 'blocking-io'),
    'w-pipe-rd': (READ_PIPE, 'task', 2, 'deliberate-sleep'),
    'w-pipe-poll': (POLL, 'task', 2, 'deliberate-sleep'),
    'w-pipe-epoll': (r'do_epoll_wait|ep_poll', 'task', 2, 'deliberate-sleep'),
    'w-pipe-full': (WRITE_PIPE, 'task', 2, 'deliberate-sleep'),
    'w-unix-rd': (r'unix_stream_read_generic|unix_stream_data_wait', 'task', 2, 'deliberate-sleep'),
    'w-unix-epoll': (r'do_epoll_wait|ep_poll', 'task', 2, 'deliberate-sleep'),
    'w-tcp-rd': (r'tcp_recvmsg\w*', 'task', 2, 'deliberate-sleep'),
    'w-tcp-poll': (POLL, 'task', 2, 'deliberate-sleep'),
    'w-tcp-epoll': (r'do_epoll_wait|ep_poll', 'task', 2, 'deliberate-sleep'),
    'w-tcp-snd': ('sk_stream_wait_memory', 'task', 2, 'deliberate-sleep'),
    'w-udp-rd': (r'udp_recvmsg|__skb_wait_for_more_packets', 'task', 2, 'deliberate-sleep'),
    'w-evfd-rd': (r'eventfd_read', 'task', 2, 'deliberate-sleep'),
    'w-evfd-poll': (POLL, 'task', 2, 'deliberate-sleep'),
    'w-inotify': ('inotify_read', 'task', 2, 'deliberate-sleep'),
    'w-pty-rd': ('n_tty_read', 'task', 2, 'deliberate-sleep'),
    'w-pty-poll': (POLL, 'task', 2, 'deliberate-sleep'),
    'w-sysvsem': (r'(__)?do_semtimedop|SYSC_semtimedop', 'task', 2, 'deliberate-sleep'),
    'w-sysvmsg': (r'do_msgrcv', 'task', 2, 'deliberate-sleep'),
    'w-posixmq': (r'wq_sleep|do_mq_timedreceive', 'task', 2, 'deliberate-sleep'),
    'w-futex-cond': (FUTEX, 'task', 2, 'deliberate-sleep'),
    'w-futex-mtx': (FUTEX, 'task', 2, 'deliberate-sleep'),
    'w-join': (FUTEX, 'task', 2, 'deliberate-sleep'),
    'w-sig-pause': (PAUSE, 'signal', 2, 'deliberate-sleep'),
    'w-sig-nanosl': ('hrtimer_nanosleep', 'signal', 2, 'deliberate-sleep'),
    'w-sig-poll': (POLL, 'signal', 2, 'deliberate-sleep'),
    'w-sig-wait': ('do_sigtimedwait', 'signal', 2, 'deliberate-sleep'),
    'w-sigfd': (r'signalfd_\w+', 'signal', 2, 'deliberate-sleep'),
    'w-stopcont': (r'do_wait', 'task', 2, 'deliberate-sleep'),
    'w-waitpid': ('do_wait', 'task', 2, 'deliberate-sleep'),
    'w-vfork': (r'wait_for_completion_state|wait_for_vfork_done|wait_for_completion_killable', 'task', 2, None),
    'w-preempt': (None, 'preempted', 2, 'involuntary'),
    'w-yield': (r'\w+_sys_sched_yield|sys_sched_yield', 'preempted', 10, 'involuntary'),
    'w-migrate': (r'affine_move_task|stop_one_cpu|migration_\w+', 'kernel', 2, 'kernel-block'),
    'w-membar': (r'synchronize_\w+|__wait_rcu_gp', 'kernel', 3, 'kernel-block'),
    'w-flock': (r'locks_lock_inode_wait|flock_lock_inode_wait', 'task', 2, 'deliberate-sleep'),
    'w-mmaplock': (None, 'preempted', 1, None),
    'w-irwsem': (None, None, 0, None),
    'w-lrudrain': (None, None, 0, None),
    'w-sync': (r'io_schedule\w*|\w*sync\w*', ('disk', 'task'), 1, 'blocking-io'),
}
DISKS = ('w-odirect', 'w-bufread', 'w-pgfault', 'w-fsync', 'w-fdatasync', 'w-osync', 'w-dwrite', 'w-sync')
CPUS = ('w-preempt', 'w-yield', 'w-migrate', 'w-mmaplock')  # they need a second CPU, or are about sharing one

# Of every other sleep: the first row whose functions stand on its stack says how it may have ended.
RULES = (
    (r'hrtimer_nanosleep', ('timer', 'signal')),
    (r'affine_move_task|synchronize_\w+|__wait_rcu_gp|__?lru_add_drain_all', ('kernel',)),
    (r'do_signal_stop|get_signal', ('signal',)),
    (r'do_wait|do_wait4', ('task', 'signal')),
    (r'balance_dirty_pages\w*', ('timer', 'kernel', 'disk', 'task')),
    (r'io_schedule\w*|bit_wait_io|wait_for_completion_io\w*', ('disk', 'task')),
    (r'futex_\w+|rwsem_down_\w+|__mutex_lock\w*|wait_for_completion\w*|__flush_work|inet_csk_accept|__vma_\w+', ('task', 'disk')),
)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"Bail out! {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def on_block_device(folder):
    device = os.stat(folder).st_dev
    return os.path.exists(f'/sys/dev/block/{os.major(device)}:{os.minor(device)}')


def choose_folder():
    """Where new files are on a block device, if that is anywhere."""
    places = [os.environ.get('WP_TEST_TMP'), os.getcwd(), '/var/tmp', '/root', tempfile.gettempdir()]
    places = [place for place in places if place and os.access(place, os.W_OK)]
    return next(filter(on_block_device, places), places[0])


def record(folder):
    """The recording, what could not run, and what plays the idle task."""
    file = f'{folder}/wakes.data'
    with Spinners(WORKLOADS) as spinners:
        said = run(CLI, 'record', '-o', file, '--stacks', 'fp', '--rate', '500', '--', f'{WORKLOADS}/wakes', cwd=folder)
    missing = dict(re.findall(r'^(\S+): not here: (.*)$', said, re.M))
    return file, missing, spinners.options


def sleeps_by_task(file, idle):
    """name → its sleeps, without those at the very beginning of a task: (kernel functions, state, cause, has a source)."""
    found = collections.defaultdict(list)
    targets = {}
    for line in run(CLI, 'links', file, '--format', 'json', *idle).splitlines():
        link = json.loads(line)
        targets[link['target']] = link
    for line in run(CLI, 'operations', file, '--format', 'json', *idle).splitlines():
        op = json.loads(line)
        if op['kind'] != 'sleep' or op['cause'] == 'fork' or not op['task'].startswith('w-'):
            continue
        link = targets.get(op['id'] + 1)
        found[op['task']].append((op['stack'].split(';'), op['state'], op['cause'], link is not None and link['source'] != 0))
    return found


def stands_in(stack, functions):
    pattern = re.compile(rf'(?:{functions})$')
    return any(pattern.match(frame.split('.')[0]) for frame in stack)


def allowed(stack, state, cause):
    if cause == 'preempted':
        return state == 'R'
    for functions, causes in RULES:
        if stands_in(stack, functions):
            return cause in causes
    return cause not in ('unknown', 'none')


def judge(name, sleeps, report):
    """Checks one program; the line that is printed says what it did."""
    functions, causes, least, category = EXPECTED[name]
    causes = (causes,) if isinstance(causes, str) else causes
    told = collections.Counter(sleep[2] for sleep in sleeps)
    faults = [s for s in sleeps if s[2] == 'disk' and stands_in(s[0], r'handle_mm_fault')]  # memory taken away by others
    main = [s for s in sleeps if causes and (functions is None and s[2] in causes or functions and stands_in(s[0], functions))]
    wrong = [s for s in main if s[2] not in causes and s[2] != 'preempted' and s not in faults]
    wrong += [s for s in sleeps if s not in main and not allowed(*s[:3])]
    unlinked = [s for s in sleeps if s[2] in ('task', 'signal', 'disk') and not s[3]]
    shown = ', '.join(f'{n} {cause}' for cause, n in told.most_common())
    check(f'{name}: {shown}', len([s for s in main if not causes or s[2] in causes]) >= least and not wrong,
          '; '.join(f"{s[2]} in {' < '.join(s[0][::-1][:12])}" for s in wrong[:3]))
    check(f'{name}: whatever a task or a disk ended has its source', not unlinked,
          '; '.join(f"{s[2]} in {' < '.join(s[0][::-1][:12])}" for s in unlinked[:3]))
    if category is not None:
        ns = {c['id']: c['ns'] for c in report['categories']}
        total = report['total_ns']
        check(f'{name}: {100 * ns[category] / total:.1f} % {category}, {report["percent_accounted"]:.2f} % accounted',
              ns[category] > 0.001 * total and report['percent_accounted'] >= 99)


def look(place):
    with tempfile.TemporaryDirectory(prefix='wakepath-wakes-', dir=place) as folder:
        file, missing, idle = record(folder)
        sleeps = sleeps_by_task(file, idle)
        for name in EXPECTED:
            if name in missing:
                check(f'{name} # SKIP {missing[name]}', True)
            elif name in DISKS and not on_block_device(place):
                check(f'{name} # SKIP {place} is not on a block device, nor is any other folder that tests may write to', True)
            elif name in CPUS and not idle:
                check(f'{name} # SKIP there is but one CPU', True)
            else:
                judge(name, sleeps[name], json.loads(run(CLI, 'report', file, '--task', name, '--format', 'json', *idle)))
        stopped = [s for s in sleeps['w-stopped'] if s[1] == 'T']
        check(f'w-stopped: {len(stopped)} times stopped, each ended by a signal', stopped and all(s[2] == 'signal' for s in stopped))


def main():
    if os.geteuid() != 0:
        print('Bail out! these recordings need root')
        return 1
    place = choose_folder()
    thrice(lambda: look(place))
    return end()


sys.exit(main())
