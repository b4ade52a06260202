#!/usr/bin/python3
"""The collector-helper as root, directly: its options, its stream, its commands, its privileges, and how it fails.

The stream is walked here record by record, and `perf script` must find the same number of each event. Needs root and a
mounted tracefs, and says so. TAP. usage: test-collector.py HELPER WORKLOADS
"""
import collections
import glob
import json
import os
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from collector import HELPER, Helper, status_of
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from stream import BUILD_ID, CALLCHAIN, DEFERRED, IDENTIFIER, PAUSE, PERIOD, REGS_USER, ROUND, SAMPLE, STACK_USER, TRACING_DATA, Stream
from tap import check, end

WORKLOADS = os.path.abspath(sys.argv[2])
TRACING = '/sys/kernel/tracing'


def tracepoint_names():
    names = {}
    for system in ('sched', 'block', 'filemap', 'ext4', 'iomap', 'irq', 'sock', 'tcp', 'signal', 'fib', 'fib6'):
        for path in glob.glob(f'{TRACING}/events/{system}/*/id'):
            with open(path) as file:
                names[int(file.read())] = f'{system}:{os.path.basename(os.path.dirname(path))}'
    return names


def record(path, *options, command=None, during=None):
    """Records a command; returns the helper, ended, and the command's output."""
    out = ''
    with open(path, 'wb') as output:
        helper = Helper(output, *options)
    if helper.wait_for('started') is None:
        raise SystemExit(f'Bail out! the helper does not start: {helper.messages}')
    if command:
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if during:
        during(helper)
    helper.say('stop')
    helper.status = helper.end()
    return helper, out


def stream_of(path):
    with open(path, 'rb') as file:
        return Stream(file.read())


def counts_of_perf(path):
    out = subprocess.run(['perf', 'script', '-i', path, '-F', 'event', '-G'], capture_output=True, text=True)
    counts = collections.Counter()
    for line in out.stdout.splitlines():
        name = line.split()[0].rstrip(':') if line.strip() else ''
        counts['cpu' if name.startswith(('cpu-clock', 'cycles')) else name] += name != ''
    return counts, out


