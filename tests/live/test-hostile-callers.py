#!/usr/bin/python3
"""Callers of the collector-helper that mean no good, or do none: who does not read, closes what they should not, never ends a line, starts
fifty at a time, leaves odd descriptors, limits and words behind; and a process that maps as much as it may. Needs root and tracefs. TAP.
usage: test-hostile-callers.py HELPER CLI WORKLOADS MAPPINGS
"""
import ctypes
import fcntl
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

from collector import HELPER, Helper, status_of
from processes import child_of
from stream import Stream
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, WORKLOADS, MAPPINGS = map(os.path.abspath, sys.argv[2:5])
USER, OTHER, PATIENT = 65534, 65533, 65532  # who records, a neighbour, who waits to the end
SLOTS = 8
PATIENCE = 60  # seconds; what is promised is less, but a machine may be busy
HASTE = '--patience=2'  # a caller's own limit: shorter than the helper's, and otherwise the same


def unread(*options, user=USER, **more):
    """A helper whose output is a pipe that nobody reads; `output` is its other end."""
    read_end, write_end = os.pipe()
    helper = Helper(write_end, *options, user=user, **more)
    os.close(write_end)
    helper.output = read_end
    return helper


def blocks(helper, seconds=PATIENCE):
    """Waits until it hangs in writing, and returns its status then."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and helper.process.poll() is None:
        try:
            with open(f'/proc/{helper.process.pid}/wchan') as file:
                if 'pipe' in file.read():
                    break
        except OSError:
            pass
        time.sleep(0.01)
    return helper.status()


def is_harmless(status):
    return (bool(status) and status['Uid'].split() == [str(USER)] * 4 and status['Seccomp'] == '2' and
            int(status['CapEff'], 16) == int(status['CapPrm'], 16) == 0)


# --- not reading ---------------------------------------------------------------------------------------------------------

WAYS = {'stop': lambda helper: helper.say('stop'), 'SIGTERM': lambda helper: helper.process.terminate(),
        'the end of its input': Helper.close_input, 'itself': lambda helper: None}


def is_ended(helper, name):
    status, error = helper.end(PATIENCE), helper.wait_for('error', 1)
    check(name, status == 1 and error and error['code'] == 'output' and 'nobody takes' in error['text'], (status, helper.messages))
    os.close(helper.output)


def test_unread_beginning():
    """It waits without privileges, and not for ever: by a word, by a signal, by the end of its input, by itself."""
    helpers = {way: unread(*([HASTE] if way == 'itself' else [])) for way in WAYS}
    for way, helper in helpers.items():
        status = blocks(helper)
        check(f'not read from the beginning: no privileges are left ({way})', is_harmless(status), status)
    for way, helper in helpers.items():
        WAYS[way](helper)
    for way, helper in helpers.items():
        is_ended(helper, f'… it is ended by {way}')


class Patient:
    """The same with the helper's own limits, beside all else: one that waits them out, one that is told to stop."""

    def __init__(self):
        self.helpers = {way: unread(user=PATIENT) for way in ('itself', 'stop')}
        self.began = time.monotonic()
        for way, helper in self.helpers.items():
            blocks(helper)
            WAYS[way](helper)

    def waits(self):
        waiting, early = self.helpers['itself'], time.monotonic() - self.began < 20
        check('without a limit of its caller’s own it waits for longer', not early or waiting.process.poll() is None, waiting.messages)

    def end(self):
        for way, helper in self.helpers.items():
            is_ended(helper, f'… and not for ever: ended by {way}')


def read_until_started(helper):
    while helper.wait_for('started', 0.001) is None and helper.process.poll() is None:
        if select.select([helper.output], [], [], 0.01)[0]:
            os.read(helper.output, 1 << 20)


def test_unread_recording():
    helpers = {way: unread() for way in ('stop', 'SIGTERM')}
    for helper in helpers.values():
        read_until_started(helper)
    subprocess.run([f'{WORKLOADS}/pass', '2000', '1'], stdout=subprocess.DEVNULL, check=True)
    for way, helper in helpers.items():
        blocks(helper)
        WAYS[way](helper)
    for way, helper in helpers.items():
        check(f'not read while it records: ended by {way}', helper.end(PATIENCE) == 1, helper.messages)
        os.close(helper.output)


