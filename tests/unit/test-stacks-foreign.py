#!/usr/bin/python3
"""What is exported, held against what is not ours: `go tool pprof` opens it and reads the same samples; speedscope's schema; the types that the Firefox
Profiler documents; the rules of trace events that Perfetto documents.

test-stacks-foreign.py CLI TESTS"""
import collections
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, TESTS = sys.argv[1:3]
CORPUS = os.path.join(TESTS, 'fuzz', 'corpus', 'stacks')
SAMPLES = os.path.join(TESTS, 'data', 'pprof', 'samples')
FOLDER = tempfile.TemporaryDirectory(prefix='wakepath-foreign-')
FOREIGN = ['processed.firefox.json', 'old.firefox.json', 'gecko.firefox.json', 'events.chrome.json', 'two.speedscope.json', 'marks.folded',
           'difference.folded']
WITHOUT_NEGATIVES = ['old.firefox.json', 'gecko.firefox.json', 'events.chrome.json', 'two.speedscope.json', 'marks.folded', 'difference.folded']


def cli(*args):
    return subprocess.run([CLI, *args], capture_output=True, text=True, errors='surrogateescape')


def export(name, to):
    """A file of the corpus in another format: its path."""
    out = os.path.join(FOLDER.name, f'{name}.{to}')
    done = cli('export', '--to', to, '-o', out, os.path.join(CORPUS, name))
    check(f'{name} as {to}', done.returncode == 0, done.stderr)
    return out


def exported(name, to):
    with open(export(name, to), encoding='utf-8') as file:
        return json.load(file)


# --- pprof ---

def pprof(report, *paths):
    """What `go tool pprof` says."""
    done = subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', report, *paths], capture_output=True, text=True, errors='surrogateescape',
                          cwd=FOLDER.name, env={**os.environ, 'TZ': 'UTC', 'PPROF_TMPDIR': FOLDER.name})
    return done.returncode, re.sub(r'^File: .*\n', '', done.stdout), done.stderr


def check_pprof():
    """Files of pprof, written anew, are to pprof what they were. What they say is to be dropped (keepdrop) has gone then, which is so in reports only."""
    for kind in ('odd', 'bad'):
        for name in sorted(os.listdir(os.path.join(SAMPLES, kind))):
            path, out = os.path.join(SAMPLES, kind, name), os.path.join(FOLDER.name, name)
            if cli('export', '-o', out, path).returncode != 0:
                continue
            report = '-top' if name.startswith('keepdrop') else '-raw'
            before, after = pprof(report, path), pprof(report, out)
            check(f'pprof reads the same of {kind}/{name}, written anew', after[0] == 0 and before[1] == after[1], f'{before}\n{after}')


def samples_of_raw(text):
    """Types, and the sum of the samples of each stack of functions, outermost first; where that is not 0. pprof sums, too."""
    lines = iter(text.split('\n'))
    for line in lines:
        if line == 'Samples:':
            break
    types = next(lines).replace('[dflt]', '').split()
    samples, locations, current = [], {}, None
    for line in lines:
        found = re.match(r'^((?: +-?\d+)+): ((?:\d+ )*)$', line)
        if found:
            samples.append(([int(value) for value in found.group(1).split()], found.group(2).split()))
        elif line == 'Locations':
            break
    for line in lines:
        found = re.match(r'^ *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)$', line)
        if found:
            current = locations.setdefault(found.group(1), [])
            line = found.group(2)
        elif line == 'Mappings':
            break
        if line.strip():
            current.append(re.sub(r' [^ ]*:-?\d+(:-?\d+)? s=-?\d+.*$', '', line.strip()))
    sums = collections.defaultdict(lambda: [0] * len(types))
    for values, stack in samples:
        stack = tuple(name for number in reversed(stack) for name in reversed(locations[number]))
        sums[stack] = [a + b for a, b in zip(sums[stack], values)]
    return types, {stack: values for stack, values in sums.items() if any(values)}


def check_as_pprof():
    """What other formats hold, as pprof reads it of our export."""
    for name in FOREIGN:
        status, raw, message = pprof('-raw', export(name, 'pprof'))
        ours = cli('export', '--to', 'raw', os.path.join(CORPUS, name)).stdout
        check(f'pprof reads {name}', status == 0, message)
        if status == 0:
            check('… and the same samples', samples_of_raw(raw) == samples_of_raw(ours), f'{samples_of_raw(raw)}\n{samples_of_raw(ours)}')


# --- speedscope ---

TYPES = {'object': dict, 'array': list, 'string': str, 'number': (int, float)}


