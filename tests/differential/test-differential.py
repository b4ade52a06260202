#!/usr/bin/python3
"""Records workloads live and assembles them a second time: the operations of the workload's own threads must be the same, event for
event, and of all others (of a busy machine some events are missing, and the rules leave a choice) at least 99 %.

Needs root and tracefs. `compare.py CLI RECORDING [IDLE-TASK]` does the same for any recording.
"""
import os, subprocess, sys, tempfile

import compare

CLI, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
RUNS = (('pass', '20'), ('mix', '1'), ('child-wait',))
MOST = 0.01


def record(folder, workload, *arguments):
    file = f'{folder}/{workload}.data'
    done = subprocess.run([CLI, 'record', '-o', file, '--', f'{WORKLOADS}/{workload}', *arguments], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'Bail out! recording {workload}: {done.stderr.strip()}')
    return file


def main():
    if os.geteuid() != 0:
        print('Bail out! these recordings need root')
        return 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix='wakepath-differential-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        for number, run in enumerate(RUNS, 1):
            found, ours, operations, links = compare.differences(CLI, record(folder, *run))
            own = {op['tid'] for op in operations if op['task'].startswith(run[0])}
            wrong = [difference for difference in found if difference[1] in own]
            good = not wrong and len(found) <= MOST * len(operations) and len(own) > 1 and len(links) > 20
            failed += not good
            print(f"{'ok' if good else 'not ok'} {number} {run[0]}: {len(operations)} operations and {len(links)} links, "
                  f"{len(found)} differences", flush=True)
            for difference in (wrong + found)[:20]:
                print('#', *difference)
    print(f'1..{len(RUNS)}')
    return 1 if failed else 0


sys.exit(main())
