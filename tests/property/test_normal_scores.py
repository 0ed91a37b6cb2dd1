"""With normal scores in place of values nothing changes where a column is seen through an increasing function."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.independence import ByKind, FisherZ, GaussianInformation, Information, LikelihoodRatio
from arcwise.networks.table_kinds import simulate
from arcwise.parts.spec import to_spec
from arcwise.scores import BGe, DegenerateGaussian, Gaussian, GaussianBIC
from arcwise.stats.moments import Moments

INCREASING = {
    "exp": np.exp,
    "cube": lambda x: x**3,
    "ranks": rankdata,
    "far and flat": lambda x: 1e6 + 1e-3 * np.arctan(x),
    "minus exp": lambda x: -np.exp(-x),
    "same": lambda x: x,
}


def seen_through(data, functions):
    return Dataset(
        tuple(
            Column(c.name, c.kind, INCREASING[f](c.values)) if c.kind is Kind.CONTINUOUS else c
            for c, f in zip(data.columns, functions, strict=True)
        )
    )


@given(st.sampled_from(["linear-normal", "rounded", "half-zeros", "logistic", "latent-classes"]), st.data())
@settings(max_examples=25, deadline=None)
def test_moments_and_scores_are_bit_identical(kind, draw):
    data, _ = simulate(kind, nodes=6, edges=7, rows=150, seed=draw.draw(st.integers(0, 9)))
    functions = draw.draw(st.lists(st.sampled_from(sorted(INCREASING)), min_size=6, max_size=6))
    other = seen_through(data, functions)
    for by_codes in (False, True):
        here, there = (Moments.transformed(d, "normal-scores", by_codes=by_codes) for d in (data, other))
        assert np.array_equal(here.correlations, there.correlations)
    scores = [DegenerateGaussian(transform="normal-scores")]
    if Kind.DISCRETE not in data.kinds:
        scores += [GaussianBIC(transform="normal-scores"), BGe(transform="normal-scores")]
    for score in scores:
        assert score.bind(data).local_score(0, [1, 4]) == score.bind(other).local_score(0, [1, 4])
    tests = (FisherZ, LikelihoodRatio, GaussianInformation, Information, ByKind)
    for test in (kind(transform="normal-scores") for kind in tests):
        assert test.bind(data).test(0, 2, [1]) == test.bind(other).test(0, 2, [1])


@pytest.mark.parametrize("method", ["gaussian", "pc", "tpda", "mmhc", "hill-climb", "ges", "copula"])
def test_graphs_do_not_change(method):
    options = {} if method == "copula" else {"transform": "normal-scores"}
    data, _ = simulate("log-normal", nodes=8, edges=10, rows=400, seed=3)
    other = seen_through(data, ["exp", "cube", "ranks", "same", "minus exp", "ranks", "far and flat", "exp"])
    if method != "copula":  # on the values themselves they do: the test can fail
        assert arcwise.learn(data, method).cpdag != arcwise.learn(other, method).cpdag
    assert arcwise.learn(data, method, **options).cpdag == arcwise.learn(other, method, **options).cpdag


def test_normal_scores_are_those_of_the_definition():
    """But for the 13th bit, to which heights are rounded."""
    values = np.random.default_rng(0).exponential(size=(80, 3))
    data = Dataset(tuple(Column(f"x{j}", Kind.CONTINUOUS, values[:, j]) for j in range(3)))
    scores = norm.ppf((rankdata(values, axis=0) - 0.5) / 80)
    table = Dataset(tuple(Column(f"x{j}", Kind.CONTINUOUS, scores[:, j]) for j in range(3)))
    found = FisherZ(transform="normal-scores").bind(data).test(0, 1, [2])
    assert found.value == pytest.approx(FisherZ().bind(table).test(0, 1, [2]).value, rel=1e-3)
    gain = [GaussianBIC(transform=t).bind(d) for t, d in (("normal-scores", data), ("none", table))]
    first, second = (bound.local_score(0, [1]) - bound.local_score(0, []) for bound in gain)
    assert first == pytest.approx(second, rel=1e-3)


def test_fisher_takes_the_normal_scores_of_codes():
    data, _ = simulate("logistic", nodes=6, edges=7, rows=150, seed=1)
    columns = tuple(Column(c.name, Kind.CONTINUOUS, c.values.astype(float)) for c in data.columns)
    here, there = (FisherZ(transform="normal-scores").bind(d).test(0, 2, [1]) for d in (data, Dataset(columns)))
    assert here.value == pytest.approx(there.value, rel=1e-10)


def test_one_word_sets_the_transform_of_all_parts():
    learner = catalog.method("gaussian", {"transform": "normal-scores"}).learner
    assert learner.score.continuous.transform == learner.score.mixed.transform == "normal-scores"
    hybrid = catalog.method("mmhc", {"transform": "normal-scores"}).learner
    assert hybrid.skeleton.test.transform == "normal-scores"
    assert hybrid.search.score.otherwise.continuous.transform == "normal-scores"
    one = catalog.configure(Gaussian(), {"continuous.transform": "normal-scores"})
    assert (one.continuous.transform, one.mixed.transform) == ("normal-scores", "none")
    with pytest.raises(OptionError, match="normal-scores"):
        catalog.method("pc", {"transform": "ranks"})


def test_specifications_from_before_there_were_transforms_are_those_of_today():
    for part in (FisherZ(), GaussianBIC(), ByKind(), catalog.method("mmhc").learner):
        assert "transform" not in str(to_spec(part))
        assert catalog.from_spec(to_spec(part)) == part
    ranks = GaussianBIC(transform="normal-scores")
    assert to_spec(ranks)["transform"] == "normal-scores"
    assert catalog.from_spec(to_spec(ranks)) == ranks
