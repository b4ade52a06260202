#!/usr/bin/python3
"""What the command line writes: test-output.py CLI

Whatever names, subjects, settings and errors hold, nothing that is written commands a terminal, nor is it a formula to a spreadsheet. In JSON
the text is the same as ever."""
import csv
import io
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap  # noqa: E402
from stores import CLI, clean, folder, head, object_path, read, repository, write  # noqa: E402,F401

ODD = 'a\x1b[2Jb\x9b31mc\x07d\u202ee\u2066f\x7fg'  # the screen, colour by 8 bits, the bell, turned around
ODD_FILE = ODD.replace('\x07', '')
COMMANDS = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udc9f]')
SCRIPT = """swapper/0     0 [000] 1.000000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=NAME next_pid=100 next_prio=120
NAME 100/100 [000] 1.030000000: sched:sched_switch: prev_comm=NAME prev_pid=100 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
"""


def run(repo, *args, **options):
    return subprocess.run([CLI, *args], cwd=repo, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={**os.environ, 'WAKEPATH_COLLECTOR': '/nonexistent'}, **options)


def text_of(data):
    return data.decode('utf-8', 'surrogateescape').replace('\r\n', '\n')


def harmless(repo, *args, statuses=(0, 1, 2, 3), shows=True):
    """Runs a command whose output has the odd text in it, as it may be shown."""
    done = run(repo, *args)
    said = text_of(done.stdout) + text_of(done.stderr)
    name = ' '.join(args).encode('unicode_escape').decode()
    tap.check(f'{name}: nothing in it is for the terminal', done.returncode in statuses and not COMMANDS.search(said), done)
    if shows:
        tap.check(f'{name}: and it is there', '[2Jb' in said, done)
    return done


def profile(origin, cells):
    resources = [{'type': 'time', 'amount': i + 1, 'uid': uid, 'trace': [{'function': uid, 'source': ODD, 'line': 1}],
                  'snapshot': 0, 'structure-unit-size': i} for i, uid in enumerate(cells)]
    return {'header': {'type': 'time', 'cmd': ODD, 'args': ODD, 'workload': ODD, 'units': {'time': 's'}},
            'collector_info': {'name': ODD, 'params': {ODD: ODD}}, 'postprocessors': [], 'origin': origin,
            'global': {'resources': resources}}


def make():
    repo = repository()
    subprocess.run(['git', '-C', repo, 'commit', '-q', '--allow-empty', '-m', f'Subject {ODD}\n\nBody {ODD}', '--author', f'{ODD} <a@b>'], check=True)
    document = profile(head(repo), [ODD, 'plain', *FORMULAS, *NUMBERS])
    write(os.path.join(repo, 'odd.perf'), json.dumps(document, ensure_ascii=False).encode())
    write(os.path.join(repo, f'name-{ODD_FILE}.perf'), json.dumps(document).encode())
    write(os.path.join(repo, 'odd.txt'), SCRIPT.replace('NAME', 'a\x1b[2Jb').encode())
    write(os.path.join(repo, 'bytes.txt'), SCRIPT.encode().replace(b'NAME', b'a\x9b[2Jb'))
    return repo, document


FORMULAS = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '=HYPERLINK("x","y")', '-', '+', '-inf', '+0x10']
NUMBERS = ['-5', '+3.5e-7', '-1e+9', '+1']


SILENT = ['diff', 'check', 'save', '--history', 'bytes.txt', 'unique_resource_values_of']  # they have no name to say


