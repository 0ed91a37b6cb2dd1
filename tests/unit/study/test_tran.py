"""The study tran-2013: scores of all graphs on three nodes, exploded levels, removed thresholds, and what is stored."""

from __future__ import annotations

from itertools import combinations
from math import log
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise import Dag
from arcwise.catalog import method
from arcwise.data.dataset import Dataset
from arcwise.discretize import Discretization, TopDown, joint_score
from arcwise.errors import DataError, OptionError
from arcwise.parts.monitor import SILENT
from arcwise.parts.spec import to_spec
from arcwise.running import Stopped
from arcwise.scores import AIC, BIC, MDL, total
from arcwise.study import Results, load
from arcwise.study.drawn_tables import joint, probabilities, weighted
from arcwise.study.experiments import KINDS
from arcwise.study.experiments.exploded import Exploded, _exploded, found_thresholds
from arcwise.study.experiments.graph_recovery import GraphRecovery
from arcwise.study.experiments.removal import Removal, partitions
from arcwise.study.plan import read_plan
from arcwise.study.tables import tables_of
from arcwise.study.three_nodes import CLASSES, GRAPHS, SCORES, TRUE, all_scores

REFERENCE = Path(__file__).parents[2] / "reference" / "tran_three_nodes.csv"
MISPRINTS = {(1, "MDL"), (3, "AIC"), (4, "AIC"), (14, "BIC")}
NAMES = ("X1", "X2", "X3")


@pytest.fixture(scope="module")
def plan():
    return load("tran-2013")


@pytest.fixture(scope="module")
def results(plan):
    return Results.load(plan, plan.folder / "results.jsonl")


@pytest.fixture(scope="module")
def tables(results):
    return {table.name: table for table in tables_of(results)}


def dag_of(arcs):
    return Dag(NAMES, [(NAMES[a], NAMES[b]) for a, b in arcs])


def spec(name, **options):
    return {"spec": to_spec(method(name, options).learner)}


class TestThreeNodes:
    def test_all_graphs_are_there_class_by_class(self):
        assert len(set(GRAPHS)) == 25
        patterns = [{dag_of(arcs).cpdag() for arcs in members} for members in CLASSES]
        assert all(len(own) == 1 for own in patterns)
        assert len({one for own in patterns for one in own}) == len(CLASSES) == 11
        numbers = [GRAPHS.index(members[0]) + 1 for members in CLASSES]
        assert numbers == [1, 2, 4, 6, 8, 11, 14, 15, 16, 19, 20]  # as the text lists them
        assert set(GRAPHS[TRUE - 1]) == {(0, 1), (0, 2)}

    def test_scores_that_are_counted_right_are_ours(self):
        rng = np.random.default_rng(1)
        data = weighted(NAMES, rng.multinomial(500, rng.dirichlet(np.ones(24))).reshape(2, 3, 4))
        for arcs, found in all_scores(data).items():
            dag = dag_of(arcs)
            assert found["AIC (r - 1)"] == pytest.approx(-2 * total(AIC(), dag, data), rel=1e-12)
            assert found["BIC (r - 1)"] == pytest.approx(-2 * total(BIC(), dag, data), rel=1e-12)
            assert found["MDL (1 for none)"] == pytest.approx(-total(MDL(), dag, data), rel=1e-12)

    def test_the_thesis_counts_otherwise(self):
        """1 -> 2 with 2, 3 and 4 levels: 2 + 2 * 3 + 4 parameters instead of 1 + 2 * 2 + 3, in MDL 2 * 2."""
        data = weighted(NAMES, np.full((2, 3, 4), 5))
        found = all_scores(data)[((0, 1),)]
        size = log(data.n_rows)
        assert found["AIC"] - found["AIC (r - 1)"] == pytest.approx(2 * (12 - 8))
        assert found["BIC"] - found["BIC (r - 1)"] == pytest.approx(size * (12 - 8))
        assert found["MDL (1 for none)"] - found["MDL"] == pytest.approx(size / 2 * (8 - 4))

    def test_three_columns_are_needed(self):
        with pytest.raises(DataError, match="2 columns; give one with three"):
            all_scores(weighted(("a", "b"), np.full((2, 2), 5)))


