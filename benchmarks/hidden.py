"""Noisy readings of states: hidden states beside thresholds, and beside the states before noise."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

SEEDS = (401, 402, 403)  # seeds of data sets that nothing was chosen by
NETWORKS = ("alarm", "child", "insurance", "hailfinder")
ROWS = (500, 1_000, 5_000)
NOISE = 0.35
METHODS = ("hidden-states", "steck", "equal-frequency")


def hidden() -> Iterator[str]:
    """Mean distance to the true class over the networks, and of `boss` on the states before noise."""
    import arcwise
    from arcwise import metrics, networks
    from arcwise.scores import BDeu
    from arcwise.search import Boss

    before = Boss(score=BDeu(arc_prior="sparse"))
    yield "| method | rows | " + " | ".join(NETWORKS) + " | mean | seconds on alarm (median) |"
    yield "|---" * (4 + len(NETWORKS)) + "|"
    for method in (*METHODS, "boss, states before noise"):
        for rows in ROWS:
            means, seconds = [], []
            for name in NETWORKS:
                distances = []
                for seed in SEEDS:
                    net = networks.load(name).shuffled(seed)[0]
                    states = net.sample(rows, seed)
                    data = states if method not in METHODS else networks.add_noise(states, sigma=NOISE, seed=seed)
                    began = time.perf_counter()
                    learned = arcwise.learn(data, before if data is states else method)
                    if name == "alarm":
                        seconds.append(time.perf_counter() - began)
                    distances.append(metrics.shd(net.dag, learned.cpdag))
                means.append(statistics.mean(distances))
            cells = " | ".join(f"{mean:.1f}" for mean in means)
            took = statistics.median(seconds)
            yield f"| {method} | {rows:,} | {cells} | {statistics.mean(means):.1f} | {took:.2f} |"
