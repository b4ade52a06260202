#!/usr/bin/python3
"""Attaching to a process where the kernel gives no descriptor of it: its end is seen all the same, and another failure is told as what it is. A made-up
helper records, and a filter of system calls lets pidfd_open() fail. usage: test-no-pidfd.py CLI RECORDING, a stream that a helper wrote"""
import errno
import os
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import made_helper
import tap

CLI, STREAM = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 120
PIDFD_OPEN = 434  # on all machines


def record(folder, pids, code):
    """Exit status, what was said."""
    helper = f'{folder}/helper'
    made_helper.write(helper, STREAM)
    pids = [word for pid in pids for word in ('--pid', str(pid))]
    done = subprocess.run([CLI, 'record', '--form', 'stream', '--stacks', 'fp', '-o', f'{folder}/out.data', *pids],
                          env={**os.environ, 'WAKEPATH_COLLECTOR': helper}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          preexec_fn=lambda: made_helper.let_fail(PIDFD_OPEN, code))
    return done.returncode, done.stderr


def living(ends):
    """A process that ends once the recording can have begun, and is waited for, or stays a zombie."""
    process = subprocess.Popen(['sleep', '0.7'])
    if ends:
        threading.Thread(target=process.wait, daemon=True).start()
    return process


for name in ('ENOSYS', 'EPERM'):
    for ends in (True, False):
        with tempfile.TemporaryDirectory(prefix='wakepath-pidfd-') as place:
            processes = [living(ends), living(ends)]
            result = record(place, [process.pid for process in processes], getattr(errno, name))
            there = [process.pid for process in processes if ends and os.path.exists(f'/proc/{process.pid}')]
            tap.check(f'{name}: recorded until the last one had ended{"" if ends else ", though nobody had asked for that"}',
                      result[0] == 0 and there == [] and os.path.exists(f'{place}/out.data'), (result, there))
            for process in processes:
                process.wait()
with tempfile.TemporaryDirectory(prefix='wakepath-pidfd-') as place:
    gone = subprocess.Popen(['true'])
    gone.wait()
    for name in ('ENOSYS', 'ESRCH', 'ENOENT', 'EINVAL'):
        result = record(place, [gone.pid], getattr(errno, name))
        tap.check(f'{name}: who has ended is not there', result[0] == 1 and f'there is no process {gone.pid}' in result[1], result)
    result = record(place, [os.getpid()], errno.EMFILE)
    tap.check('another failure is told', result[0] == 1 and f'the end of process {os.getpid()} cannot be waited for: Too many open files' in result[1], result)
sys.exit(tap.end())
