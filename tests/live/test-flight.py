#!/usr/bin/python3
"""Recording until something happens, as root: a command that takes too long; the last seconds before a signal, and before the end. Needs a mounted
tracefs. TAP.
usage: test-flight.py CLI WORKLOADS
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 240

# The third run of it is a slow one. On a machine that is busy the others may take a while, too, but not so long.
TIMES = 'n=$(cat runs 2>/dev/null || echo 0); n=$((n + 1)); echo $n >runs; [ $n = 3 ] && sleep 5; exit 7'


def cli(*arguments, cwd=None):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=cwd)


def test_longer(folder):
    with Spinners(WORKLOADS) as spinners:
        done = cli('record', '-o', 'slow.data', '--longer', '4', '--repeat', '9', '--', 'sh', '-c', TIMES, cwd=folder)
        report = cli('report', f'{folder}/slow.data', *spinners.options)
    with open(f'{folder}/runs', encoding='ascii') as runs:
        check('longer: the command is run until it takes longer', runs.read().strip() == '3', done.stderr)
    check('… what it did before is told, and not kept',
          done.stderr.count('nothing is kept') == 2 and sorted(os.listdir(folder)) == ['runs', 'slow.data'], (done.stderr, os.listdir(folder)))
    check('… record ends with its status', done.returncode == 7, done.returncode)
    check('… and the slow one is explained', 'sleep' in report.stdout, report)
    done = cli('record', '-o', f'{folder}/none.data', '--longer', '60', '--', 'true')
    check('longer: where none took longer, there is none', done.returncode == 0 and not os.path.exists(f'{folder}/none.data'), done.stderr)
    done = cli('record', '-o', f'{folder}/none.data', '--longer', '1')
    check('longer: without a command that is a mistake', done.returncode == 2 and '--longer' in done.stderr, done)


# Three phases, each a program with a name of its own that works. The shell says when it is over, and naps until it is told to go on.
PHASES = '''
for name in one two three; do
  ln -sf "$(command -v sha256sum)" "$1/phase-$name"
  head -c 300000000 /dev/zero | "$1/phase-$name" >/dev/null
  echo $name
  until [ -e "$1/go-$name" ]; do sleep 0.1; done
done
'''
KEPT_S = 1.5


def tasks_of(path):
    rows = cli('tasks', path, '--format', 'tsv').stdout.splitlines()
    return {field for row in rows for field in row.split('\t')}


def seconds_of(path):
    with subprocess.Popen([CLI, 'report', path, '--format', 'json'], stdout=subprocess.PIPE, text=True) as process:
        return json.load(process.stdout)['wall_ns'] / 1e9


def wait_for(path):
    until = time.monotonic() + PATIENCE
    while not os.path.exists(path) and time.monotonic() < until:
        time.sleep(0.05)


def test_keep(folder):
    path = f'{folder}/kept.data'
    snapshot = f'{folder}/kept-snapshot-1.data'
    recording = subprocess.Popen([CLI, 'record', '-o', path, '--keep', str(KEPT_S), '--', 'sh', '-c', PHASES, 'phases', folder],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = []
    for _ in range(3):
        said.append(recording.stdout.readline().strip())
        if said[-1] != 'one':
            time.sleep(KEPT_S + 1)  # so that nothing else than naps is among what is kept
        if said[-1] == 'two':
            recording.send_signal(signal.SIGUSR2)
            wait_for(snapshot)
        with open(f'{folder}/go-{said[-1]}', 'w', encoding='ascii'):
            pass
    errors = recording.communicate(timeout=PATIENCE)[1]
    check('keep: the command is recorded to its end', recording.returncode == 0 and said == ['one', 'two', 'three'], (said, errors))
    check('… and a signal saves while recording goes on', os.path.exists(snapshot), errors)
    both = [(where, tasks_of(where)) for where in (snapshot, path)]
    check('… the last seconds, which is the sleep alone',
          all('sleep' in names and not names & {'phase-one', 'phase-two', 'phase-three'} for _, names in both), both)
    check('… that long and no longer', all(1 < seconds_of(where) < 1.6 for where, _ in both), [seconds_of(where) for where, _ in both])
    answer = cli('report', '--summary', path).stdout
    unsound = 'contradict' in cli('info', path).stdout  # some virtual machines' kernels leave switches out
    check('… and what the shell did then is explained, or said to be unreliable', 'waits for child sleep' in answer or unsound, answer)
    done = cli('record', '-o', path, '--keep', '4000', '--', 'true')
    check('keep: more than an hour is refused', done.returncode == 2 and '3600' in done.stderr, done)


def test_hanging(folder):
    path = f'{folder}/hanging.data'
    recording = cli('record', '-o', path, '--keep', '2', '--duration', '6', '--', 'sh', '-c', 'sh -c "sleep 60; :"; :')
    answer = cli('report', '--summary', path).stdout
    check('keep: what a command hangs in since before is known',
          'still waits for child sh' in answer and 'sleep still sleeps on purpose' in answer, (recording, answer))


with tempfile.TemporaryDirectory() as temporary:
    test_longer(temporary)
    test_keep(temporary)
    test_hanging(temporary)
end()