def test_slow_reader():
    """Who reads late, but reads, has all of it: also what was in the rings when the recording was stopped."""
    helper = unread()
    blocks(helper)
    data = b''
    helper.say('stop')
    while (piece := os.read(helper.output, 1 << 20)):
        data += piece
    check('read late: whole all the same', helper.end(PATIENCE) == 0 and Stream(data).whole and
          helper.wait_for('stopped')['bytes'] == len(data), helper.messages)
    os.close(helper.output)


def test_unread_messages():
    """Messages that nobody reads are waited for as little."""
    read_end, write_end = os.pipe()
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096)
    with open('/dev/null', 'wb') as output:
        helper = Helper(output, user=USER, stderr=write_end)
    os.close(write_end)
    fcntl.fcntl(helper.process.stdin, fcntl.F_SETFL, os.O_NONBLOCK)
    while True:
        try:
            os.write(helper.process.stdin.fileno(), b'pause\nresume\n' * 20)
        except BlockingIOError:
            break
    status = blocks(helper)
    check('messages that nobody reads: it waits', status and status['State'][0] == 'S', status)
    helper.process.terminate()
    gone = bool(select.select([os.pidfd_open(helper.process.pid)], [], [], PATIENCE)[0])
    check('messages that nobody reads do not hold it', gone)
    helper.process.kill()
    helper.process.wait()
    os.close(read_end)


# --- saying odd things ---------------------------------------------------------------------------------------------------

def test_endless_line():
    with open('/dev/null', 'wb') as output:
        helper = Helper(output, user=USER)
    helper.wait_for('started')
    helper.process.stdin.write(b'x' * (64 << 10) + b'\0' * 1000 + b'\xff\n' * 10 + b'rate 99999999999999999999\nrate -1\nstop now\n')
    helper.process.stdin.flush()
    helper.say('pause')
    check('an endless line, and nonsense: it goes on after that', helper.wait_for('paused') is not None, helper.messages)
    helper.say('stop')
    check('… and ends well', helper.end() == 0)


def seconds_of_cpu(helper):
    with open(f'/proc/{helper.process.pid}/stat') as file:
        return sum(map(int, file.read().rsplit(')', 1)[1].split()[11:13])) / os.sysconf('SC_CLK_TCK')


def test_endless_input():
    """It runs before all others, so it must not run for ever only because somebody talks for ever."""
    feeder = subprocess.Popen(['yes', 'pause\nresume'], stdout=subprocess.PIPE)
    with open('/dev/zero', 'rb') as zeroes, open('/dev/null', 'wb') as output:
        helpers = {'zeroes': Helper(output, '--buffer-kb=1024', user=USER, stdin=zeroes),
                   'pauses': Helper(output, '--buffer-kb=1024', user=USER, stdin=feeder.stdout)}
    feeder.stdout.close()
    for helper in helpers.values():
        helper.wait_for('started')
    before = {name: seconds_of_cpu(helper) for name, helper in helpers.items()}
    until = time.monotonic() + 2
    while time.monotonic() < until:
        for helper in helpers.values():
            helper.read(0.1)
    for name, helper in helpers.items():
        took = seconds_of_cpu(helper) - before[name]
        check(f'an input of endless {name} does not keep it busy', took < 0.25, took)
        helper.process.terminate()
        check('… nor from being ended', helper.end(PATIENCE) == 0, helper.messages[-3:])
    feeder.kill()
    feeder.wait()


def test_early_end():
    """Whoever closes its input before anything is recorded is rid of it."""
    with open('/dev/null', 'wb') as output:
        helper = Helper(output, user=USER)
    helper.close_input()
    check('an input that is closed at once ends it', helper.end(PATIENCE) in (0, 1), helper.messages)


# --- many ----------------------------------------------------------------------------------------------------------------

def kb_of_memory():
    return os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // 1024


def start(n, *options, user=USER):
    """That many at once; those that record, and the errors of the others."""
    with open('/dev/null', 'wb') as output:
        helpers = [Helper(output, *options, user=user) for _ in range(n)]
    for helper in helpers:
        while helper.read(PATIENCE) and not any(m['message'] in ('started', 'error') for m in helper.messages):
            pass
    running = [helper for helper in helpers if helper.wait_for('started', 0.01)]
    return running, [helper.wait_for('error', 0.01) for helper in helpers if helper not in running]


def kill(helpers):
    for helper in helpers:
        helper.process.kill()
    for helper in helpers:
        helper.process.wait()


