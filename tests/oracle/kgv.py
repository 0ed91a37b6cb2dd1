"""Slow twins of the kernel score: whole N by N kernel matrices, determinants of everything."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind, code_dtype


def numbers(*columns):
    return Dataset(tuple(Column(f"x{i}", Kind.CONTINUOUS, np.asarray(c, dtype=float)) for i, c in enumerate(columns)))


def levels(*columns):
    return Dataset(
        tuple(
            Column(
                f"c{i}", Kind.DISCRETE, np.asarray(c, dtype=code_dtype(max(c) + 1)), tuple(map(str, range(max(c) + 1)))
            )
            for i, c in enumerate(columns)
        )
    )


def kernel_matrix(column, sigma):
    x = np.asarray(column.values, dtype=float)
    if column.kind is Kind.DISCRETE:
        return (x[:, None] == x[None, :]).astype(float)
    z = (x - x.mean()) / x.std()
    return np.exp(-((z[:, None] - z[None, :]) ** 2) / (2 * sigma**2))


def soft_projection(column, sigma, kappa):
    """r(K) = K (K + N kappa / 2 I)^-1 of the centred kernel matrix."""
    n = len(column.values)
    centre = np.eye(n) - 1 / n
    k = centre @ kernel_matrix(column, sigma) @ centre
    return k @ np.linalg.inv(k + n * kappa / 2 * np.eye(n))


def dense_score(data, child, parents, sigma=1.0, kappa=0.01):
    """N I^K - (d_child d_parents / 2) ln N with R_ij = r(K_i) r(K_j), an N by N block for each pair of columns."""
    r = {v: soft_projection(data.columns[v], sigma, kappa) for v in (child, *parents)}
    d = {v: np.trace(r[v]) for v in r}

    def log_determinant(members):
        n = data.n_rows
        blocks = [[np.eye(n) if a == b else r[a] @ r[b] for b in members] for a in members]
        return np.linalg.slogdet(np.block(blocks))[1] if members else 0.0

    information = -0.5 * (log_determinant([child, *parents]) - log_determinant(list(parents)))
    return data.n_rows * information - 0.5 * d[child] * sum(d[p] for p in parents) * np.log(data.n_rows)


def incomplete_cholesky(x, factor, tolerance, max_rank):
    """Pivot values and G (N, M): always the largest residual; of equals the one nearest to 0, then the smaller."""
    k = np.exp(factor * (x[:, None] - x[None, :]) ** 2)
    g = np.empty((len(x), 0))
    pivots = []
    while len(pivots) < max_rank:
        residual = np.maximum(1.0 - (g**2).sum(axis=1), 0.0)
        if residual.sum() <= tolerance or residual.max() <= 1e-13:
            break
        row = min(range(len(x)), key=lambda i: (-round(residual[i], 12), abs(x[i]), x[i]))
        pivots.append(x[row])
        g = np.column_stack([g, (k[:, row] - g @ g[row]) / np.sqrt(residual[row])])
    return np.array(pivots), g


def family_score(r, starts, d, n_rows, child, parents):
    """From a given R: the determinants as they stand in the formula."""

    def log_determinant(members):
        index = [f for v in members for f in range(starts[v], starts[v + 1])]
        return np.linalg.slogdet(r[np.ix_(index, index)])[1] if index else 0.0

    information = -0.5 * (log_determinant([child, *parents]) - log_determinant(list(parents)))
    return n_rows * information - 0.5 * d[child] * sum(d[p] for p in parents) * np.log(n_rows)