def schema_errors(schema, value, whole, place=''):
    """What a JSON schema says against a value: of the keywords that this one has. Others would be a mistake here."""
    rest = set(schema) - {'title', 'description', '$schema', 'definitions', 'default'}
    if not rest <= {'$ref', 'anyOf', 'type', 'const', 'enum', 'properties', 'required', 'items', 'minItems'}:
        yield f'{place}: unknown {rest}'
    if '$ref' in schema:
        yield from schema_errors(whole['definitions'][schema['$ref'].removeprefix('#/definitions/')], value, whole, place)
    if 'anyOf' in schema and all(list(schema_errors(each, value, whole, place)) for each in schema['anyOf']):
        yield f'{place}: none of several'
    if 'type' in schema and (not isinstance(value, TYPES[schema['type']]) or isinstance(value, bool)):
        yield f'{place}: {value!r} is no {schema["type"]}'
        return
    if 'const' in schema and value != schema['const'] or 'enum' in schema and value not in schema['enum']:
        yield f'{place}: {value!r}'
    yield from (f'{place}: no {key}' for key in schema.get('required', ()) if key not in value)
    for key, each in schema.get('properties', {}).items():
        if key in value:
            yield from schema_errors(each, value[key], whole, f'{place}.{key}')
    if isinstance(schema.get('items'), dict):
        for i, item in enumerate(value):
            yield from schema_errors(schema['items'], item, whole, f'{place}[{i}]')


def check_speedscope():
    with open(os.path.join(TESTS, 'data', 'speedscope', 'file-format-schema.json'), encoding='utf-8') as file:
        schema = json.load(file)
    for name in FOREIGN:
        document = exported(name, 'speedscope')
        errors = list(schema_errors(schema, document, schema))
        check('… holds what speedscope’s schema says', not errors, errors)
        frames = len(document['shared']['frames'])
        check('… and names only frames that there are', all(0 <= frame < frames for profile in document['profiles'] for stack in profile['samples']
                                                           for frame in stack))
        check('… with a weight for each sample', all(len(profile['samples']) == len(profile['weights']) for profile in document['profiles']))
    for damage in ({'shared': {'frames': [{'file': 'no name'}]}}, {'profiles': [{'type': 'sampled'}]}, {'profiles': 5}, {'name': 7}):
        broken = exported('marks.folded', 'speedscope') | damage
        check(f'the schema finds {damage}', list(schema_errors(schema, broken, schema)))


# --- Firefox ---
# Types of version 60: src/types/profile.ts of https://github.com/firefox-devtools/profiler, read backwards through its
# docs-developer/CHANGELOG-formats.md and the upgraders of src/profile-logic/processed-profile-versioning.ts.

def whole(x):
    return isinstance(x, int) and not isinstance(x, bool)


def number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def or_null(rule):
    return lambda x: x is None or rule(x)


def text(x):
    return isinstance(x, str)


def boolean(x):
    return isinstance(x, bool)


def column_errors(place, table, columns):
    """Each column is there, is as long as the table says, and holds only what the rule allows."""
    if set(table) - {'length', 'weightType'} != set(columns):
        yield f'{place} has {sorted(table)}'
        return
    for name, rule in columns.items():
        if len(table[name]) != table['length']:
            yield f'{place}.{name}: {len(table[name])} rows of {table["length"]}'
        yield from (f'{place}.{name}: {cell!r}' for cell in table[name] if not rule(cell))


def firefox_errors(profile):
    meta, shared = profile['meta'], profile['shared']
    for key, rule in {'interval': number, 'startTime': number, 'processType': whole, 'product': text, 'stackwalk': whole, 'version': whole,
                      'preprocessedProfileVersion': whole}.items():
        if not rule(meta.get(key)):
            yield f'meta.{key}: {meta.get(key)!r}'
    if meta['preprocessedProfileVersion'] != 60 or meta['markerSchema'] != []:
        yield 'another version'
    if not any(category['color'] == 'grey' and category['subcategories'][0] == 'Other' for category in meta['categories']):
        yield 'no default category'
    for lib in profile['libs']:
        if not all(text(lib[key]) for key in ('arch', 'name', 'path', 'debugName', 'debugPath', 'breakpadId')) or not or_null(text)(lib['codeId']):
            yield f'lib {lib}'

    def row_of(table):
        return lambda x: whole(x) and 0 <= x < shared[table]['length']

    def string(x):
        return whole(x) and 0 <= x < len(shared['stringArray'])

    def lib(x):
        return whole(x) and 0 <= x < len(profile['libs'])

    yield from column_errors('stackTable', shared['stackTable'], {'frame': row_of('frameTable'), 'prefix': or_null(row_of('stackTable'))})
    yield from (f'stack {i} stands on {prefix}' for i, prefix in enumerate(shared['stackTable']['prefix']) if prefix is not None and prefix >= i)
    yield from column_errors('frameTable', shared['frameTable'], {
        'address': lambda x: whole(x) and -1 <= x <= 2 ** 53, 'inlineDepth': lambda x: whole(x) and x >= 0, 'category': or_null(lambda x: x == 0),
        'subcategory': or_null(lambda x: x == 0), 'func': row_of('funcTable'), 'nativeSymbol': or_null(row_of('nativeSymbols')),
        'innerWindowID': or_null(whole), 'line': or_null(whole), 'column': or_null(whole)})
    yield from column_errors('funcTable', shared['funcTable'], {
        'name': string, 'isJS': boolean, 'relevantForJS': boolean, 'resource': lambda x: x == -1 or row_of('resourceTable')(x),
        'source': or_null(row_of('sources')), 'lineNumber': or_null(whole), 'columnNumber': or_null(whole)})
    yield from column_errors('resourceTable', shared['resourceTable'], {'lib': or_null(lib), 'name': string, 'host': or_null(string),
                                                                        'type': lambda x: whole(x) and 0 <= x <= 5})
    yield from column_errors('nativeSymbols', shared['nativeSymbols'], {'libIndex': lib, 'address': whole, 'name': string, 'functionSize': or_null(whole)})
    yield from column_errors('sources', shared['sources'], {'uuid': or_null(text), 'filename': string})
    if not all(text(x) for x in shared['stringArray']) or len(set(shared['stringArray'])) != len(shared['stringArray']):
        yield 'stringArray'
    for thread in profile['threads']:
        yield from thread_errors(thread, row_of('stackTable'))


