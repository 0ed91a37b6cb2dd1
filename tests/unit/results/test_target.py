"""What a result says about one column: its blanket, and how it differs between the levels of each member."""

from __future__ import annotations

import json
from math import sqrt
from xml.etree import ElementTree

import numpy as np
import pytest

import arcwise
from arcwise import Dag, LearnResult, Pdag
from arcwise.data.discretization import Discretization
from arcwise.errors import GraphError
from arcwise.results.sections import as_text

ROWS = 900


@pytest.fixture(scope="module")
def table() -> dict[str, list]:
    """dose -> died <- old; died -> stay <- ward; moon is alone."""
    rng = np.random.default_rng(0)
    dose, old, ward = rng.normal(size=ROWS), rng.integers(0, 2, ROWS), rng.integers(0, 2, ROWS)
    died = rng.random(ROWS) < 1 / (1 + np.exp(3 - 2 * dose - 2 * old))
    stay = 5.0 * died + 3.0 * ward + rng.normal(size=ROWS)
    return {
        "dose": dose.tolist(),
        "old": np.array(["no", "yes"])[old].tolist(),
        "died": np.array(["no", "yes"])[died.astype(int)].tolist(),
        "ward": np.array(["a", "b"])[ward].tolist(),
        "stay": stay.tolist(),
        "moon": rng.random(ROWS).tolist(),
    }


GRAPH = Dag(
    ["dose", "old", "died", "ward", "stay", "moon"],
    [("dose", "died"), ("old", "died"), ("died", "stay"), ("ward", "stay")],
)


@pytest.fixture(scope="module")
def result() -> LearnResult:
    support = {("dose", "died"): 90.0, ("old", "died"): 40.0, ("died", "stay"): 60.0, ("ward", "stay"): 50.0}
    cuts = Discretization({"dose": [0.5], "stay": []})
    return LearnResult(cpdag=Pdag.from_dag(GRAPH), graph=GRAPH, support=support, discretization=cuts)


def test_members_are_the_blanket_with_roles_and_strengths(result, table):
    found = result.about("died", table)
    assert [(one.name, one.role, one.strength) for one in found.members] == [
        ("dose", "parent", 90.0),
        ("stay", "child", 60.0),
        ("old", "parent", 40.0),
        ("ward", "spouse", None),
    ]
    assert found.members[3].children == ("stay",)
    assert {one.name for one in found.members} == GRAPH.markov_blanket("died")


def test_shares_are_those_of_the_table(result, table):
    found = result.about("died", table)
    died = np.array(table["died"]) == "yes"
    assert found.compared == ("yes",)
    assert found.overall.values == (pytest.approx(died.mean()),)
    by_name = {one.name: one for one in found.members}
    old = np.array(table["old"])
    for group in by_name["old"].groups:
        rows = old == group.level
        assert group.rows == rows.sum()
        assert group.values == (pytest.approx(died[rows].mean()),)
        p = (died[rows].sum() + 2) / (rows.sum() + 4)
        assert group.errors == (pytest.approx(sqrt(p * (1 - p) / (rows.sum() + 4))),)
    difference = by_name["old"].difference
    assert (difference.low_level, difference.high_level) == ("no", "yes")
    assert difference.size == pytest.approx(died[old == "yes"].mean() - died[old == "no"].mean())


