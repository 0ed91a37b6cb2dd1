"""Tests from counts: known answers, the kernels against dictionaries, rules for degrees of freedom and few rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Dataset
from arcwise.errors import DataError, OptionError
from arcwise.independence import ChiSquared, GSquared, MutualInformation
from arcwise.independence.options import RULES
from arcwise.parts.protocols import IndependenceTest, check_kinds
from arcwise.stats import contingency, counts
from tests.oracle.counting import discrete_table
from tests.oracle.independence import degrees_of_freedom, levels, numbers, statistic

DIAGONAL = {"x": [0] * 10 + [1] * 10, "y": [0] * 10 + [1] * 10}


@pytest.mark.parametrize("kind", [GSquared, ChiSquared, MutualInformation])
def test_is_a_part(kind):
    assert isinstance(kind(), IndependenceTest)
    assert hash(kind()) == hash(kind())


def test_a_diagonal_table_by_hand():
    data = levels(DIAGONAL)
    g2, chi2 = GSquared().bind(data).test(0, 1, []), ChiSquared().bind(data).test(0, 1, [])
    assert g2.statistic == pytest.approx(2 * 20 * log(2))
    assert chi2.statistic == pytest.approx(20.0)
    assert g2.details["df"] == chi2.details["df"] == 1
    assert MutualInformation().bind(data).test(0, 1, []).statistic == pytest.approx(log(2))


def test_effective_degrees_of_freedom_fall_back_where_they_fail():
    """2 cells - 2 rows - 2 columns + 1 stratum = -1: a deterministic link would look untestable."""
    found = GSquared(df="effective").bind(levels(DIAGONAL)).test(0, 1, [])
    assert found.details["df"] == 1
    assert found.value < 1e-6


@settings(max_examples=40)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(1, 4), min_size=3, max_size=6),
    st.integers(2, 60),
    st.sampled_from(RULES),
    st.booleans(),
)
def test_batches_equal_tables_in_dictionaries(seed, cards, n_rows, rule, pearson):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, cards, n_rows)
    codes = data.codes()
    bound = (ChiSquared if pearson else GSquared)(df=rule, min_per_cell=0).bind(data)
    x, y, *others = rng.permutation(len(cards)).tolist()
    sets = [rng.permutation(others)[: rng.integers(0, len(others) + 1)].tolist() for _ in range(8)]
    padded = np.full((8, len(others)), -1, dtype=np.intp)
    for row, members in zip(padded, sets, strict=True):
        row[: len(members)] = members
    batch = bound.p_values(x, y, padded)
    constant = len(set(codes[x])) == 1 or len(set(codes[y])) == 1
    for members, value in zip(sets, batch, strict=True):
        result = bound.test(x, y, members)
        assert value == result.value == bound.test(y, x, members).value
        assert {bound.test(x, y, order).value for order in list(permutations(members))[:6]} == {value}
        assert result.statistic == pytest.approx(statistic(codes, x, y, members, pearson=pearson), abs=1e-9)
        if not constant:
            assert result.details["df"] == degrees_of_freedom(codes, cards, x, y, members, rule)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(RULES), st.booleans())
def test_large_tables_are_counted_by_their_cells(seed, rule, pearson):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, [3, 4, 3, 2, 5], 80)
    part = (ChiSquared if pearson else GSquared)(df=rule, min_per_cell=0)
    dense = part.bind(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "TEST_CELLS_PER_ROW", 0)
        sparse = part.bind(data.take(slice(None)))
    sets = np.array([[2, -1, -1], [2, 3, -1], [4, 3, 2], [-1, -1, -1]])
    for one, other in zip(dense.statistics(0, 1, sets), sparse.statistics(0, 1, sets), strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    assert dense.pairwise() == pytest.approx(sparse.pairwise(), abs=1e-9)


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_more_joint_states_than_a_number_can_name(rule, pearson):
    data = discrete_table(np.random.default_rng(0), [200, 200, 3, *[200] * 8], 60)
    copies = Dataset(tuple(replace(c, values=c.values // 40) if i > 2 else c for i, c in enumerate(data.columns)))
    result = (ChiSquared if pearson else GSquared)(df=rule, min_per_cell=0).bind(copies).test(0, 1, range(2, 11))
    codes = copies.codes()
    assert result.statistic == pytest.approx(statistic(codes, 0, 1, range(2, 11), pearson=pearson), abs=1e-9)
    if rule != "full":
        assert result.details["df"] == degrees_of_freedom(codes, copies.cardinalities, 0, 1, range(2, 11), rule)
    else:
        assert result.details["df"] == 199.0**2 * 3 * 200.0**8


def test_work_is_divided_into_calls_of_bounded_size(monkeypatch):
    data = discrete_table(np.random.default_rng(1), [2, 3, 2, 3, 2, 4], 50)
    bound = GSquared(min_per_cell=0).bind(data)
    sets = np.array([[u, v] for u in (2, 3, 4, 5) for v in (2, 3, 4, 5) if u < v])
    whole = bound.p_values(0, 1, sets)
    monkeypatch.setattr(contingency, "CALL_WORK", 100)
    assert bound.p_values(0, 1, sets).tolist() == whole.tolist()
    assert bound.p_values(0, 1, sets[:0]).tolist() == []


def test_too_few_rows_are_no_answer():
    data = discrete_table(np.random.default_rng(2), [2, 2, 3, 3], 60)
    sets = np.array([[-1, -1], [2, -1], [2, 3]])  # 4, 12 and 36 cells
    assert np.isnan(GSquared(min_per_cell=5).bind(data).p_values(0, 1, sets)).tolist() == [False, False, True]
    assert np.isnan(GSquared(min_per_cell=6).bind(data).p_values(0, 1, sets)).tolist() == [False, True, True]
    assert not np.isnan(GSquared(min_per_cell=0).bind(data).p_values(0, 1, sets)).any()
    assert np.isnan(MutualInformation(min_per_cell=6).bind(data).p_values(0, 1, sets)).tolist() == [False, True, True]


def test_constant_columns_are_independent_of_all_even_in_few_rows():
    data = levels({"k": [0] * 5, "x": [0, 1, 2, 3, 4], "y": [1, 0, 1, 0, 1]}, {"k": 3, "x": 5, "y": 2})
    for part in (GSquared(), ChiSquared(df="full"), MutualInformation()):
        bound = part.bind(data)
        assert bound.test(0, 1, []).value == bound.test(2, 0, [1]).value == 1.0


def test_strong_dependences_stay_apart_where_p_is_zero():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 20_000)
    blur = [np.where(rng.random(20_000) < share, 1 - x, x).tolist() for share in (0.01, 0.05)]
    bound = GSquared().bind(levels({"x": x.tolist(), "y": blur[0], "z": blur[1]}))
    assert bound.test(0, 1, []).value == bound.test(0, 2, []).value == 0.0
    assert -np.inf < bound.test(0, 1, []).details["log_p"] < bound.test(0, 2, []).details["log_p"] < -745


def test_pairwise_is_the_batch_of_empty_sets(monkeypatch):
    bound = GSquared().bind(discrete_table(np.random.default_rng(4), [2, 3, 4, 2], 100))
    table = bound.pairwise()
    for x in range(4):
        for y in range(4):
            assert table[x, y] == (1.0 if x == y else bound.test(x, y, []).value)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    assert (bound.pairwise() == table).all()


def test_information_is_compared_with_its_threshold():
    data = discrete_table(np.random.default_rng(5), [3, 3, 2], 500)
    bound = MutualInformation(threshold=0.02).bind(data)
    sets = np.array([[-1], [2]])
    information = bound.information(0, 1, sets)
    assert information == pytest.approx([statistic(data.codes(), 0, 1, s, pearson=False) / 1000 for s in ([], [2])])
    above = bound.p_values(0, 1, sets) > MutualInformation.level
    assert above.tolist() == (information < 0.02).tolist()
    at = MutualInformation(threshold=float(information[0])).bind(data).test(0, 1, []).value
    assert at == pytest.approx(MutualInformation.level)


def test_continuous_columns_are_refused_by_name():
    data = numbers({"height": [1.5, 2.5, 3.5]})
    with pytest.raises(DataError, match=r"column 'height' is continuous.*'g-squared'.*discretize"):
        check_kinds(GSquared(), data)


@pytest.mark.parametrize(
    ("part", "options", "message"),
    [
        (GSquared, {"df": "none"}, "'df' must be 'adjusted' or 'full' or 'effective', not 'none'"),
        (ChiSquared, {"min_per_cell": -1}, "'min_per_cell' must be a number of at least 0, not -1"),
        (MutualInformation, {"threshold": 0.0}, "'threshold' must be a number above 0, not 0.0"),
    ],
)
def test_bad_options_are_one_sentence(part, options, message):
    with pytest.raises(OptionError, match=message):
        part(**options)
