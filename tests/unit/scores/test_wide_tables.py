"""Tables with many columns: the score that stands for Gaussian ones prices each arc, and says so."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset
from arcwise.scores import DegenerateGaussian, Gaussian, GaussianBIC, Suited
from arcwise.scores.suited import WIDE_COLUMNS


def noise(columns: int, rows: int = 60, *, levels: bool = False) -> Dataset:
    rng = np.random.default_rng(columns)
    values = {f"x{k:03d}": rng.normal(size=rows) for k in range(columns)}
    return Dataset.from_frame(values | ({"g": rng.choice(["a", "b"], rows)} if levels else {}))


def test_only_wide_tables_have_a_price():
    narrow, wide = noise(WIDE_COLUMNS - 1), noise(WIDE_COLUMNS)
    assert Gaussian().resolve(narrow) == GaussianBIC()
    assert Gaussian().resolve(wide) == GaussianBIC(arc_prior="sparse")
    assert Gaussian().resolve(noise(WIDE_COLUMNS, levels=True)) == DegenerateGaussian(arc_prior="sparse")
    assert Gaussian(continuous=GaussianBIC(arc_prior=0.5)).resolve(wide) == GaussianBIC(arc_prior=0.5)


@pytest.mark.parametrize("score", [Gaussian(), Suited()])
def test_an_arc_costs_what_the_extended_criterion_says(score):
    """ln N / 2 + ln n nats and ln 5 more, n one less than the columns, beyond the likelihood."""
    wide = noise(WIDE_COLUMNS)
    plain, priced = GaussianBIC().bind(wide), score.bind(wide)
    for parents in ((), (1,), (1, 2, 3)):
        price = len(parents) * np.log((WIDE_COLUMNS - 1) / 0.2)
        assert priced.local_score(0, parents) == pytest.approx(plain.local_score(0, parents) - price, rel=1e-12)


def test_noise_has_hardly_an_edge_and_the_answer_says_why():
    wide = noise(150)
    result = arcwise.learn(wide, "hill-climb")
    assert result.cpdag.n_edges <= 15
    assert result.scored_with["arc_prior"] == "sparse"
    assert any("150 columns each edge has to pay" in warning for warning in result.warnings)
    assert arcwise.learn(wide, "hill-climb", score="gaussian-bic", deadline=10).cpdag.n_edges > 100
