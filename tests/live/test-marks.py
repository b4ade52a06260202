#!/usr/bin/python3
"""What programs say of themselves in marker files: which samples are within, what is listed, and files that others made to do harm. As root. TAP.
usage: test-marks.py CLI MARKED
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end, thrice

CLI, MARKED = map(os.path.abspath, sys.argv[1:3])

# Maps a file as a program of its own, as `marked` does; then becomes hostile.
HOSTILE = """
import mmap, os, sys, time
what, folder = sys.argv[1:]
path = os.path.join(folder, f'marker-{os.getpid()}-{os.getpid()}.txt')
named = path if what != 'nobody' else os.path.join(folder, 'marker-1-1.txt')
now = lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC)
start = now()
with open(named, 'w+') as file:
    file.write('.' * 4096)
    file.flush()
    kept = mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
    file.truncate(0)
    file.seek(0)
    while now() < start + 50_000_000:
        pass
    line = f'{start} {now()} said\\n'
    file.write(line)
    if what == 'wrong':
        file.write(f'-5 {now()} negative\\n{now()} {start} reversed\\n{start} {now()} \\n{start}\\n99999999999999999999 1 large\\n{start} {now()} unfinished')
    if what == 'many':
        file.write(line * 250000)
    if what == 'nuls':
        file.write(f'{start} {now()} a\\0b\\n')
    if what == 'long':
        file.write(f'{start} {now()} {"ü" * 1000}\\n')
    if what == 'terminal':
        file.write(f'{start} {now()} \\x1b]0;owned\\x07\\n')
if what == 'binary':
    with open(path, 'wb') as file:
        file.write(os.urandom(100000))
if what == 'large':
    os.truncate(path, 1 << 30)
if what == 'foreign':
    os.chown(path, 65534, 65534)
if what in ('link', 'pipe', 'deleted', 'replaced'):
    os.rename(path, path + '.aside')
if what == 'link':
    os.symlink(path + '.aside', path)
if what == 'pipe':
    os.mkfifo(path)
if what == 'replaced':
    with open(path, 'w') as file:
        file.write(line)
