#!/usr/bin/python3
"""Stacks in Perun's plain format: what `export --to perun` writes is what real Perun reads, and is the same when it is opened again; profiles of
Perun's as stacks hold what their flame lines say."""
import collections
import json
import os
import subprocess
import sys
import tempfile

CLI, ROOT = sys.argv[1:]
sys.path.insert(0, os.path.join(ROOT, 'tests', 'common'))
import tap

SAVED, MEMORY = os.path.join(ROOT, 'data', 'sample.perf'), os.path.join(ROOT, 'tests', 'data', 'kinds', 'memory.perf')
ODD = os.path.join(ROOT, 'tests', 'data', 'pprof', 'samples', 'odd')
PERUN = os.path.join(ROOT, 'tests', 'data', 'perun', 'profiles')


def cli(*args):
    done = subprocess.run([CLI, *args], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else f'status {done.returncode}: {done.stderr}'


def types_of(file):
    lines = cli('export', '--to', 'raw', file).splitlines()
    return [word.split('/')[0] for word in lines[lines.index('Samples:') + 1].split()]


def folded(text):
    sums = collections.Counter()
    for line in text.splitlines():
        stack, value = line.rsplit(' ', 1)
        sums[stack] += int(value)
    return sums


def flame_lines(profile):
    """perun/profile/convert.py, to_flame_graph_format() and to_string_line() of 0.16.9: which keys it takes, in which order frames stand."""
    lines = []
    for snapshot in profile['snapshots']:
        for resource in snapshot['resources']:
            if resource['subtype'] != 'free' and resource['trace']:
                frames = [f"{frame['function']}()~{frame['source']}~{frame['line']}" for frame in resource['trace']]
                lines.append((';'.join(frames), resource['amount']))
    return lines


def title_and_unit(profile):
    """perun/view/flamegraph/flamegraph.py, draw_flame_graph() of 0.16.9."""
    header = profile['header']
    return (f"{header['type']} consumption of {header['cmd']} {header['args']} {header['workload']}", header['units'][header['type']])


def heap_map(profile):
    """perun/profile/convert.py, get_heap_map() and calculate_heap_map() of 0.16.9: allocations alive in each snapshot."""
    alive, found = [], []
    for snapshot in profile['snapshots']:
        items = [{'address': r['address'], 'subtype': r['subtype'], 'amount': r['amount'],
                  'uid': (r['uid']['function'], r['uid']['line'], r['uid']['source'])} for r in snapshot['resources'] if r['uid']]
        new = [item for item in items if item['subtype'] != 'free']
        found.append(sorted(map(repr, new + alive)))
        alive += new
        for item in items:
            if item['subtype'] == 'free':
                first = next((a for a in alive if a['address'] == item['address']), None)
                if first:
                    alive.remove(first)
    return found, profile['header']['units']['memory']


def resources_of(profile):
    """perun/profile/factory.py, Profile.__init__() and _translate_resources() of 0.20: each has a uid, and a global region has resources."""
    everything = [r for s in profile['snapshots'] for r in s['resources']] + profile['global']['resources']
    return [(r['uid'], r['amount'], r['type']) for r in everything]


with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, 'written.perf')

    # Opened again it is the same.
    for file in [SAVED, MEMORY] + [os.path.join(ODD, name) for name in sorted(os.listdir(ODD)) if name.endswith('.pb.gz')]:
        said = cli('export', '--to', 'perun', file, '-o', out)
        if said.startswith('status'):
            tap.check(f'{os.path.basename(file)}: what is no profile is not written', cli('top', file).startswith('status'), said)
            continue
        differing = [f'{command} {kind}' for kind in types_of(file) for command in ('top', 'traces', 'tags')
                     if cli(command, '--sample-index', kind, file) != cli(command, '--sample-index', kind, out)]
        tap.check(f'{os.path.basename(file)}: the same when opened again', not differing and types_of(file) == types_of(out), differing)

    # What Perun draws of an explained process.
    cli('export', '--to', 'perun', SAVED, '-o', out)
    with open(out, encoding='utf-8') as file:
        written = json.load(file)
    drawn = sum(amount for _, amount in flame_lines(written))
    total = sum(folded(cli('flame', '--format', 'folded', SAVED)).values())
    tap.check(f'flame graph of Perun: {drawn} ns of {total}', drawn == total and total > 0)
    tap.check('its title and unit', title_and_unit(written) == ('time consumption of tour 6  ', 'ns'), title_and_unit(written))
    tap.check('resources as newer ones take them', len(resources_of(written)) == len(flame_lines(written)))
    ours = collections.Counter()
    for line, amount in flame_lines(written):
        ours[';'.join(frame.split('()~')[0] for frame in reversed(line.split(';')))] += amount
    tap.check('its stacks are those of the flame view', ours == folded(cli('flame', '--format', 'folded', SAVED)))

    # What Perun draws of memory: the same as before.
    cli('export', '--to', 'perun', MEMORY, '-o', out)
    with open(out, encoding='utf-8') as file, open(MEMORY, encoding='utf-8') as original:
        written, before = json.load(file), json.load(original)
    tap.check('memory: flame lines stay', flame_lines(written) == flame_lines(before))
    tap.check('memory: the heap map stays', heap_map(written) == heap_map(before))

    # Profiles of Perun's: stacks beside flame lines.
    for file in [MEMORY] + [os.path.join(PERUN, 'devel-2024-03', name) for name in ('kperf-baseline.perf', 'kperf-target.perf')]:
        lines = folded(cli('convert', file, 'flame'))
        stacks = collections.Counter()
        for stack, value in lines.items():
            frames = [frame.split('()~')[0] for frame in stack.split(';')]
            stacks[';'.join(reversed(frames))] += value
        factor = 1 if file == MEMORY else sum(folded(cli('export', '--to', 'folded', file)).values()) / sum(stacks.values())
        tap.check(f'{os.path.basename(file)}: its stacks are its flame lines', factor in (1, 1e6) and
                  {s: round(v * factor) for s, v in stacks.items()} == dict(folded(cli('export', '--to', 'folded', file))), factor)
    tap.check('memory: the types', types_of(MEMORY) == ['alloc_space'], types_of(MEMORY))
    cli('export', '--to', 'pprof', MEMORY, '-o', os.path.join(folder, 'memory.pb.gz'))
    tap.check('memory: the same as a profile of pprof', cli('top', MEMORY) == cli('top', os.path.join(folder, 'memory.pb.gz')))
sys.exit(tap.end())
