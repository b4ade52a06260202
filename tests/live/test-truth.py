#!/usr/bin/python3
"""Records workloads that know where their time went, and holds the explanation against what they say.

usage: test-truth.py CLI WORKLOADS [--runs N] [--alone] [--write PAGE] [--only GROUP]…

Each workload is recorded live with the collector-helper three times (or N), alone and beside others, explained from its begin to its end,
and compared: at least 99 % accounted each time, and the median error of every category within 2 % of the total time, within 1 % where there
are more runs. Where three are not, four more are made, and one of the seven may have less accounted for: a virtual machine's host takes the
CPU away unseen now and then, which counts as running, and some hide all events of an agent of theirs (see tap.thrice()). --write puts the
table of all errors into a page, `--only tcp+direct` takes that group alone, `--alone` no group of several: those need a machine on which
nothing else goes on. Needs root and tracefs. Some virtual machines drop the events of their idle tasks; a spinner of the lowest priority on
every CPU keeps them awake (the workloads' own `keepcpu`), and a second round runs without it and must come out sane.
"""
import argparse, collections, datetime, json, os, platform, re, statistics, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end, retried

arguments = argparse.ArgumentParser()
arguments.add_argument('cli', type=os.path.abspath)
arguments.add_argument('workloads', type=os.path.abspath)
arguments.add_argument('--runs', type=int, default=3)
arguments.add_argument('--alone', action='store_true')
arguments.add_argument('--write', metavar='PAGE', type=os.path.abspath)
arguments.add_argument('--only', metavar='GROUP', action='append')
options = arguments.parse_args()
CLI, WORKLOADS = options.cli, options.workloads
TOLERANCE = 0.02 if options.runs <= 3 else 0.01


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"Bail out! {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def record(folder, *commands):
    """Records commands (a workload and its arguments, each) at once; returns the recording and what each workload said."""
    file = f"{folder}/{'-'.join(command[0] for command in commands)}.data"
    script = ' & '.join(f"{WORKLOADS}/{' '.join(command)}" for command in commands) + ' & wait'
    out = run(CLI, 'record', '-o', file, '--', *(['sh', '-c', script] if len(commands) > 1 else [f'{WORKLOADS}/{commands[0][0]}',
              *commands[0][1:]]), cwd=folder)
    told = {line['workload']: line for line in map(json.loads, out.splitlines())}
    if set(told) != {command[0] for command in commands}:
        sys.exit(f'Bail out! {script}: said {out!r}')
    return file, [told[command[0]] for command in commands]


def explain(file, told, idle):
    info = json.loads(run(CLI, 'info', file, '--format', 'json'))
    start, end = told['begin_ns'] - info['from'], told['end_ns'] - info['from']
    which = [file, '--task', str(told['pid']), '--from', f'{start}ns', '--to', f'{end}ns', *idle]
    report = json.loads(run(CLI, 'report', *which, '--format', 'json'))
    report['ns'] = {c['id']: c['ns'] for c in report['categories']}
    # The report's rows say who had the CPU that was waited for; who waited stands in front of it where waits are told in words.
    report['waited'] = collections.Counter()
    for stack, ns in re.findall('^(.*);waits for a CPU (\\d+)$', run(CLI, 'flame', *which, '--depth', 'waits', '--format', 'folded'), re.M):
        report['waited'][stack.rsplit(';', 1)[-1]] += int(ns)
    return report


def sums(report):
    """Whether they do, and the figures. What an unreliable stretch holds is unaccounted in the table, and still told in words."""
    figures = {key: report[key] for key in ('total_ns', 'accounted_ns', 'unaccounted_ns', 'ns', 'waited')}
    beyond = sum(report['waited'].values()) - sum(report['ns'][category] for category in WAITING_FOR_CPU)
    return sum(report['ns'].values()) == report['total_ns'] == report['accounted_ns'] + report['unaccounted_ns'] and \
        0 <= beyond <= report['unaccounted_ns'], figures


