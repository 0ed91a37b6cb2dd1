"""Wide tables are judged by the columns that are most related."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.judging.columns import most_related
from arcwise.judging.folds import Folds
from arcwise.parts.knowledge import Knowledge
from arcwise.problem import Problem


def pairs_and_noise(n_pairs, n_noise, rows=300, seed=1):
    """Pairs of related columns, the first the most, and columns on their own; every other pair by ranks alone."""
    rng = np.random.default_rng(seed)
    columns = {}
    for k in range(n_pairs):
        x = rng.normal(size=rows)
        y = x + (0.1 + 0.1 * k) * rng.normal(size=rows)
        columns[f"a{k}"], columns[f"b{k}"] = x, np.exp(5 * y) if k % 2 else -y
    columns |= {f"noise{k}": rng.normal(size=rows) for k in range(n_noise)}
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, values) for name, values in columns.items()))


def chosen(data, most, seed=0):
    return most_related(Folds.of(data, 2, seed), most, seed)


def test_the_strongest_pairs_are_taken():
    data = pairs_and_noise(4, 20)
    assert set(chosen(data, 4)) == {"a0", "b0", "a1", "b1"}
    assert set(chosen(data, 8)) == {f"{x}{k}" for x in "ab" for k in range(4)}
    assert chosen(data, 28) == data.by_name().names
    assert len(chosen(data, 9)) == 9


def test_neither_the_order_of_rows_and_columns_nor_weights_matter():
    data, rng = pairs_and_noise(5, 10), np.random.default_rng(0)
    shuffled = data.select(list(rng.permutation(data.names))).take(rng.permutation(300))
    assert chosen(shuffled, 7) == chosen(data, 7)
    weights = rng.integers(1, 4, 300)
    repeated = data.take(np.repeat(np.arange(300), weights))
    assert chosen(data.weighted(weights), 7) == chosen(repeated, 7)


def test_missing_cells_and_constants_are_no_hindrance():
    data = pairs_and_noise(2, 5)
    hidden = np.zeros(300, dtype=np.bool_)
    hidden[::3] = True
    columns = [
        Column(c.name, c.kind, c.values, missing=hidden if c.name in ("a0", "noise1") else None) for c in data.columns
    ]
    columns.append(Column("constant", Kind.CONTINUOUS, np.ones(300)))
    assert set(chosen(Dataset(tuple(columns)), 4)) == {"a0", "b0", "a1", "b1"}


def test_a_part_of_a_problem_keeps_what_is_known_of_it():
    data = pairs_and_noise(2, 2)
    known = Knowledge.from_dict({"required": [["a0", "b0"]], "forbidden": [["b1", "a1"], ["a0", "noise0"]]})
    part = Problem.of(data, rng=np.random.default_rng(0), knowledge=known).part(["b1", "a0", "b0", "a1"])
    assert part.names == ("a0", "a1", "b0", "b1")
    assert part.knowledge.required.nonzero()[0].tolist() == [0]
    assert part.knowledge.required.nonzero()[1].tolist() == [2]
    assert not part.knowledge.allowed[3, 1]
    assert part.knowledge.allowed[1, 3]


def test_auto_says_by_how_many_columns_it_judged(tmp_path):
    data = pairs_and_noise(3, 4)
    options = {"candidates": "gaussian,equal-frequency", "folds": 2}
    wide = arcwise.learn(data, "auto", columns=4, **options)
    assert wide.choice.columns == 4
    assert "judged by the 4 columns that are most related" in wide.choice.words()
    assert set(wide.cpdag.names) == set(data.names)
    assert wide.cpdag == arcwise.learn(data, wide.choice.winner.spec).cpdag
    wide.save(tmp_path / "w.json")
    assert arcwise.LearnResult.load(tmp_path / "w.json").choice == wide.choice
    all_of_them = arcwise.learn(data, "auto", **options)
    assert all_of_them.choice.columns is None


@pytest.mark.parametrize("stop_after", [0, 3])
def test_stopped_while_some_columns_are_judged_it_answers_for_all(stop_after):
    class Stop:
        asked = 0

        def report(self, progress):
            pass

        def should_stop(self):
            self.asked += 1
            return self.asked > stop_after

    data = pairs_and_noise(3, 4)
    result = arcwise.learn(data, "auto", columns=4, candidates="gaussian,equal-frequency", folds=2, monitor=Stop())
    assert result.status in ("stopped", "unanswered")
    assert set(result.cpdag.names) == set(data.names)
