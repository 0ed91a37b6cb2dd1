"""The study of Brown, Tsamardinos and Aliferis: its networks, its methods, and its published numbers."""

from __future__ import annotations

import pytest

from arcwise.catalog import from_spec
from arcwise.networks import bundled
from arcwise.study import load
from arcwise.study.plan import Plan
from arcwise.study.tables import TableSpec, published_numbers

# Table 1: nodes, edges, fewest and most states.
NETWORKS = {
    "child": (20, 25, 2, 6),
    "insurance": (27, 52, 2, 5),
    "mildew": (35, 46, 3, 100),
    "alarm": (37, 46, 2, 4),
    "barley": (48, 84, 2, 67),
    "hailfinder": (56, 66, 2, 11),
    "child3": (60, 79, 2, 6),
    "insurance3": (81, 163, 2, 5),
    "child5": (100, 126, 2, 6),
    "alarm3": (111, 149, 2, 4),
    "hailfinder3": (168, 283, 2, 11),
    "alarm5": (185, 265, 2, 4),
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return load("brown-2006")


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_are_as_large_as_published(name: str):
    net = bundled.load(name)
    states = [len(own) for own in net.states]
    assert (len(net.names), net.dag.n_edges, min(states), max(states)) == NETWORKS[name]


def test_both_experiments_have_all_networks_sizes_and_sets(plan: Plan):
    for planned in plan.experiments.values():
        axes = planned.experiment.axes()
        assert tuple(axes["source"]) == tuple(NETWORKS)
        assert tuple(axes["rows"]) == (500, 1000, 5000)
        assert len(axes["run"]) == 10
        assert tuple(planned.quick) == ("run",)


def test_all_published_variants_are_there(plan: Plan):
    methods = plan.experiments["networks"].experiment.axes()["method"]
    spec = TableSpec.of("3 SHD", plan.tables["3 SHD"], plan)
    assert set(spec.best["Best OR"].of) == {f"OR-{parents}-{times}" for parents in (5, 10, 20) for times in (1, 2)}
    assert spec.best["Best SC"].of == ("SC-5", "SC-10")
    named = {*spec.best["Best OR"].of, *spec.best["Best SC"].of, *spec.order} - {"Best OR", "Best SC"}
    assert set(methods) == named


def test_scores_and_tests_are_the_published_ones(plan: Plan):
    cells = {(cell.experiment, cell.place["method"]): cell.task["method"] for cell in plan.cells(quick=True)}
    for label in ("PMMHC", "MMHC"):
        learner = from_spec(cells["networks", label]["spec"])
        assert learner.skeleton.test.kind == "chi-squared"
        assert (learner.search.tenure, learner.search.patience) == (100, 15)
        assert (learner.search.score.discrete.ess, learner.search.score.discrete.arc_prior) == (
            10,
            pytest.approx(1 / 11),
        )
    for label in ("GTS", "GES"):
        score = from_spec(cells["networks", label]["spec"]).score
        assert (score.kind, score.ess, score.arc_prior) == ("bdeu", 10, pytest.approx(1 / 11))
    assert from_spec(cells["skeletons", "TPDA"]["spec"]).unit == "bits"
    timed = cells["networks", "OR-20-2"]
    assert (timed["times"], from_spec(timed["spec"]).max_parents, from_spec(timed["spec"]).restarts) == (2, 20, None)
    assert timed["time-of"] == cells["networks", "MMHC"]["spec"]


def test_published_numbers_belong_to_the_tables(plan: Plan):
    published = published_numbers(plan)
    for name, numbers in published.items():
        spec = TableSpec.of(name, plan.tables[name], plan)
        rows = set(spec.groups) or set(spec.order)
        assert {row for row, _ in numbers} == rows
        assert {column for _, column in numbers} - {"average"} == {"500", "1000", "5000"}
    assert len(published) == 10
    extra, missing, errors = (published[f"2 {what}"] for what in ("extra", "missing", "errors"))
    assert all(errors[at] == pytest.approx(extra[at] + missing[at]) for at in errors)


def test_published_averages_are_those_of_their_rows(plan: Plan):
    """Numbers that are rounded to two digits, and their average, may differ by one in the last place."""
    for name in ("3 time", "3 BDeu", "3 SHD"):
        numbers = published_numbers(plan)[name]
        for row in {row for row, _ in numbers}:
            mean = sum(numbers[row, rows] for rows in ("500", "1000", "5000")) / 3
            assert numbers[row, "average"] == pytest.approx(mean, abs=0.01)
