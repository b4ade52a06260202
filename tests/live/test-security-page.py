#!/usr/bin/python3
"""What SECURITY.md says of the recording helper, held against the running helper: its capabilities, system-call filters and open descriptors
while it opens events, reads, writes and records. Each step is caught by stopping it there. Needs root. TAP.
usage: test-security-page.py HELPER SECURITY.md
"""
import ctypes
import os
import re
import signal
import struct
import sys
import time

from collector import Helper
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

PAGE = sys.argv[2]
USER = 65534
STEPS = ('opening', 'reading', 'writing', 'recording')
CAPABILITIES = {'CAP_DAC_READ_SEARCH': 2, 'CAP_IPC_LOCK': 14, 'CAP_SYS_PTRACE': 19, 'CAP_SYS_ADMIN': 21, 'CAP_SYS_NICE': 23,
                'CAP_SYSLOG': 34, 'CAP_PERFMON': 38}
PTRACE_ATTACH, PTRACE_DETACH, PTRACE_GET_FILTER, WALL = 16, 17, 0x420c, 0x40000000
ALLOW, KILL_PROCESS = 0x7fff0000, 0x80000000
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
seccomp = ctypes.CDLL('libseccomp.so.2')
seccomp.seccomp_syscall_resolve_num_arch.restype = ctypes.c_void_p
seccomp.seccomp_arch_native.restype = ctypes.c_uint32


# --- the page ------------------------------------------------------------------------------------------------------------

def section(title):
    with open(PAGE, encoding='utf-8') as file:
        return file.read().split(f'### {title}\n')[1].split('\n### ')[0]


def table(title):
    """{first cell: {step: cell}} of the section's table."""
    rows = [[cell.strip() for cell in line.strip('|\n').split('|')] for line in section(title).splitlines() if line.startswith('|')]
    head = rows[0]
    return {row[0]: {step: row[head.index(step)] for step in STEPS} for row in rows[2:]}


def calls_of_page(start):
    """The system calls of the paragraph that starts so."""
    paragraph = next(text for text in section('System calls').split('\n\n') if text.startswith(start))
    return set(re.findall(r'`(\w+)`', paragraph))


# --- the filters ---------------------------------------------------------------------------------------------------------

def name_of(number):
    text = seccomp.seccomp_syscall_resolve_num_arch(ctypes.c_uint32(0), ctypes.c_int(number))
    return ctypes.string_at(text).decode() if text else None


NUMBERS = {name_of(number): number for number in range(600) if name_of(number)}


def run_filter(program, number, arguments=()):
    """What a filter says to a call: classic BPF, as libseccomp makes it."""
    data = struct.pack('<iIQ6Q', number, seccomp.seccomp_arch_native(), 0, *(list(arguments) + [0] * 6)[:6])
    at, value, memory = 0, 0, [0] * 16
    jumps = {0x15: lambda a, k: a == k, 0x25: lambda a, k: a > k, 0x35: lambda a, k: a >= k, 0x45: lambda a, k: bool(a & k)}
    while True:
        code, true, false, k = program[at]
        at += 1
        if code == 0x20:
            value, = struct.unpack_from('<I', data, k)
        elif code in jumps:
            at += true if jumps[code](value, k) else false
        elif code == 0x05:
            at += k
        elif code == 0x54:
            value &= k
        elif code == 0x02:
            memory[k] = value
        elif code == 0x60:
            value = memory[k]
        elif code == 0x06:
            return k
        else:
            raise AssertionError(f'BPF instruction {code:#x}')


def filters_of(pid):
    """Its filters, taken out by ptrace, the newest first: lists of (code, true, false, k)."""
    if libc.ptrace(PTRACE_ATTACH, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), 'ptrace')
    os.waitpid(pid, WALL)
    found = []
    try:
        while True:
            n = libc.ptrace(PTRACE_GET_FILTER, pid, len(found), None)
            if n < 0:
                return found
            code = ctypes.create_string_buffer(8 * n)
            libc.ptrace(PTRACE_GET_FILTER, pid, len(found), code)
            found.append(list(struct.iter_unpack('<HBBI', code.raw)))
    finally:
        libc.ptrace(PTRACE_DETACH, pid, None, signal.SIGSTOP)


