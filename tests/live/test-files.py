#!/usr/bin/python3
"""Names of files and devices on real disks: a number that goes from a deleted file to a new one, a program with two names, a file system in
a file (a loop device), whose chain reaches the disk below. No name may be another file's.

Needs root, a tracefs and a file system on a disk below the folder for temporary files, and says so. TAP.
usage: test-files.py CLI WORKLOADS
"""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

MIB = 1 << 20
SLOW_CLOCK_MS = 10 # a file may have been made that much later than its file system says
CLI, WORKLOADS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def record(folder, *command):
    """The recording, unpacked since names in it are changed, and what the command printed."""
    path = os.path.join(folder, 'recording')
    run = subprocess.run([CLI, 'record', '--form', 'stream', '--output', path, '--', *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=True)
    return path, run.stdout


def forget_creation(path):
    """As on file systems that do not tell when a number is a new file's: renames the event."""
    with open(path, 'rb') as file:
        data = file.read()
    with open(path, 'wb') as file:
        file.write(data.replace(b'name: ext4_allocate_inode\n', b'name: ext4_xllocate_inode\n'))


def disk_operations(path):
    text = subprocess.run([CLI, 'operations', path, '--format', 'json'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [op for op in map(json.loads, text.splitlines()) if op['kind'] == 'disk']


def test_reuse(folder, wait, told):
    path, out = record(folder, f'{WORKLOADS}/reuse', folder, str(wait))
    said = json.loads(out)
    what = f"the number of a deleted file, used {wait} ms after the new one was made{'' if told else ', which nobody told'}"
    if said['kept'] is None:
        check(f'{what} # SKIP this file system did not give it again', True)
        return
    if not told:
        forget_creation(path)
    order = [op['file'] for op in disk_operations(path) if op.get('file', '').startswith((folder, f"file {said['inode']} of "))]
    sure = told or wait > SLOW_CLOCK_MS
    check(f'{what}: the deleted file comes first and has a number only', order and order[0].startswith('file '), order)
    check(f"{what}: the kept file has {'its name' if sure else 'none, since it is not sure'}", (said['kept'] in order) == sure, order)
    check(f'{what}: no other name is there', set(order) <= {order[0], said['kept']}, order)


def run(*command, **environment):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **environment}).stdout.strip()


def forget_cached(path):
    with open(path, 'rb') as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def test_links(folder):
    """The kernel tells any of a file's names, mostly the one that was made last."""
    program, other = os.path.join(folder, 'program'), os.path.join(folder, 'other-name')
    shutil.copy('/bin/true', program)
    forget_cached(program)
    os.link(program, other)
    path, _ = record(folder, program)
    names = {op['file'] for op in disk_operations(path) if op.get('file', '').startswith(folder)}
    check('a program with two names has the one that it was run by', names == {program}, names)


@contextlib.contextmanager
def mounted(device, folder):
    run('mount', device, folder)
    try:
        yield
    finally:
        run('umount', folder)


@contextlib.contextmanager
def loop_device(folder, direct):
    """A file system in a file with one file in it, of which nothing is cached: the image, its device, the file."""
    image, inner = os.path.join(folder, 'image'), os.path.join(folder, 'inner')
    os.mkdir(inner)
    with open(image, 'wb') as file:
        file.truncate(64 * MIB)
    device = run('losetup', '--find', '--show', f"--direct-io={'on' if direct else 'off'}", image)
    try:
        run('mkfs.ext4', '-q', '-F', device)
        with mounted(device, inner):
            with open(os.path.join(inner, 'read-me'), 'wb') as file:
                file.write(os.urandom(4 * MIB))
        forget_cached(image)
        with mounted(device, inner):
            yield image, device, os.path.join(inner, 'read-me')
    finally:
        run('losetup', '--detach', device)


def stacks_of(path, pid, **environment):
    """What stands on what in the flame view."""
    text = run(CLI, 'flame', path, '--task', str(pid), '--format', 'folded', **environment)
    return [line.rsplit(' ', 1)[0].split(';') for line in text.splitlines()]


def test_loop(folder, disk, direct):
    what = 'a file in a file' + (', read past the cache' if direct else '')
    with loop_device(folder, direct) as (image, device, file):
        path, out = record(folder, 'sh', '-c', f'echo $$; exec cat {file} >/dev/null')
    operations = disk_operations(path)
    label = f'{os.path.basename(device)} ({image})'
    above = [op for op in operations if op['task'] == label and op.get('file') == file]
    below = [op for op in operations if op['task'] == disk and op.get('file') == image]
    check(f'{what}: requests to {label} are for {file}', above, operations)
    check(f'{what}: … and those to {disk} for {image}', below, operations)
    check(f'{what}: … within one of the loop device', any(up['start_ns'] <= op['start_ns'] and op['end_ns'] <= up['end_ns']
                                                         for op in below for up in above), (above, below))
    check(f'{what}: no request to one device is for a file on the other', not any(
        op.get('file', '').startswith(os.path.dirname(file) + '/') for op in operations if op['task'] != label), operations)
    stacks = stacks_of(path, out.strip(), WAKEPATH_SIDECARS='no')
    check(f'{what}: the chain of the reader reaches {disk}', any(stack[-2:] == [label, disk] for stack in stacks), stacks)
    for _ in range(2):  # the first keeps what it read, the second opens that
        again = stacks_of(path, out.strip(), WAKEPATH_SIDECARS='all', XDG_CACHE_HOME=folder)
        check(f'{what}: … and does when it is opened again', again == stacks, again)
    report = json.loads(run(CLI, 'report', path, '--task', out.strip(), '--format', 'json'))
    rows = {row['name'] for category in report['categories'] for row in category['rows'] if category['id'] in ('blocking-io', 'io-queue')}
    check(f'{what}: both are in the explanation', {f'{label}: {file}', f'{disk}: {image}'} <= rows, rows)


def disk_below(folder):
    """The name of the disk, or of its part, that holds the folder; None where that is no block device."""
    number = os.stat(folder).st_dev
    link = f'/sys/dev/block/{os.major(number)}:{os.minor(number)}'
    return os.path.basename(os.path.realpath(link)) if os.path.exists(link) else None


def main():
    if os.geteuid() != 0 or not os.path.isdir('/sys/kernel/tracing/events/ext4'):
        print('1..0 # SKIP needs root, tracefs and ext4')
        return 0
    with Spinners(WORKLOADS), tempfile.TemporaryDirectory(prefix='wakepath-files-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        for wait, told in [(0, True), (100, True), (0, False), (100, False)]:
            inner = os.path.join(folder, f'{wait}-{told}')
            os.mkdir(inner)
            test_reuse(inner, wait, told)
        disk = disk_below(folder)
        inner = os.path.join(folder, 'links')
        os.mkdir(inner)
        test_links(inner)
        for direct in (False, True):
            inner = os.path.join(folder, f'loop-{direct}')
            os.mkdir(inner)
            if disk is None or not os.path.exists('/dev/loop-control'):
                check('a file in a file # SKIP ' + ('no loop devices in this kernel' if disk else 'no disk below'), True)
            else:
                test_loop(inner, disk, direct)
    return end()


sys.exit(main())
