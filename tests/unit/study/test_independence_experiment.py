"""Experiments with tests of independence: axes, tables, answers, and what a plan may not ask."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from arcwise.data.dataset import Kind
from arcwise.errors import OptionError
from arcwise.independence import ChiSquared, RecursiveMedian
from arcwise.networks import lambda_network, meander
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.running import Stopped
from arcwise.study.cells import seed_of
from arcwise.study.experiments.independence import Independence
from arcwise.study.known_answers import KNOWN, PAIRS
from arcwise.study.plan import read_plan
from arcwise.study.runner import measure

TESTS = """
[experiments.it.tests]
median = {test = "recursive-median"}
"by range" = {test = "recursive-median", slice_weights = "range"}
Scott = {test = "chi-squared", min_per_cell = 0, bins = {kind = "scott", dimension = 3}}
"""
HEAD = '[experiments.it]\nkind = "independence"\n'


def plan(entries, tests=TESTS):
    return read_plan(HEAD + entries + tests, "small", Path())


def outcome(planned, name):
    cell = next(cell for cell in planned.cells() if cell.name == name)
    return measure(planned.shared(), {"name": cell.name, **cell.task, "limit": 60}, SILENT)


def test_axes_of_networks_with_functions():
    planned = plan('tables = ["lambda", "v"]\nnoise = [0.25, 1.0]\nrows = [300]\nruns = 2\nquick = {run = [1]}\n')
    axes = planned.experiments["it"].experiment.axes()
    assert list(axes) == ["run", "table", "functions", "noise", "rows", "test"]
    assert axes["functions"] == PAIRS
    assert len(PAIRS) == 15
    assert PAIRS[:2] == ("f1 f1", "f1 f2")
    assert len(planned.cells()) == 2 * 2 * 15 * 2 * 3
    assert len(planned.cells(quick=True)) == 2 * 15 * 2 * 3


def test_other_tables_have_neither_functions_nor_noise():
    assert list(plan('tables = ["meander"]\n').experiments["it"].experiment.axes()) == ["run", "table", "rows", "test"]


def test_what_is_measured_is_what_the_test_says():
    planned = plan('tables = ["lambda"]\nfunctions = ["f1 f2"]\nnoise = [0.5]\nrows = [400]\n')
    data = lambda_network(1, 2, 400, seed_of("independence/1/lambda/f1 f2"), noise=0.5)
    values = outcome(planned, "it/1/lambda/f1 f2/0.5/400/median")
    wanted = RecursiveMedian().bind(data).test(0, 1, [2])
    assert values["I"] == values["value"] == pytest.approx(wanted.value, rel=1e-12)
    assert (values["U"], values["slices"]) == pytest.approx((wanted.details["U"], wanted.details["slices"]), rel=1e-12)
    assert values["independent"] == values["right"] == int(wanted.value >= 0.5)
    assert values["no-answer"] == 0
    assert values["seconds"] > 0
    by_range = outcome(planned, "it/1/lambda/f1 f2/0.5/400/by range")["I"]
    assert by_range == pytest.approx(RecursiveMedian(slice_weights="range").bind(data).test(0, 1, [2]).value, rel=1e-9)
    assert by_range != pytest.approx(values["I"])


def test_a_rival_cuts_into_bins_first():
    from arcwise.discretize import Scott

    planned = plan('tables = ["meander"]\nrows = [500]\n')
    data = meander(500, seed_of("independence/1/meander/"))
    cut = Scott(dimension=3).fit(data).apply(data)
    values = outcome(planned, "it/1/meander/500/Scott")
    assert log(values["p"]) == pytest.approx(log(ChiSquared(min_per_cell=0).bind(cut).test(0, 1, [2]).value), rel=1e-9)
    assert values["right"] == values["independent"] == 0
    assert not {"I", "U"} & values.keys()


def test_fewer_rows_are_the_head_of_more():
    for name, known in KNOWN.items():
        functions = "f2 f3" if known.has_functions else None
        few, many = (known.table(rows, 5, functions, 0.3) for rows in (50, 90))
        for column in few.names:
            assert few.column(column).values.tolist() == many.column(column).values[:50].tolist(), name


def test_known_answers_are_the_tests_answers_with_many_rows():
    for name, known in KNOWN.items():
        data = known.table(8000, 3, "f1 f1" if known.has_functions else None, 0.25)
        given = [data.names.index(z) for z in known.given]
        value = RecursiveMedian().bind(data).test(data.names.index("X"), data.names.index("Y"), given).value
        assert (value > 0.65) == known.independent, name
        assert (value < 0.2) == (not known.independent), name


def test_diagonals_look_even_in_3_by_3_bins():
    import numpy as np

    data = KNOWN["diagonals"].table(90_000, 1)
    counts = np.histogram2d(data.column("X").values, data.column("Y").values, 3)[0]
    assert counts == pytest.approx(10_000, rel=0.05)


QUESTIONS = """
[experiments.it.questions]
all = {source = "@housing", x = "MEDV", given = ["LSTAT"]}
one = {source = "@housing", x = "RAD", y = ["CRIM"], given = ["ZN", "INDUS", "TAX"]}
"""
MEDIAN = '[experiments.it.tests]\nmedian = {test = "recursive-median"}\n'


def test_questions_about_a_real_table():
    planned = plan(QUESTIONS, MEDIAN)
    data = next(iter(planned.shared().values()))
    assert planned.experiments["it"].experiment.axes() == {"question": ("all", "one"), "test": ("median",)}
    values = outcome(planned, "it/all/median")
    bound = RecursiveMedian().bind(data)
    others = [name for name in data.names if name not in ("MEDV", "LSTAT")]
    at = data.names.index
    found = {name: bound.test(at("MEDV"), at(name), [at("LSTAT")]).value for name in others}
    assert values["asked"] == 12
    assert values["dependent"] == [name for name, value in found.items() if value < 0.5]
    assert values["independent"] == sum(value >= 0.5 for value in found.values()) / 12
    assert values["least"] == min(found.values())
    assert "RM" in values["dependent"]


def test_no_answer_is_neither_independence_nor_dependence():
    values = outcome(plan(QUESTIONS, MEDIAN), "it/one/median")
    assert (values["asked"], values["independent"], values["no-answer"]) == (1, 0, 1)
    assert values["unanswered"] == ["CRIM"]
    assert values["dependent"] == []
    assert "least" not in values


def test_a_run_that_is_stopped_says_so():
    class Stopping(Monitor):
        def should_stop(self) -> bool:
            return True

    planned = plan('tables = ["meander"]\n')
    cell = planned.cells()[0]
    with pytest.raises(Stopped):
        Independence.measure(cell.name, {**cell.task, "limit": 60}, {}, Stopping())


def test_a_test_for_pairs_fails_in_words():
    planned = plan('tables = ["meander"]\nrows = [50]\n', "[experiments.it.tests]\nmulti-resolution = {}\n")
    with pytest.raises(OptionError, match="use 'recursive-median'"):
        outcome(planned, "it/1/meander/50/multi-resolution")


@pytest.mark.parametrize(
    ("entries", "tests", "words"),
    [
        ('tables = ["lamda"]\n', TESTS, "did you mean 'lambda'"),
        ("", TESTS, "it needs tables"),
        ('tables = ["meander"]\nnoise = [0.3]\n', TESTS, "noise has no meaning here, as 'meander' has its own"),
        ('tables = ["meander", "v"]\n', TESTS, "other tables have none; ask apart"),
        ('tables = ["v"]\nfunctions = ["f2 f1"]\n', TESTS, "unknown pair of functions"),
        ('tables = ["v"]\nrun = 3\n', TESTS, "did you mean 'runs'"),
        ('tables = ["v"]\n', "", "it needs tests by name"),
        ('tables = ["v"]\n', "tests = {a = 3}\n", "must be a table of entries"),
        ('tables = ["v"]\n', "tests = {chi-squared = {}}\n", "needs levels; say what cuts the columns"),
        ('tables = ["v"]\n', "tests = {recursive-mean = {}}\n", "did you mean 'recursive-median'"),
        ('tables = ["v"]\n', 'tests = {recursive-median = {slice_weights = "row"}}\n', "slice_weights"),
        ('tables = ["v"]\n', 'tests = {a = {test = "g-squared", bins = "scot"}}\n', "did you mean 'scott'"),
        ("rows = [3]\n", QUESTIONS + MEDIAN, "rows has no meaning here"),
        ("questions = {}\n", MEDIAN, "questions must be tables by name"),
        ('questions = {a = {source = "@housing", x = "RM", given = ["RAM"]}}\n', MEDIAN, "did you mean 'RM'"),
        ('questions = {a = {source = "@housing", x = "RM", y = ["RM"]}}\n', MEDIAN, "to be different columns"),
        ('questions = {a = {source = "child", x = "RM"}}\n', MEDIAN, "is not about a table"),
    ],
)
def test_refused_in_words(entries, tests, words):
    with pytest.raises(OptionError) as refused:
        plan(entries, tests)
    assert words in str(refused.value)


def test_real_tables_have_continuous_and_discrete_columns():
    data = next(iter(plan(QUESTIONS, MEDIAN).shared().values()))
    assert {Kind.CONTINUOUS, Kind.DISCRETE} == set(data.kinds)
