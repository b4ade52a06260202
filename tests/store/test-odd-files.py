#!/usr/bin/python3
"""Files of a store that are no plain files, or have no end: each is refused by name, in little time and memory, and nothing waits."""
import os
import resource
import select
import shutil
import subprocess
import sys
import tempfile

from stores import CLI, HEAD, head, object_path, profile, read, repository, unpack, write
import tap

MOST_KIB = 200 * 1024  # of memory; with sanitizers, which need their own, it is not counted
SANITIZED = b'__asan_init' in open(CLI, 'rb').read()
SECONDS = 20 if SANITIZED else 2  # of a CPU's time


class Run:
    """A command with what it cost. One that waits is ended after a minute, which is its failure."""

    def __init__(self, repo, *args):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([CLI, *args], cwd=repo, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))
            if not has_ended(child, 60):
                child.kill()
            _, status, used = os.wait4(child.pid, 0)
            self.status = child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0), err.seek(0)
            self.text = (out.read() + err.read()).decode()
        self.cpu, self.kib = used.ru_utime + used.ru_stime, used.ru_maxrss

    def __repr__(self):
        return f'status {self.status}, {self.cpu:.2f} s, {self.kib} KiB\n{self.text[:2000]}'

    def cheap(self):
        return self.cpu <= SECONDS and (SANITIZED or self.kib <= MOST_KIB)


def has_ended(child, seconds):
    fd = os.pidfd_open(child.pid)
    ready, _, _ = select.select([fd], [], [], seconds)
    os.close(fd)
    return bool(ready)


def zero(path):
    os.symlink('/dev/zero', path)


def large(path):
    with open(path, 'wb') as file:
        file.truncate(1 << 30)


def terminal(path):
    os.symlink('/dev/tty', path)


KINDS = [('a link to /dev/zero', zero, 'a device'), ('a link to the terminal', terminal, 'a device'), ('a pipe', os.mkfifo, 'a pipe'),
         ('a folder', os.mkdir, 'a folder'), ('a gigabyte', large, 'are not read here')]


