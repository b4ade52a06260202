#!/usr/bin/python3
"""Opens a pprof profile with a million samples of 64 frames, beside go tool pprof where it is installed.

usage: stacks.py BENCH_STACKS [--peer]

Three profiles: in one stacks share their outer frames, as those of programs do; in one hardly two begin alike; the last is the first one with labels.
Prints the median CPU time of five runs and the peak of memory, which must be below one second and twice the unpacked bytes; and of three runs what each
operation takes of the CPU and of time, and the longest time in which it cannot be cancelled. --peer runs `go tool pprof -raw` on the first one, once, which
takes most of a minute and 5 GB."""
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

BENCH, PEER = sys.argv[1], '--peer' in sys.argv
SAMPLES, DEPTH = 1000000, 64


def unpacked(path):
    n = 0
    with gzip.open(path) as file:
        while piece := file.read(1 << 20):
            n += len(piece)
    return n


def run(*arguments):
    return json.loads(subprocess.run([BENCH, *arguments], check=True, capture_output=True).stdout)


def show_operations(path):
    runs = [run('operations', path) for _ in range(3)]
    for what in runs[0]:
        taken, passed, apart = (statistics.median(one[what][i] for one in runs) for i in range(3))
        print(f'  {what}: {taken:.0f} ms of CPU, {passed:.0f} ms, {apart:.0f} ms between two looks at cancellation'
              + ('' if taken <= 200 else '; over 200'))


def peer_seconds(path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', '-raw', path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


failed = False
with tempfile.TemporaryDirectory() as folder:
    for name, *how in (('shared outer frames', '4'), ('scattered', '1'), ('shared outer frames, labels', '4', 'labels')):
        path = os.path.join(folder, '-'.join(how) + '.pb.gz')
        subprocess.run([BENCH, 'make', path, str(SAMPLES), str(DEPTH), *how], check=True)
        size = unpacked(path)
        runs = [run('open', path) for _ in range(5)]
        seconds = statistics.median(run['cpu_s'] for run in runs)
        peak = statistics.median(run['peak_bytes'] for run in runs)
        print(f'{name}: {size / 1e6:.0f} MB unpacked, {runs[0]["nodes"]} stacks; {seconds:.2f} s of CPU (limit 1), '
              f'peak {peak / 1e6:.0f} MB, {peak / size:.2f} of the unpacked bytes (limit 2)')
        show_operations(path)
        failed = failed or seconds > 1 or peak > 2 * size
        if PEER and how == ['4']:
            theirs = peer_seconds(path)
            print(f'  go tool pprof -raw: {theirs:.1f} s of CPU, {theirs / seconds:.0f} times as much')
sys.exit(failed)
