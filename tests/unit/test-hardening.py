#!/usr/bin/python3
"""How the programs were built, as readelf tells: position-independent, relocations bound and then read-only, no executable stack, stack
protector, checked functions of the C library, control-flow protection in what the project itself compiled. TAP.
usage: test-hardening.py FORTIFIED(true|false) PIE(true|false) COMPILE_COMMANDS PROGRAM…
"""
import json
import os
import platform
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

FORTIFIED, PIE, COMMANDS, PROGRAMS = sys.argv[1] == 'true', sys.argv[2] == 'true', sys.argv[3], sys.argv[4:]


def readelf(*arguments):
    return subprocess.run(['readelf', '-W', *arguments], capture_output=True, text=True, check=True).stdout


def test_program(path):
    name = os.path.basename(path)
    head, segments, dynamic = readelf('-h', path), readelf('-l', path), readelf('-d', path)
    symbols = re.findall(r' UND (\w+)', readelf('--dyn-syms', path))
    if PIE:
        check(f'{name}: position-independent', re.search(r'Type:\s+DYN', head) and 'PIE' in dynamic, dynamic)
    check(f'{name}: relocations are read-only', 'GNU_RELRO' in segments, segments)
    check(f'{name}: … and bound at the start', re.search(r'FLAGS_1.*NOW', dynamic), dynamic)
    check(f'{name}: no executable stack', re.search(r'GNU_STACK.* RW +0x', segments), segments)
    check(f'{name}: no segment to write and to execute', not re.search(r'LOAD.* RWE', segments), segments)
    check(f'{name}: stack protector', '__stack_chk_fail' in symbols, symbols)
    if FORTIFIED:
        checked = [symbol for symbol in symbols if re.fullmatch(r'__\w+_chk|__open(at)?(64)?_2', symbol)]
        check(f'{name}: checked functions of the C library', checked, symbols)


def objects_of(word):
    """What the project compiled whose path has the word: (object, command)."""
    with open(COMMANDS, encoding='utf-8') as file:
        rows = json.load(file)
    return [(os.path.join(row['directory'], row['output']), row['command']) for row in rows if word in row['output']]


def test_objects(word):
    rows = objects_of(word)
    check(f'{word}: its objects are known', len(rows) > 3, rows)
    for flag in ('-fstack-protector-strong', '-fstack-clash-protection'):
        check(f'{word}: {flag}', all(flag in command for _, command in rows), rows[:1])
    check(f'{word}: _FORTIFY_SOURCE only where it works', all(('-D_FORTIFY_SOURCE=' in command) == FORTIFIED for _, command in rows))
    if platform.machine() == 'x86_64':
        notes = {path: readelf('-n', path) for path, _ in rows if os.path.exists(path)}
        check(f'{word}: control-flow protection', notes and all('IBT, SHSTK' in note for note in notes.values()), list(notes.items())[:1])


for program in PROGRAMS:
    test_program(program)
for folder in ('collector-helper/', 'src/read/', 'src/app/'):
    test_objects(folder)
sys.exit(end())
