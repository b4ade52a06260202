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
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, FOLDER = sys.argv[1:3]


def said(*arguments):
    return subprocess.run([CLI, *arguments], check=True, capture_output=True, text=True).stdout


def split(lines):
    """Those whose place was known then, and the time of the others: runs without a sample, and preemptions, which stood on the process then."""
    others = [line for line in lines if re.search(r'\(not sampled[^;]*\) \d+$|(exit_to_user_mode(_loop)?;schedule|__cond_resched);__schedule \d+$', line)]
    return sorted(set(lines) - set(others)), sum(int(line.rsplit(' ', 1)[1]) for line in others)


def is_in(then, now):
    """Whether all that was said then is said now, too: keys may come, and what a category with an id is called is for people."""
    if isinstance(then, dict):
        return all(key in now and is_in(value, now[key]) for key, value in then.items() if key != 'name' or 'id' not in then)
    if isinstance(then, list):
        return len(then) == len(now) and all(map(is_in, then, now))
    return then == now


files = sorted(glob.glob(f'{FOLDER}/*.perf.gz'))
check('there are some', len(files) >= 2, files)
for file in files:
    name = os.path.basename(file).removesuffix('.perf.gz')
    with open(f'{FOLDER}/{name}.json', encoding='utf-8') as expected:
        then, now = json.load(expected), json.loads(said('report', file, '--format', 'json'))
    then['file'] = now['file']
    for report in (then, now):  # what is counted may change, what was counted may not
        report['diagnostics'] = {key: n for key, n in report['diagnostics'].items() if n != 0}
    known = {category['id'] for category in then['categories']}  # what came later is there, and empty
    now['categories'] = [category for category in now['categories'] if category['id'] in known or category['ns'] != 0]
    for category in then['categories']:  # whose waits for a CPU they were; now who had it, which such a file has not kept
        if category['id'] in ('scheduler', 'involuntary'):
            of_now = next(other for other in now['categories'] if other['id'] == category['id'])
            check(f'{name}: {category["id"]}, all of it by somebody', sum(row['ns'] for row in of_now['rows']) == category['ns'], of_now)
            del category['rows']
    check(f'{name}: it was recorded to the end of all its waits', now.pop('unfinished_ns') == 0)
    check(f'{name}: the table', is_in(then, now), [(key, then[key], now.get(key)) for key in then if not is_in(then[key], now.get(key))])
    with gzip.open(f'{FOLDER}/{name}.folded.gz', 'rt', encoding='utf-8') as expected:
        then, now = expected.read().splitlines(), said('flame', file, '--format', 'folded').splitlines()
    (then, placed_then), (now, placed_now) = split(then), split(now)
    check(f'{name}: {len(then)} folded stacks', then == now and len(then) > 50, sorted(set(then) ^ set(now))[:10])
    check(f'{name}: … and as much as then was recorded without a user stack', placed_then == placed_now > 0, (placed_then, placed_now))
sys.exit(end())