# What is recorded at once, each with its arguments; a waking with what recording it costs takes 20 to 60 µs here, which the scheduler's
# clock does not know of, so what is waited for and done between two of them is some ms long. Alone:
ALONE = {
    'cpu': ['cpu'], 'sleeper': ['sleeper'], 'timer': ['timer', '20', '20'], 'child-wait': ['child-wait'], 'pass': ['pass', '100', '2000'],
    'tcp': ['echo', '100', '2000', 'tcp'], 'udp': ['echo', '100', '1000', 'udp'], 'unix': ['echo', '100', '2000', 'unix'],
    'futex': ['echo', '100', '1000', 'futex'], 'lock': ['lock', '60'], 'threads': ['threads', '100', '2000'],
    'direct': ['disk', '60', '.', 'direct', '2000'], 'cold': ['disk', '100', '.', 'cold'], 'fsync': ['disk', '50', '.', 'fsync', '2000'], 'preempted': ['preempted'],
    'crowded': ['crowded'], 'grace': ['grace'], 'mix': ['mix'],
}
# … and together: as many of these at the same time, each explained by itself.
TOGETHER = (('cpu', 'sleeper', 'timer'), ('tcp', 'direct'), ('pass', 'fsync'), ('lock', 'child-wait', 'cold'), ('mix', 'unix'))
RUNNING, WAITING_FOR_CPU = ('understood', 'not-sampled'), ('scheduler', 'involuntary')


def by_task(report, categories, ours):
    """What of these categories belongs to tasks of the workload, or to others."""
    return sum(row['ns'] for c in report['categories'] if c['id'] in categories for row in c['rows']
               if row['name'].startswith(report['task']) == ours)


def waited(report, ours):
    """How long tasks of the workload, or others, waited for a CPU."""
    return sum(ns for name, ns in report['waited'].items() if name.startswith(report['task']) == ours)


def not_in_clock(name, told):
    """The scheduler's own clock now and then misses a task that was woken, is queued and waits, for ms where another is in the kernel:
    then it was waited for while it neither ran nor waited for a CPU, by that clock. How long that was together."""
    truth = told['truth']
    if name == 'lock':
        return max(told['ready_ns'] - truth['late'], 0)
    return max(told['waited_ns'] - truth['helped'], 0) if name != 'threads' else 0


def expected(name, told, report):
    """What the truth says, and what was found: (low, high, found) in ns by name. In a wait for the disk, kernel threads work."""
    truth, ns = told['truth'], report['ns']
    run, delay = truth['run'], truth['delay']
    at_once = max(truth['helped'] - told['waited_ns'], 0)  # what a partner did while it was not waited for is not on the path
    spread, unheard = 0, not_in_clock(name, told)
    if name == 'lock':  # its holder works while it is waited for, or waits for a CPU
        run, spread = run + truth['partner'] - told['holder_delay_ns'] - unheard, told['holder_delay_ns']
    rows = {
        'running': (run - at_once, run + spread + max(truth['left'], 0), by_task(report, RUNNING, True)),
        'waiting for a CPU': (delay - at_once, delay + spread + unheard, waited(report, True)),
        'deliberate sleep': (truth['asleep'], None, ns['deliberate-sleep']),
        'timed out': (truth['timed_out'], None, ns['timed-out']),
        'disk': (truth['disk'], None, ns['blocking-io'] + ns['io-queue'] + by_task(report, RUNNING, False) + waited(report, False)),
        'kernel block': (truth['kernel'], None, ns['kernel-block']),
        'other path': (truth['partner'] if name == 'threads' else 0, None, ns['other-path']),
        'hardware': (0, None, ns['hardware']),
        'unaccounted': (0, None, ns['unaccounted']),
    }
    if name == 'fsync':
        # An idle CPU is woken by another: from the waking on the task is ready, but the scheduler's own clock begins when that CPU
        # hears of it, tens of µs later. In a hundred short waits that moves 2 ms from the disk to waiting; their sum is known.
        low, _, found = rows.pop('waiting for a CPU')
        rows['disk'] = (truth['disk'] + low, None, rows['disk'][2] + found)
    if name == 'preempted':
        rows['involuntary'] = (delay, None, ns['involuntary'])
    if name == 'crowded':
        rows['scheduler'] = (truth['late'], None, ns['scheduler'])
    return {key: (low, low if high is None else high, found) for key, (low, high, found) in rows.items()}


def compare(label, name, file, told, idle, errors):
    """Checks what always holds, and adds how far each category is from the truth to `errors`. Returns the report, and what is wrong
    with it where less than 99 % is accounted for."""
    report = explain(file, told, idle)
    total = report['total_ns']
    reasons = ', '.join(row['name'] for c in report['categories'] if c['id'] == 'unaccounted' for row in c['rows'])
    what = ', '.join(f"{k} {v / 1e6:.2f} ms" for k, v in report['ns'].items() if v) + (f' ({reasons})' if reasons else '')
    check(f'{label}: categories sum to the total', *sums(report))
    for category, (low, high, found) in expected(name, told, report).items():
        errors.setdefault(category, []).append(
            (max(low - found, found - high, 0) / total,
             f'found {found / 1e6:.2f} ms, the truth is {low / 1e6:.2f} to {high / 1e6:.2f} ms of {total / 1e6:.2f}; {what}'))
    return report, '' if report['percent_accounted'] >= 99 else what


