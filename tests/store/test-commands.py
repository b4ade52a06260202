#!/usr/bin/python3
"""Every command with arguments that are right and with such that are wrong: each ends by itself with its status, says something where it
failed, and (where sanitizers are built in) neither leaks nor touches what is not its own."""
import json
import os
import re
import shutil
import subprocess
import sys

from stores import cli, folder, head, object_path, put_profile, repository, unpack, write
import tap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
SANITIZER = re.compile(r'Sanitizer|runtime error:|GLib-CRITICAL|GLib-GIO-CRITICAL|\*\* \(|assertion')
os.environ.setdefault('UBSAN_OPTIONS', 'print_stacktrace=1')

SCRIPT = """\
tour 100/100 [000] 1.000000000: sched:sched_switch: prev_comm=tour prev_pid=100 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
swapper 0/0 [000] 1.010000000: sched:sched_waking: comm=tour pid=100 prio=120 target_cpu=000
swapper 0/0 [000] 1.010100000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=tour next_pid=100 next_prio=120
tour 100/100 [000] 1.030000000: sched:sched_switch: prev_comm=tour prev_pid=100 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
"""
SPINNER = """\
spin 9/9 [000] 1.000000: sched:sched_switch: prev_comm=spin prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=A next_pid=10 next_prio=120
A 10/10 [000] 1.001000: sched:sched_switch: prev_comm=A prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=spin next_pid=9 next_prio=120
spin 9/9 [000] 1.005000: sched:sched_waking: comm=A pid=10 prio=120 target_cpu=000
spin 9/9 [000] 1.005000: sched:sched_switch: prev_comm=spin prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=A next_pid=10 next_prio=120
A 10/10 [000] 1.006000: sched:sched_switch: prev_comm=A prev_pid=10 prev_prio=120 prev_state=X ==> next_comm=spin next_pid=9 next_prio=120
spin 9/9 [000] 1.010000: sched:sched_switch: prev_comm=spin prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=swapper/0 next_pid=0 next_prio=120
"""

REPO = unpack('0.16.9')
COMMIT = head(REPO)
ENTRIES = cli(REPO, 'status', '--format', 'json').json()['registered']
TAG = {entry['type']: f'{i}@i' for i, entry in enumerate(ENTRIES)}
MEMORY, TIME = TAG['memory'], TAG['time']
MIXED = TAG.get('mixed', TIME)
shutil.copy(os.path.join(ROOT, 'data', 'sample.perf'), os.path.join(REPO, 'sample.perf'))
for name, text in (('trace.txt', SCRIPT), ('broken.perf', '{"header": {"type": "time"'), ('empty.perf', ''), ('cut.txt', SCRIPT[:250]), ('spinner.txt', SPINNER),
                   ('odd.txt', SCRIPT.replace('tour', 'to\x1b[2Jr')), ('slash.txt', SCRIPT.replace('tour', 'to/ur'))):
    with open(os.path.join(REPO, name), 'w', encoding='utf-8') as out:
        out.write(text)
shutil.copy(os.path.join(REPO, 'sample.perf'), os.path.join(REPO, 'cut.perf'))
os.truncate(os.path.join(REPO, 'cut.perf'), 20000)


def run(repo, statuses, *args, input=None):
    done = cli(repo, *args, input=input)
    sound = done.status in statuses and not SANITIZER.search(done.err)
    said = done.status in (0, 3) or done.err.strip() != ''
    tap.check(f'{" ".join(args)} → {done.status}', sound and said, done)
    return done


def good(*args, **more):
    return run(REPO, (0, 3), *args, **more)


def bad(*args):
    return run(REPO, (1, 2), *args)


def words(command, before):
    """The words that its help offers at a place; a long list of them goes over several lines."""
    text = re.sub(r'\|\s+', '|', good(command, '--help').out)
    return re.search(before + r'([a-z-]+(?:\|[a-z-]+)+)', text)[1].split('|')


OUT = os.path.join(folder(), 'out')
good('--help')
good('--version')
bad('nothing')
tap.check('no command: the help', cli(REPO).status == 2)
COMMANDS = re.findall(r'^  ([a-z]+) ', good('--help').out, re.M)
for command in COMMANDS:
    good(command, '--help')
    bad(command, '--no-such-option')
    bad(command, '--format')
    if command not in ('init', 'status', 'log', 'record', 'processes', 'trust'):
        bad(command)
        bad(command, '')
        bad(command, 'no-such-file', 'no-such-file', 'no-such-file', 'no-such-file')

