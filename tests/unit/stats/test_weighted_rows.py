"""Scores, tests, fitted models and doubts of a weighted table are those of the table with its rows repeated."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset, Kind
from arcwise.graph.dag import Dag
from arcwise.independence import FisherZ, GaussianInformation, LikelihoodRatio, MultiResolution, RecursiveMedian
from arcwise.models.fit import fit
from arcwise.scores import KGV, BGe, DegenerateGaussian, Gaussian, GaussianBIC, NeuralBIC, NeuralPrequential
from arcwise.stats.determined import determined
from arcwise.stats.relations import relations
from tests.contract.parts import continuous_data, mixed_data

SETS = np.array([[-1, -1], [1, -1], [3, 1], [2, 4]], dtype=np.intp)


def weighted(data: Dataset, most: int = 5) -> Dataset:
    return data.weighted(np.random.default_rng(1).integers(0, most, data.n_stored))


NUMBERS, BOTH = weighted(continuous_data(150)), weighted(mixed_data(150))


@pytest.mark.parametrize(
    "score",
    [
        GaussianBIC(),
        BGe(),
        BGe(nu=0.5, standardize=True),
        Gaussian(),
        DegenerateGaussian(),
        KGV(),
        NeuralBIC(iterations=5),
        NeuralPrequential(iterations=5),
    ],
    ids=lambda score: score.kind,
)
def test_scores(score):
    for data in (NUMBERS, BOTH) if Kind.DISCRETE in score.accepts else (NUMBERS,):
        bound, repeated = score.bind(data), score.bind(data.repeated())
        assert bound.local_scores(0, SETS) == pytest.approx(repeated.local_scores(0, SETS), rel=1e-10)
        assert bound.warnings == repeated.warnings


@pytest.mark.parametrize(
    "test",
    [FisherZ(), LikelihoodRatio(), GaussianInformation(), RecursiveMedian(), MultiResolution()],
    ids=lambda test: test.kind,
)
@pytest.mark.parametrize("data", [NUMBERS, BOTH], ids=["numbers", "both"])
def test_tests(test, data):
    bound, repeated = test.bind(data), test.bind(data.repeated())
    sets = SETS[:1] if isinstance(test, MultiResolution) else SETS
    for y in (5, 2):
        expected = repeated.log_p_values(0, y, sets)
        assert bound.log_p_values(0, y, sets) == pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True)
    assert bound.warnings == repeated.warnings


@pytest.mark.parametrize("options", [{"test": "fisher-z"}, {"test": "likelihood-ratio"}], ids=lambda o: o["test"])
@pytest.mark.parametrize("method", ["pc", "mmpc"])
def test_graphs_of_tests(method, options):
    found, repeated = (arcwise.learn(data, method, **options) for data in (BOTH, BOTH.repeated()))
    assert (found.cpdag, found.counters) == (repeated.cpdag, repeated.counters)


@pytest.mark.parametrize("method", ["gaussian", "kgv", "ges"])
def test_graphs_of_scores(method):
    options = {"score": "degenerate-gaussian"} if method == "ges" else {}
    found, repeated = (arcwise.learn(data, method, **options) for data in (BOTH, BOTH.repeated()))
    assert (found.graph, found.cpdag, found.counters) == (repeated.graph, repeated.cpdag, repeated.counters)
    assert found.score == pytest.approx(repeated.score, rel=1e-10)
    assert found.warnings == repeated.warnings


@pytest.mark.parametrize("model", ["gaussian", "neural"])
def test_fitted_models(model):
    names = NUMBERS.names
    dag = Dag(names, [(names[0], names[2]), (names[1], names[2])])
    options = {"iterations": 5} if model == "neural" else {}
    found, repeated = (fit(dag, data, model, **options) for data in (NUMBERS, NUMBERS.repeated()))
    assert [one.to_dict() for one in found.models] == [one.to_dict() for one in repeated.models]


def test_fitted_tables_of_heavy_rows_repeat_none():
    data = Dataset.from_frame({"a": list("xyxyxx"), "b": list("uuvvuv")})
    heavy = data.weighted(np.full(6, 300_000_000))
    found, light = (fit(Dag(("a", "b"), [("a", "b")]), one, smoothing=0.0) for one in (heavy, data))
    for one, other in zip(found.models, light.models, strict=True):
        assert one.to_dict() | {"counts": None} == other.to_dict() | {"counts": None}
        assert (one.counts == other.counts * 300_000_000).all()


def test_relations_of_few_stored_rows():
    rng = np.random.default_rng(2)
    p, q = rng.normal(size=(2, 12))
    data = Dataset.from_frame({"p": p, "q": q, "s": p + 2 * q}).weighted(np.full(12, 40))
    assert data.kinds == (Kind.CONTINUOUS,) * 3
    assert relations(data) == relations(data.repeated()) != {}
    assert relations(Dataset(data.columns)) == {}  # twelve rows are too few


def test_columns_that_others_determine_in_few_stored_rows():
    grade, mark = np.array(list("aabbccdd")), np.array(list("xxyyxxyy"))
    data = Dataset.from_frame({"grade": grade, "mark": mark}).weighted(np.full(8, 100))
    dag = Dag(("grade", "mark"), [("grade", "mark")])
    said = determined(data, dag.cpdag(), dag)
    assert said == determined(data.repeated(), dag.cpdag(), dag)
    assert "in all 800 rows" in said[0]
