#!/usr/bin/python3
"""What others have made: a clone, an archive, a neighbour's files where ours are expected. test-hostile.py CLI

Nothing outside of what the user opened is removed or used. Run by root, everything is done a second time as an ordinary user, with root as the
stranger; the program is run as it would be from a shell, and what its user types is all that is trusted."""
import os
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end  # noqa: E402

CLI = os.path.abspath(sys.argv[1])
ORDINARY, STRANGER = 60997, 60998  # nobody's numbers
DEAD = 'wakepath-000000000000-4000000000-00000000'  # as work trees were called whose maker is gone, and as any may be called
LIKE_OURS = 'wakepath-0123456789abcdef'
RANGE = ('range', 'HEAD', '--build', 'false', '--', '/bin/true')  # ends before anything is recorded


class User:
    def __init__(self, uid, work):
        self.uid, self.work, self.count = uid, work, 0
        self.name = 'root' if uid == 0 else 'an ordinary user'
        self.home = os.path.join(work, 'own-home')
        os.mkdir(self.home)
        self.env = {**os.environ, 'HOME': self.home, 'LC_ALL': 'C.UTF-8', 'GIT_CONFIG_NOSYSTEM': '1', 'TMPDIR': os.path.join(work, 'tmp'),
                    'GIT_AUTHOR_NAME': 'A', 'GIT_AUTHOR_EMAIL': 'a@example.org', 'GIT_COMMITTER_NAME': 'A', 'GIT_COMMITTER_EMAIL': 'a@example.org'}
        for name in ('XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'PERUN_CONFIG_DIR', 'SUDO_UID'):
            self.env.pop(name, None)
        os.mkdir(self.env['TMPDIR'])
        os.chmod(self.env['TMPDIR'], 0o777)
        self.own(work)

    def own(self, path):
        for base, _, names in os.walk(path):
            for each in (base, *(os.path.join(base, name) for name in names)):
                os.lchown(each, self.uid, self.uid)

    def run(self, *command, cwd, **env):
        if os.getuid() == 0 and self.uid != 0:
            command = ('setpriv', f'--reuid={self.uid}', f'--regid={self.uid}', '--clear-groups', '--', *command)
        return subprocess.run(command, cwd=cwd, env={**self.env, **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def cli(self, cwd, *args, **env):
        return self.run(os.path.join(self.work, '..', 'cli'), *args, cwd=cwd, **env)

    def git(self, cwd, *args):
        done = self.run('git', '-c', 'protocol.file.allow=always', *args, cwd=cwd)
        assert done.returncode == 0, done
        return done.stdout.strip()

    def check(self, what, good, seen):
        check(f'{self.name}: {what}', good, seen)

    def folder(self):
        self.count += 1
        path = os.path.join(self.work, str(self.count))
        os.mkdir(path)
        os.lchown(path, self.uid, self.uid)
        return path

    def repository(self, folder, name='repo', store=True):
        path = os.path.join(folder, name)
        self.git(folder, 'init', '-q', '-b', 'main', path)
        self.write(os.path.join(path, 'a.c'), 'int main(){}\n')
        self.git(path, 'add', '.')
        self.git(path, 'commit', '-q', '-m', 'one')
        if store:
            done = self.cli(path, 'init')
            assert done.returncode == 0, done
        return path

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        self.own(os.path.dirname(path))

    def precious(self, folder):
        """A folder with what nobody may take away."""
        path = os.path.join(folder, 'victim')
        for name in ('docs/thesis', '.bashrc', 'recording.data', 'profile.perf'):
            self.write(os.path.join(path, name), 'precious\n')
        return path


def is_whole(path):
    return all(os.path.isfile(os.path.join(path, name)) for name in ('docs/thesis', '.bashrc', 'recording.data', 'profile.perf'))


def set_url(user, repo, url):
    path = os.path.join(repo, '.perun', 'local.yml')
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    user.write(path, '\n'.join(f'  url: {url}' if line.startswith('  url:') else line for line in lines) + '\n')


def entry(user, repository, name, gitdir):
    """What git would take for a work tree's entry."""
    for file, text in (('commondir', '../..'), ('HEAD', 'ref: refs/heads/main'), ('gitdir', gitdir)):
        user.write(os.path.join(repository, 'worktrees', name, file), text + '\n')
    user.own(os.path.join(repository, 'worktrees'))


def clone(user):
    """A bare repository among the files of a cloned one; its settings name that one."""
    folder = user.folder()
    victim, source = user.precious(folder), user.repository(folder, 'source')
    evil = os.path.join(source, 'evil.git')
    user.git(folder, 'clone', '-q', '--bare', source, evil)
    head = user.git(source, 'rev-parse', 'HEAD')
    os.unlink(os.path.join(evil, 'packed-refs'))
    user.write(os.path.join(evil, 'refs', 'heads', 'main'), head + '\n')
    for name in (DEAD, LIKE_OURS):
        entry(user, evil, name, '../../../../victim/.bashrc')
    for name in ('jobs', 'objects', 'logs'):
        user.write(os.path.join(source, '.perun', name, '.keep'), '')
    user.write(os.path.join(source, '.perun', 'local.yml'), 'vcs:\n  type: git\n  url: ../evil.git\ncmds:\n  - "true"\n'
                                                            'degradation:\n  collect_before_check: true\n')
    user.git(source, 'add', '-A', '-f')
    user.git(source, 'commit', '-q', '-m', 'two')
    user.git(folder, 'clone', '-q', source, 'clone')
    clean = user.git(os.path.join(folder, 'clone'), 'status', '--short')
    for command in (('check', 'head'), RANGE, ('log',)):
        done = user.cli(os.path.join(folder, 'clone'), *command)
        user.check(f'a clone takes nothing away by {command[0]}', is_whole(victim) and clean == '', done)
        user.check(f'{command[0]} names file and repository, and what to do', done.returncode == 1 and 'local.yml: vcs.url' in done.stderr
                   and '/evil.git' in done.stderr and 'url: ../' in done.stderr, done)
    done = user.cli(os.path.join(folder, 'clone'), 'status')
    user.check('status names them, too', '/evil.git' in done.stderr, done)
    set_url(user, os.path.join(folder, 'clone'), '../')
    done = user.cli(os.path.join(folder, 'clone'), *RANGE)
    user.check('put right, it works', 'building failed' in done.stdout and is_whole(victim), done)


def archive(user):
    """A repository with its .git, as archives have them."""
    folder = user.folder()
    victim, repo = user.precious(folder), user.repository(folder)
    for name in (DEAD, LIKE_OURS):
        entry(user, os.path.join(repo, '.git'), name, os.path.join(victim, '.bashrc'))
        user.git(repo, 'branch', name)
    done = user.cli(repo, *RANGE)
    user.check('work trees that an archive names stay', is_whole(victim) and 'building failed' in done.stdout, done)
    user.check('so do its entries and branches', all(
        os.path.exists(os.path.join(repo, '.git', 'worktrees', name, 'gitdir')) and user.git(repo, 'rev-parse', '-q', '--verify', name)
        for name in (DEAD, LIKE_OURS)), done)
    shutil.rmtree(os.path.join(repo, '.git', 'worktrees'))
    os.symlink(victim, os.path.join(repo, '.git', 'worktrees'))
    done = user.cli(repo, *RANGE)
    user.check('a link in the place of entries is not followed', is_whole(victim) and sorted(os.listdir(victim))
               == ['.bashrc', 'docs', 'profile.perf', 'recording.data'] and 'worktrees: ' in done.stdout, done)


def temporary(user):
    """A stranger's folder of the name that ours once had, exchanged for a link while it is emptied."""
    folder = user.folder()
    victim, repo, tmp = user.precious(folder), user.repository(folder), user.env['TMPDIR']
    theirs, link = os.path.join(tmp, 'wakepath-range-3999998-y'), os.path.join(tmp, 'wakepath-range-3999999-y')
    os.symlink(victim, link)
    os.mkdir(theirs)
    os.chmod(theirs, 0o777)
    for i in range(3000):
        with open(os.path.join(theirs, f'recording.data.{i}'), 'w', encoding='utf-8'):
            pass
    over = threading.Event()

    def swap():
        while not over.is_set():
            if len(os.listdir(theirs)) < 3000:
                os.rename(theirs, theirs + '-was')
                os.symlink(victim, theirs)
                return
    thread = threading.Thread(target=swap)
    thread.start()
    done = user.cli(repo, *RANGE)
    over.set()
    thread.join()
    user.check('what a link in the temporary folder names stays', is_whole(victim) and 'building failed' in done.stdout, done)
    user.check("a stranger's folder there is left alone", os.path.isdir(theirs) and not os.path.islink(theirs)
               and len(os.listdir(theirs)) == 3000, done)


def places(user):
    """Something of a stranger stands where our own folders are to be."""
    folder = user.folder()
    victim, repo = user.precious(folder), user.repository(folder)
    for variable in ('XDG_CACHE_HOME', 'XDG_STATE_HOME'):
        for name, make in (('a link', lambda path: os.symlink(victim, path)), ('a file', lambda path: user.write(path, '')),
                           ("a stranger's folder", lambda path: (os.mkdir(path), os.chmod(path, 0o777), os.chown(path, STRANGER, STRANGER)))):
            if 'stranger' in name and os.getuid() != 0:
                continue
            shared = user.folder()
            os.chmod(shared, 0o1777)
            make(os.path.join(shared, 'wakepath'))
            done = user.cli(repo, *RANGE, **{variable: shared})
            user.check(f'{name} in {variable} is refused by name', done.returncode == 1 and os.path.join(shared, 'wakepath') in done.stderr
                       and variable in done.stderr and 'building' not in done.stdout, done)
            inside = os.path.join(shared, 'wakepath')
            user.check(f'{name} in {variable} gets nothing of ours', is_whole(victim) and len(os.listdir(victim)) == 4
                       and (not os.path.isdir(inside) or os.path.islink(inside) or not os.listdir(inside)), done)
    for mode, what in ((0o777, 'a folder that anybody may change'), (None, "a folder of a stranger's")):
        shared = user.folder()
        if mode is not None:
            os.chmod(shared, mode)
        elif os.getuid() == 0:
            os.chown(shared, STRANGER, STRANGER)
            os.chmod(shared, 0o1777)
        else:
            continue
        done = user.cli(repo, *RANGE, XDG_CACHE_HOME=os.path.join(shared, 'cache'))
        user.check(f'{what} is no place for a cache', done.returncode == 1 and 'another user can change' in done.stderr, done)
    shared, runtime = user.folder(), user.folder()
    os.chmod(shared, 0o777)
    done = user.cli(repo, *RANGE, XDG_CACHE_HOME=shared, XDG_RUNTIME_DIR=runtime)
    user.check('then the runtime folder will do', 'building failed' in done.stdout and os.listdir(runtime) == ['wakepath']
               and os.listdir(shared) == [], done)


def other_repositories(user):
    """Settings that name a repository which the user has not opened."""
    folder = user.folder()
    repo, other = user.repository(folder), user.repository(folder, 'other', store=False)
    inside = os.path.join(repo, 'inside')
    user.git(repo, 'submodule', '--quiet', 'add', other, 'inside')
    os.symlink(other, os.path.join(repo, 'link'))
    for url in (other, '../../other', '../link', '../inside', os.path.join(other, '.git')):
        set_url(user, repo, url)
        done = user.cli(repo, 'log')
        user.check(f'{os.path.relpath(os.path.join(repo, ".perun", url), folder)} is not used', done.returncode == 1 and not done.stdout
                   and 'local.yml: vcs.url' in done.stderr, done)
    within = os.path.join(inside, '.perun')
    shutil.copytree(os.path.join(repo, '.perun'), within)
    user.own(within)
    set_url(user, inside, '../../')
    done = user.cli(inside, 'log')
    user.check('nor what is around a submodule', done.returncode == 1 and 'local.yml: vcs.url' in done.stderr, done)


def trusted_repositories(user):
    """A repository that settings name is used once its user has said so, for as long as it is that one."""
    folder = user.folder()
    repo, other, third = (user.repository(folder, name, store=name == 'repo') for name in ('repo', 'other', 'third'))
    user.git(other, 'commit', '-q', '--allow-empty', '-m', 'of the other')
    beside = os.path.join(folder, 'beside')
    os.mkdir(beside)
    shutil.move(os.path.join(repo, '.perun'), beside)
    user.own(beside)
    os.symlink(other, os.path.join(folder, 'link'))
    set_url(user, beside, '../../link')
    used = lambda: 'of the other' in user.cli(beside, 'log').stdout  # noqa: E731
    done = user.cli(beside, 'log')
    user.check('beside its repository a store asks', done.returncode == 1 and 'wakepath-cli trust' in done.stderr and other in done.stderr, done)
    done = user.cli(beside, 'trust')
    user.check('trust shows the real path', done.returncode == 1 and f'uses the repository {other}, not that' in done.stdout and not used(), done)
    done = user.cli(beside, 'trust', '--yes')
    user.check('once it is trusted it is used', done.returncode == 0 and used() and user.cli(beside, 'status').returncode == 0, done)
    user.check('and need not be again', 'trusted already' in user.cli(beside, 'trust').stdout, None)
    os.unlink(os.path.join(folder, 'link'))
    os.symlink(third, os.path.join(folder, 'link'))
    user.check('a link that leads elsewhere is another one', user.cli(beside, 'log').returncode == 1, None)
    os.unlink(os.path.join(folder, 'link'))
    os.symlink(other, os.path.join(folder, 'link'))
    user.check('as it was it is trusted', used(), None)
    os.rename(other, other + '-away')
    os.rename(third, other)
    user.check('another one in its place is not', user.cli(beside, 'log').returncode == 1, None)
    os.rename(other, third)
    os.rename(other + '-away', other)
    os.rename(os.path.join(other, '.git'), os.path.join(other, 'git-away'))
    shutil.copytree(os.path.join(third, '.git'), os.path.join(other, '.git'))
    user.own(other)
    user.check('nor another .git in it', user.cli(beside, 'log').returncode == 1, None)
    shutil.rmtree(os.path.join(other, '.git'))
    os.rename(os.path.join(other, 'git-away'), os.path.join(other, '.git'))
    done = user.cli(beside, 'trust', '--forget')
    user.check('forgotten it is not used', done.returncode == 0 and not used(), done)


def trusted_within(user):
    """One among the clone's own files may be trusted, too; that it came with them is said."""
    folder = user.folder()
    repo, other = user.repository(folder), user.repository(folder, 'other', store=False)
    user.git(other, 'commit', '-q', '--allow-empty', '-m', 'of the other')
    user.git(repo, 'clone', '-q', '--bare', other, 'evil.git')
    set_url(user, repo, '../evil.git')
    done = user.cli(repo, 'log')
    user.check('a repository among its files is not used', done.returncode == 1 and not done.stdout and 'among its own files' in done.stderr, done)
    done = user.cli(repo, 'trust')
    user.check('trust says where it is from', done.returncode == 1 and 'may have come with them' in done.stdout, done)
    done = user.cli(repo, 'trust', '--yes')
    user.check('trusted it is used', done.returncode == 0 and 'of the other' in user.cli(repo, 'log').stdout, done)
    user.cli(repo, 'trust', '--forget')


def own_repositories(user):
    """The repository that the store lies in may be named in many ways."""
    folder = user.folder()
    repo, other = user.repository(folder), user.repository(folder, 'other', store=False)
    link = os.path.join(folder, 'link')
    os.symlink(repo, link)
    user.git(repo, 'submodule', '--quiet', 'add', other, 'inside')
    user.git(repo, 'worktree', 'add', '-q', os.path.join(folder, 'linked'))
    user.git(repo, 'worktree', 'add', '-q', os.path.join(repo, 'linked-inside'))
    user.git(folder, 'clone', '-q', '--bare', other, 'bare.git')
    user.git(os.path.join(folder, 'bare.git'), 'worktree', 'add', '-q', os.path.join(folder, 'of-bare'))
    os.mkdir(os.path.join(repo, 'sub'))
    cases = [(repo, url) for url in ('../', repo, link, '../.git', '../linked-inside', os.path.join(folder, 'linked'))]
    cases += [(os.path.join(repo, 'sub'), url) for url in ('../', '../../', repo)]
    cases += [(os.path.join(repo, 'inside'), '../'), (os.path.join(folder, 'linked'), repo), (os.path.join(folder, 'linked'), '../'),
              (os.path.join(repo, 'linked-inside'), '../../'), (os.path.join(folder, 'of-bare'), '../'),
              (os.path.join(folder, 'of-bare'), os.path.join(folder, 'bare.git')), (repo, os.path.join(folder, 'gone'))]
    for at, url in cases:
        if not os.path.exists(os.path.join(at, '.perun')):
            shutil.copytree(os.path.join(repo, '.perun'), os.path.join(at, '.perun'))
            user.own(os.path.join(at, '.perun'))
        set_url(user, at, url)
        done = user.cli(at, 'log')
        user.check(f'{os.path.relpath(at, folder)} with {url.replace(folder, "…")} is its own', done.returncode == 0 and 'one' in done.stdout
                   and ('any more' in done.stderr) == url.endswith('gone'), done)


def main():
    with tempfile.TemporaryDirectory(prefix='wakepath-hostile-') as work:
        os.chmod(work, 0o755)
        shutil.copy(CLI, os.path.join(work, 'cli'))  # where an ordinary user can run it
        for uid in sorted({os.getuid(), ORDINARY if os.getuid() == 0 else os.getuid()}):
            folder = os.path.join(work, str(uid))
            os.mkdir(folder)
            user = User(uid, folder)
            for test in (clone, archive, temporary, places, other_repositories, trusted_repositories, trusted_within, own_repositories):
                test(user)
            left = [path for base, _, names in os.walk(user.home) for path in names if 'wakepath-' in base + path]
            user.check('nothing is left in the cache and in the records', not left, left)
    return end()


sys.exit(main())
