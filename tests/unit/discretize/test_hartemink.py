from __future__ import annotations

import pickle
from math import log

import numpy as np
import pytest

from arcwise import networks
from arcwise.data import dataset
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.hartemink import merge_levels
from arcwise.discretize.hartemink.hartemink import Hartemink, HarteminkPath
from arcwise.errors import FileError, OptionError
from arcwise.parts.monitor import SILENT, StopWhen
from arcwise.parts.protocols import Discretizer
from arcwise.parts.spec import to_spec, with_options
from tests.contract.parts import mixed_data

ORIGINAL = Hartemink(initial_bins=None)


def table(**columns):
    """Lists of floats become continuous columns, lists of ints discrete ones."""
    made = []
    for name, values in columns.items():
        if isinstance(values[0], float | np.floating):
            made.append(Column(name, Kind.CONTINUOUS, np.array(values, dtype=np.float64)))
        else:
            levels = tuple(str(k) for k in range(max(values) + 1))
            made.append(Column(name, Kind.DISCRETE, np.array(values, dtype=np.uint8), levels))
    return Dataset(tuple(made))


def exploded(n_rows=400, true=4, seed=0):
    """Two copies of one variable with `true` levels, each spread over an interval of its own: cuts at 0.5, 1.5, ..."""
    rng = np.random.default_rng(seed)
    level = rng.permutation(np.arange(n_rows) % true)
    a, b = (level + rng.uniform(-0.4, 0.4, n_rows) for _ in range(2))
    return table(a=a, b=b), np.arange(true - 1) + 0.5


class Recorder:
    def __init__(self):
        self.seen = []

    def report(self, progress):
        self.seen.append(progress)

    def should_stop(self):
        return False


def test_shape_of_a_part():
    assert isinstance(Hartemink(), Discretizer)
    assert Hartemink.reference
    assert to_spec(Hartemink()) == {"kind": "hartemink", "bins": 3, "initial_bins": 20}
    assert with_options(Hartemink(), {"bins": "auto", "initial_bins": "none"}) == Hartemink(
        bins="auto", initial_bins=None
    )
    assert with_options(Hartemink(), {"bins": "4", "initial_bins": "50"}) == Hartemink(bins=4, initial_bins=50)


@pytest.mark.parametrize("option", ["bins", "initial_bins"])
@pytest.mark.parametrize("value", [0, -1, 65_537, 2.0, "3", True])
def test_options_out_of_range(option, value):
    with pytest.raises(OptionError, match=f"option '{option}' must be .*, not "):
        Hartemink(**{option: value})


def test_no_bins_at_all_is_refused():
    with pytest.raises(OptionError, match="option 'bins' must be a whole number or 'auto', not None"):
        Hartemink(bins=None)


@pytest.mark.parametrize(
    ("x", "merged", "loss"),
    [
        ([1.0, 2.0, 3.0, 4.0], [1.5], 2 * log(2)),  # 1 + 1 rows: F(2) = 2 ln 2
        ([1.0, 1.0, 2.0], [1.5], 3 * log(3) - 2 * log(2)),  # 2 + 1
        ([1.0, 1.0, 2.0, 2.0], [1.5], 4 * log(4) - 4 * log(2)),  # 2 + 2: 4 ln 2
    ],
)
def test_loss_without_overlap(x, merged, loss):
    """The other column tells all rows apart, so nothing but the merged level's own term is lost."""
    path = ORIGINAL.descend(table(x=x, y=list(range(len(x)))))
    assert path.merged["x"][: len(merged)].tolist() == merged
    assert path.tmi[-1] - path.tmi[-2] == pytest.approx(loss / len(x), abs=1e-12)


def test_each_other_column_adds_its_own_loss():
    x = [1.0, 2.0, 3.0, 4.0]
    one, three = (ORIGINAL.descend(table(x=x, **{f"y{k}": [0, 1, 2, 3] for k in range(n)})).tmi for n in (1, 3))
    assert three[-1] - three[-2] == pytest.approx(3 * (one[-1] - one[-2]), abs=1e-12)