# Recordings and saved ones.
for file, task in (('sample.perf', None), ('trace.txt', 'tour')):
    some = ['--task', task] if task else []
    for form in words('report', '--format '):
        good('report', file, *some, '--format', form)
        good('report', file, '--format', form)
    good('report', file, *some, '--from', '1ms', '--to', '20ms', '--merge-threads', '--idle-task', 'nobody')
    for form in ('folded', 'svg', 'png', 'pdf', 'json'):
        good('flame', file, *some, '--format', form, '-o', OUT)
        good('flame', file, *some, '--format', form, '--consolidated', '-o', OUT)
    for command, forms in (('tasks', ('tsv', 'json', 'text')), ('operations', ('tsv', 'json')), ('links', ('tsv', 'json')), ('marks', ('tsv', 'json')), ('info', ('text', 'json'))):
        for form in forms:
            good(command, file, '--format', form)
    good('save', file, *some, '-o', OUT + '.perf')
    bad('save', file, *some, '-m', 'HEAD')
    bad('save', file, *some, '--pending', '-o', OUT + '.perf')
    bad('save', file, *some, '--pending', '-m', 'nobody')
    good('diff', file, file, *some)
for spinner, ns in (((), 6000000), (('--idle-task', 'spin'), 2000000)):
    report = good('report', 'spinner.txt', '--task', 'A', *spinner, '--format', 'json').json()
    running = next(c['ns'] for c in report['categories'] if c['id'] == 'not-sampled')
    tap.check(f'{" ".join(spinner) or "a spinner that is a task"}: {running} ns', running == ns, report)
good('report', 'trace.txt', '--task', 'tour', '--started-work', '--cut', '1')
for form in ('text', 'json', 'tsv'):
    report, listed = good('report', 'trace.txt', '--format', form).out, good('tasks', 'trace.txt', '--format', form).out
    tap.check(f'report of a recording of no command, {form}: its tasks', report == listed and 'tour' in report, report)
done = good('report', 'sample.perf')
tap.check('report of a saved recording: there are no other tasks', 'wakepath-cli tasks' not in done.out, done)
for command, end in ((['save'], 'perf'), (['flame', '--format', 'svg'], 'svg')):
    done = good(*command, 'slash.txt', '--task', 'to/ur')
    tap.check(f'{command[0]}: named after a process with a slash', os.path.exists(os.path.join(REPO, f'to-ur.{end}')), done)
for command in (['flame', 'sample.perf'], ['flame', 'sample.perf', '--consolidated'], ['diff', 'sample.perf', 'sample.perf']):
    done = good(*command, '-o', OUT + '.svg')
    with open(OUT + '.svg', encoding='utf-8') as file:
        tap.check(f'{" ".join(command)}: a picture by its name', '<svg' in file.read(), done)
    os.unlink(OUT + '.svg')
STACKS = os.path.join(ROOT, 'tests', 'fuzz', 'corpus', 'stacks', 'types.pb')
for form in words('top', '--format '):
    good('top', STACKS, '--format', form)
for form in words('export', '--to '):
    good('export', STACKS, '--to', form, '-o', OUT)
    good('merge', STACKS, STACKS, '--to', form, '-o', OUT)
for command in (['top', STACKS, '--format', 'odd'], ['export', STACKS, '--to', 'odd'], ['merge', STACKS, '--to', 'odd'], ['merge'],
                ['merge', STACKS, 'empty.perf', '-o', OUT]):
    bad(*command)
bad('report', 'sample.perf', '--from', '5ms', '--to', '5ms')
bad('report', 'sample.perf', '--from', '1000s')
done = bad('report', 'sample.perf', '--task', 'nobody')
tap.check('a message names the file once', done.err.count('sample.perf') == 1, done)
bad('flame', 'sample.perf', '--from', '1ms', '--format', 'svg', '-o', OUT)
good('flame', 'sample.perf', '--from', '1ms', '--format', 'svg', '--consolidated', '-o', OUT)
for option in ('--inverted', '--collapse-recursion', '--icicle'):
    bad('flame', 'sample.perf', option, '--format', 'svg', '-o', OUT)
    good('flame', 'sample.perf', option, '--format', 'svg', '--consolidated', '-o', OUT)
for command in ('tasks', 'operations', 'links', 'marks', 'info', 'save', 'report'):
    bad(command, 'sample.perf', '--consolidated')
    bad(command, 'sample.perf', *(['--from', '1ms'] if command != 'report' else ['-o', OUT]))
for wrong in (['--task', 'nobody'], ['--cut', '999999999'], ['--cut', 'x'], ['--from', 'noon'], ['--format', 'odd'], ['--task', '1:2:3']):
    for command in ('report', 'flame', 'save'):
        bad(command, 'trace.txt', *wrong, *([] if '--task' in wrong else ['--task', 'tour']))
