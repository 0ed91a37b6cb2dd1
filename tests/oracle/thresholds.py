"""Slow twins of the threshold sweeps: the whole local score of a partition, worked out from scratch."""

from __future__ import annotations

from itertools import pairwise
from math import lgamma, log

import numpy as np


def labels(values, thresholds):
    return np.searchsorted(np.asarray(thresholds), values, side="right")


def family_counts(child, parents):
    """{parent states: {child state: count}} of the rows that occur."""
    counts = {}
    for states, own in zip(zip(*parents, strict=True) if parents else [()] * len(child), child, strict=True):
        row = counts.setdefault(tuple(map(int, states)), {})
        row[int(own)] = row.get(int(own), 0) + 1
    return counts


def bdeu(child, parents, r, q, ess):
    return dirichlet(child, parents, r, ess / (q * r))


def dirichlet(child, parents, r, a):
    """ln p of a family with pseudo-count a in every cell, the configurations' own terms and all."""
    total = 0.0
    for row in family_counts(child, parents).values():
        n = sum(row.values())
        total += lgamma(a * r) - lgamma(a * r + n)
        total += sum(lgamma(a + count) - lgamma(a) for count in row.values())
    return total


def information(child, parents):
    """N I(child; parents) = sum F(n_jk) - sum F(n_j) - sum F(n_k) + F(N), F(k) = k ln k."""
    counts = family_counts(child, parents)
    n = len(child)
    margins = np.bincount(child)
    total = n * log(n) - sum(k * log(k) for k in margins if k)
    for row in counts.values():
        size = sum(row.values())
        total += sum(k * log(k) for k in row.values()) - size * log(size)
    return total


class Case:
    """A continuous column, its discrete parents, and children with other parents."""

    def __init__(self, values, parents, children, cards):
        self.values, self.parents, self.children, self.cards = values, parents, children, cards

    def families(self, thresholds):
        """(child, parents, r, q) of the column's own family and of each child's."""
        y = labels(self.values, thresholds)
        r = len(thresholds) + 1
        own_cards, child_cards = self.cards
        yield y, self.parents, r, int(np.prod(own_cards, initial=1))
        for (child, others), (card, other_cards) in zip(self.children, child_cards, strict=True):
            yield child, [y, *others], card, r * int(np.prod(other_cards, initial=1))

    def network(self, thresholds, ess=None, alpha=None):
        """BDeu of all families, or the score with the pseudo-count alpha in every cell."""
        families = self.families(thresholds)
        if alpha is None:
            return sum(bdeu(*family, ess) for family in families)
        return sum(dirichlet(child, parents, r, alpha) for child, parents, r, _ in families)

    def steck(self, thresholds, ess=None, alpha=None):
        counts = np.bincount(labels(self.values, thresholds))
        return self.network(thresholds, ess, alpha) - sum(lgamma(n) for n in counts)

    def monti(self, thresholds, ess=None, alpha=None):
        counts = np.bincount(labels(self.values, thresholds))
        edges = [min(self.values), *thresholds, max(self.values)]
        density = -sum(n * log(b - a) for n, (a, b) in zip(counts, pairwise(edges), strict=True))
        return self.network(thresholds, ess, alpha) + density

    def friedman(self, thresholds):
        n, m, r = len(self.values), len(set(self.values)), len(thresholds) + 1
        p = (r - 1) / (m - 1)
        policy = 0.0 if p in (0, 1) else -(m - 1) * (p * log(p) + (1 - p) * log(1 - p))
        families = list(self.families(thresholds))
        parameters = sum(q * (levels - 1) for _, _, levels, q in families)
        gained = sum(information(child, parents) for child, parents, _, _ in families)
        return gained - log(r) - 0.5 * log(n) * parameters - policy

    def candidates(self):
        distinct = sorted(set(self.values))
        return [a + (b - a) / 2 for a, b in pairwise(distinct)]


def description_length(columns, cuts, parents):
    """Friedman and Goldszmidt's length of a mixed table, without the constant sum of N H of all columns.

    columns: {name: values or codes}; cuts: {name: thresholds} of those that are cut; parents: {name: names}.
    """
    coded = {name: labels(values, cuts[name]) if name in cuts else values for name, values in columns.items()}
    r = {name: len(cuts[name]) + 1 if name in cuts else len(set(codes)) for name, codes in coded.items()}
    n, n_rows, length = len(columns), len(next(iter(columns.values()))), 0.0
    for name, around in parents.items():
        length += log(r[name]) + (1 + len(around)) * log(n)
        length += 0.5 * log(n_rows) * (r[name] - 1) * np.prod([r[p] for p in around], initial=1)
        length -= information(coded[name], [coded[p] for p in around])
    for name, thresholds in cuts.items():
        m, k = len(set(columns[name])) - 1, len(thresholds)
        p = k / m if m else 0.0
        length -= m * (p * log(p) + (1 - p) * log(1 - p)) if 0 < p < 1 else 0.0
    return length


def greedy(score, candidates, middle):
    """Add the best threshold while it pays; `middle(t, chosen)` is the distance that decides ties."""
    chosen, best = [], score([])
    while True:
        left = [t for t in candidates if t not in chosen]
        if not left:
            return chosen, best
        scores = {t: score(sorted([*chosen, t])) for t in left}
        top = max(scores.values())
        if top <= best + 1e-9 * (1 + abs(best)):
            return chosen, best
        tied = [t for t in left if scores[t] >= top - 1e-9 * (1 + abs(best))]
        pick = min(tied, key=lambda t: (middle(t, chosen), t))
        chosen, best = sorted([*chosen, pick]), scores[pick]


def greedy_evaluations(score, candidates, middle, lasting):
    """How many partitions `greedy` has to evaluate: none cut, and each cut of each interval.

    lasting: what a cut gains depends on its interval only, so that it is worked out once for the same ends.
    """
    chosen, best, seen = [], score([]), set()
    while True:
        left = [t for t in candidates if t not in chosen]
        for t in left:
            ends = max([c for c in chosen if c < t], default=None), min([c for c in chosen if c > t], default=None)
            seen.add((t, ends) if lasting else (t, len(chosen)))
        scores = {t: score(sorted([*chosen, t])) for t in left}
        top = max(scores.values(), default=-np.inf)
        if top <= best + 1e-9 * (1 + abs(best)):
            return 1 + len(seen)
        tied = [t for t in left if scores[t] >= top - 1e-9 * (1 + abs(best))]
        pick = min(tied, key=lambda t: (middle(t, chosen), t))
        chosen, best = sorted([*chosen, pick]), scores[pick]
