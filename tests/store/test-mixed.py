#!/usr/bin/python3
"""Two programs on one store: Wakepath and Perun by turns, and the indexes that they once broke together.

test-mixed.py CLI [SEED]"""
import hashlib
import json
import os
import random
import struct
import sys
import time
import zlib

import perun_index as perun
from stores import cli, head, index, object_path, profile, put_profile, read, repository, tree, write
import tap

SEED = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1000000
OPERATIONS = 120


def perun_profile(repo, name, amount, seconds):
    """What Perun would register: its object is written, the entry is returned."""
    text = profile(amount=amount)
    plain = f'profile time {len(text)}\0{text}'.encode()
    sha1 = hashlib.sha1(plain).hexdigest()
    write(object_path(repo, sha1), zlib.compress(plain))
    return perun.Entry(seconds, sha1, name, 'time', './a.out', '-x 1', 'in.txt', 'time', '', 0)


def perun_add(repo, minor, entry):
    path = object_path(repo, minor)
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        perun.touch(path)
    return perun.add(path, entry)


def as_perun(repo, minor):
    """[(name, time, sha1)] in the order of the file, or a sentence."""
    path = object_path(repo, minor)
    try:
        return [(e.path, e.time, e.sha1) for e in perun.entries(path)] if os.path.exists(path) else []
    except perun.Malformed as error:
        return f'Perun cannot read it: {error}'


def as_ours(repo, minor):
    """The same, sorted, and what was said."""
    done = cli(repo, 'status', '-m', minor, '--format', 'json')
    return sorted((e['name'], e['time'], e['sha1']) for e in done.json()['registered']) if done.out else [], done.err


def canonical(rows):
    return index([(when, sha1, name, 'time', './a.out', '-x 1', 'in.txt', 'time', '') for name, when, sha1 in sorted(rows)])


class Mixed:
    """A store that both change, and what must be in it."""

    def __init__(self, rng):
        self.rng, self.repo = rng, repository(2)
        self.minors = [head(self.repo), head(self.repo, 'HEAD~1')]
        self.rows = {minor: set() for minor in self.minors}
        self.n = 0

    def new(self):
        """A name anywhere in the order, sometimes one that is there already with another time."""
        self.n += 1
        taken = sorted({name for rows in self.rows.values() for name, _, _ in rows})
        name = self.rng.choice(taken) if taken and self.rng.random() < 0.2 else self.rng.choice('amz') + f'{self.rng.randrange(1000)}.perf'
        return name, 1500000000 + self.n

    def add_ours(self, minor):
        name, when = self.new()
        done = cli(self.repo, 'add', '-m', minor, put_profile(self.repo, name, minor, self.n, when))
        sha1 = done.out.split(' as ')[1].split()[0] if done.status == 0 else '?'
        self.rows[minor].add((name, when, sha1))
        return done.status == 0 and done.err == '', done

    def add_perun(self, minor):
        name, when = self.new()
        entry = perun_profile(self.repo, name, self.n, when)
        self.rows[minor].add((name, when, entry.sha1))
        return perun_add(self.repo, minor, entry), 'registered already'

    def add_again(self, minor):
        name, when, sha1 = self.rng.choice(sorted(self.rows[minor]))
        entry = perun.Entry(when, sha1, name, 'time', './a.out', '-x 1', 'in.txt', 'time', '', 0)
        return not perun.add(object_path(self.repo, minor), entry), 'registered twice'

    def remove_ours(self, minor):
        name, when, sha1 = self.rng.choice(sorted(self.rows[minor]))
        if [n for n, _, _ in self.rows[minor]].count(name) > 1 or [s for rows in self.rows.values() for _, _, s in rows].count(sha1) > 1:
            return True, ''
        self.rows[minor].remove((name, when, sha1))
        done = cli(self.repo, 'rm', '-m', minor, name)
        return done.status == 0 and done.err == '', done

    def remove_perun(self, minor):
        name = self.rng.choice(sorted(self.rows[minor]))[0]
        self.rows[minor].remove(min(row for row in self.rows[minor] if row[0] == name))
        perun.remove(object_path(self.repo, minor), name)
        return True, ''

    def wrong(self, minor):
        """A sentence, or None."""
        wanted, theirs, (ours, said) = sorted(self.rows[minor]), as_perun(self.repo, minor), as_ours(self.repo, minor)
        if theirs != wanted:
            return f'Perun reads {theirs}, not {wanted}'
        if ours != wanted or said:
            return f'Wakepath reads {ours}, not {wanted}, and says {said}'
        path = object_path(self.repo, minor)
        return None if not os.path.exists(path) or read(path) == canonical(wanted) else 'other bytes than Perun writes'

    def step(self):
        minor = self.rng.choice(self.minors)
        ways = [self.add_ours, self.add_perun]
        if len(self.rows[minor]) > 3:
            ways += [self.add_again, self.remove_ours, self.remove_perun]
        way = self.rng.choice(ways)
        done, detail = way(minor)
        wrong = detail if not done else self.wrong(minor)
        return None if wrong is None else (way.__name__, wrong)


def check_mixed():
    mixed, problems = Mixed(random.Random(SEED)), []
    for i in range(OPERATIONS):
        wrong = mixed.step()
        if wrong:
            problems.append((i, *wrong))
            break
    tap.check(f'{OPERATIONS} mixed operations, seed {SEED}: both read every state, and it is what Perun would have written', not problems,
              problems)


def old(rows):
    """As Wakepath wrote indexes once."""
    data = canonical(rows)
    return data + hashlib.sha1(data).digest()


