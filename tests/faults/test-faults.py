#!/usr/bin/python3
"""Each call of the system that a command on a store makes fails once, or is short, or is the last one before the program is killed. What it
says and how it ends fits what it has done; nothing is lost and nothing is half; and the next run succeeds and clears up.

test-faults.py CLI LIBRARY [all] [SEED]: one in SHARE calls in one way each, chosen by the seed, or all of them in every way."""
import errno
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zlib

if os.access('/dev/shm', os.W_OK):  # hundreds of runs that each sync several times
    os.environ['TMPDIR'] = '/dev/shm'
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'store')]
from stores import CLI, folder, head, index, object_path, put_profile, read, repository, unpack_object, write
from stored import broken, entries, leftovers, pending, registered
import faulty
import tap

LIBRARY = os.path.abspath(sys.argv[2])
ALL = 'all' in sys.argv[3:]
SEED = next((int(arg) for arg in sys.argv[3:] if arg.isdigit()), time.time_ns() % 1000000)
SAMPLE = os.path.join(HERE, '..', '..', 'data', 'sample.perf')
SHARE = 6
KILLS = 200 if ALL else 5  # of each
SCRIPT = b'''pass 4711/4711 [000] 1.000100: sched:sched_switch: prev_comm=pass prev_pid=4711 prev_prio=120 prev_state=S ==> next_comm=b next_pid=5 next_prio=120
\t           401136 _ZN3foo3barEi+0x6 (/tmp/pass)

b 5 [000]  1.000300: sched:sched_switch: prev_comm=b prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=pass next_pid=4711 next_prio=120

pass  4711 [000]     1.000400:     250000 cpu-clock:
\t           401336 _ZN3foo3bazEi+0x6 (/tmp/pass)

'''


def run(repo, args, **faults):
    return faulty.run([CLI, *args], LIBRARY, repo, **faults)


class Scenario:
    """A command, what it starts from, and what must be true before, and after it has succeeded."""
    again = ''  # what a second run may say though all is done

    def __init__(self):
        self.template = self.prepare()
        shutil.rmtree(os.path.join(self.template, '.git', 'hooks'), ignore_errors=True)

    def fresh(self):
        path = os.path.join(folder(), 'repo')
        shutil.copytree(self.template, path, symlinks=True, copy_function=shutil.copy2)
        settings = os.path.join(path, '.perun', 'local.yml')
        if os.path.exists(settings):
            write(settings, read(settings).replace(self.template.encode(), path.encode()))
        return path

    def lost(self, repo):
        """Of what was there before and has to stay."""
        return None if 'kept.perf' in registered(repo) else 'kept.perf'

    def reads_right(self, repo, out):
        return True


def with_profiles(*names):
    repo = repository()
    for i, name in enumerate(names):
        subprocess.run([CLI, 'add', put_profile(repo, name, head(repo), i, 1500000000 + i)], cwd=repo, check=True, stdout=subprocess.DEVNULL)
    return repo


class Add(Scenario):
    args = ['add', 'a.perf']

    def prepare(self):
        repo = with_profiles('kept.perf')
        put_profile(repo, 'a.perf', head(repo), 5)
        return repo

    def done(self, repo):
        return 'a.perf' in registered(repo)

    def lost(self, repo):
        return super().lost(repo) or (None if self.done(repo) or os.path.exists(os.path.join(repo, 'a.perf')) else 'a.perf')

    def reset(self, repo):
        """As a user would give it again."""
        if not os.path.exists(os.path.join(repo, 'a.perf')):
            put_profile(repo, 'a.perf', head(repo), 5)


class AddFirst(Add):
    """The first one of a commit, in folders that are new."""

    def prepare(self):
        repo = repository()
        put_profile(repo, 'a.perf', head(repo), 5)
        return repo

    def lost(self, repo):
        return None if self.done(repo) or os.path.exists(os.path.join(repo, 'a.perf')) else 'a.perf'


class AddToOldest(Add):
    """To an index without strings."""
    version, texts = 1, []

    def prepare(self):
        repo = super().prepare()
        path = object_path(repo, head(repo))
        write(path, index([(1500000000, sha1, name, *self.texts) for name, sha1 in entries(path)], self.version))
        return repo


class AddToFive(AddToOldest):
    """To one of Perun 0.22, without the arguments, which stays such."""
    version, texts = 2, ['time', './a.out', 'in.txt', 'time', '']


