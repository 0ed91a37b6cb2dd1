"""Every count of the page against plain counting of the table's rows, one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import arcwise
from arcwise import Dataset, LearnResult, Pdag
from arcwise.data.dataset import Column, Kind
from arcwise.data.discretization import Discretization
from arcwise.report.content import page_content
from arcwise.report.pairs import COARSE

SEEDS = range(3)


def table(rng: np.random.Generator, n: int) -> Dataset:
    """Numbers with a long tail, whole numbers, a constant; levels without rows, many levels; gaps in most of them."""
    z = rng.normal(size=(4, n))
    numbers = {"tail": np.exp(3 * z[0]), "whole": np.rint(9 * z[1]), "big": 1e6 + z[2], "constant": np.full(n, 2.5)}
    columns = []
    for name, values in numbers.items():
        gaps = rng.random(n) < (0.0 if name == "constant" else 0.15)
        columns.append(Column(name, Kind.CONTINUOUS, np.where(gaps, np.nan, values), missing=gaps))
    few = np.array([0, 1, 3], dtype=np.uint8)[rng.integers(0, 3, n)]  # nobody has the third level
    gaps = rng.random(n) < 0.1
    columns.append(Column("few", Kind.DISCRETE, np.where(gaps, 0, few).astype(np.uint8), tuple("abcd"), missing=gaps))
    many = rng.integers(0, 25, n).astype(np.uint8)
    columns.append(Column("many", Kind.DISCRETE, many, tuple(f"level {k}" for k in range(25))))
    return Dataset(tuple(columns))


def written_out(data: Dataset) -> dict[str, list]:
    """The cells of every column, each row as often as it counts; None where a cell is missing."""
    times = [1] * data.n_stored if data.weights is None else data.weights.tolist()
    found: dict[str, list] = {}
    for column in data.columns:
        gaps = [False] * data.n_stored if column.missing is None else column.missing.tolist()
        words = column.levels if column.kind is Kind.DISCRETE else None
        cells = [None if gap else words[x] if words else x for x, gap in zip(column.values.tolist(), gaps, strict=True)]
        found[column.name] = [cell for cell, n in zip(cells, times, strict=True) for _ in range(n)]
    return found


def group_of(value, labels: list[str], cuts: np.ndarray) -> int | None:
    """The place of a cell's group: by thresholds, which belong to the upper side, or by its level."""
    if value is None:
        return None
    if isinstance(value, str):
        return labels.index(value) if value in labels else len(labels) - 1
    return sum(value >= cut for cut in cuts)


