#!/usr/bin/env python3
"""What small files of stacks cost: each command on each kind takes at most 200 MB and 64 times the input of memory, and 2 s and 2 s a megabyte of
CPU time, or refuses with a word.

stacks-cost.py CLI [KIND…] [--table]: --table prints a line for each run: kind, command, MB, CPU s, peak MB, verdict."""
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

CLI = os.path.abspath(sys.argv[1])
WANTED = [arg for arg in sys.argv[2:] if not arg.startswith('--')]
FOLDER = tempfile.TemporaryDirectory(prefix='wakepath-cost-')
ADDRESS_SPACE = 3 << 30
COMMANDS = [('top',), ('peek',), ('traces',), ('tags',), ('calls',), ('calls', '--format', 'json'), ('calls', '--format', 'dot'), ('info',), ('top', '--format', 'csv'), ('merge',)] + [
    ('export', '--to', to) for to in ('pprof', 'speedscope', 'firefox', 'chrome', 'folded', 'perun', 'raw')]


def speedscope(*profiles, frames=('f',)):
    return {'$schema': 'https://www.speedscope.app/file-format-schema.json', 'shared': {'frames': [{'name': name} for name in frames]},
            'profiles': list(profiles)}


def evented(events):
    return {'type': 'evented', 'name': 'p', 'unit': 'seconds', 'startValue': 0, 'endValue': 1,
            'events': [{'type': kind, 'frame': 0, 'at': i} for i, kind in enumerate(events)]}


def firefox(threads, **shared):
    return {'meta': {'preprocessedProfileVersion': 60, 'interval': 1, 'startTime': 0}, 'libs': [], 'threads': threads, 'shared': shared}


def thread(stacks):
    return {'samples': {'stack': stacks, 'time': list(range(len(stacks)))}}


def tables(n, prefix, depth=lambda i: 0, frame=lambda i: i):
    """n rows of everything."""
    return {'stackTable': {'frame': [frame(i) for i in range(n)], 'prefix': [prefix(i) for i in range(n)]},
            'frameTable': {'func': list(range(n)), 'address': [1] * n, 'inlineDepth': [depth(i) for i in range(n)]},
            'funcTable': {'name': list(range(n))}, 'stringArray': [f'f{i}' for i in range(n)]}


def below(i):
    return i - 1 if i > 0 else None


def racket(n, stacks, thread=lambda i: 0):
    """Samples of Racket's profiler of n functions, innermost first."""
    return {'cpu_time': 1, 'functions': [{'id': f'f{i}', 'src': None} for i in range(n)],
            'samples': [{'thread': thread(i), 'time': 10 * i, 'stack': stack} for i, stack in enumerate(stacks)]}


def graph(n, calls, threads=1):
    """A call graph of n nodes and node 0: calls are (caller, callee)."""
    ends = [(caller, callee, {'caller': caller, 'callee': callee, 'total': 1, 'caller_time': 1, 'callee_time': 1}) for caller, callee in calls]
    nodes = [{'id': f'f{i}' if i > 0 else False, 'src': False, 'thread_ids': [], 'total': 1, 'self': 0, 'callers': [], 'callees': []} for i in range(n + 1)]
    for caller, callee, end in ends:
        nodes[caller]['callees'].append(end)
        nodes[callee]['callers'].append(end)
    return {'total_time': n, 'cpu_time': n, 'sample_number': n, 'thread_times': [{'id': i, 'time': 1} for i in range(threads)], 'nodes': nodes}


N = 10000

