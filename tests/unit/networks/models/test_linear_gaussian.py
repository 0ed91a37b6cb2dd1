from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import ArcwiseError, DataError
from arcwise.networks.models import regression
from arcwise.networks.models.linear_gaussian import FLOOR, Effects, LinearGaussian, Slope
from arcwise.networks.models.regression import fit_linear_gaussian


def table(**columns: object) -> Dataset:
    """Arrays of floats become continuous columns, of integers discrete ones with levels l0, l1, ..."""
    made = []
    for name, values in columns.items():
        array = np.asarray(values)
        if array.dtype.kind == "f":
            made.append(Column(name, Kind.CONTINUOUS, array))
        else:
            levels = tuple(f"l{i}" for i in range(int(array.max()) + 1))
            made.append(Column(name, Kind.DISCRETE, array.astype(np.uint8), levels=levels))
    return Dataset(tuple(made))


def mixed(n: int = 200, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    x, z, g = rng.normal(5, 2, n), rng.normal(-1, 0.1, n), rng.integers(3, size=n)
    y = 3 + 2 * x - 4 * z + np.array([0.0, 10.0, -5.0])[g] + rng.normal(0, 0.5, n)
    return table(x=x, z=z, g=g, y=y)


def test_ordinary_least_squares() -> None:
    data = mixed()
    model = fit_linear_gaussian(data, "y", ("g", "x", "z"))
    x, z, g, y = (column.values for column in data.columns)
    design = np.column_stack([np.ones(len(y)), x, z, g == 1, g == 2])
    b, (rss,), *_ = np.linalg.lstsq(design, y, rcond=None)
    assert model.sd == pytest.approx(np.sqrt(rss / (len(y) - 5)), rel=1e-9)
    assert model.coefficients["x"] == pytest.approx(b[1], rel=1e-9)
    assert model.coefficients["z"] == pytest.approx(b[2], rel=1e-9)
    effects = np.array([model.coefficients[f"g=l{k}"] for k in range(3)])
    np.testing.assert_allclose(effects[1:] - effects[0], b[3:], rtol=1e-9)
    assert effects @ np.bincount(g) == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(model.expected(data), design @ b, rtol=1e-9)
    np.testing.assert_allclose(model.log_density(data), norm(design @ b, model.sd).logpdf(y), rtol=1e-9)
    assert model.intercept + effects[0] == pytest.approx(b[0], rel=1e-9)
    assert not model.determined


def test_without_parents_it_is_the_normal_distribution() -> None:
    values = np.array([1.0, 2.0, 4.0, 9.0])
    model = fit_linear_gaussian(table(y=values), "y", ())
    assert (model.centre, model.intercept, model.parents) == (4.0, 4.0, ())
    assert model.sd == pytest.approx(values.std(ddof=1))
    assert model.coefficients == {}


def test_a_discrete_parent_gives_the_means_of_the_groups() -> None:
    data = table(g=np.array([0, 0, 1, 1, 2]), y=np.array([1.0, 3.0, 10.0, 14.0, 7.0]))
    model = fit_linear_gaussian(data, "y", ("g",))
    np.testing.assert_allclose(model.expected(data), [2, 2, 12, 12, 7])
    assert model.sd == pytest.approx(np.sqrt((1 + 1 + 4 + 4) / 2))


def test_a_level_without_rows_is_average() -> None:
    data = table(g=np.array([0, 0, 0, 2]), y=np.array([0.0, 1.0, 2.0, 9.0]))
    model = fit_linear_gaussian(data, "y", ("g",))
    np.testing.assert_allclose(model.expected(table(g=np.array([0, 1, 2]))), [1, 3, 9])


def test_copies_of_a_parent_share_its_slope() -> None:
    data = mixed()
    one = fit_linear_gaussian(data, "y", ("x",))
    x = data.column("x").values
    twins = Dataset(
        (*data.columns, Column("x2", Kind.CONTINUOUS, 1e6 - 3 * x), Column("k", Kind.CONTINUOUS, 0 * x + 7))
    )
    model = fit_linear_gaussian(twins, "y", ("k", "x", "x2"))
    assert model.coefficients["x"] == pytest.approx(one.coefficients["x"] / 2, rel=1e-6)
    assert model.coefficients["x2"] == pytest.approx(-one.coefficients["x"] / 6, rel=1e-6)
    assert model.coefficients["k"] == 0
    assert model.sd == pytest.approx(one.sd, rel=1e-6)
    np.testing.assert_allclose(model.expected(twins), one.expected(data), rtol=1e-6)


def test_fewer_rows_than_inputs() -> None:
    rng = np.random.default_rng(2)
    data = table(**{f"x{i}": rng.normal(size=5) for i in range(10)}, y=rng.normal(size=5))
    parents = tuple(f"x{i}" for i in range(10))
    model = fit_linear_gaussian(data, "y", parents)
    y = data.column("y").values
    np.testing.assert_allclose(model.expected(data), y, atol=1e-9)
    assert model.sd == pytest.approx(y.std(ddof=1))  # the residuals say nothing
    assert np.isfinite([term.weight for term in model.terms]).all()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_hardly_any_rows(n: int) -> None:
    data = table(x=np.arange(n) + 0.5, g=np.arange(n), y=np.arange(n) ** 2 + 1.0)
    model = fit_linear_gaussian(data, "y", ("g", "x"))
    assert np.isfinite(model.log_density(data)).all()
    np.testing.assert_allclose(model.expected(data), data.column("y").values)


@pytest.mark.parametrize(("value", "floor"), [(5.0, 5 * FLOOR), (-2e300, 2e300 * FLOOR), (0.0, FLOOR)])
def test_a_constant_child(value: float, floor: float) -> None:
    data = table(x=np.arange(6.0), y=np.full(6, value))
    model = fit_linear_gaussian(data, "y", ("x",))
    assert model.expected(data).tolist() == [value] * 6
    assert model.sd == pytest.approx(floor)
    assert model.determined
    assert np.isfinite(model.log_density(data)).all()


def test_a_determined_child_has_the_least_noise() -> None:
    x = np.arange(50.0)
    model = fit_linear_gaussian(table(x=x, y=3 * x - 1), "y", ("x",))
    assert model.determined
    assert model.sd == pytest.approx(FLOOR * 3 * x.std())
    assert model.coefficients["x"] == pytest.approx(3)
    assert model.intercept == pytest.approx(-1)


@pytest.mark.parametrize("child", [2.0**-1010, 2.0**990, 1.0])
@pytest.mark.parametrize("parent", [2.0**-1010, 2.0**990, 1.0])
def test_units_do_not_matter(child: float, parent: float) -> None:
    data = mixed()
    x, y = data.column("x").values, data.column("y").values
    plain = fit_linear_gaussian(data, "y", ("x",))
    scaled = table(x=x * parent, y=y * child)
    model = fit_linear_gaussian(scaled, "y", ("x",))
    assert model.terms[0].weight == pytest.approx(plain.terms[0].weight, rel=1e-12)
    assert model.sd == pytest.approx(plain.sd * child, rel=1e-12)
    if child == parent:
        assert model.coefficients["x"] == pytest.approx(plain.coefficients["x"], rel=1e-12)
    np.testing.assert_allclose(model.log_density(scaled), plain.log_density(data) - np.log(child), rtol=1e-12)


def test_the_ends_of_the_floats() -> None:
    ends = np.array([-1.7e308, 1.7e308, 1.7e308, -1.7e308])
    data = table(x=ends, tiny=np.array([0.0, 5e-324, 0.0, 5e-324]), y=-ends)
    model = fit_linear_gaussian(data, "y", ("tiny", "x"))
    np.testing.assert_allclose(model.expected(data), -ends, rtol=1e-9)
    assert np.isfinite(model.log_density(data)).all()
    assert np.isfinite(model.sample(data, np.random.default_rng(0)).values).all()
    assert np.isfinite([*model.coefficients.values(), model.intercept]).all()


def test_new_rows_far_away_are_never_nan() -> None:
    data = table(x=np.array([0, 1e-300, 3e-300]), z=np.array([1e-300, 0, 0]), y=np.array([1e300, 0.0, 2e300]))
    model = fit_linear_gaussian(data, "y", ("x", "z"))
    far = table(x=np.array([1e308, -1e308]), z=np.array([1e308, -1e308]), y=np.array([-1e308, 1e308]))
    assert np.isfinite(model.expected(far)).all()
    assert not np.isnan(model.log_density(far)).any()


def test_blocks_of_rows_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    data = mixed(1000)
    whole = fit_linear_gaussian(data, "y", ("g", "x", "z"))
    monkeypatch.setattr(regression, "BLOCK_NUMBERS", 1)
    parts = fit_linear_gaussian(data, "y", ("g", "x", "z"))
    assert parts.coefficients == pytest.approx(whole.coefficients, rel=1e-10)
    assert parts.sd == pytest.approx(whole.sd, rel=1e-10)


def test_the_density_is_a_density() -> None:
    model = fit_linear_gaussian(mixed(), "y", ("g", "x"))
    n = 4001
    y = np.linspace(-100, 150, n)
    rows = table(y=y, x=np.full(n, 4.0), g=np.r_[2, np.ones(n - 1, dtype=int)])
    assert np.trapezoid(np.exp(model.log_density(rows))[1:], y[1:]) == pytest.approx(1, abs=1e-6)


def test_samples_follow_the_model() -> None:
    data = mixed()
    model = fit_linear_gaussian(data, "y", ("g", "x", "z"))
    n = 20_000
    many = Dataset(tuple(Column(c.name, c.kind, np.resize(c.values, n), c.levels) for c in data.columns))
    column = model.sample(many, np.random.default_rng(3))
    residuals = column.values - model.expected(many)
    assert (column.name, column.kind) == ("y", Kind.CONTINUOUS)
    assert residuals.mean() == pytest.approx(0, abs=5 * model.sd / np.sqrt(n))
    assert residuals.std() == pytest.approx(model.sd, rel=5 / np.sqrt(2 * n))


def test_a_discrete_child_is_refused() -> None:
    with pytest.raises(DataError, match=r"column 'g' is discrete .* fit a table"):
        fit_linear_gaussian(mixed(), "g", ("x",))


def test_too_many_inputs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regression, "MOST_INPUTS", 2)
    with pytest.raises(DataError, match="the 2 parents of column 'y' make 3 inputs"):
        fit_linear_gaussian(mixed(), "y", ("g", "x"))


