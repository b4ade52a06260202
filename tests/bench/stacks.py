#!/usr/bin/python3
"""Opens a pprof profile with a million samples of 64 frames, beside go tool pprof where it is installed.

usage: stacks.py BENCH_STACKS [--peer]

Two profiles: in one stacks share their outer frames, as those of programs do; in the other hardly two begin alike. Prints the median CPU time of five
runs and the peak of memory, which must be below one second and twice the unpacked bytes. --peer runs `go tool pprof -raw` on the first one,
once, which takes most of a minute and 5 GB."""
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


def peer_seconds(path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', '-raw', path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


failed = False
with tempfile.TemporaryDirectory() as folder:
    for name, every in (('shared outer frames', '4'), ('scattered', '1')):
        path = os.path.join(folder, every + '.pb.gz')
        subprocess.run([BENCH, 'make', path, str(SAMPLES), str(DEPTH), every], check=True)
        size = unpacked(path)
        runs = [json.loads(subprocess.run([BENCH, 'open', path], check=True, capture_output=True).stdout) for _ in range(5)]
        seconds = statistics.median(run['cpu_s'] for run in runs)
        peak = statistics.median(run['peak_bytes'] for run in runs)
        print(f'{name}: {size / 1e6:.0f} MB unpacked, {runs[0]["nodes"]} stacks; {seconds:.2f} s of CPU (limit 1), '
              f'peak {peak / 1e6:.0f} MB, {peak / size:.2f} of the unpacked bytes (limit 2)')
        taken = json.loads(subprocess.run([BENCH, 'operations', path], check=True, capture_output=True).stdout)
        print('  operations, ms of CPU (200, or they can be cancelled): ' + ', '.join(f'{what} {ms}' for what, ms in taken.items()))
        failed = failed or seconds > 1 or peak > 2 * size
        if PEER and every == '4':
            theirs = peer_seconds(path)
            print(f'  go tool pprof -raw: {theirs:.1f} s of CPU, {theirs / seconds:.0f} times as much')
sys.exit(failed)