KINDS = {
    'a loop of calls, and calls in it': lambda: speedscope(evented('O' * N + 'OC' * N + 'C' * N)),
    'deeper and deeper': lambda: speedscope(evented('O' * N + 'C' * N)),
    'long names': lambda: speedscope({'type': 'sampled', 'name': 'p', 'unit': 'none', 'startValue': 0, 'endValue': 1, 'weights': [1] * 50,
                                      'samples': [[0] * 1000 + [i + 1] for i in range(50)]}, frames=['x' * 100000] + [f'f{i}' for i in range(60)]),
    'events in each other': lambda: [{'ph': 'X', 'name': 'f', 'pid': 1, 'tid': 1, 'ts': i, 'dur': 2 * (N - i)} for i in range(N)],
    'events that never end': lambda: [{'ph': 'B', 'name': f'f{i}', 'pid': 1, 'tid': 1, 'ts': i} for i in range(N)],
    'a chain of stacks': lambda: firefox([thread(list(range(N)))], **tables(N, below)),
    'two chains in turn': lambda: firefox([thread([N - 1, N - 2] * N)], **tables(N, lambda i: i - 2 if i > 1 else None)),
    'inlined in each other': lambda: firefox([thread([N - 1])], **tables(N, below, lambda i: i)),
    'a chain of inlined functions, and leaves': lambda: firefox([thread(list(range(N)))], **tables(
        N, lambda i: None if i == 0 else min(i - 1, 250), lambda i: min(i, 251))),
    'threads': lambda: firefox([thread([0]) for i in range(N)], **tables(1, lambda i: None)),
    'threads without samples': lambda: firefox([{} for i in range(20 * N)], **tables(1, lambda i: None)),
    'threads and a long table': lambda: firefox([thread([N - 1]) for i in range(N)], **tables(N, below)),
    'libs and addresses': lambda: {
        'meta': {'version': 33, 'stackwalk': 1, 'processType': 0, 'startTime': 0},
        'libs': [{'start': 16 * i, 'end': 16 * i + 8, 'name': f'l{i}'} for i in range(N)],
        'threads': [{'samples': {'schema': {'stack': 0, 'time': 1}, 'data': [[i, i] for i in range(N)]},
                     'stackTable': {'schema': {'prefix': 0, 'frame': 1}, 'data': [[None, i] for i in range(N)]},
                     'frameTable': {'schema': {'location': 0}, 'data': [[i] for i in range(N)]}, 'stringTable': [hex(16 * i) for i in range(N)]}]},
    'Racket: deeper and deeper': lambda: racket(1000, [list(range(i)) for i in range(1000)]),
    'Racket: functions that call themselves': lambda: racket(2, [[0] * i + [1] * (i // 2) for i in range(1000)]),
    'Racket: all call all': lambda: racket(N, [[(i * 7919 + j * j * 31) % N for j in range(10)] for i in range(N)]),
    'Racket: a circle': lambda: racket(N, [[(i + 1) % N, i] for i in range(N)]),
    'Racket: threads': lambda: racket(N, [[i] for i in range(N)] * 2, lambda i: i % N),
    'graph: a chain': lambda: graph(N, [(i, i + 1) for i in range(N)]),
    'graph: a circle': lambda: graph(N, [(0, 1)] + [(i, i % N + 1) for i in range(1, N + 1)]),
    'graph: circles in circles': lambda: graph(N, [(0, 1)] + [(i, i + 1) for i in range(1, N)] + [(i + 1, i) for i in range(1, N)]),
    'graph: a star': lambda: graph(N, [(0, 1)] + [(1, i) for i in range(2, N + 1)]),
    'graph: all call all': lambda: graph(150, [(0, 1)] + [(a, b) for a in range(1, 151) for b in range(1, 151)]),
    'graph: threads': lambda: graph(1, [(0, 1)], threads=20 * N),
    'rows without cells': lambda: {
        'meta': {'version': 33, 'stackwalk': 1, 'processType': 0, 'startTime': 0},
        'threads': [{'samples': {'schema': {'stack': 0, 'time': 1, 'threadCPUDelta': 2}, 'data': [[]] * 20 * N}}]},
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))


def measure(kind, path, command):
    """Memory, CPU time and what it said. What it prints goes nowhere: files of tests stay small."""
    with subprocess.Popen(['/usr/bin/env', CLI, command[0], path, *command[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit,
                          cwd=FOLDER.name) as process:
        said = process.stderr.read().decode(errors='replace')
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    size, peak, cpu = os.path.getsize(path), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
    sound = peak <= (200 << 20) + 64 * size and cpu <= 2 + 2 * size / 1e6
    ended = process.returncode == 0 or (process.returncode == 1 and said.startswith('wakepath-cli: '))
    verdict = f'{size / 1e6:.1f} MB, {cpu:.2f} s, {peak / 1e6:.0f} MB, exit {process.returncode} {said.strip()[:150]}'
    if '--table' in sys.argv:
        print(f'# {kind} | {" ".join(command)} | {verdict}', flush=True)
    return sound and ended, verdict


for name, make in KINDS.items():
    if WANTED and name not in WANTED:
        continue
    file = os.path.join(FOLDER.name, 'file.json')
    with open(file, 'w', encoding='utf-8') as out:
        json.dump(make(), out)
    wrong = []
    for command in COMMANDS:
        right, verdict = measure(name, file, command)
        if not right:
            wrong.append(f'{" ".join(command)}: {verdict}')
    tap.check(name, not wrong, '\n'.join(wrong))
sys.exit(tap.end())
