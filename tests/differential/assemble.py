"""Operations and links of a recording, made a second time: slowly, plainly, from the rules in src/trace/DESIGN.md.

Everything is an object in a dictionary or a list; nothing is shared with the program. Times are ns since the first event.
"""
import disks
import names
import perfdata

LATE = 20_000  # a sample that comes up to so much after the switch still belongs to the run before
EARLY = 100_000  # a waking by another CPU that comes up to so much before the switch still ends the sleep, if no other does
SIGNAL = 50_000  # a signal is told of up to so much after the waking
COMPLETION = 1_000_000  # a disk's waking comes up to so much after the completion


def state_name(bits):
    """How a task left its CPU."""
    if bits & 0xff == 0:
        return 'R'
    if bits & (16 | 32 | 64):
        return 'X'
    if bits & 128:
        return 'I'
    if bits & 2:
        return 'D'
    if bits & (4 | 8):
        return 'T'
    return 'S' if bits & 1 else '?'


class Op:
    def __init__(self, thread, kind, start):
        self.thread, self.kind, self.start, self.end = thread, kind, start, None
        self.state, self.cause, self.woken, self.inferred = '?', 'none', None, False
        self.stack, self.link, self.samples = (), None, []

    def seen_stack(self):
        """A sleep's own; the first that was sampled of a run."""
        return self.samples[0][1] if self.samples else self.stack

    def row(self):
        if self.kind != 'sleep':
            return (self.kind, self.start, self.end)
        woken = min(max(self.end if self.woken is None else self.woken, self.start), self.end)
        return (self.kind, self.start, self.end, self.state, self.cause, woken)


class Link:
    def __init__(self, cause, start, source, target):
        self.cause, self.start, self.source, self.target = cause, start, source, target


class Thread:
    """One tid, over all its programs."""

    def __init__(self, tid):
        self.tid, self.ops, self.dead = tid, [], False
        self.cpu = None       # where it runs
        self.last_act = 0     # its last own event there
        self.pid = -1
        self.early = None     # the last waking by another CPU while it was on its own: (time, cause, source)
        self.ended = False    # says a record of its process' end; the last switch is still to come
        self.exec_told = False  # the record of its last exec has come, the tracepoint has not

    @property
    def op(self):
        return self.ops[-1] if self.ops and self.ops[-1].end is None else None

    @property
    def running(self):
        return self.op is not None and self.op.kind == 'run'


class Cpu:
    def __init__(self):
        self.holder = None       # tid, 0 idle, None nobody knows
        self.free_since = 0      # since when nobody but the idle task is known to have been there
        self.last_switch = None
        self.last_event = None
        self.woke = []           # what the current task woke just now: (time, waker, thread, sleep)
        self.after_loss = False  # nothing was seen since events were lost
        self.completed = None    # (tid, time, request) of the last disk completion


