"""arcwise.compare: the table, the pairs, the advice, and that neither orders nor workers change anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.errors import ArcwiseError, DataError, FileError, GraphError
from arcwise.graph.dag import Dag
from arcwise.judging.advice import recommend
from arcwise.presets import COMPARED_OF_LEVELS
from arcwise.problem import Answer
from arcwise.results.comparison import Compared, Comparison, Gap
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_missing_cells import with_holes
from tests.oracle import paired
from tests.unit.learners.test_automatic import linear

METHODS = ("gaussian", "equal-frequency", "pc")


@dataclass(frozen=True, kw_only=True)
class Choosy:
    """Learns from all rows, but not from fewer."""

    kind: ClassVar[str] = "choosy"
    least: int = 300

    def solve(self, problem):
        if problem.data.n_rows < self.least:
            raise DataError(f"{problem.data.n_rows} rows are too few for 'choosy'")
        return Answer(Dag(problem.names, []))


def plain(found: Comparison):
    """All but times."""
    content = found.to_dict()
    del content["elapsed"]
    for one in content["methods"]:
        del one["seconds"]
    return content


@pytest.fixture(scope="module")
def found():
    return arcwise.compare(linear(), METHODS, folds=3, workers=1)


def test_the_best_is_first_and_recommended(found):
    assert found.methods[0].name == found.recommended == "gaussian"
    densities = [one.density for one in found.methods]
    assert densities == sorted(densities, reverse=True)
    assert all(one.standing == "judged" and one.folds == 3 for one in found.methods)
    assert found.methods[0].behind == 0.0
    assert found.methods[1].behind > found.methods[1].behind_error > 0.0
    assert "gaussian predicts unseen rows best" in found.advice


def test_graphs_are_those_of_learn(found):
    for name in METHODS:
        alone = arcwise.learn(linear(), name)
        assert found.method(name).pattern == alone.cpdag
        assert found.method(name).edges == alone.cpdag.n_edges
        expected = arcwise.scores.total(arcwise.scores.KGV(), alone.dag(), linear())
        assert found.method(name).kgv == pytest.approx(expected, rel=1e-12)


def test_gaps_are_paired_over_all_rows():
    data = linear(90)
    found = arcwise.compare(data, METHODS, folds=3, seed=4, workers=1)
    from tests.unit.judging.test_held_out import densities

    rows = {name: np.concatenate(densities(data, name, 3, 4)).tolist() for name in METHODS}
    for a in METHODS:
        assert (found.method(a).density, found.method(a).error) == pytest.approx(paired.estimate(rows[a]))
        for b in METHODS:
            if a != b:
                assert tuple(found.gap(a, b)) == pytest.approx(paired.difference(rows[a], rows[b]))


def test_orders_and_workers_change_nothing():
    data = mixed_data(80)
    first = plain(arcwise.compare(data, METHODS, folds=2, workers=1))
    assert plain(arcwise.compare(data, METHODS, folds=2, workers=2)) == first
    rng = np.random.default_rng(3)
    other = arcwise.compare(data.select(list(rng.permutation(data.names))).take(rng.permutation(80)), METHODS, folds=2)
    for one, two in zip(first["methods"], plain(other)["methods"], strict=True):
        assert one["name"] == two["name"]
        assert one["density"] == pytest.approx(two["density"], rel=1e-9)
        assert one["behind"] == pytest.approx(two["behind"], rel=1e-9, abs=1e-12)
        assert one["edges"] == two["edges"]


def test_weights_are_repeated_rows():
    data, weights = mixed_data(50), np.random.default_rng(4).integers(0, 4, 50)
    one = arcwise.compare(data.weighted(weights), ("gaussian", "boss"), folds=2, workers=1)
    two = arcwise.compare(data.take(np.repeat(np.arange(50), weights)), ("gaussian", "boss"), folds=2, workers=1)
    for a, b in zip(one.methods, two.methods, strict=True):
        assert (a.name, a.pattern) == (b.name, b.pattern)
        assert a.density == pytest.approx(b.density, rel=1e-8)


def test_missing_cells_and_knowledge():
    data = with_holes(continuous_data(100))
    a, b = data.names[:2]
    known = {"required": [(a, b)]}
    found = arcwise.compare(data, ("gaussian",), folds=2, knowledge=known, workers=1)
    one = found.methods[0]
    assert one.standing == "judged"
    assert one.kgv is None  # it needs every cell
    assert (a, b) in one.pattern.directed


def test_skeletons_have_a_graph_and_no_density(found):
    mixed = arcwise.compare(linear(), ("gaussian", "mmpc"), folds=2, workers=1)
    skeleton = mixed.method("mmpc")
    assert (skeleton.standing, skeleton.density, skeleton.folds) == ("graph", None, 0)
    assert skeleton.pattern is not None
    assert "no directions" in skeleton.reason
    assert mixed.recommended == "gaussian"
    assert "mmpc: its edges have no directions" in str(mixed)


def test_what_fails_is_told_and_last():
    found = arcwise.compare(linear(), (Choosy(), "gaussian"), folds=2, workers=1)
    last = found.methods[-1]
    assert (last.name, last.standing) == ("choosy", "failed")
    assert last.reason == "150 rows are too few for 'choosy' (fold 1)"
    assert found.recommended == "gaussian"
    assert "choosy: 150 rows are too few" in str(found)
    alone = arcwise.compare(linear(), (Choosy(),), folds=2, workers=1)
    assert alone.recommended is None
    assert "nothing to recommend" in str(alone)


def test_a_budget_lists_what_was_not_ready():
    found = arcwise.compare(linear(), METHODS, folds=3, budget=1e-6, workers=1)
    assert found.recommended is None
    assert all(one.standing == "unfinished" and one.reason for one in found.methods)
    assert "not judged" in str(found)


class StopAfterReports:
    """Stops when so many pieces are judged."""

    def __init__(self, pieces):
        self.pieces, self.done = pieces, 0

    def report(self, progress):
        if progress.phase == "judging":
            self.done = progress.step

    def should_stop(self):
        return self.done >= self.pieces


def test_stopped_it_has_what_was_finished():
    found = arcwise.compare(linear(), METHODS, folds=3, monitor=StopAfterReports(4), workers=1)
    assert found.stopped
    assert sorted(one.folds for one in found.methods) == [0, 1, 3]
    partial = next(one for one in found.methods if one.folds == 1)
    assert partial.standing == "unfinished"
    assert partial.reason == "judged in 1 of 3 folds when the time was over"
    assert partial.behind is not None  # over the fold that both have
    assert "stopped early" in str(found)


def test_a_store_goes_on_where_it_was(tmp_path):
    store = tmp_path / "run.jsonl"
    whole = arcwise.compare(linear(), METHODS, folds=3, workers=1)
    arcwise.compare(linear(), METHODS, folds=3, monitor=StopAfterReports(4), workers=1, store=store)
    kept = store.read_bytes()
    assert plain(arcwise.compare(linear(), METHODS, folds=3, workers=1, store=store)) == plain(whole)
    assert store.read_bytes().startswith(kept)
    with pytest.raises(FileError, match="seed"):
        arcwise.compare(linear(), METHODS, folds=3, workers=1, store=store, seed=1)


def test_levels_have_methods_of_their_own():
    found = arcwise.compare(discrete_data(120), folds=2, workers=1)
    assert {one.name for one in found.methods} == set(COMPARED_OF_LEVELS)


def test_agreement_consensus_and_dispute(found):
    matrix = found.agreement()
    assert found.drawn == tuple(one.name for one in found.methods)
    assert (np.diag(matrix) == 1.0).all()
    assert (matrix == matrix.T).all()
    a, b = (set(map(frozenset, pattern.skeleton)) for pattern in found.patterns[:2])
    assert matrix[0, 1] == len(a & b) / len(a | b)
    assert set(map(frozenset, found.common())) <= a & b
    for one, two, names in found.disputed():
        have = {name for name in found.drawn if found.method(name).pattern.adjacent(one, two)}
        assert have == set(names)
        assert 0 < len(have) < 3
    shares = found.consensus()
    assert shares.graphs == 3
    assert all(shares.between(one, two).share == 1.0 for one, two in found.common())


def test_it_survives_saving(found, tmp_path):
    found.save(tmp_path / "c.json")
    loaded = Comparison.load(tmp_path / "c.json")
    assert loaded.to_dict() == found.to_dict()
    assert str(loaded) == str(found)
    content = found.to_dict()
    for change, words in (
        ({"format": "x"}, "format"),
        ({"folds": "many"}, "folds"),
        ({"names": ["a"]}, "other nodes"),
        ({"gaps": [["a", "b"]]}, "gaps"),
    ):
        with pytest.raises(GraphError, match=words):
            Comparison.from_dict({**content, **change})


def test_the_table_has_a_row_for_each(found):
    table = found.table()
    assert table["name"].to_list() == [one.name for one in found.methods]
    assert table["density"].to_list() == [one.density for one in found.methods]


def test_text_is_narrow_and_html_is_safe():
    data = linear()
    odd = data.select(data.names)
    odd = replace(odd, columns=tuple(replace(c, name=f"<b>{c.name} [x]\x1b") for c in odd.columns))
    found = arcwise.compare(odd, ("gaussian", "equal-frequency"), folds=2, workers=1)
    assert max(map(len, str(found).splitlines())) <= 80
    assert "\x1b" not in str(found)
    html = found._repr_html_()
    assert "<b>" not in html
    assert "\x1b" not in html
    assert "<svg" in html


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_heat_map_is_drawn(found, tmp_path, suffix):
    path = tmp_path / f"heat.{suffix}"
    assert found.draw(path) is None
    assert path.stat().st_size > 1000
    assert found.draw().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"methods": ("steckk",)}, "did you mean 'steck'"),
        ({"methods": ()}, "no method to compare"),
        ({"methods": ("steck", "steck")}, "given twice"),
        ({"folds": 1}, "at least 2"),
        ({"folds": 301}, "ask for fewer folds"),
        ({"budget": 0.0}, "budget must be a number of seconds above 0"),
        ({"seed": -1}, "seed must be"),
        ({"knowledge": {"required": [("X1", "nobody")]}}, "nobody"),
        ({"workers": 0}, "workers"),
    ],
)
def test_wrong_arguments_are_refused(arguments, words):
    with pytest.raises(ArcwiseError, match=words):
        arcwise.compare(linear(), **{"methods": ("gaussian",), **arguments})


def test_tiny_tables():
    found = arcwise.compare(mixed_data(5), ("gaussian", "equal-frequency"), folds=2, workers=1)
    assert len(found.methods) == 2
    assert str(found)


def test_methods_of_one_name_are_told_apart():
    other = catalog.method("gaussian", {"restarts": 1}).learner
    found = arcwise.compare(
        linear(), ("boss", other, catalog.method("boss", {"restarts": 1}).learner), folds=2, workers=1
    )
    assert len({one.name for one in found.methods}) == 3


def judged(name, behind, error, edges, **more):
    return Compared(name, "judged", 5, -3.0 - (behind or 0.0), 0.1, behind, error, edges=edges, **more)


def advised(*order):
    best = order[0]
    gaps = {(best.name, one.name): Gap(one.behind, one.behind_error) for one in order[1:]}
    return recommend(order, gaps)


def test_within_the_noise_the_simpler_is_recommended():
    best, near, far = judged("a", 0.0, 0.0, 12), judged("b", 0.05, 0.1, 8), judged("c", 0.5, 0.1, 3)
    name, why = advised(best, near, far)
    assert name == "b"
    assert "fewer edges: 8 instead of 12" in why
    assert "0.05 ± 0.10 nats a row behind" in why
    name, why = advised(best, replace(near, edges=20), far)
    assert (name, "within the noise (b)" in why) == ("a", True)
    name, why = advised(best, far)
    assert (name, "0.50 ± 0.10 nats a row above c" in why) == ("a", True)
    odd = judged("d", None, None, 1, impossible=4)
    assert "d excludes 4 held-out rows" in advised(best, odd)[1]
    assert "the fewest, 2 held-out rows" in advised(replace(best, impossible=2, density=None), odd)[1]
    assert advised(best) == ("a", "a is the only one that was judged.")
    assert recommend([Compared("x", "failed")], {})[0] is None


def test_impossible_rows_are_told():
    order = (judged("a", 0.0, 0.0, 3), replace(judged("b", None, None, 4, impossible=2), density=None, error=None))
    found = Comparison(("x", "y"), 10, 5, 0, order, "a", "because", {("a", "b"): Gap(None, None)})
    assert "-inf" in str(found)
    assert "b excludes 2 held-out rows" in " ".join(str(found).split())
    assert Comparison.from_dict(found.to_dict()).to_dict() == found.to_dict()


def test_one_row_that_decides_is_no_noise():
    """Its gap and the standard error of the gap are as large as each other, whatever their size."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    spike = np.full(300, 5.0)
    spike[7] = 6.2345
    table = {"x": x, "y": 0.4 * x**2 + 0.5 * rng.normal(size=300), "spike": spike}
    found = arcwise.compare(table, ["gaussian", "steck"], folds=3, continuous=["spike"], workers=1)
    gap = found.gap("steck", "gaussian")
    assert gap.mean > 1000.0
    assert gap.error > 0.9 * gap.mean
    assert found.recommended == "steck"


def test_a_method_that_failed_in_a_fold_shows_no_density():
    found = arcwise.compare(linear(), ["gaussian", Choosy()], folds=3, workers=1)
    failed = found.methods[-1]
    assert (failed.standing, failed.density, failed.error) == ("failed", None, None)


def test_what_is_doubtful_about_the_table_is_told():
    few = arcwise.compare(continuous_data(12), ["gaussian", "equal-frequency"], folds=2, workers=1)
    assert any("rows are few" in one for one in few.warnings)
