#!/usr/bin/python3
"""`wakepath-cli source` beside pprof's -list (tests/data/source), and where there is no source.

Lines must be the same to the digit. Of a function that calls itself on several lines pprof adds up its lines; here it has what top says of it.
usage: test-source-command.py CLI FOLDER
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, FOLDER = map(os.path.abspath, sys.argv[1:3])
PROFILE = f'{FOLDER}/cpu.pb.gz'
PATTERN = r'main\.|inner'


def run(*arguments, folder=FOLDER):
    environment = {key: value for key, value in os.environ.items() if key != 'DEBUGINFOD_URLS'}
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, cwd=folder, env=environment, timeout=60)


def functions_of(text):
    """{function: ((flat, cum, share), [line])}, lines as they are but for widths."""
    found = {}
    for line in text.splitlines():
        routine = re.fullmatch(r'ROUTINE =+ (\S+)( in .*)?', line)
        total = re.fullmatch(r' *(\S+) +(\S+) \(flat, cum\) +(\S+) of Total', line)
        if routine:
            lines = found.setdefault(routine[1], [None, []])[1]
        elif total:
            found[routine_of(found)][0] = total.groups()
        elif found:
            lines.append(re.sub(' +', ' ', line))
    return found


def routine_of(found):
    return list(found)[-1]


with open(f'{FOLDER}/list.txt', encoding='utf-8') as expected:
    theirs = functions_of(expected.read())
text = run('source', PROFILE, PATTERN, '--trim-path', 'example.org/demo', '--source-path', FOLDER)
ours = functions_of(text.stdout)
check('as many functions as in pprof', list(ours) == list(theirs) and len(ours) >= 4, (list(ours), text.stderr))
for name, (total, lines) in theirs.items():
    check(f'{name}: {len(lines)} lines as in pprof', ours[name][1] == lines, set(ours[name][1]) ^ set(lines))
    if name != 'main.fib':
        check(f'{name}: its sums as in pprof', ours[name][0] == total, (ours[name][0], total))

top = {line.split()[5]: line.split() for line in run('top', PROFILE, '--node-fraction', '0', '--unit', 'ms').stdout.splitlines()[3:]}
in_ms = functions_of(run('source', PROFILE, PATTERN, '--unit', 'ms').stdout)
for name, (total, _) in in_ms.items():
    check(f'{name}: its sums as in top', (total[0], total[1]) == (top[name][0], top[name][3]), (total, top[name]))

ends = run('source', PROFILE, PATTERN, '--source-path', FOLDER)
check('any end of a path is found in a source folder', functions_of(ends.stdout) == ours, ends.stderr)
mapped = run('source', PROFILE, PATTERN, '--source-map', f'example.org/demo={FOLDER}', folder='/')
check('mapped folders', functions_of(mapped.stdout) == ours, mapped.stdout[:500])

document = json.loads(run('source', PROFILE, PATTERN, '--source-path', FOLDER, '--format', 'json').stdout)
check('JSON has the same functions', [row['function'] for row in document['functions']] == list(ours))
for row in document['functions']:
    check(f"{row['function']}: its lines add up to what it took itself", sum(line['flat'] for line in row['lines']) == row['flat'] <= row['cum'], row)
    with open(row['found'], encoding='utf-8') as source:
        lines = source.read().split('\n')
    check(f"{row['function']}: the text of its lines", all(lines[line['line'] - 1] == line['text'] for line in row['lines']), row)

focused = run('source', PROFILE, 'fib', '--focus', 'nothing has this name')
check('what the filter leaves', focused.returncode == 1 and 'no function matches' in focused.stderr, focused.stderr)

with tempfile.TemporaryDirectory() as folder:
    shutil.copy(PROFILE, f'{folder}/cpu.pb.gz')
    missing = run('source', f'{folder}/cpu.pb.gz', 'main.fib', folder=folder)
    check('without sources it says where they were looked for', 'The source was not found' in missing.stdout and
          f'{folder}/example.org/demo/main.go' in missing.stdout and missing.returncode == 0, missing.stdout)
    bare = [line for line in theirs['main.fib'][1] if not line.startswith(' . .')]
    check('and has the lines with values', [line.split(':')[0] for line in bare] ==
          [line.rstrip(':') for line in functions_of(missing.stdout)['main.fib'][1] if re.fullmatch(r' \S+ \S+ \d+:', line)], missing.stdout)
    os.mkfifo(f'{folder}/main.go')
    pipe = run('source', f'{folder}/cpu.pb.gz', 'main.fib', '--source-path', folder, folder=folder)
    check('a pipe is no source', f'{folder}/main.go: not a file but a pipe' in pipe.stdout, pipe.stdout)
    os.unlink(f'{folder}/main.go')
    with open(f'{FOLDER}/main.go', 'rb') as source, open(f'{folder}/main.go', 'wb') as odd:
        odd.write(source.read().replace(b'fib(n - 1)', b'\x1b]0;title\x07\xff'))
    odd = run('source', f'{folder}/cpu.pb.gz', 'main.fib', '--source-path', folder, folder=folder)
    check('no terminal obeys a source', r'\u001b]0;title\u0007�' in odd.stdout and '\x1b' not in odd.stdout, odd.stdout)

code = run('source', PROFILE, 'main.fib', '--disassembly')
check('where the program is not there, it says so', 'no instructions' in code.stderr and code.returncode == 0, code.stderr)
none = run('source', PROFILE, 'nothing has this name')
check('a pattern without a match', none.returncode == 1 and 'no function matches' in none.stderr, none.stderr)
wrong = run('source', PROFILE, '(')
check('no pattern', wrong.returncode == 1 and 'no regular expression' in wrong.stderr, wrong.stderr)
sys.exit(end())
