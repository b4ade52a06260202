#!/usr/bin/env python3
"""Every documented field of a profile with every wrong kind of value: it is refused or told, never passed over in silence.

profile-types.py CLI [--list]: --list prints what nobody is told of."""
import copy
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

CLI = os.path.abspath(sys.argv[1])
KINDS = {'null': None, 'truth': True, 'whole': 7, 'real': 1.5, 'text': 'text', 'list': [], 'full list': [[1]], 'object': {},
         'full object': {'x': 1}}
NUMBER, TEXT, LIST, OBJECT = {'whole', 'real'}, {'text'}, {'list', 'full list'}, {'object', 'full object'}
COUNTED = NUMBER | {'truth'}  # Perun adds up true as 1

FRAME = {'function': 'f', 'source': 'a.c', 'line': 3}
RESOURCE = {'type': 'memory', 'subtype': 'malloc', 'address': 4096, 'amount': 4, 'trace': [FRAME], 'uid': FRAME, 'exclusive': 2,
            'structure-unit-size': 5, 'timestamp': 6, 'order': 1, 'call-order': 1, 'allocation_order': 1, 'location': 'a.c',
            'workload': 'w', 'command': 'c', 'time': '0.5'}
MODEL = {'uid': 'f', 'model': 'linear', 'method': 'full', 'r_square': 0.5, 'x_interval_start': 0, 'x_interval_end': 9, 'x_start': 0, 'x_end': 9,
         'coeffs': [{'name': 'b0', 'value': 1.5}, {'name': 'b1', 'value': 2}]}
CURVES = [{'uid': 'f', 'model': 'regressogram', 'method': 'full', 'r_square': 0.5, 'x_start': 0, 'x_end': 9, 'bucket_stats': [1, 2]},
          {'uid': 'f', 'model': 'kernel_regression', 'method': 'full', 'r_square': 0.5, 'x_start': 0, 'x_end': 9, 'kernel_stats': [1, 2]}]
HEAD = {'origin': '0123456789' * 4, 'header': {'type': 'memory', 'units': {'memory': 'B'}, 'cmd': 'c', 'args': 'a', 'workload': 'w', 'label': 'l'},
        'collector_info': {'name': 'memory', 'params': {'all': True}}, 'postprocessors': [{'name': 'filter', 'params': {}}]}
OLD = dict(HEAD, chunks={'t': [FRAME]},
           snapshots=[{'time': '0.1', 'resources': [RESOURCE, dict(RESOURCE, trace={'chunk': 't'})], 'models': [MODEL]}],
           **{'global': {'resources': [RESOURCE], 'models': [MODEL, *CURVES], 'timestamp': 1.5, 'time': '2'}})
SHARED = {k: v for k, v in RESOURCE.items() if k not in ('amount', 'address')}
NEW = dict(HEAD, resources={'f#0': {'amount': [1, 2], 'address': [4096, 8192]}}, resource_type_map={'f#0': dict(SHARED, snapshot=0)}, models=[MODEL, *CURVES])


def fields(base, where, kinds):
    return [(base, where + (key,), allowed) for key, allowed in kinds.items()]


IN_FRAME = {'function': TEXT, 'source': TEXT, 'line': NUMBER}
IN_RESOURCE = {'type': TEXT, 'subtype': TEXT, 'trace': LIST, 'uid': TEXT | OBJECT, 'exclusive': COUNTED, 'structure-unit-size': NUMBER,
               'timestamp': NUMBER, 'order': NUMBER, 'call-order': NUMBER, 'allocation_order': NUMBER, 'location': TEXT, 'workload': TEXT,
               'command': TEXT, 'time': TEXT | NUMBER}
IN_MODEL = {'uid': TEXT | OBJECT, 'model': TEXT, 'method': TEXT, 'r_square': NUMBER, 'x_interval_start': NUMBER, 'x_interval_end': NUMBER,
            'x_start': NUMBER, 'x_end': NUMBER, 'coeffs': LIST}
IN_HEAD = {'origin': TEXT, 'header': OBJECT, 'collector_info': OBJECT, 'postprocessors': LIST}