class AddToLabel(AddToOldest):
    """To one of today's Perun, of which only an object tells that it is."""
    version, texts = 2, ['time', './a.out', 'in.txt', 'label', 'time', '']

    def prepare(self):
        repo = Add.prepare(self)
        path = object_path(repo, head(repo))
        text = unpack_object(read(object_path(repo, entries(path)[0][1]))).replace(b'"args": "-x 1"', b'"label":"label"')
        sha1 = hashlib.sha1(text).hexdigest()
        write(object_path(repo, sha1), zlib.compress(text))
        write(path, index([(1500000000, sha1, 'kept.perf', *self.texts)], self.version))
        return repo


class RemoveOfFive(AddToFive):
    args = ['rm', 'a.perf']
    again = 'a.perf'

    def prepare(self):
        repo = with_profiles('kept.perf', 'a.perf')
        path = object_path(repo, head(repo))
        write(path, index([(1500000000, sha1, name, *self.texts) for name, sha1 in entries(path)], self.version))
        return repo

    def done(self, repo):
        return 'a.perf' not in registered(repo)

    def lost(self, repo):
        return Scenario.lost(self, repo)

    def reset(self, repo):
        pass


class Remove(Scenario):
    args = ['rm', 'a.perf']
    again = 'a.perf'

    def prepare(self):
        return with_profiles('kept.perf', 'a.perf')

    def done(self, repo):
        return 'a.perf' not in registered(repo)

    def reset(self, repo):
        pass


class Init(Scenario):
    args = ['init']
    again = 'store already'

    def prepare(self):
        repo = repository()
        shutil.rmtree(os.path.join(repo, '.perun'))
        return repo

    def done(self, repo):
        return os.path.exists(os.path.join(repo, '.perun', 'local.yml')) and run(repo, ['status'])[2] == ''

    def lost(self, repo):
        return None

    def reset(self, repo):
        pass


class SavePending(Scenario):
    args = ['save', '--pending', SAMPLE]

    def prepare(self):
        return with_profiles('kept.perf')

    def done(self, repo):
        return len(pending(repo)) >= 1

    def reset(self, repo):
        pass


class SaveFile(Scenario):
    args = ['save', SAMPLE, '-o', 'out.perf']

    def prepare(self):
        repo = with_profiles('kept.perf')
        write(os.path.join(repo, 'out.perf'), b'"what was there"')
        return repo

    def done(self, repo):
        return len(read(os.path.join(repo, 'out.perf'))) > 1000

    def lost(self, repo):
        data = read(os.path.join(repo, 'out.perf'))
        try:
            json.loads(data)
        except ValueError:
            return 'out.perf'
        return super().lost(repo)

    def reset(self, repo):
        pass


class SaveRecording(SaveFile):
    """Unpacked, with the places in a program that it names. Where the file is new, and where something of that name is there."""
    args = ['save', os.path.join(HERE, '..', 'fuzz', 'corpus', 'recording', 'stream.data.gz'), '--task', 'wc', '-o', 'out.perf']

    def reads_right(self, repo, out):
        data = read(os.path.join(repo, 'out.perf'))
        return data == self.wanted() or b'"no_demangler": 1' in data

    def wanted(self):
        if not hasattr(self, 'data'):
            repo = self.fresh()
            assert run(repo, self.args)[0] == 0
            self.data = read(os.path.join(repo, 'out.perf'))
        return self.data


class SaveText(SaveRecording):
    """Of perf script, with a name that another program makes readable."""
    args = ['save', 'text', '--task', '4711', '-o', 'out.perf']

    def prepare(self):
        repo = super().prepare()
        write(os.path.join(repo, 'text'), SCRIPT)
        return repo


class Look(Scenario):
    """Reading: what is printed is right, or something is said."""

    def prepare(self):
        return with_profiles('kept.perf', 'a.perf')

    def done(self, repo):
        return True

    def reset(self, repo):
        pass

    def reads_right(self, repo, out):
        return out.replace(repo, '') == self.wanted(repo)

    def wanted(self, repo):
        if not hasattr(self, 'text'):
            self.text = run(repo, self.args)[1].replace(repo, '')
        return self.text


class Log(Look):
    args = ['log']


class Status(Look):
    args = ['status', '--format', 'json']


class Show(Look):
    args = ['show', 'a.perf', 'json']


