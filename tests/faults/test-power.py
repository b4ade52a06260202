#!/usr/bin/python3
"""The power fails while a command changes a store, and what was not synced is lost, in any order: of a file that was not synced there may be
nothing, a part, zeros or all; a name in a folder that was not synced may be there or not, each for itself. Every such state is a store that is
read, with all that a command had finished; and where the last command had reported success, what it did is there, too.

test-power.py CLI LIBRARY [STATES [SEED]]"""
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time

if os.access('/dev/shm', os.W_OK):
    os.environ['TMPDIR'] = '/dev/shm'
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'store'))
import perun_index as perun
from stores import CLI, cli, folder, head, object_path, put_profile, read, repository, unpack_object, write
import tap

LIBRARY = os.path.abspath(sys.argv[2])
STATES = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else time.time_ns() % 1000000
RUN_EACH = 40  # so many states meet the program, the others a strict reader


class File:
    """What it holds, what of that is on the disk, and what all it held since."""

    def __init__(self, data=b''):
        self.data, self.synced, self.since = data, data, []

    def write(self, offset, data):
        self.data = self.data[:offset].ljust(offset, b'\0') + data + self.data[offset + len(data):]
        self.since.append(self.data)

    def truncate(self):
        self.data = b''
        self.since.append(b'')

    def after_crash(self, rng):
        if not self.since:
            return self.synced
        whole = rng.choice(self.since)
        cut = rng.randrange(len(whole) + 1)
        return rng.choice([self.synced, whole, whole[:cut], whole[:cut].ljust(len(whole), b'\0'), b''])


class Disk:
    """The folders of a store: names that lead to files, or to folders (None), and what was done to names since their folder was synced."""

    def __init__(self, root):
        self.root, self.files, self.synced, self.since = root, {}, {}, []
        for base, folders, names in os.walk(root):
            self.files.update({os.path.join(base, name): None for name in folders})
            self.files.update({os.path.join(base, name): File(read(os.path.join(base, name))) for name in names})
        self.synced = dict(self.files)

    def step(self, name, path, more, data):
        """One line of the log."""
        file = self.files.get(path)
        if name == 'open' and more == 'create':
            self.change({path: File()})
        elif name == 'open' and more == 'truncate' and file:
            file.truncate()
        elif name in ('write', 'pwrite') and file:
            file.write(int(more), data)
        elif name == 'mkdir' and path not in self.files:
            self.change({path: None})
        elif name == 'unlink':
            self.change({path: 'gone'})
        elif name == 'rename':
            self.change({more: file, path: 'gone'})
        elif name == 'link':
            self.change({more: file})
        elif name == 'fsync' and file:
            file.synced, file.since = file.data, []
        elif name == 'fsync':
            kept = []
            for change in self.since:
                if {os.path.dirname(name) for name in change} == {path}:
                    self.put(self.synced, change)
                else:
                    kept.append(change)
            self.since = kept

    @staticmethod
    def put(entries, change):
        for path, what in change.items():
            if what == 'gone':
                entries.pop(path, None)
            else:
                entries[path] = what

    def change(self, change):
        self.put(self.files, change)
        self.since.append(change)

    def after_crash(self, rng):
        """{path: bytes, or None for a folder}: one of the states that may be found."""
        entries, chance = dict(self.synced), rng.choice([0, 0.3, 0.5, 0.8, 1])
        for change in self.since:
            if rng.random() < chance:
                self.put(entries, change)
        contents, found = {}, {}
        for path in sorted(entries):
            above = os.path.dirname(path)
            if above == self.root or above in found:
                what = entries[path]
                if what is not None and id(what) not in contents:
                    contents[id(what)] = what.after_crash(rng)
                found[path] = None if what is None else contents[id(what)]
        return found


def rows_of(state, path):
    """{name: sha1} of an index, by Perun's reading."""
    if path not in state:
        return {}
    copy = os.path.join(folder(), 'index')
    write(copy, state[path])
    rows = {e.path: e.sha1 for e in perun.entries(copy)}
    shutil.rmtree(os.path.dirname(copy))
    return rows


