"""What a store holds, by a strict reader that is not the program's own: profiles, what is pending, what is broken, what was left over."""
import hashlib
import json
import os
import struct

import perun_index as perun
from stores import head, object_path, read, unpack_object


def registered(repo):
    path = object_path(repo, head(repo))
    return dict(entries(path)) if os.path.exists(path) else {}


def entries(path):
    """(path, sha1) each; of an index that Perun of old or of late wrote, too."""
    try:
        return [(e.path, e.sha1) for e in perun.entries(path)]
    except perun.Malformed:
        return entries_of(read(path))


def entries_of(data):
    """Of five strings, and of none."""
    version, count = struct.unpack_from('<II', data, 4)
    at, found = 12, []
    for _ in range(count):
        end = data.find(b'\0', at + 24)
        found.append((data[at + 24:end].decode(errors='replace'), data[at + 4:at + 24].hex()))
        at = end + 1
        for _ in range(5 if version == 2 else 0):
            if at + 4 > len(data):
                raise perun.Malformed('the end is missing')
            at += 4 + struct.unpack_from('<I', data, at)[0]
    if at != len(data) or version not in (1, 2):
        raise perun.Malformed(f'{len(data) - at} bytes in place of none')
    return found


def pending(repo):
    jobs = os.path.join(repo, '.perun', 'jobs')
    return [os.path.join(jobs, name) for name in (os.listdir(jobs) if os.path.isdir(jobs) else []) if name.endswith('.perf')
            and not name.startswith('.')]


def leftovers(repo):
    """Temporary files, in the store and beside it."""
    return [os.path.join(base, name) for base, folders, names in os.walk(repo) for name in names
            if name.startswith('.') and name != '.lock' and '.git' not in base.split('/')]


def broken(repo):
    """What is wrong with any store: a sentence, or None."""
    try:
        rows = registered(repo)
    except perun.Malformed as error:
        return f'the index: {error}'
    for name, sha1 in rows.items():
        path = object_path(repo, sha1)
        if not os.path.exists(path) or hashlib.sha1(unpack_object(read(path))).hexdigest() != sha1:
            return f'the object of {name}'
    for path in pending(repo):
        try:
            json.loads(read(path))
        except ValueError as error:
            return f'{path}: {error}'
    return None
