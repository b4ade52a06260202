"""What Perun 0.16.9 does with an index, byte by byte: it reads entry after entry, writes in place without a lock, moves what is behind, and
appends at the end of the file whatever stands there. Own code, after what is documented of its store; where Perun would fail this raises
Malformed."""
import os
import struct
from collections import namedtuple

Entry = namedtuple('Entry', 'time sha1 path type cmd args workload collector postprocessors offset')
COUNT_AT, FIRST = 8, 12


class Malformed(Exception):
    pass


def read_exactly(file, n):
    data = file.read(n)
    if len(data) != n:
        raise Malformed(f'{len(data)} bytes in place of {n}')
    return data


def read_int(file):
    return struct.unpack('<i', read_exactly(file, 4))[0]


def read_text(file):
    length = read_int(file)
    if length < 0:
        raise Malformed('a negative length')
    data = file.read(min(length, os.fstat(file.fileno()).st_size))  # one that is too short is accepted; one of gigabytes takes no room here
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Malformed(str(error)) from error


def read_path(file):
    """A byte at a time, each of them a character of its own."""
    path = ''
    while (byte := read_exactly(file, 1)) != b'\0':
        try:
            path += byte.decode()
        except UnicodeDecodeError as error:
            raise Malformed(str(error)) from error
    return path


def read_entry(file):
    offset = file.tell()
    time, sha1 = struct.unpack('<I', read_exactly(file, 4))[0], read_exactly(file, 20).hex()
    return Entry(time, sha1, read_path(file), *[read_text(file) for _ in range(6)], offset)


def walk(file):
    """The entries, one after the other: who stops early does not see what is wrong behind."""
    end = file.seek(0, 2)
    file.seek(0)
    if file.read(4) != b'pidx' or read_int(file) != 2:
        raise Malformed('magic or version')
    count, loaded = read_int(file), 0
    while file.tell() + 24 < end and loaded < count:
        yield read_entry(file)
        loaded += 1
    if loaded != count:
        raise Malformed(f'{loaded} entries in place of {count}')


def entries(path):
    with open(path, 'rb') as file:
        return list(walk(file))


def packed(entry):
    out = struct.pack('<I', entry.time) + bytes.fromhex(entry.sha1) + entry.path.encode() + b'\0'
    for text in entry[3:9]:
        out += struct.pack('<I', len(text.encode())) + text.encode()
    return out


def change_count(file, by):
    file.seek(COUNT_AT)
    count = read_int(file)
    file.seek(COUNT_AT)
    file.write(struct.pack('<i', count + by))


def touch(path):
    """A new index, empty."""
    with open(path, 'wb') as file:
        file.write(b'pidx' + struct.pack('<ii', 2, 0))


def add(path, new):
    """Before the first entry that sorts behind it; at the end of the file where there is none. False: registered already."""
    with open(path, 'rb+') as file:
        at = None
        for entry in walk(file):
            if entry.path > new.path or (entry.path == new.path and entry.time >= new.time):
                if (entry.path, entry.time) == (new.path, new.time):
                    return False
                at = entry.offset
                break
        if at is None:
            at = file.seek(0, 2)
        change_count(file, 1)
        file.seek(at)
        behind = file.read()
        file.seek(at)
        file.write(packed(new))
        file.write(behind)
    return True


def remove(path, name):
    """The first entry of that name; the rest is written anew, and the file ends there."""
    with open(path, 'rb+') as file:
        found = list(walk(file))
        gone = next(entry for entry in found if entry.path == name)
        change_count(file, -1)
        file.seek(FIRST)
        for entry in found:
            if entry is not gone:
                file.write(packed(entry))
        file.truncate()
