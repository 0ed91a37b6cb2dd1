"""Slow twin of Hartemink's descent: labels in lists, and every mutual information worked out anew for every merger."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log


def mutual_information(x, y):
    """sum p(a, b) ln(p(a, b) / p(a) p(b)), in nats."""
    n, one, two = len(x), Counter(x), Counter(y)
    return sum(k / n * log(k * n / (one[a] * two[b])) for (a, b), k in Counter(zip(x, y, strict=True)).items())


def total(columns):
    return sum(mutual_information(columns[a], columns[b]) for a, b in combinations(sorted(columns), 2))


def descend(continuous, discrete):
    """(tmi by number of levels, merged values by column: in order, the lowest label above each cut that went).

    continuous: {name: labels 0, 1, ... in the order of the values}; discrete: {name: labels}. A merger relabels the
    upper level, so that labels keep their order and the lower bound of every level stays recognisable.
    """
    now = {name: list(labels) for name, labels in continuous.items()}
    others = {name: list(labels) for name, labels in discrete.items()}
    gone = {name: [] for name in now}
    most = max((len(set(labels)) for labels in now.values()), default=1)
    tmi = {most: total(now | others)}
    for keep in range(most - 1, 0, -1):
        for name in sorted(now):
            if len(set(now[name])) > keep:
                gone[name].append(_merge_cheapest(now, others, name))
        tmi[keep] = total(now | others)
    return tmi, gone


def _merge_cheapest(now, others, name):
    sizes, everything = Counter(now[name]), now | others
    about = [other for other in sorted(everything) if other != name]
    before = sum(mutual_information(now[name], everything[other]) for other in about)
    options = []
    for low, high in zip(sorted(sizes), sorted(sizes)[1:], strict=False):
        joined = [low if label == high else label for label in now[name]]
        after = sum(mutual_information(joined, everything[other]) for other in about)
        options.append(((before - after) * len(joined), sizes[low] + sizes[high], low, high, joined))
    least = min(option[0] for option in options)
    tied = [option for option in options if option[0] <= least + 1e-9 * (1 + abs(least))]
    _, _, _, high, now[name] = min(tied, key=lambda option: option[1:3])
    return high
