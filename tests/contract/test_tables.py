"""Everything public that takes data takes whatever holds a table, with the same options of reading."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.ordinal import as_numbers
from arcwise.data.reading.door import Reading
from arcwise.networks.models.fit import fit
from arcwise.networks.models.neural import fit_neural
from arcwise.networks.models.regression import fit_linear_gaussian
from arcwise.networks.models.regressions_by_levels import fit_by_levels
from arcwise.networks.models.table import fit_table
from arcwise.results.columns import describe
from arcwise.scores.total import by_node, total

ROWS = 80
NAMES = ("x0", "x1", "x2", "x3")
DISCRETE_ONLY = frozenset({Kind.DISCRETE})


def cells() -> dict[str, np.ndarray]:
    """Two columns of numbers and two of small whole numbers, with the names that an array's columns get."""
    rng = np.random.default_rng(5)
    level = rng.integers(0, 3, ROWS)
    x = rng.normal(size=ROWS) + level
    return {
        "x0": x.round(3),
        "x1": (0.5 * x + rng.normal(size=ROWS)).round(3),
        "x2": level,
        "x3": (level + (rng.random(ROWS) < 0.2)) % 3,
    }


CELLS = cells()
DATA = Dataset.from_frame(CELLS)


def forms(folder: Path) -> dict[str, Any]:
    frame = pl.DataFrame(CELLS)
    frame.write_csv(folder / "t.csv")
    frame.write_parquet(folder / "t.parquet")
    return {
        "pandas": pd.DataFrame(CELLS),
        "polars": frame,
        "polars, not collected": frame.lazy(),
        "pyarrow": pa.table(CELLS),
        "dict": CELLS,
        "dict of lists": {name: values.tolist() for name, values in CELLS.items()},
        "array": np.column_stack([CELLS[name] for name in NAMES]),
        "text file": str(folder / "t.csv"),
        "binary file": folder / "t.parquet",
    }


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return forms(tmp_path_factory.mktemp("tables"))


RESULT = arcwise.learn(DATA, "equal-frequency", bins=2)
CUT = RESULT.discretization
assert CUT is not None
NET = RESULT.fit(DATA)
REGRESSIONS = fit(arcwise.Dag(NAMES, [("x2", "x0"), ("x0", "x1")]), DATA, "gaussian")
GRAPH = arcwise.Dag(NAMES, [("x2", "x3")])
MIXTURE = arcwise.networks.random_mixture_network(1, 2, n_variables=4, seed=1)
NUMBERS = arcwise.networks.random_gaussian_network(arcwise.Dag(NAMES, [("x0", "x1")]), seed=1)
MODELS = (
    fit_table(DATA, "x2", ("x3",)),
    fit_linear_gaussian(DATA, "x0", ("x1", "x2")),
    fit_by_levels(DATA, "x0", ("x1", "x2")),
    fit_neural(DATA, "x2", ("x0",), restarts=1),
    fit_neural(DATA, "x0", ("x3",), restarts=1),
)
LEARNERS = {name: method.learner for name, method in catalog.METHODS.items() if name != "neural"}


def _table(data: Dataset) -> list[Any]:
    return [(column.name, column.kind, column.levels, column.values.tolist()) for column in data.columns]


def _discrete(part: Any) -> dict[str, Any]:
    return {"discrete": NAMES} if part.accepts == DISCRETE_ONLY else {}


def _score(part: Any) -> Callable[..., Any]:
    kinds = {"continuous": NAMES} if part.accepts == frozenset({Kind.CONTINUOUS}) else _discrete(part)
    return lambda data: part.bind(data, **kinds).local_score(0, [1])


def _test(part: Any) -> Callable[..., Any]:
    return lambda data: part.bind(data, **_discrete(part)).test(0, 1, ()).value


def _model(model: Any) -> Callable[..., Any]:
    return lambda data: np.append(model.log_density(data), model.expected(data).ravel())


def _learner(learner: Any) -> Callable[..., Any]:
    return lambda data: learner.learn(data, rng=np.random.default_rng(0)).cpdag


