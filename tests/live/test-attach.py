#!/usr/bin/python3
"""Attaching to processes that are there already, as root: to one that sleeps all the time, to one in another pid namespace, to one with a thousand
threads, to one that forks wildly, to one that ends meanwhile. What the report says of each is held against what it did. TAP.
usage: test-attach.py CLI
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

from processes import child_of
from stream import Stream
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI = os.path.abspath(sys.argv[1])
PATIENCE = 240
WAIT = 205  # the recorder's feature: what a task waited in before

# Says "there" when it has settled. What it is told on standard input, a line, lets those go on that wait for it.
SLEEPERS = '''
import ctypes, os, select, sys, threading
threading.stack_size(65536)
def epoll(): select.epoll().poll()
def poll():
    one = select.poll()
    one.register(os.pipe()[0])
    one.poll()
def pipe(): os.read(os.pipe()[0], 1)
def sleep(): ctypes.CDLL(None).usleep(ctypes.c_uint(4000000000))
kinds = [epoll, poll, pipe, sleep]
for i in range(int(sys.argv[1])):
    threading.Thread(target=kinds[i % 4], daemon=True).start()
for task in os.listdir('/proc/self/task'):
    while task != str(os.getpid()) and open(f'/proc/self/task/{task}/stat').read().rsplit(')', 1)[1].split()[0] != 'S':
        pass
print('there', flush=True)
'''
SERVICE = SLEEPERS + 'ctypes.CDLL(None).pause()'
BUSY = SLEEPERS + '''
while True:
    select.select([], [], [], 0.01)
'''
ENDING = SLEEPERS + '''
sys.stdin.readline()
sum(i * i for i in range(300000))
'''
# Two threads that run all the time.
DIGGERS = '''
import hashlib, threading
def dig(name):
    open(f'/proc/self/task/{threading.get_native_id()}/comm', 'w').write(name)
    named.wait()
    while True:
        hashlib.pbkdf2_hmac('sha256', b'', b'', 100000)
named = threading.Barrier(3)
for name in ('left', 'right'):
    threading.Thread(target=dig, args=(name,), daemon=True).start()
named.wait()
print('there', flush=True)
threading.Event().wait()
'''
# Its children have the name that it is given.
SPINNING = '''
import os, sys
print('there', flush=True)
while True:
    child = os.fork()
    if child == 0:
        open('/proc/self/comm', 'w').write(sys.argv[1])
        sum(range(10 ** 6))
        os._exit(0)
    sum(range(10 ** 6))
    os.waitpid(child, 0)
'''
FORKING = '''
import os, sys
print('there', flush=True)
sys.stdin.readline()
for _ in range(500):
    for child in [os.fork() or os._exit(0) for _ in range(2)]:
        os.waitpid(child, 0)
'''


def start(program, *arguments, before=()):
    process = subprocess.Popen([*before, sys.executable, '-c', program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if process.stdout.readline() != 'there\n':
        raise SystemExit('Bail out! a program to attach to does not start')
    return process


def stop(process):
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


def json_of(*arguments):
    return json.loads(subprocess.run([CLI, *arguments, '--format', 'json'], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout)


class Attached:
    """A recording of a process (of a thread: by '--tid'), until it ends or so long."""

    def __init__(self, path, pid, seconds=None, meanwhile=lambda: None, options=(), word='ping', by='--attach'):
        (commands, say), (hear, answers) = os.pipe(), os.pipe()
        command = [CLI, 'record', '--form', 'stream', '-o', path, by, str(pid), '--control', f'fd:{commands},{answers}',
                   *(['--duration', str(seconds)] if seconds else []), *options]
        recorder = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, pass_fds=(commands, answers))
        os.close(answers)
        os.write(say, b'ping\n')
        os.read(hear, 64)  # the answer comes when the recording goes on
        os.write(say, f'{word}\n'.encode())
        self.answer = os.read(hear, 256).decode()
        meanwhile()
        self.said = recorder.communicate(timeout=PATIENCE)[1]
        for fd in (commands, say, hear):
            os.close(fd)
        self.status, self.path = recorder.returncode, path
        with open(path, 'rb') as file:
            self.stream = Stream(file.read())
        self.report, self.info = json_of('report', path), json_of('info', path)
        self.tasks = json_of('tasks', path)['tasks']

    def rows(self):
        """{(category, row): ns} of the report."""
        return {(category['id'], row['name']): row['ns'] for category in self.report['categories'] for row in category['rows']}

    def lost(self):
        """Some virtual machines hide events: what is known to be unknown by that."""
        return sum(ns for (category, name), ns in self.rows().items() if category == 'unaccounted' and name == 'events were lost')

    def sampled(self):
        """The thread of each CPU sample, as perf finds them."""
        said = subprocess.run(['perf', 'script', '-i', self.path, '-F', 'tid,event'], capture_output=True, text=True, timeout=PATIENCE).stdout
        return [int(line.split()[0]) for line in said.splitlines() if 'cpu-clock' in line or 'cycles' in line]

    def of(self, pid):
        return [task for task in self.tasks if task['pid'] == pid]


def check_whole(name, attached):
    check(f'{name}: the recording is whole', attached.status == 0 and attached.stream.whole and attached.info['lost'] == 0,
          (attached.status, attached.said))
    rows = attached.rows()
    check(f'{name}: … and the report adds up', sum(rows.values()) == attached.report['total_ns'] > 0, rows)


def asleep(rows, call):
    """Of all that had not ended when the recording did."""
    return sum(ns for (category, name), ns in rows.items() if category == 'unfinished' and name == call)


def test_service(folder):
    service = start(SERVICE, '8')
    attached = Attached(f'{folder}/service.data', service.pid, 1)
    stop(service)
    rows, wall, lost = attached.rows(), attached.report['wall_ns'], attached.lost()
    check_whole('a service', attached)
    check('a service: it still waited at the end, by that reason', set(rows) - {('unaccounted', 'events were lost')} == {
        ('unfinished', call) for call in ('epoll_wait', 'poll', 'read', 'pause', 'clock_nanosleep')}, rows)
    check('a service: each of its threads from beginning to end', attached.report['total_ns'] == 9 * wall and
          attached.report['base_paths'] == 9 and wall == attached.info['duration_ns'], (wall, attached.report['total_ns'], attached.info))
    check('a service: all of it explained, but for what was lost', attached.report['accounted_ns'] == attached.report['total_ns'] - lost and
          abs(asleep(rows, 'epoll_wait') - 2 * wall) <= lost, (rows, wall))
    check('a service: its tasks are listed', len(attached.of(service.pid)) == 9 and
          all(task['runs'] == 0 and task['sleep_ns'] == wall for task in attached.of(service.pid)), attached.of(service.pid))
    saved = f'{folder}/service.perf'
    subprocess.run([CLI, 'save', '-o', saved, attached.path], check=True, capture_output=True, timeout=PATIENCE)
    again = json_of('report', saved)
    check('a service: the profile says the same', {category['id']: category['ns'] for category in again['categories']} ==
          {category['id']: category['ns'] for category in attached.report['categories']}, again['categories'])


def test_namespace(folder):
    outer = start(SERVICE, '1', before=('unshare', '--pid', '--fork', '--mount-proc'))
    pid, _ = child_of(outer.pid, 'python')
    attached = Attached(f'{folder}/namespace.data', pid, 1)
    os.kill(pid, 9)
    stop(outer)
    check_whole('another pid namespace', attached)
    check('another pid namespace: it is explained by its number here', asleep(attached.rows(), 'pause') >=
          attached.report['wall_ns'] - attached.lost() and len(attached.of(pid)) == 2, attached.rows())


def test_threads(folder):
    busy = start(BUSY, '1000')
    attached = Attached(f'{folder}/threads.data', busy.pid, 1)
    check_whole('a thousand threads', attached)
    tasks = attached.of(busy.pid)
    check('a thousand threads: all are listed', len(tasks) == 1001 and sum(task['runs'] == 0 for task in tasks) == 1000,
          collections.Counter(task['runs'] for task in tasks))
    rows, wall, lost = attached.rows(), attached.report['wall_ns'], attached.lost()
    check('a thousand threads: those who slept are explained beside the one who ran', attached.report['base_paths'] == 1001 and
          abs(asleep(rows, 'epoll_wait') - 250 * wall) <= lost, (wall, rows))
    waits = sum(len(wait) + 16 for wait in attached.stream.features[WAIT])
    check('a thousand threads: … and cost less than 80 bytes each', 1000 * 32 < waits < (len(attached.stream.features[WAIT]) + 1) * 80, waits)
    stop(busy)


def test_forks(folder):
    forking = start(FORKING)

    def go():
        forking.stdin.write('go\n')
        forking.stdin.flush()

    attached = Attached(f'{folder}/forks.data', forking.pid, meanwhile=go)
    check_whole('a process that forks wildly', attached)
    check('a process that forks wildly: it ended by itself, and the recording with it', forking.wait(PATIENCE) == 0)
    children = [task for task in attached.tasks if task['pid'] != forking.pid and task['name'] == attached.of(forking.pid)[0]['name']]
    check('a process that forks wildly: its children are listed', len(children) > 950, len(children))
    check('a process that forks wildly: it is explained', attached.report['percent_accounted'] > 50 and attached.report['processes'] > 250,
          (attached.report['percent_accounted'], attached.report['processes']))
    stop(forking)


def test_sample(folder):
    chosen, other = start(SPINNING, 'chosen'), start(SPINNING, 'other')
    attached = Attached(f'{folder}/chosen.data', chosen.pid, 2, options=('--sample', 'chosen', '--rate', '500', '--stacks', 'fp'))
    both = Attached(f'{folder}/all.data', chosen.pid, 2, options=('--rate', '500', '--stacks', 'fp'))
    stop(chosen)
    stop(other)
    check_whole('chosen samples', attached)
    threads = collections.Counter(attached.sampled())
    tasks = {task['tid']: task for task in attached.of(chosen.pid)}
    run, others = tasks[chosen.pid]['run_ns'], json_of('report', attached.path, '--task', f'{other.pid}')
    check('chosen samples: of that process and what it starts, as often as asked for', 0.8 < threads[chosen.pid] / (run * 500 / 10 ** 9) < 1.25,
          (threads, run))
    strangers = {task['tid']: task['name'] for task in attached.tasks if task['tid'] in threads and
                 task['pid'] != chosen.pid and task['name'] not in ('chosen', tasks[chosen.pid]['name'])}
    check('chosen samples: … of nobody else', not strangers and other.pid not in threads, strangers)
    check('chosen samples: … and of its children', any(tid not in tasks for tid in threads), threads)
    shares = {category['id']: category['ns'] for category in others['categories']}
    check('chosen samples: what others ran is not sampled', shares['understood'] == 0 < shares['not-sampled'] and
          others['diagnostics']['throttled'] == 0, shares)
    check('chosen samples: … and that is no loss', attached.info['lost'] == 0 and attached.info['sampled'] == 'chosen processes' and
          both.info['sampled'] == 'all processes' and len(set(both.sampled()) - set(threads)) > 0, attached.info)
    refused = subprocess.run([CLI, 'record', '-o', f'{folder}/none.data', '--sample', 'chosen', 'true'], capture_output=True, text=True)
    check('chosen samples: there is nothing to choose where a command starts', refused.returncode == 2 and '--attach' in refused.stderr, refused.stderr)


def test_sample_threads(folder):
    diggers = start(DIGGERS)
    listed = [row for row in json_of('processes', '--threads', str(diggers.pid))['threads'] if row['pid'] == diggers.pid]
    tids = {row['name']: row['tid'] for row in listed}
    check('threads: those of a process are listed, the busiest first', set(tids) >= {'left', 'right'} and
          {row['name'] for row in listed[:2]} == {'left', 'right'}, listed)
    attached = Attached(f'{folder}/left.data', tids['left'], 2, options=('--rate', '500', '--stacks', 'fp'), by='--tid')
    all_of_them = Attached(f'{folder}/both.data', f'{tids["left"]},{tids["right"]}', 2, options=('--rate', '500', '--stacks', 'fp'), by='--tid')
    everybody = Attached(f'{folder}/everybody.data', tids['left'], 1, options=('--sample', 'all', '--rate', '500', '--stacks', 'fp'), by='--tid')
    stop(diggers)
    check_whole('a chosen thread', attached)
    samples = collections.Counter(attached.sampled())
    runs = {task['tid']: task['run_ns'] for task in attached.of(diggers.pid)}
    check('a chosen thread: sampled as often as asked for', 0.8 < samples[tids['left']] / (runs[tids['left']] * 500 / 10 ** 9) < 1.25, (samples, runs))
    check('a chosen thread: … and no other, though others of its process run', set(samples) == {tids['left']} and runs[tids['right']] > 0, (samples, runs))
    check('a chosen thread: the recording says so', attached.info['sampled'] == 'chosen threads' and everybody.info['sampled'] == 'all processes', attached.info)
    check('a chosen thread: its process is the one that is explained',
          attached.report == json_of('report', attached.path, '--task', str(diggers.pid)), attached.report)
    check('two chosen threads: both are sampled', set(all_of_them.sampled()) == {tids['left'], tids['right']}, collections.Counter(all_of_them.sampled()))
    for word, text in (('0', 'no list of threads'), (str(tids['left']), 'there is no thread'), ('7,x', 'no list of threads')):
        refused = subprocess.run([CLI, 'record', '-o', f'{folder}/none.data', '--tid', word], capture_output=True, text=True, timeout=PATIENCE)
        check(f'threads: {text} is refused', refused.returncode == 1 and text in refused.stderr and not os.path.exists(f'{folder}/none.data'), refused)


def test_too_many(folder):
    many = start(SERVICE, str(8000 // os.cpu_count() + 10))
    attached = Attached(f'{folder}/many.data', many.pid, 1, options=('--sample', 'chosen', '--rate', '500', '--stacks', 'fp'))
    later = Attached(f'{folder}/later.data', many.pid, 1, options=('--rate', '500', '--stacks', 'fp'), word='sample chosen')
    stop(many)
    check_whole('too many threads to choose', attached)
    missing = subprocess.run([CLI, 'info', attached.path], capture_output=True, text=True, timeout=PATIENCE).stdout
    check('too many threads to choose: all are sampled, and that is said', 'all processes are sampled' in missing and attached.sampled() and attached.info['sampled'] == 'all processes', missing[-500:])
    check('too many threads to choose: they cannot be chosen later, and nothing is missing of what was wanted',
          later.answer.startswith('error: sample chosen: the chosen processes have too many threads') and 'all processes are sampled' not in later.said and
          later.info['sampled'] == 'all processes', (later.answer, later.said))


def test_end(folder):
    ending = start(ENDING, '4')

    def go():
        ending.stdin.write('go\n')
        ending.stdin.flush()

    attached = Attached(f'{folder}/end.data', ending.pid, meanwhile=go)
    check_whole('a process that ends', attached)
    rows = attached.rows()
    check('a process that ends: its last work is explained', any(category == 'understood' for category, _ in rows) and
          not any(category == 'unfinished' for category, _ in rows), rows)
    check('a process that ends: nobody of it slept through its end', all(task['runs'] > 0 for task in attached.of(ending.pid)) and
          len(attached.of(ending.pid)) == 5, attached.of(ending.pid))
    stop(ending)


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    with tempfile.TemporaryDirectory(prefix='wakepath-attach-') as folder:
        for test in (test_service, test_namespace, test_threads, test_forks, test_end, test_sample, test_sample_threads, test_too_many):
            test(folder)
    return end()


if __name__ == '__main__':
    sys.exit(main())
