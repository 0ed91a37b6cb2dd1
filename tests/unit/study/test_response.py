"""The parents of a response, on bins and with the neural score."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcwise.errors import OptionError
from arcwise.parts.monitor import SILENT
from arcwise.study import load
from arcwise.study.plan import Plan, read_plan
from arcwise.study.runner import measure
from arcwise.study.tables import TableSpec

SIMULATED = """
[experiments.e]
kind = "response"
rows = [200]
parents = [1]
components = [3]
test-rows = 300
orders = ["bic"]
bins = [2]
"""
REAL = """
[sources]
cars = {data = "@cars1"}
[experiments.e]
kind = "response"
responses = {cars = "mpg"}
"""


def plan_of(text: str) -> Plan:
    return read_plan(text, "mine", Path())


def measured(plan: Plan, algorithm: str) -> dict[str, object]:
    cell = next(cell for cell in plan.cells() if cell.place["algorithm"] == algorithm)
    return dict(measure(plan.shared(), {"name": cell.name, **cell.task, "limit": 60.0}, SILENT))


def test_simulated_tables_know_the_truth():
    plan = plan_of(SIMULATED)
    first, second = measured(plan, "A1"), measured(plan, "A2")
    for values in (first, second):
        assert values["parents"] == len(values["chosen"])
        assert values["parents"] == values["added"] + 1 - values["omitted"]
    # both were given the same table, and who knows the network is not worse than who does not, but for chance
    assert first["true-log-score"] == second["true-log-score"]
    assert second["log-score"] > second["true-log-score"] - 0.2
    assert "time-ratio" not in first
    assert second["time-ratio"] > 1
    difference = second["parents"] - first["parents"]
    assert difference == second["added-to-A1"] - second["omitted-of-A1"]


def test_a_cell_is_measured_alike_again():
    plan = plan_of(SIMULATED)
    again = [{key: value for key, value in measured(plan, "A1").items() if key != "seconds"} for _ in range(2)]
    assert again[0] == again[1]


def test_real_tables_have_no_truth():
    values = measured(plan_of(REAL), "A1")
    assert "added" not in values
    assert 0 < values["mse"] < 1  # columns have variance 1, and mpg can be foretold
    assert "mpg" not in values["chosen"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SIMULATED + "test-share = 0.5", "test-share has no meaning here, as simulated tables have test-rows"),
        (REAL + "rows = [100]", "rows has no meaning here"),
        (REAL + "test-share = 1.5", "test-share must be a number between 0 and 1"),
        (REAL.replace('"mpg"', '"mpk"'), "unknown column of source 'cars': 'mpk'"),
        (REAL.replace('"mpg"', '"origin"'), "is discrete; choose a continuous column"),
        (SIMULATED.replace('"bic"', '"aic"'), "unknown order 'aic'"),
    ],
)
def test_entries_are_checked(text: str, words: str):
    with pytest.raises(OptionError) as caught:
        plan_of(text)
    assert words in str(caught.value)


def test_the_study_of_monti_and_cooper_is_sound():
    plan = load("monti-cooper-1998")
    specs = [TableSpec.of(name, entries, plan) for name, entries in plan.tables.items()]
    assert {spec.experiment for spec in specs} == {"real", "simulated"}
    assert sum(spec.compare is not None for spec in specs) == 6
    assert {cell.place["order"] for cell in plan.cells()} == {"bic", "hold-out"}
    assert len(plan.cells(quick=True)) < len(plan.cells()) / 10