os.mkfifo(os.path.join(REPO, 'pipe'))
for file in ('broken.perf', 'empty.perf', 'cut.perf', '.', '/dev/null'):
    for command in (['report', file], ['flame', file], ['info', file], ['tasks', file], ['save', file], ['query', file, 'all_items_of'], ['diff', file, file],
                    ['convert', file, 'table'], ['view', file], ['check', file, file], ['postprocess', file, 'filter', '-o', OUT]):
        bad(*command)
run(REPO, (0, 1), 'report', 'cut.txt', '--task', 'tour')
for command in ('tasks', 'operations', 'report'):
    done = good(command, 'odd.txt')
    tap.check(f'{command}: what a task calls itself is no command to the terminal', '[2Jr' in done.out and '\x1b' not in done.out, done)
bad('flame', 'trace.txt', '--task', 'tour', '--format', 'svg', '-o', '/no/such/folder/x.svg')

# What explains a process, as stacks: two ways to the same sums.
def folded_sum(*args):
    return sum(int(line.rsplit(' ', 1)[1]) for line in good('flame', *args, '--format', 'folded').out.splitlines())


def stacks_sum(*args):
    """Of what was running and waiting, as the tables as text have it."""
    rows = good('export', '--to', 'raw', *args).out.split('Samples:\n')[1].split('\nLocations')[0].splitlines()[1:]
    return sum(int(value) for row in rows if ': ' in row and ':[' not in row for value in row.split(':')[0].split()[:2])


for file, task in (('sample.perf', []), ('sample.perf', ['--task', 'tour']), ('trace.txt', ['--task', 'tour'])):
    sums = folded_sum(file, *task), stacks_sum(file, *task)
    tap.check(f'{file} {task}: as many ns in stacks as in the flame view', sums[0] == sums[1] > 0, sums)
    for command in (['top'], ['top', '--sample-index', 'running'], ['peek', '.'], ['traces'], ['tags'], ['calls']):
        good(command[0], *command[1:2] if command[0] == 'peek' else [], file, *task, *(command[1:] if command[0] == 'top' else []))
    for form in words('export', '--to '):
        good('export', file, *task, '--to', form, '-o', OUT)


def thread_times(*args):
    return [thread['time'] for thread in good('calls', *args, '--format', 'json').json()['thread_times']]


# Threads by name and number; those of several recordings are one where machine, number and name are.
of_all, server = thread_times('sample.perf'), thread_times('sample.perf', '--threads', 'tour-server')
by_tid = [thread_times('sample.perf', '--threads', tid) for tid in ('25755', '25755,tour-server')]
tap.check('calls: threads by name and number', len(of_all) == 4 and len(server) == 1 and server[0] in of_all
          and [len(times) for times in by_tid] == [1, 2] and by_tid[0][0] in of_all and sorted(by_tid[1]) == sorted(by_tid[0] + server), (of_all, server, by_tid))
bad('calls', 'sample.perf', '--threads', 'nobody')
for name, host in ('ada.txt', 'ada'), ('bob.txt', 'bob'):
    with open(os.path.join(REPO, name), 'w', encoding='utf-8') as out:
        out.write(f'# hostname : {host}\n{SCRIPT}')
alone = thread_times('ada.txt', '--task', 'tour')
for files, times in ((['ada.txt', 'ada.txt'], 1), (['ada.txt', 'bob.txt'], 2), (['trace.txt', 'trace.txt'], 2)):
    found = thread_times(*files, '--task', 'tour')
    tap.check(f'calls {files}: threads apart, unless they are the same', len(found) == times * len(alone) and abs(sum(found) - 2 * sum(alone)) < 1e-6, (alone, found))
with open(os.path.join(REPO, 'racket.json'), 'w', encoding='utf-8') as out:
    json.dump({'cpu_time': 20, 'functions': [{'id': 'f', 'id_kind': 'symbol', 'src': None}],
               'samples': [{'thread': 0, 'time': time, 'stack': [0]} for time in (0, 10, 20)]}, out)
own, first, last = thread_times('racket.json'), thread_times('racket.json', 'sample.perf'), thread_times('sample.perf', 'racket.json')
tap.check('calls: ids that are kept are given to no other thread, in whichever order', first == last == own + of_all, (own, of_all, first, last))
latency, wall = folded_sum('sample.perf', '--sample-index', 'latency'), good('report', 'sample.perf', '--format', 'json').json()
tap.check('flame: latency sums to the wall time', latency == wall['wall_ns'], (latency, wall['wall_ns']))
tap.check('a category as a label', 'blocking-io' in good('tags', 'sample.perf').out)
for wrong in (['--task', 'nobody'], ['--task', '1:2:3']):
    bad('top', 'sample.perf', *wrong)
    bad('export', 'trace.txt', *wrong)