def test_numbers_are_cut_where_they_were_cut_or_in_thirds(result, table):
    by_name = {one.name: one for one in result.about("died", table).members}
    dose, stay = np.array(table["dose"]), np.array(table["stay"])
    assert by_name["dose"].cut == "thresholds"
    assert [(one.level, one.rows) for one in by_name["dose"].groups] == [
        ("< 0.5", (dose < 0.5).sum()),
        ("≥ 0.5", (dose >= 0.5).sum()),
    ]
    assert by_name["stay"].cut == "thirds"  # one level, as no threshold paid for itself
    assert [one.rows for one in by_name["stay"].groups] == [ROWS // 3] * 3
    low, high = map(float, by_name["stay"].groups[1].level.split(" to "))
    assert ((low <= stay) & (stay < high)).sum() == ROWS // 3
    assert (stay < low).sum() == ROWS // 3


@pytest.mark.parametrize("cuts", [None, [0.123456789, 1.23456789], np.linspace(-2.5, 2.5, 40) + 1e-9])
def test_a_table_with_weights_says_what_its_repeated_rows_say_and_each_group_has_the_rows_that_it_names(table, cuts):
    graph = Dag(["dose", "stay"], [("dose", "stay")])
    found = LearnResult(
        Pdag.from_dag(graph), graph, discretization=None if cuts is None else Discretization({"dose": cuts})
    )
    data = arcwise.Dataset.from_frame({name: table[name] for name in graph.names})
    data = data.weighted(np.random.default_rng(1).integers(0, 5, ROWS) ** 2)
    weighted, repeated = found.about("stay", data), found.about("stay", data.repeated())
    assert str(weighted) == str(repeated)
    dose = data.repeated().column("dose").values
    for group in weighted.members[0].groups:
        low, _, high = group.level.replace("< ", "-inf to ").replace("≥ ", "").partition(" to ")
        assert group.rows == ((float(low) <= dose) & (dose < float(high or "inf"))).sum()


def test_many_thresholds_are_thinned_out_and_few_rows_do_not_decide(table):
    graph = Dag(["dose", "died"], [("dose", "died")])
    cuts = np.linspace(-2.5, 2.5, 40)
    many = LearnResult(cpdag=Pdag.from_dag(graph), graph=graph, discretization=Discretization({"dose": cuts}))
    data = {name: table[name] for name in ("dose", "died")}
    (dose,) = many.about("died", data).members
    assert len(dose.groups) == 8
    assert min(one.rows for one in dose.groups) > ROWS / 16
    extreme = LearnResult(
        cpdag=Pdag.from_dag(graph), graph=graph, discretization=Discretization({"dose": [0.0, max(data["dose"])]})
    )
    (dose,) = extreme.about("died", data).members
    assert dose.groups[2].rows == 1
    assert {dose.difference.low_level, dose.difference.high_level} == {one.level for one in dose.groups[:2]}


def test_the_mean_of_a_continuous_target(result, table):
    found = result.about("stay", table)
    assert found.compared == ("mean",)
    (died,) = (one for one in found.members if one.name == "died")
    stay, yes = np.array(table["stay"]), np.array(table["died"]) == "yes"
    for group, rows in zip(died.groups, (~yes, yes), strict=True):
        assert group.values[0] == pytest.approx(stay[rows].mean())
        assert group.spread == pytest.approx(stay[rows].std(ddof=1))
        assert group.errors[0] == pytest.approx(stay[rows].std(ddof=1) / sqrt(rows.sum()))
    assert died.difference.size == pytest.approx(stay[yes].mean() - stay[~yes].mean())
    assert "mean of stay" in str(found)


def test_weights_count_as_repeated_rows(result, table):
    data = arcwise.Dataset.from_frame(table)
    counts = np.arange(ROWS) % 3 + 1
    weighted = arcwise.Dataset.from_frame({**table, "n": counts}, weights="n")
    for name in ("died", "stay"):
        repeated, once = result.about(name, data.take(np.repeat(np.arange(ROWS), counts))), result.about(name, weighted)
        assert once.n_rows == repeated.n_rows == counts.sum()
        old, same = ([one for one in found.members if one.cut != "thirds"] for found in (once, repeated))
        for mine, theirs in zip(old, same, strict=True):
            for a, b in zip(mine.groups, theirs.groups, strict=True):
                assert a.rows == b.rows
                np.testing.assert_allclose(a.values, b.values)
                np.testing.assert_allclose(a.errors, b.errors)


def test_missing_cells_are_left_out_and_counted(result, table):
    gaps = dict(table, died=[None, None, *table["died"][2:]], old=["yes", None, None, *table["old"][3:]])
    found = result.about("died", gaps)
    assert (found.n_rows, found.n_missing) == (ROWS - 2, 2)
    (old,) = (one for one in found.members if one.name == "old")
    assert old.missing == 3
    assert sum(one.rows for one in old.groups) == ROWS - 3
    assert "old (3)" in str(found)
    assert "2 more without a value" in str(found)


@pytest.mark.parametrize(
    ("levels", "counted"),
    [(("no", "yes"), "yes"), (("0", "1"), "1"), (("False", "True"), "True"), (("1", "2"), "2"), (("x", "y"), "y")],
)
def test_of_two_levels_yes_is_counted_or_the_rarer_one(levels, counted):
    often, seldom = levels
    rows = [often] * 30 + [seldom] * 10 if counted != "1" else [seldom] * 30 + [often] * 10
    data = {"a": rows, "b": [0.0, 1.0] * 20}
    graph = Dag(["a", "b"], [("a", "b")])
    found = LearnResult(cpdag=Pdag.from_dag(graph), graph=graph).about(
        "a", arcwise.Dataset.from_frame(data, discrete=["a"], continuous=["b"])
    )
    assert found.compared == (counted,)


def test_a_target_of_several_levels_has_a_share_for_each():
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 3, 300)
    data = {"kind": np.array(["a", "b", "c"])[kind].tolist(), "x": (kind + rng.normal(size=300)).tolist()}
    graph = Dag(["kind", "x"], [("kind", "x")])
    found = LearnResult(cpdag=graph.cpdag(), graph=graph).about("kind", data)
    assert found.compared == ("a", "b", "c")
    (x,) = found.members
    assert x.role == "neighbour"
    for group in x.groups:
        assert sum(group.values) == pytest.approx(1.0)
    assert "either direction" in str(found)