def counts(file):
    info = json.loads(run(CLI, 'info', file, '--format', 'json'))
    return {e['name']: e['count'] for e in info['events']}


def perf_counts(file):
    found = {}
    # -F event alone prints a line an event
    for line in run('perf', 'script', '-i', file, '-F', 'event', '-G').splitlines():
        name = line.strip().rstrip(':')
        if ':' in name and name.split(':')[0].startswith('cpu-clock'):
            name = 'cpu-clock'
        if name:
            found[name] = found.get(name, 0) + 1
    return found


def saved_is_the_same(name, file, idle):
    """Saving and reopening changes no number: neither of the table nor of the flame view."""
    saved = file + '.perf'
    run(CLI, 'save', file, '--task', name, '-o', saved, *idle)
    tables, stacks = [], []
    for opened, options in ((file, ['--task', name, *idle]), (saved, [])):
        report = json.loads(run(CLI, 'report', opened, '--format', 'json', *options))
        tables.append([report[key] for key in ('wall_ns', 'total_ns', 'categories', 'processes', 'control_paths')])
        stacks.append([run(CLI, 'flame', opened, '--format', 'folded', *options), run(CLI, 'flame', opened, '--format', 'json', *options)])
    check(f'{name}: saved and reopened, the same table', tables[0] == tables[1])
    check(f'{name}: saved and reopened, the same stacks and boxes', stacks[0] == stacks[1])


def what_pass_is(file, report, idle):
    check('pass: other-path below 1 %', report['ns']['other-path'] < 0.01 * report['total_ns'])
    folded = run(CLI, 'flame', file, '--task', 'pass', '--consolidated', '--format', 'folded', *idle)
    check('pass: one stack holds both processes',
          any(line.startswith('pass;') and ';pass-partner;' in line and ';work' in line for line in folded.splitlines()), folded[:500])
    check('pass: folded sums to the whole explanation',
          sum(int(line.rsplit(' ', 1)[1]) for line in folded.splitlines())
          == json.loads(run(CLI, 'report', file, '--task', 'pass', '--format', 'json', *idle))['total_ns'])
    ours, theirs = counts(file), perf_counts(file)
    check('pass: perf script finds the same number of each event',
          theirs and all(ours.get(event) == n for event, n in theirs.items()), f'{ours} / {theirs}')


