#!/usr/bin/python3
"""wakepath-cli with and without what is kept beside a recording: whatever it prints is the same, and the second time nothing is read.

usage: test-sidecar-command.py CLI RECORDING SHORT: one of a few events
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

cli, original, short = sys.argv[1:4]
COMMANDS = ('info', 'info --format json', 'processes', 'operations --format json', 'links --format json', 'marks', 'report --task cc --format json',
            'flame --task cc --format folded', 'top')

folder = tempfile.mkdtemp(prefix='wakepath-sidecar-')
cache = os.path.join(folder, 'cache')
kept = os.path.join(cache, 'wakepath', 'opened')
recording = shutil.copy(original, folder)


def run(command, sidecars, file=recording, **more):
    word, *options = command.split()
    environment = {**os.environ, 'XDG_CACHE_HOME': cache, 'WAKEPATH_SIDECARS': sidecars, **more}
    done = subprocess.run([cli, word, file, *options], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def is_opened_again(sidecars):
    _, out, err = run('report', sidecars, G_MESSAGES_DEBUG='wakepath')
    return 'opened from its sidecar' in out + err


def keeps_short_one(sidecars):
    """On a busy machine even a few events may take long to read, and are kept."""
    run('report', sidecars, short)
    keeps = os.path.exists(kept) and bool(os.listdir(kept))
    shutil.rmtree(cache, ignore_errors=True)
    return keeps


try:
    before = {command: run(command, 'no') for command in COMMANDS}
    check('every command works', all(status == 0 for status, _, _ in before.values()), before)
    check('nothing is kept where that is not wanted', not os.path.exists(kept))
    check('nothing is kept of what opens at once', keeps_short_one('all') and not all(keeps_short_one('yes') for _ in range(20)))
    run('report', 'all')
    check('a command that read names keeps them', len(os.listdir(kept)) == 1, os.listdir(kept))
    check('the next one opens it', is_opened_again('yes'))
    check('but not where that is not wanted', not is_opened_again('no'))
    for command in COMMANDS:
        check(f'{command}: the same as without', run(command, 'all') == before[command], run(command, 'all'))
    with open(recording, 'ab') as out:
        out.write(b'\0' * 8)
    check('a recording that has changed is read', not is_opened_again('yes'))
finally:
    shutil.rmtree(folder)
sys.exit(end())
