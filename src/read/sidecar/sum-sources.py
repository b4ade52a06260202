#!/usr/bin/env python3
"""A header with a sum of all that decides what becomes of a recording: the sources of the given folders. Another source, another program for what it kept.

usage: sum-sources.py HEADER DEPFILE FOLDER…
"""
import hashlib
import os
import sys

header, depfile, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
files = sorted(os.path.join(base, name) for folder in folders for base, _, names in os.walk(folder) for name in names if name.endswith(('.c', '.h')))
total = hashlib.sha256()
for path in files:
    with open(path, 'rb') as source:
        total.update(hashlib.sha256(source.read()).digest())
with open(header, 'w', encoding='utf-8') as out:
    out.write(f'/* Of the sources: see sum-sources.py. */\n#define WP_PROGRAM_SUM "{total.hexdigest()}"\n')
with open(depfile, 'w', encoding='utf-8') as out:
    out.write(f'{header}: {" ".join(path.replace(" ", chr(92) + " ") for path in files)}\n')