class TestReconstruction:
    """The counts that come with the study have the scores that the thesis printed."""

    def printed(self):
        lines = [line for line in REFERENCE.read_text("utf-8").splitlines() if not line.startswith("#")]
        rows = (line.split(",") for line in lines[1:])
        return {int(row[0]): dict(zip(("AIC", "BIC", "MDL"), map(float, row[1:]), strict=True)) for row in rows}

    def test_every_printed_digit_but_the_misprints(self, plan):
        data = arcwise.read(plan.folder / "three-nodes.csv", discrete=list(NAMES), weights="rows")
        assert (data.n_rows, data.cardinalities) == (100_000, (6, 6, 6))
        ours = all_scores(data)
        wrong = set()
        for row, scores in self.printed().items():
            if row == 25:
                continue  # one complete graph too many
            graph = row if row < 15 else row + 1
            for score, value in scores.items():
                if abs(ours[GRAPHS[graph - 1]][score] - value) > 0.000501:
                    wrong.add((graph, score))
        assert wrong == MISPRINTS

    def test_the_published_numbers_are_those_of_the_reference(self, plan, tables):
        for row, scores in self.printed().items():
            for score, value in scores.items():
                assert tables["3.1"].get(str(row), score).published == value
            for score in ("AIC", "BIC"):
                assert tables["2.3"].get(str(row), score).published == scores[score]
        assert tables["3.1, rows moved"].get("15", "AIC").published is None


class TestDrawnTables:
    def test_probabilities(self):
        rng = np.random.default_rng(1)
        found = probabilities(rng, 3, 2, 4)
        assert found.shape == (3, 2, 4)
        assert found.sum(axis=-1) == pytest.approx(np.ones((3, 2)))
        assert len(np.unique(found)) == 24

    @pytest.mark.parametrize("arcs", GRAPHS[::4])
    def test_a_joint_distribution_has_the_independences_of_its_graph(self, arcs):
        dag = dag_of(arcs)
        p = joint(np.random.default_rng(2), dag, 3)
        assert p.sum() == pytest.approx(1.0)
        made = np.ones_like(p)
        for node, name in enumerate(NAMES):
            parents = [NAMES.index(parent) for parent in dag.parents(name)]
            family = p.sum(axis=tuple(i for i in range(3) if i not in (*parents, node)), keepdims=True)
            made = made * family / family.sum(axis=node, keepdims=True)
        assert made == pytest.approx(p)

    def test_counts_as_weights(self):
        counts = np.array([[0, 3], [2, 1]])
        data = weighted(("a", "b"), counts)
        assert (data.n_rows, data.n_stored, data.cardinalities) == (6, 3, (2, 2))
        again = np.zeros((2, 2), dtype=int)
        np.add.at(again, tuple(column.values for column in data.repeated().columns), 1)
        assert again.tolist() == counts.tolist()


class TestGraphRecovery:
    def measured(self, rows, name="graphs/1"):
        return GraphRecovery.measure(f"{name}/{rows}", {"rows": rows, "levels": 3, "tables": 6}, {}, SILENT)

    def test_many_rows_find_the_graph_and_few_do_not(self):
        many, few = self.measured(100_000), self.measured(10)
        assert all(many[score] == 1.0 for score in SCORES)
        assert few["BIC"] < 0.5
        assert few["BIC: too few edges"] > 0.5

    def test_a_cell_is_always_the_same(self):
        assert self.measured(60) == self.measured(60)
        assert self.measured(60) != self.measured(60, "graphs/2")


