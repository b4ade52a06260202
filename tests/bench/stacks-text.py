#!/usr/bin/python3
"""Opens profiles of 200 MB that are text: speedscope (sampled, evented), folded stacks, Chrome's trace events.

usage: stacks-text.py BENCH_STACKS [MEGABYTES]

Stacks are a walk through calls of 2000 functions, up to 40 deep. Prints the median of three: CPU time, and the peak of memory beside the size of the
file. Nothing fails: there is no limit to these."""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

BENCH, SIZE = sys.argv[1], int(sys.argv[2] if len(sys.argv) > 2 else 200) * 1000000
NAMES = [f'program::part_{i % 37}::function_{i}' for i in range(2000)]
FRAMES = ','.join(f'{{"name":"{name}","file":"/src/program/part_{i % 37}.c","line":{i * 20}}}' for i, name in enumerate(NAMES))
HEAD = ('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[' + FRAMES +
        ']},"profiles":[{"type":"%s","name":"main","unit":"nanoseconds","startValue":0,"endValue":1000000000000,')


def walk(rng):
    """Calls that begin (a function) and end (None), one for each step, without an end."""
    depth = 0
    while True:
        if depth == 0 or (depth < 40 and rng.random() < 0.52):
            depth += 1
            yield rng.randrange(2000) if depth > 20 else depth * 31 + rng.randrange(4)
        else:
            depth -= 1
            yield None


def stacks(rng):
    stack = []
    for function in walk(rng):
        if function is None:
            stack.pop()
        else:
            stack.append(function)
        if stack:
            yield stack


def put(file, pieces, part=1.0):
    """Writes pieces with commas between them until the file has its size. Returns how many."""
    n = 0
    for piece in pieces:
        file.write((',' if n > 0 else '') + piece)
        n += 1
        if n % 1000 == 0 and file.tell() > SIZE * part:
            return n


def events(rng, opened, closed):
    """What opened(function, moment) and closed(function, moment) write; the walk ends where no call is open."""
    stack = []
    for moment, function in enumerate(walk(rng)):
        if function is None:
            yield closed(stack.pop(), moment * 1000)
        else:
            stack.append(function)
            yield opened(function, moment * 1000)


def speedscope_sampled(file, rng):
    file.write(HEAD % 'sampled' + '"samples":[')
    n = put(file, ('[' + ','.join(map(str, stack)) + ']' for stack in stacks(rng)), 0.95)
    file.write('],"weights":[' + ','.join(str(10000 + i % 777) for i in range(n)) + ']}]}')


def speedscope_evented(file, rng):
    file.write(HEAD % 'evented' + '"events":[')
    put(file, events(rng, lambda f, at: f'{{"type":"O","frame":{f},"at":{at}}}', lambda f, at: f'{{"type":"C","frame":{f},"at":{at}}}'))
    file.write(']}]}')


def folded(file, rng):
    for i, stack in enumerate(stacks(rng)):
        file.write(';'.join(NAMES[f] for f in stack) + f' {i % 100 + 1}\n')
        if i % 1000 == 0 and file.tell() > SIZE:
            return


def chrome(file, rng):
    file.write('{"traceEvents":[')
    put(file, events(rng, lambda f, at: f'{{"name":"{NAMES[f]}","cat":"c","ph":"B","ts":{at},"pid":1,"tid":1}}',
                     lambda f, at: f'{{"name":"{NAMES[f]}","cat":"c","ph":"E","ts":{at},"pid":1,"tid":1}}'))
    file.write(']}')


with tempfile.TemporaryDirectory() as folder:
    for make in (speedscope_sampled, speedscope_evented, folded, chrome):
        path = os.path.join(folder, make.__name__)
        with open(path, 'w') as made:
            make(made, random.Random(4711))
        size = os.path.getsize(path)
        runs = [json.loads(subprocess.run([BENCH, 'open', path], check=True, capture_output=True).stdout) for _ in range(3)]
        seconds, peak = (statistics.median(run[key] for run in runs) for key in ('cpu_s', 'peak_bytes'))
        print(f'{make.__name__}: {size / 1e6:.0f} MB, {runs[0]["samples"]} samples; {seconds:.2f} s of CPU, peak {peak / 1e6:.0f} MB, '
              f'{peak / size:.2f} of the file')
        os.unlink(path)
