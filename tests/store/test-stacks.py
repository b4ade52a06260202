#!/usr/bin/python3
"""Profiles of other formats in the store: kept as profiles of Perun's that give back what they had, and their history, a line for each value
type."""
import csv
import json
import os
import shutil

from stores import cli, head, object_path, read, repository, unpack_object
import tap

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'pprof', 'samples', 'odd')
REPO = repository(2)
FIRST, LAST = head(REPO, 'HEAD~1'), head(REPO)
NAMES = ['inline', 'labels', 'types']
RECORDING = """\
prog 100/100 [000] 1.000000000: 1000 cycles:
\t    1139 main+0x9 (/tmp/prog)

prog 100/100 [000] 1.010000000: 500 cycles:
\t    1149 f+0x9 (/tmp/prog)
\t    1139 main+0x9 (/tmp/prog)

"""
SWITCH = 'a 1/1 [000] 1.000000: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n'


def put(name, text):
    with open(os.path.join(REPO, name), 'w', encoding='utf-8') as out:
        out.write(text)


def opened_again(name, entry):
    """The file that a stored profile is, as another program would find it in the object."""
    document = unpack_object(read(object_path(REPO, entry['sha1']))).split(b'\0', 1)[1]
    path = name + '.object'
    put(path, document.decode())
    return path, json.loads(document)


def registered(minor=LAST):
    return cli(REPO, 'status', '-m', minor, '--format', 'json').json()['registered']


def types(path):
    return [(row['type'], row['unit'], row['total'], row['default']) for row in cli(REPO, 'info', path, '--format', 'json').json()['types']]


def same(name, path):
    """Whether commands say the same of a file and of its stored profile."""
    for row in types(name):
        for command in (['top'], ['traces'], ['tags'], ['peek', '.']):
            before, after = (cli(REPO, *command, each, '--sample-index', row[0]) for each in (name, path))
            tap.check(f'{name}: {command[0]} of {row[0]} says the same of what is stored', before.status == 0 and before.out == after.out, (before, after))


# pprof's
for name in NAMES:
    file = name + '.pb.gz'
    shutil.copy(os.path.join(SAMPLES, file), REPO)
    done = cli(REPO, 'add', file)
    tap.check(f'{file} is registered', done.status == 0 and f'registered with commit {LAST[:8]}' in done.out, done)
    tap.check(f'{file} stays', os.path.exists(os.path.join(REPO, file)))
    entry = next(each for each in registered() if each['name'] == file)
    path, document = opened_again(name, entry)
    same(file, path)
    kept = [(row['type'], row['unit'], row['total']) for row in document['collector_info']['params']['types']]
    tap.check(f'{file}: its value types and what they come to stand in it', kept == [row[:3] for row in types(file)], kept)
    tap.check(f'{file}: each stack stands once', all('chunk' in row['trace'] for row in document['snapshots'][0]['resources']))

inline = json.loads(read(os.path.join(REPO, 'inline.object')))
tap.check('what was run is the program', inline['header']['cmd'] == 'prog' and inline['header']['type'] == 'time', inline['header'])
tap.check('or the file, where no program is named', json.loads(read(os.path.join(REPO, 'labels.object')))['header']['cmd'] == 'labels.pb.gz')
raw = [cli(REPO, 'export', '--to', 'raw', each).out.partition('Samples:')[0] for each in ('inline.pb.gz', 'inline.object')]
tap.check('period, time and duration are kept', raw[0] == raw[1], raw)
modules = [cli(REPO, 'export', '--to', 'raw', each).out.partition('Mappings')[2] for each in ('inline.pb.gz', 'inline.object')]
tap.check('modules are kept with their addresses and build ids, and what is known of them', 'abc123 [FN][FL][LN][IN]' in modules[0] and modules[0] == modules[1],
          modules)
once = [cli(REPO, 'export', '--to', 'raw', each).out.count('[F] ') for each in ('inline.pb.gz', 'inline.object')]
tap.check('functions that the linker made one are kept as such', once == [1, 1], once)
shutil.copy(os.path.join(SAMPLES, 'mixed.pb.gz'), REPO)
cli(REPO, 'export', '--to', 'perun', 'mixed.pb.gz', '-o', 'mixed.object')
modules = [cli(REPO, 'export', '--to', 'raw', each).out.partition('Mappings')[2] for each in ('mixed.pb.gz', 'mixed.object')]
tap.check('a module of which nothing is known stays so', 'libx.so  \n' in modules[0] and modules[0] == modules[1], modules)
old = json.loads(read(os.path.join(REPO, 'inline.object')))
for module in old['collector_info']['params']['modules']:
    module.pop('has')
put('old.object', json.dumps(old))
tap.check('a file that does not say what is known of modules reads as before', 'abc123 [FN]\n' in cli(REPO, 'export', '--to', 'raw', 'old.object').out)

# Of every format that is read.
for format, name in (('speedscope', 'a.speedscope.json'), ('folded', 'a.folded'), ('chrome', 'a.json'), ('firefox', 'b.json')):
    cli(REPO, 'export', '--to', format, 'inline.pb.gz', '-o', name)
    done = cli(REPO, 'add', name)
    entry = next((each for each in registered() if each['name'] == name), None)
    tap.check(f'{format} is registered', done.status == 0 and entry is not None and entry['collector'] == 'wakepath-stacks', done)
    if entry is not None:
        same(name, opened_again(name, entry)[0])
