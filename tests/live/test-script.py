#!/usr/bin/python3
"""perf script text in its variants against the recording it was printed from, and compressed recordings against plain ones.

One recording is printed in many ways; what is assembled from each text must be what is assembled from the recording itself, as far
as the text tells it: tasks to the nanosecond where it has the names' records, else each thread's running and sleeping time.
Needs root, perf and a mounted tracefs, and says so. TAP. usage: test-script.py CLI
"""
import collections
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end, retried, thrice

CLI = os.path.abspath(sys.argv[1])
EVENTS = ['sched:sched_switch', 'sched:sched_waking', 'sched:sched_process_fork', 'sched:sched_process_exec',
          'sched:sched_process_exit', 'block:block_rq_issue', 'block:block_rq_complete']


def record(path, *options):
    """Programs whose names make a reader's life hard come and go."""
    names = ['a b', 'x:y 7', '[z] 12', 'n 12 [000]', 'd=1', 'pid=5']
    for name in names:
        shutil.copy('/bin/sleep', name)
    script = ' & '.join(f"'./{name}' 0.0{i + 1}" for i, name in enumerate(names))
    subprocess.run(['perf', 'record', '-q', '-a', '-g', *options, '-e', ','.join(EVENTS), '-e', 'cpu-clock', '-o', path, '--', 'sh',
                    '-c', f'({script}); wait; dd if=/dev/zero of=zeros bs=64k count=4 conv=fsync 2>/dev/null; sleep 0.1'],
                   check=True)


class PerfDied(Exception):
    """perf 6.1 does not survive printing every recording; what it had printed by then is no text to compare."""


def output_of_perf(*words):
    """It writes where it may not, and lives on or not: what it does not survive once it survives another time, or another recording is made."""
    for _ in range(3):
        run = subprocess.run(['perf', *words], capture_output=True, check=False)
        if run.returncode == 0:
            return run.stdout
        died = PerfDied(f'perf {" ".join(words)} ended with {run.returncode} after {len(run.stdout)} bytes: '
                        + run.stderr[-500:].decode(errors='replace'))
        retried(died)
    raise died


def script(path, *options):
    return output_of_perf('script', '-i', path, *options)


def record_printable(path, *options):
    """A recording that perf itself can print."""
    for attempt in range(3):
        record(path, *options)
        try:
            script(path, '--ns', '--show-task-events')
            return
        except PerfDied as died:
            retried(f'recording {attempt + 1}: {died}')
    raise PerfDied('perf printed none of three recordings')


def tasks(path):
    """Rows of what `tasks` prints, or the message."""
    run = subprocess.run([CLI, 'tasks', path, '--format', 'tsv'], capture_output=True, text=True, check=False)
    return [line.split('\t') for line in run.stdout.splitlines()[1:]] if run.returncode == 0 else run.stderr


def exact(rows):
    return sorted(tuple(row[:8]) for row in rows)


def by_thread(rows):
    """tid: running and sleeping time, number of runs."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for row in rows:
        for i in range(3):
            sums[row[1]][i] += int(row[3 + i])
    return dict(sums)


def runs_by_thread(rows):
    """Without a column of tids, what happened at a switch that was not recorded cannot be told: a run more or less."""
    return {tid: sums[2] for tid, sums in by_thread(rows).items()}


def compare(name, text, reference, how):
    with open('text', 'wb') as out:
        out.write(text)
    rows = tasks('text')
    if isinstance(rows, str):
        check(name, False, rows)
        return
    # perf itself does not know the process of a task that was forked while it looked around, and its name only from an exec on
    strays = {row[1] for row in rows if row[2] == '-1'} if how is exact else set()
    rows, reference = ([['', row[1], '-1', *row[3:]] if row[1] in strays else row for row in of] for of in (rows, reference))
    a, b = how(rows), how(reference)
    difference = [(key, a.get(key), b.get(key)) for key in a.keys() | b.keys() if a.get(key) != b.get(key)] \
        if isinstance(a, dict) else set(a) ^ set(b)
    if how is runs_by_thread:
        difference = [row for row in difference if None in row or abs(row[1] - row[2]) > 1]
    check(name, len(rows) > 20 and 10 * len(strays) < len(rows) and not difference,
          f'{len(rows)} tasks, {len(strays)} strays, {sorted(map(str, difference))[:10]}')


def variants(reference):
    full = ['--ns', '--show-task-events', '--no-inline']
    for name, options in {
        'usual columns': [],
        'all records': ['--show-mmap-events', '--show-lost-events', '--show-switch-events'],
        'with a header': ['--header'],
        'without stacks': ['-G'],
        'pid and tid': ['-F', 'comm,pid,tid,cpu,time,event,trace,ip,sym,dso,symoff'],
        'flags and period': ['-F', 'comm,pid,tid,cpu,time,event,trace,ip,sym,dso,symoff,period,flags'],
        'where the CPU was': ['-F', '+misc'],
    }.items():
        compare(name, script('plain', *full, *options), reference, exact)
    text = script('plain', *full)
    compare('lines end as in DOS', text.replace(b'\n', b'\r\n'), reference, exact)
    compare('source lines', re.sub(rb'(\n\t[^\n]*)', rb'\1\n  file.c:12', text), reference, exact)  # perf 6.1's srcline gives up
    compare('inlined functions', script('plain', '--ns', '--show-task-events'), reference, exact)
    compare('packed', gzip.compress(text), reference, exact)
    for name, options in {
        'no task records': [],
        'tid only': ['-F', 'tid,cpu,time,event,trace'],
        'name only': ['-F', 'comm,cpu,time,event,trace'],
        'neither name nor tid': ['-F', 'cpu,time,event,trace'],
        'addresses only': ['-F', 'comm,tid,cpu,time,event,trace,ip'],
        'symbols only': ['-F', 'comm,tid,cpu,time,event,trace,ip,sym'],
        'perf sched script': None,
    }.items():
        text = script('plain', '--ns', '--no-inline', *options) if options is not None else output_of_perf(
            'sched', '-i', 'plain', 'script', '--ns')
        compare(name, text, reference, runs_by_thread if 'name' in name else by_thread)


def stacks():
    """A text's stacks are the recording's."""
    with open('text', 'wb') as out:
        out.write(script('plain', '--ns', '--show-task-events'))
    folded = [subprocess.run([CLI, 'flame', path, '--task', 'x:y 7', '--format', 'folded', '--consolidated'],
                             capture_output=True, text=True, check=False) for path in ('plain', 'text')]
    check('kernel stacks', folded[0].returncode == 0 and kernel_part(folded[0].stdout) == kernel_part(folded[1].stdout)
          and len(folded[0].stdout) > 100, folded[1].stderr + folded[1].stdout)


def kernel_part(text):
    """Folded stacks without user functions: those have more names in perf's text, which knows other symbol tables."""
    sums = collections.Counter()
    for line in text.splitlines():
        stack, n = line.rsplit(' ', 1)
        at = stack.find('entry_SYSCALL_64_after_hwframe')
        if at >= 0:
            sums[stack[at:]] += int(n)
    return sums


