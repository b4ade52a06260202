#!/usr/bin/python3
"""What small files that are made to cost much do cost: 200 MB and 64 times their size at most, 2 s of CPU time and 2 s a megabyte; or
they are refused with a word. TAP, with a table.

usage: cost.py CLI [AS-WINDOW] [KIND…]: AS-WINDOW is the program of that name here, which does what the window does
"""
import os
import resource
import sys
import tempfile

import crafted
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

INFO, TASKS = ('info',), ('tasks',)


def task(name, *formats):
    """The report of a task and its flame views."""
    return [('report', '--task', name)] + [('flame', '--task', name, *words) for words in formats]


FOLDED, INVERTED = ('--format', 'folded'), ('-c', '--inverted', '--format', 'json')
DEPTHS = [('--depth', depth, '--format', 'json', *words) for depth in ('functions', 'waits') for words in ((), ('-c',))]
HIDING = [('--hide-matching', '[02468]$', '--format', 'json', *words) for words in ((), ('-c',))]
PICTURES = [('--format', kind, '-o', 'picture.' + kind) for kind in ('svg', 'png', 'pdf')]
KINDS = [
    ('ids', 120000, [INFO]),
    ('forks', 3000, [INFO]),
    ('quiet', 3000, [INFO]),
    ('comms', 40000, [INFO]),
    ('modules', 400000, [INFO]),
    ('symbols', 8000, [INFO]),
    ('joined', 8000, [INFO]),
    ('devices', 60000, [INFO, TASKS]),
    ('losses', 10000, [('report', '--task', '1000')]),
    ('nested', 6000, task('10', FOLDED, INVERTED, *DEPTHS, *HIDING, *PICTURES)),
    ('moments', 500, [INFO, TASKS] + task('100', FOLDED, INVERTED, *DEPTHS, *PICTURES)),
    ('numbers', 90000, [INFO]),
    ('json', 32000, [INFO]),
    ('wakings', 15000, [INFO, ('report', '--task', '5000')]),
    ('late_wakings', 20000, [INFO]),
    ('lanes', 8000, [INFO]),
    ('cpus', 30000, [INFO]),
    ('attributes', 10000, [INFO]),
    ('formats', 12000, [INFO]),
    ('names', 60000, [INFO]),
    ('execs', 20000, [INFO, ('report', '--task', '100')]),
    ('tasks', 20000, [INFO, TASKS]),
    ('calls', 12000, task('10', ('--format', 'json'))),
    ('callees', 12000, task('10', ('--format', 'json'), *DEPTHS, *HIDING)),
    ('gzips', 256, [INFO]),
    ('zeros', 16, [INFO]),
    ('stacks', 20000, task('a', FOLDED, ('--format', 'json'), *DEPTHS, *HIDING, *PICTURES)),
]
MEGABYTE = 1e6
ADDRESSES = 3 << 30  # so that what costs much does not take the machine along


def limits(size):
    return 200 + 64 * size / MEGABYTE, 2 + 2 * size / MEGABYTE


def run(command, folder, seconds):
    """Its exit status (negative: a signal), CPU seconds, peak in MB and last words."""
    words = os.path.join(folder, 'words')
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 2))
        os.execv(command[0], command)
    _, status, used = os.wait4(pid, 0)
    with open(words, errors='replace') as file:
        return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE, file.read().strip()


def verdict(status, cpu, peak, said, size):
    memory, seconds = limits(size)
    if status < 0:
        return 'KILLED' if cpu > seconds else 'CRASHED'
    if cpu > seconds or peak > memory:
        return 'OVER'
    if status != 0:
        return 'refused' if said else 'SILENT'
    return 'ok'


def main():
    programs = [os.path.abspath(arg) for arg in sys.argv[1:] if os.path.exists(arg)]
    cli, wanted = programs[0], sys.argv[1 + len(programs):]
    rows = [row for row in KINDS if not wanted or row[0] in wanted]
    print(f'# {"kind":12} {"n":>7} {"MB":>5}  {"command":44} {"CPU s":>6} {"of":>5} {"peak MB":>7} {"of":>4}  verdict')
    with tempfile.TemporaryDirectory(prefix='wakepath-cost-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        path = os.path.join(folder, 'crafted')
        for kind, n, commands in rows:
            data = getattr(crafted, kind)(n)
            with open(path, 'wb') as file:
                file.write(data)
            memory, seconds = limits(len(data))
            chosen = next((words[2] for words in commands if words[1:2] == ('--task',)), None)
            runs = [(words, [cli, words[0], path, *words[1:]]) for words in commands]
            runs += [(('the window',), [program, path] + [chosen] * (chosen is not None)) for program in programs[1:]]
            for words, command in runs:
                status, cpu, peak, said = run(command, folder, seconds)
                result = verdict(status, cpu, peak, said, len(data))
                print(f'# {kind:12} {n:7} {len(data) / MEGABYTE:5.1f}  {" ".join(words):44} {cpu:6.2f} {seconds:5.1f} {peak:7.0f} {memory:4.0f}  '
                      f'{result}{" (" + said.splitlines()[-1][-90:] + ")" if status != 0 and said else ""}')
                check(f'{kind}: {" ".join(words)}', not result.isupper())
    return end()


sys.exit(main())
