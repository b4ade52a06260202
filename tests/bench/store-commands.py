#!/usr/bin/python3
"""The commands at a large store, whole: a process each, from its start to its end.

  store-commands.py CLI BENCH_STORE FOLDER [COMMITS]

BENCH_STORE makes the store in FOLDER, of 100,000 commits with a profile at every tenth, where it is not there yet; and two that are smaller beside it, for how cost grows. *Cold*: what the page cache has of the program, the repository and the
store is dropped before each run (names of files stay known to the kernel), and nothing is kept of them (`src/store/kept-file.h`); *warm*: the
median of seven runs behind it. The processor's time is told
too, since it is not disturbed by what else runs. Exit status 1 where the first rows take more than 100 ms of it."""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

from figures import figure, growth

CLI, BENCH, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
LARGEST = int(sys.argv[4]) if len(sys.argv) > 4 else 100000
SIZES = [LARGEST // 4, LARGEST // 2, LARGEST]  # commits
WARM = 7
# The newest commit has a profile, and so has every tenth; three commands take turns.
COMMANDS = {"status": ["status"], "50 rows of log": ["log", "--short", "-n", "50"], "show a profile": ["show", "0@i"],
            "diff of two commits": ["diff", "main~30", "main"], "check head": ["check", "head", "--method", "average_amount_threshold"],
            "history of 10,000 profiles": ["log", "--history", "total"], "log of all commits": ["log", "--short"]}
GOALS = {"50 rows of log": 0.1, "history of 10,000 profiles": 0.3, "log of all commits": 0.5}  # seconds of the processor


class Store:
    def __init__(self, commits):
        folder = FOLDER if commits == LARGEST else f"{FOLDER}-{commits}"
        self.repo, self.cache = os.path.join(folder, "repo"), os.path.join(folder, "cache")
        subprocess.run([BENCH, folder, str(commits), str(commits // 10)], check=False, stdout=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": self.cache})


def make_cold(store):
    shutil.rmtree(store.cache, ignore_errors=True)
    paths = [CLI]
    for base, _, names in os.walk(store.repo):
        paths += [os.path.join(base, name) for name in names]
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def run(store, arguments):
    """Seconds until it ended, and what it had of the processor."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([CLI, *arguments], cwd=store.repo, env={**os.environ, "XDG_CACHE_HOME": store.cache}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    took, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(store, arguments):
    """Seconds cold, warm, and of the processor."""
    make_cold(store)
    cold = run(store, arguments)[0]
    warm = [run(store, arguments) for _ in range(WARM)]
    return cold, *(statistics.median(column) for column in zip(*warm))


def main():
    stores = [Store(commits) for commits in SIZES]
    os.sync()
    print(f"{'':28} {'cold':>10} {'warm':>10} {'processor':>10}")
    slow = False
    for name, arguments in COMMANDS.items():
        cold, took, used = measure(stores[-1], arguments)
        print(f"{name:28} {cold * 1000:7.0f} ms {took * 1000:7.0f} ms {used * 1000:7.0f} ms", flush=True)
        if name in GOALS:
            figure(f"{name}, CPU", used, "s", at_most=GOALS[name], beside=f"{took:.2f} s warm, {cold:.2f} s cold")
            growth(f"{name}, CPU", SIZES, [*(measure(store, arguments)[2] for store in stores[:-1]), used])
        slow = slow or (name == "50 rows of log" and used > 0.1)
    return slow


sys.exit(main())
