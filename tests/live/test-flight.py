#!/usr/bin/python3
"""Recording until something happens, as root: a command that takes too long; the last seconds before a signal, and before the end. Needs a mounted
tracefs. TAP.
usage: test-flight.py CLI
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI = os.path.abspath(sys.argv[1])
PATIENCE = 240

# The third run of it is a slow one.
TIMES = 'n=$(cat runs 2>/dev/null || echo 0); n=$((n + 1)); echo $n >runs; [ $n = 3 ] && sleep 1.2; exit 7'


def cli(*arguments, cwd=None):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=cwd)


def test_longer(folder):
    done = cli('record', '-o', 'slow.data', '--longer', '1', '--repeat', '9', '--', 'sh', '-c', TIMES, cwd=folder)
    with open(f'{folder}/runs', encoding='ascii') as runs:
        check('longer: the command is run until it takes longer', runs.read().strip() == '3', done.stderr)
    check('… what it did before is told, and not kept',
          done.stderr.count('nothing is kept') == 2 and sorted(os.listdir(folder)) == ['runs', 'slow.data'], (done.stderr, os.listdir(folder)))
    check('… record ends with its status', done.returncode == 7, done.returncode)
    report = cli('report', f'{folder}/slow.data')
    check('… and the slow one is explained', 'sleep' in report.stdout, report)
    done = cli('record', '-o', f'{folder}/none.data', '--longer', '60', '--', 'true')
    check('longer: where none took longer, there is none', done.returncode == 0 and not os.path.exists(f'{folder}/none.data'), done.stderr)
    done = cli('record', '-o', f'{folder}/none.data', '--longer', '1')
    check('longer: without a command that is a mistake', done.returncode == 2 and '--longer' in done.stderr, done)


# Three phases, each a program with a name of its own that works and says when it is over.
PHASES = '''
for name in one two three; do
  ln -sf "$(command -v sha256sum)" "$1/phase-$name"
  head -c 300000000 /dev/zero | "$1/phase-$name" >/dev/null
  for nap in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.1; done
  echo $name
done
'''


def tasks_of(path):
    rows = cli('tasks', path, '--format', 'tsv').stdout.splitlines()
    return {field for row in rows for field in row.split('\t')}


def seconds_of(path):
    with subprocess.Popen([CLI, 'report', path, '--format', 'json'], stdout=subprocess.PIPE, text=True) as process:
        return json.load(process.stdout)['wall_ns'] / 1e9


def test_keep(folder):
    path = f'{folder}/kept.data'
    recording = subprocess.Popen([CLI, 'record', '-o', path, '--keep', '1.5', '--', 'sh', '-c', PHASES, 'phases', folder],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = [recording.stdout.readline().strip() for _ in range(2)]
    recording.send_signal(signal.SIGUSR2)  # right behind the sleep after the second phase
    said.append(recording.stdout.readline().strip())
    errors = recording.communicate(timeout=PATIENCE)[1]
    snapshot = f'{folder}/kept-snapshot-1.data'
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


with tempfile.TemporaryDirectory() as temporary:
    test_longer(temporary)
    test_keep(temporary)
end()
