#!/usr/bin/python3
"""What is kept of a large store changes nothing: each command says the same from it and where nothing can be kept, after whatever became of the
repository, the store and the kept files."""
import ctypes
import glob
import hashlib
import os
import random
import shutil
import subprocess
import sys
import time
import zlib

from stores import cli, folder, index, object_path, profile, put_profile, read, write
import tap

COMMITS, PROFILES = 1300, 560  # for fewer than 500 no file is written
COMMANDS = [['log', '--short'], ['log', '-f', 'json'], ['log', '-n', '600'],
            *(['log', '--history', 'total', '-f', kind] for kind in ('text', 'json', 'csv', 'tsv')), ['log', '--history', 'sum:amount'],
            ['log', '--history', 'self:real', '--command', 'a.out'], ['log', '--history', 'max:amount', '--command', '·'], ['log', '--short', 'half'], ['log', '--history', 'total', 'half']]
LAYOUTS = ['args', 'no args', 'label', 'names']
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'pprof', 'samples', 'odd')
KEPT, GIT = folder(), ['git', '-c', 'user.name=G', '-c', 'user.email=g@example.org']


def git(repo, *args):
    return subprocess.run([*GIT, '-C', repo, *args], check=True, capture_output=True, text=True).stdout


def hashes(repo):
    return git(repo, 'log', '--format=%H').split()


def put_object(repo, text):
    data = f'profile time {len(text)}'.encode() + b'\0' + text.encode()
    sha1 = hashlib.sha1(data).hexdigest()
    write(object_path(repo, sha1), zlib.compress(data))
    return sha1


def put_index(repo, minor, amounts, layout='args'):
    """In one of the layouts that indexes have had: with arguments, without, with a label, with nothing but names."""
    entries = []
    for amount in amounts:
        text = profile(amount=amount).replace('"args": "-x 1"', '"label": "tagged"') if layout == 'label' else profile(amount=amount)
        texts = {'args': ['time', './a.out', '-x 1', 'in.txt', 'time', 'filter normalizer'], 'no args': ['time', './a.out -x 1', 'in.txt', 'time', ''],
                 'label': ['time', './a.out', 'in.txt', 'tagged', 'time', ''], 'names': []}[layout]
        entries.append((1500000000 + amount, put_object(repo, text), f'run-{amount}.perf', *texts))
    write(object_path(repo, minor), index(entries, version=1 if layout == 'names' else 2))


def put_stacks(repo, minors):
    """A profile that was made of stacks, with a line of history for each of its value types, in the indexes of these commits."""
    path = os.path.join(repo, 'types.pb.gz')
    shutil.copy(os.path.join(SAMPLES, 'types.pb.gz'), path)
    for minor in minors:
        assert cli(repo, 'add', '-m', minor, path).status == 0


