#!/usr/bin/python3
"""The window at a recording of 6.5 million events, and how long it is ever busy with one thing from opening to closing.

usage: large-window.py BENCH-LARGE-WINDOW [FILE]

Without FILE it records one.
"""
import os
import subprocess
import sys
import tempfile

from recordings import record

SIZE = 16000  # some 6.5 million events


def main():
    ours, *given = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix='wp-large-window-') as folder:
        path = given[0] if given else os.path.join(folder, 'large.data')
        if not given:
            record(path, SIZE)
        print(f'{os.path.getsize(path) / 1e6:.0f} MB', flush=True)
        return subprocess.run([ours, path]).returncode


sys.exit(main())
