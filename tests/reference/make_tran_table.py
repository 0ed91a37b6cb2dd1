"""Makes three-nodes.csv of the study tran-2013: counts of three columns that give the scores in Tran's table 3.1.

The thesis's rows were never published. The scores of all graphs follow from five log-likelihoods (no edge, the three
single edges, the complete graph), and the printed digits pin these down to about 1e-4. They do not determine the table:
this one is a sample from a network with the thesis's graph and hyperparameters, whose counts are then changed, a few
rows here and there, until all five agree.

With counts n_ijk and F(n) = n ln n the five are, apart from constants,

    no edge   sum F(n_i) + sum F(n_j) + sum F(n_k)          edge i - j   sum F(n_ij) + sum F(n_k)
    complete  sum F(n_ijk)

and there are changes that touch one of them only: rows moved in a square i, i' x j, j' of a layer k change n_ij and
n_ijk, but neither n_ik nor n_jk; rows moved in a cube change n_ijk alone. So they are fitted one after the other.

Run: python -m tests.reference.make_tran_table
"""

from __future__ import annotations

from itertools import chain, combinations, permutations, product
from math import log
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares, linprog

PRINTED = Path(__file__).with_name("tran_three_nodes.csv")
OUT = Path(__file__).parents[2] / "src" / "arcwise" / "studies" / "tran-2013" / "three-nodes.csv"
N, R = 100_000, 6
# By class: the printed rows; how it follows from no edge, 12, 13, 23 and the complete graph; arcs; parameters as the
# thesis counts them for AIC and BIC, and for MDL.
CLASSES = {
    "no edge": ((1,), (1, 0, 0, 0, 0), 0, 18, 0),
    "12": ((2, 3), (0, 1, 0, 0, 0), 1, 48, 30),
    "13": ((4, 5), (0, 0, 1, 0, 0), 1, 48, 30),
    "23": ((6, 7), (0, 0, 0, 1, 0), 1, 48, 30),
    "12 13": ((8, 9, 10), (-1, 1, 1, 0, 0), 2, 78, 60),
    "12 23": ((11, 12, 13), (-1, 1, 0, 1, 0), 2, 78, 60),
    "13 23": ((15, 16, 17), (-1, 0, 1, 1, 0), 2, 78, 60),
    "collider without 12": ((14,), (1, -1, 0, 0, 1), 2, 228, 180),
    "collider without 23": ((18,), (1, 0, 0, -1, 1), 2, 228, 180),
    "complete": (tuple(range(19, 26)), (0, 0, 0, 0, 1), 3, 258, 210),
}
MISPRINTS = {(1, "mdl"), (3, "aic"), (4, "aic"), (14, "bic")}


def printed():
    lines = [line for line in PRINTED.read_text("utf-8").splitlines() if not line.startswith("#")]
    heads = lines[0].split(",")[1:]
    rows = (line.split(",") for line in lines[1:])
    return {(int(row[0]), score): float(value) for row in rows for score, value in zip(heads, row[1:], strict=True)}


def bounds():
    """(combination of the five, -2 ln L at least, at most) of every number that is no misprint."""
    numbers, found = printed(), []
    for rows, combination, arcs, parameters, coded in CLASSES.values():
        length = R_NAMES + (3 + arcs) * log(3) + coded * log(N) / 2
        for row in rows:
            away = {
                "aic": (numbers[row, "aic"] - 2 * parameters, 0.0005),
                "bic": (numbers[row, "bic"] - parameters * log(N), 0.0005),
                "mdl": (2 * (numbers[row, "mdl"] - length), 0.001),
            }
            found += [(combination, at - d, at + d) for score, (at, d) in away.items() if (row, score) not in MISPRINTS]
    return found


R_NAMES = 3 * log(R)


def targets():
    """The five values of -2 ln L in the middle of all bounds, and how far each bound is away at least."""
    found = bounds()
    shift = np.array([1040850.0, 1001405.0, 991159.0, 1036086.0, 951535.0])
    a = np.array([[*c, 1.0] for c, _, _ in found] + [[*(-x for x in c), 1.0] for c, _, _ in found])
    b = np.array([high for _, _, high in found] + [-low for _, low, _ in found]) - a[:, :5] @ shift
    best = linprog([0, 0, 0, 0, 0, -1], A_ub=a, b_ub=b, bounds=[(-5, 5)] * 5 + [(None, None)])
    assert best.x[5] > 0, "no five values give all that is printed"
    return shift + best.x[:5], float(best.x[5])


def five(n):
    """-2 ln L of no edge, 12, 13, 23 and the complete graph."""
    one, two, three = (np.sum(f(n.sum(axis=axes))) for axes in ((1, 2), (0, 2), (0, 1)))
    pair = [np.sum(f(n.sum(axis=axis))) for axis in (2, 1, 0)]
    edges = [pair[0] + three, pair[1] + two, pair[2] + one]
    whole = N * log(N)
    return -2 * np.array([one + two + three - 3 * whole, *(edge - 2 * whole for edge in edges), np.sum(f(n)) - whole])