def ioc(direction, number, size):
    return direction << 30 | size << 16 | ord('$') << 8 | number


PERF = {'enable': ioc(0, 0, 0), 'disable': ioc(0, 1, 0), 'period': ioc(1, 4, 8)}
OPENING_PERF = {'output': ioc(0, 5, 0), 'filter': ioc(1, 6, 8), 'id': ioc(2, 7, 8)}
TRIES = {'ioctl': [(0, n) for n in [*PERF.values(), *OPENING_PERF.values(), 0x5412, 0x5401]], 'perf_event_open': [(0, 2 ** 64 - 1)],
         'prctl': [(n,) for n in range(80)], 'fcntl': [(0, n) for n in [*range(50), *range(1024, 1050)]], 'kill': [(1, 0), (1, 15)]}


def allowed(filters, number, arguments=()):
    said = [run_filter(program, number, arguments) for program in filters]
    return bool(said) and all(word == ALLOW for word in said)


def calls_of(filters):
    """The system calls that are let through with some arguments."""
    return {name for name, number in NUMBERS.items() if any(allowed(filters, number, one) for one in [(), *TRIES.get(name, [])])}


def test_calls(step, filters, page, chosen=False):
    check(f'{step}: the calls that are let through are those of the page', calls_of(filters) == page,
          {'not on the page': calls_of(filters) - page, 'only on the page': page - calls_of(filters)})
    check(f'{step}: any other kills', any(run_filter(program, NUMBERS['execve']) == KILL_PROCESS for program in filters))
    check(f'{step}: nothing is opened to be written, and nothing executed is mapped',
          not any(allowed(filters, NUMBERS['openat'], (0, 0, flags)) for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TMPFILE))
          and not allowed(filters, NUMBERS['mmap'], (0, 4096, 5, 0x22)))
    check(f'{step}: no other event than those of all processes', not allowed(filters, NUMBERS['perf_event_open'], (0, 1)) or chosen)
    check(f'{step}: no terminal is typed into, nobody signalled, no namespace made',
          not allowed(filters, NUMBERS['ioctl'], (0, 0x5412)) and not allowed(filters, NUMBERS['kill'], (1, 15)) and
          not allowed(filters, NUMBERS['clone'], (0x10000000,)))
    check(f'{step}: perf events', all(allowed(filters, NUMBERS['ioctl'], (3, n)) for n in PERF.values()) and
          all(allowed(filters, NUMBERS['ioctl'], (3, n)) == (step in ('opening', 'reading')) for n in OPENING_PERF.values()))


# --- the steps -----------------------------------------------------------------------------------------------------------

def names_of(mask):
    names = {name for name, bit in CAPABILITIES.items() if mask >> bit & 1}
    return names | ({'another'} if mask & ~sum(1 << bit for bit in CAPABILITIES.values()) else set())


def step_of(status):
    """By its capabilities and filters; None before, after and between."""
    if not status or status['Seccomp'] != '2':
        return None
    held = names_of(int(status['CapPrm'], 16))
    if 'CAP_IPC_LOCK' in held:
        return 'opening'
    if held:
        return 'reading'
    return 'writing' if status['Seccomp_filters'] == '2' else None


