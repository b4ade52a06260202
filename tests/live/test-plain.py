#!/usr/bin/python3
"""Recordings without task switches, opened as stacks, beside what perf says of them.

`perf record` in its usual ways: all of the machine or one program, with call chains of frame pointers or DWARF or without, several events, a
tracepoint, packed, as a stream. For every event: as many samples as `perf report` counts, and as many of each module, each command, and each function of
a program whose names nothing else has; the same stacks of it as `perf script` prints; the same from that text.
Needs root and perf. TAP. usage: test-plain.py CLI HOT
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, HOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
RECORDINGS = [
    ('everything', ['-F', '999', '-a', '-g']),
    ('several events', ['-e', 'cpu-clock,page-faults', '-g']),
    ('no call chains', []),
    ('no call chains, of all', ['-a', '-e', 'cpu-clock,page-faults']),
    ('DWARF', ['-F', '499', '--call-graph', 'dwarf']),
    ('a tracepoint', ['-e', 'syscalls:sys_enter_write,cpu-clock', '-g']),
    ('packed', ['-z', '-g']),
]
OURS = 'hot_'  # all functions of HOT begin with this


def perf(*words):
    return subprocess.run(['perf', *words], capture_output=True, text=True, errors='replace', check=True).stdout


def record(path, options):
    subprocess.run(['perf', 'record', '-q', *options, '-o', path, '--', HOT, '400'], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


# --- what perf says ---------------------------------------------------------------------------------------------------


def report(path):
    """event → Counter of (command, module, function), and its period."""
    events, periods, event = {}, collections.Counter(), None
    for line in perf('report', '--stdio', '--no-children', '-g', 'none', '-i', path, '-F', 'sample,period,comm,dso,sym', '-t', '\t').splitlines():
        if line.startswith('# Samples'):
            event = line.split("'")[1]
            events[event] = collections.Counter()
        elif line and not line.startswith('#'):
            samples, period, command, module, function = (cell.strip() for cell in line.split('\t'))
            events[event][command, module, function.split('] ', 1)[-1]] += int(samples)
            periods[event] += int(period)
    return {event: rows for event, rows in events.items() if rows}, periods


def stacks_of_text(text):
    """Counter of the chains of HOT's own functions, innermost first, of the event's samples."""
    found, chain = collections.defaultdict(collections.Counter), None
    for line in text.splitlines():
        head = re.match(r'^\S.*?\s(\S+?):\s*$', line)
        if head:
            event, chain = head.group(1), []
        elif line.strip() == '' and chain is not None:
            found[event][tuple(chain)] += 1
            chain = None
        elif chain is not None:
            function = re.sub(r'\+0x[0-9a-f]+$', '', line.split(None, 1)[-1].strip().split(' (')[0])
            chain += [function] if function.startswith(OURS) else []
    return found


# --- what is opened here ----------------------------------------------------------------------------------------------


class Raw:
    """The tables that `export --to raw` prints."""

    def __init__(self, path):
        run = subprocess.run([CLI, 'export', '--to', 'raw', path], capture_output=True, text=True, errors='replace', check=False)
        self.error = run.stderr
        parts = re.split(r'^(Samples|Locations|Mappings)(?::|$)\n?', run.stdout, flags=re.M)
        tables = dict(zip(parts[1::2], parts[2::2]))
        self.modules = {line.split(':')[0]: line.split(': ', 1)[1].split(' ')[1] for line in tables.get('Mappings', '').splitlines()}
        self.locations = {}
        for line in tables.get('Locations', '').splitlines():
            number, rest = line.strip().split(': ', 1)
            words = re.match(r'0x\w+ (?:M=(\d+) ?)?(?:(.*) \S*:-?\d+:-?\d+ s=-?\d+.*)?$', rest)
            self.locations[number] = (self.modules.get(words.group(1), ''), words.group(2))
        lines = tables.get('Samples', '\n').splitlines()
        self.types = [word.split('/')[0] for word in re.sub(r'\[dflt\]', '', lines[0]).split(' ')] if lines[0] else []
        self.samples = []
        for line in lines[1:]:
            values = re.match(r'^ *([\d ]+): ?([\d ]*)$', line)
            if values:
                self.samples.append(([int(value) for value in values.group(1).split()], values.group(2).split(), {}))
            elif self.samples:
                self.samples[-1][2].update(re.findall(r'(\w+):\[(.*?)\](?= \w+:\[|$)', line.strip()))

    def column(self, event, n):
        """How many samples there are of it."""
        for name in ('samples' if n == 1 else f'{event}_samples', event):
            if name in self.types:
                return self.types.index(name)
        return None

    def rows(self, column):
        for values, stack, labels in self.samples:
            if values[column] != 0:
                yield values[column], [self.locations[number] for number in stack], labels


def module_name(path):
    """As perf report has it."""
    name = path.rsplit('/', 1)[-1] or '[unknown]'
    return '[unknown]' if path.startswith('[anon:') or '(deleted)' in path else '[kernel.kallsyms]' if name == '[kernel]' else name


def counted(rows, key):
    sums = collections.Counter()
    for n, stack, labels in rows:
        sums[key(stack, labels)] += n
    return sums


def marginal(rows, cell):
    sums = collections.Counter()
    for key, n in rows.items():
        sums[cell(key)] += n
    return sums


def apart(a, b):
    """How many samples of two counts differ."""
    return sum(abs(a[key] - b[key]) for key in set(a) | set(b)) / 2


def compare(name, path):
    events, periods = report(path)
    raw = Raw(path)
    printed = stacks_of_text(perf('script', '-F', 'comm,tid,time,event,ip,sym,dso', '-i', path))
    check(f'{name}: opens as stacks', raw.samples, raw.error)
    for event, theirs in events.items():
        column = raw.column(event, len(events))
        check(f'{name}: {event} is a type', column is not None, raw.types)
        if column is None:
            continue
        n = sum(theirs.values())
        rows = list(raw.rows(column))
        ours = counted(rows, lambda stack, labels: stack[0] if stack else ('', None))
        own = collections.Counter({function: count for (_, function), count in ours.items() if function and function.startswith(OURS)})
        their_own = collections.Counter({f: c for f, c in marginal(theirs, lambda key: key[2]).items() if f.startswith(OURS)})
        commands = counted(rows, lambda stack, labels: labels.get('thread', ':-1'))  # of who has just died nobody knows the number
        modules = marginal(ours, lambda key: module_name(key[0]))
        check(f'{name}: {event}: as many samples', sum(ours.values()) == n, (sum(ours.values()), n))
        total = sum(values[raw.types.index(event)] for values, _, _ in raw.samples)
        check(f'{name}: {event}: they stand for as much', total == periods[event], (total, periods[event]))
        check(f'{name}: {event}: of each own function', own == their_own and (own or 'syscalls' in event), (own, their_own))
        check(f'{name}: {event}: of each command', apart(commands, marginal(theirs, lambda key: key[0])) <= n / 1000,
              (commands, marginal(theirs, lambda key: key[0])))
        check(f'{name}: {event}: of each module', apart(modules, marginal(theirs, lambda key: key[1])) <= n / 100,
              (modules, marginal(theirs, lambda key: key[1])))
        if '-g' in dict(RECORDINGS).get(name, []):
            chains = counted(rows, lambda stack, labels: tuple(f for _, f in stack if f and f.startswith(OURS)))
            check(f'{name}: {event}: the same stacks', apart(chains, printed[event]) == 0 and len(chains) > 5, (chains, printed[event]))


def compare_text(path, folder):
    """What perf script prints, as it does without being asked for more, tells the same."""
    text = os.path.join(folder, 'text')
    with open(text, 'w', encoding='utf-8') as out:
        out.write(perf('script', '-i', path))
    binary, printed = Raw(path), Raw(text)
    check('text: opens as stacks', printed.samples, printed.error)
    check('text: the same types', sorted(binary.types) == sorted(printed.types), (binary.types, printed.types))

    def chains(raw, kind):
        return counted(raw.rows(raw.types.index(kind)), lambda stack, labels: (labels.get('thread'), tuple(f for _, f in stack if f and f.startswith(OURS))))
    for kind in binary.types:
        check(f'text: {kind}: the same stacks', kind in printed.types and chains(binary, kind) == chains(printed, kind))


def compare_stream(folder):
    """One recording, as file and as stream."""
    path = os.path.join(folder, 'stream')
    with open(path, 'wb') as out:
        subprocess.run(['perf', 'record', '-q', '-g', '-o', '-', '--', HOT, '300'], check=True, stdout=out, stderr=subprocess.DEVNULL)
    compare('stream', path)


def compare_switches(folder):
    """With task switches: every sample, and the times that `tasks` tells."""
    path = os.path.join(folder, 'switches')
    # One clock and room for all: what is near a loss or contradicts itself is nobody's time.
    record(path, ['-a', '-g', '-m', '2048', '-k', 'CLOCK_MONOTONIC', '-e', 'sched:sched_switch,cpu-clock'])
    events, _ = report(path)
    raw = Raw(path)
    check('switches: the types', raw.types == ['samples', 'cpu-clock', 'on-cpu', 'off-cpu'], raw.types or raw.error)
    ours = counted(raw.rows(0), lambda stack, labels: module_name(stack[0][0]) if stack else '[unknown]')
    theirs = marginal(events['cpu-clock'], lambda key: key[1])
    check('switches: as many samples', sum(ours.values()) == sum(theirs.values()), (ours, theirs))
    check('switches: of each module', apart(ours, theirs) <= sum(theirs.values()) / 100, (ours, theirs))
    printed = subprocess.run([CLI, 'tasks', path, '--format', 'tsv'], capture_output=True, text=True, check=True).stdout.splitlines()
    names = printed[0].split('\t')
    running = collections.Counter()
    for line in printed[1:]:
        row = dict(zip(names, line.split('\t')))
        running[row['tid']] += int(row['run_ns'])
    on_cpu = counted(raw.rows(2), lambda stack, labels: labels.get('tid', ''))
    problems = json.loads(subprocess.run([CLI, 'info', path, '--format', 'json'], capture_output=True, text=True, check=True).stdout)['problems']
    if any(re.search('contradict|lost', problem) for problem in problems):
        # Which some virtual machines do to all recordings: runs within such a stretch are no time on a CPU.
        print('# what contradicts itself is left out:', problems, flush=True)
        check('switches: no thread ran longer', on_cpu and all(on_cpu[tid] <= running[tid] for tid in on_cpu), (on_cpu, running))
    else:
        check('switches: each thread ran as long', on_cpu == +running, (on_cpu, running))


def compare_source(path):
    """Lines of functions of HOT, by its debugging information: with text that is there, within the function, all that was spent in it together."""
    got = subprocess.run([CLI, 'source', path, '^' + OURS, '--format', 'json'], capture_output=True, text=True, check=False)
    functions = json.loads(got.stdout)['functions'] if got.returncode == 0 else []
    check('source: functions', functions, got.stderr)
    for function in functions:
        spent = [row for row in function['lines'] if row['flat'] != 0]
        check(f'source: {function["function"]} is in the file', (function['found'] or '').endswith('hot.c'), function['found'])
        check(f'source: {function["function"]} has all that was spent', sum(row['flat'] for row in spent) == function['flat'], function)
        with open(function['found'], encoding='utf-8') as file:
            lines = file.read().splitlines()
        check(f'source: {function["function"]} has the lines of the file', all(lines[row['line'] - 1] == row['text'] for row in spent), spent)
        begins = next(i for i, line in enumerate(lines, 1) if line.startswith(function['function'] + ' ('))
        ends = next(i for i, line in enumerate(lines, 1) if i > begins and line == '}')
        check(f'source: {function["function"]} has its own lines', all(begins <= row['line'] <= ends for row in spent), (begins, ends, spent))


with tempfile.TemporaryDirectory(prefix='wp-plain-') as temporary:
    for title, how in RECORDINGS:
        data = os.path.join(temporary, title.replace(' ', '-'))
        record(data, how)
        compare(title, data)
    compare_text(os.path.join(temporary, 'several-events'), temporary)
    compare_stream(temporary)
    compare_switches(temporary)
    compare_source(os.path.join(temporary, 'everything'))
sys.exit(end())