class TestRemoval:
    def test_partitions(self):
        assert partitions("12|3") == ("1|2|3", "12|3", "1|23")
        assert partitions("12|345|6") == (
            "1|2|3|4|5|6", "12|3|4|5|6", "1|23|4|5|6", "1|2|34|5|6", "1|2|3|45|6", "1|2|3|4|56", "12|345|6",
        )  # fmt: skip

    def task(self, partition, **more):
        base = {
            "groups": "12|3", "parent": [0.3, 0.3, 0.4], "child": [[0.9, 0.1], [0.2, 0.8]], "levels": 2, "rows": 1000,
            "method": spec("top-down", mode="single-pass"), "partition": partition,
        }  # fmt: skip
        return base | more

    def measured(self, partition, **more):
        return Removal.measure(f"removal/1/1000/m/{partition}", self.task(partition, **more), {}, SILENT)

    def test_all_methods_and_partitions_see_one_table(self):
        assert self.measured("1|2|3")["change"] == 0
        scores = {p: self.measured(p)["score"] for p in partitions("12|3")}
        for partition, score in scores.items():
            assert self.measured(partition)["change"] == pytest.approx(scores["1|2|3"] - score)

    def test_the_local_description_length_by_hand(self):
        """ln r + (ln N / 2) [r (2 - 1) + (r - 1)] + 2 H((r - 1) / 2) - N I, with r - 1 = 0 for the thesis."""
        found = self.measured("12|3")
        full = self.measured("1|2|3")
        half = log(1000) / 2
        names = 2 * log(2)  # one threshold of two
        spent = {2: log(2) + half * 2 + names, 3: log(3) + half * 3}
        information = {2: spent[2] - found["DL local"], 3: spent[3] - full["DL local"]}
        assert 0 <= information[3] - information[2] < 3  # the values 1 and 2 differ by chance only
        assert information[2] > 200
        assert found["DL local (1 for none)"] - found["DL local"] == pytest.approx(half)
        assert full["DL local (1 for none)"] - full["DL local"] == pytest.approx(2 * half)
        assert found["change (0 for none)"] == pytest.approx(found["DL local"] - full["DL local"])

    def test_a_removal_cannot_save_what_is_printed(self, results):
        """One threshold of five saves at most ln N + ln(6 / 5) - 5 H(1 / 5) = 9.19 with a child of three levels."""
        most = log(100_000) + log(6 / 5) + 5 * (0.2 * log(0.2) + 0.8 * log(0.8))
        assert most == pytest.approx(9.193, abs=0.001)
        changes = [
            row.values["change (0 for none)"]
            for row in results.rows
            if row.cell.experiment == "removal" and row.cell.place["partition"].count("|") == 4
        ]
        assert len(changes) == 5 * 60
        assert min(changes) > -most

    def test_other_policies_have_a_change_too(self):
        found = self.measured("12|3", method=spec("steck"))
        assert set(found) == {"score", "change", "no worse"}
        assert found["change"] < 0

    def test_values_that_no_row_has(self):
        found = self.measured("1|23", parent=[0.49995, 0.0001, 0.49995], rows=20)
        assert np.isfinite(found["score"])

    @pytest.mark.parametrize(
        ("entries", "words"),
        [
            ('groups = "21|3"', "groups must be the values 1, 2, 3"),
            ('groups = "12||3"', "no empty group"),
            ('groups = "1"', "two values or more"),
            ('groups = "12|3"\nparent = [0.5, 0.5]', "parent must be 3 probabilities"),
            ('groups = "12|3"\nparent = [0.5, 0.4, 0.2]', "add up to 1"),
            ('groups = "12|3"\nchild = [[0.5, 0.5]]', "each of the 2 groups"),
            ('groups = "12|3"\nchild = [[0.5, 0.5], [0.5, 0.4, 0.1]]', "child must be 2 probabilities"),
            ('groups = "12|3"\nmethods = ["pc"]', "has no score of thresholds"),
            ('groups = "12|3"\ngroup = 3', "did you mean 'groups'"),
        ],
    )
    def test_mistakes(self, entries, words, tmp_path):
        methods = "" if "methods" in entries else 'methods = ["steck"]\n'
        text = f'[experiments.e]\nkind = "removal"\nrows = [50]\n{methods}{entries}\n'
        with pytest.raises(OptionError, match=words):
            read_plan(text, "p", tmp_path)


class TestExploded:
    def task(self, **more):
        base = {
            "network": "parent", "levels": 3, "explosion": "exact", "rows": 2100, "most": 4, "tables": 5,
            "method": spec("top-down", mode="single-pass"),
        }  # fmt: skip
        return base | more

    def test_an_exact_explosion_divides_every_configuration(self):
        data, origin, dag = _exploded(self.task(), 7, 0)
        assert origin.tolist() == [0, 0, 1, 1, 1, 2]
        assert data.n_rows == 2100
        assert dag.edges == (("X1", "X2"),)
        counts = np.zeros((6, 3), dtype=int)
        np.add.at(counts, (data.columns[0].values.astype(int), data.columns[1].values), 1)
        assert (counts[1] == 2 * counts[0]).all()
        assert (counts[2] == 2 * counts[4]).all()
        assert (counts[3] == 4 * counts[4]).all()

    @pytest.mark.parametrize("network", ["parent", "child", "two children", "one of two parents"])
    def test_values_of_one_level_are_no_worse_together(self, network):
        """A removal between values of one level loses nothing, by the public score; between levels it does."""
        data, origin, dag = _exploded(self.task(network=network, rows=21_000), 3, 1)
        every = [k + 0.5 for k in range(5)]
        best = joint_score(TopDown(), data, dag, Discretization({"X1": every}))
        for k in range(5):
            less = Discretization({"X1": [at for at in every if at != k + 0.5]})
            found = joint_score(TopDown(), data, dag, less)
            assert (found > best) == (origin[k] == origin[k + 1]), k

    @pytest.mark.parametrize("mode", ["single-pass", "agglomerative", "exhaustive"])
    def test_the_levels_come_back(self, mode):
        task = self.task(rows=105_000, method=spec("top-down", mode=mode))
        data, _, dag = _exploded(task, 3, 1)
        assert found_thresholds(task["method"], data, dag).tolist() == [1.5, 4.5]
        assert found_thresholds(spec("steck"), data, dag).tolist() == [1.5, 4.5]

    def test_the_best_of_all_is_the_best_of_all(self):
        """Exhaustive search against all 32 partitions under the public score, with values given at random."""
        data, _, dag = _exploded(self.task(explosion="random", rows=600), 5, 2)
        every = [k + 0.5 for k in range(5)]
        all_of_them = [list(chosen) for n in range(6) for chosen in combinations(every, n)]
        best = max(all_of_them, key=lambda cuts: joint_score(TopDown(), data, dag, Discretization({"X1": cuts})))
        assert found_thresholds(spec("top-down", mode="exhaustive"), data, dag).tolist() == best

    @pytest.mark.parametrize("explosion", ["drawn", "random", "exact"])
    def test_shares_add_up(self, explosion):
        task = self.task(explosion=explosion, rows=210)
        found = Exploded.measure(f"e/1/parent/3/{explosion}/210/m", task, {}, SILENT)
        parts = [found[name] for name in ("restored", "only joined", "only apart", "both")]
        assert sum(parts) == pytest.approx(1.0)
        assert (found["thresholds lost"] > 0) == (parts[1] + parts[3] > 0)
        assert explosion != "exact" or found["thresholds too many"] == 0
        assert found == Exploded.measure(f"e/1/parent/3/{explosion}/210/m", task, {}, SILENT)

    def test_methods_see_the_same_tables_and_a_stop_is_heard(self):
        class Stopping:
            def should_stop(self):
                return True

            def report(self, progress):
                pass

        with pytest.raises(Stopped):
            Exploded.measure("e/1/parent/3/exact/2100/m", self.task(), {}, Stopping())
        one, other = (_exploded(self.task(method=spec(name)), 7, 0)[0] for name in ("steck", "friedman"))
        assert all(np.array_equal(a.values, b.values) for a, b in zip(one.columns, other.columns, strict=True))

    @pytest.mark.parametrize(
        ("entries", "words"),
        [
            ('explosions = ["exact"]\nlevels = [4]\nrows = [21]', "those of 3 levels"),
            ('explosions = ["exact"]\nrows = [100]', "multiples"),
            ('networks = ["parents"]\nrows = [21]', "did you mean 'parent'"),
            ("networks = []\nrows = [21]", "networks is empty"),
            ("rows = [21]\nlevels = [1]", "from 2"),
        ],
    )
    def test_mistakes(self, entries, words, tmp_path):
        text = f'[experiments.e]\nkind = "exploded"\nmethods = ["top-down"]\n{entries}\n'
        with pytest.raises(OptionError, match=words):
            read_plan(text, "p", tmp_path)


