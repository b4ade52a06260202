#!/usr/bin/python3
"""CPU time of the program from its start to its first drawn frame, and to the flame view of a saved profile, in a warm cache; medians. And a table of whose
code that time is spent in, by perf where it is there.

usage: xrun … start.py WAKEPATH SAMPLE

What the screen shows says when: anything, then the flame's colours. The program's threads count, what it starts does not.
"""
import os
import shutil
import signal
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


def wait_for(shown, command):
    until = time.monotonic() + PATIENCE
    while not shown(screen()):
        if time.monotonic() > until:
            sys.exit(f'{command}: nothing came within {PATIENCE} s')
        time.sleep(0.005)


def wait_until_gone():
    until = time.monotonic() + PATIENCE
    while drawn(screen()) and time.monotonic() < until:
        time.sleep(0.01)


def started(command, home):
    env = dict(os.environ, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home)
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start(command, shown):
    with tempfile.TemporaryDirectory(prefix='wakepath-start-') as home:
        program = started(command, home)
        try:
            wait_for(shown, command)
            return cpu_seconds(program.pid)
        finally:
            program.kill()
            program.wait()
            wait_until_gone()


def table(name, command, shown):
    """What of the time is whose code."""
    with tempfile.TemporaryDirectory(prefix='wakepath-start-') as home:
        samples = os.path.join(home, 'start.data')
        perf = started(['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '10000', '-o', samples, '--', *command], home)
        try:
            wait_for(shown, command)
        finally:
            with open(f'/proc/{perf.pid}/task/{perf.pid}/children', encoding='ascii') as file:
                for child in file.read().split():
                    os.kill(int(child), signal.SIGTERM)
            perf.wait()
            wait_until_gone()
        report = subprocess.run(['perf', 'report', '-q', '-i', samples, '--sort', 'dso', '--stdio', '--percent-limit', '2'], capture_output=True, text=True)
    print(f'whose code the time to the {name} is spent in, the largest shares:')
    print('\n'.join('  ' + line.strip() for line in report.stdout.splitlines() if line.strip() and not line.startswith('#')), flush=True)


def main():
    program, sample = sys.argv[1:3]
    for name, command, shown, goal in (('first frame', [program], drawn, 250), ('flame view of the sample', [program, sample], flame, 400)):
        start(command, shown)  # into the cache
        figure(f'CPU from the start to the {name}', 1000 * statistics.median(start(command, shown) for _ in range(ROUNDS)), 'ms', at_most=goal)
        if shutil.which('perf') is not None and os.geteuid() == 0:
            table(name, command, shown)


main()