CALLS: dict[str, Callable[..., Any]] = {
    "learn": lambda data: arcwise.learn(data, "equal-frequency").cpdag,
    "refine": lambda data: arcwise.discretize.refine(arcwise.discretize.Steck(), data, GRAPH),
    "joint_score": lambda data: arcwise.discretize.joint_score(
        arcwise.discretize.Steck(), data, GRAPH, arcwise.discretize.EqualFrequency().fit(data)
    ),
    "as_dataset": lambda data: _table(Dataset.from_frame(data)),
    "result.fit": lambda data: RESULT.fit(data, "cpt", smoothing=2.0).to_dict(),
    "models.fit": lambda data: fit(GRAPH, data, "gaussian").to_dict(),
    "fit_table": lambda data: fit_table(data, "x2", ("x3",)).to_dict(),
    "fit_linear_gaussian": lambda data: fit_linear_gaussian(data, "x0", ("x1",)).to_dict(),
    "fit_neural": lambda data: fit_neural(data, "x2", (), restarts=1).to_dict(),
    "network.predict": lambda data: NET.predict("x2", data).to_dict(),
    "network.expected": lambda data: NET.expected("x2", data),
    "network.query": lambda data: NET.query("x2", {"x3": NET.model("x3").levels[0]}, data=data).to_dict(),
    "network.log_density": NET.log_density,
    "network.log_score": lambda data: NET.log_score("x0", data),
    "network.mean_squared_error": lambda data: REGRESSIONS.mean_squared_error("x1", data),
    "regressions.expected": lambda data: REGRESSIONS.expected("x0", data),
    "tables.log_likelihood": lambda data: NET.to_bayesian_network().log_likelihood(CUT.apply(data).to_pandas()),
    "tables.expected": lambda data: NET.to_bayesian_network().expected("x2", CUT.apply(data).to_polars()),
    "network.level_probabilities": lambda data: NET.level_probabilities("x0", data),
    "gaussian.log_density": lambda data: NUMBERS.log_density(data, continuous=NAMES),
    "discretization.apply": lambda data: _table(CUT.apply(data)),
    **{f"model {model.kind}": _model(model) for model in MODELS},
    "scores.total": lambda data: total(arcwise.scores.BDeu(), GRAPH, data, discrete=NAMES),
    "scores.by_node": lambda data: by_node(arcwise.scores.DegenerateGaussian(), GRAPH, data),
    "add_noise": lambda data: _table(arcwise.networks.add_noise(data, seed=1, discrete=NAMES)),
    "as_numbers": lambda data: _table(as_numbers(data, ["x2"])),
    "describe": lambda data: [(s.name, s.kind, s.counts, s.median) for s in describe(data)],
    **{f"discretizer {name}": part().fit for name, part in catalog.DISCRETIZERS.items()},
    **{f"score {name}": _score(part()) for name, part in catalog.SCORES.items()},
    **{f"test {name}": _test(part()) for name, part in catalog.TESTS.items()},
    **{f"learner {name}": _learner(learner) for name, learner in LEARNERS.items()},
}


@pytest.mark.parametrize("call", CALLS)
def test_every_kind_of_table_gives_the_same(call: str, tables: dict[str, Any]) -> None:
    wanted = CALLS[call](DATA)
    for form, table in tables.items():
        found = CALLS[call](table)
        if isinstance(wanted, np.ndarray):
            np.testing.assert_array_equal(found, wanted, err_msg=form)
        else:
            assert found == wanted or pickle.dumps(found) == pickle.dumps(wanted), form


def test_a_mixture_network_takes_tables() -> None:
    rows = MIXTURE.sample(20, seed=2)
    for table in (rows.to_pandas(), rows.to_polars(), rows.to_arrow()):
        np.testing.assert_array_equal(MIXTURE.log_density(table), MIXTURE.log_density(rows))
        np.testing.assert_array_equal(MIXTURE.conditional_mean(table), MIXTURE.conditional_mean(rows))


@pytest.mark.parametrize("form", ["pandas", "text file"])
def test_pictures_take_tables(form: str, tables: dict[str, Any], tmp_path: Path) -> None:
    arcwise.report.draw_thresholds(tables[form], CUT, tmp_path / "cuts.svg")
    arcwise.report.draw_slices(tables[form], "x0", "x1", ["x2"], tmp_path / "slices.svg")
    assert (tmp_path / "cuts.svg").stat().st_size > 0
    assert (tmp_path / "slices.svg").stat().st_size > 0


ROOMS = ("constraint", "discretize", "drawing", "independence", "learners", "networks", "report", "scores", "search")


def public_functions() -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = [
        ("FittedNetwork", arcwise.FittedNetwork),
        ("LearnResult", arcwise.LearnResult),
        ("Discretization", arcwise.Discretization),
    ]
    for room in ROOMS:
        module = getattr(arcwise, room)
        found += [(f"{room}.{name}", getattr(module, name)) for name in module.__all__]
    return found


@pytest.mark.parametrize(
    ("name", "thing"), public_functions(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_nothing_public_takes_a_dataset_only(name: str, thing: Any) -> None:
    members = inspect.getmembers(thing, inspect.isfunction) if inspect.isclass(thing) else [(name, thing)]
    for member, function in members:
        if not inspect.isfunction(function) or member.startswith("_") or member == "read_table":
            continue
        parameters = inspect.signature(function).parameters
        if "data" in parameters:
            assert hasattr(function, "__wrapped__"), f"{name}.{member} takes a Dataset only"


@pytest.mark.parametrize("call", ["learn", "discretizer equal-frequency"])
def test_the_remedy_that_an_error_names_can_be_typed(call: str) -> None:
    frame = pd.DataFrame(CELLS).astype({"x1": float})
    frame.loc[3, "x1"] = np.nan
    frame["id"] = [f"{i} puffs" for i in range(ROWS)]
    calls: dict[str, Callable[..., Any]] = {
        "learn": lambda **reading: arcwise.learn(frame, "equal-frequency", **reading),
        "discretizer equal-frequency": lambda **reading: arcwise.discretize.EqualFrequency().fit(frame, **reading),
    }
    with pytest.raises(arcwise.ArcwiseError):
        calls[call]()
    calls[call](missing="drop", drop=["id"])
    for known in (RESULT.fit, NET.log_density):  # which read the columns that they know, and take missing cells
        known(frame)
        known(frame, missing="drop", drop=["id"])
    about_columns = {"continuous", "discrete", "ordered", "drop", "missing", "na", "weights", "recipe"}
    about_cells = {"decimal", "thousands", "negative", "percent", "units", "dates", "censored", "merge"}
    assert set(Reading.__annotations__) == about_columns | about_cells
