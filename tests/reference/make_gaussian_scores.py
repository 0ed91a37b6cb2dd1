"""Makes gaussian_scores.json: local scores of random families as PyBNesian computes them.

Run with the `peers` extra installed: python -m tests.reference.make_gaussian_scores
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pybnesian as pbn

OUT = Path(__file__).with_name("gaussian_scores.json")
FAMILIES = [
    ("a", []),
    ("c", []),
    ("b", ["a"]),
    ("c", ["b"]),
    ("d", ["b", "c"]),
    ("e", ["a", "d"]),
    ("a", ["b", "c", "e"]),
    ("c", ["a", "b", "d", "e"]),
]
UNITS = {"a": 1.0, "b": 20.0, "c": 0.3, "d": 1.0, "e": 5.0}
MEANS = {"a": 0.0, "b": 100.0, "c": -2.0, "d": 0.5, "e": 7.0}


def table(n_rows: int = 60) -> dict[str, list[float]]:
    """Columns of different units and means, each leaning on two before it; four decimals, so that the file is small."""
    rng = np.random.default_rng(30)
    columns: dict[str, np.ndarray] = {}
    for i, name in enumerate(UNITS):
        values = rng.standard_normal(n_rows)
        for other in list(columns.values())[max(0, i - 2) :]:
            values = values + 0.8 * other
        columns[name] = values
    return {name: (MEANS[name] + UNITS[name] * values).round(4).tolist() for name, values in columns.items()}


def main() -> None:
    columns = table()
    frame = pd.DataFrame(columns)
    model = pbn.GaussianNetwork(list(columns))
    scores = {
        "bge": pbn.BGe(frame),
        "bge-mu2.5-w12": pbn.BGe(frame, iss_mu=2.5, iss_w=12),
        "bge-nu0": pbn.BGe(frame, nu=np.zeros(len(columns))),
        "bic": pbn.BIC(frame),
    }
    content = {
        "made_with": {"pybnesian": version("pybnesian")},
        "columns": columns,
        "families": FAMILIES,
        "pybnesian": {
            name: [float(score.local_score(model, child, parents)) for child, parents in FAMILIES]
            for name, score in scores.items()
        },
    }
    OUT.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
