#!/usr/bin/python3
"""check head, all and profiles: the same `.changes` as Perun's, the checks that the settings choose, sets told from noise; formats of
status and log.

test-checking.py CLI"""
import os
import subprocess
import sys

from stores import HEAD, cli, head, object_path, put_profile, read, repository, tree, unpack, write
import tap

STORE = os.path.join('.perun', 'local.yml')


def changes(repo):
    """{path: text} of all that is not empty."""
    return {name: read(os.path.join(repo, name)) for name in tree(repo)
            if name.endswith('.changes') and os.path.getsize(os.path.join(repo, name))}


def settings(repo, text):
    write(os.path.join(repo, STORE), f'vcs:\n  type: git\n  url: {repo}\n{text}'.encode())


def put(repo, minor, name, amount, **more):
    done = cli(repo, 'add', '-m', minor, put_profile(repo, name, head(repo, minor), amount, **more))
    assert done.status == 0, done


def said(result):
    return [(one['check'], verdict['result']) for one in result.json()['checked'] for verdict in one['verdicts']]


def check_perun():
    """The store of 0.16.9 without what its checks had found, then checked again."""
    repo = unpack('0.16.9')
    expected = changes(repo)
    tap.check('Perun has found changes', len(expected) == 2, expected)
    for name in tree(repo):
        if name.endswith('.changes'):
            os.unlink(os.path.join(repo, name))
    done = cli(repo, 'check', 'head')
    tap.check('check head: a degradation', done.status == 3 and '6 changes: 1 optimization, 5 degradations' in done.out, done)
    tap.check('check head: amounts in the unit that fits', 'from 740 ms to 93.0 ms, rate 0.1257\n' in done.out and 'from 293 ms to 3 min 11 s' in done.out, done.out)
    name = os.path.relpath(object_path(repo, HEAD) + '.changes', repo)
    tap.check('check head: the same changes, byte for byte', changes(repo) == {name: expected[name]}, changes(repo))
    done = cli(repo, 'check', 'all')
    tap.check('check all: the same changes, byte for byte', changes(repo) == expected, changes(repo))
    tap.check('check all: all of them', done.status == 3 and done.out.endswith('7 changes: 2 optimizations, 5 degradations\n'), done)
    lines = cli(repo, 'check', 'all', '--format', 'json').lines()
    tap.check('check all as JSON: a commit a line, those with profiles', len(lines) == 6 and lines[0]['commit'] == HEAD, lines)
    tap.check('check all: each against its nearest ancestor', [one['source'][:8] for line in lines for one in line['checked']
                                                               if one['command'] == 'target workload.in'] == ['152e4506', 'a50e0819'], lines)
    tap.check('checking again changes nothing', changes(repo) == expected, changes(repo))
    status = cli(repo, 'status', '--short')
    tap.check('status counts them', '6 changes: 1 optimization, 5 degradations' in status.out, status)
    short = cli(repo, 'log', '--short').out.splitlines()
    tap.check('the short log has their signs', short[0].startswith('4d91f7b2 (')
              and short[0].endswith(' Fix the build of the list +-----') and short[1].endswith(' +'), short)


def check_changes():
    """What is in `.changes` already stays, but for what is found anew."""
    repo = repository(3)
    put(repo, 'HEAD~2', 'a.perf', 1)
    put(repo, 'HEAD', 'a.perf', 5)
    path = object_path(repo, head(repo)) + '.changes'
    old = head(repo, 'HEAD~1')
    write(path, f'zoo PerformanceChange.Optimization time 2.0s 1.0s 0.5 no 0 {old} ./a.out\nno such line\n'
                f'real PerformanceChange.Optimization time 9.0s 1.0s 0.1 no 0 {old} ./a.out -x 1 in.txt'.encode())
    done = cli(repo, 'check', 'head')
    lines = read(path).decode().split('\n')
    tap.check('lines of other places and such that make no sense stay, those of the same are replaced', lines == [
        'no such line', f"real PerformanceChange.Degradation time 1.0s 5.0s 5.0 no 0 {head(repo, 'HEAD~2')} ./a.out -x 1 in.txt",
        f'zoo PerformanceChange.Optimization time 2.0s 1.0s 0.5 no 0 {old} ./a.out'], lines)
    tap.check('a commit between, without profiles, is passed over', done.status == 3 and head(repo, 'HEAD~2')[:8] in done.out, done)
    before = tree(repo)
    done = cli(repo, 'check', 'head', 'HEAD~1')
    tap.check('a commit without profiles', done.status == 0 and tree(repo) == before, done)
    done = cli(repo, 'check', 'head', 'HEAD~2')
    tap.check('nothing older', done.status == 0 and 'No ancestor' in done.out and tree(repo) == before, done)
    write(os.path.join(repo, 'odd.perf'), read(put_profile(repo, 'odd.perf', head(repo), 9)).replace(b'-x 1', b'-y 2'))
    done = cli(repo, 'check', 'profiles', 'HEAD:a.perf', 'odd.perf')
    tap.check('check profiles: of different ones', done.status == 1 and 'differ in' in done.err and tree(repo) == before, done)
    done = cli(repo, 'check', 'profiles', '-m', 'HEAD~2', 'HEAD:a.perf', 'HEAD~2:a.perf')
    kept = read(object_path(repo, head(repo, 'HEAD~2')) + '.changes').decode()
    tap.check('check profiles: kept with the second one’s commit', done.status == 0 and kept
              == f'real PerformanceChange.Optimization time 5.0s 1.0s 0.2 no 0 {head(repo)} ./a.out -x 1 in.txt', (done, kept))
    index = [e for e in cli(repo, 'status', '-m', 'HEAD~2', '--format', 'json').json()['registered']]
    os.truncate(object_path(repo, index[0]['sha1']), 5)
    done = cli(repo, 'check', 'head')
    tap.check('a damaged profile is named', index[0]['sha1'][2:] in done.out and read(path).decode().split('\n') == lines, done)


