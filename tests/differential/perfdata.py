"""Reads a perf.data stream or file, slowly and plainly: every record as a dictionary, tracepoints with their fields.

Written from the format's description (perf.data-file-format.txt, perf_event.h), not from the program's own reader. A
record is {'type', 'misc', 'time', 'cpu', 'tid', 'pid', ...}; a sample also has 'event' (its name), 'fields', 'flags' (the
tracepoint's common_flags) and 'stack' (names of kernel functions, innermost first, then 'user' once if there is a user part).
"""
import bisect, re, struct

MMAP, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, SAMPLE, MMAP2, LOST_SAMPLES = 1, 2, 3, 4, 5, 6, 7, 9, 10, 13
ATTR, OWN, TRACING_DATA, FINISHED_ROUND, FEATURE = 64, 65, 66, 68, 80
WAIT = 0x77616b6570617400 + 205  # a feature of the recorder's own
USER_FIRST = 64  # types from here on are the tools' own: they have no sample_id
CONTEXT_KERNEL, CONTEXT_USER = (1 << 64) - 128, (1 << 64) - 512
CONTEXT_MAX = (1 << 64) - 4095
EXEC_BIT = 1 << 13


class Attr:
    def __init__(self, data):
        self.type, self.size, self.config, self.period, self.sample_type, self.read_format, self.flags = \
            struct.unpack_from('<IIQQQQQ', data)
        self.sample_id_all = self.flags >> 18 & 1
        self.branch, self.regs, self.stack_size = struct.unpack_from('<QQI', data, 72)
        self.name = None


class Kernel:
    """Kernel symbols: every address stands for all names that it has."""

    def __init__(self, text):
        names = {}
        for line in text.splitlines():
            parts = line.split()
            if len(parts) >= 3 and parts[1] in 'tTwW':
                names.setdefault(int(parts[0], 16), []).append(parts[2])
        self.starts = sorted(names)
        self.names = [tuple(names[start]) for start in self.starts]

    def at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.names[i] if i >= 0 else ('?',)


class Format:
    """One tracepoint's fields."""

    def __init__(self, text):
        self.name = re.search(r'^name: (\S+)', text, re.M).group(1)
        self.id = int(re.search(r'^ID: (\d+)', text, re.M).group(1))
        self.fields = []
        for kind, offset, size, signed in re.findall(
                r'field:(.*?);\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d)', text):
            array = re.search(r'\[.*\]$', kind)
            name = re.sub(r'\[.*\]$', '', kind).split()[-1]
            self.fields.append((name, kind, bool(array), int(offset), int(size), signed == '1'))

    def read(self, raw):
        values = {}
        for name, kind, array, offset, size, signed in self.fields:
            data = raw[offset:offset + size]
            if kind.startswith('__data_loc') and len(data) == 4:
                where = int.from_bytes(data, 'little')
                values[name] = raw[where & 0xffff:(where & 0xffff) + (where >> 16)].split(b'\0')[0].decode(errors='replace')
            elif array and 'char' in kind and 'u8' not in kind:
                values[name] = data.split(b'\0')[0].decode(errors='replace')
            elif array:
                values[name] = data
            else:
                values[name] = int.from_bytes(data, 'little', signed=signed)
        return values


