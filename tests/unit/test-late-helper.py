#!/usr/bin/python3
"""A helper that is told to stop and takes its time: as long as it writes it is waited for, and where it does nothing any more it is ended and what there is
is kept. usage: test-late-helper.py CLI RECORDING, a stream that a helper wrote"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import made_helper
import tap

CLI, STREAM = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 120
WAYS = {
    'hangs': '''
signal.signal(signal.SIGTERM, signal.SIG_IGN)
wait_for_stop()
while True:
    time.sleep(1)
''',
    'writes': '''
wait_for_stop()
for i in range(8):
    time.sleep(2)
    os.write(1, bytes([68, 0, 0, 0, 0, 0, 8, 0]))  # the end of a round
progress("stopped")
''',
}


def start(folder, way):
    helper = f'{folder}/{way}'
    made_helper.write(helper, STREAM, WAYS[way])
    return subprocess.Popen([CLI, 'record', '--form', 'stream', '--stacks', 'fp', '--duration', '0.2', '-o', f'{folder}/{way}.data'],
                            env={**os.environ, 'WAKEPATH_COLLECTOR': helper}, stderr=subprocess.PIPE, text=True, start_new_session=True)


def tasks(path):
    return subprocess.run([CLI, 'tasks', '--format', 'tsv', path], capture_output=True, text=True, timeout=PATIENCE).stdout


with tempfile.TemporaryDirectory(prefix='wakepath-late-') as place:
    started = {way: start(place, way) for way in WAYS}
    said = {way: process.communicate(timeout=PATIENCE)[1] for way, process in started.items()}
    tap.check('one that writes on is waited for', started['writes'].returncode == 0 and 'did not answer' not in said['writes'], said['writes'])
    tap.check('one that hangs is told', started['hangs'].returncode == 1 and 'did not answer for 10 seconds' in said['hangs'], said['hangs'])
    tap.check('… and where what there is was kept', f'kept in {place}/hangs.data' in said['hangs'], said['hangs'])
    for name in started:
        path = f'{place}/{name}.data'
        tap.check(f'{name}: all that was recorded is there', os.path.exists(path) and tasks(path) == tasks(STREAM) != '', (tasks(path)[:300], tasks(STREAM)[:300]))
    tap.check('nothing else is left', sorted(os.listdir(place)) == ['hangs', 'hangs.data', 'writes', 'writes.data'], os.listdir(place))
    left = subprocess.run(['pgrep', '-f', f'{place}/hangs '], capture_output=True, text=True).stdout.split()
    tap.check('nor does the helper that hung live on', left == [], left)
sys.exit(tap.end())