done = bad('top', 'trace.txt', '--task', 'nobody')
tap.check('top: a message names the file once', done.err.count('trace.txt') == 1, done)

# What rules hide is charged to the caller.
RULES = (['--hide-function', 'main'], ['--hide-function', 'main', '--hide-function', 'do_syscall_64'], ['--hide-module', '[kernel]'], ['--hide-matching', '^__'],
         ['--hide-matching', '.', '--depth', 'functions'], ['--hide-module', 'no-such-module'])
for file in ('sample.perf', 'trace.txt'):
    of, whole = ['--task', 'tour'], folded_sum(file, '--task', 'tour')
    for rule in RULES:
        tap.check(f'{file} {rule}: no number changes', folded_sum(file, *of, *rule) == whole > 0, rule)
        good('flame', file, *of, *rule, '--format', 'svg', '-o', OUT)
done = good('flame', 'sample.perf', '--hide-function', 'do_syscall_64', '--hide-matching', '^ksys_', '--format', 'folded')
tap.check('flame: functions are hidden, what they called is not', not re.search('[; ](do_syscall_64|ksys_)', done.out) and ';entry_SYSCALL_64_after_hwframe;vfs_' in done.out, done)

# What pictures are coloured by, and the wait chain above them.
for form in 'svg', 'png', 'pdf':
    good('flame', 'sample.perf', '--colours', 'state', '--wait-chain', '--depth', 'waits', '--format', form, '-o', OUT)


def svg(*args):
    good('flame', 'sample.perf', *args, '--depth', 'waits', '--format', 'svg', '-o', OUT)
    with open(OUT) as f:
        return f.read()


by_process, by_state, chained = svg(), svg('--colours', 'state'), svg('--wait-chain')
tap.check('flame: by process a band tells what it does, by state the fill', 'url(#state' in by_process and 'url(#state' not in by_state)
tap.check('flame: by process as without the option', by_process == svg('--colours', 'process') != by_state)
tap.check('flame: the wait chain is above the picture', re.search('<title>tour-server — Running', chained) and len(chained) > len(by_process))
bad('flame', 'sample.perf', '--colours', 'rainbow', '--format', 'svg', '-o', OUT)
good('flame', 'sample.perf', '--colours', 'module', '--consolidated', '--depth', 'functions', '--format', 'svg', '-o', OUT)
with open(OUT) as f:
    tap.check('flame: by module, which the legend names', '>libc.so.6<' in f.read())
bad('flame', 'sample.perf', '--colours', 'module', '--consolidated', '--focus', 'main', '--format', 'svg', '-o', OUT)
bad('flame', 'sample.perf', '--wait-chain', '--consolidated', '--format', 'svg', '-o', OUT)
bad('flame', 'tour.pb.gz', '--wait-chain', '--format', 'svg', '-o', OUT)
done = bad('flame', 'sample.perf', '--hide-matching', 'a(')
tap.check('flame: an expression that is none', done.status == 2 and '--hide-matching' in done.err and 'a(' in done.err, done)

# At each depth, and whatever is hidden, stacks have the same sums and comparisons the same figures.
def figures(*args):
    done = good('diff', 'sample.perf', 'trace.txt', '--task', 'tour', '--format', 'json', *args).json()
    return [(row['level'], row['id'], row['name'], row['values']) for row in done['rows']]


whole, compared = stacks_sum('sample.perf'), figures()
for choice in [['--depth', depth] for depth in words('export', '--depth ')] + list(RULES):
    tap.check(f'{choice}: no sum of stacks changes', stacks_sum('sample.perf', *choice) == whole > 0, choice)
    tap.check(f'{choice}: no figure of a comparison changes', figures(*choice) == compared != [], choice)
done = good('export', 'sample.perf', '--depth', 'waits', '--hide-function', 'vda', '--to', 'folded')
tap.check('export: at depth waits there are words', re.search('^tour;sleeps on purpose ', done.out, re.M) and 'main' not in done.out, done)
exported, drawn = (set(good(command, 'sample.perf', '--depth', 'waits', *form).out.splitlines())
                   for command, form in (('export', ['--to', 'folded']), ('flame', ['--format', 'folded'])))
