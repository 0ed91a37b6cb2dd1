"""Slices of a table: the right rows in the right cells, and a picture of them, whole or not at all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from arcwise import Dataset
from arcwise.drawing.scene import width_of
from arcwise.drawing.slices import Slices, _laid_out, draw_slices, short_numbers, slice_up
from arcwise.errors import DataError, FileError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def data() -> Dataset:
    rng = np.random.default_rng(3)
    z = rng.normal(size=1000)
    table = {
        "x": z + rng.normal(size=1000),
        "y": rng.normal(size=1000),
        "z": z,
        "w": rng.gamma(2.0, size=1000),
        "kind": rng.choice(list("abcdefg"), size=1000, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05]),
    }
    return Dataset.from_frame(table)


def texts(path: Path) -> list[str]:
    return [str(element.text) for element in ElementTree.parse(path).iter(f"{SVG}text")]


def test_quarters_of_a_number(data):
    slices = slice_up(data, "x", "y", ["z"], 10, 5)
    z = np.sort(data.column("z").values)
    assert slices.how == "in the middle of each quarter of z"
    assert [part.rows for part in slices.parts] == [200] * 4
    low, high = short_numbers(z[25], z[224])
    assert slices.parts[0].labels == (f"z {low} to {high}",)
    assert all(part.counts.shape == (10, 5) for part in slices.parts)


def test_cells_hold_the_rows_of_the_slice(data):
    slices = slice_up(data, "x", "y", [], 8, 4)
    (part,) = slices.parts
    x, y = data.column("x").values, data.column("y").values
    wanted, _, _ = np.histogram2d(x, y, bins=(8, 4))
    np.testing.assert_array_equal(part.counts, wanted)
    assert (part.rows, part.labels, slices.how, slices.left_out) == (1000, (), "all rows", "")


def test_few_rows_leave_whole_quarters(data):
    few = Dataset.from_frame({name: data.column(name).values[:100] for name in "xyz"})
    slices = slice_up(few, "x", "y", ["z"], 8, 4)
    assert slices.how == "in each quarter of z"
    assert [part.rows for part in slices.parts] == [25] * 4
    assert sum(int(part.counts.sum()) for part in slices.parts) == 100


def test_levels_and_two_columns(data):
    by_level = slice_up(data, "x", "y", ["kind"], 8, 4)
    codes = data.column("kind").values
    assert [part.labels for part in by_level.parts][-1] == ("kind: 4 other levels",)
    assert by_level.parts[0].rows == np.sum(codes == 0)
    assert sum(part.rows for part in by_level.parts) == 1000
    both = slice_up(data, "x", "y", ["z", "kind", "w"], 8, 4)
    assert both.how == "in the middle of each half of z and by level of kind"
    assert [part.labels[1] for part in both.parts] == ["kind = a", "kind: 6 other levels"] * 2


def test_ties_and_constants():
    table = {
        "x": np.arange(40.0),
        "y": np.arange(40.0) % 3 + 0.5,
        "z": np.repeat([1.5, 2.5], [30, 10]),
        "c": [0.5] * 40,
    }
    data = Dataset.from_frame(table, continuous=list(table))
    slices = slice_up(data, "x", "y", ["z"], 8, 4)
    assert [(part.labels, part.rows) for part in slices.parts] == [(("z = 1.5",), 30), (("z = 2.5",), 10)]
    flat = slice_up(data, "x", "c", ["c"], 8, 4)
    assert [(part.labels, part.rows) for part in flat.parts] == [(("c = 0.5",), 40)]
    assert flat.y.ends == ("0.5", "")


def test_medians_follow_the_counts(data):
    (part,) = slice_up(data, "x", "y", [], 6, 9).parts
    for sums, median in zip(part.counts, part.medians, strict=True):
        if sums.sum() < 5:
            assert median is None
        else:
            cells = np.repeat(np.arange(9), sums)
            assert median == cells[(len(cells) - 1) // 2]


def test_outliers_are_left_out_and_told():
    values = np.concatenate([np.linspace(0, 1, 400), [1e9]])
    data = Dataset.from_frame({"x": values, "y": values[::-1].copy()})
    slices = slice_up(data, "x", "y", [], 8, 4)
    assert slices.left_out == "not shown: 2 rows far beyond the ends"
    assert slices.parts[0].counts.sum() == 399


def test_numbers_are_short_but_different():
    assert short_numbers(0.123456, 7.0) == ("0.123", "7")
    assert short_numbers(1.0000001, 1.0000002) == ("1.0000001", "1.0000002")
    assert short_numbers(2.0, 2.0) == ("2", "2")


def test_picture_says_slices_rows_and_axes(data, tmp_path):
    draw_slices(data, "x", "y", ["z", "w"], tmp_path / "p.svg", title="x and y")
    words = texts(tmp_path / "p.svg")
    slices = slice_up(data, "x", "y", ["z", "w"], 46, 46)
    assert words[0] == "x and y"
    assert (
        words[1] == "in the middle of each half of z and in the middle of each half of w; the line is the median of y"
    )
    for part in slices.parts:
        assert {*part.labels, f"{part.rows} rows"} <= set(words)
    assert {*slices.x.ends, *slices.y.ends} <= set(words)
    assert words.count("x") == 4


def test_three_kinds_of_files_and_the_same_bytes(data, tmp_path):
    for suffix, magic in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".PDF", b"%PDF")):
        path = tmp_path / f"p{suffix}"
        draw_slices(data, "x", "kind", ["z"], path)
        first = path.read_bytes()
        assert first.startswith(magic)
        draw_slices(data, "x", "kind", ["z"], path)
        assert path.read_bytes() == first


def checked(slices: Slices, title: str) -> None:
    sheet = _laid_out(slices, title)
    width, height = sheet.width, sheet.height
    assert all(0 <= box.left <= box.right <= width and 0 <= box.top <= box.bottom <= height for box in sheet.boxes)
    assert all(0 < box.alpha <= 1 for box in sheet.boxes)
    by_line: dict[float, list[tuple[float, float]]] = {}
    for letters in sheet.letters:
        room = width_of(letters.text, letters.size)
        start = letters.x - room * {"left": 0.0, "center": 0.5, "right": 1.0}[letters.align]
        assert -1e-9 <= start <= start + room <= width
        assert letters.y <= height
        by_line.setdefault(letters.y, []).append((start, start + room))
    for spans in by_line.values():
        spans.sort()
        assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(spans))


@pytest.mark.parametrize("given", [[], ["z"], ["kind"], ["z", "kind"], ["n" * 200, "z"]])
def test_nothing_covers_another_thing_or_leaves_the_sheet(data, given):
    rng = np.random.default_rng(1)
    long = {"n" * 200: rng.standard_cauchy(1000), "m" * 200: rng.normal(size=1000) * 1e-200}
    wide = Dataset((*data.columns, *Dataset.from_frame(long).columns))
    for x, y in (("x", "y"), ("kind", "x"), ("x", "kind"), ("m" * 200, "n" * 200)):
        others = [name for name in given if name not in (x, y)]
        checked(slice_up(wide, x, y, others, 46, 46), "a title " * 40)


@pytest.mark.parametrize(
    "values",
    [[5.0] * 5, [0.25, 0.75] * 3, [1.0, 2, 3, 4, 1e300], [-1.7e308, 0.5, 1.7e308], [5e-324, 0.0, 1e-323], [1.0, 2]],
)
def test_few_and_extreme_values(values, tmp_path):
    names = ["x", "y", "z"]
    data = Dataset.from_frame({name: np.array(values) for name in names}, continuous=names)
    draw_slices(data, "x", "y", ["z"], tmp_path / "p.png")
    assert (tmp_path / "p.png").stat().st_size > 1000
    checked(slice_up(data, "x", "y", ["z"], 46, 46), "")


def test_errors_leave_no_file(data, tmp_path):
    with pytest.raises(FileError, match=r"unknown suffix '\.gif'.*use \.svg, \.png or \.pdf"):
        draw_slices(data, "x", "y", [], tmp_path / "p.gif")
    with pytest.raises(DataError, match="unknown column 'q'"):
        draw_slices(data, "x", "q", [], tmp_path / "p.svg")
    with pytest.raises(FileError, match="cannot write"):
        draw_slices(data, "x", "y", [], tmp_path / "nowhere" / "p.svg")
    assert list(tmp_path.iterdir()) == []
