#!/usr/bin/env python3
"""What is odd in a profile neither stops the rest from being read nor changes what it means. profile-meaning.py CLI"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

CLI = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='wakepath-meaning-')
os.chdir(FOLDER.name)


def save(name, unit, *resources, **more):
    document = {'header': {'type': 'time', 'cmd': 'c', 'args': '', 'workload': '', 'units': {'time': unit, 'memory': unit}},
                'collector_info': {'name': 'time', 'params': {}}, 'postprocessors': [], 'global': {'resources': list(resources)}}
    with open(name, 'w') as file:
        json.dump(document | more, file)
    return name


def amount(value, uid='f', **more):
    return {'uid': uid, 'type': 'time', 'amount': value} | more


def run(*args):
    done = subprocess.run([CLI, *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


# --- units ---

small, large = save('small', 'us', amount(42)), save('large', 'ms', amount(42))
status, out, err = run('check', small, large)
tap.check('42 ms are a degradation of 42 µs', status == 3 and '1000' in out, (status, out, err))
tap.check('42 µs are an optimization of 42 ms', ' Optimization' in run('check', large, small)[1], run('check', large, small))
status, out, err = run('check', large, save('same', 'us', amount(42000)))
tap.check('42000 µs are 42 ms', status == 0 and 'NoChange' in out + 'NoChange' and 'Degradation' not in out, (status, out, err))
status, out, err = run('check', large, save('bytes', 'B', amount(42)))
tap.check('bytes are not checked against time', status == 1 and 'bytes: amounts are in B' in err, (status, out, err))
linear = {'uid': 'f', 'model': 'linear', 'method': 'full', 'r_square': 0.99, 'x_interval_start': 1, 'x_interval_end': 9}
models = [linear | {'coeffs': [{'name': 'b0', 'value': b}, {'name': 'b1', 'value': b}]} for b in (2, 2000)]
of_ms = save('of_ms', 'ms', **{'global': {'resources': [], 'models': models[:1]}})
of_us = save('of_us', 'us', **{'global': {'resources': [], 'models': models[1:]}})
status, out, err = run('check', of_ms, of_us, '--method', 'integral_comparison')
tap.check('models are compared in one unit', status == 0 and 'Degradation' not in out and 'Optimization' not in out, (status, out, err))

# --- amounts that are none ---

for value in (None, 'x', [1]):
    status, out, err = run('convert', save('odd', 'ms', amount(1), amount(value), amount(2)), 'bars', '--per', 'uid')
    tap.check(f'an amount of {value} is left out of the sum, and that is told', status == 0 and '3' in out and 'amount is no number' in err,
              (status, out, err))
status, out, err = run('convert', save('true', 'ms', amount(True), amount(2)), 'bars', '--per', 'uid')
tap.check('true counts as 1, as in Python', status == 0 and '3' in out and err == '', (status, out, err))
status, out, err = run('check', save('nan', 'ms', amount(float('nan')), amount(4)), save('four', 'ms', amount(4)))
tap.check('NaN is left out of a check, and that is told', status == 0 and 'amount is no finite number' in err, (status, out, err))
tap.check('a field of truth values is numerical, as in Perun',
          'flag' in run('query', save('flag', 'ms', amount(1, flag=True)), 'all_numerical_resource_fields_of')[1].split())

# --- traces, addresses, uids, both shapes ---

frame = {'function': 'main', 'source': 'a.c', 'line': 1}
heap = {'snapshots': [{'time': '0.1', 'resources': [amount(4, frame, address=4096, trace=[frame]),
                                                    amount(4, frame, address='here', trace={'chunk': 'gone'})]}], 'chunks': {'t': [frame]}}
memory = save('memory', 'B', **heap)
status, out, err = run('convert', memory, 'heap-map')
tap.check('an address that is text does not make the heap map begin at 0',
          status == 0 and json.loads(out)['stats']['min_address'] == 4096 and 'address is no number' in err, (status, out, err))
status, out, err = run('convert', memory, 'flame')
tap.check('a chunk that is not there is told', status == 0 and len(out.splitlines()) == 1 and 'names a chunk that is not there' in err, (out, err))
status, out, err = run('view', save('nobody', 'ms', amount(1), {'amount': 2}), 'bars', '-o', 'bars.svg')
tap.check('a resource without a uid is told', status == 0 and 'uid is missing (global.resources[1])' in err, (status, err))
both = save('both', 'ms', amount(4, 'g'), resources={'f#0': {'amount': [1, 2]}}, resource_type_map={'f#0': {'uid': 'f'}})
tap.check('where both shapes stand in one file, both are read', len(run('query', both, 'all_resources_of')[1].splitlines()) == 3)

# --- texts ---

status, out, err = run('query', save('nul', 'ms', amount(1, 'a\0b\ud800')), 'unique_resource_values_of', 'uid')
tap.check('NUL and half a pair are readable', (out.strip(), err) == ('a\\x00b\\ud800', ''), (out, err))
status, out, err = run('query', 'nul', 'unique_resource_values_of', 'uid', '--format', 'json')
tap.check('in JSON they are what they were', out.strip() == '["a\\u0000b\\ud800"]', out)

# --- order ---

points = [amount(i, uid, **{'structure-unit-size': i}) for i in (1, 2, 3) for uid in ('zeta', 'alpha')]
graphs = json.loads(run('convert', save('points', 'ms', *points), 'scatter')[1])
tap.check('graphs of a scatter plot come as their uids do', [graph['uid'] for graph in graphs] == ['zeta', 'alpha'], graphs)
sys.exit(tap.end())