tap.check('export: what waits at a depth is that of flame, which also has what runs', exported < drawn, (exported, drawn))
done = good('diff', 'sample.perf', 'sample.perf', '--depth', 'functions', '--hide-function', 'main', '--format', 'folded')
tap.check('diff: what is hidden is no frame', ';main' not in done.out and 'tour;shop;receive;' in done.out, done)
for form in words('diff', '--format '):
    good('diff', 'sample.perf', 'trace.txt', '--task', 'tour', '--depth', 'waits', '--format', form, '-o', OUT)
for command in ('export', 'top', 'traces'):
    bad(command, 'sample.perf', '--depth', 'deep')
    bad(command, 'sample.perf', '--hide-matching', 'a(')
bad('diff', 'sample.perf', 'sample.perf', '--hide-matching', 'a(')

# Filters of flame, diff and view.
good('export', 'sample.perf', '-o', 'tour.pb.gz')
bad('top', 'tour.pb.gz', '--task', 'tour')
tap.check('export: only what explains a process has depths', 'tour.pb.gz' in bad('export', 'tour.pb.gz', '--depth', 'waits').err)
whole, part, rest = (folded_sum('sample.perf', *more) for more in ([], ['--focus', 'shop'], ['--ignore', 'shop']))
tap.check('flame: focus and ignore make up the whole', part + rest == whole and min(part, rest) > 0, (whole, part, rest))
tap.check('flame: --filter is the same', folded_sum('sample.perf', '--filter', 'focus=shop') == part)
tap.check('flame: of both types', folded_sum('sample.perf', '--sample-index', 'running') + folded_sum('sample.perf', '--sample-index', 'waiting') == whole)
tap.check('flame: only up to a moment', 0 < folded_sum('sample.perf', '--focus', 'shop', '--to', '20ms') < part)
first, second = (sorted(good('flame', file, '--format', 'folded').out.splitlines()) for file in ('sample.perf', 'tour.pb.gz'))
tap.check('flame of what was exported: the same', first == second)
for file in ('tour.pb.gz', MEMORY):
    for form in ('folded', 'svg', 'png', 'json'):
        good('flame', file, '--format', form, '--hide', 'main', '--inverted', '--icicle', '-o', OUT)
    bad('flame', file, '--task', 'tour')
    tap.check('flame of stacks: there is --hide', '--hide' in bad('flame', file, '--hide-function', 'main').err)
    bad('flame', file, '--focus', '(')
    bad('flame', file, '--filter', 'odd=x')
bad('flame', 'sample.perf', '--focus', 'shop', '--format', 'svg', '-o', OUT)
good('flame', 'sample.perf', '--focus', 'shop', '--consolidated', '--format', 'svg', '-o', OUT)
for more in ([], ['--focus', 'shop'], ['--filter', 'hide=main', '--sample-index', 'waiting']):
    done = good('diff', 'tour.pb.gz', 'tour.pb.gz' if not more else 'sample.perf', *more, '--format', 'json')
    tap.check(f'diff {" ".join(more)}: no frame has changed', all(frame['self']['a'] == frame['self']['b'] for frame in done.json()['frames']), done)
bad('diff', 'tour.pb.gz', 'tour.pb.gz', '--focus', '(')
bad('diff', 'tour.pb.gz', 'tour.pb.gz', '--sample-index', 'odd')
bad('diff', 'tour.pb.gz', MEMORY)
good('diff', MEMORY, MEMORY, '--focus', 'main')
good('view', MEMORY, 'flame', '--focus', 'main', '-o', OUT + '.svg')
bad('view', MEMORY, 'flame', '--focus', '(', '-o', OUT + '.svg')
bad('view', MEMORY, 'bars', '--focus', 'main', '-o', OUT + '.svg')

