"""What every independence test in the catalog promises."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import catalog
from arcwise.data.dataset import Dataset, Kind
from arcwise.errors import OptionError
from arcwise.parts.protocols import IndependenceTest, resolved
from arcwise.parts.spec import to_spec
from tests.contract.parts import continuous_data, discrete_data, reorder_rows, snapshot
from tests.contract.test_awkward_tables import CASES

SETS = [(2,), (3,), (4,), (2, 3), (5, 3), (2, 4, 5), ()]
PAIRS_ONLY = {"multi-resolution"}


@pytest.fixture(params=sorted(catalog.TESTS), scope="module")
def test(request):
    return catalog.TESTS[request.param]()


@pytest.fixture(scope="module")
def data(test):
    return discrete_data(1500) if test.accepts == frozenset({Kind.DISCRETE}) else continuous_data(400)


@pytest.fixture(scope="module")
def sets(test):
    return [()] if test.kind in PAIRS_ONLY else SETS


def padded(sets):
    out = np.full((len(sets), max(map(len, sets))), -1)
    for row, given in zip(out, sets, strict=True):
        row[: len(given)] = given
    return out


def test_is_a_frozen_serialisable_part(test):
    assert isinstance(test, IndependenceTest)
    assert 0 < test.level < 1
    assert catalog.from_spec(to_spec(test)) == test
    assert hash(test) == hash(type(test)())


def test_what_is_bound_says_what_is_doubtful_and_what_was_chosen(test, data):
    bound = test.bind(data)
    assert isinstance(bound.warnings, tuple)
    assert all(isinstance(warning, str) for warning in bound.warnings)
    assert bound.first_batch >= 1
    used = resolved(test, data)
    assert resolved(used, data) is used
    assert used.bind(data).test(0, 1, []).value == bound.test(0, 1, []).value


def test_batch_equals_scalar(test, data, sets):
    bound = test.bind(data)
    values = bound.p_values(0, 1, padded(sets))
    assert values == pytest.approx([bound.test(0, 1, given).value for given in sets], rel=1e-9, nan_ok=True)
    assert np.nanmin(values) >= 0
    assert np.nanmax(values) <= 1
    assert np.count_nonzero(np.isnan(values)) < len(sets)


def test_neither_ends_nor_order_matter(test, data, sets):
    bound, backwards = test.bind(data), padded([tuple(reversed(given)) for given in sets])
    values = bound.p_values(0, 1, padded(sets))
    assert bound.p_values(1, 0, padded(sets)) == pytest.approx(values, rel=1e-9, nan_ok=True)
    assert bound.p_values(0, 1, backwards) == pytest.approx(values, rel=1e-9, nan_ok=True)


def test_order_of_rows_is_immaterial(test, data, sets):
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(data.n_rows))
    values = test.bind(data).p_values(0, 1, padded(sets))
    assert test.bind(shuffled).p_values(0, 1, padded(sets)) == pytest.approx(values, rel=1e-9, nan_ok=True)


def test_tells_a_copy_from_noise(test, data):
    rng = np.random.default_rng(5)
    if data.columns[0].kind is Kind.DISCRETE:
        x, z = (rng.integers(0, 3, 2000).astype(str) for _ in range(2))
        frame = Dataset.from_frame({"x": x, "copy": x, "z": z})
    else:
        x, z = rng.normal(size=(2, 2000))
        frame = Dataset.from_frame({"x": x, "copy": x + 0.1 * rng.normal(size=2000), "z": z})
    bound = test.bind(frame)
    assert bound.test(0, 1, []).value < test.level <= bound.test(0, 2, []).value


def test_data_are_left_alone(test, data):
    before = snapshot(data)
    bound = test.bind(data)
    if test.kind in PAIRS_ONLY:
        with pytest.raises(OptionError, match="cannot condition"):
            bound.test(0, 1, [2])
    else:
        bound.test(0, 1, [2])
    assert snapshot(data) == before


@pytest.mark.parametrize("name", [name for name, columns in CASES.items() if len(columns) > 1])
def test_awkward_columns_get_a_number(test, name):
    frame = {column: np.asarray(values, dtype=float) for column, values in CASES[name].items()}
    if Kind.CONTINUOUS in test.accepts:
        data = Dataset.from_frame(frame, continuous=list(frame))
    else:
        data = Dataset.from_frame(frame, discrete=list(frame))
    bound = test.bind(data)
    given = range(2, data.n_columns)
    for asked in [()] if test.kind in PAIRS_ONLY else [(), tuple(given)]:
        value = bound.p_values(0, 1, padded([asked]))[0]
        assert np.isnan(value) or 0 <= value <= 1
    if np.ptp(frame[data.names[1]] / 2) == 0:  # a constant depends on nothing
        assert not bound.test(0, 1, []).value < test.level
