#!/usr/bin/python3
"""Names of files and devices on real disks: a number that goes from a deleted file to a new one, a device that is a file, what is written
past every file. No name may be another file's.

Needs root, a tracefs and a file system on a disk below the folder for temporary files, and says so. TAP.
usage: test-files.py CLI WORKLOADS
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import check, end

SLOW_CLOCK_MS = 10 # a file may have been made that much later than its file system says
CLI, WORKLOADS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def record(folder, *command):
    """The recording, and what the command printed."""
    path = os.path.join(folder, 'recording')
    run = subprocess.run([CLI, 'record', '--output', path, '--', *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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


def main():
    if os.geteuid() != 0 or not os.path.isdir('/sys/kernel/tracing/events/ext4'):
        print('1..0 # SKIP needs root, tracefs and ext4')
        return 0
    with tempfile.TemporaryDirectory(prefix='wakepath-files-') as folder:
        for wait, told in [(0, True), (100, True), (0, False), (100, False)]:
            inner = os.path.join(folder, f'{wait}-{told}')
            os.mkdir(inner)
            test_reuse(inner, wait, told)
    return end()


sys.exit(main())
