#!/usr/bin/python3
"""Changes the rules of the analysis one at a time, and looks whether a test sees it.

usage: tests/mutation/mutate.py [--count N] [--seed N] [--only PLACE]… [--build FOLDER] [FILE…]

A mutant is one comparison, tie, limit or connective of src/trace and src/paths (or of FILE…) turned into its neighbour: < into <=, == into
!=, && into ||, MIN into MAX, a limit of thresholds.h into twice of it. N of them (200) are chosen at random. Each is built and run
against the scenarios and the unit tests of the core, in a copy of the tree in FOLDER (made where it is not there). Prints each mutant that
no test saw, and the share that was seen. A mutant that does not compile is none. TESTS names the tests that look. --only judges one again:
src/paths/walk.c:85:38, as it was printed, if the file is still the same. README.md beside this file has the last result.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
FOLDERS = ('src/trace', 'src/paths')
LIMITS = 'src/trace/thresholds.h'
# The first ones see most, and are the quickest.
TESTS = ('scenarios', 'trace-rules', 'limits', 'path-rules', 'explanation', 'checks', 'paths-options', 'whole-stacks', 'reliability',
         'kernel-names', 'own-names', 'file-names', 'figures', 'view-layouts', 'read-perf', 'paths')
SECONDS = 120 # a mutant that lets a test run for so long is seen

SWAPS = {' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ', ' == ': ' != ', ' != ': ' == ', ' && ': ' || ', ' || ': ' && ',
         'MIN (': 'MAX (', 'MAX (': 'MIN ('}
SITE = re.compile('|'.join(re.escape(swap) for swap in SWAPS))
FUNCTION = re.compile(r'^(\w+) \(')
LIMIT = re.compile(r'^#define (WP_\w+) (?:\(?|G_GINT64_CONSTANT \()(\d+)')
# What cannot change an outcome: the ends of loops over whole columns (reads behind an end are the sanitizers' to see), and assertions.
SKIPPED = re.compile(r'^\s*(/?\*|//|#include|for \(|g_assert|g_return)|G_STATIC_ASSERT')
# … and which of two is greater that are known not to be equal.
ORDER = re.compile(r'^\s*return (\S+) [<>] (\S+) \? -1 : 1;$')


def is_known(lines, number):
    """Whether the line orders two that the line before it found to differ."""
    order = ORDER.match(lines[number])
    return order is not None and lines[number - 1].strip() == f'if ({order.group(1)} != {order.group(2)})'


def mutants_of(path):
    """(path, line number, column, old, new) of all that can be changed in a file."""
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        lines = file.read().splitlines()
    comment = False
    for number, line in enumerate(lines):
        begins, ends = line.rfind('/*'), line.rfind('*/')
        inside, comment = comment, (begins > ends) or (comment and ends < 0)
        if inside or SKIPPED.search(line) or is_known(lines, number):
            continue
        code = re.sub(r'/\*.*', '', line)
        code = re.sub(r'"(\\.|[^"\\])*"', lambda found: '"' * len(found.group()), code)
        for site in SITE.finditer(code):
            yield path, number, site.start(), site.group(), SWAPS[site.group()]
        limit = LIMIT.match(code)
        if limit and path == LIMITS:
            yield path, number, limit.start(2), limit.group(2), str(2 * int(limit.group(2)))


def candidates(files):
    if not files:
        files = [f'{folder}/{name}' for folder in FOLDERS for name in sorted(os.listdir(os.path.join(ROOT, folder)))
                 if name.endswith('.c') or f'{folder}/{name}' == LIMITS]
    return [mutant for path in files for mutant in mutants_of(path)]


def name_of(mutant):
    path, number, column, _, _ = mutant
    return f'{path}:{number + 1}:{column + 1}'


class Tree:
    """A copy of the project that is changed and built."""

    def __init__(self, folder):
        self.root = os.path.join(folder, 'tree')
        self.build = os.path.join(folder, 'build')
        shutil.rmtree(self.root, ignore_errors=True)
        names = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split('\0')): # new, so that nothing is left of what was built from the last mutant
            os.makedirs(os.path.dirname(os.path.join(self.root, name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.root, name))
        if not os.path.exists(os.path.join(self.build, 'build.ninja')):
            subprocess.run(['meson', 'setup', '-Ddebug=false', '-Doptimization=1', self.build, self.root], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(['ninja', 'build.ninja'], cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        rows = json.loads(subprocess.run(['meson', 'introspect', '--tests', self.build], capture_output=True, text=True, check=True).stdout)
        found = {row['name']: row for row in rows if row['name'] in TESTS}
        self.tests = [found[name] for name in TESTS if name in found]
        self.targets = [os.path.relpath(row['cmd'][0], self.build) for row in self.tests]

    def make(self):
        return subprocess.run(['ninja', *self.targets], cwd=self.build, capture_output=True).returncode == 0

    def seen_by(self):
        """The first test that fails, or None."""
        for row in self.tests:
            try:
                done = subprocess.run(row['cmd'], cwd=row['workdir'] or self.build, env={**os.environ, **row['env']}, capture_output=True,
                                      timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return f"{row['name']}, without end"
            if done.returncode != 0:
                return row['name']
        return None

    def describe(self, mutant):
        """The function it is in, and its line."""
        path, number, _, _, _ = mutant
        with open(os.path.join(self.root, path), encoding='utf-8') as source:
            lines = source.read().splitlines()
        functions = [found.group(1) for found in map(FUNCTION.match, lines[:number + 1]) if found]
        return f'{functions[-1]}: {lines[number].strip()}' if functions else lines[number].strip()

    def judge(self, mutant):
        """What became of it: the test that saw it, 'no build', or None where nobody did."""
        path, number, column, old, new = mutant
        file = os.path.join(self.root, path)
        with open(file, encoding='utf-8') as source:
            text = source.read()
        lines = text.split('\n')
        lines[number] = lines[number][:column] + new + lines[number][column + len(old):]
        try:
            with open(file, 'w', encoding='utf-8') as source:
                source.write('\n'.join(lines))
            return self.seen_by() if self.make() else 'no build'
        finally:
            with open(file, 'w', encoding='utf-8') as source:
                source.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    parser.add_argument('--only', metavar='PLACE', action='append')
    parser.add_argument('--build', metavar='FOLDER', default=os.path.join(tempfile.gettempdir(), 'wakepath-mutation'))
    parser.add_argument('files', nargs='*', metavar='FILE')
    options = parser.parse_args()
    mutants = candidates(options.files)
    random.Random(options.seed).shuffle(mutants)
    if options.only:
        unknown = set(options.only) - set(map(name_of, mutants))
        if unknown:
            sys.exit(f'nothing to change at {", ".join(sorted(unknown))}')
        mutants = [mutant for mutant in mutants if name_of(mutant) in options.only]
    tree = Tree(options.build)
    print(f'{len(mutants)} can be made, seed {options.seed}; {len(tree.tests)} tests look at each', flush=True)
    failing = tree.seen_by() if tree.make() else 'the build'
    if failing is not None:
        sys.exit(f'without any change, {failing} fails')
    seen, missed = 0, []
    for mutant in mutants:
        if seen + len(missed) == options.count:
            break
        result = tree.judge(mutant)
        if result == 'no build':
            continue
        where = f'{name_of(mutant)}: {mutant[3].strip()} → {mutant[4].strip()}'
        if result is None:
            missed.append(where)
            print(f'missed  {where}\n        {tree.describe(mutant)}', flush=True)
        else:
            seen += 1
            print(f'seen    {where}  by {result}', flush=True)
    print(f'{seen} of {seen + len(missed)} seen, {100 * seen / max(1, seen + len(missed)):.1f} %')
    return 0


sys.exit(main())
