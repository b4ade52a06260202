#!/usr/bin/python3
"""Steering a recording while it runs, as root: by another program as it would steer perf record, by a signal, by keys on a terminal. Pauses and
rates are seen in what perf finds in the recording; a snapshot is what the finished recording begins with. Needs a mounted tracefs. TAP.
usage: test-steering.py CLI WORKLOADS
"""
import json
import os
import pty
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import termios
import time

from stream import ROUND, REGS_USER, STACK_USER, Stream
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 240


def cli(*arguments):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=PATIENCE)


def run_cpu(ms):
    """Runs the workload of that name and returns its pid."""
    out = subprocess.run([f'{WORKLOADS}/cpu', str(ms)], capture_output=True, text=True, check=True).stdout
    return json.loads(out)['pid']


def read(path):
    with open(path, 'rb') as file:
        return file.read()


class Recording:
    """A recording that is steered over two FIFOs."""

    def __init__(self, folder, name, *options):
        self.path, self.stem = f'{folder}/{name}.data', f'{folder}/{name}'
        ends = [f'{folder}/{name}.{end_}' for end_ in ('commands', 'answers')]
        for end_ in ends:
            os.mkfifo(end_)
        self.commands, self.answers = (os.open(end_, os.O_RDWR | os.O_CLOEXEC) for end_ in ends)
        self.rest = b''
        self.process = subprocess.Popen([CLI, 'record', '--form', 'stream', '-o', self.path, '--control', f'fifo:{ends[0]},{ends[1]}', *options],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def say(self, line):
        """Returns the answer; None where none comes in time."""
        os.write(self.commands, line.encode() + b'\n')
        while b'\n' not in self.rest:
            if not select.select([self.answers], [], [], PATIENCE)[0]:
                return None
            self.rest += os.read(self.answers, 4096)
        answer, self.rest = self.rest.split(b'\n', 1)
        return answer.decode()

    def end(self):
        """Returns the exit status and what was said on standard error."""
        said = self.process.communicate(timeout=PATIENCE)[1]
        os.close(self.commands)
        os.close(self.answers)
        return self.process.returncode, said


def perf_lines(path, *options):
    out = subprocess.run(['perf', 'script', '-i', path, '--ns', '-G', *options], capture_output=True, text=True)
    return out.stdout.splitlines()


TIME = re.compile(r'\[(\d+)\]\s+(\d+)\.(\d{9}):')


def timed(path):
    """(ns, CPU, line) of each event, in perf's order."""
    found = []
    for line in perf_lines(path, '-F', 'tid,cpu,time,event,trace'):
        match = TIME.search(line)
        if match:
            found.append((int(match[2]) * 10 ** 9 + int(match[3]), int(match[1]), line))
    return found


def events_of(path, pid):
    return [line for line in perf_lines(path, '--pid', str(pid), '-F', 'pid,event') if line.strip()]


def holds_end(path, pid):
    """Whether the recording has the process's last switch. Who waits for a process is told of its end before that."""
    return any(re.search(rf'prev_pid={pid} .*prev_state=[XZ]', line) for line in perf_lines(path, '--pid', str(pid), '-F', 'event,trace'))


def distance(path, pid):
    """The usual time from one CPU sample to the next on the same CPU, in ns, while this process runs, alone or in turns with others."""
    samples = [(int(m[1]), int(m[2]), int(m[3]) * 10 ** 9 + int(m[4])) for m in
               (re.match(r'\s*(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):', line) for line in perf_lines(path, '-F', 'pid,cpu,time,event')
                if 'cpu-clock' in line or 'cycles' in line) if m]
    life = [ns for of, _, ns in samples if of == pid]
    times = sorted((cpu, ns) for _, cpu, ns in samples if life and life[0] <= ns <= life[-1])
    gaps = [b[1] - a[1] for a, b in zip(times, times[1:]) if a[0] == b[0]]
    return statistics.median(gaps) if gaps else 0


def end_of_rounds(data):
    """Where the last round ends in a stream."""
    at, last = 16, 0
    while at + 8 <= len(data):
        kind, size = int.from_bytes(data[at:at + 4], 'little'), int.from_bytes(data[at + 6:at + 8], 'little')
        if kind == 66:
            size += int.from_bytes(data[at + 8:at + 12], 'little')
        at += size
        if kind == ROUND:
            last = at
    return last


def report(path, task, *options):
    done = cli('report', path, '--task', task, '--format', 'json', *options)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def numbers(found):
    """What an explanation says of its process, without how long the recording is."""
    return (found['tids'], found['total_ns'], {category['id']: category['ns'] for category in found['categories']}) if isinstance(found, dict) else found


def test_pause(folder):
    recording = Recording(folder, 'pause', '--rate', '1000')
    check('steering: another program is answered', recording.say('ping') == 'ack')
    sleeper = subprocess.Popen(['sleep', '1.5'])
    before = run_cpu(60)
    answers = [recording.say(word) for word in ('resume', 'pause', 'pause', 'disable', 'disable', 'enable')]
    first = time.monotonic_ns()
    pids = [run_cpu(60)]
    answers.append(recording.say('resume'))
    pids.append(run_cpu(60))
    last = time.monotonic_ns()
    answers.append(recording.say('resume'))
    after = run_cpu(60)
    sleeper.wait()
    answers.append(recording.say('stop'))
    status, said = recording.end()
    check('… each line', status == 0 and answers == ['ack'] * 9, (answers, said))
    found = timed(recording.path)
    inside = [line for ns, _, line in found if first <= ns <= last]
    check('pause: nothing is in between, of nobody', len(found) > 100 and not inside, inside[:5])
    check('… nor of who ran then, though a pause of two was over', not any(events_of(recording.path, pid) for pid in pids))
    check('… but what came before and after', all(len(events_of(recording.path, pid)) > 20 for pid in (before, after)))
    info = json.loads(cli('info', recording.path, '--format', 'json').stdout)
    pauses = [(info['from'] + pause['start_ns'], info['from'] + pause['end_ns']) for pause in info['pauses']]
    check('… and the recording says when', len(pauses) == 1 and pauses[0][0] <= first and last <= pauses[0][1] and info['lost'] == 0, (pauses, first, last))
    found = report(recording.path, f'sleep:{sleeper.pid}')
    names = {row['name']: row['ns'] for category in found['categories'] for row in category.get('rows', [])}
    paused = names.get('recording was paused', 0)
    check('… what slept over it is unaccounted for so long, and explained besides', abs(paused - (pauses[0][1] - pauses[0][0])) < 10 ** 6 and
          sum(names.values()) - paused > 5 * 10 ** 8, names)
    check('… info and report say it in words', 'Paused at ' in cli('info', recording.path).stdout and
          'recording was paused' in cli('report', recording.path, '--task', f'sleep:{sleeper.pid}').stdout)


def test_stop_in_pause(folder):
    """Who runs when it is paused runs on unseen: neither the recording that is stopped in the pause, nor a snapshot of it, says that it did."""
    busy = spin()
    recording = Recording(folder, 'stopped', '--rate', '500')
    answers = [recording.say('ping')]
    let_run([busy])
    answers.append(recording.say('disable'))
    paused = time.monotonic_ns()
    subprocess.run(['sleep', '0.3'], check=True)  # its name is recorded
    answers.append(recording.say('snapshot'))
    snapped = time.monotonic_ns()
    subprocess.run(['sleep', '0.3'], check=True)
    answers.append(recording.say('stop'))
    status, said = recording.end()
    busy.kill()
    busy.wait()
    check('stopped in a pause: done', status == 0 and answers == ['ack'] * 4, (answers, said))
    for path, least in ((recording.path, snapped), (f'{recording.stem}-snapshot-1.data', paused + 3 * 10 ** 8)):
        info = json.loads(cli('info', path, '--format', 'json').stdout)
        pauses = [(info['from'] + pause['start_ns'], info['from'] + pause['end_ns']) for pause in info['pauses']]
        check(f'… {os.path.basename(path)} has one pause, to its end', len(pauses) == 1 and pauses[0][0] <= paused and pauses[0][1] >= least, (pauses, paused, least))
        found = report(path, f'python3:{busy.pid}')
        known = sum(category['ns'] for category in found['categories'] if category['id'] != 'unaccounted')
        check('… and who ran is known to have done so before it alone', 10 ** 8 < known < paused - info['from'] + 10 ** 7, (known, pauses))


def test_rate(folder):
    recording = Recording(folder, 'rate', '--rate', '100')
    pids, answers = {}, []
    for rate in (100, 1000, 250):
        answers.append(recording.say(f'rate {rate}'))
        pids[rate] = run_cpu(400)
    wrong = [recording.say(word) for word in ('rate 0', 'rate', 'rate 100001', 'rate x', 'evlist', 'x' * 500)]
    check('rate: answered', answers == ['ack'] * 3 and recording.say('stop') == 'ack' and recording.end()[0] == 0, answers)
    check('… and what is no command is refused', wrong == ['error: no such command'] * 6, wrong)
    distances = {rate: distance(recording.path, pid) for rate, pid in pids.items()}
    rates = json.loads(cli('info', recording.path, '--format', 'json').stdout)['rates']
    check('… the recording says from when on', [row['rate'] for row in rates] == [1000, 250] and
          0 < rates[0]['from_ns'] < rates[1]['from_ns'], rates)
    check('… the distance of samples follows', all(0.8 < distances[rate] * rate / 10 ** 9 < 1.25 for rate in pids), distances)


SPINNING = 'import sys\nprint(0, flush=True)\nwhile True: pass'


def spin():
    """A busy process, once it is."""
    process = subprocess.Popen([sys.executable, '-c', SPINNING], stdout=subprocess.PIPE)
    process.stdout.readline()
    return process


def cpu_ns(process):
    with open(f'/proc/{process.pid}/stat', encoding='utf-8') as file:
        return int(file.read().rsplit(')', 1)[1].split()[11]) * 10 ** 9 // os.sysconf('SC_CLK_TCK')


def let_run(processes, ns=2 * 10 ** 8):
    """Until each of them has had a CPU for so long, whatever else wants one."""
    ends = [cpu_ns(process) + ns for process in processes]
    until = time.monotonic() + PATIENCE
    while any(cpu_ns(process) < end_ for process, end_ in zip(processes, ends)) and time.monotonic() < until:
        time.sleep(0.01)


def sampled(path):
    """(ns, pid) of each CPU sample, as perf finds it."""
    found = (re.match(r'\s*(\d+)\s+(\d+)\.(\d{9}):', line) for line in perf_lines(path, '-F', 'pid,time,event') if 'cpu-clock' in line or 'cycles' in line)
    return [(int(m[2]) * 10 ** 9 + int(m[3]), int(m[1])) for m in found if m]


def test_sample(folder):
    """Two busy processes, one of them chosen: in each phase both or that one is sampled. A pause is respected, and another rate is for both."""
    chosen, other = spin(), spin()
    recording = Recording(folder, 'sample', '--rate', '500', '--pid', str(chosen.pid))
    phases, answers = [], [recording.say('ping')]
    for word in ('sample all', 'sample chosen', 'pause', 'rate 1000', 'sample all', 'sample chosen', 'resume', 'sample all'):
        answers.append(recording.say(word))
        begin = time.monotonic_ns()
        if word in ('sample all', 'sample chosen', 'resume'):
            let_run((chosen, other))
        phases.append((begin, time.monotonic_ns()))
    answers.append(recording.say('snapshot'))
    recording.say('stop')
    status, said = recording.end()
    found = sampled(recording.path)
    who = [{pid: sum(of == pid and begin <= ns <= end_ for ns, of in found) for pid in (chosen.pid, other.pid)} for begin, end_ in phases]
    both, alone, _, _, paused, still_paused, resumed, again = who
    check('sample: each word is followed', status == 0 and answers == ['ack'] * 10, (answers, said))
    check('sample: of both, then of the chosen one alone, then of both', min(both.values()) > 20 and alone[chosen.pid] > 20 and alone[other.pid] == 0 and
          min(again.values()) > 20, who)
    check('… of nobody in a pause, and behind it of whom was asked for in it', not any([*paused.values(), *still_paused.values()]) and
          resumed[chosen.pid] > 20 and resumed[other.pid] == 0, who)
    check('… a new rate is for both', min(again.values()) > 1.2 * min(both.values()), who)
    for path in (recording.path, f'{recording.stem}-snapshot-1.data'):
        info = json.loads(cli('info', path, '--format', 'json').stdout)
        check('… and the recording says that it was so for a part', info['sampled'] == 'chosen processes, for a part of the time' and info['lost'] == 0, info)
    check('… where nothing was chosen that is refused with a word', refuses_choice(folder))
    for process in (chosen, other):
        process.kill()
        process.wait()


def refuses_choice(folder):
    recording = Recording(folder, 'no-choice', '--rate', '200')
    answers = [recording.say('ping'), recording.say('sample chosen'), recording.say('sample all'), recording.say('stop')]
    said = recording.end()[1]
    return answers == ['ack', *[f'error: {word}: no processes were chosen when recording began' for word in ('sample chosen', 'sample all')], 'ack'] and \
        said.count('no processes were chosen') == 2 and '"sampled": "all processes"' in cli('info', recording.path, '--format', 'json').stdout


def test_interest(folder):
    """What a snapshot, and the recording, opens with."""
    recording = Recording(folder, 'interest', '--rate', '200')
    recording.say('ping')
    pids, opened = [run_cpu(60) for _ in range(2)], []
    for pid in pids:
        opened.append(recording.say(f'interest {pid}'))
        opened.append(recording.say('snapshot'))
    wrong = [recording.say(word) for word in ('interest', 'interest 0', 'interest x')]
    recording.say('stop')
    status, said = recording.end()
    explained = [json.loads(cli('report', path, '--format', 'json').stdout)['tids'] for path in
                 (f'{recording.stem}-snapshot-1.data', f'{recording.stem}-snapshot-2.data', recording.path)]
    check('interest: the process that was named last is explained', status == 0 and opened == ['ack'] * 4 and
          explained == [[pids[0]], [pids[1]], [pids[1]]] and wrong == ['error: no such command'] * 3, (opened, explained, pids, wrong, said))


def test_snapshots(folder):
    with Spinners(WORKLOADS) as spinners:
        test_snapshots_between(folder, spinners.options)


def test_snapshots_between(folder, idle):
    """While no CPU is idle: what some virtual machines drop there is unaccounted in one of two recordings and not in the other."""
    recording = Recording(folder, 'long', '--rate', '1000')
    recording.say('ping')
    pids, reports, answers = [], [], []
    for i in (1, 2):
        pids.append(run_cpu(60))
        answers.append(recording.say('snapshot'))
        reports.append([report(f'{recording.stem}-snapshot-{i}.data', f'cpu:{pid}', *idle) for pid in pids])
        check(f'snapshot {i}: saved and explained while recording goes on', answers[-1] == 'ack' and recording.process.poll() is None and
              all(isinstance(found, dict) for found in reports[-1]), (answers, reports[-1]))
    recording.process.send_signal(signal.SIGUSR2)
    third = f'{recording.stem}-snapshot-3.data'
    until = time.monotonic() + PATIENCE
    while not os.path.exists(third) and time.monotonic() < until:
        time.sleep(0.05)
    pids.append(run_cpu(60))
    os.write(recording.commands, b'snapshot\nstop\n')  # the last one is finished beyond the end
    status, said = recording.end()
    whole = read(recording.path)
    check('… one by SIGUSR2, one that the end comes upon', status == 0 and os.path.exists(third) and
          f'{recording.stem}-snapshot-4.data: saved' in said, said)
    events = timed(recording.path)
    for i in range(1, 5):
        path = f'{recording.stem}-snapshot-{i}.data'
        part, ours = read(path), timed(path)
        rounds = end_of_rounds(part)
        check(f'snapshot {i}: whole, and what the finished recording begins with', Stream(part).whole and
              0 < rounds and whole.startswith(part[:rounds]), (rounds, len(part)))
        until = min(max(ns for ns, of, _ in ours if of == cpu) for cpu in {cpu for _, cpu, _ in ours})
        check('… the same events as that has up to then', [e for e in ours if e[0] <= until] == [e for e in events if e[0] <= until] and len(ours) > 100,
              (len(ours), until))
        check('… for the user alone', os.stat(path).st_mode & 0o777 == 0o600)
    final = [report(recording.path, f'cpu:{pid}', *idle) for pid in pids]
    ended = [[holds_end(f'{recording.stem}-snapshot-{i}.data', pid) for pid in pids[:i]] for i in (1, 2)]
    pairs = [(numbers(found), numbers(final[k])) for row, whole in zip(reports, ended) for k, found in enumerate(row) if whole[k]]
    check('… and the same explanations of who had ended by then', all(isinstance(found, dict) for found in final) and ended[1][0] and
          all(ours == theirs for ours, theirs in pairs), [pair for pair in pairs if pair[0] != pair[1]] or (ended, final))


def test_copies(folder):
    """Of copied stacks none are left in a snapshot either."""
    recording = Recording(folder, 'copies', '--rate', '200', '--stacks', 'dwarf')
    recording.say('ping')
    pid = run_cpu(60)
    answer = recording.say('snapshot')
    recording.say('stop')
    status, said = recording.end()
    part = Stream(read(f'{recording.stem}-snapshot-1.data'))
    check('snapshot of copied stacks: frames, no copies', answer == 'ack' and status == 0 and part.whole and
          not any(a['sample_type'] & (STACK_USER | REGS_USER) for a in part.attrs) and isinstance(report(f'{recording.stem}-snapshot-1.data', f'cpu:{pid}'), dict),
          (answer, said))


def test_unwritable(folder):
    """A snapshot that cannot be saved is told, and the recording goes on."""
    recording = Recording(folder, 'odd', '--rate', '200')
    recording.say('ping')
    os.mkdir(f'{recording.stem}-snapshot-1.data')
    answers = [recording.say('snapshot'), recording.say('snapshot'), recording.say('stop')]
    status, said = recording.end()
    check('snapshot: where it cannot be saved that is told, and no more', answers[0].startswith('error: ') and 'a folder' in answers[0] and
          answers[1:] == ['ack', 'ack'] and status == 0 and os.path.exists(f'{recording.stem}-snapshot-2.data'), (answers, said))


def test_wrong_ends(folder):
    for where, says in (('fifo:/nonexistent/fifo', 'mkfifo'), ('fd:77', 'no open descriptor'), ('pipe:1', 'takes fifo:'), ('fd:', 'no open descriptor')):
        done = cli('record', '-o', f'{folder}/none.data', '--control', where, '--', 'true')
        check(f'--control {where} is refused', done.returncode == 2 and says in done.stderr and not os.path.exists(f'{folder}/none.data'), done)


def test_descriptors(folder):
    """The same over descriptors that the program has inherited; who gives the commands may go."""
    commands, answers = os.pipe(), os.pipe()
    process = subprocess.Popen([CLI, 'record', '-o', f'{folder}/fd.data', '--control', f'fd:{commands[0]},{answers[1]}', '--', 'sleep', '2'],
                               pass_fds=(commands[0], answers[1]), stderr=subprocess.PIPE, text=True)
    os.write(commands[1], b'pause\nresume\nsnapshot\n')
    got = b''
    while got.count(b'\n') < 3 and select.select([answers[0]], [], [], PATIENCE)[0]:
        got += os.read(answers[0], 100)
    os.write(commands[1], b'ping')
    for fd in (*commands, *answers):
        os.close(fd)
    said = process.communicate(timeout=PATIENCE)[1]
    check('--control fd: the same, until the other end goes', got == b'ack\nack\nack\n' and process.returncode == 0 and
          os.path.exists(f'{folder}/fd-snapshot-1.data'), (got, said))


def test_keys(folder):
    path = f'{folder}/keys.data'
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(CLI, [CLI, 'record', '-o', path, '--rate', '200'])
    before = termios.tcgetattr(terminal)[3] & termios.ECHO
    said = b''

    def wait_for(text):
        nonlocal said
        while text not in said and select.select([terminal], [], [], PATIENCE)[0]:
            try:
                said += os.read(terminal, 4096)
            except OSError:
                break
        return text in said

    seen = wait_for(b'Keys: p pauses')
    during = termios.tcgetattr(terminal)[3] & termios.ECHO
    for key, text in ((b'p', b'Paused'), (b'p', b'Recording. Keys'), (b'+', b'rate 400'), (b's', b'keys-snapshot-1.data: saved'), (b'xq', b'keys.data: ')):
        said = said if text in b'keys.data: ' else b''
        os.write(terminal, key)
        seen = seen and wait_for(text)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    after = termios.tcgetattr(terminal)[3] & termios.ECHO
    os.close(terminal)
    check('keys: pause, go on, rate, snapshot, stop', seen and status == 0 and os.path.exists(path), (said, status))
    check('… and the terminal is as before', before and not during and after, (before, during, after))
    info = json.loads(cli('info', path, '--format', 'json').stdout)
    check('… one pause', len(info['pauses']) == 1, info['pauses'])


def test_attach(folder):
    """To processes by a name that they share: until the last one ends, and the oldest is the one of interest."""
    program, path = shutil.copy('/bin/sleep', f'{folder}/wp-napper'), f'{folder}/attached.data'
    naps = [subprocess.Popen([program, seconds]) for seconds in ('1.5', '3')]
    listed = json.loads(cli('processes', 'wp-napper', '--format', 'json').stdout)['processes']
    check('processes: found by name, with what there is to choose by', sorted(row['pid'] for row in listed) == sorted(nap.pid for nap in naps) and
          {row['command'] for row in listed} == {f'{program} 1.5', f'{program} 3'} and all(row['user'] == 'root' and row['state'] == 'S' for row in listed), listed)
    done = cli('record', '--attach', 'wp-napper', '--rate', '200', '-o', path)
    check('attached: until the last one ends', done.returncode == 0 and naps[1].poll() is not None and
          all(f'attached to {nap.pid}: ' in done.stderr for nap in naps), done)
    found = report(path, f'wp-napper:{naps[0].pid}')
    check('… and the oldest is explained', json.loads(cli('report', path, '--format', 'json').stdout)['tids'] == [naps[0].pid] and
          isinstance(found, dict), found)
    done = cli('record', '--attach', 'wp-napper', '-o', f'{folder}/none.data')
    check('attached: nothing that runs is an error', done.returncode == 1 and 'wakepath-cli processes' in done.stderr and
          not os.path.exists(f'{folder}/none.data'), done)


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    with tempfile.TemporaryDirectory(prefix='wakepath-steering-') as folder:
        for test in (test_wrong_ends, test_pause, test_stop_in_pause, test_rate, test_sample, test_interest, test_snapshots, test_copies, test_unwritable, test_descriptors, test_keys, test_attach):
            test(folder)
    return end()


if __name__ == '__main__':
    sys.exit(main())