def joint(a: list, n_a: int, b: list, n_b: int) -> list[int]:
    found = Counter((x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None)
    return [found[x, y] for x in range(n_a) for y in range(n_b)]


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("cut", ["all", "some"])
@pytest.mark.parametrize("seed", SEEDS)
def test_all_counts_are_those_of_plain_counting(seed, cut, weighted):
    rng = np.random.default_rng(seed)
    data = table(rng, 150)
    if weighted:
        data = data.weighted(rng.integers(0, 5, 150))
    chosen = [c for c in data.columns if c.kind is Kind.CONTINUOUS and (cut == "all" or c.name != "big")]
    some = {
        c.name: rng.choice(np.unique(c.recorded), min(3, len(np.unique(c.recorded))), replace=False) for c in chosen
    }
    thresholds = {name: np.sort(cuts) for name, cuts in some.items()}  # on values, so that the closed side tells
    result = LearnResult(
        Pdag(data.names, undirected=list(combinations(data.names, 2))), discretization=Discretization(thresholds)
    )
    content = page_content(result, data, None, "", None, "", 0)
    cells = written_out(data)
    assert content["rows"] == len(cells["tail"])

    groups, bins = {}, {}
    for k, name in enumerate(data.names):
        column, own = content["columns"][k], [cell for cell in cells[name] if cell is not None]
        assert (column["missing"], column["distinct"]) == (len(cells[name]) - len(own), len(set(own)))
        cuts = thresholds[name] if name in thresholds else _quarters(data, name)
        groups[k] = [group_of(cell, column["labels"], cuts) for cell in cells[name]]
        found = Counter(groups[k])
        assert column["counts"] == [found[place] for place in range(len(column["labels"]))]
        if column["kind"] == "continuous":
            bins[k] = _check_histogram(column["histogram"], cells[name])
    for key, pair in content["pairs"].items():
        i, j = map(int, key.split("-"))
        n_i, n_j = (len(content["columns"][k]["labels"]) for k in (i, j))
        assert pair["groups"] == joint(groups[i], n_i, groups[j], n_j)
        if i in bins:
            assert pair["a"] == joint(groups[j], n_j, bins[i], _n_bins(content, i))
        if j in bins:
            assert pair["b"] == joint(groups[i], n_i, bins[j], _n_bins(content, j))
        if i in bins and j in bins:
            _check_map(pair, bins[i], _n_bins(content, i), bins[j], _n_bins(content, j))


def _quarters(data: Dataset, name: str) -> np.ndarray:
    if data.column(name).kind is Kind.DISCRETE:
        return np.empty(0)
    return arcwise.discretize.EqualFrequency(bins=4).fit(data.select([name])).thresholds[name]


def _n_bins(content: dict, k: int) -> int:
    return len(content["columns"][k]["histogram"]["counts"])


def _check_histogram(histogram: dict, cells: list) -> list[int | None]:
    """The bin of each cell: the bins have one width, and lie side by side."""
    own = np.array([cell for cell in cells if cell is not None])
    shape = arcwise.drawing.histogram.histogram(own, 30)  # of the rows written out, without weights
    n = len(histogram["counts"])
    found: list[int | None] = []
    for cell in cells:
        if cell is None or not shape.shown[0] <= cell <= shape.shown[1]:
            found.append(None)
        else:
            width = (shape.high - shape.low) / n
            found.append(min(n - 1, int((cell - shape.low) / width)) if width else n // 2)
    counts = Counter(found)
    assert histogram["counts"] == [counts[place] for place in range(n)]
    assert histogram["beyond"] == counts[None] - cells.count(None)
    return found


def _check_map(pair: dict, a: list, n_a: int, b: list, n_b: int) -> None:
    """Every cell but the last has as many bins as the others."""
    each = [-(-n // COARSE) for n in (n_a, n_b)]
    assert pair["steps"] == pytest.approx([each[0] / n_a, each[1] / n_b])
    rough = [[None if x is None else x // width for x in codes] for codes, width in zip((a, b), each, strict=True)]
    assert pair["map"] == joint(rough[0], pair["sizes"][0], rough[1], pair["sizes"][1])


@pytest.mark.parametrize("method", ["equal-frequency", "steck"])
def test_a_table_with_weights_of_which_every_column_was_cut(method):
    rng = np.random.default_rng(0)
    a = rng.normal(size=80)
    data = Dataset.from_frame({"a": a, "b": a + rng.normal(size=80)}).weighted(rng.integers(1, 4, 80))
    result = arcwise.learn(data, method=method)
    assert set(result.discretization.thresholds) == {"a", "b"}
    content = page_content(result, data, None, "", None, "", 10)
    assert [sum(column["counts"]) for column in content["columns"]] == [data.n_rows] * 2
    assert content["columns"][0]["labels"] == list(result.discretization.intervals("a"))


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_neighbours_of_very_many_levels_are_joined(weighted):
    rng = np.random.default_rng(0)
    values, levels = rng.normal(size=400), rng.integers(0, 30, 400)
    gaps = rng.random(400) < 0.1
    numbers = Column("a", Kind.CONTINUOUS, np.where(gaps, np.nan, values), missing=gaps)
    data = Dataset((numbers, Column("b", Kind.DISCRETE, levels.astype(np.uint8), tuple(f"l{k}" for k in range(30)))))
    data = data.weighted(rng.integers(1, 4, 400)) if weighted else data
    cuts = Discretization({"a": np.linspace(-2, 2, 40), "b": np.arange(29) + 0.5}, {"b": data.columns[1].levels})
    result = LearnResult(Pdag(data.names, undirected=[("a", "b")]), discretization=cuts)
    content = page_content(result, data, None, "", None, "", 0)
    cells = written_out(data)
    for column, places in zip(content["columns"], (cells["a"], [int(cell[1:]) for cell in cells["b"]]), strict=True):
        assert 8 <= len(column["labels"]) == len(column["counts"]) <= 16
        name = "a" if column["kind"] == "continuous" else "b"
        rows_below = {sum(x is not None and x < cut for x in places) for cut in cuts.thresholds[name]}
        assert set(np.cumsum(column["counts"])[:-1].tolist()) <= rows_below
        assert max(column["counts"]) < 4 * np.mean(column["counts"])
    assert len(content["columns"][0]["cuts"]) == 40
    assert len(content["columns"][0]["histogram"]["marks"]) == 40


def test_a_table_that_stands_for_two_billion_rows_is_not_written_out():
    rng = np.random.default_rng(0)
    data = Dataset.from_frame({"a": rng.normal(size=50), "b": rng.normal(size=50)}).weighted(np.full(50, 4 * 10**7))
    cuts = Discretization({"a": np.array([0.0]), "b": np.array([0.5])})
    result = LearnResult(Pdag(data.names, undirected=[("a", "b")]), discretization=cuts)
    content = page_content(result, data, None, "", None, "", 400)
    assert sum(content["columns"][0]["histogram"]["counts"]) == 2 * 10**9
    assert content["sample"]["rows"] == 400


def test_rows_are_sampled_as_often_as_they_count():
    data = Dataset.from_frame({"a": [0.5, 1.5, 2.5, 4.5] * 3, "b": [1.25, 2.5, 3.75, 5.0] * 3})
    data = data.weighted([1, 9, 1, 1] * 3)
    result = LearnResult(Pdag(data.names, undirected=[("a", "b")]))
    sample = page_content(result, data, None, "", None, "", 400)["sample"]
    assert sample["rows"] == data.n_rows == 36
    assert sorted(Counter(sample["places"]["0"]).values()) == [3, 3, 3, 27]


def test_ranges_tell_numbers_apart_and_keep_whole_ones():
    values = {"near": [100000.1, 100000.2, 100000.4], "whole": [0.0, 1.0, 123456.0], "constant": [0.1 + 0.2] * 3}
    data = Dataset(tuple(Column(name, Kind.CONTINUOUS, np.array(own)) for name, own in values.items()))
    found = [column["range"] for column in page_content(_none(data), data, None, "", None, "", 0)["columns"]]
    assert found == [["100000.1", "100000.2", "100000.4"], ["0", "1", "123456"], ["0.3"] * 3]


def test_strengths_keep_the_digits_that_are_shown():
    data = Dataset.from_frame({"a": [0.5, 1.5, 2.5] * 9, "b": [1.5, 2.5, 0.5] * 9})
    result = LearnResult(Pdag(data.names, undirected=[("a", "b")]), support={("a", "b"): 123456.7})
    (edge,) = page_content(result, data, None, "", None, "", 0)["edges"]
    assert edge["strength"] == 123456.7


def _none(data: Dataset) -> LearnResult:
    return LearnResult(Pdag(data.names))
