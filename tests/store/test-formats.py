#!/usr/bin/python3
"""Indexes and objects of every layout, whole and broken: what can be read is; what cannot is named, and nothing else suffers."""
import json
import os
import sys
import zlib

from stores import DATA, cli, head, index, object_path, profile, put_profile, read, repository, stamp, tree, unpack_object, write
import hashlib
import tap

LAYOUTS = os.path.join(DATA, 'index-layouts')
REPO = repository(2)
MINOR, OTHER = head(REPO), head(REPO, 'HEAD~1')

# What Perun cannot read, or reads wrongly, and we read: the text is that of `written`.
OURS = {'v1', 'v2b-noargs(0.22-0.23.7)', 'v2c-label(0.23.8-0.28)', 'utf8-in-path', 'count-too-small'}
# Read, with a word to the user.
NOTICED = {'truncated-in-last-string': 'end is missing', 'count-too-small': 'too small by', 'trailing-garbage-200': 'mean nothing',
           'trailing-20-byte-checksum': 'checksum'}


def load(name):
    with open(os.path.join(LAYOUTS, name)) as file:
        return json.load(file)


def same(ours, expected):
    keys = {'path': 'name', 'checksum': 'sha1', 'type': 'type', 'cmd': 'cmd', 'args': 'args', 'workload': 'workload', 'label': 'label',
            'collector': 'collector'}
    return (stamp(ours['time']) == expected['time'] and all(ours[mine] == expected[key] for key, mine in keys.items() if key in expected)
            and ours['postprocessors'] == [p for p in expected.get('postprocessors', ours['postprocessors']) if p])


def same_all(ours, expected):
    """In any order: tests of the order are elsewhere."""
    key = lambda e: (e.get('name', e.get('path')), str(e.get('sha1', e.get('checksum'))))
    ours, expected = sorted(ours, key=key), sorted(expected, key=key)
    return len(ours) == len(expected) and all(same(o, e) for o, e in zip(ours, expected))


def put_object(sha1, header, collector='col', postprocessors=()):
    text = json.dumps({'header': header, 'collector_info': {'name': collector, 'params': {}},
                       'postprocessors': [{'name': name, 'params': {}} for name in postprocessors], 'global': {'resources': []}})
    write(object_path(REPO, sha1), zlib.compress(f"profile {header['type']} {len(text)}\0{text}".encode()))


def check_index(name, row, written):
    """As the index of HEAD; that of its parent is whole."""
    data = read(os.path.join(LAYOUTS, row['file']))
    write(object_path(REPO, MINOR), data)
    good = index([(1500000000, 'ab' * 20, 'other.perf', 'time', 'c', '', '', 'time', '')])
    write(object_path(REPO, OTHER), good)
    expected = written if name in OURS else row.get('entries')
    if name == 'utf8-in-path':
        expected = [{'time': stamp(1), 'path': 'př.perf', 'checksum': data[16:36].hex(), 'type': 'memory'}]
    if name.startswith('v2c') or name == 'v1':
        for entry in written:
            header = {'type': entry.get('type', 'time'), 'cmd': entry.get('cmd', 'run'), 'workload': entry.get('workload', 'load')}
            header['label' if name.startswith('v2c') else 'params'] = entry.get('label', '-p')
            put_object(entry['checksum'], header, entry.get('collector', 'col'), entry.get('postprocessors', ['norm']))
    before = tree(REPO)
    done = cli(REPO, 'status', '--format', 'json')
    if expected is None:
        tap.check(f'index {name}: refused, and named', done.status == 1 and MINOR[2:] in done.err and done.json()['registered'] == []
                  and ('nothing was changed' in done.err or 'not known' in done.err), done)
        added = cli(REPO, 'add', put_profile(REPO, 'new.perf', MINOR))
        tap.check(f'index {name}: nothing is added to it', added.status == 1 and os.path.exists(os.path.join(REPO, 'new.perf')), added)
        os.unlink(os.path.join(REPO, 'new.perf'))
    else:
        tap.check(f'index {name}: read', done.status == 0 and same_all(done.json()['registered'], expected), (done, expected))
        wanted = NOTICED.get(name)
        tap.check(f'index {name}: {"said" if wanted else "nothing to say"}', wanted in done.err if wanted else done.err == '', done.err)
    if name == 'v1':
        row = done.json()['registered'][0]
        tap.check('index v1: the rest is of the objects', (row['type'], row['cmd'], row['args'], row['workload'], row['collector'],
                                                            row['postprocessors']) == ('time', 'run', '-p', 'load', 'col', ['norm']), row)
    log = cli(REPO, 'log', '--format', 'json')
    tap.check(f'index {name}: the others do not suffer', [e['name'] for e in log.lines()[1]['registered']] == ['other.perf'], log)
    tap.check(f'index {name}: nothing was changed', tree(REPO) == before)
    for entry in written or []:
        path = object_path(REPO, entry['checksum'])
        if os.path.exists(path):
            os.unlink(path)