def network(rng, goal):
    """P(i) P(j | i) P(k | i) whose expected counts have the first four values, near to one drawn as in the thesis."""
    begin = np.concatenate([np.log(rng.dirichlet(rng.uniform(0, 5, R))) for _ in range(1 + 2 * R)])

    def joint(x):
        tables = np.exp(x.reshape(1 + 2 * R, R))
        tables /= tables.sum(axis=1, keepdims=True)
        return np.einsum("i,ij,ik->ijk", tables[0], tables[1 : 1 + R], tables[1 + R :])

    def misses(x):
        return np.concatenate([(five(N * joint(x)) - goal)[:4] / 10, 0.05 * (x - begin)])

    return joint(least_squares(misses, begin).x)


def f(counts):
    counts = np.asarray(counts, dtype=np.float64)
    return counts * np.log(np.maximum(counts, 1e-300))


def shifts(n, axis):
    """Rows moved from level a to level b of one column, the two others as they are: (effect on no edge, change)."""
    own = n.sum(axis=tuple(other for other in range(3) if other != axis))
    for a, b in permutations(range(R), 2):
        where = np.take(n, a, axis=axis)
        at = np.unravel_index(np.argmax(where), where.shape)
        cells = [tuple(map(int, np.insert(at, axis, level))) for level in (a, b)]
        for by in range(1, min(60, int(where.max()))):
            effect = f(own[a] - by) + f(own[b] + by) - f(own[a]) - f(own[b])
            yield float(-2 * effect), tuple(zip(cells, (-by, by), strict=True))


def squares(n, axis):
    """Rows moved in a square of the two other columns: (effect on their edge, change)."""
    pair = n.sum(axis=axis)
    signs = (1, 1, -1, -1)
    for (a, b), (c, d) in product(combinations(range(R), 2), permutations(range(R), 2)):
        corners = ((a, c), (b, d), (a, d), (b, c))
        layers = [min(n.take(layer, axis=axis)[corner] for corner in corners[2:]) for layer in range(R)]
        layer, least = int(np.argmax(layers)), max(layers)
        cells = [tuple(map(int, np.insert(corner, axis, layer))) for corner in corners]
        for by in range(1, min(40, int(least))):
            effect = sum(
                f(pair[corner] + sign * by) - f(pair[corner]) for corner, sign in zip(corners, signs, strict=True)
            )
            yield float(-2 * effect), tuple((cell, sign * by) for cell, sign in zip(cells, signs, strict=True))


def cubes(n):
    """Rows moved between the corners of a cube: (effect on the complete graph, change)."""
    for ends in product(combinations(range(R), 2), combinations(range(R), 2), permutations(range(R), 2)):
        corners = [tuple(ends[axis][bit] for axis, bit in enumerate(bits)) for bits in product((0, 1), repeat=3)]
        signs = [1 if sum(bits) % 2 == 0 else -1 for bits in product((0, 1), repeat=3)]
        least = min(n[corner] for corner, sign in zip(corners, signs, strict=True) if sign < 0)
        for by in range(1, min(6, int(least))):
            effect = sum(f(n[corner] + sign * by) - f(n[corner]) for corner, sign in zip(corners, signs, strict=True))
            yield float(-2 * effect), tuple((corner, sign * by) for corner, sign in zip(corners, signs, strict=True))


def changed(n, *changes):
    new = n.copy()
    for cell, by in chain(*changes):
        new[cell] += by
    return new


def fitted(n, goal, which, pools, tolerance):
    """The counts after a few changes that make value `which` its goal: large ones first, then two at once."""
    while True:
        gap = goal[which] - five(n)[which]
        if abs(gap) < tolerance:
            return n
        first, second = (list(pool(n)) for pool in pools)
        best = min(first, key=lambda one: abs(gap - one[0]))
        if abs(gap - best[0]) > 1:
            n = changed(n, best[1])
            continue
        second.sort(key=lambda one: one[0])
        effects = np.array([effect for effect, _ in second])
        for effect, change in first:
            place = int(np.searchsorted(effects, gap - effect))
            for other in second[max(place - 1, 0) : place + 1]:
                if abs(effect + other[0] - gap) < tolerance:
                    new = changed(n, change, other[1])  # where they meet, the effects do not add up: look again
                    if new.min() >= 0 and abs(goal[which] - five(new)[which]) < tolerance:
                        return new
        n = changed(n, first[len(first) // 3][1])


def reconstructed(rng, goal, tolerance):
    n = rng.multinomial(N, network(rng, goal).ravel()).reshape(R, R, R)
    n = fitted(n, goal, 0, (lambda n: shifts(n, 0), lambda n: shifts(n, 1)), tolerance)
    for which, axis in ((1, 2), (2, 1), (3, 0)):
        n = fitted(n, goal, which, (lambda n, axis=axis: squares(n, axis),) * 2, tolerance)
    return fitted(n, goal, 4, (cubes, cubes), tolerance)


def main():
    goal, slack = targets()
    rng = np.random.default_rng(2013)
    n = reconstructed(rng, goal, slack / 3)
    assert n.sum() == N
    for combination, low, high in bounds():
        assert low < np.dot(combination, five(n)) < high
    lines = [f"{i + 1},{j + 1},{k + 1},{n[i, j, k]}" for i, j, k in np.ndindex(R, R, R)]
    OUT.write_text("X1,X2,X3,rows\n" + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
