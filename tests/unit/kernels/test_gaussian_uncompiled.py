"""The kernels of correlations and of features do the same with the compiler switched off."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from arcwise.independence import FisherZ, LikelihoodRatio
from arcwise.scores import KGV, BGe, ConditionalGaussian, DegenerateGaussian
from tests.contract.parts import continuous_data, mixed_data

SETS = np.array([[-1, -1], [1, -1], [3, 1], [2, 4]], dtype=np.intp)


def answers() -> dict[str, list[float]]:
    numbers, both = continuous_data(40), mixed_data(40).weighted(np.arange(40) % 3)
    bge, fisher = BGe().bind(numbers), FisherZ().bind(both)
    return {
        "bge": bge.toggle_row(0, np.array([1, 3]), np.ones(6, dtype=np.bool_)).tolist(),
        "degenerate-gaussian": DegenerateGaussian().bind(both).local_scores(0, SETS).tolist(),
        "conditional-gaussian": ConditionalGaussian(least_rows=9).bind(both).local_scores(5, SETS).tolist(),
        "kgv": KGV().bind(both).local_scores(0, SETS).tolist(),
        "fisher-z": [*fisher.log_p_values(0, 5, SETS).tolist(), *fisher.pairwise()[0].tolist()],
        "likelihood-ratio": LikelihoodRatio().bind(both).log_p_values(0, 5, SETS).tolist(),
    }


def test_without_the_compiler():
    run = "import json; from tests.unit.kernels.test_gaussian_uncompiled import answers; print(json.dumps(answers()))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", run], env=environment, capture_output=True, text=True, check=True)
    plain = json.loads(found.stdout)
    for name, values in answers().items():
        assert plain[name] == pytest.approx(values, rel=1e-12, abs=1e-12), name
