"""Figures of benchmarks. A line for each, which table.py gathers:

  figure <TAB> name <TAB> value <TAB> unit <TAB> goal <TAB> beside what

The goal is "at most 8", "at least 10" or empty; C programs write the same by figures.h.
"""
import math


def figure(name, value, unit='', at_most=None, at_least=None, beside=''):
    goal = f'at most {at_most:g}' if at_most is not None else f'at least {at_least:g}' if at_least is not None else ''
    print(f'figure\t{name}\t{value:.4g}\t{unit}\t{goal}\t{beside}', flush=True)


def growth(name, sizes, costs):
    """How cost grows with size: the slope of both logarithms (least squares). 1 is linear."""
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    figure(f'{name}: exponent of growth', slope, at_most=1.1, beside=', '.join(f'{size:,}: {cost:.4g}' for size, cost in zip(sizes, costs)))
