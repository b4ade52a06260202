#!/usr/bin/python3
"""What recording costs, beside `perf record` with the same events and frame-pointer stacks.

Loads run in turn without a recording, under perf and under the collector-helper: a pipe ping-pong (`perf bench sched pipe`), kept on
one CPU, and 1, 2 and 4 pairs of processes that send each other messages, on all CPUs, as hackbench does (messages.c). Compared is the CPU
time the load took, which other load on the machine hardly changes; the wall time and the recorders' own CPU time are printed
beside. Fails when ours loses events where perf loses none, or when what it adds is more than 70 % of what perf adds (60 % is the goal).

usage: recording.py HELPER MESSAGES [ROUNDS [LOOPS]]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from figures import figure, growth

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
    """A load once: wall and CPU seconds of its own, CPU seconds and losses of the recorder, size of the recording."""

    def __init__(self, wall, cpu, recorder=0.0, lost=0, size=0):
        self.wall, self.cpu, self.recorder, self.lost, self.size = wall, cpu, recorder, lost, size


def finish(process):
    """Waits for a child and returns the CPU time it and what it waited for took."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f'{process.args[0]} failed with status {process.returncode}')
    return usage.ru_utime + usage.ru_stime


def loads_of(messages, loops):
    """Names and commands."""
    pairs = {f'{n} pair{"s" if n > 1 else ""} with messages': [messages, str(n), str(2 * loops)] for n in (1, 2, 4)}
    return {'ping-pong': ['taskset', '-c', '0', 'perf', 'bench', '-f', 'simple', 'sched', 'pipe', '-l', str(loops)], **pairs}


def run_load(command):
    began = time.monotonic()
    cpu = finish(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return Run(time.monotonic() - began, cpu)


def count_lost(path):
    """LOST records in a recording of perf's: what matters is whether there are any."""
    report = subprocess.run(['perf', 'report', '--stats', '-i', path], capture_output=True, text=True).stdout
    return sum(int(line.split()[2]) for line in report.splitlines() if line.split()[:2] == ['LOST', 'events:'])


def plain(folder, command):
    return run_load(command)


def with_perf(folder, command):
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
        run = run_load(command)
        print('stop', file=orders, flush=True)
        run.recorder = finish(recorder)
    run.size, run.lost = os.path.getsize(path), count_lost(path)
    for name in (control, acknowledge, path):
        os.unlink(name)
    return run


def with_ours(folder, command):
    path = f'{folder}/ours.data'
    with open(path, 'wb') as output:
        recorder = subprocess.Popen([HELPER], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE, text=True)
    started = json.loads(recorder.stderr.readline())
    if started['message'] != 'started':
        raise SystemExit(f'the helper says: {started}')
    run = run_load(command)
    recorder.stdin.write('stop\n')
    recorder.stdin.close()
    stopped = json.loads(recorder.stderr.readlines()[-1])
    run.recorder, run.lost, run.size = finish(recorder), stopped['lost'], stopped['bytes']
    os.unlink(path)
    return run


def median(runs, of):
    return statistics.median(getattr(run, of) for run in runs)


def measure(name, command, rounds, folder):
    """Prints what each way of recording added to a load. Returns whether ours keeps within its limits."""
    ways = {'none': plain, 'perf record': with_perf, 'ours': with_ours}
    runs = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            runs[way].append(run(folder, command))
    base = median(runs['none'], 'cpu')
    print(f'{name}, medians of {rounds} rounds')
    for way, of in runs.items():
        cpu = median(of, 'cpu')
        print(f"  {way:12} cpu {cpu:6.3f} s ({cpu / base:4.2f} times), wall {median(of, 'wall'):6.3f} s, "
              f"recorder {median(of, 'recorder'):5.3f} s, {median(of, 'size') / 1e6:6.1f} MB, lost {sum(run.lost for run in of)}")
    added = {way: median(of, 'cpu') - base for way, of in runs.items()}
    whole = {way: added[way] + median(of, 'recorder') for way, of in runs.items()}
    ratio = statistics.median((ours.cpu - none.cpu) / (perf.cpu - none.cpu) for none, perf, ours in zip(*runs.values()))
    lost = {way: sum(run.lost for run in of) for way, of in runs.items()}
    lost_alone = lost['ours'] if not lost['perf record'] else 0
    print(f"  added by ours ÷ added by perf, median of the rounds: {ratio:.2f} (limit {LIMIT}, goal {GOAL}); "
          f"with the recorders' own CPU time: {whole['ours'] / whole['perf record']:.2f}")
    figure(f'{name}: added by ours ÷ added by perf record', ratio, at_most=GOAL, beside=f'{added["ours"]:.2f} ÷ {added["perf record"]:.2f} s of CPU')
    figure(f'{name}: CPU time of the recorder itself ÷ perf’s', median(runs['ours'], 'recorder') / median(runs['perf record'], 'recorder'), at_most=0.5)
    figure(f'{name}: events lost where perf lost none', lost_alone, at_most=0)
    return ratio <= LIMIT and lost_alone == 0


def measure_growth(folder, loops):
    """What a recording costs in all, the recorder's own time with it, of three lengths of the same load."""
    sizes, costs = [loops // 2, loops, loops * 2], []
    for size in sizes:
        command = loads_of('', size)['ping-pong']
        pairs = [(plain(folder, command), with_ours(folder, command)) for _ in range(5)]
        costs.append(statistics.median(ours.cpu + ours.recorder - none.cpu for none, ours in pairs))
    growth('ping-pong: CPU of a recording', sizes, costs)


def main():
    global HELPER, SAMPLING
    HELPER, messages = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    loops = int(sys.argv[4]) if len(sys.argv) > 4 else 60000
    if os.geteuid() != 0 or not present('sched:sched_switch'):
        raise SystemExit('recording.py: needs root, and tracefs on /sys/kernel/tracing')
    SAMPLING = 'cycles' if os.path.exists('/sys/bus/event_source/devices/cpu') else 'cpu-clock'
    with tempfile.TemporaryDirectory(prefix='wakepath-bench-') as folder:
        kept = [measure(name, command, rounds, folder) for name, command in loads_of(messages, loops).items()]
        measure_growth(folder, loops)
    return 0 if all(kept) else 1


if __name__ == '__main__':
    sys.exit(main())