class Old:
    """A store with an index of two profiles that an earlier Wakepath wrote."""

    def __init__(self):
        self.repo = repository()
        self.minor = head(self.repo)
        self.path = object_path(self.repo, self.minor)
        self.rows = []
        for i, name in enumerate(['b.perf', 'd.perf']):
            self.rows.append((name, 1500000000 + i, perun_profile(self.repo, name, i, 1500000000 + i).sha1))
        write(self.path, old(self.rows))

    def perun(self, name):
        """The bytes after Perun has added it."""
        entry = perun_profile(self.repo, name, len(self.rows), 1500000100 + len(self.rows))
        perun_add(self.repo, self.minor, entry)
        self.rows.append((entry.path, entry.time, entry.sha1))
        return read(self.path)

    def look(self, what, said):
        """That all are read, with a word or without one, and that nothing is changed by that."""
        before = tree(self.repo)
        rows, err = as_ours(self.repo, self.minor)
        tap.check(f'{what}: all are read', rows == sorted(self.rows) and (said in err if said else err == '')
                  and tree(self.repo) == before, (rows, sorted(self.rows), err))

    def mend(self, what):
        """That the next change makes it one that both read."""
        done = cli(self.repo, 'add', put_profile(self.repo, 'c.perf', self.minor, 50, 1500000050))
        self.rows.append(('c.perf', 1500000050, done.out.split(' as ')[1].split()[0] if done.status == 0 else '?'))
        rows, err = as_ours(self.repo, self.minor)
        tap.check(f'{what}: the next change mends it', done.status == 0 and as_perun(self.repo, self.minor) == sorted(self.rows)
                  and rows == sorted(self.rows) and err == '' and read(self.path) == canonical(self.rows),
                  (done, as_perun(self.repo, self.minor), err))


def check_old():
    store = Old()
    store.look('an index with our old checksum', None)
    store.mend('an index with our old checksum')
    store = Old()
    store.perun('a.perf')
    store.look('Perun has added before the last one', 'another program has changed')
    store.mend('Perun has added before the last one')
    store = Old()
    data = store.perun('e.perf')
    tap.check('what Perun writes behind the checksum it cannot read again', isinstance(as_perun(store.repo, store.minor), str))
    store.look('Perun has written behind the checksum', 'behind the checksum')
    store.mend('Perun has written behind the checksum')
    store = Old()
    data = store.perun('e.perf')
    write(store.path, data[:8] + struct.pack('<I', 2) + data[12:])
    store.look('… and has not counted it', 'behind the checksum')
    store.mend('… and has not counted it')
    store = Old()
    store.perun('e.perf')
    store.perun('a.perf')
    store.look('… and has added before it afterwards', 'behind the checksum')
    store.mend('… and has added before it afterwards')
    store = Old()
    perun.remove(store.path, 'b.perf')
    del store.rows[0]
    store.look('Perun has removed one', None)
    store.mend('Perun has removed one')


def check_stopped():
    """Perun was killed while it wrote behind the checksum: those before it are whole."""
    store, problems = Old(), []
    whole, data = read(store.path), store.perun('e.perf')
    last = store.rows.pop()
    for end in range(len(whole), len(data)):
        write(store.path, data[:end])
        rows, err = as_ours(store.repo, store.minor)
        if rows != sorted(store.rows) or not err:
            problems.append((end - len(whole), rows, err))
    tap.check(f'Perun was stopped behind the checksum, {len(data) - len(whole)} places', not problems, problems[:3])
    store.mend('Perun was stopped behind the checksum')
    tap.check('and can add it again', perun_add(store.repo, store.minor, perun.Entry(last[1], last[2], last[0], *['time', './a.out', '-x 1',
                                                'in.txt', 'time', ''], 0)) and as_ours(store.repo, store.minor)[1] == '')


def check_sums():
    """The checksum is in a file of its own, and speaks only of what we wrote."""
    repo = repository()
    minor = head(repo)
    cli(repo, 'add', put_profile(repo, 'a.perf', minor))
    path, sums = object_path(repo, minor), os.path.join(repo, '.perun', 'cache', f'{minor}.sha1')
    data, times = read(path), os.stat(path)
    tap.check('the checksum has a file of its own', read(sums) == f'{hashlib.sha1(data).hexdigest()} {len(data)}\n'.encode()
              and cli(repo, 'status').err == '', read(sums))
    write(path, data.replace(b'./a.out', b'./b.out'))
    tap.check('what another program wrote needs no checksum of ours', cli(repo, 'status').err == '')
    os.utime(path, ns=(times.st_mtime_ns, times.st_mtime_ns))
    done = cli(repo, 'status', '--format', 'json')
    tap.check('bytes that nobody wrote are noticed', done.status == 0 and 'checksum' in done.err and path in done.err
              and done.json()['registered'][0]['cmd'] == './b.out', done)
    write(path, data)
    for torn in (b'', b'\0' * 46, read(sums)[:20], read(sums)[:-1], b'x' * 1000000):
        write(sums, torn)
        tap.check(f'a checksum of {len(torn)} bytes that is none says nothing', cli(repo, 'status').err == '')
    os.unlink(sums)
    os.mkdir(sums)
    done = cli(repo, 'add', put_profile(repo, 'b.perf', minor, 2))
    tap.check('where it cannot be written the index is, and that is said', done.status == 0 and 'without a checksum' in done.err
              and len(perun.entries(path)) == 2, done)
    os.rmdir(sums)
    os.rmdir(os.path.dirname(sums))
    done = cli(repo, 'add', put_profile(repo, 'c.perf', minor, 3))
    tap.check('a store without a folder for it gets one', done.status == 0 and done.err == '' and os.path.exists(sums), done)


print(f'# seed {SEED}')
check_mixed()
check_old()
check_stopped()
check_sums()
sys.exit(tap.end())
