"""The recursive-median test of X against Y given Z on ranks.

A node of the recursion is a subset of n rows. Per variable (X, Y, Z_1, ...) its rows stand in the order of that
variable, in one stretch of orders[parity, variable]; the two halves of `orders` alternate from parent to child. A split
distributes each stretch stably over the children, so nothing is ever sorted: O(variables x rows) a level.

Within a subset of n rows a value that holds the ranks lo..hi-1 lies in bin floor(b (lo + hi) / 2n) of b: equally many
rows a bin, ties never parted, and bins of 2b nested in bins of b. A discrete variable has its levels as bins.

"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.ranks.resolutions import Bins, Space, log_bayes_factors
from arcwise._kernels.types import BoolArray, FloatArray, Int32Array, IntArray

FIRST, ROWS, PARITY, PARENT, AXIS = range(5)
LOG_I, LOG_U, SPLIT_I, SPLIT_U, SLICES, SHARE = range(6)
MADE, WAITING = range(2)
TOLERANCE = 1e-9


class Variables(NamedTuple):
    """orders: see above, two of them where there is a recursion. ranks[v, row]."""

    orders: Int32Array
    ranks: Int32Array
    is_discrete: BoolArray
    has_ties: BoolArray


class Rules(NamedTuple):
    """fewest, most: grids that a subset is looked at on. Subsets of min_leaf rows are not cut. table: ln k!.

    numbers[k, rank]: the values of Z_k, where parts of a subset are weighted by their range; empty: by their rows.
    """

    fewest: int
    most: int
    min_leaf: int
    prior: float
    table: FloatArray
    numbers: FloatArray


class Tree(NamedTuple):
    """nodes[i]: FIRST row, ROWS, PARITY, PARENT (-1 at the root), AXIS that the parent was split along.

    values[i]: LOG_I and LOG_U of the subset as a whole; of its split, as sums of SHARE ln over the children; SLICES of
    the split; SHARE: the weight among the children of its parent.
    progress: nodes MADE, nodes WAITING (on the stack).
    """

    nodes: IntArray
    values: FloatArray
    stack: IntArray
    progress: IntArray


@kernel
def gather(
    all_orders: Int32Array, all_ranks: Int32Array, chosen: IntArray, orders: Int32Array, ranks: Int32Array
) -> None:
    """The chosen variables' orders and ranks, rows renumbered along the last: neighbours there are so in memory."""
    n = all_orders.shape[1]
    number = np.empty(n, dtype=np.int32)
    last = chosen[chosen.shape[0] - 1]
    for i in range(n):
        number[all_orders[last, i]] = i
    for v in range(chosen.shape[0]):
        c = chosen[v]
        for i in range(n):
            row = all_orders[c, i]
            orders[v, i] = number[row]
            ranks[v, number[row]] = all_ranks[c, row]


@inner
def resolutions_of(n, fewest, most):
    """How many grids n rows are looked at on: b = 2, 4, 8, ... while b^2 <= n, within these limits."""
    found = max(fewest, 1)
    while found < most and 4 ** (found + 1) <= n:
        found += 1
    return found