def make(repo, seed):
    """A line of commits, of which every other one has profiles."""
    stream = []
    for i in range(COMMITS):
        message = f'Change {i} of {seed}: größer\n\nWhat it is about.\n'
        stream.append(f'commit refs/heads/main\nauthor A{i % 7} <a{i % 7}@b> {1600000000 + i} +0000\ncommitter C <c@d> {1600000000 + 60 * i} +0000\n'
                      f'data {len(message.encode())}\n{message}\n')
        if i == COMMITS // 2:
            stream.append('reset refs/heads/half\nfrom refs/heads/main\n\n')
    subprocess.run(['git', 'init', '-q', '-b', 'main', repo], check=True)
    subprocess.run(['git', '-C', repo, 'fast-import', '--quiet'], input=''.join(stream).encode(), check=True)
    git(repo, 'reset', '-q', '--hard')
    cli(repo, 'init')
    for i, minor in enumerate(hashes(repo)[:2 * PROFILES:2]):
        put_index(repo, minor, [1000 * seed + 3 * i + j for j in range(1 + (i % 50 == 0))], LAYOUTS[i // 5 % 4])
    put_stacks(repo, hashes(repo)[601:900:100])


def settle(repo):
    """What changed just now is not kept. Waits until the store did not."""
    newest = max(os.lstat(path).st_ctime for path in glob.glob(f'{repo}/.perun/objects/*/*'))
    while time.time() < newest + 2.1:
        time.sleep(.05)


def say(repo, cache):
    os.environ['XDG_CACHE_HOME'] = cache
    done = [cli(repo, *command) for command in COMMANDS]
    return [(one.status, one.out, one.err) for one in done]


def kept_files():
    return sorted(glob.glob(f'{KEPT}/wakepath/kept/*'))


def same(name, repo):
    kept, nothing = say(repo, KEPT), say(repo, '/dev/null/nowhere')
    wrong = [(command, one, other) for command, one, other in zip(COMMANDS, kept, nothing) if one != other]
    tap.check(name, not wrong and len(kept[0][1].splitlines()) > 500, wrong[:1])


def opens(cache, path, *command):
    """Whether a command opens this file."""
    libc = ctypes.CDLL(None)
    fd = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(fd, path.encode(), 0x20) >= 0  # IN_OPEN
    os.environ['XDG_CACHE_HOME'] = cache
    cli(repo, *command)
    try:
        return len(os.read(fd, 65536)) > 0
    except BlockingIOError:
        return False
    finally:
        os.close(fd)


def overwrite(path, data):
    """In place, as if nothing had happened: the size and the time of its content stay."""
    before = os.stat(path)
    assert len(data) == before.st_size
    with open(path, 'r+b') as file:
        file.write(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


repo = os.path.join(folder(), 'repo')
make(repo, 1)
settle(repo)
same('at first, when nothing is kept', repo)
tap.check('commits and the store are kept, for the user only', [os.path.basename(path).split('-')[0] for path in kept_files()] == ['commits', 'store']
          and all(os.stat(path).st_mode & 0o777 == 0o600 for path in kept_files()), kept_files())
same('all is kept', repo)
tap.check('value types have lines of their own', ' · ' in cli(repo, 'log', '--history', 'total', '-f', 'csv').out)

# The first 500 commits of a log are never looked for among what is kept.
with_profiles = [minor for minor in hashes(repo)[550:1000] if os.path.exists(object_path(repo, minor))]


def sha1_of(minor):
    return read(object_path(repo, minor))[16:36].hex()


HISTORY = ['log', '--history', 'total']
for name, file, command in (('index', with_profiles[1], ['log', '--short']), ('index', with_profiles[1], HISTORY), ('object', sha1_of(with_profiles[1]), HISTORY)):
    kept, nothing = (opens(cache, object_path(repo, file), *command) for cache in (KEPT, '/dev/null/nowhere'))
    tap.check(f'{" ".join(command)}: an {name} that is as it was is not opened', nothing and not kept, (kept, nothing))

git(repo, 'commit', '-q', '--allow-empty', '-m', 'New')
cli(repo, 'add', put_profile(repo, 'new.perf', git(repo, 'rev-parse', 'HEAD').strip(), amount=7))
same('a new commit with a profile', repo)
git(repo, 'commit', '-q', '--allow-empty', '--amend', '-m', 'Amended')
same('a commit that was amended', repo)
git(repo, 'checkout', '-q', '-b', 'aside', 'HEAD~3')
git(repo, 'commit', '-q', '--allow-empty', '-m', 'Aside')
git(repo, 'checkout', '-q', 'main')
git(repo, 'merge', '-q', '--no-ff', '-m', 'Merged', 'aside')
same('a merge', repo)

os.unlink(object_path(repo, sha1_of(with_profiles[3])))
same('an object that is gone', repo)
put_index(repo, with_profiles[6], [999999])
same('an index of another profile', repo)
data = bytearray(read(object_path(repo, with_profiles[9])))
data[12] ^= 1  # its time
overwrite(object_path(repo, with_profiles[9]), data)
same('an index that is another one, of the same size and time', repo)
path = object_path(repo, sha1_of(with_profiles[12]))
data = bytearray(read(path))
data[-1] ^= 1
overwrite(path, data)
same('a damaged object of the same size and time', repo)
cli(repo, 'rm', '-m', with_profiles[15], '0@i')
same('a profile that was removed', repo)
data = read(object_path(repo, with_profiles[18]))
write(f'{repo}/.perun/cache/{with_profiles[18]}.sha1', f'{"0" * 40} {len(data)}\n'.encode())
same('a checksum that does not fit', repo)
write(object_path(repo, with_profiles[21]), read(object_path(repo, with_profiles[21]))[:-1])
same('an index that was cut', repo)

source = random.Random(1)
for path in kept_files():
    data = bytearray(read(path))
    for _ in range(3):
        at = source.randrange(len(data))
        data[at] ^= 1 << source.randrange(8)
    write(path, bytes(data))
same('kept files that are damaged', repo)
for path in kept_files():
    write(path, read(path)[:-100])
same('kept files that were cut', repo)
for path in kept_files():
    os.unlink(path)
    os.symlink('/dev/zero', path)
same('links in their places', repo)

os.rename(repo, repo + '-before')
make(repo, 2)
settle(repo)
same('a second repository in the place of the first', repo)
same('that one is kept', repo)
os.rename(f'{repo}/.perun', f'{repo}-store')
shutil.copytree(f'{repo}-store', f'{repo}/.perun')
put_index(repo, hashes(repo)[0], [4, 5, 6])
same('a copy of the store in its place', repo)
tap.check('no hidden file is left', not glob.glob(f'{KEPT}/wakepath/kept/.*'))
sys.exit(tap.end())
