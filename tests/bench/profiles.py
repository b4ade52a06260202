#!/usr/bin/python3
"""Opening a profile with a million resources beside Python's json.load of the same file: time, peak memory against the file's size;
then what queries and conversions of 100,000 resources take.

usage: profiles.py BENCH-PROFILES [RESOURCES]

Fails when opening takes more than a tenth of json.load's time, medians of runs in turn, or more memory than the file has bytes. What Perun 0.16.9
itself took for 100,000 resources (58.7 MB): load 2.1 s, data frame 6.9 s, flame lines 0.7 s; heap map of 10,000 resources 2.3 s.
"""
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

from figures import figure, growth

RUNS = 5
GOAL = 10
FRAMES = 5
FUNCTIONS = 400


def frame(i):
    return f'{{"function": "function_{i}", "source": "/home/user/project/source/module_{i % 40}.c", "line": {10 + i % 900}}}'


def generate(path, n):
    """A memory profile: traces of five frames, every third resource frees an earlier one."""
    rng = random.Random(4711)
    traces = []
    for _ in range(3000):
        frames = [frame(rng.randrange(FUNCTIONS)) for _ in range(FRAMES)]
        traces.append((", ".join(frames), frames[1]))
    live = []
    with open(path, "w") as f:
        f.write('{"header": {"type": "memory", "cmd": "./program", "args": "", "workload": "big", "units": {"memory": "B"}}, '
                '"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [')
        per = max(n // 100, 1)
        for i in range(n):
            if i % per == 0:
                f.write(f'{"], " if i else ""}'.replace("], ", "]}, ") + f'{{"time": "{i / per:.6f}", "resources": [')
            else:
                f.write(", ")
            trace, uid = traces[rng.randrange(len(traces))]
            if i % 3 == 2 and live:
                subtype, address, amount = "free", live.pop(rng.randrange(max(len(live) - 50, 0), len(live))), 0
            else:
                subtype, address, amount = "malloc", 0x1000000 + rng.randrange(900_000), rng.randrange(1, 64)
                live.append(address)
            f.write(f'{{"type": "memory", "subtype": "{subtype}", "address": {address}, "amount": {amount}, "trace": [{trace}], "uid": {uid}}}')
        f.write(']}], "global": {"resources": []}}')


def python_load(path):
    program = ("import json, resource, sys, time; t = time.process_time(); d = json.load(open(sys.argv[1])); "
               "print(time.process_time() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
    seconds, kib = subprocess.run([sys.executable, "-c", program, path], check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), int(kib) * 1024


def ours(bench, what, path):
    out = subprocess.run([bench, what, path], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in re.findall(r"^(\S+) (\S+)$", out, re.M)}


def main():
    bench, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "big.perf")
        generate(path, n)
        size = os.path.getsize(path)
        runs = [(ours(bench, "load", path), python_load(path)) for _ in range(RUNS)]
        seconds, theirs = (statistics.median(column) for column in zip(*((loaded["load"], python[0]) for loaded, python in runs)))
        memory = max(loaded["peak"] for loaded, _ in runs)
        print(f"{n} resources, {size / 1e6:.0f} MB, medians of {RUNS}")
        print(f"opening: {seconds:.2f} s, {memory / 1e6:.0f} MB; json.load: {theirs:.2f} s, {runs[0][1][1] / 1e6:.0f} MB; "
              f"{theirs / seconds:.1f} times faster (goal {GOAL}), memory of file {memory / size:.2f}")
        figure(f"opening {size / 1e6:.0f} MB: CPU, json.load ÷ ours", theirs / seconds, "times", at_least=GOAL, beside=f"{theirs:.2f} ÷ {seconds:.2f} s")
        costs = [seconds]
        for part in (3, 10):
            small = os.path.join(folder, "small.perf")
            generate(small, n // part)
            costs.insert(0, statistics.median(ours(bench, "load", small)["load"] for _ in range(RUNS)))
        growth("opening, by resources: CPU", [n // 10, n // 3, n], costs)
        for name, value in ours(bench, "all", small).items():
            print(f"{n // 10} resources: {name} {value:.3f}")
        if seconds * GOAL > theirs or memory >= size:
            sys.exit(f"opening is less than {GOAL} times faster than json.load, or takes more memory than the file")


if __name__ == "__main__":
    main()
