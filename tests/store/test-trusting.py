#!/usr/bin/python3
"""A stranger's clone: nothing that its settings or its repository name is run unasked, by any command. What the user types is; and so are
a store's commands once they are trusted, in this folder and as they were shown.

As root all of it is done a second time as another user."""
import os
import pty
import shutil
import subprocess
import sys

from stores import CLI, TMP, folder, profile, write
import tap

NOBODY = 65534
STATE = os.path.join(TMP, 'state')
os.environ['XDG_STATE_HOME'] = STATE
os.environ['WAKEPATH_COLLECTOR'] = '/nonexistent'  # builds are enough to see whether something runs
user = None  # as whom commands are run; None: as who runs this
program = CLI


def identity():
    return {} if user is None else {'user': user, 'group': user, 'extra_groups': []}


def run(repo, *args, **more):
    done = subprocess.run([program, *args], cwd=repo, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, **identity(), **more)
    done.text = done.stdout + done.stderr
    return done


def git(repo, *args):
    return subprocess.run(['git', '-C', repo, *args], check=True, capture_output=True, text=True, **identity()).stdout


def own(path):
    """What this test made belongs to whoever runs the commands."""
    if user is not None:
        subprocess.run(['chown', '-R', f'{user}:{user}', path], check=True)


class Clone:
    """A plain clone of a repository with a tracked store; `runs` is the folder in which whatever runs leaves a file."""

    def __init__(self, settings):
        self.base = folder()
        self.runs, self.repo, source = (os.path.join(self.base, name) for name in ('runs', 'clone', 'source'))
        os.mkdir(self.runs), os.mkdir(source)
        own(self.base)
        subprocess.run(['git', 'init', '-q', '-b', 'main', source], check=True, **identity())
        self.put(source, 'Makefile', 'program:\n\ttrue\n')
        self.put(source, '.gitattributes', '* filter=evil diff=evil merge=evil\n')
        self.put(source, '.perun/local.yml', settings.replace('RUNS', self.runs))
        for each in 'jobs', 'objects', 'logs':
            self.put(source, f'.perun/{each}/.keep', '')
        for i in range(2):
            self.put(source, 'file', f'{i}\n')
            git(source, 'add', '-A')
            git(source, 'commit', '-q', '-m', f'Commit {i}')
        subprocess.run(['git', 'clone', '-q', source, self.repo], check=True, **identity())
        self.settings = os.path.join(self.repo, '.perun', 'local.yml')

    def put(self, repo, name, text):
        write(os.path.join(repo, name), text.encode())
        own(repo)

    def ran(self):
        return sorted(os.listdir(self.runs))

    def ran_now(self):
        """And forgets it."""
        names = self.ran()
        for name in names:
            os.unlink(os.path.join(self.runs, name))
        return names


EVIL = """vcs:
  type: git
  url: ..
cmds:
  - touch RUNS/cmds
  - touch
args: [-c, RUNS/args]
workloads:
  - RUNS/workload
execute:
  pre_run:
    - touch RUNS/pre_run
    - "false"
  post_run: [touch RUNS/post_run]
collectors:
  - name: touch RUNS/collector
    params: {path: RUNS/collector, binary: touch RUNS/collector}
  - name: wakepath
    params: {command: touch RUNS/collector}
postprocessors:
  - name: normalizer
generators:
  workload:
    - id: gen
      type: integer
      runs_with: touch RUNS/generator
degradation:
  collect_before_check: true
  log_collect: true
  apply: first
  strategies:
    - method: average_amount_threshold
format:
  status: "%touch RUNS/format%"
  output_profile_template: "$(touch RUNS/template)"
profiles:
  register_after_run: true
general:
  editor: touch RUNS/editor
  paging: only-log
"""


def refused(done, clone):
    return (done.returncode == 1 and clone.settings in done.stderr and f'$ touch {clone.runs}/pre_run\n' in done.stderr
            and 'wakepath-cli trust' in done.stderr)