class Row:
    """A workload, alone or among others, and how far each of its categories was off, in each run."""

    def __init__(self, name, beside):
        self.name, self.label = name, f"{name} beside {' and '.join(beside)}" if beside else name
        self.totals, self.errors, self.unaccounted = [], {}, []

    def off(self, category):
        found = sorted(error for error, _ in self.errors[category])
        return found[len(found) // 2], found[-1]

    def is_off(self):
        return any(self.off(category)[0] > TOLERANCE for category in self.errors)

    def markdown(self, columns):
        cells = (f'{100 * median:.2f} / {100 * worst:.2f}' for median, worst in map(self.off, columns))
        return f"| {self.label} | {statistics.median(self.totals) / 1e6:.0f} | {' | '.join(cells)} |"


def look(folder, group, rows, runs, idle):
    """Records a group so many times; the last recording, and the report of its last workload."""
    for _ in range(runs):
        file, told = record(folder, *(ALONE[name] for name in group))
        for row, said in zip(rows, told):
            report, wrong = compare(row.label, row.name, file, said, idle, row.errors)
            row.totals.append(report['total_ns'])
            row.unaccounted += [wrong] if wrong else []
    return file, report


class Look:
    """A group recorded so many times, and where something is off a few times more."""

    def __init__(self, folder, group, runs, idle):
        self.rows = [Row(name, [other for other in group if other != name]) for name in group]
        self.file, self.report = look(folder, group, self.rows, runs, idle)
        self.spare = int(runs == 3 and any(row.unaccounted or row.is_off() for row in self.rows))
        if self.spare:
            retried(f"{' + '.join(group)}: {'; '.join(self.unaccounted()) or 'a category is off'}")
            self.file, self.report = look(folder, group, self.rows, 4, idle)

    def unaccounted(self):
        return [problem for row in self.rows for problem in row.unaccounted]

    def is_accounted(self):
        return all(len(row.unaccounted) <= self.spare for row in self.rows)


def look_at(folder, group, runs, idle):
    """What is not accounted for must be accounted for both times that it is looked at again: see thrice() in tap.py."""
    first = Look(folder, group, runs, idle)
    if runs != 3 or first.is_accounted():
        return first
    retried(f"{' + '.join(group)}, all of it: {'; '.join(first.unaccounted())}")
    second, third = (Look(folder, group, runs, idle) for _ in range(2))
    return third if second.is_accounted() else second


def with_spinners(folder, runs, groups):
    """Every group of workloads, so many times."""
    rows = []
    with Spinners(WORKLOADS) as spinners:
        for group in groups:
            found = look_at(folder, group, runs, spinners.options)
            for row in found.rows:
                check(f'{row.label}: at least 99 % accounted', len(row.unaccounted) <= found.spare, '; '.join(row.unaccounted))
                for category, errors in row.errors.items():
                    error, what = sorted(errors)[len(errors) // 2]
                    check(f'{row.label}: {category} within {100 * TOLERANCE:.0f} %', error <= TOLERANCE, what)
            if len(group) == 1:
                saved_is_the_same(ALONE[group[0]][0], found.file, spinners.options)
            if group == ('pass',):
                what_pass_is(found.file, found.report, spinners.options)
            os.unlink(found.file)
            rows += found.rows
    return rows


def without_spinners(folder):
    for name in ('pass', 'sleeper', 'direct', 'child-wait'):
        file, (told,) = record(folder, ALONE[name])
        report = explain(file, told, ())
        check(f'{name} without spinners: categories sum to the total', *sums(report))
        running, run = report['ns']['understood'] + report['ns']['not-sampled'], told['truth']['run']
        check(f'{name} without spinners: not more running than there was', running <= 1.1 * run + 0.1 * told['wall_ns'],
              f"{running / 1e6:.1f} ms of {run / 1e6:.1f}")
        check(f'{name} without spinners: as long as it took',
              report['wall_ns'] <= 1.02 * told['wall_ns'] and report['total_ns'] >= 0.98 * report['wall_ns'])


def table(rows, runs):
    """Markdown: the median and the worst error of all runs, in per cent of the total."""
    columns = [column for column in list(rows[0].errors)[:9] if all(column in row.errors for row in rows)]
    lines = [f"| workload | total, ms | {' | '.join(columns)} |", '|---' + '|---:' * (len(columns) + 1) + '|']
    lines += [row.markdown(columns) for row in rows]
    for row in rows:
        lines += [f'\n{row.label}: {category} by itself {100 * median:.2f} / {100 * worst:.2f}'
                  for category, (median, worst) in ((c, row.off(c)) for c in row.errors if c not in columns)]
    beyond = [(row, c, sum(error > 0.01 for error, _ in found)) for row in rows for c, found in row.errors.items()]
    far = [f'{row.label}: {category} in {n}' for row, category, n in beyond if n]
    lines += [f"\n{runs} runs each, Linux {platform.release()}, {datetime.date.today()}. More than 1 % off: "
              + ('; '.join(far) if far else 'none') + '.']
    return '\n'.join(lines) + '\n'


def write(file, text):
    """Into a page, between its two marks."""
    begin, end = '<!-- table -->\n', '<!-- end of table -->\n'
    with open(file) as f:
        before, rest = f.read().split(begin)
    with open(f'{file}.new', 'w') as f:
        f.write(f'{before}{begin}\n{text}\n{end}{rest.split(end)[1]}')
    os.replace(f'{file}.new', file)


def main():
    if os.geteuid() != 0:
        print('Bail out! these recordings need root')
        return 1
    groups = [(name,) for name in ALONE] + ([] if options.alone else list(TOGETHER))
    if options.only:
        groups = [group for group in groups if '+'.join(group) in options.only]
    with tempfile.TemporaryDirectory(prefix='wakepath-truth-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        rows = with_spinners(folder, options.runs, groups)
        if not options.only:
            without_spinners(folder)
    if options.write:
        write(options.write, table(rows, options.runs))
    elif options.runs > 3 or options.only:
        print(*(f'# {line}' for line in table(rows, options.runs).splitlines()), sep='\n')
    return end()


sys.exit(main())
