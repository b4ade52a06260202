#!/usr/bin/python3
"""Small files of a store with a cost out of all proportion: each costs at most 200 MB and 64 times what is unpacked, and 2 s and 2 s for
each MB, or is refused with a word.

test-bombs.py CLI"""
import gzip
import os
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

from stores import CLI, folder, head, index, object_path, put_profile, cli, repository, write
import tap

MB = 1 << 20
BIG = 600  # MB
REPO = repository()
MINOR = head(REPO)
NAME = 'ab' * 20
ROW = (1500000000, NAME, 'a.perf', 'time', 'c', '', '', 'time', '')


def run(*args):
    """Status, standard error, MB at the most, seconds of a processor. One that hangs is killed."""
    with tempfile.TemporaryFile('w+') as err:
        process = subprocess.Popen([CLI, *args], cwd=REPO, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err,
                                   preexec_fn=lambda: signal.alarm(120))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return process.returncode, err.read()[-3000:], usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def check(name, unpacked, args, said, status=1):
    """`unpacked`: MB that must be read at the most."""
    code, err, memory, seconds = run(*args)
    tap.check(f'{name}: {memory:.0f} MB, {seconds:.1f} s', code == status and said in err and memory <= 200 + 64 * unpacked
              and seconds <= 2 + 2 * unpacked, (code, err, memory, seconds))


def bomb(first, fill=b' ', size=BIG):
    """So many MB of the same, packed: a block that needs nothing before it, again and again."""
    machine = zlib.compressobj(9)
    begin = machine.compress(first) + machine.flush(zlib.Z_FULL_FLUSH)
    return begin + (machine.compress(fill * MB) + machine.flush(zlib.Z_FULL_FLUSH)) * size


def put_object(data):
    write(object_path(REPO, NAME), data)
    return len(data) / MB


def check_objects():
    write(object_path(REPO, MINOR), index([ROW]))
    for name, first, said in (('a length that is a lie', b'profile time 100\0{', 'not as long as it says'),
                              ('a length that is true', b'profile time %d\0{' % (BIG * MB + 1), 'larger, when unpacked'),
                              ('no head', b' ', 'does not begin as a profile does'),
                              ('a length beyond all', b'profile time 99999999999999999999\0', 'does not begin as a profile does')):
        size = put_object(bomb(first))
        check(f'an object that unpacks without bound, {name}', size, ['show', 'a.perf', 'raw'], said)
        check(f'… and its commit is listed, {name}', size, ['status'], '', 0)
    size = put_object(bomb(b'profile time 20000001\0{', size=20))
    write(object_path(REPO, MINOR), index([ROW[:2] + (f'{i}.perf',) + ROW[3:] for i in range(500)]))
    check('500 entries name one object without a header', size + 20, ['status'], '', 0)
    data = b'pidx' + struct.pack('<II', 1, 500) + b''.join(struct.pack('<I', 1) + bytes.fromhex(NAME) + b'%d.perf\0' % i for i in range(500))
    write(object_path(REPO, MINOR), data)
    check('… so does an index of the oldest era', size + 20, ['status'], '', 0)


def check_indexes():
    path = object_path(REPO, MINOR)
    for name, row in (('name', (1, NAME, 'n' * 20 * MB, *ROW[3:])), ('program', (*ROW[:4], 'c' * 20 * MB, *ROW[5:]))):
        write(path, index([row]))
        check(f'an index with a {name} of 20 MB', 20, ['status'], '', 0)
    write(path, b'pidx' + struct.pack('<II', 2, 0x7fffffff) + b'\0' * 1000)
    check('a count beyond all', 0, ['status'], 'more profiles than it holds')
    write(path, index([(i, f'{i:040x}', f'{i}', 'time', '', '', '', '', '') for i in range(100000)]))
    check('100,000 entries', os.path.getsize(path) / MB, ['status'], '', 0)
    write(path, b'pidx')
    os.truncate(path, 1 << 40)
    check('an index of a TB', 0, ['status'], path)
    os.unlink(path)
    os.mkfifo(path)
    check('an index that is a pipe', 0, ['status'], 'a pipe')
    os.unlink(path)
    os.symlink('/dev/zero', path)
    check('an index that is a device', 0, ['status'], 'a device')
    os.unlink(path)
    write(path, index([ROW]))
    os.unlink(object_path(REPO, NAME))
    os.mkfifo(object_path(REPO, NAME))
    check('an object that is a pipe', 0, ['show', 'a.perf', 'raw'], 'a pipe')
    check('… and its commit is listed', 0, ['status'], '', 0)
    os.unlink(object_path(REPO, NAME))


def check_packed():
    """A profile's file that is packed: what is unpacked goes to a file, not into memory."""
    path = os.path.join(REPO, 'bomb.perf')
    write(path, gzip.compress(b'{"header": "') + gzip.compress(b'a' * MB) * BIG)
    check('a packed file that is one word', 0, ['show', path, 'raw'], path)
    check('… or is added', 0, ['add', path], path)
    write(path, gzip.compress(b'{"header": ') + gzip.compress(b' ' * MB) * 200 + gzip.compress(b'}'))
    check('a packed file with nothing in it', 0.5, ['show', path, 'raw'], path)
    os.unlink(path)


check_objects()
check_indexes()
check_packed()
tap.check('the store goes on', cli(REPO, 'add', put_profile(REPO, 'last.perf', MINOR)).status == 0)
sys.exit(tap.end())
