#!/usr/bin/python3
"""What recording costs, beside `perf record` with the same events and frame-pointer stacks.

A pipe ping-pong (`perf bench sched pipe`), kept on one CPU, runs in turn without a recording, under perf and under the
collector-helper. Compared is the CPU time the ping-pong took, which other load on the machine hardly changes; the wall time
and the recorders' own CPU time are printed beside. Fails when ours loses events where perf loses none, or when what it adds
is more than 70 % of what perf adds (60 % is the goal).

usage: recording.py HELPER [ROUNDS [LOOPS]]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from figures import figure

EVENTS = [
    'sched:sched_switch', 'sched:sched_waking', 'sched:sched_wakeup_new', 'sched:sched_process_fork',
    'sched:sched_process_exec', 'sched:sched_process_exit', 'block:block_bio_queue', 'block:block_io_start',
    'block:block_rq_insert', 'block:block_rq_issue', 'block:block_rq_complete', 'block:block_rq_requeue',
    'block:block_rq_merge', 'block:block_bio_backmerge', 'block:block_bio_frontmerge', 'block:block_split',
    'filemap:mm_filemap_add_to_page_cache', 'ext4:ext4_ext_map_blocks_exit', 'ext4:ext4_writepages',
    'ext4:ext4_allocate_inode', 'iomap:iomap_dio_rw_begin', 'irq:irq_handler_entry', 'irq:irq_handler_exit', 'sock:inet_sock_set_state',
    'sock:sk_data_ready', 'sock:sock_send_length', 'tcp:tcp_probe', 'tcp:tcp_sendmsg_locked', 'signal:signal_generate']
LIMIT, GOAL = 0.70, 0.60


def present(event):
    return os.path.exists('/sys/kernel/tracing/events/' + event.replace(':', '/'))


class Run:
    """One ping-pong: wall and CPU seconds of its own, CPU seconds and losses of the recorder, size of the recording."""

    def __init__(self, wall, cpu, recorder=0.0, lost=0, size=0):
        self.wall, self.cpu, self.recorder, self.lost, self.size = wall, cpu, recorder, lost, size


def finish(process):
    """Waits for a child and returns the CPU time it and what it waited for took."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f'{process.args[0]} failed with status {process.returncode}')
    return usage.ru_utime + usage.ru_stime


def ping_pong(loops):
    began = time.monotonic()
    cpu = finish(subprocess.Popen(['taskset', '-c', '0', 'perf', 'bench', '-f', 'simple', 'sched', 'pipe', '-l', str(loops)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return Run(time.monotonic() - began, cpu)


def count_lost(path):
    """LOST records in a recording of perf's: what matters is whether there are any."""
    report = subprocess.run(['perf', 'report', '--stats', '-i', path], capture_output=True, text=True).stdout
    return sum(int(line.split()[2]) for line in report.splitlines() if line.split()[:2] == ['LOST', 'events:'])


def plain(folder, loops):
    return ping_pong(loops)


def with_perf(folder, loops):
    path = f'{folder}/perf.data'
    events = ','.join(filter(present, EVENTS))
    control, acknowledge = f'{folder}/control', f'{folder}/acknowledge'
    os.mkfifo(control)
    os.mkfifo(acknowledge)
    recorder = subprocess.Popen(['perf', 'record', '-q', '-a', '-g', '-k', 'mono', '-m', '16M', '-e', events,
                                 '-e', f'{SAMPLING}/freq=4000/', '-D', '-1', '--control', f'fifo:{control},{acknowledge}',
                                 '-o', path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(control, 'w') as orders, open(acknowledge) as answers:
        print('enable', file=orders, flush=True)
        answers.readline()
        run = ping_pong(loops)
        print('stop', file=orders, flush=True)
        run.recorder = finish(recorder)
    run.size, run.lost = os.path.getsize(path), count_lost(path)
    for name in (control, acknowledge, path):
        os.unlink(name)
    return run


def with_ours(folder, loops):
    path = f'{folder}/ours.data'
    with open(path, 'wb') as output:
        recorder = subprocess.Popen([HELPER], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE, text=True)
    started = json.loads(recorder.stderr.readline())
    if started['message'] != 'started':
        raise SystemExit(f'the helper says: {started}')
    run = ping_pong(loops)
    recorder.stdin.write('stop\n')
    recorder.stdin.close()
    stopped = json.loads(recorder.stderr.readlines()[-1])
    run.recorder, run.lost, run.size = finish(recorder), stopped['lost'], stopped['bytes']
    os.unlink(path)
    return run


def median(runs, of):
    return statistics.median(getattr(run, of) for run in runs)


def main():
    global HELPER, SAMPLING
    HELPER = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    loops = int(sys.argv[3]) if len(sys.argv) > 3 else 60000
    if os.geteuid() != 0 or not present('sched:sched_switch'):
        raise SystemExit('recording.py: needs root, and tracefs on /sys/kernel/tracing')
    SAMPLING = 'cycles' if os.path.exists('/sys/bus/event_source/devices/cpu') else 'cpu-clock'
    ways = {'none': plain, 'perf record': with_perf, 'ours': with_ours}
    runs = {name: [] for name in ways}
    with tempfile.TemporaryDirectory(prefix='wakepath-bench-') as folder:
        for _ in range(rounds):
            for name, way in ways.items():
                runs[name].append(way(folder, loops))
    base, events = median(runs['none'], 'cpu'), loops * 2
    print(f'medians of {rounds} rounds of {loops} exchanges')
    for name, of in runs.items():
        cpu = median(of, 'cpu')
        print(f"  {name:12} cpu {cpu:6.3f} s ({cpu / base:4.2f} times, {(cpu - base) / events * 1e9:5.0f} ns more a switch), "
              f"wall {median(of, 'wall'):6.3f} s, recorder {median(of, 'recorder'):5.3f} s, "
              f"{median(of, 'size') / 1e6:6.1f} MB, lost {sum(run.lost for run in of)}")
    added = {name: median(of, 'cpu') - base for name, of in runs.items()}
    whole = {name: added[name] + median(of, 'recorder') for name, of in runs.items()}
    ratio = statistics.median((ours.cpu - none.cpu) / (perf.cpu - none.cpu) for none, perf, ours in zip(*runs.values()))
    print(f"added by ours ÷ added by perf, median of the rounds: {ratio:.2f} (limit {LIMIT}, goal {GOAL}); "
          f"with the recorders' own CPU time: {whole['ours'] / whole['perf record']:.2f}")
    figure('added by ours ÷ added by perf record', ratio, at_most=GOAL, beside=f'{added["ours"]:.2f} ÷ {added["perf record"]:.2f} s of CPU, {events:,} switches')
    figure('CPU time of the recorder itself ÷ perf’s', median(runs['ours'], 'recorder') / median(runs['perf record'], 'recorder'), at_most=0.5)
    figure('events lost where perf lost none', sum(run.lost for run in runs['ours']) if not sum(run.lost for run in runs['perf record']) else 0, at_most=0)
    lost = sum(run.lost for run in runs['ours']) > 0 and sum(run.lost for run in runs['perf record']) == 0
    return 1 if ratio > LIMIT or lost else 0


if __name__ == '__main__':
    sys.exit(main())
