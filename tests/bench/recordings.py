"""Recordings of millions of events, made by perf: messaging and pipe ping-pong with frame-pointer stacks."""
import subprocess

EVENTS = ('sched:sched_switch,sched:sched_waking,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_process_fork,'
          'sched:sched_process_exec,sched:sched_process_exit,block:block_rq_issue,block:block_rq_complete,irq:irq_handler_entry')


def record(path, size):
    """`size`: some 400 events each."""
    load = f'perf bench sched messaging -p -g 8 -l {size} >/dev/null; perf bench sched pipe -l {size * 60} >/dev/null'
    subprocess.run(['perf', 'record', '-q', '-a', '-g', '-m', '64M', '-e', EVENTS, '-e', 'cpu-clock/freq=4000/', '-o', path,
                    '--', 'sh', '-c', load], check=True, stderr=subprocess.DEVNULL)
