#!/usr/bin/python3
"""Records small workloads live, damages the recordings in every way, and takes each through everything the program does: nothing
crashes, invariants hold, categories sum, none but unaccounted grows by more than 5 % of the total (with most seeds: what is
recorded on a busy machine differs from time to time). Needs root and tracefs.
"""
import os, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners

CLI, ADVERSE, WORKLOADS = map(os.path.abspath, sys.argv[1:4])
MEMORY = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None  # thousands of files are written and thrown away
results = 0
failed = 0


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def adverse(name, *arguments):
    global results, failed
    done = run(ADVERSE, *arguments, env=dict(os.environ, TMPDIR=MEMORY) if MEMORY else None)
    results += 1
    failed += done.returncode != 0
    print(f"{'ok' if done.returncode == 0 else 'not ok'} {results} {name}", flush=True)
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    for i, line in enumerate(lines):
        if 'WRONG' in line or 'GROWN' in line or 'random damages' in line or 'cut at' in line or done.returncode < 0:
            print('#', lines[i - 1].strip() if 'GROWN' in line else '', line.strip())


def record(folder, workload, *arguments):
    file = f'{folder}/{workload}.data'
    done = run(CLI, 'record', '--form', 'stream', '-o', file, '--', f'{WORKLOADS}/{workload}', *arguments, cwd=folder)
    if done.returncode != 0:
        sys.exit(f'Bail out! recording {workload}: {done.stderr.strip()}')
    return file


def main():
    if os.geteuid() != 0:
        print('Bail out! these recordings need root')
        return 1
    with tempfile.TemporaryDirectory(prefix='wakepath-adverse-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        with Spinners(WORKLOADS) as spinners:
            files = {name: record(folder, name, *arguments) for name, *arguments in (('pass', '60', '10000'), ('mix', '2'))}
        adverse('pass: damaged in every way', *spinners.options, '--typical', '--seeds', '3', '--others', '1', files['pass'])
        adverse('mix: damaged at random', *spinners.options, '--random', '2000', '--seconds', '8', files['mix'])
        adverse('mix: cut at many places', *spinners.options, '--truncate', '--others', '1', '--seconds', '5', files['mix'])
        adverse('mix: cut at every byte', *spinners.options, '--truncate', '--step', '1', '--last', '65536', '--others', '0', '--seconds', '5',
                files['mix'])
    print(f'1..{results}')
    return 1 if failed else 0


sys.exit(main())
