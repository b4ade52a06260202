#!/usr/bin/python3
"""What others read of our recordings, as root: each reader of perf's, of the file as it is kept and of one that is not compressed, against what we say of
the stream that both are made of. Needs a mounted tracefs. TAP.
usage: test-readers.py CLI PACK-OF WORKLOADS
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

CLI, PACK_OF, WORKLOADS = map(os.path.abspath, sys.argv[1:4])
FIXED_MAX, EVENT_MAX = 1 << 20, 40  # bytes of a packed file without events, and of each event


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def perf(*arguments):
    return run('perf', *arguments)


def said(path, stream, command, *options):
    """What we say, without the recording's name and form; that of the stream is among the recorder's own arguments, too."""
    done = run(CLI, command, path, *options)
    text = done.stdout.replace(path, 'RECORDING').replace(stream, 'RECORDING').replace('perf.data file', 'FORM').replace('perf.data stream', 'FORM')
    return done.returncode, text, done.stderr.replace(path, 'RECORDING')


def counts_of(path):
    return {event['name']: event['count'] for event in json.loads(run(CLI, 'info', path, '--format', 'json').stdout)['events']}


def test_same(stream, path, name):
    for command, *options in (('info',), ('info', '--format', 'json'), ('report', '--format', 'json'), ('tasks', '--format', 'json'), ('operations', '--format', 'json'),
                              ('flame', '--format', 'folded')):
        check(f'{name}: {" ".join((command, *options))} says the same', said(path, stream, command, *options) == said(stream, stream, command, *options),
              (said(path, stream, command, *options)[1][:500], said(stream, stream, command, *options)[1][:500]))


def test_script(path, name, counts):
    done = perf('script', '-i', path, '-F', 'comm,pid,tid,cpu,time,event,ip,sym,dso')
    events, innermost, event = collections.Counter(), collections.defaultdict(set), None
    for line in done.stdout.splitlines():
        head = re.match(r'\s*\S.*\s(-?\d+)/(-?\d+)\s+\[(\d+)\]\s+[\d.]+:\s+(\S+):', line)
        if head:
            event = head[4].removesuffix(':HG')
            events[event] += 1
        elif line.strip() and event is not None:
            innermost[event].add(line.split()[1])
            event = None
    check(f'{name}: perf script with fields finds the same events', done.returncode == 0 and dict(events) == counts, (done.stderr[:500], events, counts))
    check(f'{name}: … and where they happened', innermost['sched:sched_switch'] == {'__schedule'}, innermost['sched:sched_switch'])
    done = perf('script', '-i', path)
    check(f'{name}: perf script finds the fields of events', done.returncode == 0 and
          len(re.findall(r'sched_switch: .*prev_comm=.* prev_pid=\d+ .*next_prio=\d+', done.stdout)) == counts['sched:sched_switch'], done.stderr[:500])


def test_report(path, name, counts):
    done = perf('report', '-i', path, '--stdio', '--no-children', '-g', 'none', '--sort', 'comm')
    found = {event: number for number, event in re.findall(r"^# Samples: (\S+)  ?of event '([^']+)'", done.stdout, re.M)}
    check(f'{name}: perf report has a table for each event', done.returncode == 0 and set(counts) <= {event.removesuffix(':HG') for event in found}, (done.stderr[:500], found))
    check(f'{name}: … and knows who ran', re.search(r'^ +\d[\d.]*% +pass', done.stdout, re.M) is not None, done.stdout[:2000])


def test_timehist(path, name, pids, ran):
    done = perf('sched', 'timehist', '-i', path, '-s', '--pid', ','.join(map(str, pids)))
    runs = [float(row) for row in re.findall(r'^ *pass\[.*?\] +-?\d+ +\d+ +([\d.]+) ', done.stdout, re.M)]
    check(f'{name}: perf sched timehist has the same time on a CPU', done.returncode == 0 and len(runs) == len(pids) and
          abs(sum(runs) * 1e6 - ran) < 0.01 * ran + 1e5, (done.stderr[:500], runs, ran, done.stdout[:1500]))
    done = perf('sched', 'timehist', '-i', path)
    check(f'{name}: … and stacks', ' <- ' in done.stdout and 'do not have callchains' not in done.stderr + done.stdout, done.stdout[:500])


def test_convert(path, name, counts, folder):
    done = perf('data', 'convert', '--force', '--to-json', f'{folder}/{name}.json', '-i', path)
    if done.returncode == 0:
        with open(f'{folder}/{name}.json', encoding='utf-8') as file:
            samples = len(json.load(file)['samples'])
    check(f'{name}: perf data convert makes JSON of all samples', done.returncode == 0 and samples == sum(counts.values()), (done, counts))
    done = perf('data', 'convert', '--force', '--to-ctf', f'{folder}/{name}-ctf', '-i', path)
    if 'No conversion support compiled in' in done.stderr:
        check(f'{name}: perf data convert to CTF # SKIP this perf was built without', True)
    else:
        check(f'{name}: … and CTF', done.returncode == 0 and f'({sum(counts.values())} samples)' in done.stderr + done.stdout, done)


def test_size(stream, path, counts):
    """The fixed part is that of a recording of nothing: what is there before the first event."""
    events, size = sum(counts.values()), os.path.getsize(path)
    check(f'packed: at most 1 MiB and {EVENT_MAX} bytes an event', size < FIXED_MAX + EVENT_MAX * events, (size, events))
    print(f'# {size} bytes packed, {os.path.getsize(stream)} as a stream, {events} events')


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    with tempfile.TemporaryDirectory(prefix='wakepath-readers-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        stream = f'{folder}/stream.data'
        with Spinners(WORKLOADS):  # where switches of idle CPUs are hidden, perf counts what came before them
            done = run(CLI, 'record', '--form', 'stream', '--stacks', 'fp', '-o', stream, '--', f'{WORKLOADS}/pass', '20', '10000')
        check('a stream is recorded', done.returncode == 0, done.stderr)
        counts = counts_of(stream)
        tasks = json.loads(run(CLI, 'tasks', stream, '--format', 'json').stdout)['tasks']
        pids = {task['tid'] for task in tasks if task['name'] == 'pass'}
        ran = sum(task['run_ns'] for task in tasks if task['tid'] in pids)  # before its exec, too, when it had another name: perf calls all of it so
        for form in ('packed', 'plain'):
            path = f'{folder}/{form}.data'
            done = run(PACK_OF, stream, path, form)
            check(f'{form}: made', done.returncode == 0, done.stderr)
            test_same(stream, path, form)
            test_script(path, form, counts)
            test_report(path, form, counts)
            test_timehist(path, form, pids, ran)
            test_convert(path, form, counts, folder)
        test_size(stream, f'{folder}/packed.data', counts)
        for form in ('packed', 'plain', 'stream'):
            path = f'{folder}/kept-{form}.data'
            done = run(CLI, 'record', '--form', form, '-o', path, '--', 'true')
            with open(path, 'rb') as file:
                head = file.read(16)
            check(f'record --form {form}', done.returncode == 0 and head[:8] == b'PERFILE2' and head[8] == (16 if form == 'stream' else 104) and
                  ('compressed' in perf('report', '--header-only', '-i', path).stdout) == (form == 'packed'), (done, head))
    return end()


if __name__ == '__main__':
    sys.exit(main())
