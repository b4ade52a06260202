#!/usr/bin/python3
"""Opening a recording beside `perf script` and `perf sched timehist` on the same file: medians of CPU time, ratios, memory.

usage: opening.py BENCH-OPENING [FILE]

Without FILE it records one: messaging and pipe ping-pong with frame-pointer stacks, until there are about 1.5 million events.
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

EVENTS_WANTED = 1_500_000
ROUNDS = 3
EVENTS = ('sched:sched_switch,sched:sched_waking,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_process_fork,'
          'sched:sched_process_exec,sched:sched_process_exit,block:block_rq_issue,block:block_rq_complete,irq:irq_handler_entry')


def record(path, size):
    load = f'perf bench sched messaging -p -g 8 -l {size} >/dev/null; perf bench sched pipe -l {size * 60} >/dev/null'
    subprocess.run(['perf', 'record', '-q', '-a', '-g', '-m', '64M', '-e', EVENTS, '-e', 'cpu-clock/freq=4000/', '-o', path,
                    '--', 'sh', '-c', load], check=True, stderr=subprocess.DEVNULL)


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE if 'opening' in command[0] else subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def count(ours, path):
    return int(re.search(r'^events (\d+)', cpu_of([ours, path])[1], re.M).group(1))


def make(ours, folder):
    path = os.path.join(folder, 'opening.data')
    record(path, 200)
    size = max(200, int(200 * EVENTS_WANTED / count(ours, path)))
    record(path, size)
    return path


def compare(ours, path):
    n = count(ours, path)
    size = os.path.getsize(path)
    print(f'{path}: {n:,} events, {size / 1e6:.0f} MB')
    peers = {'wakepath': [ours, path], 'perf script': ['perf', 'script', '-i', path],
             'perf sched timehist': ['perf', 'sched', 'timehist', '-i', path]}
    times = {name: [] for name in peers}
    output = ''
    for _ in range(ROUNDS):
        for name, command in peers.items():
            seconds, text = cpu_of(command)
            times[name].append(seconds)
            output = text or output
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        print(f'{name:22} {seconds:7.2f} s CPU  {medians["wakepath"] / seconds:7.3f} of it is what opening takes here')
    print(output.strip())
    peak = int(re.search(r'peak (\d+)', output).group(1))
    over = (peak - size) / n
    share = medians['wakepath'] / medians['perf script']
    print(f'peak memory {peak / 1e6:.0f} MB: {over:.0f} bytes an event over the file (at most 100)')
    print(f'opening takes 1/{1 / share:.0f} of the CPU time of perf script (at most 1/10, aim 1/20)')
    return over <= 100 and share <= 0.1


def main():
    ours = sys.argv[1]
    if len(sys.argv) > 2:
        return 0 if compare(ours, sys.argv[2]) else 1
    folder = tempfile.mkdtemp(prefix='wp-opening-')
    try:
        return 0 if compare(ours, make(ours, folder)) else 1
    finally:
        shutil.rmtree(folder)


sys.exit(main())
