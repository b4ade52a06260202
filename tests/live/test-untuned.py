#!/usr/bin/python3
"""Ten recordings that nobody tuned anything for, made from programs that a Debian system has: what the answer in words says of each must be
its true cause, and at depth Waits the picture of gathered stacks must be low enough to be read at a glance.

Needs root, and says so. TAP.  usage: test-untuned.py CLI WORKLOADS [FOLDER]: recordings are kept there.
"""
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end, thrice

CLI = os.path.abspath(sys.argv[1])
SPINNERS = Spinners(sys.argv[2])
KEPT = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
ROWS = 15
NAME = f'wakepath-untuned-{os.getpid()}'

PROXY = '''
import http.server, os, sys, threading, urllib.request
ports = []
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = str(sum(i * i for i in range(1500000))).encode() if self.server.port is None else \\
            urllib.request.urlopen(f'http://127.0.0.1:{self.server.port}/').read()
        self.send_response(200); self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *arguments): pass
def server(port):
    made = http.server.HTTPServer(('127.0.0.1', 0), Handler)
    made.port = port
    return made
backend = server(None)
if os.fork() == 0:
    open('/proc/self/comm', 'w').write('backend')
    backend.serve_forever()
proxy = server(backend.server_address[1])
open('/proc/self/comm', 'w').write('proxy')
print(proxy.server_address[1], flush=True)
proxy.serve_forever()
'''
CONVOY = '''
import fcntl, os
def work():
    lock = open('lock', 'w')
    for _ in range(10):
        fcntl.flock(lock, fcntl.LOCK_EX)
        sum(i * i for i in range(60000))
        fcntl.flock(lock, fcntl.LOCK_UN)
workers = []
for n in range(5):
    workers.append(os.fork())
    if workers[-1] == 0:
        open('/proc/self/comm', 'w').write(f'worker-{n}')
        work()
        os._exit(0)
for worker in workers:
    os.waitpid(worker, 0)
'''


def run(*command, **how):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **how).stdout


