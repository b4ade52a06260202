#!/usr/bin/python3
"""Each call of the system that finishing a recording makes fails once, or is short, or is the last one before the program is killed. Where it
says that it is done, the recording is whole and for its user alone; else there is a word, and what had that name is as before or is what there
is of the recording. Nothing else is left in the folder, not even of what was killed, when the next one is done.

test-finish.py PROGRAM CLI LIBRARY [all] [SEED] [RAW…]: of each recording some calls, chosen by the seed, or all of them in every way; RAW is
what a helper has written."""
import collections
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

if os.access('/dev/shm', os.W_OK):
    os.environ['TMPDIR'] = '/dev/shm'
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'common')]
import faulty
import tap

PROGRAM, CLI, LIBRARY = map(os.path.abspath, sys.argv[1:4])
ALL = 'all' in sys.argv[4:]
SEED = next((int(arg) for arg in sys.argv[4:] if arg.isdigit()), time.time_ns() % 1000000)
CORPUS = os.path.join(HERE, '..', 'fuzz', 'corpus', 'recording')
RAWS = [arg for arg in sys.argv[4:] if '/' in arg] or [os.path.join(CORPUS, name) for name in ('stream.data', 'own-stacks.data')]
BEFORE = b'what was there before'
POINTER = re.compile(rb'(?=(.{5}[\x80-\xff]\xff\xff))', re.DOTALL)
PLACE = tempfile.mkdtemp()  # a repository, of which a recording tells the commit


def read(path):
    with open(path, 'rb') as file:
        return file.read()


class Case:
    """One recording, on a file system that has files without names or has none, in the place of another or not. Of one that is packed
    the bytes tell nothing."""

    def __init__(self, raw, named, replaces, form):
        self.raw, self.named, self.replaces, self.form = os.path.abspath(raw), named, replaces, form
        self.what = f"{os.path.basename(raw)} {form}{' by a name' if named else ''}{' in place of another' if replaces else ''}"
        self.folder = tempfile.mkdtemp()
        self.output = os.path.join(self.folder, 'out.data')
        log = self.folder + '.log'
        status, _, err = self.run(LOG=log)
        self.calls = faulty.read_log(log)
        os.unlink(log)
        assert status == 0 and err == '', err
        self.data, self.info = read(self.output), self.about()
        self.pointers = set(POINTER.findall(self.data))

    def run(self, **faults):
        """Anew, undisturbed without any."""
        self.clear()
        if self.replaces:
            with open(self.output, 'wb') as file:
                file.write(BEFORE)
        return self.again(**faults)

    def again(self, **faults):
        return faulty.run([PROGRAM, self.raw, self.output, self.form], LIBRARY, PLACE, **({'NAMED': 1} if self.named else {}), **faults)

    def clear(self):
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))

    def about(self):
        """Which tasks it has. What could not be packed has another format, and is as whole."""
        status, out, err = faulty.run([CLI, 'tasks', '--format', 'tsv', self.output], LIBRARY)
        return status, out, err.replace('perf.data stream', 'perf.data file')

    def wrong_file(self):
        """A sentence, or None: of what has the name now."""
        if not os.path.exists(self.output):
            return 'nothing is there'
        if stat.S_IMODE(os.stat(self.output).st_mode) != 0o600:
            return 'others may read it'
        if self.about() != self.info:
            return f'it is half: {self.about()} in place of {self.info}'
        added = set(POINTER.findall(read(self.output))) - self.pointers if self.form == 'stream' else ()
        return f'addresses of the kernel are in it: {len(added)}' if added else None

    def before_is_there(self):
        return read(self.output) == BEFORE if self.replaces and os.path.exists(self.output) else not os.path.exists(self.output)

    def wrong(self, name, way, path, result):
        status, _, err = result
        if status not in (0, 1):
            return f'ended with {status}'
        if name == 'unlink':  # what could not be removed then is removed by the next one
            return self.wrong_next()
        if sorted(os.listdir(self.folder)) not in ([], ['out.data']):
            return f'left over: {os.listdir(self.folder)}'
        if status == 0:
            return self.wrong_file()
        if err == '':
            return 'a failure without a word'
        if way in faulty.HARMLESS and path.startswith((self.folder, self.raw)):
            return 'what is no failure was one'
        return None if self.before_is_there() else self.wrong_file()

    def wrong_next(self):
        status, _, err = self.again()
        left = sorted(os.listdir(self.folder))
        return self.wrong_file() if status == 0 and left == ['out.data'] else f'the next run: {status}, {err}, {left}'

    def check_faults(self, rng):
        problems, n, seen = [], 0, collections.Counter()
        for name, path in self.calls:
            seen[name] += 1
            if not ALL and rng.random() < (0.5 if path.startswith((self.folder, self.raw)) else 0.85):
                continue
            for way in faulty.WAYS[name] if ALL else [rng.choice(faulty.WAYS[name])]:
                result = self.run(CALL=name, AT=seen[name], **faulty.faults_of(way))
                wrong, n = self.wrong(name, way, path, result), n + 1
                faulty.injected[name, way] += 1
                if wrong:
                    problems.append((name, seen[name], way, path, wrong, result))
        tap.check(f'{self.what}: {len(self.calls)} calls, {n} faults', not problems, '\n'.join(map(str, problems[:8])))

    def check_kills(self, rng):
        """Between two calls of those that change something, each."""
        problems, n = [], 0
        for name in ('write', 'pwrite', 'fsync', 'fchmod', 'link', 'rename', 'unlink'):
            times = range(sum(call == name for call, _ in self.calls))
            for i in times if ALL else rng.sample(times, min(len(times), 2)):
                for how in ('before', 'after'):
                    status, _, _ = self.run(CALL=name, AT=i + 1, KILL=how)
                    wrong = None if self.before_is_there() else self.wrong_file()
                    wrong, n = wrong or self.wrong_next(), n + (status == -9)
                    if wrong or status != -9:
                        problems.append((name, i + 1, how, status, wrong))
        tap.check(f'{self.what}: killed at {n} calls', n > 0 and not problems, '\n'.join(map(str, problems[:8])))

    def check_full(self):
        """The disk is full from some write on: what was recorded is there before, and is kept."""
        problems, writes = [], sum(call == 'write' for call, _ in self.calls)
        for i in range(2, writes + 1):  # the first one records
            status, missing, err = self.run(CALL='write', AT=i, ON=1, **faulty.faults_of('ENOSPC'))
            wrong = self.wrong_file() or ('without a word' if 'No space left' not in missing + err else None)
            if wrong:
                problems.append((i, status, wrong, missing, err))
        tap.check(f'{self.what}: the disk is full at {writes - 1} writes', writes > 1 and not problems, '\n'.join(map(str, problems[:8])))

    def close(self):
        shutil.rmtree(self.folder)


print(f'# seed {SEED}')
subprocess.run('git init -q . && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m A', shell=True, cwd=PLACE, check=True)
RNG = random.Random(SEED)
reached = set()
for raw in RAWS:
    for named, replaces, form in ((False, False, 'stream'), (False, True, 'stream'), (True, True, 'stream'), (False, True, 'packed'), (True, False, 'packed')):
        case = Case(raw, named, replaces, form)
        reached |= {name for name, _ in case.calls}
        case.check_faults(RNG)
        case.check_kills(RNG)
        case.check_full()
        case.close()
faulty.print_injected()
tap.check('finishing opens, reads, writes, syncs, links, renames and maps', {'open', 'read', 'write', 'pwrite', 'fsync', 'link', 'rename', 'mmap'} <= reached, reached)
shutil.rmtree(PLACE)
sys.exit(tap.end())
