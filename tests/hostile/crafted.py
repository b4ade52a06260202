"""Small recordings that are made to cost much: each function returns the bytes of one. All numbers in them are made up."""
import gzip
import struct

SWITCH, WAKING, CLOCK, INSERT, MERGE = range(1, 6)  # ids of samples, and of tracepoints
SAMPLE_TYPE = 1 | 2 | 4 | 32 | 128 | 1024 | 65536   # IP, TID, TIME, CALLCHAIN, CPU, RAW, IDENTIFIER
SAMPLE_ID_ALL = 1 << 18
START = 1_000_000_000
FIELD = '\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n'
COMMON = ''.join(FIELD.format(*row) for row in (('unsigned short common_type', 0, 2, 0), ('unsigned char common_flags', 2, 1, 0),
                                                ('unsigned char common_preempt_count', 3, 1, 0), ('int common_pid', 4, 4, 1)))
FORMATS = {
    SWITCH: ('sched_switch', [('char prev_comm[16]', 8, 16, 0), ('pid_t prev_pid', 24, 4, 1), ('int prev_prio', 28, 4, 1),
                              ('long prev_state', 32, 8, 1), ('char next_comm[16]', 40, 16, 0), ('pid_t next_pid', 56, 4, 1),
                              ('int next_prio', 60, 4, 1)]),
    WAKING: ('sched_waking', [('char comm[16]', 8, 16, 0), ('pid_t pid', 24, 4, 1), ('int prio', 28, 4, 1), ('int target_cpu', 32, 4, 1)]),
    INSERT: ('block_rq_insert', [('dev_t dev', 8, 4, 0), ('sector_t sector', 16, 8, 0), ('unsigned int nr_sector', 24, 4, 0),
                                 ('char rwbs[8]', 28, 8, 0)]),
    MERGE: ('block_rq_merge', [('dev_t dev', 8, 4, 0), ('sector_t sector', 16, 8, 0), ('unsigned int nr_sector', 24, 4, 0),
                               ('char rwbs[8]', 28, 8, 0)]),
}


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def blob(data, width='<Q'):
    return struct.pack(width, len(data)) + data


def format_of(number):
    name, fields = FORMATS[number]
    text = f'name: {name}\nID: {number}\nformat:\n{COMMON}\n' + ''.join(FIELD.format(*row) for row in fields) + '\nprint fmt: ""\n'
    return text.encode()


def tracing_data(kallsyms, more_formats=()):
    data = b'\x17\x08\x44tracing0.6\0' + struct.pack('<BBI', 0, 8, 4096) + b'header_page\0' + blob(b'') + b'header_event\0' + blob(b'')
    data += struct.pack('<I', 0)
    systems = [(b'sched', [format_of(SWITCH), format_of(WAKING)]), (b'block', [format_of(INSERT), format_of(MERGE)]), (b'more', more_formats)]
    data += struct.pack('<I', len(systems))
    for name, formats_of_it in systems:
        data += name + b'\0' + struct.pack('<I', len(formats_of_it)) + b''.join(map(blob, formats_of_it))
    data += blob(kallsyms, '<I')
    data += bytes(-len(data) % 8)
    return record(66, 0, struct.pack('<I', len(data))) + data


class Stream:
    """A perf.data stream; times are ns since its start."""

    def __init__(self, kallsyms=b'ffffffff81000000 T _stext\n', more_ids=(), more_formats=()):
        self.parts = [b'PERFILE2' + struct.pack('<Q', 16)]
        for number in (SWITCH, WAKING, CLOCK, INSERT, MERGE):
            self.attr(number, [number])
        for i in range(0, len(more_ids), 8000):
            self.attr(CLOCK, more_ids[i:i + 8000])
        self.parts.append(tracing_data(kallsyms, more_formats))

    def attr(self, number, ids):
        kind, config, period = (1, 0, 250000) if number == CLOCK else (2, number, 1)
        attr = struct.pack('<IIQQQQQ', kind, 112, config, period, SAMPLE_TYPE, 0, SAMPLE_ID_ALL)
        self.parts.append(record(64, 0, attr.ljust(112, b'\0') + struct.pack(f'<{len(ids)}Q', *ids)))

    def sample(self, event, time, cpu, tid, raw=b'', chain=(), pid=None):
        body = struct.pack('<QQIIQIIQ', event, 0, tid if pid is None else pid, tid, START + time, cpu, 0, len(chain))
        self.parts.append(record(9, 2, body + struct.pack(f'<{len(chain)}Q', *chain) + struct.pack('<I', len(raw)) + raw))

    def other(self, kind, body, time=0, cpu=0, tid=0, misc=0, pid=None):
        tail = struct.pack('<IIQIIQ', tid if pid is None else pid, tid, START + time if time else 0, cpu, 0, SWITCH)
        self.parts.append(record(kind, misc, body + bytes(-len(body) % 8) + tail))

    def switch(self, time, cpu, prev, following, state=1, pid=None):
        raw = struct.pack('<HBBi16siiq16sii', SWITCH, 0, 0, prev, b't%d' % prev, prev, 120, state, b't%d' % following, following, 120)
        self.sample(SWITCH, time, cpu, prev, raw, pid=pid)

    def waking(self, time, cpu, by, woken):
        self.sample(WAKING, time, cpu, by, struct.pack('<HBBi16siii', WAKING, 0, 0, by, b't%d' % woken, woken, 120, 0))

    def block(self, event, time, tid, sector, sectors):
        self.sample(event, time, 0, tid, struct.pack('<HBBiIxxxxQI8s', event, 0, 0, tid, 254 << 20, sector, sectors, b'R'))

    def mapping(self, pid, start, size, name, misc=2):
        self.other(1, struct.pack('<IIQQQ', pid & 0xffffffff, pid & 0xffffffff, start, size, 0) + name + b'\0', misc=misc)

    def comm(self, tid, name):
        self.other(3, struct.pack('<II', tid, tid) + name + b'\0')

    def fork(self, parent, child):
        self.other(7, struct.pack('<IIIIQ', child, parent, child, parent, 0))

    def data(self):
        return b''.join(self.parts)


