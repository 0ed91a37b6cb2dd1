"""Makes discrete_scores.json: local scores of random families as pgmpy and pyAgrum compute them.

Run with the `peers` extra installed: python -m tests.reference.make_discrete_scores
"""

from __future__ import annotations

import json
import warnings
from importlib.metadata import version
from math import log
from pathlib import Path

import numpy as np
import pandas as pd

OUT = Path(__file__).with_name("discrete_scores.json")
CARDS = {"a": 2, "b": 3, "c": 4, "d": 2, "e": 3}
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


def table(n_rows: int = 120) -> dict[str, list[int]]:
    """Few rows, so that many cells and some parent configurations are empty; every level occurs."""
    rng = np.random.default_rng(20)
    columns: dict[str, np.ndarray] = {}
    for i, (name, card) in enumerate(CARDS.items()):
        codes = rng.integers(0, card, n_rows)
        for other in list(columns.values())[max(0, i - 2) :]:
            follow = rng.random(n_rows) < 0.4
            codes[follow] = other[follow] % card
        assert set(codes) == set(range(card))
        columns[name] = codes
    return {name: codes.tolist() for name, codes in columns.items()}


def pgmpy_scores(frame: pd.DataFrame) -> dict[str, list[float]]:
    """Without K2: pgmpy 1.1.2 lets parent configurations that never occur contribute to it, and they must not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import AIC, BIC, BDeu

        scores = {
            "bdeu-1": BDeu(frame, equivalent_sample_size=1),
            "bdeu-10": BDeu(frame, equivalent_sample_size=10),
            "bic": BIC(frame),
            "aic": AIC(frame),
        }
        return {
            name: [float(score.local_score(child, parents)) for child, parents in FAMILIES]
            for name, score in scores.items()
        }


def pyagrum_scores(frame: pd.DataFrame) -> dict[str, list[float]]:
    """pyAgrum works in bits.

    Without AIC (pyAgrum 3.3.1 takes one bit a parameter where the definition has one nat) and without BDeu (it agrees
    for nodes without parents only).
    """
    import pyagrum as gum

    out = {}
    for name, choose in {"k2": "useScoreK2", "bic": "useScoreBIC"}.items():
        learner = gum.BNLearner(frame)
        getattr(learner, choose)()
        learner.useNoPrior()
        out[name] = [learner.score(child, parents) * log(2) for child, parents in FAMILIES]
    return out


def main() -> None:
    columns = table()
    frame = pd.DataFrame({name: pd.Categorical([f"s{code}" for code in codes]) for name, codes in columns.items()})
    content = {
        "made_with": {name: version(name) for name in ("pgmpy", "pyagrum")},
        "columns": columns,
        "families": FAMILIES,
        "pgmpy": pgmpy_scores(frame),
        "pyagrum": pyagrum_scores(frame),
    }
    OUT.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
