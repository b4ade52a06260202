#!/usr/bin/python3
"""CPU time of the program from its start to its first drawn frame, and to the flame view of a saved profile, in a warm cache; medians.

usage: xrun … start.py WAKEPATH SAMPLE

What the screen shows says when: anything, then the flame's colours. The program's threads count, what it starts does not.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from figures import figure

ROUNDS = 7
PATIENCE = 20
WIDTH, HEIGHT = 1360, 900
CLOCK = os.sysconf('SC_CLK_TCK')


def screen():
    with open(os.environ['XRUN_SCREEN'], 'rb') as file:
        return file.read()[-WIDTH * HEIGHT * 4:]


def middle(pixels):
    return pixels[4 * WIDTH * (HEIGHT // 2):4 * WIDTH * (HEIGHT // 2 + 1)]


EMPTY = middle(screen())


def drawn(pixels):
    """Anything on the middle line of the screen."""
    return middle(pixels) != EMPTY


def flame(pixels):
    """Much that is neither black, white nor grey: every 97th pixel is looked at."""
    looked = range(0, len(pixels) - 4, 4 * 97)
    return sum(max(pixels[i:i + 3]) - min(pixels[i:i + 3]) > 60 for i in looked) > len(looked) / 20


def cpu_seconds(pid):
    """To a microsecond, of all threads that are there; /proc/PID/stat counts in hundredths."""
    total = 0
    for thread in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{thread}/schedstat', encoding='ascii') as file:
            total += int(file.read().split()[0])
    return total / 1e9


def start(command, shown):
    with tempfile.TemporaryDirectory(prefix='wakepath-start-') as home:
        env = dict(os.environ, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home)
        program = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + PATIENCE
            while not shown(screen()):
                if time.monotonic() > until:
                    sys.exit(f'{command}: nothing came within {PATIENCE} s')
                time.sleep(0.005)
            return cpu_seconds(program.pid)
        finally:
            program.kill()
            program.wait()
            until = time.monotonic() + PATIENCE
            while drawn(screen()) and time.monotonic() < until:
                time.sleep(0.01)


def main():
    program, sample = sys.argv[1:3]
    for name, command, shown, goal in (('first frame', [program], drawn, 250), ('flame view of the sample', [program, sample], flame, 400)):
        start(command, shown)  # into the cache
        figure(f'CPU from the start to the {name}', 1000 * statistics.median(start(command, shown) for _ in range(ROUNDS)), 'ms', at_most=goal)


main()