def test_fifty():
    running, errors = start(50, '--buffer-kb=64')
    check('of fifty at once as many run as may', len(running) == SLOTS, len(running))
    check('… and the others say why not', len(errors) == 50 - SLOTS and all(error and error['code'] == 'busy' for error in errors), errors)
    others, _ = start(1, '--buffer-kb=64', user=OTHER)
    check('another user is not kept from it', len(others) == 1)
    kill(others)
    kill(running)
    again, errors = start(1, '--buffer-kb=64')
    check('killed, they leave room', len(again) == 1, errors)
    kill(again)


def test_rings():
    running = []
    for _ in range(SLOTS + 1):
        more, _ = start(1, '--buffer-kb=1048576')
        if not more:
            break
        running += more
    rings = [helper.wait_for('started') for helper in running]
    kill(running)
    total = sum(ring['buffer_kb'] * ring['cpus'] for ring in rings)
    check('rings of one user take a quarter of the memory at most', rings and total <= kb_of_memory() / 4, (total, kb_of_memory()))
    check('… and who gets less than was asked for is told', all(ring['buffer_kb'] == 1048576 or
          any(row['name'] == 'a larger buffer' for row in ring['missing']) for ring in rings), rings)


# --- what is left behind -------------------------------------------------------------------------------------------------

def test_descriptors(folder):
    def close(fd):
        return lambda: os.close(fd)

    for fd in (0, 1, 2):
        done = subprocess.run([HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=close(fd),
                              timeout=PATIENCE, check=False)
        check(f'without descriptor {fd} it does nothing', done.returncode != 0 and done.stdout == done.stderr == b'', done)
    helpers = {}
    for name, path, flags in (('a folder', folder, os.O_RDONLY), ('a file open for reading', '/etc/passwd', os.O_RDONLY),
                              ('a file that is never there', '/dev/full', os.O_WRONLY)):
        output = os.open(path, flags)
        helpers[name] = Helper(output, user=USER)
        os.close(output)
    for name, helper in helpers.items():
        status, error = helper.end(PATIENCE), helper.wait_for('error', 1)
        check(f'output is {name}: ended with a word', status == 1 and error and error['code'] == 'output', (status, helper.messages))
    read_end, write_end = os.pipe()
    for one in (read_end, write_end):
        os.set_blocking(one, False)
    more = [fcntl.fcntl(write_end, fcntl.F_DUPFD, n) for n in (50, 500)]
    helper = Helper(write_end, user=USER, pass_fds=[read_end, *more])
    for fd in (write_end, *more):
        os.close(fd)
    status = helper.status()
    helper.output = read_end
    check('output that does not block, and more open than should be: it waits all the same', helper.wait_for('started', 1) is None and
          helper.process.poll() is None, (status, helper.messages))
    data = b''
    helper.say('stop')
    while select.select([read_end], [], [], PATIENCE)[0] and (piece := os.read(read_end, 1 << 20)):
        data += piece
    check('… and the stream is whole', helper.end(PATIENCE) == 0 and Stream(data).whole, helper.messages)


def may_raise_limits():
    return int(status_of(os.getpid())['CapEff'], 16) >> 24 & 1  # CAP_SYS_RESOURCE: not in every container


def test_limits():
    limits = {'RLIMIT_NOFILE': 8, 'RLIMIT_AS': 96 << 20, 'RLIMIT_CPU': 1, 'RLIMIT_CORE': -1, 'RLIMIT_MEMLOCK': 0,
              'RLIMIT_NPROC': 0}
    helpers = {}
    for name, value in limits.items():
        def limit(name=name, value=value):
            resource.setrlimit(getattr(resource, name), (value, value))
        with open('/dev/null', 'wb') as output:
            helpers[name] = Helper(output, user=USER, before=limit)
    for name, helper in helpers.items():
        started = helper.wait_for('started')
        if name == 'RLIMIT_NOFILE' and not may_raise_limits():
            check('RLIMIT_NOFILE 8, which cannot be raised here: ended with a word', helper.end() == 1 and
                  helper.wait_for('error')['code'] == 'memory', helper.messages)
            continue
        with open(f'/proc/{helper.process.pid}/limits') as file:
            core = next(line for line in file if 'core file' in line).split()[4:6] if started else None
        check(f'{name} {limits[name]}: it records, and never leaves a core', started is not None and core == ['0', '0'], (helper.messages, core))
        helper.close_input()
        check('… and ends well', helper.end() == 0, helper.messages)


def test_hard_limit():
    """Where nobody may raise what is allowed at most, as in some containers, that much is taken."""
    libc = ctypes.CDLL(None)

    def limit():
        libc.prctl(24, 24, 0, 0, 0)  # CAP_SYS_RESOURCE leaves the bounding set, and so the helper
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 4096))
    with open('/dev/null', 'wb') as output:
        helper = Helper(output, user=USER, before=limit)
    started = helper.wait_for('started')
    with open(f'/proc/{helper.process.pid}/limits') as file:
        files = next((line for line in file if 'open files' in line), '').split()[3:5]
    check('RLIMIT_NOFILE 8, up to 4096: it records with those', started is not None and files == ['4096', '4096'], (helper.messages, files))
    helper.close_input()
    check('… and ends well', helper.end() == 0, helper.messages)


