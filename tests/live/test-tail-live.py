#!/usr/bin/python3
"""The last seconds of a recording, as root: what they tell is what the whole recording tells of that time. TAP.
usage: test-tail-live.py CLI TAIL_OF WORKLOADS
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end, retried

CLI, TAIL_OF, WORKLOADS = map(os.path.abspath, sys.argv[1:4])
SAID = re.compile(r'([\d.]+) seconds, (\d+) operations, (\d+) missing, (\d+) others, (\d+) samples of (\d+), '
                  r'(\d+) losses of (\d+)')
# Programs that come and go, so that most of those at the cut have not been there at first.
COMMAND = 'i=0; while [ $i -lt 150 ]; do i=$((i+1)); head -c 2000000 /dev/zero | sha1sum; sleep 0.01; done'


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def record(folder, stacks):
    """Returns the recording's last second, what is said of it in figures, and all that was said. On a busy machine events
    are lost, and what is made of the rest depends on what came before; then it is recorded anew."""
    whole, last = f'{folder}/{stacks}.perf', f'{folder}/{stacks}-last.perf'
    for _ in range(4):
        recorded = run(CLI, 'record', '--form', 'stream', '--stacks', stacks, '-o', whole, '--', 'sh', '-c', COMMAND)
        check(f'{stacks}: a recording', recorded.returncode == 0, recorded.stderr)
        out = run(TAIL_OF, whole, '1', last)
        said = SAID.search(out.stdout)
        check(f'{stacks}: its last second is a recording', out.returncode == 0 and said is not None, out.stdout + out.stderr)
        if said is None or said.group(8) == '0':
            break
        retried(out.stdout)
    return whole, last, [float(figure) for figure in said.groups()], out.stdout


EVENT = re.compile(r'^\s*\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(.*)$')


def events_of(path):
    """(ns, CPU and text) of each event, as perf has it."""
    out = run('perf', 'script', '-i', path, '--ns', '-G', '-F', 'cpu,time,event,trace').stdout
    return [(int(m[2]) * 10 ** 9 + int(m[3]), f'{m[1]} {m[4]}') for m in map(EVENT.match, out.splitlines()) if m]


def is_sound(path):
    """Some virtual machines' kernels leave switches out and do not tell. What is made of the others, and which stretches contradict themselves, then depends
    on what came before."""
    return 'have been inferred' not in run(CLI, 'info', path).stdout


def test(folder, stacks):
    whole, last, said, text = record(folder, stacks)
    seconds, operations, missing, others, samples, all_samples, losses, all_losses = said
    check(f'{stacks}: it is a second', 0.9 < seconds <= 1, text)
    check(f'{stacks}: there is enough to compare', operations > 300 and samples > 100, text)
    left, right, sound = events_of(whole), events_of(last), is_sound(whole)
    since = min(time for time, _ in right)
    check(f'{stacks}: every event in it, and no other', sorted(event for event in left if event[0] >= since) == sorted(right),
          (len(left), len(right), since))
    check(f'{stacks}: every operation in it, with task, times, cause and stack',
          missing + others <= (0 if sound and not all_losses else 0.2 * operations), text)
    check(f'{stacks}: every sample', samples == all_samples, text)
    check(f'{stacks}: what is lost in the whole is lost, and no more', losses == all_losses or not sound, text)
    read = run('perf', 'script', '-i', last, '-F', 'comm')
    check(f'{stacks}: perf reads it', 'sha1sum' in read.stdout, read.stderr[-300:])


with tempfile.TemporaryDirectory(prefix='wakepath-tail-') as place, Spinners(WORKLOADS):
    for mode in ('fp', 'dwarf'):
        test(place, mode)
end()
