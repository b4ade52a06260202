#!/usr/bin/python3
"""Unwinding beside libdw's own walker, on the same stack bytes: stacks a second, and how many reach their program's entry.

usage: unwinding.py BENCH-UNWINDING DEEP [FILE…]

Without FILE it records two loads with registers and 8 KiB of stack: one where processes come and go (a compiler, again and
again), and one long-lived process under many frames. Rates are CPU time of one thread; each is measured three times, and the
median counts. Fails when ours is less than 10 times as fast, or when fewer of its stacks reach the entry.
"""
import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS, TIMES = 3, 10.0
RECORD = ['perf', 'record', '-q', '-a', '--call-graph', 'dwarf,8192', '-m', '16M', '-e', 'sched:sched_switch',
          '--filter', 'prev_state & 255', '-e', 'cpu-clock/freq=4000/', '-o']
COMPILE = ('printf "#include <stdio.h>\\n#include <stdlib.h>\\nint main (void) { return printf (\\"%d\\", rand ()) < 0; }\\n" '
           '>a.c; for i in $(seq 60); do gcc -O1 -c a.c -o a.o; done')


def measure(ours, path):
    rounds = []
    for _ in range(ROUNDS):
        done = subprocess.run([ours, path], capture_output=True, text=True, check=True)
        rounds.append(dict((k, float(v)) for k, v in (line.split() for line in done.stdout.splitlines())))
    return {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}


def judge(ours, name, path):
    m = measure(ours, path)
    print(f'{name}: {m["stacks"]:.0f} stacks, {m["depth"]:.1f} frames (libdw {m["libdw_depth"]:.1f}), '
          f'{m["rebuilt"]:.0f} address spaces of libdw')
    print(f'  stacks a second: {m["rate"]:,.0f}; libdw {m["libdw_rate"]:,.0f}: {m["times"]:.1f} times')
    print(f'  reach the entry: {m["entry"]:.2f} % and {m["completed"]:.2f} % completed; libdw {m["libdw_entry"]:.2f} %')
    print(f'  the same frames: {m["same"]:.2f} %, longer {m["longer"]:.2f} %, shorter or other {m["shorter"]:.2f} %')
    problems = []
    if m['times'] < TIMES:
        problems.append(f'{name}: only {m["times"]:.1f} times as fast as libdw, wanted {TIMES:.0f}')
    if m['entry'] + m['completed'] < m['libdw_entry']:
        problems.append(f'{name}: fewer stacks reach the entry than with libdw')
    if m['stacks'] < 1000:
        problems.append(f'{name}: too few stacks to judge')
    return problems


def main():
    ours, deep, files = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
    problems = []
    for path in files:
        problems += judge(ours, path, path)
    if not files:
        with tempfile.TemporaryDirectory() as folder:
            for name, command in (('processes come and go', ['sh', '-c', COMPILE]), ('long-lived and deep', [deep])):
                path = os.path.join(folder, 'recording')
                subprocess.run(RECORD + [path, '--'] + command, check=True, cwd=folder, stderr=subprocess.DEVNULL)
                problems += judge(ours, name, path)
                os.unlink(path)
    for problem in problems:
        print('FAILED:', problem)
    return 1 if problems else 0


sys.exit(main())