def check_terminal(repo):
    name = f'name-{ODD_FILE}.perf'
    for command in (['show', 'odd.perf'], ['show', 'odd.perf', 'raw'], ['show', 'odd.perf', 'json'], ['show', name, 'file'], ['query', 'odd.perf', 'all_items_of'],
                    ['query', 'odd.perf', 'all_resources_of'], ['convert', 'odd.perf', 'table'],
                    ['convert', 'odd.perf', 'table', '--format', 'tsv'], ['convert', 'odd.perf', 'table', '--format', 'json'],
                    ['convert', 'odd.perf', 'flame'], ['convert', 'odd.perf', 'bars', '--per', 'snapshot'], ['view', 'odd.perf', 'resources'],
                    ['tasks', 'odd.txt'], ['operations', 'odd.txt'], ['report', 'odd.txt'], ['report', 'odd.txt', '--format', 'json'], ['tasks', 'bytes.txt'],
                    ['flame', 'odd.txt', '--task', '100', '--format', 'json'], ['flame', 'odd.txt', '--task', '100', '--format', 'folded'],
                    ['report', name], ['info', name], ['save', 'odd.txt', '--pending'],
                    ['add', 'odd.perf', '--keep-profile'], ['add', name], ['status'], ['status', '--format', 'json'],
                    ['log'], ['log', '--short'], ['log', '--format', 'json'], ['log', '--history', 'total'], ['log', '--history', 'total', '--format', 'csv'],
                    ['diff', 'HEAD', 'HEAD~1'], ['check', 'odd.perf', 'odd.perf'], ['check', 'odd.perf', 'odd.perf', '--format', 'json'], ['diff', 'odd.perf', 'odd.perf', '--format', 'text'],
                    [ODD], ['show', ODD], ['show', '0@i', ODD], ['report', ODD], ['report', 'odd.txt', '--task', ODD], ['report', 'odd.txt', '--format', ODD],
                    ['log', ODD], ['log', f'--{ODD}'], ['status', '-m', ODD], ['query', 'odd.perf', ODD], ['query', 'odd.perf', 'unique_resource_values_of', ODD],
                    ['convert', 'odd.perf', ODD], ['range', ODD], ['range', 'HEAD', '--build', 'false', '--', 'true'], ['init', '--vcs-type', ODD], ['rm', ODD]):
        harmless(repo, *command, shows=not any(each in command for each in SILENT) and command[:2] != ['add', 'odd.perf'])
    out = os.path.join(repo, 'out.folded')
    run(repo, 'flame', 'odd.txt', '--task', '100', '-o', out)
    tap.check('a file is no different', os.path.exists(out) and not COMMANDS.search(text_of(read(out))), read(out) if os.path.exists(out) else None)
    with open(os.path.join(repo, '.perun', 'local.yml'), 'a', encoding='utf-8') as file:
        file.write('cmds:\n  - "a\\e[2Jb"\ncollectors:\n  - name: "c\\e[2Jb"\n    params:\n      rate: "r\\e[2Jb"\n')
    harmless(repo, 'range', 'HEAD')


def check_json(repo, document):
    for command in (['convert', 'odd.perf', 'table', '--format', 'json'], ['status', '--format', 'json']):
        done = run(repo, *command)
        tap.check(f'{command[0]}: the same text in JSON', ODD in strings(json.loads(done.stdout)), done)
    done = run(repo, 'show', 'odd.perf', 'json')
    tap.check('a profile is the same document', json.loads(done.stdout) == {key: document[key] for key in document if key != 'origin'}, done)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in (value.values() if isinstance(value, dict) else value):
            yield from strings(each)


def check_csv(repo):
    done = run(repo, 'convert', 'odd.perf', 'table', '--format', 'csv')
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    cells = [row['uid'] for row in rows]
    tap.check('a formula is a text to a spreadsheet', cells[2:2 + len(FORMULAS)] == ["'" + each for each in FORMULAS], cells)
    tap.check('a number is one', cells[-len(NUMBERS):] == NUMBERS and 'plain' in cells, cells)
    subprocess.run(['git', '-C', repo, 'commit', '-q', '--allow-empty', '-m', '=1+1'], check=True)
    write(os.path.join(repo, 'two.perf'), json.dumps(profile(head(repo), ['x'])).encode())
    run(repo, 'add', 'two.perf')
    done = run(repo, 'log', '--history', 'total', '--format', 'csv')
    subjects = [row['subject'] for row in csv.DictReader(io.StringIO(done.stdout.decode()))]
    tap.check('so in a history', "'=1+1" in subjects, (done, subjects))


def check_lines():
    """A value cannot pretend to be a line of its own."""
    repo = repository()
    fake = 'x\ncollector: faked\u2028y\r\nwakepath-cli: faked'
    document = profile(head(repo), [fake, 'plain'])
    document['header'].update(cmd=fake, args=fake, workload=fake)
    write(os.path.join(repo, 'fake.perf'), json.dumps(document).encode())
    write(os.path.join(repo, 'strange.perf'), json.dumps(document | {'header': document['header'] | {'type': fake}}).encode())
    for args in (['show', 'fake.perf', 'raw'], ['info', 'fake.perf'], ['check', 'fake.perf', 'fake.perf'], ['add', '--keep-profile', 'strange.perf'],
                 ['add', '--keep-profile', 'fake.perf'], ['check', 'head'], ['status'], ['show', '0@i', 'raw'], ['show', fake]):
        said = run(repo, *args)
        text = text_of(said.stdout) + text_of(said.stderr)
        tap.check(f'{" ".join(args)[:30].encode("unicode_escape").decode()}: no line is faked', text != ''
                  and not re.search('^(collector|wakepath-cli): faked', text, re.MULTILINE), said)
    said = text_of(run(repo, 'show', 'fake.perf', 'raw').stdout)
    tap.check('line ends are seen', 'cmd: x\\u000acollector: faked\\u2028y\\u000d\\u000awakepath-cli: faked\n' in said and len(said.splitlines()) == 10, said)


def main():
    repo, document = make()
    check_terminal(repo)
    check_json(repo, document)
    check_csv(repo)
    check_lines()
    clean()
    return tap.end()


sys.exit(main())
