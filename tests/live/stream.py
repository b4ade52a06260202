"""A perf.data stream, walked record by record."""
import collections
import struct

ATTR, OWN_FEATURE, TRACING_DATA, BUILD_ID, ROUND, FEATURE = 64, 65, 66, 67, 68, 80
FEATURES_OWN = 0x77616b6570617400  # added to the numbers of ours
PAUSE = 202
LOST, COMM, MMAP, SAMPLE, MMAP2, DEFERRED = 2, 3, 1, 9, 10, 22
IDENTIFIER, CALLCHAIN, PERIOD, RAW, REGS_USER, STACK_USER = 1 << 16, 1 << 5, 1 << 8, 1 << 10, 1 << 12, 1 << 13


class Stream:
    """A perf.data stream, walked by hand. Of one tracepoint it keeps the fields, too, each firing's beside the attributes of its event."""

    def __init__(self, data, tracepoint=None):
        self.tracepoint, self.fields = tracepoint, []
        self.attrs, self.samples, self.types, self.features = [], collections.Counter(), collections.Counter(), {}
        self.ids, self.lost, self.comms, self.maps, self.tracing = {}, 0, {}, [], b''
        self.chains = collections.Counter()
        self.build_ids = {}
        self.whole = data[:8] == b'PERFILE2' and struct.unpack_from('<Q', data, 8)[0] == 16
        at = 16
        while at + 8 <= len(data):
            kind, misc, size = struct.unpack_from('<IHH', data, at)
            if size < 8 or at + size > len(data):
                break
            self.types[kind] += 1
            self.take(kind, misc, data[at + 8:at + size])
            at += size
            if kind == TRACING_DATA:
                length = struct.unpack_from('<I', data, at - 4)[0]
                self.tracing = data[at:at + length]
                at += length
        self.whole = self.whole and at == len(data)

    def take(self, kind, misc, body):
        if kind == ATTR:
            size = struct.unpack_from('<I', body, 4)[0]
            type_, config, period, sample_type = struct.unpack_from('<I4xQQQ', body, 0)
            flags, = struct.unpack_from('<Q', body, 40)
            self.attrs.append({'type': type_, 'config': config, 'period': period, 'sample_type': sample_type, 'flags': flags,
                               'samples': 0, 'chains': 0, 'user': 0, 'copied': 0,
                               'registers': struct.unpack_from('<Q', body, 80)[0],
                               'stack': struct.unpack_from('<I', body, 88)[0] if sample_type & STACK_USER else 0})
            for (id_,) in struct.iter_unpack('<Q', body[size:]):
                self.ids[id_] = self.attrs[-1]
        elif kind == SAMPLE:
            self.take_sample(body)
        elif kind == LOST:
            self.lost += struct.unpack_from('<Q', body, 8)[0]
        elif kind == COMM:
            self.comms[struct.unpack_from('<I', body, 4)[0]] = body[8:].split(b'\0')[0].decode(errors='replace')
        elif kind == MMAP:
            self.maps.append(body[32:].split(b'\0')[0].decode())
        elif kind == MMAP2:
            self.maps.append(body[64:].split(b'\0')[0].decode(errors='replace'))
        elif kind == BUILD_ID:
            self.build_ids[body[28:].split(b'\0')[0].decode(errors='replace')] = body[4:4 + body[24]].hex()
        elif kind == FEATURE:
            self.features.setdefault(struct.unpack_from('<Q', body, 0)[0], []).append(body[8:])
        elif kind == OWN_FEATURE:
            self.features.setdefault(struct.unpack_from('<Q', body, 0)[0] - FEATURES_OWN, []).append(body[8:])

    def take_sample(self, body):
        attr = self.ids[struct.unpack_from('<Q', body, 0)[0]]
        attr['samples'] += 1
        at = 8
        for bit in (0, 1, 2, 7, 8):  # IP, TID, TIME, CPU, PERIOD: 8 bytes each
            at += 8 if attr['sample_type'] & 1 << bit else 0
        if attr['sample_type'] & CALLCHAIN:
            n, = struct.unpack_from('<Q', body, at)
            attr['chains'] += n > 0
            attr['deepest'] = max(attr.get('deepest', 0), n)
            attr['user'] += struct.pack('<q', -512) in body[at + 8:at + 8 + n * 8]
            at += 8 + n * 8
        if self.tracepoint == attr['config'] and attr['sample_type'] & RAW:
            self.fields.append((attr, body[at + 4:at + 4 + struct.unpack_from('<I', body, at)[0]]))
        if attr['sample_type'] & STACK_USER:
            self.take_copy(attr, body, at)

    def take_copy(self, attr, body, at):
        """The rest of a sample with registers and a copy of the stack."""
        at += 4 + struct.unpack_from('<I', body, at)[0] if attr['sample_type'] & RAW else 0
        abi, = struct.unpack_from('<Q', body, at)
        at += 8 + (8 * attr['registers'].bit_count() if abi else 0)
        size, = struct.unpack_from('<Q', body, at)
        if size:
            attr['copied'] += struct.unpack_from('<Q', body, at + 8 + size)[0] <= size == attr['stack']

    def by_name(self, names):
        counts = collections.Counter()
        for attr in self.attrs:
            counts[names.get(attr['config'], 'cpu-clock or cycles') if attr['type'] == 2 else 'cpu'] += attr['samples']
        return counts