# Profiles of other kinds.
FUNCTIONS = ['all_resources_of', 'all_items_of', 'all_resource_fields_of', 'all_numerical_resource_fields_of', 'all_models_of']
KEYED = ['unique_resource_values_of', 'all_key_values_of', 'unique_model_values_of']
for entry in range(len(ENTRIES)):
    tag = f'{entry}@i'
    for form in ('text', 'json'):
        good('info', tag, '--format', form)
        for function in FUNCTIONS:
            good('query', tag, function, '--format', form)
        for function in KEYED:
            good('query', tag, function, 'uid', '--format', form)
            good('query', tag, function, 'trace::function', '--format', form)
    for form in ('csv', 'tsv', 'json'):
        good('convert', tag, 'table', '--format', form)
    for conversion in ('flame', 'heap-map', 'heat-map', 'plot', 'bars', 'flow', 'scatter'):
        run(REPO, (0, 1), 'convert', tag, conversion)
        run(REPO, (0, 1), 'convert', tag, conversion, '--of', 'amount', '--per', 'snapshots', '--by', 'uid', '--function', 'mean', '--accumulate')
        run(REPO, (1, 2), 'convert', tag, conversion, '--format', 'odd')
    good('view', tag)
    for kind in words('view', r'PROFILE \['):
        run(REPO, (0, 1, 2), 'view', tag, kind)
        run(REPO, (0, 1), 'view', tag, kind, '-o', OUT + '.svg', '--grouped', '--icicle', '--inverted', '--no-accumulate', '--snapshot', '1')
    for method in ('full', 'iterative', 'interval', 'initial_guess', 'bisection'):
        good('postprocess', tag, 'regression-analysis', '--method', method, '--models', 'all', '--steps', '2', '--no-shuffle', '-o', OUT)
    for name in ('normalizer', 'filter', 'clusterizer'):
        good('postprocess', tag, name, '-o', OUT)
    good('postprocess', tag, 'clusterizer', '--strategy', 'sliding_window', '--width', '25%', '--height', '3', '-o', OUT)
    for form in ('text', 'json'):
        good('check', tag, tag, '--method', 'all', '--format', form)
    for view in ('raw', 'json', 'file'):
        good('show', tag, view)

# A saved recording explains its process whatever was added to it; shares of its amounts explain none, and are views of another kind.
report = good('report', 'sample.perf', '--format', 'json').json()
for name, *more in (('filter',), ('clusterizer',), ('regression-analysis', '--of', 'self', '--per', 'timestamp')):
    good('postprocess', 'sample.perf', name, *more, '-o', 'processed.perf')
    done = good('report', 'processed.perf', '--format', 'json')
    tap.check(f'{name}: what it explains stays', done.json()['categories'] == report['categories'], done)
tap.check('regression-analysis: its models are there', 'linear' in good('view', 'processed.perf', 'models').out)
good('postprocess', 'sample.perf', 'normalizer', '-o', 'processed.perf')
done = bad('report', 'processed.perf')
tap.check('normalizer: the report says why there is none', 'normalized' in done.err and 'view' in done.err, done)
good('view', 'processed.perf', 'bars', '--of', 'amount', '--per', 'subtype', '-o', OUT + '.svg')
text = good('show', TIME, 'json').out
good('query', '-', 'all_resource_fields_of', input=text)
good('convert', '-', 'table', input=text)
good('check', TIME, '-', input=text)
good('postprocess', '-', 'normalizer', '-o', OUT, input=text)
for wrong in (['postprocess', '-', 'normalizer'], ['report', '-'], ['add', '-'], ['rm', '-'], ['show', '-'], ['add', 'pipe'], ['report', 'pipe'], ['add', '/']):
    done = run(REPO, (1, 2), *wrong, input=text)
    tap.check(f'{" ".join(wrong)}: is told what to do', 'file' in done.err and '?' not in done.out, done)
with open(os.path.join(REPO, 'input.perf'), 'w+', encoding='utf-8') as file:
    file.write(text)
    file.seek(0)
    done = cli(REPO, 'postprocess', '/dev/stdin', 'normalizer', stdin=file)
    file.seek(0)
    tap.check('postprocess: what standard input comes from stays as it is', done.status == 2 and file.read() == text, done)
bad('query', TIME, 'odd')
bad('query', TIME, 'unique_resource_values_of')
bad('query', TIME, 'all_items_of', 'key')
bad('convert', TIME, 'odd')
bad('convert', MEMORY, 'flame', '--frames', 'odd')
bad('convert', TIME, 'bars', '--function', 'odd')
bad('view', TIME, 'odd')
bad('view', TIME, 'bars', '--func', 'odd')
bad('view', MEMORY, 'allocations', '--mode', 'odd')
bad('postprocess', MIXED, 'odd')
bad('postprocess', MIXED, 'regression-analysis', '--method', 'odd', '-o', OUT)
bad('postprocess', MIXED, 'regression-analysis', '--models', 'odd', '-o', OUT)
bad('postprocess', MIXED, 'regression-analysis', '--steps', '0', '-o', OUT)
bad('postprocess', MIXED, 'clusterizer', '--width', 'odd', '-o', OUT)
bad('postprocess', MIXED, 'normalizer', '--method', 'full', '-o', OUT)
bad('check', TIME, TIME, '--method', 'odd')

# What went wrong: which file, what, and what to do; wrong usage is 2, all else 1.
os.mkdir(os.path.join(REPO, 'here'))
with open(os.path.join(REPO, 'script'), 'w', encoding='utf-8') as file:
    file.write('#!/bin/sh\n')