def two_switches(stream, time=1000):
    stream.switch(time, 0, 1, 2)
    stream.switch(time + 1000, 0, 2, 1)
    return stream.data()


def ids(n):
    """Sample ids that a multiplication by the golden ratio puts into one slot."""
    inverse = pow(0x9e3779b97f4a7c15, -1, 1 << 64)
    return two_switches(Stream(more_ids=[(7 << 32 | i) * inverse % (1 << 64) for i in range(1, n + 1)]))


def forks(n):
    """A process with 16,383 mappings, and forks that map one more each."""
    stream = Stream()
    for i in range(16383):
        stream.mapping(100000, 0x10000000 + i * 8192, 4096, b'/x')
    for i in range(n):
        stream.other(7, struct.pack('<IIIIQ', 100001 + i, 100000, 100001 + i, 100000, 0), time=1 + i, tid=100000)
        stream.other(1, struct.pack('<IIQQQ', 100001 + i, 100001 + i, 0x1000000, 4096, 0) + b'/x\0', time=1 + i, tid=100001 + i, misc=2)
    return two_switches(stream, 1_000_000)


def quiet(n):
    """Somebody runs on each of 16,384 CPUs; then nobody says anything for 6 ms, again and again."""
    stream, time = Stream(), 0
    for _ in range(3):
        time += 1_000_000
        stream.sample(CLOCK, time, 2, 1002)
    for cpu in range(16384):
        stream.sample(CLOCK, time + cpu, cpu, 1000 + cpu)
    time += 20000
    for i in range(n):
        time += 6_000_000
        stream.sample(CLOCK, time, 1, 1001)
    return two_switches(stream, time)


def colliding_texts(n):
    """Texts with one hash (FNV-1a, 32 bits): of each pair of pieces both lead to the same state, so any choice of them does."""
    state, pairs, size = 2166136261, [], 1
    while size < n:
        seen, i = {}, 0
        while True:
            piece = b''.join(bytes([33 + (i * 2654435761 + j * 40503 >> 3 * j) % 94]) for j in range(2)) + b'%06x' % (i & 0xffffff)
            h = state
            for byte in piece:
                h = (h ^ byte) * 16777619 & 0xffffffff
            if h in seen and seen[h] != piece:
                break
            seen[h] = piece
            i += 1
        pairs.append((seen[h], piece))
        state, size = h, size * 2
    return [b''.join(pair[i >> k & 1] for k, pair in enumerate(pairs)) for i in range(n)]


def comms(n):
    stream = Stream()
    for i, name in enumerate(colliding_texts(n)):
        stream.comm(200000 + i, name)
    return two_switches(stream)


def modules(n):
    """65,536 modules of the kernel, and call chains of addresses that are in none of them."""
    stream = Stream()
    for i in range(65536):
        stream.mapping(-1, 0xffffc00000000000 + i * 64, 32, b'[m]', misc=1)
    for i in range(0, n, 1000):
        chain = [(1 << 64) - 128] + [0xffffd00000000000 + (i + k) * 524288 for k in range(1000)]
        stream.sample(CLOCK, 1000 + i, 0, 1, chain=chain)
    return two_switches(stream, 1000 + n)


