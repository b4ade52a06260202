#!/usr/bin/python3
"""A flight recorder where the file system makes no holes: it is refused before anything is recorded; where a hole cannot be made later, recording ends and what
is kept is saved. A made-up helper records, and a filter of system calls lets fallocate() fail. usage: test-no-holes.py CLI RECORDING, a stream that a
helper wrote"""
import errno
import os
import platform
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import made_helper
import tap

CLI, STREAM = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 120
FALLOCATE = {'x86_64': 285, 'aarch64': 47, 'riscv64': 47}.get(platform.machine())
COMM, ROUND, NAME = 3, bytes([68, 0, 0, 0, 0, 0, 8, 0]), b'later'
TELLS = '''
while not select.select([sys.stdin], [], [], 0.2)[0]:
    progress("progress")
''' + made_helper.STOPS


def tail_of(data, ns):
    """What stands at the end of a record that is no sample, by the stream's first attribute."""
    kinds = struct.unpack_from('<Q', data, 16 + 8 + 24)[0]
    fields = ((1, struct.pack('<II', 7, 7)), (2, struct.pack('<Q', ns)), (6, bytes(8)), (9, bytes(8)), (7, bytes(8)), (16, bytes(8)))
    return b''.join(value for bit, value in fields if kinds >> bit & 1)


def lengthened(data, seconds):
    """With a round each second in which a task gets its name."""
    for i in range(seconds):
        body = struct.pack('<II16s', 7, 7, NAME) + tail_of(data, (10000 + i) * 10 ** 9)
        data += struct.pack('<IHH', COMM, 0, 8 + len(body)) + body + ROUND
    return data


def record(folder, third):
    made_helper.write(f'{folder}/helper', f'{folder}/stream', TELLS)
    with open(STREAM, 'rb') as file, open(f'{folder}/stream', 'wb') as out:
        out.write(lengthened(file.read(), 500))
    return subprocess.run([CLI, 'record', '--stacks', 'fp', '--keep', '100', '--form', 'stream', '--duration', '60', '-o', f'{folder}/out.data'],
                          env={**os.environ, 'WAKEPATH_COLLECTOR': f'{folder}/helper'}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          preexec_fn=lambda: made_helper.let_fail(FALLOCATE, errno.EOPNOTSUPP, third))


if FALLOCATE is None:
    print('1..0 # SKIP the number of the call is not known here')
    sys.exit(0)
with tempfile.TemporaryDirectory(prefix='wakepath-holes-') as place:
    done = record(place, False)
    tap.check('where no holes are made that is refused, with the folder', done.returncode == 1 and f'the folder {place} ' in done.stderr and
              'Operation not supported' in done.stderr, done)
    tap.check('… and nothing is left', sorted(os.listdir(place)) == ['helper', 'stream'], os.listdir(place))
    done = record(place, True)
    tap.check('where one cannot be made later, recording ends, and that is told', done.returncode == 0 and 'does not take back what is old' in done.stderr, done)
    with open(f'{place}/out.data', 'rb') as saved:
        names = saved.read().count(NAME)
    tap.check('… and the last seconds are saved', 100 <= names <= 103, names)
sys.exit(tap.end())