def thread_errors(thread, stack):
    for key, rule in {'processType': text, 'processStartupTime': number, 'processShutdownTime': or_null(number), 'registerTime': number,
                      'unregisterTime': or_null(number), 'pausedRanges': lambda x: x == [], 'name': text, 'isMainThread': boolean, 'pid': text,
                      'tid': lambda x: text(x) or whole(x)}.items():
        if key not in thread or not rule(thread[key]):
            yield f'thread.{key}: {thread.get(key)!r}'
    samples = thread['samples']
    cpu = {'threadCPUDelta': or_null(number)} if 'threadCPUDelta' in samples else {}
    yield from column_errors('samples', samples, {'stack': or_null(stack), 'time': number, 'weight': number, **cpu})
    if samples['weightType'] not in ('samples', 'tracing-ms', 'bytes'):
        yield samples['weightType']
    if samples['time'] != sorted(samples['time']):
        yield 'samples are not in the order of time'
    yield from column_errors('markers', thread['markers'], dict.fromkeys(('data', 'name', 'startTime', 'endTime', 'phase', 'category'), or_null(number)))


def check_firefox():
    for name in FOREIGN:
        errors = list(firefox_errors(exported(name, 'firefox')))
        check('… is as the Firefox Profiler’s types say', not errors, errors)
    broken = exported('marks.folded', 'firefox')
    broken['shared']['stackTable']['frame'][0] = 10 ** 6
    check('the rules find what is wrong', list(firefox_errors(broken)))


# --- trace events ---
# https://perfetto.dev/docs/getting-started/other-formats: complete events (X) have name, ph, ts, dur, pid and tid, and those of one thread are strictly
# nested; metadata (M) has process_name or thread_name and args.name; a flow goes from an event s to an event f of the same category and id, each of which
# lies in a complete event of its thread.

def event_errors(document):
    if document['displayTimeUnit'] not in ('ms', 'ns'):
        yield 'displayTimeUnit'
    open_events, spans, flows = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(dict)
    for event in document['traceEvents']:
        if not all(whole(event.get(key)) for key in ('pid', 'tid')) or not text(event.get('name')):
            yield f'{event}: whose is it'
        elif event['ph'] == 'M':
            if event['name'] not in ('process_name', 'thread_name') or not text(event['args']['name']):
                yield f'{event}: names nothing'
        elif event['ph'] in ('s', 'f'):
            flows[event['cat'], event['id']][event['ph']] = event
        elif event['ph'] != 'X' or not number(event.get('ts')) or not number(event.get('dur')) or event['dur'] < 0:
            yield f'{event}: is no complete event'
        else:
            stack = open_events[event['pid'], event['tid']]
            while stack and stack[-1] <= event['ts'] + 1e-4:
                stack.pop()
            if stack and event['ts'] + event['dur'] > stack[-1] + 1e-4:
                yield f'{event}: ends behind what it is in'
            stack.append(event['ts'] + event['dur'])
            spans[event['pid'], event['tid']].append((event['ts'], event['ts'] + event['dur']))
    for flow in flows.values():
        if set(flow) != {'s', 'f'} or flow['s']['ts'] > flow['f']['ts']:
            yield f'{flow}: leads nowhere'
        for event in flow.values():
            if not any(start - 1e-4 <= event['ts'] <= stop + 1e-4 for start, stop in spans[event['pid'], event['tid']]):
                yield f'{event}: is in no event'