def symbols(n):
    """A kernel function with a name of 2 MB, and that many addresses in it."""
    stream = Stream(kallsyms=b'ffffffff81000000 T ' + b'f' * 2_000_000 + b'\n')
    for i in range(0, n, 1000):
        stream.sample(CLOCK, 1000 + i, 0, 1, chain=[(1 << 64) - 128] + [0xffffffff81000000 + i + k for k in range(1000)])
    return two_switches(stream, 1000 + n)


def joined(n):
    """Requests that join one another, each with all who waited for those before."""
    stream = Stream()
    for i in range(n):
        stream.block(INSERT, 1000 + i, 1000 + i, 8 * i, 8)
    for i in range(n - 1, 0, -1):
        stream.block(MERGE, 1000 + 2 * n - i, 1, 8 * i, 8)
    return two_switches(stream, 1000 + 3 * n)


def losses(n):
    """A process of 1,000 threads that sleep all the time, in which events are lost again and again."""
    stream, last = Stream(), 1_000_000 + 1000 * n
    for tid in range(1000, 2000):
        stream.switch(tid * 100, 0, tid, 0, pid=1000)
    for i in range(n):
        stream.other(2, struct.pack('<QQ', 1, 1), time=1_000_000 + 1000 * i, cpu=1)
        stream.switch(1_000_500 + 1000 * i, 1, 0, 0)
    for tid in range(1000, 2000):
        stream.switch(last + tid * 100, 0, 0, tid)
        stream.switch(last + tid * 100 + 50, 0, tid, 0, pid=1000)
    return stream.data()


def nested(n):
    """Each task wakes the next and waits for it."""
    stream = Stream()
    for i in range(n):
        stream.waking(2000 * i + 1000, 0, 10 + i, 11 + i)
        stream.switch(2000 * i + 2000, 0, 10 + i, 11 + i)
    for i in range(n, 0, -1):
        time = 2000 * n + 2000 * (n - i)
        stream.waking(time + 1000, 0, 10 + i, 9 + i)
        stream.switch(time + 2000, 0, 10 + i, 9 + i)
    stream.switch(4000 * n + 5000, 0, 10, 0)
    return stream.data()


def moments(n):
    """Runs that last no time, each alone in its thread."""
    stream = Stream()
    for i in range(n):
        stream.switch(1000, i, 0, 100 + i)
        stream.switch(1000, i, 100 + i, 0, pid=100)
    stream.switch(2_000_000, 0, 1, 2)
    return stream.data()


def devices(n):
    """Each request is for a device of its own."""
    stream = Stream()
    for i in range(n):
        raw = struct.pack('<HBBiIxxxxQI8s', INSERT, 0, 0, 1, 1 + i, 0, 8, b'R')
        stream.sample(INSERT, 1000 + i, 0, 1, raw)
    return two_switches(stream, 1000 + n)


def numbers(n):
    """A line of perf script text that says again and again who leaves."""
    line = b'sh 1/1 [000] 1.%06d: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n\n'
    return line % 1 + b'sh 1/1 [000] 1.000002: sched:sched_switch: x' + b' prev_pid=1' * n + b'\n' + line % 3


def stacks(n):
    """Samples of one frame, every other of which is the tip of a stack of a thousand."""
    switch = 'a 1/1 [000] 1.%09d: sched:sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=%s next_pid=%d next_prio=120\n\n'
    out = [switch % (0, 'b', 2, 'a', 1), 'a 1/1 [000] 1.000000500: 1 cpu-clock:\n', '\t1 leaf (x)\n']
    out += ['\t1 f%d (x)\n' % i for i in range(1000)] + ['\t1 main (x)\n\n']
    for i in range(n):
        out.append('a 1/1 [000] 1.%09d: 1 cpu-clock:\n\t1 %s (x)\n\n' % (1000 + 1000 * i, ('leaf', 'elsewhere')[i % 2]))
    return (''.join(out) + switch % (2000 + 1000 * n, 'a', 1, 'b', 2)).encode()


def json(n):
    """What the recorder wrote down at the end is JSON, so deep."""
    stream = Stream()
    text = b'{"a":' + b'[' * n + b']' * n + b'}\0'
    stream.parts.append(record(80, 0, struct.pack('<Q', 200) + text + bytes(-len(text) % 8)))
    return two_switches(stream)


def wakings(n):
    """Clocks that disagree: 200 tasks are switched in though nobody has woken them, and are woken later on another CPU."""
    stream = Stream()
    for i in range(n):
        time, cpu, prev = 3000 * i, i % 64, 5000 + (i + 100) % 200
        stream.switch(time, cpu, prev, 5000 + i % 200)
        stream.waking(time + 40000 + i * 7919 % 50000, (cpu + 1 + i % 7) % 64, prev, 5000 + i % 200)
    return stream.data()


