"""Makes independence.json: p-values of conditional independence tests as other libraries compute them.

Run with the `peers` extra installed: python -m tests.reference.make_independence
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

OUT = Path(__file__).with_name("independence.json")
NAMES = ["a", "b", "c", "d", "e"]
CARDS = [2, 3, 3, 2, 4]
QUESTIONS: list[tuple[str, str, list[str]]] = [
    ("a", "b", []),
    ("a", "e", []),
    ("c", "e", []),
    ("a", "c", ["b"]),
    ("b", "d", ["c"]),
    ("c", "e", ["d"]),
    ("a", "d", ["b", "c"]),
    ("b", "e", ["a", "d"]),
    ("a", "e", ["b", "c", "d"]),
]


def numbers(n_rows: int = 150) -> np.ndarray:
    """A chain with a shortcut, so that some questions are close and some are clear."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(n_rows, len(NAMES)))
    for j in range(1, len(NAMES)):
        table[:, j] += 0.6 * table[:, j - 1]
    table[:, 4] += 0.3 * table[:, 1]
    return table.round(6)


def codes(n_rows: int = 400) -> np.ndarray:
    """Each column follows the one before it in part of the rows; every level occurs, many joint states do not."""
    rng = np.random.default_rng(6)
    table = np.column_stack([rng.integers(0, card, n_rows) for card in CARDS])
    for j in range(1, len(NAMES)):
        follow = rng.random(n_rows) < 0.35
        table[follow, j] = table[follow, j - 1] % CARDS[j]
    return table


def causal_learn(table: np.ndarray, method: str) -> list[float]:
    from causallearn.utils.cit import CIT

    test = CIT(table, method)
    return [float(test(NAMES.index(x), NAMES.index(y), [NAMES.index(u) for u in z])) for x, y, z in QUESTIONS]


def pgmpy(frame: pd.DataFrame, name: str) -> list[list[float]]:
    """[statistic, p-value, degrees of freedom] of each question."""
    from pgmpy.estimators import CITests

    function: Callable[..., Any] = getattr(CITests, name)
    return [[float(v) for v in function(x, y, z, frame, boolean=False)] for x, y, z in QUESTIONS]


def scipy_unconditional(table: np.ndarray, flavour: str) -> list[list[float]]:
    """[statistic, p-value, degrees of freedom] of the questions with nothing given."""
    from scipy.stats import chi2_contingency

    out = []
    for x, y, z in QUESTIONS:
        if not z:
            counts = pd.crosstab(table[:, NAMES.index(x)], table[:, NAMES.index(y)]).to_numpy()
            found = chi2_contingency(counts, correction=False, lambda_=flavour)
            out.append([float(found.statistic), float(found.pvalue), float(found.dof)])
    return out


def main() -> None:
    warnings.simplefilter("ignore")
    continuous, discrete = numbers(), codes()
    frame = pd.DataFrame(discrete, columns=NAMES)
    content = {
        "made_with": {name: version(name) for name in ("causal-learn", "pgmpy", "scipy")},
        "names": NAMES,
        "cards": CARDS,
        "questions": QUESTIONS,
        "continuous": continuous.T.tolist(),
        "discrete": discrete.T.tolist(),
        "causal-learn": {
            "fisher-z": causal_learn(continuous, "fisherz"),
            "chi-squared": causal_learn(discrete, "chisq"),
            "g-squared": causal_learn(discrete, "gsq"),
        },
        "pgmpy": {"chi-squared": pgmpy(frame, "chi_square"), "g-squared": pgmpy(frame, "g_sq")},
        "scipy": {
            "chi-squared": scipy_unconditional(discrete, "pearson"),
            "g-squared": scipy_unconditional(discrete, "log-likelihood"),
        },
    }
    OUT.write_text(json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
