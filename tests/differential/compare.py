#!/usr/bin/python3
"""compare.py [--idle-task T] [--adverse PROGRAM] CLI RECORDING-OR-FOLDER…

Lists every difference between the program's operations, links and stacks and ours, for recordings or all *.data of folders, and
how many there are. With --adverse BUILD/tests/adverse/adverse each is compared damaged, too: with 1 %, 5 % and 20 % of its events
lost, with a burst lost, and with switches missing. Large recordings take minutes. Exit status 1 if anything differs.
"""
import argparse, collections, glob, json, os, subprocess, sys, tempfile

import assemble
import perfdata

DAMAGES = '1 % lost', '5 % lost', '20 % lost', 'burst lost on one CPU', 'thinned switches'


def theirs(cli, table, path, idle):
    command = [cli, table, path, '--format', 'json'] + (['--idle-task', idle] if idle else [])
    return [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]


def their_row(op):
    if op['kind'] != 'sleep':
        return (op['kind'], op['start_ns'], op['end_ns'])
    return (op['kind'], op['start_ns'], op['end_ns'], op['state'], op['cause'], op['woken_ns'])


def link_differences(ours, ops, links):
    """A link by its cause, time and both ends: kind and start of the operation that caused it, thread and start of the target."""
    def our_end(op):
        if op is None:
            return None
        return (op.thread.tid, op.start) if isinstance(op, assemble.Op) else ('disk', op.issued)

    def their_end(number):
        op = ops[number - 1] if number else None
        if op is None:
            return None
        return (op['tid'], op['start_ns']) if op['kind'] in ('run', 'sleep') else (op['kind'], op['start_ns'])

    a = collections.Counter((link.cause, link.start, our_end(link.source), our_end(link.target)) for link in ours.links
                            if link.target is not None or link.cause != 'preempted')
    b = collections.Counter((link['kind'], link['start_ns'], their_end(link['source']), their_end(link['target'])) for link in links)
    return [(link[1], 'link', who, link) for who, rows in (('only ours', a - b), ('only theirs', b - a)) for link in rows.elements()]


def stack_agrees(ours, theirs):
    """Ours has the kernel's part, each frame by all its names, and whether a user's part follows (cut where no file is mapped)."""
    kernel = [names for names in reversed(ours) if names != ('user',)]
    names = theirs.split(';') if theirs else []
    if len(names) < len(kernel) or (len(kernel) == len(ours) and len(names) != len(kernel)):
        return False
    return all(name in known or known == ('?',) for name, known in zip(names[len(names) - len(kernel):], kernel))


def stack_differences(ours, ops):
    """Of runs and sleeps that are the same otherwise."""
    theirs = collections.defaultdict(list)
    for op in ops:
        if op['kind'] in ('run', 'sleep'):
            theirs[op['tid'], their_row(op)].append(op['stack'])
    for thread in ours.all_threads:
        for op in thread.ops:
            stacks = theirs.get((thread.tid, op.row()))
            if stacks and not stack_agrees(op.seen_stack(), stacks.pop(0)):
                yield (op.start, thread.tid, 'stack', op.row())


def differences(cli, path, idle=None):
    ours = assemble.Assembler(perfdata.Recording(path), idle).run()
    ops, links = theirs(cli, 'operations', path, idle), theirs(cli, 'links', path, idle)
    found = []
    mine, other = collections.defaultdict(list), collections.defaultdict(list)
    for thread in ours.all_threads:
        mine[thread.tid] += [op.row() for op in thread.ops]
    for op in ops:
        if op['kind'] in ('run', 'sleep'):
            other[op['tid']].append(their_row(op))
    for tid in sorted(set(mine) | set(other)):
        a, b = collections.Counter(mine[tid]), collections.Counter(other[tid])
        if a != b:
            for row in sorted((a - b).elements(), key=lambda r: (r[1], r[2], r[0])):
                found.append((row[1], tid, 'only ours', row))
            for row in sorted((b - a).elements(), key=lambda r: (r[1], r[2], r[0])):
                found.append((row[1], tid, 'only theirs', row))
    a = collections.Counter(ours.disks.rows(ours.last))
    b = collections.Counter(their_row(op) for op in ops if op['kind'].startswith('disk'))
    for who, rows in (('only ours', a - b), ('only theirs', b - a)):
        found += [(row[1], 'disk', who, row) for row in rows.elements() if row[1] < row[2]]
    found += link_differences(ours, ops, links)
    found += stack_differences(ours, ops)
    return sorted(found, key=lambda f: (f[0], str(f[1]), f[2])), ours, ops, links


def damaged(adverse, path, idle, folder, damages=DAMAGES):
    """Recordings made from this one, each with the name of its damage; made one after the other in the same place."""
    for name in damages:
        out = f'{folder}/damaged.data'
        subprocess.run([adverse, '--others', '0', '--seeds', '1', '--damage', name, '--keep', out] + (['--idle-task', idle] if idle else [])
                       + [path], capture_output=True, env=dict(os.environ, TMPDIR=folder))  # what it says of explanations is another test's
        yield name, out
        os.unlink(out)


def report(name, cli, path, idle):
    found, ours, ops, _ = differences(cli, path, idle)
    for time, tid, who, row in found:
        print(tid, who, *row)
    print(f'{name}: {len(found)} differences in {len(ops)} operations;', ours.counts, flush=True)
    return len(found)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument('--idle-task')
    options.add_argument('--adverse')
    options.add_argument('cli')
    options.add_argument('paths', nargs='+')
    given = options.parse_args()
    different = 0
    for path in given.paths:
        for recording in sorted(glob.glob(f'{path}/*.data')) if os.path.isdir(path) else [path]:
            different += report(recording, given.cli, recording, given.idle_task)
            with tempfile.TemporaryDirectory(prefix='wakepath-differential-') as folder:
                for name, out in damaged(given.adverse, recording, given.idle_task, folder) if given.adverse else ():
                    different += report(f'{recording}, {name}', given.cli, out, given.idle_task)
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