class Recording:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        self.attrs, self.ids, self.formats, self.kernel, self.features = [], {}, {}, None, {}
        self.records, self.waits = [], []  # waits: (pid, tid, state, system call, kernel function)
        if self.data[:8] != b'PERFILE2':
            raise ValueError(f'{path} is no perf.data')
        if struct.unpack_from('<Q', self.data, 8)[0] == 16:
            self.read_records(16, len(self.data))
        else:
            self.read_file()

    def read_file(self):
        size, attr_size, attrs, attrs_size, data, data_size = struct.unpack_from('<QQQQQQ', self.data, 8)
        bits = struct.unpack_from('<4Q', self.data, 72)
        table = data + data_size
        for bit in range(256):
            if bits[bit // 64] >> bit % 64 & 1:
                start, length = struct.unpack_from('<QQ', self.data, table)
                table += 16
                self.add_feature(bit, self.data[start:start + length])
        for at in range(attrs, attrs + attrs_size, attr_size):
            ids, ids_size = struct.unpack_from('<QQ', self.data, at + attr_size - 16)
            self.add_attr(self.data[at:at + attr_size - 16],
                          struct.unpack_from(f'<{ids_size // 8}Q', self.data, ids))
        self.read_records(data, data + data_size)

    def add_feature(self, number, data):
        self.features[number] = data
        if number == 1:
            self.read_tracing(data)

    def add_attr(self, data, ids):
        attr = Attr(data)
        self.attrs.append(attr)
        for number in ids:
            self.ids[number] = attr

    def read_tracing(self, data):
        at = data.index(b'tracing') + 7
        at = data.index(b'\0', at) + 1 + 1 + 1 + 4  # version, byte order, size of long, page size

        def blob(width='<Q'):
            nonlocal at
            size = struct.unpack_from(width, data, at)[0]
            at += struct.calcsize(width) + size
            return data[at - size:at]

        def number():
            nonlocal at
            at += 4
            return struct.unpack_from('<I', data, at - 4)[0]

        for name in (b'header_page\0', b'header_event\0'):
            at += len(name)
            blob()
        for _ in range(number()):
            blob()
        for _ in range(number()):
            end = data.index(b'\0', at)
            system = data[at:end].decode()
            at = end + 1
            for _ in range(number()):
                form = Format(blob().decode())
                form.name = f'{system}:{form.name}'
                self.formats[form.id] = form
        symbols = blob('<I').decode(errors='replace')
        if symbols:
            self.kernel = Kernel(symbols)

    def read_records(self, at, end):
        while at + 8 <= end:
            kind, misc, size = struct.unpack_from('<IHH', self.data, at)
            if size < 8 or at + size > end:
                break
            body = self.data[at + 8:at + size]
            at += size
            if kind == ATTR:
                length = struct.unpack_from('<I', body, 4)[0]
                self.add_attr(body[:length], struct.unpack(f'<{(len(body) - length) // 8}Q', body[length:]))
            elif kind == TRACING_DATA:
                length = struct.unpack_from('<I', body)[0]
                self.read_tracing(self.data[at:at + length])
                at += (length + 7) // 8 * 8
            elif kind == FEATURE:
                self.add_feature(struct.unpack_from('<Q', body)[0], body[8:])
            elif kind == OWN and struct.unpack_from('<Q', body)[0] == WAIT:
                self.waits.append(struct.unpack_from('<ii', body, 8) + tuple(text.decode() for text in body[16:].split(b'\0')[:3]))
            elif kind < USER_FIRST:
                self.records.append((kind, misc, body))

    def traces(self, name):
        """Whether a tracepoint was recorded, fired or not."""
        return any(self.event_name(attr) == name for attr in self.attrs)

    def event_name(self, attr):
        if attr.type == 2:
            form = self.formats.get(attr.config)
            return form.name if form else f'tracepoint:{attr.config}'
        return 'sample'

    def attr_of(self, kind, body):
        """Which of the recording's attributes a record belongs to: by its id, where there are several."""
        first = self.attrs[0]
        if len(self.attrs) == 1:
            return first
        if first.sample_type >> 16 & 1:
            where = 0 if kind == SAMPLE else len(body) - 8
        elif kind == SAMPLE:
            where = sum(8 for bit in (0, 1, 2, 3) if first.sample_type >> bit & 1)
        else:
            after = sum(8 for bit in (9, 7) if first.sample_type >> bit & 1)
            where = len(body) - after - 8
        return self.ids.get(struct.unpack_from('<Q', body, where)[0], first)

    @staticmethod
    def take_id(bit, body, at, record):
        """The eight bytes of one bit of the sample type, where they say who, when or where."""
        if bit == 1:
            record['pid'], record['tid'] = struct.unpack_from('<ii', body, at)
        elif bit == 2:
            record['time'] = struct.unpack_from('<Q', body, at)[0]
        elif bit == 7:
            record['cpu'] = struct.unpack_from('<I', body, at)[0]

    def trailer(self, attr, body, record):
        """What stands behind every record that is no sample."""
        fields = [bit for bit in (1, 2, 6, 9, 7, 16) if attr.sample_type >> bit & 1]
        at = len(body) - 8 * len(fields)
        for bit in fields:
            self.take_id(bit, body, at, record)
            at += 8
        return len(body) - 8 * len(fields)

    def sample(self, attr, body, record):
        at = 0
        for bit in (16, 0, 1, 2, 3, 6, 9, 7, 8):
            if not attr.sample_type >> bit & 1:
                continue
            self.take_id(bit, body, at, record)
            at += 8
        if attr.sample_type >> 4 & 1:
            raise ValueError('samples with counter values are not read here')
        chain = ()
        if attr.sample_type >> 5 & 1:
            n = struct.unpack_from('<Q', body, at)[0]
            chain = struct.unpack_from(f'<{n}Q', body, at + 8)
            at += 8 + 8 * n
        record['stack'] = self.stack(chain)
        record['event'] = self.event_name(attr)
        record['fields'], record['flags'] = {}, None
        if attr.sample_type >> 10 & 1:
            size = struct.unpack_from('<I', body, at)[0]
            raw = body[at + 4:at + 4 + size]
            form = self.formats.get(struct.unpack_from('<H', raw)[0]) if attr.type == 2 else None
            if form:
                record['fields'] = form.read(raw)
                record['flags'] = record['fields']['common_flags']

    def stack(self, chain):
        frames, mode, first = [], None, True
        for address in chain:
            if address >= CONTEXT_MAX:
                mode, first = address, True
            elif mode == CONTEXT_KERNEL:
                frames.append(self.kernel.at(address if first else address - 1) if self.kernel else ('?',))
                first = False
            elif mode == CONTEXT_USER:
                frames.append(('user',))
                break
        return tuple(frames)

    def events(self):
        """All records in the order of their times; those of the same time in the order of the file."""
        if self.kernel is None:  # perf leaves the symbols out: those of the running kernel, if it is still the same one
            with open('/proc/kallsyms') as symbols:
                self.kernel = Kernel(symbols.read())
        found = []
        for kind, misc, body in self.records:
            attr = self.attr_of(kind, body)
            record = {'type': kind, 'misc': misc, 'time': 0, 'cpu': 0, 'tid': -1, 'pid': -1}
            if kind == SAMPLE:
                self.sample(attr, body, record)
            else:
                end = self.trailer(attr, body, record) if attr.sample_id_all else len(body)
                if kind == COMM:
                    record['of_pid'], record['of_tid'] = struct.unpack_from('<ii', body)
                    record['comm'] = body[8:end].split(b'\0')[0].decode(errors='replace')
                elif kind in (FORK, EXIT):
                    record['of_pid'], record['parent_pid'], record['of_tid'], record['parent_tid'] = struct.unpack_from('<iiii', body)
                elif kind == LOST:
                    record['lost'] = struct.unpack_from('<Q', body, 8)[0]
                elif kind == LOST_SAMPLES:
                    record['lost'] = struct.unpack_from('<Q', body, 0)[0]
            found.append(record)
        found.sort(key=lambda record: record['time'])
        return found