def test_refusals():
    """By check and range, whichever part of the settings they would take."""
    clone = Clone(EVIL)
    for args in (['check', 'head'], ['check', 'all'], ['range', 'HEAD'], ['range', 'HEAD~1..HEAD', '--again'], ['range', 'HEAD', '--', 'true']):
        done = run(clone.repo, *args)
        tap.check(f'{" ".join(args)} refuses', refused(done, clone) and clone.ran() == [], (done, clone.ran()))
    done = run(clone.repo, 'range', 'HEAD', '--build', 'true')
    tap.check('a build line of the user’s does not let the programs run', done.returncode == 1 and clone.ran() == []
              and f'$ touch {clone.runs}/cmds -c {clone.runs}/workload\n' in done.stderr and 'pre_run' not in done.stderr, done)
    logs = [name for name in os.listdir(os.path.join(clone.repo, '.perun', 'logs')) if name != '.keep']
    tap.check('nothing was begun', logs == [] and git(clone.repo, 'worktree', 'list').count('\n') == 1, logs)


def test_typed():
    """What is typed is run, and nothing else."""
    clone = Clone(EVIL)
    done = run(clone.repo, 'range', 'HEAD', '--build', f'touch {clone.runs}/typed; false', '--', 'true')
    tap.check('what is typed needs no trust', clone.ran() == ['typed'], (done, clone.ran()))


def hostile_repository(clone):
    """As an archive may bring it: git's own settings name programs everywhere that git would run one."""
    config = os.path.join(clone.repo, '.git', 'config')
    evil = f'touch {clone.runs}/'
    settings = {'core.fsmonitor': evil + 'fsmonitor', 'core.hooksPath': clone.base + '/hooks', 'core.pager': evil + 'pager', 'core.editor': evil + 'editor',
                'core.sshCommand': evil + 'ssh', 'core.askPass': evil + 'askpass', 'core.gitProxy': evil + 'proxy', 'diff.external': evil + 'diff',
                'diff.evil.command': evil + 'diff2', 'diff.evil.textconv': evil + 'textconv', 'filter.evil.clean': evil + 'clean',
                'filter.evil.smudge': evil + 'smudge', 'filter.evil.process': evil + 'process', 'filter.evil.required': 'true',
                'merge.evil.driver': evil + 'merge', 'gpg.program': evil + 'gpg', 'commit.gpgSign': 'true', 'credential.helper': '!' + evil + 'credential',
                'sequence.editor': evil + 'sequence', 'alias.status': '!' + evil + 'alias', 'uploadpack.packObjectsHook': evil + 'pack',
                'trailer.x.command': evil + 'trailer', 'gc.auto': '1', 'submodule.recurse': 'true', 'submodule.x.update': '!' + evil + 'submodule'}
    for key, value in settings.items():
        git(clone.repo, 'config', '--file', config, key, value)
    names = ['post-checkout', 'pre-commit', 'post-commit', 'reference-transaction', 'post-index-change', 'pre-auto-gc', 'post-merge', 'fsmonitor-watchman']
    for place in (os.path.join(clone.base, 'hooks'), os.path.join(clone.repo, '.git', 'hooks')):
        for name in names:
            path = os.path.join(place, name)
            clone.put(place, name, f'#!/bin/sh\ntouch {clone.runs}/hook-{name}\n')
            os.chmod(path, 0o755)
    own(clone.base)


def test_all_commands():
    """Every command that opens a store, in a repository that names programs wherever git has a place for one."""
    clone = Clone(EVIL)
    clone.put(clone.repo, 'new.perf', profile(git(clone.repo, 'rev-parse', 'HEAD').strip()))
    clone.put(clone.repo, 'old.perf', profile(git(clone.repo, 'rev-parse', 'HEAD~1').strip()))
    clone.put(clone.repo, 'file', 'changed\n')
    clone.put(clone.base, 'sample.perf', '')
    hostile_repository(clone)
    sample = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'sample.perf')
    shutil.copy(sample, os.path.join(clone.base, 'sample.perf'))
    own(clone.base)
    for args in (['init'], ['status'], ['log'], ['log', '--history', 'total'], ['add', '--keep-profile', 'new.perf'],
                 ['add', '-m', 'HEAD~1', '--keep-profile', 'old.perf'], ['save', '../sample.perf', '--pending'], ['status', '--short'],
                 ['show', 'new.perf', 'raw'], ['check', 'new.perf', 'old.perf'], ['check', 'head'], ['check', 'profiles', 'new.perf', 'old.perf'],
                 ['diff', 'HEAD~1', 'HEAD'], ['query', '0@i', 'all_resources_of'], ['convert', '0@i', 'table'], ['postprocess', '0@i', 'normalizer'],
                 ['view', '0@i'], ['info', '../sample.perf'], ['trust', '--list'], ['trust'], ['rm', '--yes', '0@i'],
                 ['range', 'HEAD', '--build', 'true', '--', 'true'], ['range', 'HEAD~1', '--build', 'git --version', '--', 'true']):
        done = run(clone.repo, *args)
        tap.check(f'nothing runs by {" ".join(args)}', clone.ran_now() == [] and done.returncode in (0, 1, 3), done)
    log = [open(os.path.join(clone.repo, '.perun', 'logs', name)).read() for name in os.listdir(os.path.join(clone.repo, '.perun', 'logs'))]
    tap.check('work trees were made all the same', any('git version' in text for text in log), log)


