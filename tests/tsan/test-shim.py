#!/usr/bin/python3
"""Whether races are found beside the shim, and only races: test-shim.py HAND-OVER"""
import os
import subprocess
import sys

WAYS = ["mutex", "queue", "pool", "task", "idle", "once", "box"]
REPORTED = 66
# The main loop makes and frees nodes of its lists in several threads, in functions that have no names to suppress; what the program
# itself does with what it hands over is seen all the same.
ENVIRONMENT = os.environ | {"TSAN_OPTIONS": os.environ.get("TSAN_OPTIONS", "") + ":ignore_noninstrumented_modules=1"}

print(f"1..{2 * len(WAYS)}")
failed = False
for number, (way, how, expected) in enumerate(
        ((w, h, e) for w in WAYS for h, e in (("right", 0), ("wrong", REPORTED))), 1):
    run = subprocess.run([sys.argv[1], way, how], capture_output=True, text=True, env=ENVIRONMENT)
    good = run.returncode == expected and ("data race" in run.stderr) == (expected == REPORTED)
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {number} {way}, {how}")
    if not good:
        print("".join(f"# {line}\n" for line in run.stderr.splitlines()), end="")
sys.exit(failed)