def refusals():
    for name, options, word in (('without times', ['-F', 'comm,tid,cpu,event,trace'], '-F'),
                                ('without CPUs', ['-F', 'comm,tid,time,event,trace'], '-F +cpu'),
                                ('without events', ['-F', 'comm,tid,cpu,time,trace'], '-F +event'),
                                ('without what they hold', ['-F', 'comm,tid,cpu,time,event'], '-F +trace')):
        with open('text', 'wb') as out:
            out.write(script('plain', *options))
        message = tasks('text')
        check(name, isinstance(message, str) and word in message and 'text' in message, message)
    for name, command in (('perf report', ['perf', 'report', '-i', 'plain', '--stdio']),
                          ('perf sched timehist', ['perf', 'sched', '-i', 'plain', 'timehist']),
                          ('perf stat', ['perf', 'stat', '-x', ';', 'true'])):
        run = subprocess.run(command, capture_output=True, check=False)
        with open('text', 'wb') as out:
            out.write(run.stdout or run.stderr)
        message = tasks('text')
        check(f'no {name}', isinstance(message, str) and 'text' in message and 'perf script' in message, message)


def counts_of_perf(path):
    lines = script(path, '-F', 'event', '-G').decode().split()
    return collections.Counter(line.rstrip(':') for line in lines)


def counts_of_ours(path):
    lines = subprocess.run([CLI, 'info', path], capture_output=True, text=True, check=True).stdout.splitlines()
    words = [line.split() for line in lines]
    return collections.Counter({w[1]: int(w[0]) for w in words if len(w) == 2 and w[0].isdigit()})


def compressed():
    record_printable('compressed', '-z')
    with open('stream', 'wb') as out:
        subprocess.run(['perf', 'record', '-q', '-a', '-g', '-z', '-e', ','.join(EVENTS), '-o', '-', '--', 'sh', '-c',
                        'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done'], stdout=out, check=True)
    for path in ('compressed', 'stream'):
        perf, ours = counts_of_perf(path), counts_of_ours(path)
        check(f'{path}: as many events as perf finds', perf == ours and sum(perf.values()) > 50, f'{perf}\n{ours}')
    compare('compressed and printed', script('compressed', '--ns', '--show-task-events', '--no-inline'), tasks('compressed'), exact)


def look():
    record_printable('plain')
    reference = tasks('plain')
    names = {row[0] for row in reference}
    check('names', {'a b', 'x:y 7', '[z] 12', 'n 12 [000]', 'd=1', 'pid=5'} <= names, names)
    variants(reference)


def main():
    if os.geteuid() != 0 or not os.path.exists('/sys/kernel/tracing/events') or not shutil.which('perf'):
        print('1..0 # SKIP needs root, perf and a mounted tracefs (mount -t tracefs tracefs /sys/kernel/tracing)')
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        thrice(look)
        stacks()
        refusals()
        compressed()
        os.chdir('/')
    sys.exit(end())


main()
