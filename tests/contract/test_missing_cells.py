"""No part uses a missing cell in silence: it does without, as if the cell were not there, or refuses by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Dataset, Kind
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.steck import Steck
from arcwise.drawing import draw_slices, draw_thresholds
from arcwise.drawing.slices import slice_up
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.networks.models.fit import fit
from arcwise.networks.simulators import add_noise
from arcwise.parts.protocols import IncompleteLearner
from arcwise.results.columns import describe
from tests.contract.parts import continuous_data, discrete_data, mixed_data

TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}
ONE_COLUMN = ("distinct", "equal-frequency", "equal-width", "freedman-diaconis", "scott", "sturges")


def with_holes(data):
    """The first two columns with a tenth of their cells missing, and a third one with other cells."""
    gone = np.random.default_rng(5).random((3, data.n_stored)) < 0.1
    holed = [replace(column, missing=mask) for column, mask in zip(data.columns, gone, strict=False)]
    return replace(data, columns=(*holed, *data.columns[3:]))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_methods(method, table):
    """Each of them learns from draws of such cells; rows with weights count as if they were repeated."""
    data = with_holes(TABLES[table](60))
    weights = np.random.default_rng(3).integers(0, 4, data.n_stored)
    some = data.weighted(weights), data.take(np.repeat(np.arange(data.n_stored), weights))
    one, other = (arcwise.learn(rows, method, draws__burn_in=2, draws__least=2, draws__most=2) for rows in some)
    assert one.status == "converged"
    assert (one.graph, one.cpdag) == (other.graph, other.cpdag)
    assert one.discretization == other.discretization
    assert one.score == (None if other.score is None else pytest.approx(other.score, rel=1e-9, abs=1e-9))
    assert one.warnings == other.warnings
    assert one.completion.strengths.edges() == other.completion.strengths.edges()
    assert one.completion.fill(some[0]).is_complete


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_learners(method, table):
    """A learner by itself, without `arcwise.learn`, which asks first."""
    data, learner = with_holes(TABLES[table](60)), catalog.METHODS[method].learner
    if isinstance(learner, IncompleteLearner):
        assert learner.learn(data, rng=np.random.default_rng(0)).completion.fill(data).is_complete
        return
    with pytest.raises(DataError, match=r"needs a complete table|needs (discrete|continuous)"):
        learner.learn(data, rng=np.random.default_rng(0))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", sorted(catalog.SCORES))
def test_scores(name, table):
    score, data = catalog.SCORES[name](), with_holes(TABLES[table](60))
    if score.accepts.issuperset(data.kinds):
        with pytest.raises(DataError, match="needs a complete table"):
            score.bind(data).local_scores(0, np.array([[1]]))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", sorted(catalog.TESTS))
def test_tests(name, table):
    test, data = catalog.TESTS[name](), with_holes(TABLES[table](60))
    if test.accepts.issuperset(data.kinds):
        with pytest.raises(DataError, match="needs a complete table"):
            test.bind(data).p_values(0, 1, np.empty((1, 0), dtype=np.intp))


@pytest.mark.parametrize("name", sorted(catalog.DISCRETIZERS))
def test_discretizers(name):
    data, part = with_holes(continuous_data(60)), catalog.DISCRETIZERS[name]()
    if name not in ONE_COLUMN:
        with pytest.raises(DataError, match="needs a complete table"):
            part.fit(data)
        return
    found = part.fit(data)
    for column in data.columns:
        alone = part.fit(Dataset((replace(column, values=column.recorded, missing=None),)))
        np.testing.assert_array_equal(found.thresholds[column.name], alone.thresholds[column.name])
    cut = found.apply(data)
    assert cut.missing_counts() == data.missing_counts()
    assert all(column.kind is Kind.DISCRETE and column.values.max() < column.cardinality for column in cut.columns)


def test_a_column_without_a_value_gets_no_thresholds():
    column = continuous_data(20).columns[0]
    data = Dataset((replace(column, missing=np.ones(20, dtype=np.bool_)),))
    for name in ONE_COLUMN:
        assert catalog.DISCRETIZERS[name]().fit(data).thresholds[column.name].tolist() == []
    (summary,) = describe(data)
    assert (summary.n_distinct, summary.minimum, summary.n_missing) == (0, None, 20)


@pytest.mark.parametrize(("table", "model"), [("discrete", "cpt"), ("continuous", "gaussian"), ("mixed", "neural")])
def test_models(table, model):
    """Tables and regressions sum over missing cells; what a neural network does without is in its own tests."""
    whole = TABLES[table](60)
    data, dag = with_holes(whole), Dag(whole.names, [("delta", "alpha")])
    fitted = fit(dag, whole, model)
    if model == "neural":
        with pytest.raises(DataError, match=r"the model 'neural' .* needs a complete table"):
            fit(dag, data, model)
        with pytest.raises(DataError, match="there is no exact sum over them"):
            fitted.log_density(data)
        with pytest.raises(DataError, match="predicting 'alpha' needs the column 'delta'"):
            fitted.expected("alpha", data)
    else:
        there = np.isfinite(fit(dag, data, model).log_density(data))
        assert there.all()
        assert np.isfinite(fitted.expected("alpha", data)).all()
        assert fitted.complete(data).table.is_complete
    # columns that take no part may have holes
    assert fit(Dag(whole.names[3:]), data, "cpt" if table == "discrete" else model).names == whole.names[3:]


def test_thresholds_for_a_network_and_noise():
    data = with_holes(continuous_data(60))
    with pytest.raises(DataError, match="a search for thresholds needs a complete table"):
        refine(Steck(), data, Dag(data.names, []))
    with pytest.raises(DataError, match="adding noise needs a complete table"):
        add_noise(with_holes(discrete_data(60)))


def test_pictures_leave_missing_cells_out(tmp_path):
    data = with_holes(mixed_data(60))
    cuts = catalog.DISCRETIZERS["equal-width"]().fit(data)
    draw_thresholds(data, cuts, tmp_path / "cuts.svg")
    draw_slices(data, "delta", "alpha", ["echo"], tmp_path / "slices.svg")
    rows = data.select(["delta", "alpha", "echo"]).complete_rows()
    found = slice_up(data, "delta", "alpha", ["echo"], 10, 10)
    assert sum(part.rows for part in found.parts) == rows.n_rows
    assert found.left_out == f"not shown: {60 - rows.n_rows} rows with missing cells"


def test_summaries_are_of_the_recorded_cells():
    data = with_holes(mixed_data(60))
    for column, summary in zip(data.columns, describe(data), strict=True):
        alone = Dataset((replace(column, values=column.recorded, missing=None),))
        (want,) = describe(alone)
        assert replace(summary, n_missing=0) == want
        assert summary.n_missing == 60 - alone.n_rows
    weights = np.arange(60) % 3
    for one, other in zip(describe(data.weighted(weights)), describe(data.weighted(weights).repeated()), strict=True):
        assert one == other