"""


def cli(*arguments):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=120)


def marks_of(path):
    return [json.loads(line) for line in cli('marks', path, '--format', 'json').stdout.splitlines()]


def test_phases(folder):
    path = f'{folder}/marked'
    done = cli('record', '-o', path, '--', MARKED)
    said = [int(word) for word in done.stdout.split()]
    marks = {mark['name']: mark for mark in marks_of(path)}
    check('recorded, without a word about marks', done.returncode == 0 and 'marks:' not in done.stderr, done)
    check('all marks are listed', sorted(marks) == ['load', 'parse, all of it', 'rest', 'work'], marks)
    lengths = [marks[name]['end_ns'] - marks[name]['start_ns'] for name in ('load', 'parse, all of it')]
    check('they last as long as the program says', all(abs(a - b) < 1_000_000 for a, b in zip(said, lengths)), (said, lengths))
    check('of the thread that said it', marks['load']['tid'] == marks['work']['tid'] == marks['load']['pid'] != marks['rest']['tid']
          and marks['rest']['pid'] == marks['load']['pid'], marks)
    info = json.loads(cli('info', path, '--format', 'json').stdout)
    check('info counts them', info['marks'] == 4 and re.search('^Marks of programs: 4 ', cli('info', path).stdout, re.M), info['marks'])
    folded = cli('export', path, '--tagfocus', 'process=^marked$', '--tagroot', 'process,mark', '--to', 'folded').stdout
    spent = {}
    for line in folded.splitlines():
        stack, ns = line.rsplit(' ', 1)
        frames = stack.split(';')
        inner = next((f for f in frames if f in ('loading', 'parsing', 'resting', 'unsaid')), None)
        if inner is not None:
            roots = tuple(frames[:next(i for i, f in enumerate(frames) if f not in ('marked', 'work', 'load', 'parse, all of it', 'rest'))])
            spent.setdefault(inner, {}).setdefault(roots, 0)
            spent[inner][roots] += int(ns)
    for function, roots, ms in (('loading', ('marked', 'work', 'load'), 300), ('parsing', ('marked', 'work', 'parse, all of it'), 300),
                                ('resting', ('marked', 'rest'), 200), ('unsaid', ('marked',), 150)):
        found = spent.get(function, {})
        check(f'{function}: its samples are within {"/".join(roots)}', found and found.get(roots, 0) > 0.95 * sum(found.values())
              and 0.5 * ms * 1e6 < found.get(roots, 0) < 1.1 * ms * 1e6, found)  # on a busy machine many runs end before a sample: those have no stack
    running = json.loads(cli('calls', path, '--task', 'marked', '--sample-index', 'running', '--tagroot', 'mark', '--format', 'json').stdout)
    said = {node['id']: node['total'] for node in running['nodes']}
    check('the explained process is told by marks, too', all(abs(said.get(name, 0) - ms) < 0.1 * ms for name, ms in (('work', 600), ('load', 300), ('rest', 200))), said)
    tags = cli('tags', path, '--tagfocus', 'process=^marked$').stdout
    check('tags tell how much each took', re.search(r'\bmark\b', tags) and all(name in tags for name in marks), tags)
    focused = json.loads(cli('calls', path, '--tagfocus', 'mark=^load$', '--hide-self', 'off', '--hide-subs', 'off', '--format', 'json').stdout)
    names = [node['id'] for node in focused['nodes']]
    check('a filter by mark leaves what was within', 'loading' in names and 'parsing' not in names and abs(focused['total_time'] - 300) < 30, names)
    graph = json.loads(cli('calls', path, '--tagroot', 'process,mark', '--tagfocus', 'process=^marked$', '--format', 'json').stdout)
    ids = [node['id'] for node in graph['nodes']]
    edges = {(ids[edge['caller']], ids[edge['callee']]): edge['total'] for node in graph['nodes'] for edge in node['callees']}
    check('marks are frames of the call graph', abs(edges.get(('marked', 'work'), 0) - 600) < 60 and abs(edges.get(('work', 'load'), 0) - 300) < 30, edges)


def test_pooled(folder):
    """What several runs took is added up: record --repeat, and calls of all of them."""
    done = cli('record', '--repeat', '3', '-o', f'{folder}/run.data', '--', MARKED)
    files = [f'{folder}/run-{i}.data' for i in (1, 2, 3)]
    check('three recordings', done.returncode == 0 and all(map(os.path.exists, files)), done)
    options = ('--tagfocus', 'process=^marked$', '--tagroot', 'mark', '--hide-self', 'off', '--hide-subs', 'off', '--format', 'json')
    pooled, *single = [json.loads(cli('calls', *paths, *options).stdout) for paths in (files, *[[path] for path in files])]
    totals = [{node['id']: node['total'] for node in graph['nodes'] if node['id']} for graph in (pooled, *single)]
    check('samples add up', pooled['sample_number'] == sum(graph['sample_number'] for graph in single), pooled['sample_number'])
    check('so do the times of each function and mark', all(
        abs(totals[0][name] - sum(one.get(name, 0) for one in totals[1:])) < 1e-3 for name in totals[0]) and {'load', 'loading', 'work'} <= totals[0].keys(), totals)
    written = f'{folder}/graph.json'
    cli('calls', files[0], *options, '-o', written)
    again = json.loads(cli('calls', written, *files[1:], '--hide-self', 'off', '--hide-subs', 'off', '--format', 'json').stdout or '{}')
    both = json.loads(cli('calls', written, written, '--format', 'json').stdout)
    check('graphs that were written are merged, too', abs(both['total_time'] - 2 * single[0]['total_time']) < 1e-3 and again.get('total_time', 0) > pooled['total_time'],
          (both['total_time'], single[0]['total_time'], again.get('total_time')))


def hostile(folder, what):
    path = f'{folder}/{what}.data'
    own = f'{folder}/{what}'
    os.mkdir(own)
    done = cli('record', '-o', path, '--', sys.executable, '-c', HOSTILE, what, own)
    return done, marks_of(path), cli('info', path).stdout


def test_hostile(folder):
    for what, word, names in (('usual', None, {'said'}), ('link', 'is not there any more as it was mapped', set()), ('pipe', 'is not there any more as it was mapped', set()),
                              ('deleted', 'is not there any more as it was mapped', set()), ('replaced', 'is not there any more as it was mapped', set()),
                              ('foreign', 'belongs to another user', set()), ('large', 'is larger than 16 MiB', set()),
                              ('binary', 'has lines that are no marks', set()), ('wrong', 'has lines that are no marks (START END NAME): 5', {'said'}),
                              ('nuls', 'has lines that are no marks (START END NAME): 1', {'said'}), ('many', 'has more marks than are kept', {'said'}),
                              ('long', None, {'said', 'ü' * 128}), ('nobody', None, set()), ('terminal', None, {'said', '\x1b]0;owned\x07'})):
        done, marks, info = hostile(folder, what)
        told = [line for line in info.splitlines() if line.startswith('marks: ')]
        check(f'{what}: the recording is complete', done.returncode == 0, done)
        check(f'{what}: {word or "nothing is said"}', (len(told) == 1 and word in told[0]) if word else not told, (told, done.stderr))
        check(f'{what}: {len(names)} names', {mark['name'] for mark in marks} == names, [mark['name'] for mark in marks[:5]])
        if what == 'many':
            check('many: so many are kept', len(marks) == 200000, len(marks))
        if what == 'terminal':
            check('terminal: nothing reaches it', '\x1b' not in cli('marks', f'{folder}/{what}.data').stdout)


def in_place(test):
    with tempfile.TemporaryDirectory(prefix='wakepath-marks-') as place:
        test(place)


thrice(lambda: in_place(test_phases))
thrice(lambda: in_place(test_pooled))
in_place(test_hostile)
for left in glob.glob('/tmp/marker-*-*.txt'):
    if os.stat(left).st_uid == 0 and not os.path.exists(f'/proc/{left.split("-")[1]}'):
        os.unlink(left)
sys.exit(end())
