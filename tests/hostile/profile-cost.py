#!/usr/bin/env python3
"""What small profiles cost: each command on each kind takes at most 200 MB and 64 times the unpacked input of memory, and 2 s and 2 s a
megabyte of CPU time, or refuses with a word.

profile-cost.py CLI [KIND…] [--window=AS-WINDOW] [--table] [--all]: AS-WINDOW is the program of that name here, which does what
the window does; --table prints a line for each run: kind, command, MB, CPU s, peak MB, limits, verdict; --all runs all commands on each kind, not only those that have most to do with it."""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

CLI = os.path.abspath(sys.argv[1])
WANTED = [arg for arg in sys.argv[2:] if not arg.startswith('--')]
WINDOW = [os.path.abspath(arg.removeprefix('--window=')) for arg in sys.argv if arg.startswith('--window=')]
FOLDER = tempfile.TemporaryDirectory(prefix='wakepath-cost-')
ADDRESS_SPACE = 3 << 30
rand = random.Random(7)

VIEWS = [('view', name, '-o', 'x.' + end) for name, ends in
         {'flame': ('svg', 'pdf'), 'heap-map': ('png', 'svg'), 'heat-map': ('pdf',), 'scatter': ('pdf', 'svg', 'png'), 'bars': ('svg', 'pdf'),
          'flow': ('svg', 'pdf'), 'resources': ('tsv',), 'models': ('tsv',), 'allocations': ('tsv',)}.items() for end in ends]
CONVERSIONS = [('convert', 'table'), ('convert', 'flame'), ('convert', 'heap-map'), ('convert', 'heat-map'), ('convert', 'plot'),
               ('convert', 'bars', '--per', 'uid'), ('convert', 'flow'), ('convert', 'scatter')]
QUERIES = [('query', 'all_items_of'), ('query', 'all_numerical_resource_fields_of'), ('query', 'unique_resource_values_of', 'uid')]
POST = [('postprocess', name, '-o', 'y.perf') for name in ('regression-analysis', 'normalizer', 'clusterizer')]
TWICE = [('check',), ('diff',)]


def document(listed=(), **more):
    return {'header': {'type': 'memory', 'cmd': 'c', 'args': '', 'workload': '', 'units': {'memory': 'B'}}, 'collector_info': {'name': 'm', 'params': {}},
            'postprocessors': [], 'global': {'resources': list(listed)}} | more


def one(i, **more):
    return {'uid': 'f', 'type': 'memory', 'amount': i} | more


def snapshots(*lists):
    return {'snapshots': [{'time': str(i), 'resources': list(each)} for i, each in enumerate(lists)]}


def heap(i, address, amount, uid='f', subtype='malloc'):
    return one(amount, uid=uid, address=address, subtype=subtype)


def traces(n, depth):
    return [one(1, trace=[{'function': f'f{i % 50}_{k}', 'source': 'a.c', 'line': k} for k in range(depth)]) for i in range(n)]