def test_ties_go_to_the_smallest_level_and_then_to_the_lowest():
    path = ORIGINAL.descend(table(x=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], y=list(range(8))))
    assert path.merged["x"].tolist() == [1.5, 3.5, 5.5, 7.5, 2.5, 6.5, 4.5]


def test_columns_merge_in_the_order_of_their_names_whatever_their_place():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, 40).astype(float), rng.integers(0, 6, 40).astype(float)
    one, two = ORIGINAL.descend(table(a=a, b=b)), ORIGINAL.descend(table(b=b, a=a))
    renamed = ORIGINAL.descend(table(z=a, b=b))
    assert all(np.array_equal(one.merged[name], two.merged[name]) for name in "ab")
    assert list(two.merged) == ["b", "a"]
    assert not np.array_equal(one.tmi, renamed.tmi)  # now b merges first


@pytest.mark.parametrize("initial_bins", [40, 20])
def test_an_exploded_variable_merges_back(initial_bins):
    data, cuts = exploded()
    path = Hartemink(initial_bins=initial_bins).descend(data)
    for thresholds in path.at(4).thresholds.values():
        assert np.max(np.abs(thresholds - cuts)) < 0.1
    assert path.tmi[3] == pytest.approx(log(4))
    assert path.knee == 4
    assert Hartemink(bins="auto", initial_bins=initial_bins).fit(data) == path.at(4)


def test_the_original_merges_repeated_values_back_exactly():
    data, _ = exploded(600, 3)
    rounded = table(**{c.name: np.rint(c.values * 10) / 10 for c in data.columns})  # nine values for each true level
    path = ORIGINAL.descend(rounded)
    assert path.levels[-1] == 27
    assert path.tmi[2] == pytest.approx(log(3))
    assert all(cuts == pytest.approx([0.5, 1.5]) for cuts in path.at(3).thresholds.values())


def test_the_original_pairs_single_rows_blindly():
    """All first mergers are tied, so levels cross the true cuts before these could show: some information is lost."""
    data, cuts = exploded()
    path = ORIGINAL.descend(data)
    assert all(np.max(np.abs(found - cuts)) < 0.15 for found in path.at(4).thresholds.values())
    assert 0.85 * log(4) < path.tmi[3] < 0.99 * log(4)


def test_fit_takes_the_level_asked_for():
    data = mixed_data()
    assert Hartemink().fit(data) == Hartemink().descend(data).at(3)
    assert Hartemink(bins=5, initial_bins=None).fit(data) == ORIGINAL.descend(data).at(5)


def test_the_start_is_equal_frequency():
    data = mixed_data()
    assert Hartemink(initial_bins=12).descend(data).at(12) == EqualFrequency(bins=12).fit(data)


def test_by_rows_and_by_tables_agree_bit_by_bit(monkeypatch):
    data = networks.add_noise(networks.load("alarm").sample(400, seed=1), seed=1)
    data = Dataset(tuple(c for i, c in enumerate(data.columns) if i < 10) + mixed_data(400).columns)
    paths = []
    for few in (lambda self: False, lambda self: self.most <= 60, lambda self: self.most <= 7):
        monkeypatch.setattr(merge_levels.Levels, "few", few)
        paths.append(ORIGINAL.descend(data))
    for path in paths[1:]:
        assert np.array_equal(path.tmi, paths[0].tmi)
        assert all(np.array_equal(cuts, path.merged[name]) for name, cuts in paths[0].merged.items())


def test_tables_that_would_be_too_large_are_not_made(monkeypatch):
    data = mixed_data()
    usual = Hartemink().descend(data)
    monkeypatch.setattr(merge_levels, "TABLE_CELLS", 0)
    monkeypatch.setattr(merge_levels.Levels, "_count", lambda self: pytest.fail("counted"))
    assert np.array_equal(Hartemink().descend(data).tmi, usual.tmi)


def test_progress_runs_from_the_first_level_to_the_last():
    recorder = Recorder()
    path = Hartemink().descend(mixed_data(), recorder)
    assert [progress.step for progress in recorder.seen] == list(range(1, 20))
    assert recorder.seen[-1].fraction == 1.0
    assert path.levels.tolist() == list(range(1, 21))


