"""What the tests of faults share: what each call may fail with, programs that run with the library, and what was done to them by call."""
import collections
import errno
import functools
import os
import re
import subprocess

HARMLESS = ['EINTR', 'SHORT']  # these must not be noticed

# What each call may fail with. SHORT: half of the bytes.
WAYS = {
    'open': ['EIO', 'EMFILE', 'ENOSPC', 'EINTR'], 'opendir': ['EIO', 'EMFILE'], 'read': ['EIO', 'EINTR', 'SHORT'], 'pread': ['EIO', 'EINTR', 'SHORT'],
    'write': ['EIO', 'ENOSPC', 'EINTR', 'SHORT'], 'pwrite': ['EIO', 'ENOSPC', 'EINTR', 'SHORT'], 'fsync': ['EIO', 'ENOSPC', 'EINTR'],
    'rename': ['EIO', 'ENOSPC'], 'link': ['EIO', 'ENOSPC'], 'unlink': ['EIO'], 'mkdir': ['EIO', 'ENOSPC'], 'fchmod': ['EIO'],
    'flock': ['EIO', 'EINTR'], 'mmap': ['ENOMEM', 'EMFILE'], 'fork': ['EAGAIN', 'ENOMEM'],
    'spawn': ['EAGAIN', 'ENOMEM'], 'pipe': ['EMFILE'], 'socketpair': ['EMFILE'],
}

PATIENCE = 60  # seconds
HANGS = -1000  # an exit status

injected = collections.Counter()  # by call and way


def faults_of(way):
    return {'SHORT': 1} if way == 'SHORT' else {'ERRNO': getattr(errno, way)}


@functools.cache
def preload(program, library):
    """The library; a sanitizer's must come before it."""
    found = re.search(r'(/\S*libasan\S*)', subprocess.run(['ldd', program], capture_output=True, text=True).stdout)
    return f'{found[1]}:{library}' if found else library


def run(command, library, cwd=None, env=os.environ, **faults):
    """Exit status (negative: a signal), what it printed, what it said."""
    env = {**env, **({'LD_PRELOAD': preload(command[0], library)} if faults else {}), **{f'FAULTS_{k}': str(v) for k, v in faults.items()}}
    try:
        done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace', timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return HANGS, '', f'it does not end in {PATIENCE} s'
    return done.returncode, done.stdout, done.stderr


def read_log(path):
    """[(name, path)] of its calls, in their order."""
    with open(path, encoding='utf-8', errors='replace') as file:
        return [tuple(line.split('\t')[1:3]) for line in file.read().splitlines()]


def print_injected():
    for call in WAYS:
        ways = ', '.join(f'{way} {injected[call, way]}' for way in WAYS[call])
        print(f'# {call}: {ways}', flush=True)
