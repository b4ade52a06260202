#!/usr/bin/python3
"""Killed, crowded, without room: the store stays readable and loses nothing.

test-crash.py CLI [N]: kills N times (200 is the long form)."""
import hashlib
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import time

from stores import CLI, cli, folder, head, object_path, profile, put_profile, read, repository, tree, unpack_object, write
import tap

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 40


def registered(repo, minor):
    """{(path, time): sha1} of an index, read without the program. Raises where it is not whole."""
    path = object_path(repo, minor)
    if not os.path.exists(path):
        return {}
    data = read(path)
    assert data[:8] == b'pidx\2\0\0\0', 'header'
    count, at, found = struct.unpack_from('<I', data, 8)[0], 12, {}
    for _ in range(count):
        mtime, sha1 = struct.unpack_from('<I', data, at)[0], data[at + 4:at + 24].hex()
        nul = data.index(b'\0', at + 24)
        name, at = data[at + 24:nul].decode(), nul + 1
        for _ in range(6):
            at += 4 + struct.unpack_from('<I', data, at)[0]
        found[name, mtime] = sha1
    assert at == len(data), 'length'
    return found


def is_whole(repo, sha1):
    return hashlib.sha1(unpack_object(read(object_path(repo, sha1)))).hexdigest() == sha1


def damage(repo, minor, before):
    """What is wrong with the store, given what must be registered: a sentence, or None."""
    try:
        now = registered(repo, minor)
    except (AssertionError, ValueError, struct.error) as error:
        return f'the index is damaged: {error}'
    lost = [name for name, sha1 in before.items() if now.get(name) != sha1]
    if lost:
        return f'lost: {lost}'
    broken = [name for name, sha1 in now.items() if not is_whole(repo, sha1)]
    return f'broken objects: {broken}' if broken else None


