"""The kernels that count are plain Python too: with compilation switched off they give the same answers, no warning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from unittest.mock import patch

import numpy as np

from arcwise import catalog
from arcwise.independence import ChiSquared, GSquared, counted
from arcwise.scores import BDeu
from arcwise.stats import packing, tallies
from tests.oracle.counting import discrete_table


def answers():
    small = discrete_table(np.random.default_rng(1), [3, 2, 4, 2, 3, 2], 70)
    wide = discrete_table(np.random.default_rng(2), [40, 50, 60, 70], 80)  # more states than slots: they are hashed
    found = []
    for data in (small, small.weighted(np.arange(70) % 19)):
        for name in ("hill-climb", "pc", "mmpc", "pmms", "tpda"):
            result = catalog.METHODS[name].learner.learn(data, rng=np.random.default_rng(0))
            found.append([name, sorted(result.cpdag.skeleton), result.score, result.counters.tests])
    large = discrete_table(np.random.default_rng(3), [12, 15, 20, 2], 3000)  # cells that are counted row by row
    result = catalog.METHODS["mmpc"].learner.learn(large, rng=np.random.default_rng(0))
    found.append([sorted(result.cpdag.skeleton), result.counters.tests])
    for data in (wide, wide.weighted(np.arange(80) % 19)):
        for test in (GSquared(min_per_cell=0), ChiSquared(min_per_cell=0, df="effective")):
            result = test.bind(data).test(0, 1, (2, 3))
            found.append([test.kind, result.statistic, result.details["df"]])
    with (
        patch.multiple(packing, BLOCK_ROWS=64, KEPT_LANES=0, plane_cells=lambda: 1200),
        patch.object(tallies, "FRESH", 0),
        patch.object(counted, "STRATA_ROWS", 0),
    ):
        found += in_blocks()
    return json.loads(json.dumps(found))


def in_blocks():
    """As long tables are counted."""
    found = []
    small = discrete_table(np.random.default_rng(4), [3, 2, 4, 2, 3, 2], 150)
    for data in (small, small.weighted(np.arange(150) % 19)):
        for name in ("hill-climb", "pc", "pmms"):
            result = catalog.METHODS[name].learner.learn(data, rng=np.random.default_rng(0))
            found.append([name, sorted(result.cpdag.skeleton), result.score, result.counters.tests])
        sets = np.array([[1, 2, u] for u in (3, 4, 5)] + [[1, 2, -1]])
        found.append(BDeu().bind(data).local_scores(0, sets).tolist())
        for test in (GSquared(min_per_cell=0), ChiSquared(min_per_cell=0, df="effective")):
            result = test.bind(data).test(0, 1, (2, 3, 4, 5))
            found.append([test.kind, result.statistic, result.details["df"]])
    return found


def test_the_answers_are_the_same():
    code = f"import json; from {__name__} import answers; print(json.dumps(answers()))"
    off = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=off)
    assert not run.stderr
    assert json.loads(run.stdout) == answers()
