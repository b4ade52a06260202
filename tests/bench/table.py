#!/usr/bin/python3
"""The figures of the last benchmarks, each with its goal, from meson's log of them. Exit status 1 where a goal is missed.

usage: table.py LOG [--write PAGE]

--write puts the table between the marks of a page, with machine and date; figures of benchmarks that were not run stay as they are there.
"""
import argparse
import datetime
import json
import os
import platform
import re
import sys

BEGIN, END = '<!-- figures -->\n', '<!-- end of figures -->\n'
HEAD = '| benchmark | figure | value | goal | met | beside |\n|---|---|---:|---|---|---|\n'


class Row:
    def __init__(self, benchmark, name, value, unit, goal, beside):
        self.benchmark, self.name, self.value, self.unit, self.goal, self.beside = benchmark, name, float(value), unit, goal, beside

    def met(self):
        """None: it has no goal."""
        if not self.goal:
            return None
        limit = float(self.goal.split()[-1])
        return self.value >= limit if self.goal.startswith('at least') else self.value <= limit

    def cells(self):
        met = {None: '', True: 'yes', False: '**no**'}[self.met()]
        return [self.benchmark, self.name, f'{self.value:g} {self.unit}'.strip(), self.goal, met, self.beside]


def rows_of(log):
    with open(log, encoding='utf-8') as file:
        for line in file:
            run = json.loads(line)
            name = run['name'].rsplit(' / ', 1)[-1].split(':')[-1].strip()
            for text in (run.get('stdout') or '').splitlines():
                if text.startswith('figure\t'):
                    yield Row(name, *text.split('\t')[1:6])


def processor():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        found = re.search(r'^model name\s*: (.*)$', file.read(), re.M)
    return f'{found[1] if found else platform.machine()}, {os.cpu_count()} processors'


def write(page, rows):
    """Lines of the table whose benchmark was not run are kept."""
    with open(page, encoding='utf-8') as file:
        before, rest = file.read().split(BEGIN)
    old, after = rest.split(END)
    run = {row.benchmark for row in rows}
    stamp = f'{datetime.date.today()}, Linux {platform.release().split("-")[0]}, {processor()}'
    kept = [line for line in re.findall(r'^\| .*$', old, re.M) if line.split('|')[1].strip() not in run | {'benchmark'}]
    lines = kept + ['| ' + ' | '.join(row.cells() + [stamp]) + ' |' for row in rows]
    head = HEAD.replace('beside |', 'beside | when and where |').replace('---|\n', '---|---|\n')
    with open(page + '.new', 'w', encoding='utf-8') as file:
        file.write(f'{before}{BEGIN}\n{head}' + '\n'.join(sorted(lines, key=lambda line: line.split('|')[1])) + f'\n\n{END}{after}')
    os.replace(page + '.new', page)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('log')
    parser.add_argument('--write', metavar='PAGE')
    options = parser.parse_args()
    rows = list(rows_of(options.log))
    width = max((len(f'{row.benchmark}: {row.name}') for row in rows), default=0)
    for row in rows:
        met = {None: '', True: 'met', False: 'MISSED'}[row.met()]
        print(f'{row.benchmark + ": " + row.name:{width}}  {row.value:9.4g} {row.unit:6} {row.goal:14} {met:6} {row.beside}')
    missed = sum(row.met() is False for row in rows)
    print(f'{len(rows)} figures, {missed} goals missed')
    if options.write:
        write(options.write, rows)
    return 1 if missed or not rows else 0


sys.exit(main())
