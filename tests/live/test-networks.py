#!/usr/bin/python3
"""Two networks of this machine's own, joined by a pair of virtual devices: a client in one asks a server in the other over TCP and
UDP, IPv4 and IPv6. That is recorded, and explained task to task: no address says that both ends are here. Then a far end that no task of
this machine is (far.py): operations with the host and port of both ends. Needs root, and says so. TAP.
usage: test-networks.py CLI WORKLOADS
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end, thrice

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
ROUNDS, WORK_US = 30, 2000
NAMES = [f'wakepath-{side}-{os.getpid()}' for side in 'ab']
HOSTS = {'4': '10.213.7.2', '6': 'fd13:7::2'}
KINDS = ('tcp', 'udp', 'udp-connected')
CHANNELS = {'tcp': r'TCP {} – (10\.213\.7\.1|\[fd13:7::1\]):\d+', 'udp': r'UDP.*:\d+', 'udp-connected': r'UDP.*:\d+'}
last_port = 7200
FAR_ROUNDS, FAR_PAUSE_MS = 10, 4
FAR_HOSTS = {'4': ('10.213.8.1', '10.213.8.2'), '6': ('[fd13:8::1]', '[fd13:8::2]')}


def ip(*arguments):
    subprocess.run(['ip', *arguments], check=True)


def make_networks():
    for name in NAMES:
        ip('netns', 'add', name)
    ip('link', 'add', 'wp-a', 'netns', NAMES[0], 'type', 'veth', 'peer', 'name', 'wp-b', 'netns', NAMES[1])
    for i, (name, device) in enumerate(zip(NAMES, ('wp-a', 'wp-b')), start=1):
        ip('-n', name, 'address', 'add', f'10.213.7.{i}/24', 'dev', device)
        ip('-n', name, 'address', 'add', f'fd13:7::{i}/64', 'dev', device, 'nodad')
        ip('-n', name, 'link', 'set', device, 'up')


def within(side, *command):
    return ['ip', 'netns', 'exec', NAMES[side], f'{WORKLOADS}/exchange', *map(str, command)]


def cli(*arguments):
    done = subprocess.run([CLI, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def table(path, name, *options):
    return [json.loads(line) for line in cli(name, path, '--format', 'json', *options).splitlines()]


def new_port():
    """None is asked at twice: an old answer may be on its way."""
    global last_port
    last_port += 1
    return last_port


def record(path, host, kind, port):
    """Recorded while the server is there; what the client tells."""
    server = subprocess.Popen(within(1, 'answer', host, port, kind, ROUNDS, WORK_US), stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()  # ready
        out = cli('record', '-o', path, '--', *within(0, 'ask', host, port, kind, ROUNDS))
        server.wait(20)
    finally:
        server.kill()
        server.wait()
    return json.loads(out.splitlines()[-1])


def explain(path, told, idle):
    info = json.loads(cli('info', path, '--format', 'json'))
    report = json.loads(cli('report', path, '--task', str(told['pid']), '--from', f"{told['begin_ns'] - info['from']}ns", '--to',
                            f"{told['end_ns'] - info['from']}ns", '--format', 'json', *idle))
    report['ns'] = {category['id']: category['ns'] for category in report['categories']}
    report['rows'] = {category['id']: {row['name']: row['ns'] for row in category['rows']} for category in report['categories']}
    return report


def test_channel(path, told, name, expected, idle):
    """By which socket the asker was woken, as often as it was."""
    via = {op['via'] for op in table(path, 'operations', *idle) if op['tid'] == told['pid'] and op.get('via')}
    check(f'{name}: its wakings name the socket', via and all(re.fullmatch(expected, text) for text in via), (expected, via))


def test_exchange(path, told, name, idle):
    report = explain(path, told, idle)
    rows, total = report['rows'], report['total_ns']
    worked = rows['understood'].get('answer', 0) + rows['not-sampled'].get('answer', 0)
    # on a busy machine the server works while the asker, preempted by it, still waits for a CPU and not yet for the answer
    kept = report['ns']['involuntary'] + report['ns']['scheduler']
    check(f'{name}: at least 99 % accounted', report['accounted_ns'] >= 0.99 * total, rows['unaccounted'])
    check(f'{name}: nothing opaque', report['ns']['blocking-io'] == 0 and report['ns']['hardware'] < total / 100,
          (rows['blocking-io'], rows['hardware']))
    check(f'{name}: the waits are the server’s work', worked + kept >= ROUNDS * WORK_US * 1000 * 0.9, rows)


def test_kind(folder, version, kind, idle):
    host, port = HOSTS[version], new_port()
    path, name = f'{folder}/{kind}{version}.data', f'{kind}, IPv{version}'
    told = record(path, host, kind, port)
    test_exchange(path, told, name, idle)
    test_channel(path, told, name, CHANNELS[kind].format(re.escape(f'[{host}]:{port}' if ':' in host else f'{host}:{port}')), idle)


def test_unix(folder, idle):
    path = f'{folder}/unix.data'
    told = json.loads(cli('record', '-o', path, '--', f'{WORKLOADS}/echo', str(ROUNDS), str(WORK_US), 'unix').splitlines()[-1])
    test_channel(path, told, 'unix', 'Unix socket', idle)


def test_far(path, port, kind, version, idle):
    """What is asked there has two answers, and so two wakings by one operation."""
    here, there = FAR_HOSTS[version]
    name, remote = f'far {kind}, IPv{version}', f'{there}:{port}'
    told = json.loads(cli('record', '-o', path, '--', *within(0, 'ask', there.strip('[]'), port, kind, FAR_ROUNDS)).splitlines()[-1])
    operations = [op for op in table(path, 'operations', *idle) if op['kind'] == 'network' and op['protocol'] == kind[:3]]
    answers = collections.Counter(link['source'] for link in table(path, 'links', *idle) if link['kind'] == 'net')
    twice = [op['end_ns'] - op['start_ns'] for op in operations if answers[op['id']] > 1]
    report, far_ms = explain(path, told, idle), 2 * FAR_PAUSE_MS
    rows = report['rows']['blocking-io']
    check(f'{name}: operations of two answers, as long as those take', twice and min(twice) >= 0.9e6 * far_ms, (operations, answers))
    check(f'{name}: no more than were asked for', len([op for op in operations if 'handshake' not in op]) <= FAR_ROUNDS, operations)
    check(f'{name}: at least 99 % accounted', report['accounted_ns'] >= 0.99 * report['total_ns'], report['rows']['unaccounted'])
    if kind == 'tcp':
        check(f'{name}: one handshake', [op.get('handshake') for op in operations].count(True) == 1, operations)
        check(f'{name}: host and port of both ends', all(op['remote'] == remote and op['local'].startswith(here + ':') for op in operations),
              operations)
    else:  # what is sent without a connection says where to; from which of this machine's addresses is settled later
        check(f'{name}: host and port of the far end, port of this', all(op['remote'] == remote and re.search(r':\d+$', op['local'])
                                                                         for op in operations), operations)
    check(f'{name}: the waits are for {remote}', set(rows) == {remote}, rows)


def test_far_end(folder, idle):
    far = subprocess.Popen(['ip', 'netns', 'exec', NAMES[0], sys.executable, f'{os.path.dirname(os.path.abspath(__file__))}/far.py', 'wp-far',
                            str(FAR_PAUSE_MS)], stdout=subprocess.PIPE, text=True)
    try:
        far.stdout.readline()  # ready
        for port, (kind, version) in enumerate((('tcp', '4'), ('tcp', '6'), ('udp', '4'), ('udp', '6'), ('udp-connected', '4')), start=7300):
            thrice(lambda: test_far(f'{folder}/far-{kind}{version}.data', port, kind, version, idle))
    finally:
        far.kill()
        far.wait()


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    try:
        make_networks()
        with Spinners(WORKLOADS) as spinners, tempfile.TemporaryDirectory(prefix='wakepath-networks-', dir=os.environ.get('WP_TEST_TMP')) as folder:
            for version in HOSTS:
                for kind in KINDS:
                    thrice(lambda: test_kind(folder, version, kind, spinners.options))
            thrice(lambda: test_unix(folder, spinners.options))
            test_far_end(folder, spinners.options)
    finally:
        for name in NAMES:
            subprocess.run(['ip', 'netns', 'del', name], check=False)
    return end()


if __name__ == '__main__':
    sys.exit(main())