def ask(repo, answer):
    """`trust` at a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen([program, 'trust'], cwd=repo, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **identity())
    os.close(slave)
    os.write(master, b'\x04' if answer is None else answer.encode() + b'\n')
    text, _ = child.communicate(timeout=60)
    os.close(master)
    return child.returncode, text


def builds(clone):
    done = run(clone.repo, 'range', 'HEAD')
    names = clone.ran_now()
    return names == ['pre_run'] or (names, done.text)


def test_trusting():
    clone = Clone(EVIL)
    done = run(clone.repo, 'trust')
    tap.check('without a terminal nothing is trusted', done.returncode == 1 and '--yes' in done.stderr, done)
    shown = [f'  $ touch {clone.runs}/pre_run\n', '  $ false\n', f'  $ touch {clone.runs}/cmds -c {clone.runs}/workload\n',
             f'  $ touch {clone.runs}/args {clone.runs}/workload\n', clone.settings]
    tap.check('all that would run is shown', all(line in done.stdout for line in shown) and done.stdout.count('$ ') == 6, done.stdout)
    tap.check('and nothing that would not', all(word not in done.stdout for word in ('collector', 'post_run', 'generator', 'editor')), done.stdout)
    status, text = ask(clone.repo, 'n')
    tap.check('no is no', status == 1 and 'nothing is trusted' in text and builds(clone) is not True, text)
    status, text = ask(clone.repo, None)
    tap.check('the end of the input is no yes', status == 1 and 'nothing is trusted' in text and builds(clone) is not True, text)
    status, text = ask(clone.repo, 'y')
    tap.check('yes is yes', status == 0 and all(line in text for line in shown), text)
    tap.check('then it runs', builds(clone) is True, builds(clone))
    tap.check('from deeper folders too', run(os.path.join(clone.repo, '.perun', 'logs'), 'trust').stdout.endswith('trusted already\n'))
    listed = run(clone.repo, 'trust', '--list')
    tap.check('it is listed', os.path.join(clone.repo, '.perun') + '\n' in listed.stdout, listed)
    modes = [os.stat(os.path.join(base, name)).st_mode & 0o777 for base, _, names in os.walk(STATE) for name in names]
    tap.check('what is kept is the user’s alone', modes and set(modes) == {0o600}, modes)
    return clone


def test_losing(clone):
    text = open(clone.settings).read()
    clone.put(clone.repo, '.perun/local.yml', text.replace('register_after_run: true', 'register_after_run: false'))
    tap.check('other settings may change', builds(clone) is True, builds(clone))
    clone.put(clone.repo, '.perun/local.yml', text.replace('args: [-c', 'args: [-c -m'))
    tap.check('a command that changes is asked about again', refused(run(clone.repo, 'range', 'HEAD'), clone) and clone.ran() == [])
    clone.put(clone.repo, '.perun/local.yml', text)
    tap.check('as it was it is trusted', builds(clone) is True)
    copy = clone.repo + '-copy'
    subprocess.run(['cp', '-a', clone.repo, copy], check=True)
    done = run(copy, 'range', 'HEAD')
    tap.check('a copy is not', done.returncode == 1 and copy + '/.perun/local.yml' in done.stderr and clone.ran() == [], done)
    tap.check('--yes', run(copy, 'trust', '--yes').returncode == 0 and run(copy, 'trust', '--list').stdout.count('\n') == 2)
    os.rename(clone.repo, clone.repo + '-away'), os.rename(copy, clone.repo)
    tap.check('nor is another folder in its place', refused(run(clone.repo, 'range', 'HEAD'), clone) and clone.ran() == [])
    done = run(clone.base, 'trust', '--forget', copy)
    tap.check('--forget, of what is gone', done.returncode == 0 and run(clone.base, 'trust', '--list').stdout.count('\n') == 1, done)
    os.rename(clone.repo, copy), os.rename(clone.repo + '-away', clone.repo)
    tap.check('back again it is', builds(clone) is True)
    done = run(clone.repo, 'trust', '--forget')
    tap.check('--forget', done.returncode == 0 and refused(run(clone.repo, 'range', 'HEAD'), clone) and run(clone.repo, 'trust', '--list').stdout == '', done)
    done = run(clone.repo, 'trust', '--forget')
    tap.check('only once', done.returncode == 1 and 'no commands are trusted' in done.stderr, done)


def test_escapes():
    """What a terminal would obey, or nobody would see, is shown by its number."""
    clone = Clone('execute:\n  pre_run: ["touch RUNS/pre_run;\\e[2K\\rmake\\x9b2J", "a\\n\\e]0;x\\ab", "x \\u202e y\\u200b"]\ncmds: ["true \\x7f"]\n')
    for args in (['range', 'HEAD'], ['trust']):
        done = run(clone.repo, *args)
        text = done.text
        tap.check(f'{args[0]}: no escapes', not any(ord(c) < 32 and c != '\n' or 127 <= ord(c) < 160 or c in '\u202e\u200b' for c in text), text)
        tap.check(f'{args[0]}: they are shown', all(line in text for line in ('pre_run;\\x1b[2K\\x0dmake\\x9b2J\n', '  $ a\n  > \\x1b]0;x\\x07b\n', '$ x \\u202e y\\u200b\n', '$ true \\x7f\n')), text)


def test_long():
    clone = Clone('cmds:\n' + ''.join(f'  - touch RUNS/{i}\n' for i in range(100)) + f'execute:\n  pre_run: touch RUNS/{"x" * 5000}\n')
    done = run(clone.repo, 'range', 'HEAD')
    tap.check('a refusal stays short', done.stderr.count('\n') == 43 and '… and 61 more lines' in done.stderr and len(done.stderr) < 8000, done.stderr)
    done = run(clone.repo, 'trust')
    tap.check('trust shows all', done.stdout.count('$ touch') == 101 and 'x' * 5000 in done.stdout, done.stdout)


def test_own():
    """Settings of the user's own are not a stranger's."""
    clone = Clone('vcs:\n  type: git\n')
    path = os.path.join(os.environ['PERUN_CONFIG_DIR'], 'shared.yml')
    write(path, f'execute:\n  pre_run: [touch {clone.runs}/pre_run, "false"]\ncmds: ["true"]\n'.encode())
    os.chmod(path, 0o644)
    tap.check('shared.yml needs no trust', builds(clone) is True, builds(clone))
    clone.put(clone.repo, '.perun/local.yml', 'args: [--odd]\n')
    done = run(clone.repo, 'range', 'HEAD')
    tap.check('but for what the store puts into its commands', done.returncode == 1 and '$ true --odd' in done.stderr and clone.ran() == [], done)
    os.unlink(path)
    done = run(clone.repo, 'trust')
    tap.check('where nothing would run there is nothing to trust', done.returncode == 0 and 'no commands' in done.stdout, done)


def test_usage():
    clone = Clone('cmds: [x]\n')
    for args in (['--list', '.'], ['--list', '--forget'], ['--yes', '--list'], ['a', 'b'], ['--odd']):
        tap.check(f'trust {" ".join(args)} is wrong', run(clone.repo, 'trust', *args).returncode == 2)
    tap.check('there must be a store', run(TMP, 'trust').returncode == 1)


def test():
    test_refusals()
    test_typed()
    test_all_commands()
    test_losing(test_trusting())
    test_escapes()
    test_long()
    test_own()
    test_usage()


test()
if os.geteuid() == 0:
    os.chmod(TMP, 0o755)
    program = shutil.copy(CLI, TMP)
    STATE = os.environ['XDG_STATE_HOME'] = os.path.join(TMP, 'other-state')
    os.mkdir(STATE)
    os.chown(STATE, NOBODY, NOBODY)
    os.environ['XDG_CACHE_HOME'] = os.path.join(TMP, 'other-cache')
    os.mkdir(os.environ['XDG_CACHE_HOME'])
    os.chown(os.environ['XDG_CACHE_HOME'], NOBODY, NOBODY)
    user = NOBODY
    test()
else:
    print('# not root: not done as another user, too')
sys.exit(tap.end())
