"""A table with weights gives what the table with its rows repeated gives."""

from __future__ import annotations

from resource import RUSAGE_SELF, getrusage

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from tests.contract.parts import continuous_data, discrete_data, mixed_data

# What does not honour weights yet: methods by kind of table, scores and tests.
OF_MOMENTS = {
    *(
        "exhaustive",
        "gaussian",
        "ges",
        "hill-climb",
        "k2",
        "kgv",
        "mmhc",
        "mmpc",
        "neural",
        "optimal-reinsertion",
        "pc",
    ),
    *("pc-recursive-median", "pmmhc", "pmms", "sparse-candidate", "tabu", "tpda"),
}
METHODS_TO_COME = {
    "discrete": {"gaussian", "kgv", "neural", "pc-recursive-median"},
    "continuous": OF_MOMENTS,
    "mixed": OF_MOMENTS,
}
SCORES_TO_COME = {
    *("bge", "degenerate-gaussian", "gaussian", "gaussian-bic", "kgv", "neural-bic", "neural-prequential", "suited"),
}
TESTS_TO_COME = {
    *("by-kind", "fisher-z", "gaussian-information", "information", "likelihood-ratio", "multi-resolution"),
    "recursive-median",
}

TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}
MOST = {"few": 4, "many": 20}  # rows are repeated for counting, or not
SETS = np.array([[2, -1, -1], [3, 4, -1], [2, 4, 5], [-1, -1, -1]])


def weighted_and_repeated(data, most):
    weights = np.random.default_rng(3).integers(0, most, data.n_stored)
    return data.weighted(weights), data.take(np.repeat(np.arange(data.n_stored), weights))


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_methods(method, table, most, request):
    if method in METHODS_TO_COME[table]:
        request.applymarker(pytest.mark.xfail(strict=True, reason="does not honour weights yet"))
    weighted, repeated = weighted_and_repeated(TABLES[table](60), MOST[most])
    one, other = arcwise.learn(weighted, method), arcwise.learn(repeated, method)
    assert (one.graph, one.cpdag) == (other.graph, other.cpdag)
    assert one.discretization == other.discretization
    assert one.score == (None if other.score is None else pytest.approx(other.score, rel=1e-9, abs=1e-9))
    assert one.warnings == other.warnings
    assert one.data.n_rows == repeated.n_rows


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("name", sorted(catalog.SCORES))
def test_scores(name, most, request):
    if name in SCORES_TO_COME:
        request.applymarker(pytest.mark.xfail(strict=True, reason="does not honour weights yet"))
    score = catalog.SCORES[name]()
    for kind, table in TABLES.items():
        data = table(60)
        if score.accepts.issuperset(data.kinds):
            one, other = (score.bind(some).local_scores(0, SETS) for some in weighted_and_repeated(data, MOST[most]))
            assert one == pytest.approx(other, rel=1e-9, abs=1e-9), kind


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("name", sorted(catalog.TESTS))
def test_tests(name, most, request):
    if name in TESTS_TO_COME:
        request.applymarker(pytest.mark.xfail(strict=True, reason="does not honour weights yet"))
    test = catalog.TESTS[name]()
    sets = SETS[-1:, :0] if name == "multi-resolution" else SETS
    for kind, table in TABLES.items():
        data = table(60)
        if test.accepts.issuperset(data.kinds):
            one, other = (test.bind(some).p_values(0, 1, sets) for some in weighted_and_repeated(data, MOST[most]))
            assert one == pytest.approx(other, rel=1e-9, abs=1e-12, nan_ok=True), kind


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("name", sorted(catalog.DISCRETIZERS))
def test_discretizers(name, most):
    weighted, repeated = weighted_and_repeated(mixed_data(60), MOST[most])
    assert catalog.DISCRETIZERS[name]().fit(weighted) == catalog.DISCRETIZERS[name]().fit(repeated)


@pytest.mark.parametrize(
    ("method", "options"), [("hill-climb", {}), ("pc", {"test": "g-squared"}), ("mmhc", {}), ("tpda", {})]
)
def test_many_rows_in_few(method, options):
    """A hundred million rows, if they were repeated."""
    data = discrete_data(20)
    arcwise.learn(data, method, **options)  # compiled before memory is watched
    heavy = data.weighted(np.full(20, 5_000_000))
    before = getrusage(RUSAGE_SELF).ru_maxrss
    result = arcwise.learn(heavy, method, **options)
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 1 << 17  # kilobytes
    assert result.data.n_rows == 100_000_000
    assert result.cpdag.n_edges > 5