def all_fields():
    found = []
    for base in (OLD, NEW):
        found += fields(base, (), IN_HEAD)
        found += fields(base, ('header',), {'type': TEXT, 'units': OBJECT, 'cmd': TEXT, 'args': TEXT, 'workload': TEXT, 'label': TEXT})
        found += fields(base, ('header', 'units'), {'memory': TEXT})
        found += fields(base, ('collector_info',), {'name': TEXT, 'params': OBJECT | LIST})
        found += fields(base, ('postprocessors',), {0: OBJECT}) + fields(base, ('postprocessors', 0), {'name': TEXT, 'params': OBJECT | LIST})
    found += fields(OLD, (), {'snapshots': LIST, 'global': OBJECT, 'chunks': OBJECT})
    found += fields(OLD, ('snapshots',), {0: OBJECT}) + fields(OLD, ('snapshots', 0), {'time': TEXT | NUMBER, 'resources': LIST, 'models': LIST})
    found += fields(OLD, ('global',), {'resources': LIST, 'models': LIST, 'timestamp': TEXT | NUMBER, 'time': TEXT | NUMBER})
    for where in (('snapshots', 0, 'resources'), ('global', 'resources')):
        found += fields(OLD, where, {0: OBJECT}) + fields(OLD, where + (0,), dict(IN_RESOURCE, amount=COUNTED, address=NUMBER))
        found += fields(OLD, where + (0, 'uid'), IN_FRAME) + fields(OLD, where + (0, 'trace', 0), IN_FRAME)
        found += fields(OLD, where + (0, 'trace'), {0: OBJECT | TEXT})
    found += fields(OLD, ('snapshots', 0, 'resources', 1, 'trace'), {'chunk': set()})
    for base, where in ((OLD, ('snapshots', 0, 'models')), (OLD, ('global', 'models')), (NEW, ('models',))):
        found += fields(base, where, {0: OBJECT}) + fields(base, where + (0,), IN_MODEL)
        found += fields(base, where + (0, 'coeffs'), {0: OBJECT}) + fields(base, where + (0, 'coeffs', 0), {'name': TEXT, 'value': NUMBER})
    for base, where in ((OLD, ('global', 'models')), (NEW, ('models',))):
        found += fields(base, where + (1,), {'bucket_stats': LIST}) + fields(base, where + (2,), {'kernel_stats': LIST})
    found += fields(NEW, (), {'resources': OBJECT, 'resource_type_map': OBJECT, 'models': LIST})
    found += fields(NEW, ('resources',), {'f#0': OBJECT}) + fields(NEW, ('resources', 'f#0'), {'amount': LIST, 'address': LIST})
    found += fields(NEW, ('resources', 'f#0', 'amount'), {0: COUNTED}) + fields(NEW, ('resources', 'f#0', 'address'), {0: NUMBER})
    found += fields(NEW, ('resource_type_map',), {'f#0': OBJECT}) + fields(NEW, ('resource_type_map', 'f#0'), dict(IN_RESOURCE, snapshot=NUMBER))
    return found


def changed(base, where, value):
    document = copy.deepcopy(base)
    place = document
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    return document


def run(document):
    """The status and what was said of this document."""
    with tempfile.NamedTemporaryFile('w', suffix='.perf') as file:
        json.dump(document, file)
        file.flush()
        done = subprocess.run([CLI, 'query', file.name, 'all_resources_of'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr.replace(file.name, 'x.perf')


def name_of(where):
    return '.'.join(map(str, where))


def is_told(where, status, said):
    """By its own name, or that of what it is an element of."""
    names = [str(key) for key in where if not isinstance(key, int)][-2:]
    return status in (0, 1) and any(name in said for name in names)


def main():
    cases = [(base, where, kind) for base, where, allowed in all_fields() for kind in KINDS if kind not in allowed]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda case: run(changed(case[0], case[1], KINDS[case[2]])), cases))
    silent = [f'{name_of(where)}: {kind}' for (base, where, kind), (status, text) in zip(cases, said) if not is_told(where, status, text)]
    if '--list' in sys.argv:
        print('\n'.join(silent))
    for name, base in (('old', OLD), ('new', NEW)):
        done = run(base)
        tap.check(f'of a profile of the {name} shape as it should be nothing is told', done == (0, ''), done)
    tap.check(f'{len(cases)} wrong kinds of value are refused or told', not silent, f'{len(silent)} are not, as {silent[:8]}')
    crashed = [case[1:] for case, (status, text) in zip(cases, said) if status not in (0, 1)]
    tap.check('none ends the program otherwise', not crashed, crashed[:8])
    sys.exit(tap.end())


main()