@pytest.mark.parametrize("asked", [0, 1, 16, 17, 18, 19])
def test_a_stopped_descent_keeps_what_it_saw(asked, monkeypatch):
    monkeypatch.setattr(merge_levels, "VISITS", 1)  # one column a call: three calls a level
    data, calls = mixed_data(), iter(range(1000))
    whole = Hartemink().descend(data)
    path = Hartemink().descend(data, StopWhen(SILENT, lambda: next(calls) >= asked))
    fewest = 20 - asked // 3
    assert path.levels.tolist() == list(range(fewest, 21))
    assert path.tmi == pytest.approx(whole.tmi[fewest - 1 :], abs=1e-12)
    assert path.at(fewest) == whole.at(fewest)
    assert path.knee >= fewest
    with pytest.raises(OptionError, match=f"'bins' must be at least {fewest}, where the descent was stopped, not 3"):
        path.at(3)


def test_constant_and_two_valued_columns():
    data = table(same=[2.0] * 6, two=[1.0, 5.0] * 3, many=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    cut = Hartemink(bins=3, initial_bins=None).fit(data)
    assert cut.thresholds["same"].tolist() == []
    assert cut.thresholds["two"].tolist() == [3.0]
    assert len(cut.thresholds["many"]) == 2
    assert list(cut.thresholds) == ["same", "two", "many"]


def test_more_bins_than_values():
    data = table(a=[1.0, 2.0, 2.0, 4.0, 5.0], b=[1.0, 1.0, 3.0, 2.0, 2.0])
    for part in (Hartemink(bins=50), Hartemink(bins=50, initial_bins=None)):
        assert part.fit(data).thresholds["a"].tolist() == [1.5, 3.0, 4.5]


def test_one_bin_has_no_threshold():
    assert all(len(cuts) == 0 for cuts in Hartemink(bins=1).fit(mixed_data()).thresholds.values())


def test_huge_and_neighbouring_values():
    above = float(np.nextafter(1.0, 2.0))
    data = table(a=[-1e300, 1e300, 1e308, 1.7e308], b=[1.0, above, 1.0, above])
    cut = Hartemink(bins=4, initial_bins=None).fit(data)
    assert cut.thresholds["a"].tolist() == [0.0, (1e300 + 1e308) / 2, 1e308 / 2 + 1.7e308 / 2]
    assert cut.thresholds["b"].tolist() == [above]


def test_a_column_on_its_own_gets_levels_of_similar_size():
    """Nothing is lost by any merger: all are tied, and the smallest levels go first."""
    data = table(x=np.random.default_rng(0).standard_normal(300))
    for part in (Hartemink(), ORIGINAL):
        path = part.descend(data)
        assert not np.any(path.tmi)
        sizes = np.bincount(part.fit(data).apply(data).columns[0].values)
        assert len(sizes) == 3
        assert sizes.max() <= 2.5 * sizes.min()
        assert path.knee == 2


def test_one_row_and_constant_tables():
    assert Hartemink().fit(table(a=[1.0], b=[2.0])).thresholds["a"].tolist() == []
    path = Hartemink(bins="auto").descend(table(a=[1.0, 1.0], b=[2.0, 2.0]))
    assert (path.levels.tolist(), path.tmi.tolist(), path.knee) == ([1], [0.0], 1)


def test_discrete_columns_inform_and_stay():
    rng = np.random.default_rng(1)
    colour = rng.integers(0, 2, 200)
    size = np.where(colour == 1, rng.uniform(0.8, 1.0, 200), rng.uniform(0.0, 0.8, 200))  # a cut off the middle
    data = table(size=size, colour=colour.tolist())
    cut = Hartemink(bins=2, initial_bins=None).fit(data)
    assert list(cut.thresholds) == ["size"]
    assert cut.thresholds["size"][0] == pytest.approx(0.8, abs=0.02)


def test_a_table_without_continuous_columns():
    data = table(a=[0, 1, 0, 1], b=[0, 1, 0, 1])
    path = Hartemink().descend(data)
    assert dict(path.at(3).thresholds) == {}
    assert path.tmi.tolist() == [pytest.approx(log(2))]
    assert path.knee == 1


def test_chance_is_half_the_degrees_of_freedom_a_row():
    data = table(a=[1.0, 2.0, 3.0, 4.0], b=[1.0, 1.0, 2.0, 2.0], c=[0, 1, 2, 0])
    # levels (a, b) 1..4 with b at most 2, and c with 3: pairs ab + ac + bc
    expected = [(0 + 0 + 0), (1 + 2 + 2), (2 + 4 + 2), (3 + 6 + 2)]
    assert ORIGINAL.descend(data).chance.tolist() == [value / 8 for value in expected]


@pytest.mark.parametrize("true", [2, 3, 5])
def test_the_knee_is_the_number_of_true_levels(true):
    data, _ = exploded(600, true, seed=true)
    assert Hartemink(initial_bins=30).descend(data).knee == true  # 30: no initial level lies across a true cut


def test_the_knee_looks_past_what_chance_explains():
    """37 columns of 500 rows: the curve itself is convex, for every two levels meet some rows by chance."""
    data = networks.add_noise(networks.load("alarm").sample(500, seed=1), seed=1)
    path = Hartemink().descend(data)
    assert path.tmi[19] - path.tmi[18] > path.tmi[2] - path.tmi[1]
    assert path.knee in {3, 4}


def test_a_path_is_frozen_and_can_be_pickled():
    path = Hartemink().descend(mixed_data())
    with pytest.raises(ValueError, match="read-only"):
        path.tmi[0] = 1.0
    copy = pickle.loads(pickle.dumps(path))
    assert isinstance(copy, HarteminkPath)
    assert np.array_equal(copy.tmi, path.tmi)
    assert copy.at(4) == path.at(4)


@pytest.mark.parametrize(
    ("part", "suffix", "begins"),
    [
        (Hartemink(), "png", b"\x89PNG"),
        (Hartemink(), "pdf", b"%PDF"),
        (Hartemink(initial_bins=1), "svg", b"<svg"),
        (ORIGINAL, "svg", b"<svg"),
    ],
)
def test_draw(part, suffix, begins, tmp_path):
    path = part.descend(mixed_data(60))
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    path.draw(one)
    path.draw(str(two))
    assert one.read_bytes().startswith(begins)
    assert one.read_bytes() == two.read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {one.name, two.name}


def test_draw_a_flat_curve(tmp_path):
    ORIGINAL.descend(table(x=np.arange(40.0))).draw(tmp_path / "flat.svg")
    assert "knee: 2 levels" in (tmp_path / "flat.svg").read_text()


def test_draw_where_it_cannot(tmp_path):
    path = Hartemink().descend(mixed_data(30))
    with pytest.raises(FileError, match=r"unknown suffix '.gif' for a picture; use .svg, .png or .pdf"):
        path.draw(tmp_path / "curve.gif")
    with pytest.raises(FileError, match="cannot write"):
        path.draw(tmp_path / "nowhere" / "curve.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("weighted", [False, True])
def test_long_columns_are_merged_by_tables(monkeypatch, weighted):
    rng = np.random.default_rng(4)
    x, n = rng.normal(size=3000), 3000
    columns = {"a": x, "b": np.round(x + rng.normal(size=n), 1), "c": rng.integers(-5, 6, n), "d": np.zeros(n)}
    numbers = [Column(name, Kind.CONTINUOUS, np.asarray(values, dtype=float)) for name, values in columns.items()]
    codes = np.where(x > 0, 3, rng.integers(0, 3, n)).astype(np.uint8)
    data = Dataset((*numbers, Column("e", Kind.DISCRETE, codes, tuple("pqrst"))))
    data = data.weighted(rng.integers(1, 4, n)) if weighted else data
    short = Hartemink().descend(data)
    monkeypatch.setattr(dataset, "MANY_ROWS", 100)
    long = Hartemink().descend(data)
    assert long.at(3) == short.at(3)
    for name in ("levels", "tmi", "chance"):
        assert np.array_equal(getattr(long, name), getattr(short, name))
    assert all(np.array_equal(long.merged[name], cuts) for name, cuts in short.merged.items())
