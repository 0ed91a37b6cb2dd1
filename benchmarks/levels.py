"""Searches on networks of levels, side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

SEEDS = (401, 402, 403)  # seeds of data sets that nothing was chosen by
NETWORKS = ("alarm", "child", "insurance", "hailfinder")


def levels() -> Iterator[str]:
    """Searches on networks of levels: mean distance to the true class, with and without the sparse prior."""
    import arcwise
    from arcwise import metrics

    plain = ("hill-climb", "tabu", "ges", "boss", "best", "mmhc")
    searches = [(name, 1.0) for name in plain] + [(name, "sparse") for name in plain[:-1]]
    yield "| search | arc_prior | 500 rows | 1000 | 5000 | seconds, 5000 rows (median) | score below the best |"
    yield "|---|---|---|---|---|---|---|"
    rows = (500, 1_000, 5_000)
    cases = [(size, name, seed) for size in rows for name in NETWORKS for seed in SEEDS]
    answers: dict[Any, list[Any]] = {}
    for search, prior in searches:
        options = {"arc_prior": prior, "score": "bdeu"} if search != "mmhc" else {}
        for size, name, seed in cases:
            net = arcwise.networks.load(name).shuffled(seed)[0]
            data = net.sample(size, seed)
            began = time.perf_counter()
            result = arcwise.learn(data, search, **options)
            seconds = time.perf_counter() - began
            answers.setdefault((search, prior), []).append((seconds, metrics.shd(net.dag, result.graph), result.score))
    for (search, prior), found in answers.items():
        mean = [statistics.mean(one[1] for one, case in zip(found, cases, strict=True) if case[0] == n) for n in rows]
        took = statistics.median(one[0] for one, case in zip(found, cases, strict=True) if case[0] == rows[-1])
        alike = [answers[key] for key in answers if key[1] == prior and key[0] != "mmhc"]
        top = [max(one[i][2] for one in alike) for i in range(len(cases))]
        lower = sum(t - one[2] > 1e-6 for t, one in zip(top, found, strict=True))
        below = "" if search == "mmhc" else f"{lower} of {len(cases)}"
        distances = " | ".join(f"{one:.1f}" for one in mean)
        yield f"| {search} | {prior} | {distances} | {took:.3f} | {below} |"
