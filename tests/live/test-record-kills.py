#!/usr/bin/python3
"""wakepath-cli record is killed at random calls of the system, as root: what had the name of the recording is as before or a whole new one,
nothing reads half, and the next recording succeeds and leaves nothing else in the folder. Needs a mounted tracefs. TAP.
usage: test-record-kills.py CLI LIBRARY [KILLS [SEED]]"""
import os
import random
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'faults'))
import faulty
from tap import check, end

CLI, LIBRARY = map(os.path.abspath, sys.argv[1:3])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else time.time_ns() % 1000000
BEFORE = 'what was there before'


class Place:
    """A folder with something that the recording replaces."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.output = os.path.join(self.folder, 'out.data')
        with open(self.output, 'w', encoding='utf-8') as file:
            file.write(BEFORE)

    def record(self, **faults):
        return faulty.run([CLI, 'record', '--stacks', 'fp', '--rate', '50', '-o', self.output, '--', 'true'], LIBRARY, self.folder, **faults)

    def is_before(self):
        with open(self.output, 'rb') as file:
            return file.read(100) == BEFORE.encode()

    def is_whole(self):
        return faulty.run([CLI, 'info', self.output], LIBRARY)[0] == 0 and os.stat(self.output).st_mode & 0o777 == 0o600


def calls():
    place = Place()
    log = place.folder + '.log'
    status, _, err = place.record(LOG=log)
    count = len(faulty.read_log(log))
    check('records undisturbed', status == 0 and count > 50, (status, err, count))
    os.unlink(log)
    shutil.rmtree(place.folder)
    return count


def wrong_after(place, **faults):
    """Whether it was killed, and what is wrong then and after the next one: a sentence, or None."""
    status, _, _ = place.record(**faults)
    if not place.is_before() and not place.is_whole():
        return status == -9, 'what is there is half'
    next_status, _, err = place.record()
    left = os.listdir(place.folder)
    if next_status != 0 or not place.is_whole() or place.is_before():
        return status == -9, f'the next one: {next_status}, {err}'
    return status == -9, None if left == ['out.data'] else f'left over: {left}'


print(f'# seed {SEED}')
rng, count, killed, problems = random.Random(SEED), calls(), 0, []
for _ in range(KILLS):
    here, at, how = Place(), rng.randrange(count) + 1, rng.choice(['before', 'after'])
    done, problem = wrong_after(here, AT=at, KILL=how)
    killed += done
    if problem:
        problems.append((at, how, problem))
    shutil.rmtree(here.folder)
check(f'killed at {killed} of {KILLS} random calls out of {count}', killed >= KILLS * 0.8 and not problems, problems[:8])
sys.exit(end())
