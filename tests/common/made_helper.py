"""A recording helper that is made up: it writes a stream that is given to it and does what a test wants, so that nobody needs root. And a filter of system
calls, by which a program meets a kernel or a file system that lacks something."""
import ctypes
import os
import struct

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
ALLOW, FAIL = 0x7fff0000, 0x00050000
HEAD = '''#!/usr/bin/python3
import json, os, select, signal, sys, time

def say(**message):
    print(json.dumps(message), file=sys.stderr, flush=True)

def progress(kind):
    say(message=kind, bytes=os.fstat(1).st_size, events=1, lost=0, commands=0)

def wait_for_stop():
    while 'stop' not in sys.stdin.readline():
        pass

with open(%r, 'rb') as file:
    os.write(1, file.read())
say(message='started', events=[], rate=1000)
'''
STOPS = 'wait_for_stop()\nprogress("stopped")\n'


def write(path, stream, then=STOPS):
    """To be named in WAKEPATH_COLLECTOR: what it does once it has started, in Python."""
    with open(path, 'w', encoding='utf-8') as file:
        file.write(HEAD % stream + then)
    os.chmod(path, 0o755)


def let_fail(call, code, third=False):
    """In a child before it executes: the call of this number fails with an errno in it and all that it starts; `third`: only where its third argument is
    not 0."""
    def instruction(what, value, yes=0, no=0):
        return struct.pack('<HBBI', what, yes, no, value)

    load, equal, end = 0x20, 0x15, 0x06
    program = [instruction(load, 0), instruction(equal, call, 0, 3 if third else 1)]
    if third:
        program += [instruction(load, 16 + 2 * 8), instruction(equal, 0, 1, 0)]
    program += [instruction(end, FAIL | code), instruction(end, ALLOW)]
    buffer = ctypes.create_string_buffer(b''.join(program))
    libc = ctypes.CDLL(None, use_errno=True)
    if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or
            libc.prctl(PR_SET_SECCOMP, FILTER, struct.pack('@HP', len(program), ctypes.addressof(buffer)), 0, 0) != 0):
        os._exit(99)