AWAY = os.path.join('nowhere', 'out')
for status, said, *args in (
        (1, 'script: not JSON at byte 0', 'check', MEMORY, 'script'), (1, 'script is a script, not a recording', 'report', 'script'),
        (1, f'{AWAY}: could not be saved: No such file or directory; choose another place', 'flame', 'sample.perf', '-o', AWAY),
        (1, f'{AWAY}.svg: could not be saved', 'flame', 'sample.perf', '--format', 'svg', '-o', AWAY + '.svg'),
        (1, 'here: could not be saved: Is a directory', 'flame', 'sample.perf', '-o', 'here'),
        (1, f'{AWAY}: could not be saved', 'diff', 'sample.perf', 'sample.perf', '-o', AWAY), (1, f'{AWAY}: could not be saved', 'view', TIME, 'raw', '-o', AWAY),
        (1, f'{AWAY}: could not be saved', 'log', '--history', 'total', '--format', 'json', '-o', AWAY),
        (1, f'{AWAY}: could not be saved', 'postprocess', TIME, 'filter', '-o', AWAY), (1, f'{AWAY}: could not be saved', 'save', 'sample.perf', '-o', AWAY),
        (2, '--vcs-type is git, not “svn”', 'init', '--vcs-type', 'svn', folder()),
        (2, '--sort-by: there is no key “odd”, only time, type', 'status', '--sort-by', 'odd'),
        (2, '--steps: “0” is none of its values', 'postprocess', MIXED, 'regression-analysis', '--steps', '0', '-o', OUT),
        (2, '--method: the postprocessor “filter” has no such parameter', 'postprocess', MIXED, 'filter', '--method', 'full', '-o', OUT)):
    done = run(REPO, (status,), *args)
    tap.check(f'{" ".join(args)}: {said}', said in done.err, done)
for args in (('convert', TIME, 'bars'), ('convert', TIME, 'flow'), ('convert', TIME, 'scatter', '--per', 'snapshots'), ('view', TIME, 'bars'),
             ('view', TIME, 'flow')):
    done = run(REPO, (1,), *args, '--of', 'odd', *(('-o', OUT + '.svg') if args[0] == 'view' else ()))
    tap.check(f'{" ".join(args)} --of odd: the file, the key and those there are',
              re.search(r'\S: no resource has the key “odd”; (numbers are in|there are) (.*, )?amount', done.err), done)
registered = good('show', TIME, 'file').out.strip()
os.rename(registered, registered + '.away')
done = bad('report', TIME)
tap.check('a missing object is named, and what to do', registered + ': the object is missing; bring it back' in done.err, done)
good('show', MEMORY)
os.rename(registered + '.away', registered)

# Comparing.
for form in ('text', 'json', 'markdown', 'tsv', 'folded', 'svg', 'png', 'pdf'):
    good('diff', 'sample.perf', 'sample.perf', '--format', form, '--normalise', '--view', 'vanished', '-o', OUT)
good('diff', MEMORY, MEMORY, '--threshold', '5')
for name, stacks in (('before.folded', 'main;work;read 30\nmain;work 12\nmain;sort;swap 9\n'), ('after.folded', 'main;work;read 25\nmain;work 15\nmain;cache;read 6\n')):
    with open(os.path.join(REPO, name), 'w', encoding='utf-8') as file:
        file.write(stacks)
    good('export', name, '--to', 'pprof', '-o', name.replace('folded', 'pb.gz'))
for form in words('diff', '--format '):
    good('diff', 'before.pb.gz', 'after.folded', '--sample-index', 'samples', '--format', form, '--normalise', '-o', OUT)
frames = {frame['name']: (frame['self']['change'], frame['total']['change'])
          for frame in good('diff', 'before.pb.gz', 'after.pb.gz', '--format', 'json').json()['frames']}
done = good('top', '--base', 'before.pb.gz', 'after.pb.gz')
rows = [line.split() for line in done.out.splitlines()[3:]]
tap.check('diff of stacks: frames changed by what top --base has', frames == {row[5]: (float(row[0]), float(row[3])) for row in rows} and len(rows) == 6, done)
done = bad('diff', 'before.pb.gz', 'after.pb.gz', '--sample-index', 'odd')
tap.check('diff of stacks: a type that is not there is told with the file and those that are', 'before.pb.gz: there is no sample type “odd”; there are: samples' in done.err, done)
good('diff', f'{TIME},{TIME}', f'{COMMIT}:{TIME}', '--view', 'a')
for wrong in ([TIME, MEMORY], [TIME, ''], [TIME, f',{TIME}'], [TIME, TIME, '--view', 'odd'], [TIME, TIME, '--format', 'odd'],
              [TIME, TIME, '--threshold', '-1'], [TIME, TIME, '--threshold', 'nan'], ['HEAD', 'HEAD'], ['HEAD', 'HEAD', '--command', 'nobody']):
    bad('diff', *wrong)