def test_kinds_and_levels_of_new_data_are_checked() -> None:
    model = fit_linear_gaussian(mixed(), "y", ("g", "x"))
    with pytest.raises(DataError, match="column 'x' is discrete but its node is continuous"):
        model.expected(table(x=np.array([0, 1]), g=np.array([0, 1])))
    with pytest.raises(DataError, match="column 'g': unknown state 'l3'"):
        model.expected(table(x=np.array([0.0, 1.0]), g=np.array([0, 3])))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sd": 0.0}, "must be above 0"),
        ({"scale": -1.0}, "must be above 0"),
        ({"centre": float("nan")}, "'centre' must be a number, not nan"),
        ({"centre": float("inf")}, "finite numbers only"),
        ({"centre": "0"}, "'centre' must be a number, not '0'"),
        ({"terms": (Slope("x", 0.0, 0.0, 1.0),)}, "must be above 0"),
        ({"terms": (Effects("g", ("a", "b"), (1.0,)),)}, "one weight for each level of 'g'"),
    ],
)
def test_faulty_models(change: dict[str, object], message: str) -> None:
    parts = {"child": "y", "terms": (), "centre": 0.0, "scale": 1.0, "sd": 1.0}
    with pytest.raises(ArcwiseError, match=message):
        LinearGaussian(**{**parts, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("weight", "scale", "slope"), [(0.0, 1e-300, 0.0), (1e-20, 1e-10, 1e290), (-2.0, 1e-300, -np.finfo(float).max)]
)
def test_slopes_between_very_different_units(weight: float, scale: float, slope: float) -> None:
    model = LinearGaussian("y", (Slope("x", 0.0, scale, weight),), 0.0, 1e300, 1e300)
    assert model.coefficients["x"] == pytest.approx(slope, rel=1e-12)


def test_it_reads_as_an_equation() -> None:
    data = table(x=np.array([0.0, 1.0, 2.0, 3.0]), g=np.array([0, 1, 1, 0]), y=np.array([1.0, 3.5, 5.5, 7.0]))
    model = fit_linear_gaussian(data, "y", ("g", "x"))
    assert repr(model) == f"LinearGaussian(y = 1.25 + effect of g + 2 x, sd {model.sd:.4g})"
    assert pickle.loads(pickle.dumps(model)) == model


numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    n, d = draw(st.integers(1, 8)), draw(st.integers(0, 3))
    floats = {f"x{i}": np.array(draw(st.lists(numbers, min_size=n, max_size=n))) for i in range(d + 1)}
    return table(**floats, g=np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))))


@given(tables())
def test_any_numbers_at_all(data: Dataset) -> None:
    parents = tuple(name for name in data.names if name != "x0")
    model = fit_linear_gaussian(data, "x0", parents)
    assert LinearGaussian.from_dict(json.loads(json.dumps(model.to_dict(), allow_nan=False))) == model
    assert np.isfinite(model.expected(data)).all()
    assert not np.isnan(model.log_density(data)).any()
    assert np.isfinite(model.sample(data, np.random.default_rng(0)).values).all()
    assert np.isfinite([model.intercept, *model.coefficients.values()]).all()
    assert repr(model).startswith("LinearGaussian(x0 = ")
