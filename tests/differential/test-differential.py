#!/usr/bin/python3
"""Records workloads live and assembles them a second time, as they are and with events missing: operations, links and stacks of the
workload's own threads must be the same, event for event; of all others (a busy machine's, some of whose events are missing) at least
99.9 %.

Needs root and tracefs. `compare.py CLI FOLDER` does the same for recordings that are there already, its first lines tell how.
"""
import os, subprocess, sys, tempfile

import compare

CLI, ADVERSE, WORKLOADS = map(os.path.abspath, sys.argv[1:4])
RUNS = (('pass', '20'), ('mix', '1'), ('child-wait',))
DAMAGED, DAMAGES = 'mix', ('1 % lost', '5 % lost', 'burst lost on one CPU', 'thinned switches')
MOST = 0.001
results = failed = 0


def record(folder, workload, *arguments):
    file = f'{folder}/{workload}.data'
    done = subprocess.run([CLI, 'record', '--form', 'stream', '-o', file, '--', f'{WORKLOADS}/{workload}', *arguments], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'Bail out! recording {workload}: {done.stderr.strip()}')
    return file


def check(name, file, workload, exact):
    """`exact`: of the workload's own threads nothing may differ."""
    global results, failed
    found, ours, operations, links = compare.differences(CLI, file)
    own = {op['tid'] for op in operations if op['task'].startswith(workload)}
    wrong = [difference for difference in found if difference[1] in own]
    good = not (exact and wrong) and len(found) <= max(MOST * len(operations), 4) and len(own) > 1 and len(links) > 10
    results += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {results} {name}: {len(operations)} operations and {len(links)} links, "
          f"{len(found)} differences", flush=True)
    for difference in (wrong + found)[:20]:
        print('#', *difference)


def main():
    if os.geteuid() != 0:
        print('Bail out! these recordings need root')
        return 1
    with tempfile.TemporaryDirectory(prefix='wakepath-differential-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        for run in RUNS:
            file = record(folder, *run)
            check(run[0], file, run[0], True)
            for name, out in compare.damaged(ADVERSE, file, None, folder, DAMAGES) if run[0] == DAMAGED else ():
                check(f'{run[0]}, {name}', out, run[0], False)
    print(f'1..{results}')
    return 1 if failed else 0


sys.exit(main())