KINDS = {
    'keys in one resource': lambda: document([one(1, **{f'k{i}': i for i in range(20000)})]),
    'a key for each resource': lambda: document([one(1, **{f'k{i}': i}) for i in range(20000)]),
    'a nested key for each resource': lambda: document([one(1, uid={'function': 'f', f'k{i}': i}) for i in range(10000)]),
    'uids': lambda: document([one(i, uid=f'uid {i}', **{'structure-unit-size': i % 7}) for i in range(30000)]),
    'points': lambda: document([one(rand.random(), uid=f'f{i % 3}', **{'structure-unit-size': rand.random()}) for i in range(30000)]),
    'chunks': lambda: document(**snapshots([one(1, trace={'chunk': f't{i}'}) for i in range(30000)]),
                               chunks={f't{i}': [{'function': f'f{i}', 'source': 'a', 'line': 1}] for i in range(30000)}),
    'type map': lambda: document(resources={f'u{i}#0': {'amount': [i]} for i in range(30000)},
                                 resource_type_map={f'u{i}#0': {'uid': f'u{i}', 'snapshot': i} for i in range(30000)}),
    'far snapshot': lambda: document(resources={'u#0': {'amount': [1], 'address': [4096]}}, resource_type_map={'u#0': {'uid': 'u', 'snapshot': 1000000}}),
    'heap for ever': lambda: document(**snapshots(*[[heap(i, 4096 + 64 * i, 64, f'f{i % 9}')] for i in range(8000)])),
    'heap at one place': lambda: document(**snapshots(*[[heap(i, 4096, 64), heap(i, 4096, 0, 'f', 'free')] for i in range(8000)])),
    'heap far apart': lambda: document(**snapshots([heap(0, 1, 1), heap(0, 1 << 62, 1 << 62), heap(0, 1e308, 1e308), heap(0, -(1 << 62), 5)])),
    'flow far apart': lambda: document([one(1, **{'structure-unit-size': 1}), one(1, **{'structure-unit-size': 12000000})]),
    'flow of many': lambda: document([one(i, uid=f'u{i % 2000}', **{'structure-unit-size': i % 5000}) for i in range(20000)]),
    'numbers': lambda: document([one(x, **{'structure-unit-size': y}) for x in (1e308, -1e308, 5e-324, 10 ** 400, 0, 1) for y in (1e308, -1e308, 5e-324, 1e15, 1, 2)]),
    'hardly apart': lambda: document([one(i, **{'structure-unit-size': 2 ** 53 + 2 * (i % 2)}) for i in range(30)]),
    'large strings': lambda: document([one(i, uid='x' * 400000 + str(i), **{'structure-unit-size': i}) for i in range(8)]),
    'deep traces': lambda: document(**snapshots(traces(300, 200))),
    'deepest trace': lambda: document(**snapshots(traces(2, 30000))),
    'models': lambda: document(**{'global': {'resources': [one(i, uid=f'f{i % 99}', **{'structure-unit-size': i}) for i in range(900)], 'models': [
        {'uid': f'f{i % 99}', 'model': 'linear', 'method': 'full', 'r_square': 0.5, 'x_interval_start': 0, 'x_interval_end': 9 + i,
         'coeffs': [{'name': 'b0', 'value': 1}, {'name': 'b1', 'value': 2}]} for i in range(9000)]}}),
    'models far beyond': lambda: document(**{'global': {'resources': [one(i, **{'structure-unit-size': i}) for i in range(900)], 'models': [
        {'uid': 'f', 'model': 'linear', 'method': 'full', 'r_square': 0.5, 'x_interval_start': 0, 'x_interval_end': 1000000 + i,
         'coeffs': [{'name': 'b0', 'value': 1}, {'name': 'b1', 'value': 2}]} for i in range(6000)]}}),
    'bars of many': lambda: document([one(i, uid=f'u{i % 300}', subtype=f's{i // 300}') for i in range(30000)]),
}
ALL = VIEWS + CONVERSIONS + QUERIES + POST + TWICE
TABLES = [('view', 'resources', '-o', 'x.tsv'), ('view', 'bars', '-o', 'x.svg'), ('convert', 'table'), ('query', 'all_items_of')]
HEAPS = [('view', 'heap-map', '-o', 'x.png'), ('view', 'heat-map', '-o', 'x.pdf'), ('convert', 'heap-map'), ('convert', 'heat-map')]
FLOWS = [('view', 'flow', '-o', 'x.svg'), ('convert', 'flow'), ('convert', 'bars', '--per', 'uid')]
FLAMES = [('view', 'flame', '-o', 'x.svg'), ('convert', 'flame'), ('diff',)]
SCATTERS = [('view', 'scatter', '-o', 'x.pdf'), ('convert', 'scatter'), POST[0], ('check',)]
COMMANDS = {name: commands for commands, names in (
    (TABLES, ['keys in one resource', 'a key for each resource', 'a nested key for each resource', 'large strings', 'bars of many']),
    (HEAPS, ['heap for ever', 'heap at one place', 'heap far apart', 'far snapshot']),
    (FLOWS, ['flow far apart', 'flow of many']),
    (FLAMES, ['chunks', 'deep traces', 'deepest trace', 'type map']),
    (SCATTERS[:1], ['models far beyond']),
    (SCATTERS[:2] + POST + TWICE, ['uids', 'points', 'models', 'numbers', 'hardly apart'])) for name in names}


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measure(args, cpu_limit):
    """Status, CPU seconds, peak MB, the last words."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(args, cwd=FOLDER.name, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                 preexec_fn=lambda: (limit_memory(), resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_limit) + 2,) * 2)))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        words = errors.read().decode(errors='replace').strip().splitlines()
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, words[-1] if words else ''


def run(kind, command, path, size):
    """A command of CLI, or a program that is given the file alone."""
    paths = [path, path] if command in TWICE else [path]
    cpu_limit, memory_limit = 2 + 2 * size, 200 + 64 * size
    status, cpu, peak, words = measure([CLI, command[0], *paths, *command[1:]] if command[0] not in WINDOW else [*command, path], cpu_limit)
    good = status in (0, 1, 3) and (status != 1 or words != '') and cpu <= cpu_limit and peak <= memory_limit
    verdict = ('refused' if status == 1 else 'ok') if good else f'status {status}, too much' if status in (0, 1, 3) else f'ended by {-status}'
    line = f'{kind:32} {" ".join(command) if command[0] not in WINDOW else "the window":44} {size:6.2f} MB {cpu:6.2f} s of {cpu_limit:5.1f} {peak:7.0f} MB of {memory_limit:5.0f}  {verdict}'
    if '--table' in sys.argv:
        print(line, flush=True)
    return good, line


def main():
    for kind, make in KINDS.items():
        if WANTED and kind not in WANTED:
            continue
        commands = (ALL if '--all' in sys.argv else COMMANDS[kind]) + [(window,) for window in WINDOW]
        path = os.path.join(FOLDER.name, 'x.perf')
        with open(path, 'w') as file:
            json.dump(make(), file)
        size = os.path.getsize(path) / 1e6
        bad = [line for good, line in (run(kind, command, path, size) for command in commands) if not good]
        tap.check(f'{kind}: {len(commands)} commands within their limits', not bad, '\n'.join(bad))
    sys.exit(tap.end())


main()
