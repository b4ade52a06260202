#!/usr/bin/python3
"""wakepath-cli record and range are killed at random calls of the system, and cannot start what they have to start, as root. Of record: what had
the name of the recording is as before or a whole new one. Of range: the store is whole, and so is the user's repository. The next run
succeeds, and leaves nothing else: no hidden file, work tree nor entry of one. Needs a mounted tracefs. TAP.
usage: test-record-kills.py CLI LIBRARY [KILLS [SEED]]: so many of each"""
import collections
import os
import random
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'faults'), os.path.join(HERE, '..', 'store')]
import faulty
from stored import broken, leftovers, pending, registered
from stores import CLI, folder, read, repository, write
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

LIBRARY = os.path.abspath(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 12
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else time.time_ns() % 1000000
BEFORE = b'what was there before'
CHANGING = ('write', 'pwrite', 'fsync', 'fchmod', 'link', 'rename', 'unlink', 'mkdir', 'fork', 'spawn')
STARTING = ('fork', 'spawn', 'pipe', 'socketpair')


class Record:
    """In a folder with something that the recording replaces."""
    name = 'record'

    def __init__(self):
        self.folder = folder()
        self.output = os.path.join(self.folder, 'out.data')
        write(self.output, BEFORE)

    def run(self, **faults):
        return faulty.run([CLI, 'record', '--stacks', 'fp', '--rate', '50', '-o', self.output, '--', 'true'], LIBRARY, self.folder, **faults)

    def is_done(self):
        return read(self.output) != BEFORE

    def wrong(self):
        """A sentence, or None."""
        whole = not self.is_done() or (faulty.run([CLI, 'info', self.output], LIBRARY)[0] == 0 and os.stat(self.output).st_mode & 0o777 == 0o600)
        return None if whole else 'what is there is half'

    def left(self):
        return [name for name in os.listdir(self.folder) if name != 'out.data']

    def remove(self):
        shutil.rmtree(self.folder)


class Range:
    """In a repository with a program and a home of its own."""
    name = 'range'

    def __init__(self):
        self.folder = repository()
        self.home = folder()
        write(os.path.join(self.folder, 'program'), b'#!/bin/sh\nexit 0\n')
        os.chmod(os.path.join(self.folder, 'program'), 0o755)
        self.git('add', 'program')
        self.git('commit', '-q', '-m', 'A program')
        self.before = self.state()

    def git(self, *args):
        return subprocess.run(['git', '-C', self.folder, *args], check=True, capture_output=True, text=True).stdout

    def state(self):
        """What a user would notice."""
        return self.git('status', '--short', '--', ':!.perun'), self.git('for-each-ref'), self.git('rev-parse', 'HEAD'), read(os.path.join(self.folder, 'program'))

    def run(self, **faults):
        env = {name: value for name, value in os.environ.items() if name not in ('XDG_CACHE_HOME', 'XDG_STATE_HOME')}
        return faulty.run([CLI, 'range', 'main', '--stacks', 'fp', '--build', 'true', '--', './program'], LIBRARY, self.folder, {**env, 'HOME': self.home}, **faults)

    def is_done(self):
        return len(registered(self.folder)) == 1

    def wrong(self):
        problem = broken(self.folder)
        return problem or (None if self.state() == self.before and len(registered(self.folder)) <= 1 else f'the repository: {self.state()}, {registered(self.folder)}')

    def left(self):
        """A whole profile may be pending, and registered anew; beside objects a hidden file stays until one is written in that folder."""
        hidden = [path for path in leftovers(self.folder) if '/objects/' not in path]
        trees = os.path.join(self.folder, '.git', 'worktrees')
        made = [os.path.join(base, name) for base, names, files in os.walk(self.home) for name in names + files if name.startswith('wakepath-')]
        return made + hidden + pending(self.folder)[1:] + (os.listdir(trees) if os.path.isdir(trees) else [])

    def remove(self):
        shutil.rmtree(self.folder)
        shutil.rmtree(self.home)


def wrong_after(place, status, err, killed):
    """What is wrong then, or after the next run, undisturbed: a sentence, or None."""
    if place.wrong():
        return place.wrong()
    if not killed and status != 0 and err == '':
        return 'a failure without a word'
    if not killed and status == 0 and not place.is_done():
        return 'success, and nothing was done'
    if not killed and (status < 0 or place.left()):
        return f'status {status}, left over: {place.left()}'
    status, out, err = place.run()
    if status != 0 or place.wrong() or not place.is_done():
        return f'the next one: {status}, {out}, {err}, {place.wrong()}'
    return f'left over: {place.left()}' if place.left() else None


def calls_of(kind):
    """How often it makes each call."""
    place = kind()
    log = os.path.join(folder(), 'log')
    status, _, err = place.run(LOG=log)
    counted = collections.Counter(name for name, _ in faulty.read_log(log))
    check(f'{kind.name}: undisturbed, {counted.total()} calls', status == 0 and counted.total() > 50 and place.is_done() and not place.left(), (status, err, place.left()))
    place.remove()
    return counted


def random_call(counted, rng):
    """Of those that change something, or of all."""
    names = list(counted) if rng.random() < 0.3 else [name for name in counted if name in CHANGING]
    name = rng.choices(names, [counted[name] for name in names])[0] if rng.random() < 0.5 else rng.choice(names)
    return {'CALL': name, 'AT': rng.randrange(counted[name]) + 1}


def check_kills(kind, counted, rng):
    killed, problems = 0, []
    for _ in range(KILLS):
        place, where = kind(), {**random_call(counted, rng), 'KILL': rng.choice(['before', 'after'])}
        status, _, err = place.run(**where)
        killed += status == -9
        problem = wrong_after(place, status, err, status == -9)
        if problem:
            problems.append((where, problem))
        place.remove()
    check(f'{kind.name}: killed at {killed} of {KILLS} random calls', killed >= KILLS * 0.6 and not problems, '\n'.join(map(str, problems[:8])))


def check_starting(kind, counted):
    """Each program that it starts cannot be started once."""
    n, problems = 0, []
    for name in STARTING:
        for at in range(counted[name]):
            for way in faulty.WAYS[name]:
                place = kind()
                status, _, err = place.run(CALL=name, AT=at + 1, **faulty.faults_of(way))
                problem, n = wrong_after(place, status, err, False), n + 1
                if problem:
                    problems.append((name, at + 1, way, problem, status, err))
                place.remove()
    check(f'{kind.name}: {n} times something could not be started', n > 0 and not problems, '\n'.join(map(str, problems[:8])))


print(f'# seed {SEED}')
RNG = random.Random(SEED)
for each in (Record, Range):
    made = calls_of(each)
    check_starting(each, made)
    check_kills(each, made, RNG)
sys.exit(end())
