"""How badly a network predicts pairs of columns."""

from __future__ import annotations

from math import log

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.graph.adjacency import BoolArray, topological_sort
from arcwise.networks.tables import cumulative_edges, draw_states, parent_codes
from arcwise.stats.counts import Counts, counts_of

# Rows drawn from the network are as many as the data has, within these limits. A million give every probability to
# 0.0005, and more, however much the rows of the data weigh, would only take memory.
LEAST_DRAWN, MOST_DRAWN = 10_000, 1_000_000


def discrepancies(data: Dataset, adj: BoolArray, rng: np.random.Generator) -> FloatArray:
    """KL(P(i, j) || P_B(i, j)) of all pairs, (n, n): P by counting, P_B by counting rows drawn from the network B.

    B has the arcs `adj` and the frequencies of the discrete columns `data`. Every pair starts with one row spread over
    its cells, so that no cell of P_B is empty. For an empty network this is the mutual information, but for sampling.
    """
    n, cards = data.n_columns, np.array(data.cardinalities)
    observed = counts_of(data)
    drawn = Counts(_draw(data, observed, adj, rng))
    scale = log((drawn.n_rows + 1) / observed.n_rows)
    out = np.zeros((n, n))
    for i in range(n - 1):
        both = observed.tables_with_later(i), drawn.tables_with_later(i)
        ends = np.cumsum(cards[i + 1 : -1])
        for j, pair in enumerate(zip(*(np.split(tables, ends, axis=1) for tables in both), strict=True), i + 1):
            p, q = pair[0].ravel(), pair[1].ravel()
            seen = p.nonzero()[0]
            ratios = p[seen] / (q[seen] + 1 / len(q))
            out[i, j] = out[j, i] = p[seen] @ np.log(ratios) / observed.n_rows + scale
    return out


def _draw(data: Dataset, observed: Counts, adj: BoolArray, rng: np.random.Generator) -> Dataset:
    """Rows of the network with these arcs whose tables are the frequencies of the data, plus a row spread over each."""
    cards = data.cardinalities
    n_drawn = min(max(data.n_rows, LEAST_DRAWN), MOST_DRAWN)
    drawn = np.empty((len(cards), n_drawn), dtype=code_dtype(max(cards)))
    for node in topological_sort(adj):
        parents = adj[:, node].nonzero()[0].tolist()
        radix = [cards[p] for p in parents]
        states, times = observed.occurring([*parents, node])
        seen = parent_codes(list(states[:-1]), radix, len(times))
        wanted = parent_codes(list(drawn[parents]), radix, n_drawn)
        # Only configurations that occur, here or there, are tabulated.
        kept, where = np.unique(np.concatenate([seen, wanted]), return_inverse=True)
        cells = where[: len(times)] * cards[node] + states[-1]
        counts = np.bincount(cells, times, minlength=len(kept) * cards[node])
        table = counts.reshape(len(kept), cards[node]) + 1 / cards[node]
        edges = cumulative_edges(table / table.sum(axis=1, keepdims=True))
        drawn[node] = draw_states(edges, where[len(times) :], rng.random(n_drawn))
    return Dataset(
        tuple(
            Column(column.name, Kind.DISCRETE, row.astype(code_dtype(card)), column.levels)
            for column, row, card in zip(data.columns, drawn, cards, strict=True)
        )
    )
