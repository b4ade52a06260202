"""What the tests of the store share: the program, unpacked stores, profiles made on the spot, indexes and objects taken apart
without the program's own code."""
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data')
ERAS = ['0.15.4', '0.16.9', '0.20', 'devel-2024-03']
CLI = os.path.abspath(sys.argv[1])
HEAD = '4d91f7b2eca706d8ab736a0980383703ac796a93'

# Nothing of the user's own settings, dates in UTC; the folder is removed when the process ends.
_tmp = tempfile.TemporaryDirectory(prefix='wakepath-store-')
TMP = _tmp.name
os.environ.update(TZ='UTC', HOME=TMP, XDG_CONFIG_HOME=TMP, PERUN_CONFIG_DIR=TMP, LC_ALL='C.UTF-8', GIT_CONFIG_NOSYSTEM='1',
                  GIT_AUTHOR_NAME='A', GIT_AUTHOR_EMAIL='a@example.org', GIT_COMMITTER_NAME='A', GIT_COMMITTER_EMAIL='a@example.org')
_count = 0


def folder():
    """A new empty one."""
    global _count
    _count += 1
    path = os.path.join(TMP, str(_count))
    os.mkdir(path)
    return path


def unpack(era):
    """The repository of that era's store, its files belonging to who runs this."""
    into = folder()
    with tarfile.open(os.path.join(DATA, f'store-{era}.tar.gz')) as tar:
        for member in tar.getmembers():
            member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), '', ''
            tar.extract(member, into)
    return os.path.join(into, 'repo')


def repository(commits=1):
    """A new repository with so many commits, and an empty store."""
    path = folder()
    subprocess.run(['git', 'init', '-q', '-b', 'main', path], check=True)
    for i in range(commits):
        subprocess.run(['git', '-C', path, 'commit', '-q', '--allow-empty', '-m', f'Commit {i}'], check=True)
    cli(path, 'init')
    return path


def head(repo, name='HEAD'):
    return subprocess.run(['git', '-C', repo, 'rev-parse', name], check=True, capture_output=True, text=True).stdout.strip()


class Result:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def __repr__(self):
        return f'status {self.status}\n{self.out}\n{self.err}'

    def json(self):
        return json.loads(self.out)

    def lines(self):
        return [json.loads(line) for line in split_documents(self.out)]


def split_documents(text):
    """JSON objects one after the other."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        _, n = decoder.raw_decode(text[at:])
        yield text[at:at + n]
        at += n


def cli(repo, *args, input=None, stdin=subprocess.DEVNULL):
    return Result(subprocess.run([CLI, *args], cwd=repo, input=input, stdin=None if input is not None else stdin,
                                 capture_output=True, text=True, timeout=120))


def tree(repo):
    """Hashes of all of the store's files but the lock, by path."""
    found = {}
    for base, _, names in os.walk(os.path.join(repo, '.perun')):
        for name in names:
            path = os.path.join(base, name)
            with open(path, 'rb') as file:
                found[os.path.relpath(path, repo)] = hashlib.sha1(file.read()).hexdigest()
    found.pop('.perun/.lock', None)
    return found


def object_path(repo, sha1):
    return os.path.join(repo, '.perun', 'objects', sha1[:2], sha1[2:])


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def unpack_object(data):
    """What is in an object, as far as it can be unpacked."""
    machine, out = zlib.decompressobj(), b''
    try:
        out = machine.decompress(data)
        return out + machine.flush()
    except zlib.error:
        return out


def index(entries, version=2):
    """An index of the layout up to 0.21: (time, sha1, path, type, cmd, args, workload, collector, postprocessors) each."""
    out = [b'pidx' + struct.pack('<II', version, len(entries))]
    for time, sha1, path, *texts in entries:
        out.append(struct.pack('<I', time) + bytes.fromhex(sha1) + path.encode() + b'\0')
        out += [struct.pack('<I', len(text.encode())) + text.encode() for text in texts]
    return b''.join(out)


def profile(origin=None, amount=1, kind='time'):
    """The text of a small profile."""
    document = {'header': {'type': kind, 'cmd': './a.out', 'args': '-x 1', 'workload': 'in.txt', 'units': {kind: 's'}},
                'collector_info': {'name': 'time', 'params': {}}, 'postprocessors': [],
                'global': {'resources': [{'type': kind, 'amount': amount, 'uid': 'real'}]}}
    if origin:
        document['origin'] = origin
    return json.dumps(document)


def put_profile(repo, name, origin=None, amount=1, time=1500000000, kind='time'):
    path = os.path.join(repo, name)
    write(path, profile(origin, amount, kind).encode())
    os.utime(path, (time, time))
    return path


def stamp(seconds):
    """As expected results write times."""
    from datetime import datetime, timezone
    return datetime.fromtimestamp(seconds, timezone.utc).strftime('%Y-%m-%d %H:%M:%S')


def suppress_leaks():
    """What other people's libraries keep: those of pictures, and libgit2 1.5 does not free what it asks PCRE for."""
    path = os.path.join(TMP, 'suppressions')
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden', 'lsan.supp'), path)
    with open(path, 'a', encoding='utf-8') as out:
        out.write('leak:libpcre2\n')
    os.environ['LSAN_OPTIONS'] = f'suppressions={path}:print_suppressions=0'


suppress_leaks()


def clean():
    shutil.rmtree(TMP, ignore_errors=True)