def caught(step, *options):
    """A helper whose output nobody reads, stopped in this step."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        read_end, write_end = os.pipe()
        helper = Helper(write_end, *options, user=USER)
        os.close(write_end)
        helper.output = read_end
        until = time.monotonic() + 20
        while helper.process.poll() is None and time.monotonic() < until:
            now = step_of(helper.status())
            if now == step:
                os.kill(helper.process.pid, signal.SIGSTOP)
                while (state := helper.status().get('State', 'X')[0]) not in 'TX':
                    time.sleep(0.001)
                if step_of(helper.status()) == step:
                    return helper
                break
            if now is not None and STEPS.index(now) > STEPS.index(step):
                break
        release(helper)
    raise SystemExit(f'Bail out! the helper could not be stopped while {step}')


def recording():
    """A helper that records, stopped."""
    helper = Helper(os.open('/dev/null', os.O_WRONLY), user=USER)
    if helper.wait_for('started') is None:
        raise SystemExit(f'Bail out! the helper does not start: {helper.messages}')
    os.kill(helper.process.pid, signal.SIGSTOP)
    while helper.status()['State'][0] != 'T':
        time.sleep(0.001)
    helper.output = None
    return helper


def release(helper):
    helper.process.kill()
    helper.process.wait()
    if helper.output is not None:
        os.close(helper.output)


def kind_of(link):
    kinds = (('anon_inode:[perf_event]', 'perf events'), ('/run/wakepath/', '`/run/wakepath/UID`: the slot'),
             ('kprobe_events', 'tracefs: `kprobe_events`'), ('/proc', 'files'), ('/sys', 'files'))
    return next((kind for word, kind in kinds if word in link), 'pipe' if link.startswith('pipe:') else link)


def test_step(step, helper):
    status, pid = helper.status(), helper.process.pid
    page = {name: cells[step] for name, cells in ((name.strip('`'), cells) for name, cells in table('Capabilities').items())}
    must, may = {n for n, cell in page.items() if cell == 'yes'}, {n for n, cell in page.items() if cell}
    for key in ('CapPrm', 'CapEff'):
        held = names_of(int(status[key], 16))
        check(f'{step}: {key} is as on the page', must <= held <= may, (held, page))
    check(f'{step}: none to inherit, none to get', all(int(status[key], 16) == 0 for key in ('CapInh', 'CapBnd', 'CapAmb')) and
          status['NoNewPrivs'] == '1', status)
    check(f'{step}: the user who asked', status['Uid'].split() == [str(USER)] * 4 and status['Groups'].strip() == '' and
          '0' not in status['Gid'].split(), status)
    check(f'{step}: not to be looked into', os.stat(f'/proc/{pid}/mem').st_uid == 0)
    links = {int(fd): os.readlink(f'/proc/{pid}/fd/{fd}') for fd in os.listdir(f'/proc/{pid}/fd')}
    kinds = {kind_of(link) for fd, link in links.items() if fd > 2}
    rows = {name.split(' of `/proc`')[0]: cells[step] for name, cells in table('Open descriptors').items()}
    rows['pipe'] = ''.join(rows.pop(name) for name in [name for name in rows if 'pipe' in name])
    check(f'{step}: open is what the page says', kinds <= {name for name, cell in rows.items() if cell} and {0, 1, 2} <= set(links),
          (kinds, rows))
    check(f'{step}: … and no file more than that', sum(kind_of(link) == 'files' for link in links.values()) <= 2, links)
    first, second = calls_of_page('While opening'), calls_of_page('While writing')
    test_calls(step, filters_of(pid), first if step in ('opening', 'reading') else second)


def test_chosen():
    """Where chosen processes are sampled alone, events of one thread may be opened, too: on a CPU, before anything is written."""
    helper = caught('reading', f'--sample-pids={os.getpid()}')
    try:
        filters = filters_of(helper.process.pid)
        call = NUMBERS['perf_event_open']
        check('chosen processes: one thread on one CPU', allowed(filters, call, (0, 1, 0)) and allowed(filters, call, (0, 2 ** 64 - 1, 0)))
        check('chosen processes: … and not wherever it runs', not allowed(filters, call, (0, 1, 2 ** 64 - 1)) and
              not allowed(filters, call, (0, 1, 2 ** 32 - 1)))
        test_calls('reading', filters, calls_of_page('While opening'), chosen=True)
    finally:
        release(helper)


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    for step in STEPS:
        helper = recording() if step == 'recording' else caught(step)
        try:
            test_step(step, helper)
        finally:
            release(helper)
    test_chosen()
    return end()


if __name__ == '__main__':
    sys.exit(main())
