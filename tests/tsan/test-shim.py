#!/usr/bin/python3
"""Whether races are found beside the shim, and only races: test-shim.py HAND-OVER"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

WAYS = ["mutex", "queue", "pool", "task", "idle", "once", "box"]
REPORTED = 66
# The main loop makes and frees nodes of its lists in several threads, in functions that have no names to suppress; what the program
# itself does with what it hands over is seen all the same.
ENVIRONMENT = os.environ | {"TSAN_OPTIONS": os.environ.get("TSAN_OPTIONS", "") + ":ignore_noninstrumented_modules=1"}

for way in WAYS:
    for how, expected in (("right", 0), ("wrong", REPORTED)):
        run = subprocess.run([sys.argv[1], way, how], capture_output=True, text=True, env=ENVIRONMENT)
        check(f"{way}, {how}", run.returncode == expected and ("data race" in run.stderr) == (expected == REPORTED), run.stderr)
sys.exit(end())