@contextlib.contextmanager
def beside(*commands):
    """These run meanwhile."""
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, process_group=0) for command in commands]
    try:
        yield started
    finally:
        for one in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(one.pid, 15)
            one.wait()
            one.stdout.close()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def write_bytes(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def forget_cached_files():
    os.sync()
    write('/proc/sys/vm/drop_caches', '3')


# Each makes what it needs in the folder it is called in, records, and returns what the answer in words must say: regular expressions.

def package_list(record):
    os.makedirs('cache')
    record('apt-cache', '-o', 'Dir::Cache=cache/', '-o', 'Dir::Cache::pkgcache=p.bin', '-o', 'Dir::Cache::srcpkgcache=s.bin', 'gencaches')
    return [r'For \S+ \S+ it runs', r'apt-cache reads pipe from dpkg']


def compiling(record):
    for i in range(4):
        write(f'f{i}.c', '#include <stdio.h>\n#include <math.h>\n#include <glob.h>\n'
                         + ''.join(f'int f{i}_{k} (double x) {{ return printf ("%g", sin (x)); }}\n' for k in range(100)))
    write('Makefile', 'all: f0.o f1.o f2.o f3.o\n%.o: %.c\n\tgcc -O2 -c $<\n')
    record('make', '-j2')
    return [r'For .* it waits (for child|in \w+ for) gcc; meanwhile cc1 (runs|waits for a CPU) for', r'gcc waits for child cc1']


def database_query(record):
    """By an index whose order is not that of the rows: each row is on another page, none of which is in memory."""
    with contextlib.closing(sqlite3.connect('q.db')) as database:
        database.execute('create table t (a integer, b text)')
        database.executemany('insert into t values (?, ?)', ((i * 7919 % 100003, 'x' * 50 + str(i)) for i in range(150000)))
        database.execute('create index by_a on t (a)')
        database.commit()
    forget_cached_files()
    run(sys.executable, '-c', 'import sqlite3')
    record(sys.executable, '-c', "import sqlite3; sqlite3.connect('q.db').execute('select b from t where a < 3000 order by a').fetchall()")
    return [r'For .* it reads \S+/q\.db on \w+']


def web_request(record):
    with beside([sys.executable, '-c', PROXY]) as (server,):
        port = server.stdout.readline().strip()
        record(sys.executable, '-c', f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{port}/').read()")
    return [r'For .* it (waits in poll for|receives over TCP from) proxy; meanwhile backend (runs|waits for a CPU) for',
            r'proxy (waits in poll for|receives over TCP from) backend']


def parallel_compression(record):
    data = open(CLI, 'rb').read()
    write_bytes('data', (data * (8000000 // len(data) + 1))[:8000000])
    record('xz', '-T2', '-2', '--block-size=2MiB', '-k', 'data')
    return [r'threads together', r'it runs, (mostly|the longest) in']


def lock_convoy(record):
    record(sys.executable, '-c', CONVOY)
    return [r'waits for child worker-\d', r'worker-\d waits for file lock of worker-\d']


def full_disk_queue(record):
    write_bytes('wanted', os.urandom(8 << 20))
    os.sync()
    with beside(*(['dd', 'if=/dev/zero', f'of=w{i}', 'bs=1M', 'count=2000', 'oflag=direct'] for i in range(4))):
        time.sleep(0.2)
        record('dd', 'if=wanted', 'of=/dev/null', 'bs=64k', 'iflag=direct')
    return [r'For .* it reads \S+/wanted on \w+; meanwhile \w+ (queue )?\w+ \S+/(wanted|w\d)']


def name_without_answer(record):
    """Two networks; in the other one is nobody who knows names."""
    os.makedirs(f'/etc/netns/{NAME}')
    try:
        write(f'/etc/netns/{NAME}/resolv.conf', 'nameserver 10.213.9.2\noptions timeout:1 attempts:1\n')
        for line in (f'netns add {NAME}', f'link add wp-u netns {NAME} type veth peer name wp-v netns {NAME}',
                     f'-n {NAME} address add 10.213.9.1/24 dev wp-u', f'-n {NAME} link set wp-u up', f'-n {NAME} link set wp-v up',
                     f'-n {NAME} neigh add 10.213.9.2 lladdr 02:00:00:00:00:01 dev wp-u'):
            run('ip', *line.split())
        record('ip', 'netns', 'exec', NAME, 'getent', 'hosts', 'example.org', status=2)
    finally:
        subprocess.run(['ip', 'netns', 'delete', NAME], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(f'/etc/netns/{NAME}')
    return [r'For [12]\.\d\d s it waits in poll for 10\.\S+:53 until a time limit, without an answer']


def niced_job(record):
    write_bytes('data', open(CLI, 'rb').read()[:2000000])
    # One on each CPU: two of them on one CPU leave the other to gzip.
    with beside(*(['taskset', '-c', str(cpu), 'sh', '-c', 'while :; do :; done'] for cpu in sorted(os.sched_getaffinity(0)))):
        record('nice', '-n', '5', 'gzip', '-k', 'data')
    return [r'\A.*\nFor \S+ \S+ it waits for a CPU; meanwhile (\S+ runs there for \S+ \S+, )?sh runs there for']


def cold_start(record):
    forget_cached_files()
    record(sys.executable, '-c', 'import json, http.client, xml.dom.minidom, unittest, sqlite3')
    return [r'For \S+ \S+ it waits for \w+, \d+ different files or calls together']


CASES = [package_list, compiling, database_query, web_request, parallel_compression, lock_convoy, full_disk_queue, name_without_answer, niced_job,
         cold_start]


def flame(path, *options):
    return run(CLI, 'flame', *options, *SPINNERS.options, path)


def rows_at_waits(path):
    """Of the tallest of gathered stacks, and of all lanes of the picture in time order: these are more where others want the CPU."""
    gathered = flame(path, '--consolidated', '--depth', 'waits', '--format', 'folded').splitlines()
    in_time = json.loads(flame(path, '--depth', 'waits', '--format', 'json'))['rows']
    return max(line.count(';') + 1 for line in gathered), len(in_time)


def totals(path):
    """The explanation's, and those of the gathered stacks at each depth."""
    stacks = [flame(path, '--consolidated', '--depth', depth, '--format', 'folded').splitlines() for depth in ('waits', 'functions', 'all')]
    told = json.loads(run(CLI, 'report', '--format', 'json', *SPINNERS.options, path))['total_ns']
    return [told] + [sum(int(line.rsplit(' ', 1)[1]) for line in lines) for lines in stacks]


def one(case, folder):
    what = case.__name__.replace('_', ' ')
    path = os.path.join(KEPT or folder, f'{case.__name__}.perf')
    own = os.path.join(folder, case.__name__)

    def record(*command, status=0):
        done = subprocess.run([CLI, 'record', '--output', path, '--', *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        assert done.returncode == status, done.stderr

    os.makedirs(own)
    os.chdir(own)
    expected = case(record)
    os.chdir('/')
    said = run(CLI, 'report', '--summary', *SPINNERS.options, path)
    print(''.join(f'# {line}\n' for line in said.splitlines()[:10]), end='')
    for pattern in expected:
        check(f'{what}: the answer says “{pattern}”', re.search(pattern, said, re.MULTILINE), said)
    rows, in_time = rows_at_waits(path)
    print(f'# in time order, with all lanes: {in_time} rows')
    check(f'{what}: {rows} rows at depth Waits', rows <= ROWS, rows)
    check(f'{what}: the same total at each depth', len(set(totals(path))) == 1, totals(path))
    shutil.rmtree(own)
    if KEPT is None:
        os.unlink(path)


def main():
    if os.geteuid() != 0:
        print('1..0 # SKIP recording needs root')
        return
    with SPINNERS, tempfile.TemporaryDirectory(dir='/var/tmp', prefix='wakepath-untuned.') as folder:
        for case in CASES:
            thrice(lambda case=case: one(case, folder))
    end()


main()