class Power:
    """One command, its log, and what must be there in every state: before it has ended and after."""

    def __init__(self, name, repo, args, before, after):
        self.name, self.repo, self.args, self.before, self.after = name, repo, args, before, after
        self.minor, self.disk, self.problems, self.runs = head(repo), Disk(repo), [], 0
        log = os.path.join(folder(), 'log')
        env = {**os.environ, 'LD_PRELOAD': PRELOAD, 'FAULTS_LOG': log, 'FAULTS_DATA': '1'}
        done = subprocess.run([CLI, *args], cwd=repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stderr == '', done
        with open(log, encoding='utf-8', errors='replace') as file:
            self.steps = [line.rstrip('\n').split('\t')[1:] for line in file]

    def wrong(self, state, ended):
        """A sentence, or None."""
        wanted = self.after if ended else self.before
        objects = os.path.join(self.repo, '.perun', 'objects')
        try:
            rows = rows_of(state, object_path(self.repo, self.minor))
        except perun.Malformed as error:
            return f'the index: {error}'
        for name, sha1 in rows.items():
            data = state.get(os.path.join(objects, sha1[:2], sha1[2:]))
            if data is None or hashlib.sha1(unpack_object(data)).hexdigest() != sha1:
                return f'the object of {name}'
        return wanted(self, state, rows)

    def meet(self, state):
        """The program itself, with that state on the disk: it reads it, and goes on."""
        self.runs += 1
        place = os.path.join(folder(), 'repo')
        os.mkdir(place)
        for path, data in sorted(state.items()):
            path = place + path[len(self.repo):]
            if data is None:
                os.makedirs(path, exist_ok=True)
            else:
                write(path, data.replace(self.repo.encode(), place.encode()) if path.endswith('local.yml') else data)
        if self.args[0] == 'init':
            done = cli(place, 'init')
            problem = None if done.status == 0 or 'store already' in done.err else done
        else:
            problem = None
        looked = cli(place, 'status')
        added = cli(place, 'add', put_profile(place, 'next.perf', self.minor, 77))
        shutil.rmtree(os.path.dirname(place))
        return problem or next((done for done in (looked, added) if done.status != 0 or done.err != ''), None)

    def check(self, states, rng):
        n, at = 0, 0
        stops = sorted(rng.randrange(len(self.steps) + 1) for _ in range(states)) + [len(self.steps)] * (states // 5)
        for stop in stops:
            while at < stop:
                name, path, more, *data = (self.steps[at] + [''])[:4]
                self.disk.step(name, path, more, bytes.fromhex(data[0]) if data and name in ('write', 'pwrite') else b'')
                at += 1
            state = self.disk.after_crash(rng)
            n += 1
            problem = self.wrong(state, stop == len(self.steps))
            if problem is None and rng.random() < RUN_EACH / len(stops):
                problem = self.meet(state)
            if problem:
                self.problems.append((stop, self.steps[stop - 1][:3] if stop else '', problem))
        tap.check(f'{self.name}: {n} states of {len(self.steps)} steps, {self.runs} met the program', not self.problems,
                  '\n'.join(map(str, self.problems[:4])))


def has(*names):
    return lambda power, state, rows: next((f'{name} is lost' for name in names if name not in rows), None)


def has_new(*names):
    """The profile that is being added is there, too, one way or the other."""
    def look(power, state, rows):
        new = os.path.join(power.repo, 'a.perf') in state
        return has(*names)(power, state, rows) or (None if new or 'a.perf' in rows else 'a.perf is lost')
    return look


def has_not(power, state, rows):
    return 'a.perf is there again' if 'a.perf' in rows else has('kept.perf')(power, state, rows)


def has_pending(power, state, rows):
    jobs = [path for path in state if os.path.dirname(path).endswith('/jobs') and path.endswith('.perf')]
    for path in jobs:
        try:
            json.loads(state[path])
        except ValueError:
            return f'{path} is half'
    return has('kept.perf')(power, state, rows) or (None if jobs else 'the pending profile is lost')


def any_pending(power, state, rows):
    problem = has_pending(power, state, rows)
    return None if problem == 'the pending profile is lost' else problem


def has_settings(power, state, rows):
    return None if state.get(os.path.join(power.repo, '.perun', 'local.yml')) else 'local.yml is lost'


def nothing(power, state, rows):
    settings = state.get(os.path.join(power.repo, '.perun', 'local.yml'))
    return None if settings is None or settings.endswith(b'make\n') else 'local.yml is half'


def with_profiles(*names):
    repo = repository()
    shutil.rmtree(os.path.join(repo, '.git', 'hooks'), ignore_errors=True)
    for i, name in enumerate(names):
        cli(repo, 'add', put_profile(repo, name, head(repo), i, 1500000000 + i))
    return repo


def adding(*names, args=('add', 'a.perf')):
    repo = with_profiles(*names)
    put_profile(repo, 'a.perf', head(repo), 5)
    return Power(f'add beside {len(names)}', repo, list(args), has_new(*names), has('a.perf', *names))


def init():
    repo = repository()
    shutil.rmtree(os.path.join(repo, '.perun'))
    shutil.rmtree(os.path.join(repo, '.git', 'hooks'), ignore_errors=True)
    return Power('init', repo, ['init'], nothing, has_settings)


def preloaded():
    out = subprocess.run(['ldd', CLI], capture_output=True, text=True).stdout
    found = [line.split()[2] for line in out.splitlines() if 'libasan' in line]
    return ':'.join([*found, LIBRARY])


PRELOAD = preloaded()
SAMPLE = os.path.join(HERE, '..', '..', 'data', 'sample.perf')
RNG = random.Random(SEED)
print(f'# seed {SEED}')
powers = [adding(), adding('kept.perf'), adding('kept.perf', 'z.perf', 'b.perf'),
          Power('rm', with_profiles('kept.perf', 'a.perf'), ['rm', 'a.perf'], has('kept.perf'), has_not),
          Power('save --pending', with_profiles('kept.perf'), ['save', '--pending', SAMPLE], any_pending, has_pending), init()]
for one in powers:
    one.check(STATES // len(powers), RNG)
sys.exit(tap.end())