put('cycles.txt', RECORDING)
done = cli(REPO, 'add', 'cycles.txt')
tap.check('a recording without task switches is registered', done.status == 0, done)
said = cli(REPO, 'info', 'cycles.txt')
tap.check('info says what is in it', said.status == 0 and 'Duration: 10.0 ms' in said.out and 'Tasks: 1, samples: 2\n' in said.out
          and '1500  cycles, count (shown first)' in said.out, said)
said = cli(REPO, 'info', 'cycles.txt', '--format', 'json').json()
tap.check('… as JSON, too', said['events'] == [{'name': 'cycles', 'count': 2}]
          and [(row['type'], row['total']) for row in said['types']] == [('samples', 2), ('cycles', 1500)], said)
put('switches.txt', SWITCH)
done = cli(REPO, 'add', 'switches.txt')
tap.check('one with task switches says what to do', done.status == 1 and 'save' in done.err, done)
tap.check('and has no types', 'types' not in cli(REPO, 'info', 'switches.txt', '--format', 'json').json())
shutil.copy(os.path.join(SAMPLES, '..', 'bad', 'gzip-truncated.pb.gz'), REPO)
before = registered()
done = cli(REPO, 'add', 'gzip-truncated.pb.gz')
tap.check('a damaged one is named, and nothing is changed', done.status == 1 and 'gzip-truncated.pb.gz' in done.err and registered() == before, done)


# History
def history(figure, *options):
    done = cli(REPO, 'log', '--history', figure, '--format', 'csv', *options)
    return {(row['run'], row['commit']): (float(row['median']), row['unit']) for row in csv.DictReader(done.out.splitlines())}


tap.check('one is registered with another commit', cli(REPO, 'add', '-m', FIRST, 'inline.pb.gz').status == 0)
points = history('total', '--command', 'prog')
wanted = {('prog · cpu', FIRST): (210, 'ns'), ('prog · cpu', LAST): (210, 'ns'), ('prog · samples', FIRST): (21, ''), ('prog · samples', LAST): (21, '')}
tap.check('history: a line for each value type, with its unit', all(points.get(key) == value for key, value in wanted.items()), points)
points = history('total', '--command', 'types.pb.gz')
tap.check('history: all types, each in its unit', points[('types.pb.gz · alloc', LAST)] == (1050117, 'B') and points[('types.pb.gz · weird', LAST)][1] == 'widgets', points)
points = history('total:rec', '--command', 'prog')
tap.check('history of a function with all it calls: recursion counts once',
          points[('prog · cpu', LAST)] == (70, 'ns') and points[('prog · samples', LAST)] == (7, ''), points)
points = history('self:memcpy', '--command', 'prog')
tap.check('history of a function itself', points[('prog · cpu', FIRST)] == (60, 'ns') and points[('prog · samples', FIRST)] == (6, ''), points)
points = history('sum:amount', '--command', 'prog')
tap.check('history of a field: of the type whose amounts resources have', points[('prog · cpu', LAST)] == (210, 'ns') and ('prog · samples', LAST) not in points, points)
put('kinds.folded', 'main;a 50 0\nmain;b 0 7\nmain;c 0 1\n')  # no sample has two: amounts are of either type
cli(REPO, 'add', 'kinds.folded')
for figure, value in (('sum', 8), ('mean', 4), ('max', 7)):
    points = history(figure + ':amount', '--command', 'kinds.folded')
    tap.check(f'{figure} of a field: of the default type only', points == {('kinds.folded · after', LAST): (value, '')}, points)
for unit, factor in (('kB', 1024), ('megabytes', 1024 * 1024), ('hours', 3600e9)):
    document = json.loads(cli(REPO, 'export', '--to', 'perun', 'kinds.folded').out)
    document['origin'], document['header']['cmd'], document['header']['units'] = LAST, 'of-' + unit, {'mixed': unit}
    for row in document['collector_info']['params']['types']:
        row['unit'] = unit
    put('of-' + unit, json.dumps(document))
    cli(REPO, 'add', 'of-' + unit)
    points = [history(figure, '--command', f'of-{unit} · after') for figure in ('total', 'sum:amount')]
    tap.check(f'history: {unit} are the same in all figures', points[0] == points[1] == {(f'of-{unit} · after', LAST): (8 * factor, 'ns' if unit == 'hours' else 'B')},
              points)
done = cli(REPO, 'log', '--history', 'total', '-o', 'history.svg')
tap.check('a picture has one unit, and says what it leaves out', done.status == 0 and 'another unit' in done.err, done)

# Others are what they were.
whole = cli(REPO, 'info', 'inline.pb.gz')
tap.check('info says what a file is', 'pprof' in whole.out and 'abc123' in whole.out and '210ns' in whole.out and '10ms of cpu' in whole.out, whole)
facts = cli(REPO, 'info', 'labels.pb.gz', '--format', 'json').json()
tap.check('info as JSON', facts['format'] == 'pprof' and {'key': 'bytes', 'values': 2} in facts['labels'] and facts['samples'] == 20, facts)
for option in ('--tagroot', '--tagleaf'):
    done = cli(REPO, 'top', '--unit', 'b', option, 'bytes', os.path.join(SAMPLES, 'filters.pb.gz'))
    tap.check(f'{option}: numbers are in the unit that is asked for', '  10240B\n' in done.out and 'kB' not in done.out, done)
tap.end()
