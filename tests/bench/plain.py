#!/usr/bin/python3
"""Opening a recording without task switches as stacks beside `perf report --stdio` on the same file: medians of CPU time, the ratio, memory.

usage: plain.py BENCH-PLAIN [--megabytes N] [--rounds N] [FILE]

Without FILE it records programs that read folders, compile and talk to one another, with frame-pointer stacks, and repeats the samples with later
times until the file has N megabytes (1000). Fails when opening takes more than a fifteenth of perf report's CPU time. Needs root and perf.
"""
import argparse
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

from figures import figure

LOAD = ('perf bench sched messaging -p -g 2 -l 300 >/dev/null; for i in 1 2 3; do ls -R /usr/share >/dev/null; '
        'python3 -c "import json, gzip, email; json.dumps(list(range(300000)))"; tar cf - /usr/include 2>/dev/null | gzip -1 >/dev/null; done')
SAMPLE, EXIT, FINISHED_ROUND = 9, 4, 68
IDENTIFIER, IP, TID = 1 << 16, 1, 2


def record(path):
    subprocess.run(['perf', 'record', '-q', '-a', '-g', '-F', '4999', '-o', path, '--', 'sh', '-c', LOAD], check=True, stderr=subprocess.DEVNULL)


def records(data):
    """(type, where, size) of each."""
    at = 0
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        yield kind, at, size
        at += size


def repeat(source, target, size):
    """The same recording with its samples again and again, each time later; nobody exits, so that all of them have names."""
    with open(source, 'rb') as file:
        whole = file.read()
    attrs, start, length = *struct.unpack_from('<Q', whole, 24), *struct.unpack_from('<QQ', whole, 40)
    sample_type = struct.unpack_from('<Q', whole, attrs + 24)[0]
    time = 8 + sum(8 for bit in (IDENTIFIER, IP, TID) if sample_type & bit)
    data, behind = whole[start:start + length], bytearray(whole[start + length:])
    found = list(records(data))
    head = b''.join(data[at:at + n] for kind, at, n in found if kind not in (SAMPLE, EXIT, FINISHED_ROUND))
    samples = bytearray(b''.join(data[at:at + n] for kind, at, n in found if kind == SAMPLE))
    places = [at + time for kind, at, n in records(bytes(samples))]
    times = [struct.unpack_from('<Q', samples, place)[0] for place in places]
    span, copies = max(times) - min(times) + 1000, max(1, (size - len(whole)) // len(samples))
    round_over = struct.pack('<IHH', FINISHED_ROUND, 0, 8)
    new_length = len(head) + copies * (len(samples) + len(round_over))
    for i in range(sum(byte.bit_count() for byte in whole[72:104])):  # what stands behind the records moves
        struct.pack_into('<Q', behind, 16 * i, struct.unpack_from('<Q', behind, 16 * i)[0] + new_length - length)
    with open(target, 'wb') as file:
        file.write(whole[:48] + struct.pack('<Q', new_length) + whole[56:start] + head)
        for copy in range(copies):
            for place, moment in zip(places, times):
                struct.pack_into('<Q', samples, place, moment + copy * span)
            file.write(samples + round_over)
        file.write(behind)


def measured(command):
    """CPU seconds, output and peak of memory of a command."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execvp(command[0], command)
    os.close(write)
    with os.fdopen(read, 'rb') as pipe:
        output = pipe.read()
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit(f'{" ".join(command)} failed')
    return used.ru_utime + used.ru_stime, output.decode(errors='replace'), used.ru_maxrss * 1024


def compare(ours, path, rounds):
    size = os.path.getsize(path)
    times, peaks, said = {'here': [], 'perf report': []}, [], ''
    for _ in range(rounds):
        seconds, said, peak = measured([ours, path])
        times['here'].append(seconds)
        peaks.append(peak)
        times['perf report'].append(measured(['perf', 'report', '--stdio', '-i', path])[0])
    here, theirs = (statistics.median(values) for values in times.values())
    print(f'{size / 1e6:.0f} MB, {said.strip()}')
    print(f'opening as stacks {here:.2f} s of CPU, perf report --stdio {theirs:.2f} s: 1/{theirs / here:.1f} (at most 1/15)')
    print(f'peak of memory {statistics.median(peaks) / 1e6:.0f} MB, {statistics.median(peaks) / size:.2f} of the file, which counts in it')
    figure('a plain recording: CPU, perf report ÷ ours', theirs / here, 'times', at_least=15, beside=f'{theirs:.2f} ÷ {here:.2f} s, {size / 1e6:.0f} MB')
    return theirs >= 15 * here


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ours')
    parser.add_argument('file', nargs='?')
    parser.add_argument('--megabytes', type=int, default=1000)
    parser.add_argument('--rounds', type=int, default=3)
    words = parser.parse_intermixed_args()
    if words.file:
        return 0 if compare(words.ours, words.file, words.rounds) else 1
    folder = tempfile.mkdtemp(prefix='wp-plain-')
    try:
        one, many = os.path.join(folder, 'one.data'), os.path.join(folder, 'many.data')
        record(one)
        repeat(one, many, words.megabytes * 1000 * 1000)
        return 0 if compare(words.ours, many, words.rounds) else 1
    finally:
        shutil.rmtree(folder)


sys.exit(main())
