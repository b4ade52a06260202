#!/usr/bin/python3
"""JSON as Python has it: documents of odd numbers, texts and keys are read and written again, byte for byte what Python writes."""
import json
import os
import random
import sys

from stores import cli, folder, read, write
import tap

NUMBERS = ['0', '-0', '1', '1.0', '-0.0', '1e5', '1E+5', '1.5e-7', '0.1e1', '1e400', '-1e400', '1e-400', '5e-324', '1.7976931348623157e308', '1e16',
           '123456789012345680.0', '123456789012345678901234567890', '9223372036854775807', '9223372036854775808', '-9223372036854775808',
           '-9223372036854775809', 'NaN', 'Infinity', '-Infinity']
CHARACTERS = ['a', 'ä', '😀', '\u2028', '\x7f', ' ', '\\u0000', '\\ud83d', '\\ude00', '\\ud83d\\ude00', '\\uDBFF\\uDFFE', '\\uFFFF', '\\u00e9', '\\u007f',
              '\\n', '\\t', '\\b', '\\f', '\\r', '\\/', '\\"', '\\\\']
FRAME = ('{"header": {"type": "time", "cmd": "x", "args": "", "workload": "", "units": {"time": "s"}}, "collector_info": {"name": "c", '
         '"params": {"values": [%s]}}, "postprocessors": [], "global": {"resources": []}}')


def text(source):
    return '"' + ''.join(source.choice(CHARACTERS) for _ in range(source.randrange(7))) + '"'


def number(source):
    return source.choice([*NUMBERS, repr(source.uniform(-1e3, 1e3)), str(source.randint(-10 ** 20, 10 ** 20))])


def value(source, depth=0):
    kind = source.randrange(6) if depth < 5 else 0
    if kind == 4:
        return '[' + ' ,'.join(value(source, depth + 1) for _ in range(source.randrange(5))) + ' ]'
    if kind == 5: # keys come twice, too
        return '{' + ','.join(f'{text(source) if source.random() < .5 else chr(34) + "a" + chr(34)} : {value(source, depth + 1)}'
                              for _ in range(source.randrange(5))) + '}'
    return [number, number, text, lambda _: source.choice(['true', 'false', 'null'])][kind](source)


def wanted(document):
    document = json.loads(document)
    document['postprocessors'].append({'name': 'filter', 'params': {}})
    return json.dumps(document, indent=2).encode()


PLACE = folder()
for seed in range(12):
    source = random.Random(seed)
    document = FRAME % ', '.join(value(source) for _ in range(60))
    write(os.path.join(PLACE, 'in.perf'), document.encode())
    done = cli(PLACE, 'postprocess', 'in.perf', 'filter', '-o', 'out.perf')
    out = read(os.path.join(PLACE, 'out.perf')) if done.status == 0 else b''
    expected = wanted(document)
    place = next((i for i, pair in enumerate(zip(out, expected)) if pair[0] != pair[1]), min(len(out), len(expected)))
    tap.check(f'values of seed {seed}', out == expected, (done, out[max(place - 40, 0):place + 40], expected[max(place - 40, 0):place + 40]))
sys.exit(tap.end())
