#!/usr/bin/python3
"""Stores that Perun wrote, of four eras: read as Perun reads them, without changing a byte; and written as 0.16.9 writes them.

test-perun.py CLI [FOLDER]: FOLDER holds more profiles (profiles/0.16.9/…) and the names of the objects that Perun makes of them
(expected-0.16.9/objects.json)."""
import gzip
import json
import os
import shutil
import sys

from stores import DATA, ERAS, HEAD, cli, object_path, put_profile, read, repository, stamp, tree, unpack, unpack_object, \
    write
import tap

FOLDER = sys.argv[2] if len(sys.argv) > 2 else None


def same_entry(era, ours, expected):
    """One row of a list; each era's expected results have their own shape."""
    if isinstance(expected, list):
        texts = expected[3] if len(expected) > 3 else []
        mine = [ours['collector'], ours['cmd'], *([ours['args']] if len(texts) == 5 else []), ours['workload'],
                ','.join(ours['postprocessors'])]
        return (ours['name'], stamp(ours['time'])) == tuple(expected[1:3]) and (not texts or mine == texts)
    keys = {'source': 'name', 'type': 'type', 'cmd': 'cmd', 'args': 'args', 'params': 'args', 'workload': 'workload',
            'collector': 'collector'}
    return (stamp(ours['time']) == expected['time'] and all(ours[mine] == expected[key] for key, mine in keys.items() if key in expected)
            and [p for p in expected.get('postprocessors', ours['postprocessors']) if p] == ours['postprocessors'])


def same_list(era, ours, expected):
    return len(ours) == len(expected) and all(same_entry(era, o, e) for o, e in zip(ours, expected))


def check_reading(era):
    repo = unpack(era)
    with open(os.path.join(DATA, f'store-{era}.json')) as file:
        expected = json.load(file)
    before = tree(repo)
    commits = {c['commit']: c for c in cli(repo, 'log', '--format', 'json').lines()}
    if 'walk_minor_versions_of_head' in expected:
        walked = [(c['commit'], stamp(c['time']), c['author'], c['email'], c['parents'])
                  for c in cli(repo, 'log', '--format', 'json').lines()]
        tap.check(f'{era}: the walk from HEAD', walked == [(c['checksum'], c['date'], c['author'], c['email'], c['parents'])
                                                         for c in expected['walk_minor_versions_of_head']], walked)
    for minor, row in expected['minor_versions'].items():
        tags = row['sorted_with_tags'] if row['exists'] else []
        tap.check(f'{era}: profiles of {minor[:8]}', same_list(era, commits[minor]['registered'], tags), commits[minor])
        tap.check(f'{era}: checksums of {minor[:8]}', sorted(e['sha1'] for e in commits[minor]['registered'])
                  == sorted(e['checksum'] for e in (row.get('entries_in_file_order') or [])), commits[minor])
        if 'changes' in row:
            found = cli(repo, 'status', '-m', minor, '--format', 'json').json()['changes']
            tap.check(f'{era}: changes of {minor[:8]}', sorted((c['location'], 'PerformanceChange.' + c['result'], c['type'], c['from'],
                                                             c['to'], c['rate'], c['source'], c['command']) for c in found)
                      == sorted((c['location'], c['result'], c['type'], c['from_baseline'], c['to_target'], c['rate_degradation'],
                                 c['source'], c['cmdstr']) for c in row['changes'] or []), found)
    status = cli(repo, 'status', '--format', 'json').json()
    tap.check(f'{era}: pending profiles', same_list(era, status['pending'], expected['pending']), status['pending'])
    tap.check(f'{era}: the branch', status['branch'] == 'master' and status['commit'] == HEAD)
    for minor, commit in commits.items():
        for entry in commit['registered']:
            shown = cli(repo, 'show', '-m', minor, entry['sha1'], 'json')
            text = unpack_object(read(object_path(repo, entry['sha1']))).split(b'\0', 1)[1].decode()
            tap.check(f"{era}: the text of {entry['name']}", shown.status == 0 and shown.out == text, shown)
            raw = cli(repo, 'show', '-m', minor, entry['sha1'], 'raw')
            tap.check(f"{era}: the header of {entry['name']}", raw.status == 0 and f"type: {entry['type']}\n" in raw.out, raw)
    for i, entry in enumerate(status['pending']):
        shown = cli(repo, 'show', f'{i}@p')
        tap.check(f"{era}: pending {entry['name']}", shown.status == 0 and f"cmd: {entry['cmd']}\n" in shown.out, shown)
    tap.check(f'{era}: nothing was changed by reading', tree(repo) == before)


def source_text(repo, sha1):
    """The profile that was added, as the packed store has it."""
    return unpack_object(read(object_path(repo, sha1))).split(b'\0', 1)[1].decode()