def check_uncounted():
    """What an index holds beyond its count is kept by the next change."""
    write(object_path(REPO, MINOR), read(os.path.join(LAYOUTS, 'count-too-small.idx')))
    added = cli(REPO, 'add', put_profile(REPO, 'new.perf', MINOR))
    names = {entry['name'] for entry in cli(REPO, 'status', '--format', 'json').json()['registered']}
    tap.check('a profile is added to an index with too small a count', added.status == 0
              and names == {'new.perf', *(entry['path'] for entry in WRITTEN[COUNTED])}, (added, names))
    os.unlink(object_path(REPO, MINOR))


def check_object(name, row):
    """Registered under the name that its content has, beside a whole one."""
    data = read(os.path.join(LAYOUTS, row['file']))
    sha1 = hashlib.sha1(unpack_object(data)).hexdigest()
    write(object_path(REPO, sha1), data)
    whole = b'profile time %d\0' % len(profile()) + profile().encode()
    whole_sha1 = hashlib.sha1(whole).hexdigest()
    write(object_path(REPO, whole_sha1), zlib.compress(whole))
    write(object_path(REPO, MINOR), index([(1500000000, sha1, 'odd.perf', 'time', 'c', '', '', 'time', ''),
                                           (1500000001, whole_sha1, 'whole.perf', 'time', 'c', '', '', 'time', '')]))
    done = cli(REPO, 'show', 'odd.perf', 'raw')
    if 'loaded' in row:
        header = row['loaded']['header']
        tap.check(f'object {name}: read', done.status == 0 and f"type: {header['type']}\ncmd: {header['cmd']}\n" in done.out, done)
    else:
        tap.check(f'object {name}: refused, and named', done.status == 1 and (sha1[2:] in done.err or 'odd.perf' in done.err), done)
    other = cli(REPO, 'show', 'whole.perf', 'json')
    tap.check(f'object {name}: the others do not suffer', other.status == 0 and json.loads(other.out) == json.loads(profile()), other)
    tap.check(f'object {name}: still listed', len(cli(REPO, 'status', '--format', 'json').json()['registered']) == 2)


def check_sha1():
    """An object under a name that is not its content's; adding the right one mends it."""
    repo = repository()
    minor = head(repo)
    added = cli(repo, 'add', put_profile(repo, 'a.perf', minor, time=1500000001))
    sha1 = cli(repo, 'status', '--format', 'json').json()['registered'][0]['sha1']
    path = object_path(repo, sha1)
    good = read(path)
    write(path, zlib.compress(unpack_object(good).replace(b'"amount": 1', b'"amount": 2')))
    done = cli(repo, 'show', 'a.perf')
    tap.check('an object of another content is damaged', added.status == 0 and done.status == 1 and 'damaged' in done.err, done)
    write(path, good[:50])
    again = cli(repo, 'add', put_profile(repo, 'b.perf', minor, time=1500000002))
    tap.check('a damaged object is made anew', again.status == 0 and unpack_object(read(path)) == unpack_object(good)
              and cli(repo, 'show', 'a.perf').status == 0, again)


WRITTEN = load('written-layouts.json')
COUNTED = 'v2a-args_0.16.6-0.21.x.idx'  # of which count-too-small counts one less
for key, value in load('expected-indexes.json').items():
    check_index(key, value, WRITTEN[COUNTED] if key == 'count-too-small' else WRITTEN.get(value['file']))
check_uncounted()
for key, value in load('expected-objects.json').items():
    check_object(key, value)
check_sha1()
sys.exit(tap.end())