def test_words():
    with open('/dev/null', 'wb') as output:
        helpers = {word: Helper(output, user=word) for word in ('', '0x0', '-1', ' 0', '4294967295', '4294967296', 'root', '65534 ')}
    for word, helper in helpers.items():
        status, error = helper.end(PATIENCE), helper.wait_for('error', 1)
        check(f'PKEXEC_UID “{word}” is nobody', status == 2 and error and error['code'] == 'permission', (status, helper.messages))


def test_signals():
    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        for one in (signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
            signal.signal(one, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 3600)

    helper = unread(before=block)
    blocks(helper)
    helper.process.terminate()
    check('blocked and ignored signals: SIGTERM ends it all the same', helper.end(PATIENCE) == 1, helper.messages)
    os.close(helper.output)


# --- a system that is slow, or has much ---------------------------------------------------------------------------------

libc = ctypes.CDLL(None, use_errno=True)
NEWNS, BIND, REC, PRIVATE = 0x20000, 4096, 16384, 1 << 18


def instead_of(path, what):
    """For `before`: the process, and it alone, sees `what` there."""
    def mount():
        if (libc.unshare(NEWNS) != 0 or libc.mount(b'none', b'/', None, REC | PRIVATE, None) != 0 or
                libc.mount(what.encode(), path.encode(), None, BIND, None) != 0):
            os._exit(99)
    return mount


def test_slow_kernel(folder):
    """What does not come to writing is ended by the kernel, and has written nothing."""
    path = f'{folder}/never'
    os.mkfifo(path)
    with open(f'{folder}/slow.data', 'wb') as output:
        helper = Helper(output, HASTE, user=USER, before=instead_of('/proc/kallsyms', path))
    status = helper.end(PATIENCE)
    check('reading that takes too long ends it', status == -signal.SIGALRM, (status, helper.messages))
    check('… with nothing written', os.path.getsize(f'{folder}/slow.data') == 0 and helper.messages == [])


def test_symbols(folder):
    path, data = f'{folder}/symbols', f'{folder}/symbols.data'
    with open('/proc/kallsyms', encoding='ascii') as file:
        text = file.read()
    filler = ''.join(f'ffffffffc{n:07x} t one_of_too_many_{n}\t[strange]\n' for n in range(20000))
    with open(path, 'w', encoding='ascii') as file:
        file.write(text + filler * ((40 << 20) // len(filler)))
    with open(data, 'wb') as output:
        helper = Helper(output, '--events=sched', user=USER, before=instead_of('/proc/kallsyms', path))
    started, peak = helper.wait_for('started', PATIENCE), helper.status()
    helper.say('stop')
    check('with too many symbols of the kernel it records', helper.end(PATIENCE) == 0 and started, helper.messages)
    with open(data, 'rb') as file:
        stream = Stream(file.read())
    check('… as many as there may be, and no more', stream.whole and 31 << 20 < len(stream.tracing) < 34 << 20 and
          int(peak['VmHWM'].split()[0]) < 256 << 10, (len(stream.tracing), peak['VmHWM']))
    check('… the kernel’s own among them', b' schedule\n' in stream.tracing and any(name.startswith('[kernel') for name in stream.maps))
    check('… and says what was cut', any(row['name'] == 'kernel symbols' and 'cut' in row['why'] for row in started['missing']),
          started['missing'])
    info = subprocess.run([CLI, 'info', data], capture_output=True, text=True, check=False).stdout
    check('… also in the stream', 'kernel symbols: there are too many' in info, info)


# --- a neighbour ---------------------------------------------------------------------------------------------------------

def test_mappings(folder):
    home, path = f'{folder}/neighbour', f'{folder}/mappings.data'
    os.chmod(folder, 0o755)
    os.mkdir(home)
    os.chown(home, OTHER, OTHER)
    with open(MAPPINGS, 'rb') as file, open(f'{folder}/mappings', 'wb') as copy:  # the build may lie where only root may go
        copy.write(file.read())
    os.chmod(f'{folder}/mappings', 0o755)
    neighbour = subprocess.Popen([f'{folder}/mappings', '65000', home], user=OTHER, group=OTHER, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
    try:
        made = int(neighbour.stdout.readline())
        with open(path, 'wb') as output:
            helper = Helper(output, '--events=sched', user=USER)
        started, peak = helper.wait_for('started', PATIENCE), helper.status()
        helper.say('stop')
        check('beside 65,000 mappings it records', helper.end(PATIENCE) == 0 and made > 60000 and started, (made, helper.messages))
    finally:
        neighbour.stdin.close()
        neighbour.wait()
    with open(path, 'rb') as file:
        data = file.read()
    stream, size = Stream(data), len(data)
    check('… in a stream and memory of a size', stream.whole and size < 64 << 20 and int(peak['VmHWM'].split()[0]) < 128 << 10,
          (size, peak['VmHWM']))
    check('… with the mappings of others', os.readlink('/proc/self/exe') in stream.maps)
    check('… and says what was cut', any(row['name'] == 'processes' and str(neighbour.pid) in row['why'] for row in started['missing']),
          started['missing'])
    info = subprocess.run([CLI, 'info', path], capture_output=True, text=True, check=False).stdout
    check('… also in the stream', 'Not recorded:' in info and str(neighbour.pid) in info, info)


def test_hanging(folder):
    """Mappings that cannot be read, as of a process that a file system of its owner's holds: they are not waited for, again and again."""
    data, never = f'{folder}/hanging.data', f'{folder}/held'
    os.mkfifo(never)
    neighbours = [subprocess.Popen(['sleep', '600'], user=OTHER, group=OTHER) for _ in range(20)]
    mounts = [instead_of(f'/proc/{neighbour.pid}/maps', never) for neighbour in neighbours]

    def hold():
        for mount in mounts:
            mount()

    with open(data, 'wb') as output:
        helper = Helper(output, '--events=sched', user=USER, before=hold)
    while (reader := child_of(helper.process.pid, 'wakepath-collec')) is None and helper.process.poll() is None:
        time.sleep(0.01)
    waiting = os.pidfd_open(reader[0]) if reader else None
    started = helper.wait_for('started', PATIENCE)
    helper.say('stop')
    check('beside processes that hold their mappings it records', helper.end(PATIENCE) == 0 and started, helper.messages)
    for neighbour in neighbours:
        neighbour.kill()
        neighbour.wait()
    with open(data, 'rb') as file:
        stream = Stream(file.read())
    check('… with their names, and the mappings of others', stream.whole and os.readlink('/proc/self/exe') in stream.maps and
          all(stream.comms.get(neighbour.pid) == 'sleep' for neighbour in neighbours))
    row = next((row for row in (started or {'missing': []})['missing'] if row['name'] == 'processes'), {'why': ''})
    check('… and who waited for them is gone, too', waiting is not None and bool(select.select([waiting], [], [], PATIENCE)[0]))
    check('… and says of how many not', row['why'].startswith('20 of them') and 'did not let' in row['why'], started and started['missing'])


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    with tempfile.TemporaryDirectory(prefix='wakepath-callers-') as folder:
        patient = Patient()
        test_unread_beginning()
        test_unread_recording()
        patient.waits()
        test_slow_reader()
        test_unread_messages()
        test_endless_line()
        test_endless_input()
        test_early_end()
        test_fifty()
        test_rings()
        test_descriptors(folder)
        test_limits()
        test_hard_limit()
        test_words()
        test_signals()
        test_slow_kernel(folder)
        test_symbols(folder)
        test_mappings(folder)
        test_hanging(folder)
        patient.end()
    return end()


if __name__ == '__main__':
    sys.exit(main())
