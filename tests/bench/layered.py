#!/usr/bin/python3
"""Call graphs laid out by ours and by Graphviz' dot: how often edges cross, and how long it takes; then what a frame takes to draw.

Crossings are counted the same way for both: edges as the lines that are drawn, of which two that end at a common node do not cross there.
Usage: layered.py BENCH-LAYERED"""
import collections
import random
import re
import subprocess
import sys
import time

BENCH = sys.argv[1]
SIZES = [(30, 45), (100, 170), (300, 550), (1000, 1900)]
RUNS = 3


def graph(nodes, edges, seed):
    """As programs call: a few entries, most calls one layer down, some further, helpers that many call."""
    rand = random.Random(seed)
    layers = max(3, int(nodes ** 0.5 * 1.2))
    layer = sorted(min(int(rand.betavariate(1.6, 1.4) * layers), layers - 1) for _ in range(nodes))
    layer[0] = 0
    by_layer = collections.defaultdict(list)
    for node, at in enumerate(layer):
        by_layer[at].append(node)
    found = set()
    for node in range(1, nodes):
        above = [n for n in by_layer[layer[node] - 1]] if layer[node] > 0 else []
        if above:
            found.add((rand.choice(above), node))
    while len(found) < edges:
        a = rand.randrange(nodes)
        far = 1 if rand.random() < 0.7 else rand.randint(2, 5)
        below = by_layer[layer[a] + far]
        if below:
            found.add((a, below[int(rand.random() ** 2 * len(below))]))
    return layer, sorted(found)


def as_text(layer, edges):
    return ''.join(f'n {at} 110 40\n' for at in layer) + ''.join(f'e {a} {b}\n' for a, b in edges)


def ours(layer, edges):
    took = []
    for _ in range(RUNS):
        out = subprocess.run([BENCH], input=as_text(layer, edges), capture_output=True, text=True, check=True).stdout.splitlines()
        took.append(float(out[0].split()[0]))
    lines = []
    for row in out[1:]:
        fields = row.split()
        lines.append((int(fields[0]), int(fields[1]), [tuple(map(float, p.split(','))) for p in fields[2:]]))
    return sorted(took)[RUNS // 2], lines


def dot(layer, edges, ranked):
    """`ranked`: in the same layers; else where dot puts them."""
    text = 'digraph g { node [shape=box, width=1.53, height=0.55, fixedsize=true, label=""]; edge [arrowhead=none];\n'
    if ranked:
        text += ' -> '.join(f'r{i}' for i in range(max(layer) + 1)) + ' [style=invis];\n'
        for at in range(max(layer) + 1):
            text += '{ rank=same; r%d; %s }\n' % (at, ' '.join(f'n{n};' for n, own in enumerate(layer) if own == at))
    text += ''.join(f'n{a} -> n{b};\n' for a, b in edges) + '}\n'
    began = time.monotonic()
    out = subprocess.run(['dot', '-Tplain'], input=text, capture_output=True, text=True, check=True).stdout
    took = time.monotonic() - began
    lines = []
    for row in out.splitlines():
        found = re.match(r'edge n(\d+) n(\d+) (\d+) (.*)', row)
        if not found:
            continue
        numbers = list(map(float, found.group(4).split()[:2 * int(found.group(3))]))
        points = list(zip(numbers[::2], numbers[1::2]))
        line = [points[0]]
        for i in range(0, len(points) - 3, 3):
            for k in range(1, 9):
                t, s = k / 8, 1 - k / 8
                line.append(tuple(s ** 3 * points[i][d] + 3 * s * s * t * points[i + 1][d] + 3 * s * t * t * points[i + 2][d] + t ** 3 * points[i + 3][d] for d in (0, 1)))
        lines.append((int(found.group(1)), int(found.group(2)), line))
    return took, lines


def crossings(lines):
    """Pairs of edges that cross, each place of it; a grid finds which pieces are near."""
    pieces = [(e, line[i], line[i + 1]) for e, (_, _, line) in enumerate(lines) for i in range(len(line) - 1)]
    if not pieces:
        return 0
    size = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for _, a, b in pieces) / len(pieces) * 2 or 1
    cells = collections.defaultdict(list)
    n = 0
    for number, (e, a, b) in enumerate(pieces):
        near = set()
        for x in range(int(min(a[0], b[0]) // size), int(max(a[0], b[0]) // size) + 1):
            for y in range(int(min(a[1], b[1]) // size), int(max(a[1], b[1]) // size) + 1):
                near.update(cells[x, y])
                cells[x, y].append(number)
        for other in near:
            f, c, d = pieces[other]
            if f == e or set(lines[e][:2]) & set(lines[f][:2]):
                continue
            side = lambda p, q, r: (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
            n += side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
    return n


def main():
    print(f'{"nodes":>6} {"edges":>6} | {"ours":>9} {"s":>7} | {"dot, same layers":>17} {"s":>7} | {"dot, its own":>13} {"s":>7}   (edges that cross, seconds)')
    for nodes, edges in SIZES:
        totals = [0] * 3
        times = [0.0] * 3
        for seed in range(3):
            layer, pairs = graph(nodes, edges, seed)
            for i, (took, lines) in enumerate((ours(layer, pairs), dot(layer, pairs, True), dot(layer, pairs, False))):
                totals[i] += crossings(lines)
                times[i] += took
        print(f'{nodes:6} {edges:6} | {totals[0] / 3:9.0f} {times[0] / 3:7.3f} | {totals[1] / 3:17.0f} {times[1] / 3:7.3f} | {totals[2] / 3:13.0f} {times[2] / 3:7.3f}', flush=True)
    for nodes, edges in ((300, 550), (10000, 19000)):
        layer, pairs = graph(nodes, edges, 0)
        out = subprocess.run([BENCH, '--paint'], input=as_text(layer, pairs), capture_output=True, text=True, check=True).stdout.splitlines()
        print(f'{nodes} nodes: laid out in {out[0].split()[0]} s; a frame of 1600 × 900: ' + '; '.join(out[1:]), flush=True)


main()
