#!/usr/bin/python3
"""Names of profiles' files by template, as Perun 0.16.9 makes them.

test-names.py NAME [FOLDER]: FOLDER holds all profiles (profiles/0.16.9/…); without it, those that the packed store has."""
import gzip
import json
import os
import subprocess
import sys

from stores import CLI, DATA, folder, object_path, profile, read, unpack, unpack_object, write
import tap

FOLDER = sys.argv[2] if len(sys.argv) > 2 else None
PLACE = folder()


def packed():
    """Where the packed store's profiles came from: their text by that path, as they were."""
    with open(os.path.join(DATA, 'store-0.16.9.layout.json')) as file:
        layout = json.load(file)
    with open(os.path.join(DATA, 'store-0.16.9.json')) as file:
        minors = json.load(file)['minor_versions']
    repo, found = unpack('0.16.9'), {}
    for commit, relative, name, _ in layout['added']:
        for entry in minors[layout['commits'][commit]]['entries_in_file_order']:
            if entry['path'] == name and 'prof-2' not in relative:  # that one had another workload
                found[relative] = unpack_object(read(object_path(repo, entry['checksum']))).split(b'\0', 1)[1]
    return found


PACKED = packed()


def file_of(relative):
    if FOLDER:
        path = os.path.join(FOLDER, 'profiles', '0.16.9', relative)
        data = gzip.decompress(read(path + '.gz')) if os.path.exists(path + '.gz') else read(path)
    else:
        data = PACKED.get(relative)
    if data is not None:
        write(os.path.join(PLACE, 'x.perf'), data)
    return data is not None


def name(template):
    return subprocess.run([CLI, template, 'x.perf'], cwd=PLACE, capture_output=True, text=True)


with open(os.path.join(DATA, 'generate_profile_name.json')) as file:
    ROWS = json.load(file)
for row in ROWS:
    # Objects do not say which commit their profile belongs to.
    if not file_of(row['profile']) or (FOLDER is None and '%origin%' in row['template']):
        continue
    done, wanted = name(row['template']), row['name']
    if isinstance(wanted, str):
        tap.check(f"{row['profile']}: {row['template']}", done.returncode == 0 and done.stdout == wanted + '\n', (done, wanted))
    else:
        tap.check(f"{row['profile']}: {row['template']}: refused, or a blank", (done.returncode == 1 and row['template'] in done.stderr)
                  or done.stdout == '_.perf\n', done)
with open(os.path.join(DATA, 'sanitize_filepart.json')) as file:
    PARTS = json.load(file)
for part, wanted in PARTS.items():
    document = json.loads(profile())
    document['header']['args'] = part
    write(os.path.join(PLACE, 'x.perf'), json.dumps(document).encode())
    done = name('%args%')
    tap.check(f'args {part!r}', done.stdout == f'[{wanted or "_"}].perf\n', done)
document['origin'] = 'ab' * 20
write(os.path.join(PLACE, 'x.perf'), json.dumps(document).encode())
tap.check('%origin%', name('%origin%').stdout == 'ab' * 20 + '.perf\n')
document['collector_info'] = {'name': 'complexity', 'params': {'sampling': [{'func': 'first', 'sample': 1}, {'func': 'second'}], 'none': []}}
write(os.path.join(PLACE, 'x.perf'), json.dumps(document).encode())
for param, wanted in (('sampling::func', 'first'), ('sampling::sample', '1'), ('none::func', '_'), ('sampling:func', '_'),
                      ('sampling::func:more', '_')):
    done = name(f'%complexity.{param}%')
    tap.check(f'%complexity.{param}%', done.stdout == wanted + '.perf\n', (done, wanted))
tap.check('%counter%', name('%counter%-%counter%').stdout == '1-2.perf\n')
tap.check('%date%', len(name('%date%').stdout) == len('2017-07-21-02-40-40.perf\n'))
sys.exit(tap.end())