def replace(path, make):
    if os.path.isfile(path):
        os.unlink(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    make(path)


def settings():
    """What cannot be read is named, and all else works as without it."""
    for name, make, said in KINDS:
        repo = repository()
        path = os.path.join(repo, '.perun', 'local.yml')
        replace(path, make)
        for command in [('status',), ('check', 'head'), ('range', 'HEAD')]:
            done = Run(repo, *command)
            tap.check(f'local.yml is {name}: {" ".join(command)}', done.status == int(command[0] == 'range') and done.cheap()
                      and path in done.text and said in done.text, done)


def shared():
    """The user's own settings, too."""
    for name, make, said in KINDS:
        repo, path = repository(), os.path.join(os.environ['PERUN_CONFIG_DIR'], 'shared.yml')
        replace(path, make)
        done = Run(repo, 'status')
        tap.check(f'shared.yml is {name}', done.status == 0 and done.cheap() and path in done.text and said in done.text, done)
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def store_files():
    places = [('an index', lambda repo: object_path(repo, HEAD), ('status',), 1),
              ('.changes', lambda repo: object_path(repo, HEAD) + '.changes', ('check', 'head'), 1),
              ('an object', lambda repo: object_path(repo, '263180e038c31fa2555582b235d6cb74a98463ae'), ('show', 'a-memory.perf', 'raw'), 1)]
    for what, place, command, status in places:
        for name, make, said in KINDS:
            repo = unpack('0.16.9')
            path = place(repo)
            replace(path, make)
            done = Run(repo, *command)
            refused = done.status == status and path in done.text and said in done.text
            # of an object that is large only its packed bytes count: no zlib stream begins with zeros
            damaged = make is large and what == 'an object' and done.status == 1 and path in done.text
            tap.check(f'{what} is {name}', (refused or damaged) and done.cheap(), done)


def links():
    """Nothing is written to where a link in a store leads to."""
    for what, suffix, command in [('an index', '', ('add', '--keep-profile', 'new.perf')), ('.changes', '.changes', ('check', 'head'))]:
        repo = unpack('0.16.9')
        path, target = object_path(repo, HEAD) + suffix, os.path.join(repo, 'precious')
        write(target, b'precious\n' if suffix else read(path))
        write(os.path.join(repo, 'new.perf'), profile(HEAD).encode())
        before = read(target)
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(target, path)
        done = Run(repo, *command)
        tap.check(f'{what} that is a link is not written through', done.status == 1 and read(target) == before and os.path.islink(path)
                  and f'{path}: a symbolic link' in done.text, done)
    repo = repository()
    target, log = os.path.join(repo, 'precious'), os.path.join(repo, '.perun', 'logs', head(repo) + '-range.log')
    write(target, b'precious')
    os.symlink(target, log)
    done = Run(repo, 'range', 'HEAD', '--build', 'echo printed; false', '--', 'true')
    tap.check('nor is a log', done.status == 1 and read(target) == b'precious' and b'printed' in read(log), done)


def pending():
    for name, make, said in KINDS[:3]:
        repo = unpack('0.16.9')
        path = os.path.join(repo, '.perun', 'jobs', 'odd.perf')
        replace(path, make)
        for command in [('status',), ('show', 'odd.perf', 'json')]:
            done = Run(repo, *command)
            tap.check(f'a pending profile is {name}: {command[0]}', done.status in (0, 1) and done.cheap(), done)


def shallow():
    for name, make, _ in KINDS:
        repo = repository()
        replace(os.path.join(repo, '.git', 'shallow'), make)
        done = Run(repo, 'status')
        tap.check(f'.git/shallow is {name}', done.status in (0, 1) and done.cheap(), done)


def costly():
    """Small files that libyaml works on for minutes."""
    for name, text, said in [('250 KiB of [', '[' * 256000, 'nested too deep'), ('60,000 maps in each other', '{a: ' * 60000, 'nested too deep'),
                             ('80,000 keys in each other', '{? ' * 80000, 'nested too deep'),
                             ('20,000 anchors', ''.join(f'- &a{i} x\n' for i in range(18000)), 'too many anchors'),
                             ('10,000 tags', ''.join(f'%TAG !a{i}! x\n' for i in range(14000)) + '---\na: b\n', None),
                             ('a product of three lists', 'cmds: [' + 'a,' * 3000 + ']\nargs: [' + 'b,' * 3000 + ']\nworkloads: [' + 'c,' * 3000
                              + ']\n', 'at most 10000'),
                             ('a megabyte', '#' * (1 << 20), 'are not read here')]:
        repo = repository()
        write(os.path.join(repo, '.perun', 'local.yml'), text.encode())
        done = Run(repo, 'range', 'HEAD')
        tap.check(f'local.yml of {name}', done.status == 1 and done.cheap() and (said is None or said in done.text), done)


def pipes():
    """A profile out of a pipe that a shell hands over is read; a named one, which may have no writer, is refused at once."""
    place = tempfile.mkdtemp(prefix='wakepath-pipes-')
    file, named = os.path.join(place, 'x.perf'), os.path.join(place, 'pipe')
    write(file, profile('0' * 40).encode())
    os.mkfifo(named)
    wanted = subprocess.run([CLI, 'query', file, 'all_items_of'], capture_output=True, timeout=60)
    for what in ('cat x.perf | "$CLI" query - all_items_of', 'cat x.perf | "$CLI" query /dev/stdin all_items_of', '"$CLI" query - all_items_of < x.perf',
                 '"$CLI" query <(cat x.perf) all_items_of', 'cat x.perf > pipe & "$CLI" query - all_items_of < pipe'):
        done = subprocess.run(['bash', '-c', what], cwd=place, env={**os.environ, 'CLI': CLI}, capture_output=True, timeout=60)
        tap.check(what, done.returncode == 0 and done.stdout == wanted.stdout != b'', done)
    for args in (['query', named, 'all_items_of'], ['convert', named, 'table'], ['check', named, named], ['info', named], ['view', named]):
        try:
            done = subprocess.run([CLI, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
        except subprocess.TimeoutExpired as hangs:
            done = hangs
        tap.check(f'{args[0]} refuses a named pipe', getattr(done, 'returncode', None) == 1 and 'a pipe' in done.stderr, done)
    shutil.rmtree(place)


pipes()
settings()
shared()
store_files()
links()
pending()
shallow()
costly()
sys.exit(tap.end())