def check_strategies():
    repo = repository(2)
    put(repo, 'HEAD~1', 'a.perf', 1)
    put(repo, 'HEAD', 'a.perf', 5)
    both = 'degradation:\n  apply: all\n  strategies:\n    - method: bmoe\n      type: time\n    - method: aat\n      collector: time\n' \
           '    - method: average_amount_threshold\n    - method: fast\n      type: memory\n    - method: lreg\n      postprocessor: filter\n'
    tap.check('without rules: the average amounts', said(cli(repo, 'check', 'head', '-f', 'json')) == [('average_amount_threshold', 'Degradation')])
    settings(repo, both)
    checks = [one['check'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('all rules that fit, each check once', checks == ['best_model_order_equality', 'average_amount_threshold'], checks)
    settings(repo, both.replace('apply: all', 'apply: first'))
    checks = [one['check'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('the first rule that fits', checks == ['best_model_order_equality'], checks)
    checks = [one['check'] for one in cli(repo, 'check', 'head', '-f', 'json', '--method', 'aat,int').json()['checked']]
    tap.check('--method counts before rules', checks == ['average_amount_threshold', 'integral_comparison'], checks)
    shared = os.path.join(os.environ['PERUN_CONFIG_DIR'], 'shared.yml')
    write(shared, b'degradation:\n  strategies:\n    - method: aat\n')
    settings(repo, 'degradation:\n  strategies:\n    - method: bmoe\n')
    checks = [one['check'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('rules of the user come after those of the store', checks == ['best_model_order_equality', 'average_amount_threshold'], checks)
    os.unlink(shared)
    settings(repo, 'degradation:\n  strategies:\n    - method: aat\n      cmd: ./b.out\n')
    done = cli(repo, 'check', 'head', '-f', 'json')
    tap.check('no rule fits: no check', done.status == 0 and done.json()['checked'] == [], done)
    for text, message in (('strategies:\n    - method: odd\n', 'there is no check “odd”'), ('apply: some\n', 'neither “all” nor “first”')):
        settings(repo, f'degradation:\n  {text}')
        done = cli(repo, 'check', 'head')
        tap.check(f'settings that make no sense: {message}', done.status == 1 and message in done.err, done)


def check_sets():
    """Repeats: a change beyond the threshold that could be chance is none."""
    repo = repository(2)
    for i, (before, now) in enumerate(((1.0, 3.0), (1.1, 3.1), (0.9, 2.9), (1.05, 3.05))):
        put(repo, 'HEAD~1', f'{i}.perf', before)
        put(repo, 'HEAD', f'{i}.perf', now)
    verdicts = cli(repo, 'check', 'head', '-f', 'json').json()['checked'][0]['verdicts']
    tap.check('all profiles of a configuration count', len(verdicts) == 1 and verdicts[0]['result'] == 'Degradation'
              and (verdicts[0]['baseline_profiles'], verdicts[0]['target_profiles']) == (4, 4) and abs(verdicts[0]['p'] - 2 / 70) < 1e-9
              and abs(verdicts[0]['rate'] - 3) < 0.2, verdicts)
    names = ['0.perf', '1.perf', '2.perf', '3.perf']
    one, two = (','.join(f'{commit}:{name}' for name in names) for commit in ('HEAD~1', 'HEAD'))
    done = cli(repo, 'check', one, two)
    tap.check('sets by their names', done.status == 3 and 'no noise by the test of Mann and Whitney (p = 0.029, adjusted after Benjamini and Hochberg 0.029)' in done.out, done)
    repo = repository(2)
    for i, (before, now) in enumerate(((1, 9), (9, 1), (1, 9), (9, 9), (1, 1))):
        put(repo, 'HEAD~1', f'{i}.perf', before)
        put(repo, 'HEAD', f'{i}.perf', now)
    pair = cli(repo, 'check', 'HEAD~1:0.perf', 'HEAD:0.perf')
    done = cli(repo, 'check', 'head')
    tap.check('a pair of them has changed, all of them have not', pair.status == 3 and done.status == 0 and '1 without a change' in done.out
              and not os.path.exists(object_path(repo, head(repo)) + '.changes'), (pair, done))
    done = cli(repo, 'check', 'HEAD~1:0.perf,HEAD~1:2.perf', 'HEAD:0.perf')
    tap.check('too few for a test: the threshold decides', done.status == 3 and 'too few to tell noise' in done.out, done)
    for wrong in (['HEAD:0.perf,', 'HEAD:1.perf'], ['HEAD:0.perf', ''], ['head', 'nobody'], ['some', 'HEAD', 'HEAD', 'HEAD'], ['all', 'nobody'],
                  ['profiles', 'HEAD:0.perf'], ['odd']):
        done = cli(repo, 'check', *wrong)
        tap.check(f'wrong: {wrong}', done.status in (1, 2) and done.err.startswith('wakepath-cli: '), done)


def check_branches():
    """Two branches of a merge: what is nearer counts, and the first parent's where both are as near."""
    repo = repository(1)
    put(repo, 'HEAD', 'a.perf', 1)
    git = ['git', '-C', repo, '-c', 'commit.gpgsign=false']
    subprocess.run([*git, 'checkout', '-q', '-b', 'side'], check=True)
    for i in range(2):
        subprocess.run([*git, 'commit', '-q', '--allow-empty', '-m', f'Side {i}'], check=True)
    put(repo, 'side~1', 'a.perf', 2)
    subprocess.run([*git, 'checkout', '-q', 'main'], check=True)
    subprocess.run([*git, 'commit', '-q', '--allow-empty', '-m', 'Main'], check=True)
    put(repo, 'main', 'a.perf', 4)
    subprocess.run([*git, 'merge', '-q', '--no-ff', '-m', 'Merge', 'side'], check=True, stdout=subprocess.DEVNULL)
    put(repo, 'HEAD', 'a.perf', 8)
    sources = [one['source'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('the nearest ancestor', sources == [head(repo, 'HEAD^1')], sources)
    os.remove(object_path(repo, head(repo, 'HEAD^1')))
    sources = [one['source'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('without it the next one: of two as near that of the first parent', sources == [head(repo, 'HEAD~2')], sources)
    os.remove(object_path(repo, head(repo, 'HEAD~2')))
    sources = [one['source'] for one in cli(repo, 'check', 'head', '-f', 'json').json()['checked']]
    tap.check('then the other branch', sources == [head(repo, 'side~1')], sources)


def check_formats():
    repo = repository(2)
    put(repo, 'HEAD', 'a-long-name.perf', 1)
    settings(repo, 'format:\n  status: "| %source:8% | %type% | %odd% | 100% %cmd:2%|"\n  shortlog: "%checksum:6% [%stats%] %author% %desc:4%."\n')
    lines = cli(repo, 'status').out.splitlines()
    tap.check('format.status: widths, other texts', any(line == '   0@i  | a-long-n | time | %odd% | 100% ./a|' for line in lines), lines)
    lines = cli(repo, 'log', '--short').out.splitlines()
    tap.check('format.shortlog', lines == [f'{head(repo)[:8]} [1|0|0|1 profiles] A Comm.',
                                              f"{head(repo, 'HEAD~1')[:8]} [--no--profiles--] A Comm."], lines)
    settings(repo, 'format:\n  status: "%time:99999999999999999999% %"\n  shortlog: ""\n')
    done = cli(repo, 'status')
    tap.check('a width that is none stays text', done.status == 0 and '%time:99999999999999999999% %' in done.out, done)
    tap.check('an empty format', cli(repo, 'log', '--short').out == '\n\n')


check_perun()
check_changes()
check_strategies()
check_sets()
check_branches()
check_formats()
sys.exit(tap.end())