def check_writing():
    """The same calls on the same repository without its store."""
    packed, repo = unpack('0.16.9'), unpack('0.16.9')
    shutil.rmtree(os.path.join(repo, '.perun'))
    with open(os.path.join(DATA, 'store-0.16.9.layout.json')) as file:
        layout = json.load(file)
    with open(os.path.join(DATA, 'store-0.16.9.json')) as file:
        expected = json.load(file)
    made = cli(repo, 'init', '--vcs-type=git', repo)
    tap.check('init', made.status == 0 and sorted(os.listdir(os.path.join(repo, '.perun')))
              == ['cache', 'jobs', 'local.yml', 'logs', 'objects', 'stats', 'tmp'], made)
    local = read(os.path.join(repo, '.perun', 'local.yml')).decode()
    tap.check('local.yml', local.startswith(f'vcs:\n  type: git\n  url: {repo}\n'), local)
    sha1s = {}
    for minor, row in expected['minor_versions'].items():
        for entry in row.get('entries_in_file_order') or []:
            sha1s[minor, entry['path'], entry['time']] = entry['checksum']
    removed = 'fc38894f5c71f6adb369d648caa25653bb4f26eb'
    for commit, _, name, time in layout['added']:
        minor = layout['commits'][commit]
        sha1 = sha1s.get((minor, name, stamp(time)), removed)
        document = json.loads(source_text(packed, sha1))
        document['origin'] = minor
        path = os.path.join(repo, 'profs', name)
        write(path, json.dumps(document, indent=1, ensure_ascii=False).encode())
        os.utime(path, (time, time))
        done = cli(repo, 'add', '-m', minor, path)
        tap.check(f'add {name}', done.status == 0 and not os.path.exists(path), done)
    removing = cli(repo, 'rm', '-m', layout['commits']['f1'], '0@i')
    tap.check('rm', removing.status == 0, removing)
    for minor, row in expected['minor_versions'].items():
        if row['exists'] and row['index_hex']:
            found = read(object_path(repo, minor))
            tap.check(f'the index of {minor[:8]}, byte for byte', found == bytes.fromhex(row['index_hex']), found)
    ours = {name: unpack_object(read(os.path.join(repo, name))) for name in tree(repo)
            if name.startswith('.perun/objects/') and os.path.basename(os.path.dirname(name)) + os.path.basename(name)
            not in expected['minor_versions']}
    for name, text in ours.items():
        tap.check(f'{name[-38:][:8]}, byte for byte', os.path.exists(os.path.join(packed, name))
                  and unpack_object(read(os.path.join(packed, name))) == text)
    tap.check('as many objects', len(ours) == len({*sha1s.values(), removed}), sorted(ours))
    check_pending(packed, repo)


def check_pending(packed, repo):
    """Registering the pending ones, one of which belongs to another commit."""
    for name in os.listdir(os.path.join(packed, '.perun', 'jobs')):
        shutil.copy2(os.path.join(packed, '.perun', 'jobs', name), os.path.join(repo, '.perun', 'jobs', name))
    jobs = os.path.join(repo, '.perun', 'jobs')
    refused = cli(repo, 'add', '3@p')
    tap.check('a pending one of another commit is refused', refused.status == 1 and 'a50e08199e21d541a4b930f8e2f4de099c9fad4e'
              in refused.err and len(os.listdir(jobs)) == 6, refused)
    done = cli(repo, 'add', '0@p-2@p')
    tap.check('a range of pending ones', done.status == 0 and sorted(os.listdir(jobs)) == [
        '.index', 'pending-memory.perf', 'pending-time-of-older-commit.perf'], done)
    tap.check('the index of the pending ones is left alone', read(os.path.join(jobs, '.index'))
              == read(os.path.join(packed, '.perun', 'jobs', '.index')))
    names = [e['name'] for e in cli(repo, 'status', '--format', 'json').json()['registered']]
    tap.check('they are registered', names[:3] == ['norm-of-complexity-[_]-[_]-after-normalizer.perf', 'trace-of-_-mixed.perf',
                                                  'pending-trace.perf'], names)


def check_later_layouts():
    """An index of a later era is read by who wrote it after we have added to it."""
    repo = unpack('devel-2024-03')
    before = without = read(object_path(repo, HEAD))
    path = put_profile(repo, 'zz.perf', HEAD, time=1600000000)
    done = cli(repo, 'add', path)
    after = read(object_path(repo, HEAD))
    tap.check('adding to an index without args keeps its layout', done.status == 0
              and after[12:12 + len(before) - 12] == before[12:] and b'\x0c\0\0\0./a.out -x 1' in after[len(before):], done)
    entry = cli(repo, 'status', '--format', 'json').json()['registered'][0]
    tap.check('and it is read again', (entry['name'], entry['cmd'], entry['workload']) == ('zz.perf', './a.out -x 1', 'in.txt'), entry)
    repo = unpack('0.15.4')
    done = cli(repo, 'add', put_profile(repo, 'zz.perf', HEAD, time=1600000000))
    rows = cli(repo, 'status', '--format', 'json').json()['registered']
    tap.check('adding to the oldest index completes it', done.status == 0 and len(rows) == 5 and rows[0]['name'] == 'zz.perf'
              and rows[1]['cmd'] == 'echo' and rows[1]['args'] == '-e'
              and read(object_path(repo, HEAD))[4:8] == b'\2\0\0\0', rows)


def check_objects():
    """Every profile there is: the object that adding it makes."""
    if FOLDER is None:
        return
    with open(os.path.join(FOLDER, 'expected-0.16.9', 'objects.json')) as file:
        expected = json.load(file)
    repo = repository()
    minor = cli(repo, 'status', '--format', 'json').json()['commit']
    for i, (relative, wanted) in enumerate(expected.items()):
        if 'sha1' not in wanted:
            continue
        original = os.path.join(FOLDER, 'profiles', '0.16.9', relative)
        data = gzip.decompress(read(original + '.gz')) if os.path.exists(original + '.gz') else read(original)
        document = json.loads(data)
        document['origin'] = minor
        path = os.path.join(repo, os.path.basename(relative))
        write(path, json.dumps(document).encode())
        os.utime(path, (1500000000 + i, 1500000000 + i))
        done = cli(repo, 'add', path)
        if not isinstance(document.get('global', {}), dict):
            tap.check(f'{relative} is refused', done.status == 1 and 'global: not an object' in done.err, done)
            continue
        made = object_path(repo, wanted['sha1'])
        tap.check(f'object of {relative}', done.status == 0 and os.path.exists(made)
                  and unpack_object(read(made)).split(b'\0')[0].decode() == wanted['header'], done)


for name in ERAS:
    check_reading(name)
check_writing()
check_later_layouts()
check_objects()
sys.exit(tap.end())
