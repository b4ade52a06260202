#!/usr/bin/python3
"""The commands at a large store, whole: a process each, from its start to its end.

  store-commands.py CLI BENCH_STORE FOLDER

BENCH_STORE makes the store in FOLDER where it is not there yet. *Cold*: what the page cache has of the program, the repository and the
store is dropped before each run (names of files stay known to the kernel), and nothing is kept of them (`src/store/kept-file.h`); *warm*: the
median of seven runs behind it. The processor's time is told
too, since it is not disturbed by what else runs. Exit status 1 where the first rows take more than 100 ms of it."""
import os
import shutil
import statistics
import subprocess
import sys
import time

from figures import figure

CLI, BENCH, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
REPO, CACHE = os.path.join(FOLDER, "repo"), os.path.join(FOLDER, "cache")
WARM = 7
# The newest commit has a profile, and so has every tenth; three commands take turns.
COMMANDS = {"status": ["status"], "50 rows of log": ["log", "--short", "-n", "50"], "show a profile": ["show", "0@i"],
            "diff of two commits": ["diff", "main~30", "main"], "check head": ["check", "head", "--method", "average_amount_threshold"],
            "history of 10,000 profiles": ["log", "--history", "total"], "log of all commits": ["log", "--short"]}
GOALS = {"50 rows of log": 0.1, "history of 10,000 profiles": 0.3, "log of all commits": 0.5}  # seconds of the processor


def make_cold():
    shutil.rmtree(CACHE, ignore_errors=True)
    paths = [CLI]
    for base, _, names in os.walk(REPO):
        paths += [os.path.join(base, name) for name in names]
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def run(arguments):
    """Seconds until it ended, and what it had of the processor."""
    before, begun = os.times(), time.monotonic()
    done = subprocess.run([CLI, *arguments], cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    took, after = time.monotonic() - begun, os.times()
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
    return took, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    os.environ["XDG_CACHE_HOME"] = CACHE
    subprocess.run([BENCH, FOLDER], check=False, stdout=subprocess.DEVNULL)
    os.sync()
    print(f"{'':28} {'cold':>10} {'warm':>10} {'processor':>10}")
    slow = False
    for name, arguments in COMMANDS.items():
        make_cold()
        cold = run(arguments)[0]
        warm = [run(arguments) for _ in range(WARM)]
        took, used = (statistics.median(column) for column in zip(*warm))
        print(f"{name:28} {cold * 1000:7.0f} ms {took * 1000:7.0f} ms {used * 1000:7.0f} ms", flush=True)
        if name in GOALS:
            figure(f"{name}, CPU", used, "s", at_most=GOALS[name], beside=f"{took:.2f} s warm, {cold:.2f} s cold")
        slow = slow or (name == "50 rows of log" and used > 0.1)
    return slow


sys.exit(main())
