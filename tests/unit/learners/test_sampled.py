"""Learning from a sample of the rows: what is said, what is learned from all rows, and which rows they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.store import open_store, write_store
from arcwise.errors import DataError, OptionError
from arcwise.learners import Completed, Sampled, sampled
from arcwise.learners.sampled import row_reader, sample_of, sampling
from arcwise.parts.spec import to_spec
from arcwise.stats import row_sample
from tests.unit.running.in_parts import in_parts


def table(n=900):
    rng = np.random.default_rng(3)
    x = rng.normal(size=n)
    y, z = np.tanh(x) + 0.3 * rng.normal(size=n), rng.normal(size=n)
    a = (y + 0.4 * rng.normal(size=n) > 0).astype(np.uint8)
    numbers = {"x": x, "y": y, "z": z}
    columns = [Column(name, Kind.CONTINUOUS, values) for name, values in numbers.items()]
    return Dataset((*columns, Column("a", Kind.DISCRETE, a, ("no", "yes"))))


@pytest.fixture
def mapped(tmp_path, monkeypatch):
    """A table in files, too long to be read by those who look at rows."""
    monkeypatch.setattr(sampled, "SAMPLE_ROWS", 200)
    write_store(tmp_path / "t.arcwise", table())
    return open_store(tmp_path / "t.arcwise")


def said(result):
    return [one for one in result.warnings if "random sample" in one]


def test_tables_in_memory_are_learned_whole(monkeypatch):
    monkeypatch.setattr(sampled, "SAMPLE_ROWS", 200)
    assert not said(arcwise.learn(table(), "kgv"))


def test_rows_in_files_are_sampled_for_those_who_read_them(mapped):
    found = arcwise.learn(mapped, "kgv")
    assert said(found) == ["learned from a random sample of 200 of 900 rows, since kgv looks at the rows themselves"]
    assert "random sample of 200 of 900 rows" in " ".join(str(found).split())
    assert found.to_dict()["spec"]["kind"] == "sampled"
    assert found.method == "kgv"
    assert not said(arcwise.learn(mapped, "gaussian"))


def test_the_seed_decides_the_sample(mapped):
    graphs = [arcwise.learn(mapped, "kgv", seed=seed).score for seed in (1, 1, 2)]
    assert graphs[0] == graphs[1] != graphs[2]


def test_thresholds_of_a_sample_and_the_network_of_all_rows(mapped):
    found = arcwise.learn(mapped, "steck")
    (sentence,) = said(found)
    assert sentence.startswith("thresholds were found in a random sample of 200 of 900 rows; with them the network")
    assert sentence.endswith("from the network of the sample")
    cut = found.discretization.apply(table())
    search = catalog.METHODS["steck"].learner.search
    whole = arcwise.learn(cut, search)
    assert found.cpdag == whole.cpdag
    assert found.score == whole.score
    assert found.support == whole.support
    assert found.rounds


def test_how_many_edges_differ_is_counted(mapped, monkeypatch):
    monkeypatch.setattr(sampled, "SAMPLE_ROWS", 12)
    found = arcwise.learn(mapped, "friedman", seed=1)
    alone = arcwise.learn(sample_of(table().by_name(), 12, np.random.default_rng(1).spawn(1)[0]), "friedman", seed=1)
    differ = arcwise.metrics.shd(found.cpdag, alone.cpdag)
    words = "no edge differs" if differ == 0 else "1 edge differs" if differ == 1 else f"{differ} edges differ"
    assert words in said(found)[0]


def test_auto_races_on_the_sample_and_its_winner_learns_from_all_rows_if_it_can(mapped):
    found = arcwise.learn(
        mapped, "auto", candidates=(catalog.METHODS["gaussian"].learner, catalog.METHODS["mmhc"].learner)
    )
    assert said(found) == ["the method was chosen by a random sample of 200 of 900 rows"]
    winner = found.choice.winner
    assert found.cpdag == arcwise.learn(mapped, winner.spec).cpdag
    assert not said(arcwise.learn(mapped.select(["a"]), "auto"))


def test_a_sample_can_be_asked_for_of_any_table():
    found = arcwise.learn(table(), "gaussian", sample_rows=300)
    assert said(found) == ["learned from a random sample of 300 of 900 rows, as asked"]
    assert not said(arcwise.learn(table(), "gaussian", sample_rows=900))
    levels = table().select(["a"])
    both = Dataset((*levels.columns, Column("b", Kind.DISCRETE, levels.columns[0].values, ("u", "v"))))
    assert said(arcwise.learn(both, "steck", sample_rows=300)) == [
        "learned from a random sample of 300 of 900 rows, as asked"
    ]
    with pytest.raises(OptionError, match="sample_rows must be a whole number from 2, not 1"):
        arcwise.learn(table(), "kgv", sample_rows=1)


def test_missing_cells_are_drawn_in_the_sample(mapped):
    columns = [mapped.columns[0], *mapped.columns[1:]]
    gaps = np.zeros(900, dtype=bool)
    gaps[::7] = True
    columns[1] = Column("y", Kind.CONTINUOUS, np.where(gaps, np.nan, mapped.column("y").values), missing=gaps)
    data = Dataset(tuple(columns))
    found = arcwise.learn(data, "hill-climb")
    assert said(found) == ["learned from a random sample of 200 of 900 rows, since missing cells are drawn row by row"]
    assert found.spec["learner"]["kind"] == "completed"
    assert catalog.name_of(Sampled(learner=Completed(learner=catalog.METHODS["gaussian"].learner))) == "gaussian"


def test_rows_with_weights_are_drawn_as_often_as_they_count():
    data = table(50).weighted(np.arange(50))
    sample = sample_of(data, 600, np.random.default_rng(0))
    assert sample.n_rows == 600
    assert len(sample.weights) == sample.n_stored
    value = dict(zip(data.column("x").values.tolist(), data.weights.tolist(), strict=True))
    pairs = list(zip(sample.column("x").values.tolist(), sample.weights.tolist(), strict=True))
    assert all(times <= value[x] for x, times in pairs)  # without replacement
    shares = np.mean([sample_of(data, 100, np.random.default_rng(k)).weights.max() for k in range(40)])
    assert 3 < shares < 15


def test_stored_rows_of_a_long_list_of_weights(monkeypatch):
    monkeypatch.setattr(row_sample, "STRETCH", 7)
    weights = np.random.default_rng(1).integers(1, 9, 100)
    rows = np.arange(int(weights.sum()))
    assert np.array_equal(row_sample._owners(weights, rows), np.repeat(np.arange(100), weights))


def test_large_weights_are_sampled_where_rows_would_be_repeated():
    data = table(100).weighted(np.full(100, 20_000_000))
    found = arcwise.learn(data, "steck", search="hill-climb")
    assert "random sample of 50,000 of 2,000,000,000 rows" in said(found)[0]


def test_rows_with_weights_elsewhere_cannot_be_sampled():
    far, _ = in_parts(table(100).weighted(np.full(100, 3)), [])
    with pytest.raises(DataError, match="rows with weights that are on a cluster cannot be sampled"):
        sample_of(far, 10, np.random.default_rng(0))


@pytest.mark.parametrize("method", ["kgv", "auto"])
def test_few_rows_elsewhere_are_brought_here(method):
    here = table(300)
    there, near = arcwise.learn(in_parts(here, [100])[0], method), arcwise.learn(here, method)
    assert (there.cpdag, there.score, there.support) == (near.cpdag, near.score, near.support)
    assert not said(there)


def test_few_rows_elsewhere_are_resampled_here():
    here = table(300)
    there, near = (arcwise.learn(rows, "gaussian", bootstrap=3) for rows in (in_parts(here, [100])[0], here))
    assert np.array_equal(there.strengths.adjacent, near.strengths.adjacent)
    assert np.array_equal(there.strengths.directed, near.strengths.directed)
    assert not said(there)


def test_draws_of_missing_cells_do_not_score_the_network():
    data = table(300)
    gaps = np.arange(300) % 20 == 0
    data = Dataset((replace(data.columns[0], missing=gaps), *data.columns[1:]))
    found = arcwise.learn(data, "pc", sample_rows=200)
    assert found.to_dict()["spec"]["learner"]["draws"]
    assert found.scored_with == {}


def test_bootstrap_and_compare_say_so(mapped):
    shares = arcwise.bootstrap(mapped, "gaussian", 3)
    assert shares.origin.n_rows == 200
    assert shares.warnings[0].startswith("all of this is about a random sample of 200 of 900 rows, since the table")
    found = arcwise.compare(mapped, ["gaussian", "equal-frequency"], folds=2)
    assert found.n_rows == 200
    assert found.warnings[0].startswith("all of this is about a random sample of 200 of 900 rows")
    learned = arcwise.learn(mapped, "kgv", bootstrap=2)
    assert learned.bootstrap.origin.n_rows == 200


def test_a_sample_is_not_wrapped_again():
    one = Sampled(learner=catalog.METHODS["kgv"].learner, rows=100)
    assert sampling(one, table(), 50) is one
    with pytest.raises(OptionError, match="cannot be 'sampled' again"):
        Sampled(learner=one)
    assert catalog.from_spec(to_spec(one)) == one
    assert arcwise.learn(table(), one).method == "kgv"


def test_parts_that_are_not_used_for_these_columns_do_not_count():
    levels = table().select(["a"])
    for name in ("auto", "steck", "hidden-states", "equal-frequency"):
        assert row_reader(catalog.METHODS[name].learner, levels) is None
    assert row_reader(catalog.METHODS["kgv"].learner, levels).kind == "kgv"
    every = catalog.DISCRETIZERS["hartemink"](initial_bins=None)
    assert row_reader(catalog.LEARNERS["two-stage"](discretizer=every), table()) is every