def late_wakings(n):
    """One task is switched in again and again though nobody has woken it; then it is woken as often, on the same CPU."""
    stream = Stream()
    for i in range(n):
        stream.switch(1000 * i + 1000, 0, 1, 2)
        stream.switch(1000 * i + 1500, 0, 2, 1)
    for i in range(n):
        stream.waking(1000 * n + 1000 + i, 0, 1, 2)
    stream.waking(1001 * n + 1000, 1, 3, 2)
    return stream.data()


def lanes(n):
    """The time of each of n CPUs goes back once."""
    stream = Stream()
    for cpu in range(n):
        for time in 500_000_000, 500_001_000, 300_000_000, 300_010_000:
            stream.sample(CLOCK, time + cpu * 100, 10 + cpu, 1000 + cpu)
    return two_switches(stream, 900_000_000)


def cpus(n):
    """CPUs with numbers far apart."""
    stream = Stream()
    for i in range(n):
        stream.sample(CLOCK, 1000 + i, i * 65521 % (1 << 20 if i % 2 else 1 << 32), 1000 + i)
    return two_switches(stream, 1000 + n)


def attributes(n):
    """Many attributes with many ids each."""
    stream = Stream()
    for i in range(n):
        stream.attr(CLOCK, range(100 + 64 * i, 164 + 64 * i))
    return two_switches(stream)


def formats(n):
    """Tracepoints that no record is of, their ids from the highest down."""
    common = FIELD.format('unsigned short common_type', 0, 2, 0).encode()
    more = [b'name: e%d\nID: %d\nformat:\n' % (i, 100_000_000 + n - i) + common + b'\n' +
            FIELD.format('int x', 8, 4, 1).encode() + b'\nprint fmt: ""\n' for i in range(n)]
    return two_switches(Stream(more_formats=more))


def names(n):
    """perf script text in which each event is of a kind of its own."""
    switch = b'sh 1/1 [000] 1.%06d: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n\n'
    return switch % 1 + b''.join(b'sh 1/1 [000] 1.%06d: a:e%d: x\n' % (2 + i % 900_000, i) for i in range(n))


def execs(n):
    """One thread that becomes another program again and again."""
    stream = Stream()
    stream.switch(500, 0, 1, 100)
    for i in range(n):
        stream.other(3, struct.pack('<II', 100, 100) + b'p%d\0' % i, time=1000 * i + 1000, tid=100, misc=0x2002)
        stream.mapping(100, 0x1000000, 4096, b'/x%d' % i)
    stream.switch(1000 * n + 2000, 0, 100, 1)
    return stream.data()


def tasks(n):
    """Each task runs once."""
    stream = Stream()
    for i in range(n):
        stream.switch(1000 * i + 1000, 0, 10000 + i, 10001 + i)
    return stream.data()


def calls(n):
    """One long run, with a sample between each two of its wakings of a task that waits for it."""
    stream = Stream()
    stream.switch(1000, 1, 0, 20)
    for i in range(n):
        time = 10_000 * i + 10_000
        stream.switch(time, 0, 10, 0)
        stream.sample(CLOCK, time + 3000, 1, 20, chain=((1 << 64) - 512, 0x400000 + i % 7))
        stream.waking(time + 6000, 1, 20, 10)
        stream.switch(time + 8000, 0, 0, 10)
    stream.switch(10_000 * n + 20_000, 1, 20, 0)
    return stream.data()


def callees(n):
    """One sleep in which another task runs and sleeps, woken each time by one long run."""
    stream = Stream()
    stream.switch(1000, 1, 0, 20)
    stream.waking(2000, 0, 10, 30)
    stream.switch(3000, 0, 10, 30)
    for i in range(n):
        time = 10_000 * i + 10_000
        stream.switch(time, 0, 30, 0)
        stream.sample(CLOCK, time + 3000, 1, 20, chain=((1 << 64) - 512, 0x400000 + i % 7))
        stream.waking(time + 6000, 1, 20, 30)
        stream.switch(time + 8000, 0, 0, 30)
    stream.waking(10_000 * n + 15_000, 0, 30, 10)
    stream.switch(10_000 * n + 16_000, 0, 30, 10)
    stream.switch(10_000 * n + 20_000, 0, 10, 0)
    return stream.data()


def gzips(n):
    """Much of nothing in little, packed again and again."""
    data = gzip.compress(b'PERFILE2' + struct.pack('<Q', 16) + bytes(n << 20), 9)
    for _ in range(3):
        data = gzip.compress(data, 9)
    return data


def zeros(n):
    """Megabytes of nothing in a few kilobytes."""
    return gzip.compress(b'PERFILE2' + struct.pack('<Q', 16) + bytes(n << 20), 9)