class Assembler:
    def __init__(self, recording, idle_name=None):
        self.events, self.waits = recording.events(), recording.waits
        self.forks_traced = recording.traces('sched:sched_process_fork')
        self.idle_name = idle_name
        self.threads, self.cpus, self.links, self.all_threads = {}, {}, [], []
        self.idle_tids = {0}
        self.counts = dict(inferred_switches=0, inferred_wakeups=0, wakings_ignored=0, late_samples=0)
        self.disks = disks.Disks()
        self.told = {}  # tid: what it waited in before, until it is first seen

    # --- threads and CPUs

    def thread(self, tid):
        if tid not in self.threads:
            self.threads[tid] = Thread(tid)
            self.all_threads.append(self.threads[tid])
        return self.threads[tid]

    def cpu(self, number):
        return self.cpus.setdefault(number, Cpu())

    def idle(self, tid):
        """The idle task, or what plays it."""
        return tid == 0 or tid in self.idle_tids

    # --- operations

    def begin(self, thread, kind, time):
        op = Op(thread, kind, time)
        thread.ops.append(op)
        return op

    def asleep_before(self, thread):
        """Its first sleep is what the recorder saw, if it saw in what."""
        op = self.begin(thread, 'sleep', 0)
        state, stack = self.told.pop(thread.tid, ('?', ()))
        if stack:
            op.state, op.stack = state, stack
        return op

    def end(self, thread, time):
        op = thread.op
        op.end = max(time, op.start)
        if op.kind == 'sleep' and op.cause == 'none' and op.woken is None:
            self.infer_cause(op)

    def infer_cause(self, op):
        """A sleep that ended without a waking: where its own stack says safely why."""
        early = op.thread.early
        runs = [o for o in op.thread.ops[-3:-1] if o.kind == 'run']  # the run before: another one's waking ends no second sleep
        if early is not None and op.start - early[0] <= EARLY and op.state != 'R' and (not runs or early[0] >= runs[-1].start):
            self.wake(op, max(early[0], op.start), *early[1:])  # after the start where only the leaving was not seen
            self.counts['inferred_wakeups'] += 1
            return
        if op.stack and op.state != '?' and names.stack_has(op.stack, 'nanosleep'):
            op.cause = 'timer'
        elif op.state == 'D' and names.stack_has(op.stack, 'io_wait'):
            request = self.disks.in_flight(op.thread.tid, op.start)
            if request is None:
                return
            if request.completed is None:  # it ended at the latest when the sleep did
                self.disks.end(request, op.end)
            op.cause, op.woken = 'disk', min(max(request.completed, op.start), op.end)
            op.link = Link('disk', op.woken, request, None)
            self.links.append(op.link)
        elif names.stack_has(op.stack, 'kernel_block'):
            op.cause = 'kernel'
        else:
            return
        self.counts['inferred_wakeups'] += 1

    def start_run(self, thread, time, cpu_number, inferred=False):
        sleep = thread.op
        if sleep is not None:
            self.end(thread, time)
        run = self.begin(thread, 'run', max(time, sleep.start) if sleep else time)
        run.inferred = inferred
        if sleep is not None and sleep.link is not None:
            sleep.link.target = run
        thread.cpu, thread.last_act = cpu_number, run.start
        self.counts['inferred_switches'] += inferred

    def stop_run(self, thread, time, state='?', stack=(), inferred=False):
        run = thread.op
        self.end(thread, time)
        thread.cpu = None
        self.counts['inferred_switches'] += inferred
        if state == 'X':
            thread.dead = True
            return
        sleep = self.begin(thread, 'sleep', run.end)
        sleep.state, sleep.stack, sleep.inferred = state, stack, inferred
        if state == 'R':
            sleep.cause, sleep.woken = 'preempted', sleep.start
            sleep.link = Link('preempted', run.end, run, None)
            self.links.append(sleep.link)

    def leave(self, thread):
        """It is not there any more, and nobody saw it go: it left after its own last event."""
        cpu = self.cpu(thread.cpu)
        self.stop_run(thread, thread.last_act, inferred=True)
        if cpu.holder == thread.tid:
            cpu.holder, cpu.free_since = None, thread.ops[-1].start

    def take_cpu(self, number, tid, time):
        """Somebody acts on a CPU, so that whoever held it has left."""
        cpu = self.cpu(number)
        if cpu.holder is not None and cpu.holder != tid and cpu.holder > 0:
            holder = self.thread(cpu.holder)
            if holder.running and holder.cpu == number:
                self.leave(holder)
        cpu.holder, cpu.after_loss = tid, False

    def acts(self, tid, time, number):
        """A task that acts is running."""
        if tid < 0:  # nobody's, as of a task that is all but gone
            return
        cpu = self.cpu(number)
        after_loss = cpu.after_loss
        first = cpu.holder is None and cpu.free_since == 0
        self.take_cpu(number, tid, time)
        if tid <= 0:
            return
        thread = self.thread(tid)
        if thread.running and thread.cpu != number:
            self.leave(thread)
        if not thread.running:
            if thread.dead:
                return
            if thread.op is None and first:  # it ran there when the recording began
                self.start_run(thread, 0, number)
                thread.last_act = time
                return
            sleep = thread.op or self.asleep_before(thread)
            if after_loss or sleep.state == 'R':
                self.start_run(thread, min(max(cpu.free_since, sleep.start), time), number, True)
            elif sleep.woken is not None:
                self.start_run(thread, min(max(sleep.woken, cpu.free_since), time), number, True)
            else:
                self.start_run(thread, time, number, True)
        thread.last_act = time

    def unseen_run(self, thread):
        sleep = thread.op
        self.start_run(thread, sleep.woken, thread.cpu, True)
        self.stop_run(thread, sleep.woken, inferred=True)

    def lose(self, number, since, until):
        """Of this CPU nothing is known in that time."""
        self.disks.lost = True
        cpu = self.cpu(number)
        since = min(since, cpu.last_event if cpu.last_event is not None else 0)
        holder = self.threads.get(cpu.holder)
        if holder is not None and holder.running:
            self.stop_run(holder, max(since, holder.last_act))
        cpu.holder, cpu.free_since, cpu.after_loss = None, until, True

    # --- events

    def switch(self, e, time):
        f, cpu = e['fields'], self.cpu(e['cpu'])
        prev, next_ = f['prev_pid'], f['next_pid']
        for tid, comm in ((prev, f['prev_comm']), (next_, f['next_comm'])):
            if comm == self.idle_name:
                self.idle_tids.add(tid)
        self.acts(prev, time, e['cpu'])
        if prev > 0:
            thread = self.thread(prev)
            if thread.running:
                self.stop_run(thread, time, state_name(f['prev_state']), e['stack'])
        cpu.free_since = cpu.last_switch = time
        cpu.holder, cpu.after_loss = next_, False
        if next_ <= 0:
            return
        thread = self.thread(next_)
        if thread.running and thread.cpu == e['cpu']:
            self.stop_run(thread, thread.last_act, inferred=True)
        elif thread.running:
            self.leave(thread)
        if thread.op is None and not thread.dead:
            self.asleep_before(thread)
        if not thread.dead:
            self.start_run(thread, time, e['cpu'])

    def waking(self, e, time):
        tid = e['fields']['pid']
        if tid <= 0:
            return
        thread = self.thread(tid)
        if thread.op is None and not thread.dead and not thread.ops:
            self.asleep_before(thread)
        if thread.op is None:
            return
        if thread.running:
            self.counts['wakings_ignored'] += 1
            if thread.cpu != e['cpu']:
                thread.early = (time, *self.judge(e, thread, ()))
            return
        if thread.op.woken is not None:
            self.unseen_run(thread)
        sleep = thread.op
        self.wake(sleep, time, *self.judge(e, thread, sleep.stack))
        cpu = self.cpu(e['cpu'])
        if cpu.woke and (cpu.woke[-1][1] != e['tid'] or time - cpu.woke[-1][0] > SIGNAL):
            cpu.woke = []
        if sleep.cause == 'task' and not e['flags'] & 0x18:
            cpu.woke.append((time, e['tid'], thread, sleep))

    def wake(self, sleep, time, cause, source):
        sleep.woken, sleep.cause, sleep.link = time, cause, Link(cause, time, source, None)
        self.links.append(sleep.link)

    def judge(self, e, thread, sleep_stack):
        """The cause of a waking, and what it comes from."""
        cause = names.waking_cause(e['stack'], e['flags'])
        cpu = self.cpu(e['cpu'])
        if e['fields']['comm'].startswith('ksoftirqd/') and e['stack']:  # else a task's own doing, as any other
            cause = 'task' if names.own_send(e['stack']) else 'kernel'
        if cause == 'task' and names.stack_has(sleep_stack, 'kernel_block'):
            cause = 'kernel'  # whoever it is that moves tasks or ends a grace period
        if cause in ('task', 'signal') and not self.idle(e['tid']):
            return cause, self.thread(e['tid']).op
        return cause, self.disk_waking(e, thread) if cause == 'disk' else None

    def on_signal_generate(self, e, time):
        cpu, f = self.cpu(e['cpu']), e['fields']
        target = self.threads.get(f['pid'])
        for woken, waker, thread, sleep in cpu.woke:
            if target is None or waker != e['tid'] or thread.pid != target.pid or time - woken > SIGNAL:
                continue
            if f['result'] in (1, 2, 3) and sleep.state != 'T':
                continue
            sleep.cause = sleep.link.cause = 'signal'
        cpu.woke = []

    def disk_waking(self, e, thread):
        """The request that was completed there just before; else the last one of the sleeper's."""
        completed = self.cpu(e['cpu']).completed
        if completed and completed[0] == e['tid'] and e['time'] - self.zero - completed[1] <= COMPLETION:
            return completed[2]
        return self.disks.last_completed(thread.tid)

    def fork(self, time, parent, child):
        old = self.threads.pop(child, None)
        if old is not None and old.op is not None:  # its end was not seen
            self.end_life(old, time)
        self.disks.forget_thread(child)
        sleep = self.begin(self.thread(child), 'sleep', time)
        sleep.cause, sleep.woken = 'fork', time
        source = self.threads[parent].op if not self.idle(parent) and parent in self.threads else None
        sleep.link = Link('fork', time, source, None)
        self.links.append(sleep.link)

    def end_life(self, thread, time):
        op = thread.op
        op.end = max(thread.last_act if thread.running else time, op.start)
        if op.kind == 'sleep':
            op.state, op.cause, op.woken = 'X', 'none', None
        thread.dead = True

    def take_over(self, tid, number):
        """Another thread of that process execs there: its leader is dead, and the tid is its own from now on."""
        there, cpu = self.threads.get(self.cpu(number).holder), self.cpu(number)
        leader = self.threads.get(tid)
        if there is None or there.tid == tid or there.pid != tid or not there.running or (leader is not None and not leader.dead):
            return
        del self.threads[there.tid]
        self.threads[tid], there.tid, cpu.holder = there, tid, tid

    def exec(self, time, tid, by_record):
        """Told twice: by the kernel's own record of the new name, and a little later by the tracepoint."""
        thread = self.thread(tid)
        told, thread.exec_told = thread.exec_told, by_record
        if not thread.running or (told and not by_record):
            return
        run = thread.op
        self.end(thread, time)
        self.links.append(Link('exec', time, run, self.begin(thread, 'run', time)))

    def event(self, e):
        time = e['time'] - self.zero
        cpu = self.cpu(e['cpu'])
        kind = e['type']
        if kind == perfdata.EXIT and e['of_tid'] in self.threads:
            self.threads[e['of_tid']].ended = True
        there = self.threads.get(cpu.holder)
        wakes = kind == perfdata.SAMPLE and e['event'] in ('sched:sched_waking', 'signal:signal_generate')
        if wakes and e['tid'] == -1 and there is not None and there.running:  # it has lost its number, and is about to die
            e = {**e, 'tid': there.tid}
        told = e['time'] >= self.zero and (kind == perfdata.COMM or kind == perfdata.FORK and not self.forks_traced)
        if kind == perfdata.SAMPLE:
            name = e['event'].split(':')[-1]
            if name == 'sched_switch':
                self.switch(e, time)
            elif name == 'sample':
                self.sample(e, time)
            else:
                if e['tid'] >= 0:
                    self.acts(e['tid'], time, e['cpu'])
                handler = getattr(self, 'on_' + name, None)
                if handler:
                    handler(e, time)
            cpu.last_event = time
            if e['tid'] in self.threads and e['pid'] > 0:
                self.threads[e['tid']].pid = e['pid']
        elif kind in (perfdata.LOST, perfdata.LOST_SAMPLES) and e['time'] >= self.zero:
            self.lose(e['cpu'], cpu.last_event or 0, time)
            cpu.last_event = time
        elif told:
            if kind == perfdata.FORK:  # where there is a tracepoint it comes once more
                self.acts(e['tid'], time, e['cpu'])
                self.fork(time, e['parent_tid'], e['of_tid'])
            elif e['misc'] & perfdata.EXEC_BIT:
                self.take_over(e['of_tid'], e['cpu'])
                self.acts(e['of_tid'], time, e['cpu'])
                self.exec(time, e['of_tid'], True)
            cpu.last_event = time

    def sample(self, e, time):
        """It belongs to the run it falls in, or to one of the same task that is over since a moment ago; else it is evidence that
        the task runs, if it is not so near to a switch that it may be about the time before."""
        cpu, thread = self.cpu(e['cpu']), self.threads.get(e['tid'])
        here = thread is not None and thread.running and cpu.holder == e['tid']
        over = None if thread is None or thread.running else next((op for op in reversed(thread.ops) if op.kind == 'run'), None)
        if not here and over is not None and not thread.dead and time - over.end <= LATE:
            over.samples.append((time, e['stack']))
            return
        woken = thread is not None and thread.op is not None and thread.op.woken is not None and thread.op.cause != 'preempted'
        taken = cpu.holder is not None and cpu.holder > 0 and time - cpu.free_since <= LATE
        if e['tid'] > 0 and not here and thread is not None and not thread.dead and taken and not woken:
            self.counts['late_samples'] += 1
            return
        self.acts(e['tid'], time, e['cpu'])
        if e['tid'] > 0 and self.thread(e['tid']).running:
            self.thread(e['tid']).op.samples.append((time, e['stack']))

    def on_sched_waking(self, e, time):
        self.waking(e, time)

    def on_sched_process_fork(self, e, time):
        self.fork(time, e['fields']['parent_pid'], e['fields']['child_pid'])

    def on_sched_wakeup_new(self, e, time):
        """Who has run or slept already is another than this one, whose fork was not seen."""
        child = self.threads.get(e['fields']['pid'])
        if child is None or child.op is None or child.running or (child.op.cause != 'fork' and child.op.start > 0):
            self.fork(time, e['tid'], e['fields']['pid'])

    def on_sched_process_exec(self, e, time):
        self.exec(time, e['fields']['pid'], False)

    def on_block_bio_queue(self, e, time):
        f = e['fields']
        self.disks.bio_queue(f['dev'], f['sector'], f['nr_sector'], f['rwbs'], e['tid'], time)

    def on_block_io_start(self, e, time):
        f = e['fields']
        if f['nr_sector']:  # else it is a flush, which is the device's own
            self.disks.enqueue(f['dev'], f['sector'], f['nr_sector'], e['tid'], time)

    on_block_rq_insert = on_block_io_start

    def on_block_bio_backmerge(self, e, time):
        f = e['fields']
        self.disks.merge_bio(f['dev'], f['sector'], f['nr_sector'], e['tid'])

    on_block_bio_frontmerge = on_block_bio_backmerge

    def on_block_rq_merge(self, e, time):
        f = e['fields']
        self.disks.merge_requests(f['dev'], f['sector'], time)

    def on_block_split(self, e, time):
        f = e['fields']
        self.disks.split(f['dev'], f['sector'], f['new_sector'])

    def on_block_rq_issue(self, e, time):
        f = e['fields']
        if f['nr_sector']:
            self.disks.issue(f['dev'], f['sector'], f['nr_sector'], e['tid'], time)
        elif 'F' in f['rwbs']:
            self.disks.issue_flush(f['dev'], e['tid'], time)

    def on_block_rq_requeue(self, e, time):
        f = e['fields']
        if f['nr_sector']:
            self.disks.requeue(f['dev'], f['sector'], time, e['tid'], e['flags'] & 0x18)
        elif 'F' in f['rwbs']:
            self.disks.requeue_flush(f['dev'], time, e['tid'], e['flags'] & 0x18)

    def on_block_rq_complete(self, e, time):
        f, request = e['fields'], None
        if f['nr_sector']:
            request = self.disks.complete(f['dev'], f['sector'], f['nr_sector'], time)
        elif 'F' in f['rwbs']:  # without the letter it is the bio's own end, when its flush is over
            request = self.disks.complete_flush(f['dev'], time)
        if request is not None:
            self.cpu(e['cpu']).completed = (e['tid'], time, request)

    def run(self):
        happened = (perfdata.SAMPLE, perfdata.LOST, perfdata.LOST_SAMPLES)
        samples = [e for e in self.events if e['type'] in happened and e['time'] > 0]
        self.zero = samples[0]['time']
        self.last = max(e['time'] for e in self.events if e['type'] in (*happened, perfdata.COMM)) - self.zero
        self.learn_told()
        for e in self.events:
            self.event(e)
        for thread in self.all_threads:
            op = thread.op
            if op is not None:
                op.end = max(self.last, op.start)
                if thread.ended and op.kind == 'sleep' and op.state == '?' and not op.stack and op.link is None:
                    op.state = 'X'  # that last switch was not seen
        self.sleep_throughout()
        return self

    def learn_told(self):
        """What the recorder saw of those who were there before."""
        there = {e['of_tid']: e['of_pid'] for e in self.events if e['type'] == perfdata.COMM and e['time'] == 0}
        for pid, tid, state, call, function in self.waits:
            known = state in 'SDTtI'
            if there.get(tid) == pid:
                stack = tuple([(function,)] * (known and function != '') + [('user',)] * (known and call != ''))
                self.told[tid] = (state.upper() if known else 'S', stack)

    def sleep_throughout(self):
        """Who was there before and never did anything slept in what the recorder saw."""
        gone = {thread.tid for thread in self.all_threads} | {e['of_tid'] for e in self.events if e['type'] == perfdata.EXIT}
        for tid, (state, stack) in self.told.items():
            if tid in gone:
                continue
            thread = Thread(tid)
            op = Op(thread, 'sleep', 0)
            op.end, op.state, op.stack = self.last, state, stack
            thread.ops.append(op)
            self.all_threads.append(thread)