def check_flame():
    """The flame view of a process in time order: its boxes as events, its links as flows."""
    trace = os.path.join(TESTS, 'scenarios', 'fork-wait-file.trace')
    document = json.loads(cli('flame', trace, '--task', '10', '-f', 'trace').stdout)
    boxes = [box for row in json.loads(cli('flame', trace, '--task', '10', '-f', 'json').stdout)['rows'] for box in row]
    events = [event for event in document['traceEvents'] if event['ph'] == 'X']
    errors = list(event_errors(document))
    check('a flame view is as Perfetto’s rules say', not errors, errors)
    check('… with all boxes', sorted((e['name'], round(e['ts'] * 1000), round(e['dur'] * 1000)) for e in events)
          == sorted((box['name'], box['start'], box['end'] - box['start']) for box in boxes), (events, boxes))
    check('… and links', sum(e['ph'] == 's' for e in document['traceEvents']) == 2, document['traceEvents'])


def check_chrome():
    for name in WITHOUT_NEGATIVES:
        errors = list(event_errors(exported(name, 'chrome')))
        check('… is as Perfetto’s rules say', not errors, errors)
    broken = {'displayTimeUnit': 'ns', 'traceEvents': [{'ph': 'X', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': 0, 'dur': 5},
                                                       {'ph': 'X', 'name': 'b', 'pid': 1, 'tid': 1, 'ts': 3, 'dur': 5}]}
    check('the rules find what is wrong', list(event_errors(broken)))


# --- tables ---

def check_tables():
    """All formats of top have the same numbers; CSV is read by Python's reader, whatever names there are."""
    odd = os.path.join(FOLDER.name, 'odd.folded')
    with open(odd, 'w', encoding='utf-8') as out:
        out.write('main;a,b 3\nmain;say "hi" 4\nmain;=1+1 5\n')
    document = json.loads(cli('top', '--format', 'json', odd).stdout)
    rows = list(csv.DictReader(io.StringIO(cli('top', '--format', 'csv', odd).stdout, newline='')))
    lines = list(csv.DictReader(io.StringIO(cli('top', '--format', 'tsv', odd).stdout), delimiter='\t', quoting=csv.QUOTE_NONE))
    check('JSON', [(row['function'], row['self'], row['total']) for row in document['functions']]
          == [('=1+1', 5, 5), ('say "hi"', 4, 4), ('a,b', 3, 3), ('main', 0, 12)], document)
    check('CSV, where what a spreadsheet would compute is text', [(row['function'], int(row['self'])) for row in rows]
          == [("'=1+1", 5), ('say "hi"', 4), ('a,b', 3), ('main', 0)], rows)
    check('TSV', [(row['function'], int(row['total']), float(row['total_share'])) for row in lines]
          == [('=1+1', 5, 5 / 12), ('say "hi"', 4, 4 / 12), ('a,b', 3, 3 / 12), ('main', 12, 1)], lines)


def check_merge():
    """merge is as pprof has it, and all or nothing."""
    files = [os.path.join(SAMPLES, 'odd', name) for name in ('filters.pb.gz', 'recursion.pb.gz', 'unsymbolized.pb.gz')]
    out = os.path.join(FOLDER.name, 'merged')
    done = cli('merge', *files, '-o', out)
    ours, theirs = pprof('-raw', out), pprof('-raw', *files)
    check('merged as pprof merges', done.returncode == ours[0] == theirs[0] == 0 and samples_of_raw(ours[1]) == samples_of_raw(theirs[1]),
          f'{done.stderr}\n{ours}\n{theirs}')
    os.remove(out)
    files.append(os.path.join(SAMPLES, 'odd', 'inline.pb.gz'))
    check('what pprof does not merge is not merged', pprof('-raw', *files)[0] != 0 and cli('merge', *files, '-o', out).returncode == 1)
    done = cli('merge', files[0], os.path.join(FOLDER.name, 'missing'), '-o', out)
    check('nothing is written where one cannot be read', done.returncode == 1 and 'missing' in done.stderr and not os.path.exists(out), done.stderr)
    with open('/dev/full', 'w') as full:
        done = subprocess.run([CLI, 'export', files[0]], stdout=full, stderr=subprocess.PIPE, text=True)
    check('a full device', done.returncode == 1 and 'standard output cannot be written: No space left' in done.stderr, done.stderr)
    done = cli('export', '--to', 'nothing', files[0])
    known = set(re.findall(r'[a-z]+', re.search(r'none of ([a-z, ]+);', done.stderr).group(1)))
    check('an unknown format', done.returncode == 2 and known == {'pprof', 'speedscope', 'firefox', 'chrome', 'folded', 'perun', 'raw'}, done.stderr)


check_pprof()
check_as_pprof()
check_speedscope()
check_firefox()
check_chrome()
check_flame()
check_tables()
check_merge()
sys.exit(end())