def test_a_column_without_edges(result, table):
    found = result.about("moon", table)
    assert found.members == ()
    assert "no edge joins moon to another column" in str(found)


def test_wrong_names_are_told_with_the_nearest(result, table):
    with pytest.raises(GraphError, match=r"unknown column 'dide'; did you mean 'died'\?"):
        result.about("dide", table)


def test_directions_in_words(result, table):
    text = str(result.about("died", table))
    for words in ("points at died", "died points at it", "shares a child with it", "not effects of an intervention"):
        assert words in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    skeleton = LearnResult(cpdag=Pdag(GRAPH.names, undirected=[("died", "dose")]))
    assert "dose    a neighbour" in str(skeleton.about("died", table))


def test_odd_names_and_levels_are_safe():
    names = ["<b>\x1b[2J", "y"]
    graph = Dag(names, [names])
    data = {names[0]: ["</script>", "\x1b[31m"] * 20, "y": ["1", "0"] * 20}
    found = LearnResult(cpdag=Pdag.from_dag(graph), graph=graph).about("y", data)
    assert "\x1b" not in str(found)
    assert "</script>" not in found._repr_html_()
    ElementTree.fromstring(found._repr_html_())


def test_it_can_be_written_as_json(result, table):
    content = json.loads(json.dumps(result.about("died", table).to_dict()))
    assert content["target"] == "died"
    assert content["members"][0]["groups"][0]["rows"] > 0


@pytest.mark.parametrize("width", [60, 80, 140])
def test_many_long_levels_stay_within_the_width(width):
    rng = np.random.default_rng(0)
    job = rng.integers(0, 8, 400)
    data = {
        "job": [f"works as number {k} of the many jobs" for k in job],
        "a column whose name is rather long, too": job + rng.normal(size=400),
    }
    names = list(data)
    found = LearnResult(Pdag(names, undirected=[names])).about("job", data)
    text = as_text((), found.sections(), width)
    assert max(map(len, text.splitlines())) <= width
    for group in found.members[0].groups:
        for value in group.values:
            assert f"{value:.1%} ±" in text


def test_a_target_of_many_levels_says_that_the_most_frequent_are_compared():
    rng = np.random.default_rng(0)
    ward = np.minimum(rng.integers(0, 14, 700), rng.integers(0, 14, 700))
    data = {"ward": [f"w{k:02d}" for k in ward], "stay": (ward + rng.normal(size=700)).tolist()}
    found = LearnResult(Pdag(list(data), undirected=[tuple(data)])).about("ward", data)
    assert (len(found.compared), found.n_levels) == (8, len(set(data["ward"])))
    assert f"about ward (the 8 most frequent of {found.n_levels} levels, 700 rows)" in str(found)
