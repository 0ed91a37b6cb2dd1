"""Wide tables: sparse random linear networks of thousands of columns, from the table to a saved result."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.long import arcwise_command

COLUMNS = (1_000, 2_000, 5_000, 10_000)
ROWS = 500
NEIGHBOURS = 3  # of a column, on average
MOST_PARENTS = 4
WEIGHTS = (0.4, 0.9)  # of arcs, either sign; noise has variance 1 before a column is scaled to that

Arc = tuple[str, str]


def wide_table(n: int, rows: int = ROWS, seed: int = 1) -> tuple[dict[str, np.ndarray], set[Arc]]:
    """(Columns by name, arcs) of a network whose arcs are drawn at random, in memory linear in the table."""
    rng = np.random.default_rng(seed)
    names = [f"c{i:05d}" for i in rng.permutation(n)]  # in the order of the network, which names do not tell
    parents: list[set[int]] = [set() for _ in range(n)]
    left = n * NEIGHBOURS // 2
    while left:
        u, v = sorted(rng.integers(n, size=2).tolist())
        if u != v and u not in parents[v] and len(parents[v]) < MOST_PARENTS:
            parents[v].add(u)
            left -= 1
    values = rng.standard_normal((n, rows))
    for v, own in enumerate(parents):
        weights = rng.uniform(*WEIGHTS, len(own)) * rng.choice([-1.0, 1.0], len(own))
        values[v] += weights @ values[sorted(own)]
        values[v] /= values[v].std()
    arcs = {(names[u], names[v]) for v, own in enumerate(parents) for u in own}
    return dict(sorted(zip(names, values, strict=True))), arcs


def wide() -> Iterator[str]:
    """`pmmhc` with Fisher's Z: seconds and peak memory of the whole command, and how many edges are true."""
    import polars as pl

    from arcwise import LearnResult

    yield "| columns | rows | seconds | peak, GB | true edges | found | of these true | missed | result, MB |"
    yield "|--:" * 9 + "|"
    for n in COLUMNS:
        columns, arcs = wide_table(n)
        with TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
            table, saved = Path(folder) / "wide.parquet", Path(folder) / "result.json"
            pl.DataFrame(columns).write_parquet(table)
            seconds, peak = arcwise_command("learn", str(table), "--method", "pmmhc", "--out", str(saved), "--quiet")
            found = {frozenset(pair) for pair in LearnResult.load(saved).cpdag.skeleton}
            size = saved.stat().st_size / 1e6
        true = {frozenset(arc) for arc in arcs}
        right = len(true & found)
        yield (
            f"| {n:,} | {ROWS} | {seconds:.0f} | {peak:.2f} | {len(true):,} | {len(found):,} | {right:,} | "
            f"{len(true) - right:,} | {size:.1f} |"
        )