class TestExactScores:
    def test_a_table_of_three_discrete_columns_is_needed(self, tmp_path):
        (tmp_path / "t.csv").write_text("a,b\n" + "x,y\nz,w\n" * 5)
        text = '[experiments.e]\nkind = "exact-scores"\nsources = ["{}"]\n'
        with pytest.raises(OptionError, match="three columns, all discrete"):
            read_plan(text.format("t.csv"), "p", tmp_path)
        with pytest.raises(OptionError, match="'alarm' is not a table"):
            read_plan(text.format("alarm"), "p", tmp_path)

    def test_a_cell_is_a_graph(self, tmp_path):
        (tmp_path / "t.csv").write_text("a,b,c\n" + "x,y,u\nz,w,v\nx,w,u\n" * 5)
        plan = read_plan('[experiments.e]\nkind = "exact-scores"\nsources = ["t.csv"]\n', "p", tmp_path)
        cells = plan.cells()
        assert len(cells) == 25
        found = KINDS["exact-scores"].measure(cells[1].name, cells[1].task, plan.shared(), SILENT)
        assert found["arcs"] == "a -> b"
        data = plan.experiments["e"].experiment.shared().popitem()[1]
        assert isinstance(data, Dataset)
        assert {name: found[name] for name in SCORES} == all_scores(data)[((0, 1),)]


class TestStored:
    """What comes with the study is what its plan asks for, and says what its notes say."""

    def test_every_cell_is_there(self, results):
        assert len(results.rows) == results.n_cells
        assert not results.failed

    def test_the_quick_part_is_a_part(self, plan):
        quick = {cell.key for cell in plan.cells(quick=True)}
        assert quick < {cell.key for cell in plan.cells()}

    def test_the_number_of_graphs_is_as_published(self, tables):
        for row in tables["2.1"].rows:
            entry = tables["2.1"].get(row, "graphs")
            assert entry.ours == entry.published

    def test_one_pass_is_not_enough(self, tables):
        for rows in ("300", "1000", "10000", "100000"):
            single, best, merged = (
                tables["exploded"].get(name, rows).ours for name in ("single-pass", "exhaustive", "agglomerative")
            )
            assert single < best - 0.04
            assert abs(merged - best) < 0.02

    def test_a_stored_cell_comes_out_again(self, plan, results):
        for row in [row for row in results.rows if row.cell.experiment in ("graphs", "ideal", "removal")][::90]:
            task = {**row.cell.task, "limit": 60}
            again = KINDS[task["kind"]].measure(row.cell.name, task, plan.shared(), SILENT)
            assert again == pytest.approx(dict(row.values))
