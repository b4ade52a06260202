#!/usr/bin/python3
"""Waits that had not ended when the recording was stopped, and those that had begun before it, as root: what the report says of a program that sleeps on,
of one that hangs in recv(), and of one that slept before it worked. TAP.
usage: test-open-waits.py CLI WORKLOADS
"""
import json
import os
import select
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 240
LENGTH = 2  # seconds that a recording lasts at least

HANGING = '''
import socket
listening = socket.create_server(('127.0.0.1', 0))
one = socket.create_connection(listening.getsockname())
other, _ = listening.accept()
print('there', flush=True)
one.recv(1)
'''
# Sleeps until it is told to go on.
SLEPT = '''
import os, sys
print('there', flush=True)
os.read(0, 1)
sum(i * i for i in range(3000000))
'''


class Recorder:
    """`record` with these arguments, while it goes on."""

    def __init__(self, path, *arguments):
        (commands, self.say), (self.hear, answers) = os.pipe(), os.pipe()
        self.process = subprocess.Popen([CLI, 'record', '-o', path, '--control', f'fd:{commands},{answers}', *arguments], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, pass_fds=(commands, answers))
        os.close(answers)
        os.close(commands)
        os.write(self.say, b'ping\n')
        os.read(self.hear, 64)  # the answer comes when the recording goes on

    def lasts(self, seconds):
        select.select([], [], [], seconds)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self):
        said = self.process.communicate(timeout=PATIENCE)[1]
        os.close(self.say)
        os.close(self.hear)
        return said


def said(*arguments):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def report(path, spinners):
    return json.loads(said('report', path, '--format', 'json', *spinners.options))


def rows(table):
    return {(category['id'], row['name']): row['ns'] for category in table['categories'] for row in category['rows']}


def check_open(name, table, answer, words, row):
    lost = sum(ns for (category, why), ns in rows(table).items() if category == 'unaccounted')
    still = sum(ns for (category, what), ns in rows(table).items() if category == 'unfinished' and what == row)
    check(f'{name}: it lasted as long as it did', table['wall_ns'] > LENGTH * 0.9e9, table['wall_ns'])
    check(f'{name}: nearly all of it is a wait that had not ended', still > 0.9 * (table['wall_ns'] - lost) and still > lost, rows(table))
    check(f'{name}: the answer says so first', words in answer.splitlines()[1], answer)


def test_sleep(folder, spinners):
    path = f'{folder}/sleep.data'
    recorder = Recorder(path, '--', 'sleep', '30')
    recorder.lasts(LENGTH)
    recorder.stop()
    check_open('sleep 30', report(path, spinners), said('report', path, '--summary', *spinners.options), 'still sleeps on purpose', 'clock_nanosleep')


def test_hanging(folder, spinners):
    path = f'{folder}/hanging.data'
    with subprocess.Popen([sys.executable, '-c', HANGING], stdout=subprocess.PIPE) as hanging:
        hanging.stdout.readline()
        recorder = Recorder(path, '--attach', str(hanging.pid))
        recorder.lasts(LENGTH)
        recorder.stop()
        hanging.kill()
    check_open('stuck in recv()', report(path, spinners), said('report', path, '--summary', *spinners.options), 'still receives', 'recvfrom')


def test_hanging_child(folder, spinners):
    """Stopped on the way is what a command that was started before the recording waits for: the chain of its children says so."""
    path = f'{folder}/hanging-child.data'
    with subprocess.Popen(['sh', '-c', 'sh -c "echo; sleep 60; :"; :'], stdout=subprocess.PIPE, process_group=0) as hanging:
        hanging.stdout.readline()
        recorder = Recorder(path, '--attach', str(hanging.pid))
        recorder.lasts(LENGTH)
        recorder.stop()
        os.killpg(hanging.pid, signal.SIGKILL)
    answer = said('report', path, '--summary', *spinners.options)
    check_open('a child of a child hangs', report(path, spinners), answer, 'still waits for child sh', 'clock_nanosleep')
    check('a child of a child hangs: … and in what', 'meanwhile sleep still sleeps on purpose' in answer.splitlines()[1], answer)


def test_slept(folder, spinners):
    path = f'{folder}/slept.data'
    with subprocess.Popen([sys.executable, '-c', SLEPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as slept:
        slept.stdout.readline()
        recorder = Recorder(path, '--attach', str(slept.pid))
        recorder.lasts(LENGTH)
        slept.stdin.write(b'x')
        slept.stdin.flush()
        recorder.ended()
    table = report(path, spinners)
    operations = [json.loads(line) for line in said('operations', path, '--format', 'json', *spinners.options).splitlines()]
    first = next(operation for operation in operations if operation['tid'] == slept.pid)
    check('slept first: its first sleep began with the recording', first['kind'] == 'sleep' and first['start_ns'] == 0 and
          first['end_ns'] > LENGTH * 0.9e9, first)
    check('slept first: … in what the recorder saw', 'read' in first['stack'].split(';'), first)
    check('slept first: … until it was woken by a task', first['cause'] == 'task', first)
    check('slept first: that is a part of its time', table['wall_ns'] >= first['end_ns'] and
          not any(category == 'unfinished' for category, _ in rows(table)), table)


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    with tempfile.TemporaryDirectory(prefix='wakepath-open-') as folder, Spinners(WORKLOADS) as spinners:
        for test in (test_sleep, test_hanging, test_hanging_child, test_slept):
            test(folder, spinners)
    return end()


if __name__ == '__main__':
    sys.exit(main())
