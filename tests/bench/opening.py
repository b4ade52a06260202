#!/usr/bin/python3
"""Opening a recording beside `perf script` and `perf sched timehist` on the same file, in turns: medians of CPU time and of wall time, ratios,
memory, and how the cost grows.

usage: opening.py BENCH-OPENING [FILE]

Without FILE it records four: messaging and pipe ping-pong with frame-pointer stacks, of about 1, 3, 6.5 and 13 million events. The
largest is opened by ours alone: perf would take most of an hour for it. Each is opened again, too, from what is kept beside it: 13 million events within
0.3 s, and fewer in as much less.
Fails when opening takes more than a tenth of perf script's CPU time, or more than 100 bytes an event over the file's size.
"""
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from figures import figure, growth
from recordings import record

EVENTS_WANTED = 1_000_000, 3_000_000, 6_500_000
EVENTS_ALONE = 13_000_000
ROUNDS = 5
AGAIN_SECONDS = 0.3 / 13_000_000  # an event


def times_of(command):
    """CPU and wall seconds, and the output of ours."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE if 'opening' in command[0] else subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, time.monotonic() - begun, done.stdout


def count(ours, path):
    return int(re.search(r'^events (\d+)', times_of([ours, path])[2], re.M).group(1))


def memory_over(output, path, n):
    """Bytes an event over the file's size."""
    return (int(re.search(r'peak (\d+)', output).group(1)) - os.path.getsize(path)) / n


def open_alone(ours, path):
    """The events and the CPU seconds."""
    n = count(ours, path)
    rounds = [times_of([ours, path]) for _ in range(ROUNDS)]
    print(f'{path}: {n:,} events, {os.path.getsize(path) / 1e6:.0f} MB')
    figure(f'{n / 1e6:.1f} million events: memory over the file, an event', memory_over(rounds[-1][2], path, n), 'bytes', at_most=48)
    return n, statistics.median(row[0] for row in rounds)


def compare(ours, path):
    """Whether it is within what a change must not exceed; the events and the CPU seconds."""
    n = count(ours, path)
    size = os.path.getsize(path)
    print(f'{path}: {n:,} events, {size / 1e6:.0f} MB')
    peers = {'wakepath': [ours, path], 'perf script': ['perf', 'script', '-i', path],
             'perf sched timehist': ['perf', 'sched', 'timehist', '-i', path]}
    cpu, wall = {name: [] for name in peers}, {name: [] for name in peers}
    output = ''
    for _ in range(ROUNDS):
        for name, command in peers.items():
            seconds, passed, text = times_of(command)
            cpu[name].append(seconds)
            wall[name].append(passed)
            output = text or output
    cpu, wall = ({name: statistics.median(values) for name, values in of.items()} for of in (cpu, wall))
    for name in peers:
        print(f'{name:22} {cpu[name]:7.2f} s CPU, {wall[name]:7.2f} s')
    print(output.strip())
    over = memory_over(output, path, n)
    what = f'{n / 1e6:.1f} million events'
    script, timehist = cpu['wakepath'] / cpu['perf script'], cpu['wakepath'] / cpu['perf sched timehist']
    figure(f'{what}: CPU, perf script ÷ ours', 1 / script, 'times', at_least=25, beside=f'{cpu["perf script"]:.2f} ÷ {cpu["wakepath"]:.2f} s')
    figure(f'{what}: CPU, ours ÷ perf sched timehist', timehist, at_most=0.8, beside=f'{cpu["wakepath"]:.2f} ÷ {cpu["perf sched timehist"]:.2f} s')
    figure(f'{what}: wall time, perf script ÷ ours', wall['perf script'] / wall['wakepath'], 'times', at_least=40,
           beside=f'{wall["perf script"]:.2f} ÷ {wall["wakepath"]:.2f} s')
    figure(f'{what}: memory over the file, an event', over, 'bytes', at_most=48)
    return over <= 100 and script <= 0.1, n, cpu['wakepath']


def open_again(ours, path, n):
    """From a cache of its own: the first time it is read and kept."""
    folder = tempfile.mkdtemp(prefix='wp-opening-cache-')
    environment = {**os.environ, 'XDG_CACHE_HOME': folder}
    try:
        said = [subprocess.run([ours, 'again', path], env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout for _ in range(ROUNDS + 1)]
        kept = sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)
    finally:
        shutil.rmtree(folder)
    found = [re.match(r'opened again in (\S+) s, (\S+) s CPU', text) for text in said[1:]]
    if not all(found):
        print('not opened again:', *said)
        return False
    wall, cpu = (statistics.median(float(one.group(i)) for one in found) for i in (1, 2))
    first = re.match(r'read in (\S+) s', said[0]).group(1)
    figure(f'{n / 1e6:.1f} million events: opening again', wall, 's', at_most=round(AGAIN_SECONDS * n, 3),
           beside=f'{cpu:.2f} s CPU; read in {first} s; {kept / n:.0f} bytes kept an event')
    return True


def main():
    ours = sys.argv[1]
    if len(sys.argv) > 2:
        good, n, _ = compare(ours, sys.argv[2])
        return 0 if open_again(ours, sys.argv[2], n) and good else 1
    folder = tempfile.mkdtemp(prefix='wp-opening-')
    path = os.path.join(folder, 'opening.data')
    try:
        record(path, 200)
        each, found, again = count(ours, path) / 200, [], True
        for wanted in EVENTS_WANTED:
            record(path, int(wanted / each))
            found.append(compare(ours, path))
            again &= open_again(ours, path, found[-1][1])
        record(path, int(EVENTS_ALONE / each))
        alone = open_alone(ours, path)
        again &= open_again(ours, path, alone[0])
    finally:
        shutil.rmtree(folder)
    growth('CPU', *zip(*(row[1:] for row in found), alone))
    return 0 if again and all(row[0] for row in found) else 1


sys.exit(main())