# The store.
for form in ('text', 'json'):
    good('status', '--format', form)
    good('log', '--format', form)
good('status', '--short', '--sort-by', 'type')
good('log', '--short', '-n', '2')
for figure in ('total', 'sum:amount', 'self:main'):
    run(REPO, (0, 1), 'log', '--history', figure)
for wrong in (['status', 'x'], ['status', '-m', 'nobody'], ['log', 'nobody'], ['log', '-n', '-1'], ['log', 'a', 'b'], ['log', '--history', 'odd:'],
              ['show', TIME, 'odd'], ['show', '99@i'], ['show', '99999999999@i'], ['rm', '99@i'], ['rm', 'nobody'], ['rm', 'sample.perf'], ['add', 'broken.perf'],
              ['add', '0@i'], ['add', '5@p-2@p'], ['init', '/dev/null/folder'], ['init', '--vcs-type', 'odd'], ['range', 'nobody', '--', 'true'],
              ['range', 'HEAD'], ['record', '--stacks', 'odd'], ['record', '--stack-bytes', '7'], ['record', '--repeat', '0', '--', 'true'],
              ['record', '--pid', '1', '--attach', '1'], ['record', '--control', 'nowhere', '--', 'true']):
    bad(*wrong)
lines = good('log', '--format', 'json').out.splitlines()
tap.check('log as JSON: a commit a line', all(line.startswith('{ "commit": "') and line.endswith('}') for line in lines) and len(lines) > 1, lines[:3])

# What changes the store.
REPO = repository(2)
put_profile(REPO, 'a.perf', head(REPO))
put_profile(REPO, 'b.perf', head(REPO, 'HEAD~1'))
put_profile(REPO, 'c.perf')
bad('init')
good('add', 'a.perf', '--keep-profile')
good('add', 'a.perf')
bad('add', 'b.perf')
bad('add', 'c.perf')
good('add', 'b.perf', '--force', '--yes')
good('add', '-m', 'HEAD~1', 'c.perf', '--force', input='y\n')
good('postprocess', 'HEAD:a.perf', 'normalizer')
good('rm', '0@p', input='n\n')
good('rm', '0@p', '--yes')
good('rm', 'HEAD~1:c.perf', 'a.perf')
tap.check('what is left', [entry['name'] for entry in cli(REPO, 'status', '--format', 'json').json()['registered']] == ['b.perf'])
with open(os.path.join(REPO, '.perun', 'local.yml'), 'a', encoding='utf-8') as out:
    out.write('format:\n  status: "%type:4% %odd% %"\n  sort_profiles_by: odd\n')
good('status')
with open(os.path.join(REPO, '.perun', 'local.yml'), 'w', encoding='utf-8') as out:
    out.write('vcs: [\n')
run(REPO, (0, 1), 'status')
for name in ('objects', 'jobs'):
    shutil.rmtree(os.path.join(REPO, '.perun', name))
    run(REPO, (0, 1), 'status')
    run(REPO, (0, 1), 'log', '--format', 'json')
# More commits than are looked up one by one; the oldest has a profile, and the one after it what a check found.
REPO = repository(1)
subprocess.run(['git', '-C', REPO, 'fast-import', '--quiet'], check=True, text=True, input=''.join(
    f'commit refs/heads/main\ncommitter a <a@b> {1900000000 + i} +0000\ndata 4\nmore\n' + ('from refs/heads/main^0\n' if i == 0 else '') for i in range(700)))
put_profile(REPO, 'old.perf', head(REPO, 'main~700'))
good('add', '-m', 'main~700', 'old.perf')
write(object_path(REPO, head(REPO, 'main~699')) + '.changes', 
      b'real PerformanceChange.Degradation time 1.0s 5.0s 5.0 no 0 ' + b'0' * 40 + b' ./a.out\n')
tap.check('a profile behind many commits is in each log',
          '1|' in good('log', '--short').out.splitlines()[-1] and len(good('log', '--format', 'json').lines()[-1]['registered']) == 1
          and good('log').out.count('1 registered') == 1)
tap.check('what a check found behind many commits is in the log',
          good('log', '--short').out.splitlines()[-2].endswith(' -') and not good('log', '--short').out.splitlines()[-3].endswith('-'))
REPO = folder()
bad('status')
bad('log')
sys.exit(tap.end())