def kill_after(args, repo, delay):
    """Whether it was still running."""
    process = subprocess.Popen([CLI, *args], cwd=repo, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + delay
    while time.monotonic() < end and process.poll() is None:
        pass
    process.kill()
    return process.wait() == -signal.SIGKILL


def check_killing():
    repo, rng = repository(), random.Random(4711)
    minor, killed, problems = head(repo), 0, []
    filler = profile(minor).replace('"uid": "real"', '"uid": "' + 'x' * 100000 + '"')
    begun = time.monotonic()
    for i in range(8):
        cli(repo, 'add', put_profile(repo, f'first-{i}.perf', minor, i, 1500000000 + i))
    usual = (time.monotonic() - begun) / 8
    i = 0
    while killed < KILLS and i < 6 * KILLS:
        i += 1
        before = registered(repo, minor)
        new = f'profile-{i:03}.perf'
        adding = rng.random() < 0.6 or len(before) < 4
        if adding:
            path = os.path.join(repo, new)
            write(path, filler.replace('"amount": 1', f'"amount": {i}').encode())
            args = ['add', path]
        else:
            victim = rng.choice(sorted(before))
            args = ['rm', victim[0]]
        killed += kill_after(args, repo, rng.uniform(0, usual * 1.5))
        if not adding:
            before.pop(victim)
        wrong = damage(repo, minor, before)
        if adding and wrong is None and not os.path.exists(path) and new not in [name for name, _ in registered(repo, minor)]:
            wrong = 'the file is gone, and not registered'
        if wrong:
            problems.append((i, args, wrong))
        done = cli(repo, 'status')
        if done.status != 0 or done.err:
            problems.append((i, args, done))
    tap.check(f'killed {killed} times while adding and removing, {i - killed} times done before', killed >= KILLS and not problems,
              problems or killed)
    for name in list(registered(repo, minor)):
        cli(repo, 'rm', name[0])
    last = cli(repo, 'add', put_profile(repo, 'last.perf', minor))
    tap.check('it goes on working', last.status == 0 and [n for n, _ in registered(repo, minor)] == ['last.perf'], last)
    for i in range(60):  # most in folders of their own
        cli(repo, 'add', put_profile(repo, 'x.perf', minor, 1000 + i, 1600000000 + i))
    left = [name for name in tree(repo) if os.path.basename(name).startswith('.') and not name.endswith('/.index')]
    tap.check('what killed programs left is taken away where others write', len(left) <= killed / 2, left)


def check_killed_while_making():
    rng, problems = random.Random(4712), []
    for _ in range(max(10, KILLS // 8)):
        path = folder()
        kill_after(['init'], path, rng.uniform(0, 0.02))
        again = cli(path, 'init')
        if again.status != 0 and 'store already' not in again.err or cli(path, 'status').status != 0:
            problems.append(again)
    tap.check('killed while making a store: making it again does', not problems, problems)


def check_crowd():
    repo = repository(2)
    minors, per, writers = [head(repo), head(repo, 'HEAD~1')], 6, 8
    for w in range(writers):
        for i in range(per):
            put_profile(repo, f'w{w}-{i}.perf', minors[i % 2], w * 100 + i, 1500000000 + i)
    script = 'for f in "$@"; do "$CLI" add -m "$MINOR" $f || exit 1; done'
    running = []
    for w in range(writers):
        for m in range(2):
            running.append(subprocess.Popen(['/bin/sh', '-c', script, 'sh', *[f'w{w}-{i}.perf' for i in range(m, per, 2)]], cwd=repo,
                                            env={**os.environ, 'CLI': CLI, 'MINOR': minors[m]}, stdout=subprocess.DEVNULL))
    statuses = [process.wait() for process in running]
    found = [name for minor in minors for name, _ in registered(repo, minor)]
    tap.check(f'{len(running)} writers at once lose nothing', set(statuses) == {0} and len(found) == writers * per
              and all(damage(repo, minor, {}) is None for minor in minors), (statuses, sorted(found)))
    names = sorted(name for name, _ in registered(repo, minors[0]))
    half = names[::2]
    running = [subprocess.Popen([CLI, 'rm', name], cwd=repo, stdout=subprocess.DEVNULL) for name in half]
    running += [subprocess.Popen([CLI, 'add', put_profile(repo, f'late-{i}.perf', minors[0], 5000 + i)], cwd=repo,
                                 stdout=subprocess.DEVNULL) for i in range(8)]
    statuses = [process.wait() for process in running]
    tap.check('removing and adding at once', set(statuses) == {0} and sorted(name for name, _ in registered(repo, minors[0]))
              == sorted([*names[1::2], *[f'late-{i}.perf' for i in range(8)]]), statuses)


def check_limit():
    """Files may not grow beyond a limit: the write fails in the middle."""
    repo = repository()
    minor = head(repo)
    cli(repo, 'add', put_profile(repo, 'a.perf', minor))
    path = os.path.join(repo, 'big.perf')
    rng = random.Random(4713)
    write(path, profile(minor).replace('"real"', '"' + ''.join(rng.choice('0123456789abcdef') for _ in range(200000)) + '"').encode())
    before = tree(repo)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    done = subprocess.run([CLI, 'add', path], cwd=repo, preexec_fn=limit, capture_output=True, text=True)
    tap.check('no room for the object: nothing changes', done.returncode == 1 and tree(repo) == before and os.path.exists(path)
              and 'could not be saved' in done.stderr, done)
    tap.check('with room it goes', cli(repo, 'add', path).status == 0)


def check_full_disk():
    place = folder()
    if os.geteuid() != 0 or subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=400k', 'none', place], capture_output=True).returncode != 0:
        tap.check('a full disk # SKIP a small file system cannot be mounted here', True)
        return
    try:
        repo = os.path.join(place, 'repo')
        subprocess.run(f'git init -q {repo} && rm -rf {repo}/.git/hooks && git -C {repo} commit -q --allow-empty -m x', shell=True, check=True)
        minor, rng, failed, problems = head(repo), random.Random(4714), 0, []
        tap.check('a store on a small disk', cli(repo, 'init').status == 0)
        for i in range(60):
            before = registered(repo, minor)
            name = f'{i}.perf'
            source = os.path.join(folder(), name)
            noise = ''.join(rng.choice('0123456789abcdef') for _ in range(20000))
            write(source, profile(minor, i).replace('"real"', f'"{noise}"').encode())
            done = cli(repo, 'add', source)
            failed += done.status != 0
            wrong = damage(repo, minor, before)
            if wrong or (done.status != 0 and not os.path.exists(source)) or cli(repo, 'status').status != 0:
                problems.append((i, wrong, done))
            if failed > 5:
                break
        tap.check(f'a full disk loses nothing ({failed} refused)', failed > 0 and not problems and len(registered(repo, minor)) > 3,
                  problems or registered(repo, minor))
        victim = sorted(registered(repo, minor))[0][0]
        tap.check('removing may fail, and loses nothing', cli(repo, 'rm', victim).status in (0, 1) and damage(repo, minor, {}) is None)
    finally:
        subprocess.run(['umount', place], check=False)


check_killing()
check_killed_while_making()
check_crowd()
check_limit()
check_full_disk()
sys.exit(tap.end())