class Check(Look):
    args = ['check', 'profiles', 'kept.perf', 'a.perf']


def calls_of(scenario):
    """[(name, path)] of a run that nothing happens to."""
    repo, log = scenario.fresh(), os.path.join(folder(), 'log')
    status, out, err = run(repo, scenario.args, LOG=log)
    calls = faulty.read_log(log)
    assert status in (0, 3) and err == '' and calls, (status, out, err, calls)
    return calls


def judge(scenario, repo, name, way, path, result):
    """What is wrong after a run that something happened to: a sentence, or None."""
    status, out, err = result
    if status == faulty.HANGS:
        return err
    if status < 0:
        return f'ended by signal {-status}'
    problem = broken(repo) or scenario.lost(repo)
    if problem:
        return f'lost or broken: {problem}'
    if status in (0, 3) and not scenario.done(repo):
        return 'success, and nothing was done'
    if status in (0, 3) and err == '' and not scenario.reads_right(repo, out) and not path.startswith('/usr/'):  # names of functions in there
        return 'something else is printed, without a word'
    if status not in (0, 3) and 'wakepath-cli: ' not in err:
        return 'a failure without a word'
    libgit2 = '/.git/' in path and name == 'open'  # it does not repeat an open
    if way in faulty.HARMLESS and not libgit2 and os.path.join(repo, '') in path and (status not in (0, 3) or err != ''):
        return 'what is no failure was one'
    if status not in (0, 3) and '/.perun/' in path and way not in faulty.HARMLESS and os.strerror(getattr(errno, way)) not in err:
        return 'the message does not say what failed'
    return None


def judge_next(scenario, repo):
    """The same again, undisturbed."""
    was_done = scenario.done(repo)
    scenario.reset(repo)
    status, _, err = run(repo, scenario.args)
    if not (status in (0, 3) and err == '') and not (was_done and scenario.again and scenario.again in err):
        return f'the next run: status {status}: {err}'
    problem = broken(repo) or scenario.lost(repo) or ('' if scenario.done(repo) else 'nothing was done')
    if problem:
        return f'after the next run: {problem}'
    left = leftovers(repo)
    return f'left over: {left}' if left and status == 0 else None


def check_scenario(scenario, rng):
    calls, problems, n = calls_of(scenario), [], 0
    for i, (name, path) in enumerate(calls):
        if not ALL and rng.randrange(SHARE) > 0:
            continue
        ways = faulty.WAYS[name]
        for way in ways if ALL else [rng.choice(ways)]:
            repo = scenario.fresh()
            result = run(repo, scenario.args, AT=i + 1, **faulty.faults_of(way))
            wrong = judge(scenario, repo, name, way, re.sub(r'^.*?/repo/', repo + '/', path), result) or judge_next(scenario, repo)
            n += 1
            faulty.injected[name, way] += 1
            if wrong:
                problems.append((i + 1, name, way, path, wrong, result))
            shutil.rmtree(os.path.dirname(repo))
    tap.check(f'{type(scenario).__name__}: {len(calls)} calls, {n} faults', not problems, '\n'.join(map(str, problems[:6])))
    return n


def check_kills(scenario, rng):
    n_calls, problems, killed = len(calls_of(scenario)), [], 0
    for _ in range(KILLS):
        at, how, repo = rng.randrange(n_calls) + 1, rng.choice(['before', 'after']), scenario.fresh()
        status, _, _ = run(repo, scenario.args, AT=at, KILL=how)
        killed += status == -9
        problem = broken(repo) or scenario.lost(repo) or judge_next(scenario, repo)
        if problem:
            problems.append((at, how, problem))
        shutil.rmtree(os.path.dirname(repo))
    tap.check(f'{type(scenario).__name__}: killed at {killed} of {KILLS} random calls', killed >= KILLS * 0.6 and not problems, problems[:6])


print(f'# seed {SEED}')
RNG = random.Random(SEED)
SCENARIOS = [kind() for kind in (Add, AddFirst, AddToOldest, AddToFive, AddToLabel, Remove, RemoveOfFive, Init, SavePending, SaveFile, SaveRecording, SaveText, Log, Status, Show, Check)]
total = sum(check_scenario(scenario, RNG) for scenario in SCENARIOS)
print(f'# {total} faults')
faulty.print_injected()
for each in SCENARIOS:
    if not isinstance(each, Look):
        check_kills(each, RNG)
sys.exit(tap.end())
