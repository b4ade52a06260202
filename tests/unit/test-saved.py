#!/usr/bin/python3
"""Profiles that were saved by an earlier version (tests/data/saved) open with the numbers that they had then: table and folded stacks.

NAME.perf.gz was recorded by a case of tests/cases and saved by `wakepath-cli save` at 325abbf, before src/ got its rooms; NAME.json and
NAME.folded.gz are what `report --format json` and `flame --format folded` of that version said of it.
usage: test-saved.py CLI FOLDER
"""
import glob
import gzip
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, FOLDER = sys.argv[1:3]


def said(*arguments):
    return subprocess.run([CLI, *arguments], check=True, capture_output=True, text=True).stdout


files = sorted(glob.glob(f'{FOLDER}/*.perf.gz'))
check('there are some', len(files) >= 2, files)
for file in files:
    name = os.path.basename(file).removesuffix('.perf.gz')
    with open(f'{FOLDER}/{name}.json', encoding='utf-8') as expected:
        then, now = json.load(expected), json.loads(said('report', file, '--format', 'json'))
    then['file'] = now['file']
    for report in (then, now):  # what is counted may change, what was counted may not
        report['diagnostics'] = {key: n for key, n in report['diagnostics'].items() if n != 0}
    check(f'{name}: the table', then == now, [(key, then[key], now.get(key)) for key in then if then[key] != now.get(key)])
    with gzip.open(f'{FOLDER}/{name}.folded.gz', 'rt', encoding='utf-8') as expected:
        then, now = expected.read().splitlines(), said('flame', file, '--format', 'folded').splitlines()
    check(f'{name}: {len(then)} folded stacks', then == now and len(then) > 50, sorted(set(then) ^ set(now))[:10])
sys.exit(end())
