#!/usr/bin/python3
"""What we make of a recording by perf record, in both modes, against what perf script prints of it: the same events, and the same
operations when we read its text instead. TAP."""
import collections
import os
import re
import subprocess
import sys
import tempfile

EVENTS = ('sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_process_fork,sched:sched_process_exec,'
          'sched:sched_process_exit')
LOAD = 'for i in 1 2 3; do ls -l /usr/bin | sort | wc -l; sleep 0.01; done >/dev/null'


def run(*command, **more):
    return subprocess.run(command, check=True, text=True, stderr=subprocess.DEVNULL, **more)


def opened(ours, path):
    text = run(ours, path, stdout=subprocess.PIPE).stdout
    counts = {key: int(n) for key, n in re.findall(r'^  (.+) (\d+)$', text, re.M)}
    return counts, tuple(int(n) for n in re.search(r'events (\d+), operations (\d+)', text).groups())


def printed(path, text):
    with open(text, 'w') as out:
        run('perf', 'script', '--ns', '-i', path, '--show-task-events', '--show-lost-events', stdout=out)
    counts = collections.Counter()
    with open(text, errors='replace') as lines:
        for line in lines:
            event = re.search(r'\d+\.\d{9}:\s+(?:\d+ +)?(\S+):(?:\s|$)', line) if line[0] not in '\t\n#' else None
            if event and not event.group(1).startswith('PERF_RECORD'):
                counts[event.group(1)] += 1
    return counts


def check(ours, folder, mode):
    path, text = os.path.join(folder, mode), os.path.join(folder, mode + '.txt')
    with open(path, 'wb') as out:
        target = {'stdout': out} if mode == 'stream' else {}
        run('perf', 'record', '-q', '-a', '-g', '-m', '8M', '-e', EVENTS, '-e', 'cpu-clock/freq=1000/',
            '-o', '-' if mode == 'stream' else path, '--', 'sh', '-c', LOAD, **target)
    expected = printed(path, text)
    counts, numbers = opened(ours, path)
    _, from_text = opened(ours, text)
    print(f'# {mode}: {dict(counts)}; events and operations {numbers}, from the text {from_text}')
    # What began before the recording has to be inferred, and the text says less about that.
    close = abs(numbers[1] - from_text[1]) <= max(4, numbers[1] * 0.002)
    return counts['sched:sched_switch'] > 10 and counts == dict(expected) and numbers[0] == from_text[0] and close


def main():
    print('1..2')
    with tempfile.TemporaryDirectory(prefix='wp-opening-') as folder:
        passed = [check(sys.argv[1], folder, mode) for mode in ('file', 'stream')]
    for number, (mode, good) in enumerate(zip(('file', 'stream'), passed), 1):
        print(f'{"ok" if good else "not ok"} {number} {mode} mode agrees with perf script')
    return 0 if all(passed) else 1


sys.exit(main())