@lean
def label(variables, v, order, first, n, resolutions, place, bins):
    """Fine labels of variable v in the subset order[first..], by place[row], and how they fold into each resolution."""
    rank, is_discrete, has_ties = variables.ranks[v], variables.is_discrete[v], variables.has_ties[v]
    labels, fold, counts, sizes = bins.labels[v], bins.fold[v], bins.counts[v], bins.sizes[v]
    last = resolutions - 1
    finest = 2 << last  # bins at the last of the resolutions
    for r in range(last + 1):
        sizes[r] = 0
    fine, before = -1, -1  # the present label, and the number of its bin
    i = 0
    while i < n:  # rows i..j-1 lie in one bin
        j = i + 1
        if has_ties:
            value = rank[order[first + i]]
            while j < n and rank[order[first + j]] == value:
                j += 1
        number = before + 1 if is_discrete else (finest * (i + j)) // (2 * n)
        if not has_ties and not is_discrete:  # up to the last i with finest (2 i + 1) < 2 n (number + 1)
            j = min((2 * n * (number + 1) + finest - 1) // (2 * finest), n)
        if number != before:
            fine += 1
            for r in range(last + 1):
                shift = 0 if is_discrete else last - r
                if before < 0 or (number >> shift) != (before >> shift):
                    counts[r, sizes[r]] = 0
                    sizes[r] += 1
                fold[r, fine] = sizes[r] - 1
            before = number
        for t in range(first + i, first + j):
            labels[place[order[t]]] = fine
        for r in range(last + 1):
            counts[r, sizes[r] - 1] += j - i
        i = j


@inner
def log_posterior(log_odds):
    """ln(1 / (1 + exp(log_odds))), log_odds those of dependence."""
    if log_odds > 0.0:
        return -log_odds - math.log1p(math.exp(-log_odds))
    return -math.log1p(math.exp(log_odds))


@inner
def _log_both(log_i, log_u, log_prior):
    """ln(I U + P (1 - U))."""
    if log_u >= 0.0:
        return log_i
    first = log_i + log_u
    second = log_prior + math.log(-math.expm1(log_u))
    top = max(first, second)
    return top + math.log(math.exp(first - top) + math.exp(second - top))


@lean
def _axis(sizes, factors, previous):
    """The Z_k that {X, Y} depends on most, of those that vary.

    Of equals the first after `previous`, the axis of the parent: in turn, as in a k-d tree.
    """
    n_z = sizes.shape[0] - 2
    best = -1
    for step in range(n_z):
        k = (previous + 1 + step) % n_z
        if sizes[2 + k, 0] > 1:
            if best < 0 or factors[2 + k] > factors[2 + best] + TOLERANCE * (1.0 + abs(factors[2 + best])):
                best = k
    return best


@lean
def _children(order, rank, first, n, is_discrete, starts):
    """Put the children's first rows into starts[0..m] (the last is n); m. Levels, or two halves that part no ties."""
    if is_discrete:
        m = 0
        for i in range(n):
            if i == 0 or rank[order[first + i]] != rank[order[first + i - 1]]:
                starts[m] = i
                m += 1
        starts[m] = n
        return m
    middle = (n + 1) // 2  # values up to the median: the lower half, the middle row included
    value = rank[order[first + middle - 1]]
    cut = middle
    while cut < n and rank[order[first + cut]] == value:
        cut += 1
    if cut == n:  # the median is the largest value
        cut = middle - 1
        while rank[order[first + cut - 1]] == value:
            cut -= 1
    starts[0], starts[1], starts[2] = 0, cut, n
    return 2


@lean
def _weigh(order, rank, first, n, starts, m, numbers, shares):
    """Put the weights of the children into shares[0..m-1]: n_child / n, or the range that each half has.

    Halves by range meet at the median z*: (z* - z_min) / (z_max - z_min) and the rest. Where none lies above the
    median, the largest value was cut off, and they meet half-way to it.
    """
    for c in range(m):
        shares[c] = (starts[c + 1] - starts[c]) / n
    if numbers.shape[0] == 0:
        return
    low, high = numbers[rank[order[first]]], numbers[rank[order[first + n - 1]]]
    if not high > low:  # they differ by less than a float can tell
        return
    below, above = first + (n - 1) // 2, first + n // 2
    if rank[order[below]] == rank[order[first + n - 1]]:
        below, above = first + starts[1] - 1, first + starts[1]
    median = 0.5 * (numbers[rank[order[below]]] + numbers[rank[order[above]]])
    shares[0] = (median - low) / (high - low)
    shares[1] = 1.0 - shares[0]


@lean
def _divide(source, target, first, n, axis, starts, m, child_of, cursors):
    """Each variable's stretch, distributed over the children in the same order."""
    for c in range(m):
        for i in range(starts[c], starts[c + 1]):
            child_of[source[axis, first + i]] = c
    for v in range(source.shape[0]):
        if v == axis:
            for i in range(first, first + n):
                target[v, i] = source[v, i]
            continue
        for c in range(m):
            cursors[c] = first + starts[c]
        for i in range(first, first + n):
            row = source[v, i]
            c = child_of[row]
            target[v, cursors[c]] = row
            cursors[c] += 1


@kernel
def grow(variables: Variables, rules: Rules, tree: Tree, bins: Bins, space: Space, budget: int) -> bool:
    """Work on waiting nodes until none is left or about `budget` row visits are done; True when none is left."""
    orders, ranks, is_discrete = variables.orders, variables.ranks, variables.is_discrete
    nodes, values, stack, progress = tree
    n_variables, n_all = ranks.shape
    log_prior = math.log(rules.prior)
    prior_odds = math.log1p(-rules.prior) - log_prior
    place = np.empty(n_all, dtype=np.int32)
    child_of = np.empty(n_all, dtype=np.int32)
    starts = np.empty(n_all + 1, dtype=np.int32)
    cursors = np.empty(n_all + 1, dtype=np.int32)
    shares = np.empty(n_all + 1)
    no_numbers = rules.numbers[0, :0]
    visits = 0
    while progress[WAITING] > 0 and visits < budget:
        progress[WAITING] -= 1
        node = stack[progress[WAITING]]
        first, n, parity = nodes[node, FIRST], nodes[node, ROWS], nodes[node, PARITY]
        resolutions = resolutions_of(n, rules.fewest, rules.most)
        visits += n * n_variables
        source, target = orders[parity], orders[1 - parity]
        for i in range(n):
            place[source[0, first + i]] = i
        for v in range(n_variables):
            label(variables, v, source[v], first, n, resolutions, place, bins)
        varies = log_bayes_factors(n, resolutions, bins, rules.table, space)
        log_u = log_posterior(prior_odds + space.found[1])
        values[node, LOG_U] = log_u
        values[node, LOG_I] = _log_both(log_posterior(prior_odds + space.found[0]), log_u, log_prior)
        values[node, SPLIT_I] = 0.0
        values[node, SPLIT_U] = 0.0
        values[node, SLICES] = 0.0
        if not varies or n <= rules.min_leaf:
            values[node, SPLIT_U] = -math.inf
            continue
        axis = _axis(bins.sizes, space.found, nodes[node, AXIS])
        m = _children(source[2 + axis], ranks[2 + axis], first, n, is_discrete[2 + axis], starts)
        numbers = no_numbers if is_discrete[2 + axis] else rules.numbers[axis]
        _weigh(source[2 + axis], ranks[2 + axis], first, n, starts, m, numbers, shares)
        _divide(source, target, first, n, 2 + axis, starts, m, child_of, cursors)
        for c in range(m):
            rows = starts[c + 1] - starts[c]
            if rows == 1:  # one row tells nothing: the prior
                values[node, SPLIT_I] += shares[c] * log_prior
                values[node, SPLIT_U] += shares[c] * log_prior
                values[node, SLICES] += 1
                continue
            child = progress[MADE]
            progress[MADE] += 1
            nodes[child, FIRST], nodes[child, ROWS], nodes[child, PARITY] = first + starts[c], rows, 1 - parity
            nodes[child, PARENT], nodes[child, AXIS] = node, axis
            values[child, SHARE] = shares[c]
            stack[progress[WAITING]] = child
            progress[WAITING] += 1
    return progress[WAITING] == 0


@kernel
def combine(tree: Tree) -> tuple[float, float, float]:
    """Fold the nodes into the root, children before parents: (ln I, ln U, slices) of the root."""
    nodes, values = tree.nodes, tree.values
    for node in range(tree.progress[MADE] - 1, -1, -1):
        whole, split = values[node, LOG_U], values[node, SPLIT_U]
        if split > -math.inf and whole <= split + TOLERANCE * (1.0 + abs(split)):
            values[node, LOG_I], values[node, LOG_U] = values[node, SPLIT_I], split
        else:
            values[node, SLICES] = 1.0
        parent = nodes[node, PARENT]
        if parent >= 0:
            share = values[node, SHARE]
            values[parent, SPLIT_I] += share * values[node, LOG_I]
            values[parent, SPLIT_U] += share * values[node, LOG_U]
            values[parent, SLICES] += values[node, SLICES]
    return values[0, LOG_I], values[0, LOG_U], values[0, SLICES]


@kernel
def pair_log_bayes_factor(variables: Variables, resolutions: int, table: FloatArray, bins: Bins, space: Space) -> float:
    """ln BF of dependence between two columns, over all rows."""
    n = variables.ranks.shape[1]
    place = np.empty(n, dtype=np.int32)
    for i in range(n):
        place[i] = i
    for v in range(2):
        label(variables, v, variables.orders[v], np.int64(0), n, resolutions, place, bins)
    log_bayes_factors(n, resolutions, bins, table, space)
    return space.found[0]