def test_options():
    for options in (['--output=/tmp/x'], ['--rate=0'], ['--rate=4000x'], ['--rate=100001'], ['--rate', '4000'], ['--events='],
                    ['--events=sched,kprobes'], ['--stacks=lbr'], ['--stack-bytes=6000'], ['--stack-bytes=65536'],
                    ['--stack-bytes=2048'], ['--stacks=dwarf'], ['--stack-bytes=4096'], ['--stacks=none', '--stacks=dwarf'], ['--buffer-kb=1'], ['--size-mb=0'],
                    ['--size-mb=16777217'], ['--patience=0'], ['--patience=61'], ['--readers=0'], ['--readers=129'], ['--cpus=3-1'], ['--cpus=0,'], ['-h'],
                    ['/etc/passwd'], ['--events=sched:sched_switch'], ['--rate=99999999999999999999']):
        result = subprocess.run([HELPER, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        check(f'refuses {" ".join(options)}', result.returncode == 2 and 'usage:' in result.stderr and result.stdout == '',
              result)
    result = subprocess.run([f'{HELPER}-memory', '--stacks=fp'], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    check('who copies stacks does nothing else', result.returncode == 2 and 'usage:' in result.stderr, result)


def test_stream(folder):
    path = f'{folder}/stream.data'
    helper, _ = record(path, command=[f'{WORKLOADS}/mix', '3', folder])
    stream, names = stream_of(path), tracepoint_names()
    started, stopped = helper.wait_for('started'), helper.wait_for('stopped')
    check('ends well', helper.status == 0 and stopped is not None and stopped['why'] == 'stop', helper.messages)
    check('the stream is whole', stream.whole)
    check('the helper counted what it wrote', stopped['events'] == sum(stream.types[t] for t in (SAMPLE,)) and
          stopped['bytes'] == os.path.getsize(path) and stopped['lost'] == stream.lost, (stopped, stream.types))
    ours, (perfs, result) = +stream.by_name(names), counts_of_perf(path)
    check('perf script reads it', result.returncode == 0, result.stderr)
    check('perf script finds the same number of each event', ours == +perfs, (ours, perfs))
    for event in ('sched:sched_switch', 'sched:sched_waking', 'sched:sched_process_fork', 'block:block_rq_complete', 'cpu'):
        check(f'has {event}', ours[event] > 0, ours)
    entered, left = ours['irq:irq_handler_entry'], ours['irq:irq_handler_exit']
    check('interrupts end as often as they begin, but for those at the edges', entered > 0 and abs(entered - left) <= os.cpu_count(), (entered, left))
    expected = [e for e in started['events'] if e != 'cpu-samples']
    check('names its events', all(os.path.isdir(f'{TRACING}/events/{s}/{e}') for e in expected for s in
          ('sched', 'block', 'filemap', 'ext4', 'iomap', 'irq', 'sock', 'tcp', 'signal') if names and f'{s}:{e}' in names.values()), expected)
    return stream, names


def test_contents(stream, names):
    switches = [a for a in stream.attrs if names.get(a['config']) == 'sched:sched_switch' and a['type'] == 2]
    wakings = [a for a in stream.attrs if names.get(a['config']) == 'sched:sched_waking' and a['type'] == 2]
    check('three instances of switch, two of waking', len(switches) == 3 and len(wakings) == 2)
    check('voluntary switches have user stacks, others not', switches[0].get('user', 0) > 0 and switches[1].get('user', 0) == 0,
          switches)
    check('… and some no stack at all', not switches[2]['sample_type'] & CALLCHAIN, switches)
    check('… which have three frames', switches[1]['chains'] == switches[1]['samples'] > 0 and switches[1].get('deepest', 0) <= 5,
          switches)
    check('wakings have stacks in interrupts only', wakings[0]['chains'] == wakings[0]['samples'] > 0 and
          not wakings[1]['sample_type'] & CALLCHAIN and wakings[1]['samples'] > 0, wakings)
    check('… of 40 frames at most', wakings[0].get('deepest', 0) <= 52, wakings)
    defers = tuple(map(int, os.uname().release.split('.')[:2])) >= (6, 19)
    check('user stacks of CPU samples are deferred where the kernel can, of others never', all(
        (a['flags'] >> 38 & 1) == (defers and a['sample_type'] & PERIOD != 0) for a in stream.attrs) and
        any(a['flags'] >> 39 & 1 for a in stream.attrs) == defers == (stream.types[DEFERRED] > 0), (defers, stream.attrs))
    check('only CPU samples have a rate', all(a['period'] == 1 and not a['flags'] & 1 << 10 for a in stream.attrs
                                              if a['type'] == 2))
    check('every event has its id in front', all(a['sample_type'] & IDENTIFIER for a in stream.attrs))
    check('kernel symbols are in the tracing data', b' schedule\n' in stream.tracing or b' __schedule\n' in stream.tracing)
    check('formats of its events', b'name: sched_switch\n' in stream.tracing and b'name: block_rq_issue\n' in stream.tracing)
    check('kernel mapping with a build id', any(m.startswith('[kernel.kallsyms]_') for m in stream.maps) and
          stream.types[BUILD_ID] > 0)
    check('processes that were there: names', stream.comms.get(os.getpid(), '').startswith(('python', 'test-collector')),
          stream.comms.get(os.getpid()))
    check('processes that were there: maps', os.readlink('/proc/self/exe') in stream.maps)
    check('processes that came: names', 'mix-job' in stream.comms.values() and 'mix-helper' in stream.comms.values())
    check('processes that came: maps', any(m.endswith('/mix') for m in stream.maps))
    check('features', {3, 4, 6, 7} <= set(stream.features), stream.features.keys())
    check('rounds', stream.types[ROUND] > 0)


def has_no_stack(comm, state):
    """Whose switch tells nothing more by a stack: the idle task's, a kworker's that has no work, and the recorder's own."""
    return comm == b'wakepath-collec' or (comm.startswith(b'swapper/') if state & 255 == 0 else comm.startswith(b'kworker/') and state & 128 != 0)


def test_whose_stacks(folder):
    """Each switch has a stack or none by who leaves the CPU, and in what state."""
    path = f'{folder}/whose.data'
    seen, own = collections.Counter(), 0

    def during(helper):
        for _ in range(10):
            time.sleep(0.05)
            subprocess.run(['sync', folder], check=True)

    record(path, '--events=sched', during=during)
    with open(path, 'rb') as file:
        stream = Stream(file.read(), next(id_ for id_, name in tracepoint_names().items() if name == 'sched:sched_switch'))
    for attr, fields in stream.fields:
        comm, state = fields[8:24].split(b'\0')[0], struct.unpack_from('<q', fields, 32)[0]
        seen[has_no_stack(comm, state), attr['sample_type'] & CALLCHAIN != 0] += 1
        own += comm == b'wakepath-collec'
    check('switches out of the idle task, of kworkers without work and of the recorder have no stack', seen[True, False] > 5 and seen[True, True] == 0, seen)
    check('… and the recorder is seen', own > 0)
    check('… all others have one', seen[False, True] > 5 and seen[False, False] == 0, seen)


def test_once(folder):
    """Each firing is there once: as many switches of two processes as the kernel counts for them."""
    path = f'{folder}/once.data'
    kernel = {}

    def during(helper):
        process = subprocess.Popen(['taskset', '-c', '0', f'{WORKLOADS}/pass', '1000', '20'], stdout=subprocess.PIPE, text=True)
        kernel['truth'] = json.loads(process.stdout.readline())
        kernel['usage'] = os.wait4(process.pid, 0)[2]
        process.returncode = 0

    record(path, '--events=sched', during=during)
    truth, usage = kernel['truth'], kernel['usage']
    text = subprocess.run(['perf', 'script', '-i', path, '-F', 'time,event,trace', '-G', '--ns'], capture_output=True,
                          text=True).stdout
    pids = (f"prev_pid={truth['pid']} ", f"prev_pid={truth['partner_pid']} ")
    switches = [line for line in text.splitlines() if 'sched_switch' in line and any(pid in line for pid in pids)]
    preempted = sum('prev_state=R' in line for line in switches)
    check('no firing twice', len(set(switches)) == len(switches) > 1000, len(switches))
    check('voluntary switches as many as the kernel counts', abs(len(switches) - preempted - usage.ru_nvcsw) <= 5,
          (len(switches), preempted, usage))
    check('preemptions as many as the kernel counts', abs(preempted - usage.ru_nivcsw) <= 5, (preempted, usage))


def test_no_stacks(folder):
    path = f'{folder}/none.data'
    record(path, '--stacks=none', '--events=sched,cpu', '--rate=1000', '--cpus=0', '--buffer-kb=512', command=['true'])
    stream, names = stream_of(path), tracepoint_names()
    check('no stacks where none are asked for', stream.whole and not any(a['sample_type'] & CALLCHAIN for a in stream.attrs))
    check('only the groups asked for', set(stream.by_name(names)) <= {'cpu'} | {n for n in names.values() if
                                                                               n.startswith('sched:')}, stream.by_name(names))
    check('only the CPU asked for', len(stream.ids) == len(stream.attrs))


def run_cpu(ms):
    """Runs the workload of that name and returns its pid."""
    out = subprocess.run([f'{WORKLOADS}/cpu', str(ms)], capture_output=True, text=True, check=True).stdout
    return json.loads(out)['pid']


def test_copies(folder):
    """Copies of stacks: with what ends in user mode only, of the size asked for, beside the kernel's own part."""
    path = f'{folder}/copies.data'
    helper, _ = record(path, '--stacks=dwarf', '--stack-bytes=4096', '--rate=500', command=[f'{WORKLOADS}/pass', '200', '20'])
    stream, names, stopped = stream_of(path), tracepoint_names(), helper.wait_for('stopped')
    copied = [a for a in stream.attrs if a['sample_type'] & STACK_USER]
    kinds = sorted(names.get(a['config'], '?') if a['type'] == 2 else 'cpu' for a in copied)
    check('copies of stacks: whole stream, nothing lost', stream.whole and stopped['lost'] == 0, stopped)
    check('… with switches and CPU samples', kinds == ['cpu', 'sched:sched_switch'], kinds)
    check('… beside the kernel’s stack', all(a['chains'] > 0 and a['user'] == 0 and a['sample_type'] & REGS_USER for a in copied), copied)
    check('… of the size asked for', all(a['stack'] == 4096 and a['copied'] > 0 for a in copied), copied)
    check('… and nothing else has any', all(a['copied'] == 0 for a in stream.attrs if a not in copied))


def events_of(path, pid):
    out = subprocess.run(['perf', 'script', '-i', path, '--pid', str(pid), '-F', 'pid,event', '-G'], capture_output=True, text=True)
    return [line.split()[1].split(':')[0] for line in out.stdout.splitlines() if len(line.split()) > 1]


def test_pause(folder):
    path = f'{folder}/pause.data'
    pids = {}

    def during(helper):
        helper.say('resume')  # one too many
        helper.say('pause')
        helper.say('pause')
        check('pauses', helper.wait_for('paused') is not None)
        pids['paused'] = run_cpu(60)
        helper.say('resume')
        pids['still paused'] = run_cpu(60)
        check('pauses nest', helper.wait_for('resumed', 1) is None)
        helper.say('nonsense ' + 'x' * 5000)
        helper.say('rate 0')
        helper.say('resume')
        check('resumes', helper.wait_for('resumed') is not None)
        check('each command is followed and told, also one that asks too much', helper.wait_for('resumed')['commands'] == 6, helper.messages)
        pids['after'] = run_cpu(60)

    helper, _ = record(path, during=during)
    check('nothing of a paused time', events_of(path, pids['paused']) == events_of(path, pids['still paused']) == [] and
          helper.status == 0)
    check('… but what came after', len(events_of(path, pids['after'])) > 20)
    pieces = [struct.unpack('<QQ', data) for data in stream_of(path).features.get(PAUSE, [])]
    check('… and the stream says from when to when, a piece for each answer', len(pieces) > 1 and all(since < to for since, to in pieces) and
          all(to == since for (_, to), (since, _) in zip(pieces, pieces[1:])), pieces)


def test_rounds(folder):
    """So much of the stream as an answer says is a whole one, and has all up to the question."""
    path = f'{folder}/rounds.data'
    parts = []

    def during(helper):
        for i in range(3):
            pid = run_cpu(30)
            helper.say('round')
            while not any(m.get('commands', 0) > i for m in helper.messages) and helper.read(20):
                pass
            parts.append((pid, next(m for m in helper.messages if m.get('commands', 0) > i)))

    record(path, '--events=sched,cpu', during=during)
    with open(path, 'rb') as file:
        data = file.read()
    for i, (pid, answer) in enumerate(parts):
        part = f'{folder}/part.data'
        with open(part, 'wb') as file:
            file.write(data[:answer['bytes']])
        stream = stream_of(part)
        check(f'round {i + 1}: the stream is whole up to where it ends', stream.whole and sum(stream.types[t] for t in (SAMPLE,)) == answer['events'], answer)
        check('… and has what came before', len(events_of(part, pid)) > 5)


def output_of(pid):
    try:
        return os.readlink(f'/proc/{pid}/fd/1')
    except OSError:
        return None


def readers_of(helper):
    """The processes that read its rings: of its children only these write where it does."""
    with open(f'/proc/{helper.process.pid}/task/{helper.process.pid}/children') as file:
        return [pid for pid in map(int, file.read().split()) if output_of(pid) == output_of(helper.process.pid)]


def rounds_of(data, types):
    """Where each round ends, how many samples there are up to there, the first and the last time of those that are its own. `types`: what samples have, by id."""
    at, first, last, samples, rounds = 16, None, 0, 0, []
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        if kind == SAMPLE:  # every event has its id in front, then perhaps an address, who it was, when
            when, = struct.unpack_from('<Q', data, at + (32 if types[struct.unpack_from('<Q', data, at + 8)[0]] & 1 else 24))
            first, last, samples = min(first or when, when), max(last, when), samples + 1
        at += size + (struct.unpack_from('<I', data, at + 8)[0] if kind == TRACING_DATA else 0)
        if kind == ROUND:
            rounds.append((at, samples, first, last))
            first = None
    return rounds


def test_readers(folder):
    """Several readers, as where there are many CPUs: one stream, as whole and in as good an order as that of one."""
    counts = {}
    for readers in (1, 2):
        path, answers = f'{folder}/readers-{readers}.data', []

        def during(helper, answers=answers):
            statuses = [status_of(pid) for pid in readers_of(helper)]
            check(f'{readers}: the helper says how many readers there are', helper.wait_for('started')['readers'] == readers and
                  len(statuses) == (readers if readers > 1 else 0), statuses)
            check('… which have no capabilities and filtered system calls', all(
                int(status['CapPrm'], 16) == int(status['CapBnd'], 16) == 0 and status['NoNewPrivs'] == '1' and
                status['Seccomp_filters'] == '2' for status in statuses), statuses)
            for i in range(4):
                subprocess.run([f'{WORKLOADS}/pass', '500', '1'], stdout=subprocess.DEVNULL, check=True)
                helper.say('round')
                while not any(m.get('commands', 0) > i for m in helper.messages) and helper.read(20):
                    pass
                answers.append(next(m for m in helper.messages if m.get('commands', 0) > i))
            helper.say('pause')
            helper.say('resume')

        helper, _ = record(path, f'--readers={readers}', '--events=sched,cpu', during=during)
        stopped = helper.wait_for('stopped')
        with open(path, 'rb') as file:
            data = file.read()
        stream = Stream(data)
        check(f'{readers}: the stream is whole, nothing is lost', helper.status == 0 and stream.whole and
              stopped['lost'] == stream.lost == 0, helper.messages)
        check('… and counted', stopped['bytes'] == len(data) and stopped['events'] == stream.types[SAMPLE], (stopped, stream.types))
        rounds = rounds_of(data, {id_: attr['sample_type'] for id_, attr in stream.ids.items()})
        check('… each answer says where a round ends, and what there is up to there',
              {(answer['bytes'], answer['events']) for answer in answers} <= {row[:2] for row in rounds}, (answers, rounds))
        latest, late = [0, 0], []
        for _, _, first, last in rounds:  # at the end of a round perf gives out what is no later than the end of the one before
            late += [first] if first is not None and first < latest[-2] else []
            latest.append(max(latest[-1], last))
        check('… nothing comes later than its round allows', len(rounds) > 4 and late == [], (rounds, late))
        counts[readers] = stream.by_name(tracepoint_names())['sched:sched_switch']
        result = subprocess.run(['perf', 'report', '-i', path, '--stdio', '--sort', 'comm', '-g', 'none', '--no-children'], capture_output=True, text=True)
        check('… perf reads it', result.returncode == 0 and 'out of order' not in result.stderr and 'pass' in result.stdout, result.stderr)
    check('both have as many switches as that takes', min(counts.values()) > 4000, counts)


def test_reader_killed(folder):
    """Whoever records may kill a reader, which is his: that ends the recording with a word."""
    with open(f'{folder}/killed.data', 'wb') as output:
        helper = Helper(output, '--readers=2')
    helper.wait_for('started')
    first, second = readers_of(helper)
    os.kill(first, signal.SIGKILL)
    status, error = helper.end(), helper.wait_for('error', 1)
    check('a reader that ends is told', status == 1 and error and error['code'] == 'perf' and 'ended' in error['text'], helper.messages)
    for _ in range(50):
        if not os.path.exists(f'/proc/{second}'):
            break
        time.sleep(0.1)
    check('… and no other one is left', not os.path.exists(f'/proc/{second}'))


def test_readers_wait(folder):
    """Readers whose output nobody takes: the helper's patience ends them, and so does its end."""
    for how in ('patience', 'kill'):
        read_end, write_end = os.pipe()
        helper = Helper(write_end, '--readers=2', *(['--patience=1'] if how == 'patience' else []))
        os.close(write_end)
        while helper.wait_for('started', 0.01) is None and select.select([read_end], [], [], 20)[0]:
            os.read(read_end, 1 << 20)
        pids = readers_of(helper)
        subprocess.run([f'{WORKLOADS}/pass', '4000', '1'], stdout=subprocess.DEVNULL, check=True)
        if how == 'kill':
            helper.process.kill()
        status = helper.end(20)
        check(f'readers that wait end ({how})', status == (1 if how == 'patience' else -signal.SIGKILL), (status, helper.messages))
        for _ in range(80):
            if not any(os.path.exists(f'/proc/{pid}') for pid in pids):
                break
            time.sleep(0.1)
        check('… all of them', len(pids) == 2 and not any(os.path.exists(f'/proc/{pid}') for pid in pids), pids)
        os.close(read_end)


def test_rate(folder):
    path = f'{folder}/rate.data'
    counts = {}
    for rate in (500, 4000):
        def during(helper, rate=rate):
            helper.say(f'rate {rate}')
            time.sleep(0.5)
            counts[rate] = run_cpu(400)
        record(path, '--rate=1000', during=during)
        counts[rate] = sum(event in ('cpu-clock', 'cycles') for event in events_of(path, counts[rate]))
    check('follows a change of rate', counts[4000] > 4 * counts[500] > 0, counts)


def test_lost(folder):
    """A helper that gets no CPU loses events: it passes on what the kernel says of that, and counts it."""
    path = f'{folder}/lost.data'

    def during(helper):
        helper.process.send_signal(signal.SIGSTOP)
        subprocess.run([f'{WORKLOADS}/pass', '3000', '1'], stdout=subprocess.DEVNULL, check=True)
        helper.process.send_signal(signal.SIGCONT)
        subprocess.run([f'{WORKLOADS}/pass', '10', '1'], stdout=subprocess.DEVNULL, check=True)

    helper, _ = record(path, '--buffer-kb=64', during=during)
    stream, stopped = stream_of(path), helper.wait_for('stopped')
    check('lost events are told', stream.whole and stopped['lost'] == stream.lost > 0, (stopped, stream.lost))


def test_lost_last(folder):
    """What is lost when nothing comes after it is told, too, as far as the kernel counts it (since Linux 6.0). Whether something comes is chance."""
    path = f'{folder}/last.data'
    fewest = 10000

    for i in range(4 if tuple(map(int, os.uname().release.split('.')[:2])) >= (6, 0) else 0):
        with open(path, 'wb') as output:
            helper = Helper(output, '--buffer-kb=64', '--events=sched', '--cpus=0')
        helper.wait_for('started')
        helper.process.send_signal(signal.SIGSTOP)
        subprocess.run(['taskset', '-c', '0', f'{WORKLOADS}/pass', str(fewest // 2), '1'], stdout=subprocess.DEVNULL, check=True)
        helper.say('stop')
        helper.process.send_signal(signal.SIGCONT)
        helper.end()
        stream, stopped = stream_of(path), helper.wait_for('stopped')
        check(f'the last losses are told, too ({i + 1})', stream.whole and stopped['bytes'] == os.path.getsize(path) and
              stopped['lost'] == stream.lost >= fewest - stream.types[SAMPLE], (stopped, stream.types, stream.lost))


def test_size(folder):
    """A recording that has become as large as it may ends by itself: whole, and saying so."""
    path = f'{folder}/size.data'
    with open(path, 'wb') as output:
        helper = Helper(output, '--size-mb=12', '--buffer-kb=1024')
    started = helper.wait_for('started')
    workload = subprocess.Popen([f'{WORKLOADS}/pass', '2000000', '1'], stdout=subprocess.DEVNULL, start_new_session=True)
    status, full, stopped = helper.end(60), helper.wait_for('full', 1), helper.wait_for('stopped', 1)
    os.killpg(workload.pid, signal.SIGKILL)  # with its partner
    workload.wait()
    check('a recording that has become large ends by itself', status == 0 and stopped and stopped['why'] == 'size', helper.messages)
    check('… and says so', full and [row for row in full['missing'] if row not in started['missing']] ==
          [row for row in full['missing'] if row['name'] == 'the end' and '12 MB' in row['why']] != [], (full, started['missing']))
    stream, size = stream_of(path), os.path.getsize(path)
    check('… with a whole stream, of no more than that and what was in its buffers', stream.whole and stopped['bytes'] == size and
          12 << 20 <= size < (12 << 20) + 2 * (1 << 20) * started['cpus'] + (1 << 16), (size, stopped))
    check('… in whose end it stands', 'the end: the recording ended when it had become 12 MB large' in
          stream.features[200][-1].decode(), stream.features.get(200))


def test_privileges(folder):
    with open(f'{folder}/privileges.data', 'wb') as output:
        helper = Helper(output, user=65534)
    helper.wait_for('started')
    time.sleep(0.3)
    status = status_of(helper.process.pid)
    check('the user of PKEXEC_UID', status['Uid'].split() == ['65534'] * 4 and status['Groups'].strip() == '', status)
    check('no capabilities', all(int(status[k], 16) == 0 for k in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb')), status)
    check('no new privileges, filtered system calls', status['NoNewPrivs'] == '1' and status['Seccomp'] == '2', status)
    check('not to be looked into', os.stat(f'/proc/{helper.process.pid}/mem').st_uid == 0)
    helper.say('pause')
    helper.say('resume')
    helper.say('rate 2000')
    check('goes on after that', helper.wait_for('resumed') is not None)
    helper.close_input()
    check('end of input is stop', helper.end() == 0 and helper.wait_for('stopped')['why'] == 'end of input', helper.messages)


def test_signals(folder):
    with open(f'{folder}/signal.data', 'wb') as output:
        helper = Helper(output)
    helper.wait_for('started')
    helper.process.send_signal(signal.SIGINT)
    helper.process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    check('a terminal’s signals are not its business', helper.process.poll() is None)
    helper.process.terminate()
    check('SIGTERM is an orderly stop', helper.end() == 0 and helper.wait_for('stopped') is not None, helper.messages)
    check('… with a whole stream', stream_of(f'{folder}/signal.data').whole)


def test_inherited(folder):
    """What a caller leaves behind for whom it starts: blocked signals, a limit for files."""
    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and so would who is started
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    with open(f'{folder}/blocked.data', 'wb') as output:
        helper = Helper(output, before=block)
    helper.wait_for('started')
    helper.process.terminate()
    check('a blocked signal stops it all the same', helper.end() == 0 and helper.wait_for('stopped')['why'] == 'signal', helper.messages)
    with open(f'{folder}/limited.data', 'wb') as output:
        helper = Helper(output, before=limit)
    status, error = helper.end(), helper.wait_for('error', 1)
    check('a file that may not grow ends it with a word', status == 1 and error and error['code'] == 'output' and
          'too large' in error['text'], (status, helper.messages))


def test_caller_killed(folder):
    """A caller that is killed leaves nothing behind but the recording so far."""
    script = ('import subprocess, sys, time\n'
              f'p = subprocess.Popen([{HELPER!r}], stdin=subprocess.PIPE, stdout=open({folder + "/orphan.data"!r}, "wb"),'
              ' stderr=subprocess.PIPE)\n'
              'p.stderr.readline(); print(p.pid, flush=True); time.sleep(60)\n')
    caller = subprocess.Popen([sys.executable, '-c', script], stdout=subprocess.PIPE, text=True)
    pid = int(caller.stdout.readline())
    handle = os.pidfd_open(pid)
    time.sleep(0.3)
    caller.kill()
    caller.wait()
    began = time.monotonic()
    gone = bool(select.select([handle], [], [], 10)[0])
    check('ends when its caller is killed', gone, time.monotonic() - began)
    if not gone:
        os.kill(pid, signal.SIGKILL)
    check('… and the recording is whole', stream_of(f'{folder}/orphan.data').whole)


def test_full_disk(folder):
    mount = f'{folder}/full'
    os.mkdir(mount)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mount], check=True)
    try:
        with open(f'{mount}/full.data', 'wb') as output:
            helper = Helper(output)
        helper.wait_for('started')
        subprocess.run([f'{WORKLOADS}/pass', '40000', '1'], stdout=subprocess.DEVNULL, check=True)
        status, error = helper.end(), helper.wait_for('error', 1)
        check('a full disk ends it with a word', status == 1 and error and error['code'] == 'output' and
              'No space left' in error['text'], (status, helper.messages))
        stream = stream_of(f'{mount}/full.data')
        check('what fits is there', stream.types[SAMPLE] > 1000, stream.types)
        with open(f'{mount}/none.data', 'wb') as output:
            helper = Helper(output)
        status, error = helper.end(), helper.wait_for('error', 1)
        check('… also right at the start', status == 1 and error and error['code'] == 'output', helper.messages)
    finally:
        subprocess.run(['umount', mount], check=True)


def test_closed_pipe():
    read_end, write_end = os.pipe()
    helper = Helper(write_end)
    os.close(write_end)
    os.close(read_end)
    status, error = helper.end(), helper.wait_for('error', 1)
    check('a reader that went away ends it', status == 1 and error and error['code'] == 'output', (status, helper.messages))


def test_without_rights():
    """An ordinary user gets an error, not a recording of his own processes."""
    with tempfile.TemporaryDirectory(prefix='wakepath-rights-') as folder:  # the build may lie where only root may go
        os.chmod(folder, 0o755)
        own = shutil.copy(HELPER, folder)
        result = subprocess.run(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--bounding-set=-all',
                                 '--inh-caps=-all', own], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd='/')
    messages = [json.loads(line) for line in result.stderr.splitlines() if line.startswith('{')]
    paranoid = int(open('/proc/sys/kernel/perf_event_paranoid').read())
    check('without rights it fails', result.returncode == 1 and messages and messages[-1]['message'] == 'error' and
          messages[-1]['code'] in ('permission', 'tracefs') and paranoid > -1, (result, paranoid))


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    if not os.path.isdir(f'{TRACING}/events/sched'):
        raise SystemExit(f'Bail out! tracefs is not mounted on {TRACING}: mount -t tracefs tracefs {TRACING}')
    with tempfile.TemporaryDirectory(prefix='wakepath-collector-') as folder:
        test_options()
        with Spinners(WORKLOADS):
            test_contents(*test_stream(folder))
            test_once(folder)
            test_no_stacks(folder)
            test_copies(folder)
            test_pause(folder)
            test_rounds(folder)
            test_readers(folder)
            test_rate(folder)
            test_lost(folder)
            test_lost_last(folder)
        test_reader_killed(folder)
        test_readers_wait(folder)
        test_whose_stacks(folder)
        test_size(folder)
        test_privileges(folder)
        test_signals(folder)
        test_inherited(folder)
        test_caller_killed(folder)
        test_full_disk(folder)
        test_closed_pipe()
        test_without_rights()
    return end()


if __name__ == '__main__':
    sys.exit(main())
