"""Thresholds over histograms as a file: the right boxes, the right words, whole or not at all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from arcwise import Dataset
from arcwise.data.discretization import Discretization, format_numbers
from arcwise.data.states import States
from arcwise.discretize import EqualFrequency
from arcwise.drawing.files import MAX_SIDE, to_bytes
from arcwise.drawing.scene import COLORS, Scene, fitted, width_of
from arcwise.drawing.thresholds import PLOT_WIDTH, _laid_out, _panels
from arcwise.errors import DataError, FileError
from arcwise.report import draw_thresholds

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def data() -> Dataset:
    rng = np.random.default_rng(3)
    table = {"height": rng.normal(size=200), "kind": np.array(["a", "b"] * 100), "weight": rng.gamma(2.0, size=200)}
    return Dataset.from_frame(table)


def texts(path: Path) -> list[str]:
    return [str(element.text) for element in ElementTree.parse(path).iter(f"{SVG}text")]


def png_size(content: bytes) -> tuple[int, int]:
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


def sheet_of(data: Dataset, cuts: Discretization, title: str = "") -> Scene:
    return _laid_out(_panels(data, cuts, {}, {}), title)


def test_svg_says_names_thresholds_levels_and_counts(data, tmp_path):
    cuts = EqualFrequency(bins=3).fit(data)
    draw_thresholds(data, cuts, tmp_path / "p.svg", title="three bins", notes={"weight": "cut for: kind"})
    words = texts(tmp_path / "p.svg")
    assert words[0] == "three bins"
    for name in ("height", "weight"):
        assert name in words
        assert all(level in words for level in cuts.levels(name))
        assert set(format_numbers(cuts.thresholds[name])) <= set(words)
    assert "kind" not in words
    assert "cut for: kind" in words
    assert [word for word in words if word in ("66", "67")] == ["67", "66", "67"] * 2


def test_bars_change_their_colour_exactly_at_the_thresholds(data):
    cut = 0.1234
    sheet = sheet_of(data.select(["height"]), Discretization({"height": [cut]}))
    values = data.column("height").values
    span = (values.min(), values.max())
    (x, _), (end, _) = sheet.lines[-1].points
    left = min(box.left for box in sheet.boxes)
    assert x == end == pytest.approx(left + PLOT_WIDTH * (cut - span[0]) / (span[1] - span[0]))
    bars = [box for box in sheet.boxes if box.bottom == sheet.lines[0].points[0][1] and box.color == "#5b7fa6"]
    assert {bar.alpha for bar in bars if bar.right <= x + 1e-9} == {1.0}
    assert len({bar.alpha for bar in bars if bar.left >= x - 1e-9}) == 1
    assert len({bar.alpha for bar in bars}) == 2
    assert all(bar.right <= x + 1e-9 or bar.left >= x - 1e-9 for bar in bars)


def test_three_kinds_of_files_and_nothing_else(data, tmp_path):
    cuts = EqualFrequency().fit(data)
    for suffix, magic in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".PDF", b"%PDF")):
        draw_thresholds(data, cuts, tmp_path / f"p{suffix}")
        first = (tmp_path / f"p{suffix}").read_bytes()
        assert first.startswith(magic)
        draw_thresholds(data, cuts, tmp_path / f"p{suffix}")
        assert (tmp_path / f"p{suffix}").read_bytes() == first
    assert len(list(tmp_path.iterdir())) == 3


def test_odd_names_are_only_text(tmp_path):
    names = ["[red]x[/red]", "$x_1^{$", "<script>alert(1)</script> & more", "a\x00\nb", "größe", "n" * 300]
    values = np.random.default_rng(0).normal(size=(50, len(names)))
    data = Dataset.from_frame(values, names=names)
    for suffix in ("svg", "png", "pdf"):
        draw_thresholds(data, EqualFrequency().fit(data), tmp_path / f"p.{suffix}", title="$\\frac{1}{$ <b>")
    words = texts(tmp_path / "p.svg")
    assert {*names[:3], "größe", "a\ufffd b", "$\\frac{1}{$ <b>"} <= set(words)
    assert any(word.startswith("nnnn") and word.endswith("…") for word in words)


@pytest.mark.parametrize(
    "values",
    [[5.0] * 5, [0.25, 0.75] * 3, [1.0, 2, 3, 4, 1e300], [-1.7e308, 0.5, 1.7e308], [5e-324, 0.0, 1e-323, 0.0, 0.0]],
)
def test_few_and_extreme_values(values, tmp_path):
    data = Dataset.from_frame({"x": np.array(values)}, continuous=["x"])
    cuts = EqualFrequency().fit(data)
    draw_thresholds(data, cuts, tmp_path / "p.svg")
    assert set(cuts.levels("x")) <= set(texts(tmp_path / "p.svg"))
    for box in sheet_of(data, cuts).boxes:
        assert np.isfinite([box.left, box.top, box.right, box.bottom]).all()


def test_thresholds_beyond_the_data_are_told(tmp_path):
    data = Dataset.from_frame({"x": np.linspace(0, 1, 50)})
    draw_thresholds(data, Discretization({"x": [-3.0, 0.5, 8.0]}), tmp_path / "p.svg")
    assert "not shown: 2 thresholds" in texts(tmp_path / "p.svg")


def test_nothing_covers_another_thing_or_leaves_the_sheet():
    rng = np.random.default_rng(5)
    data = Dataset.from_frame(rng.gamma(1.0, size=(300, 7)), names=list("abcdefg"))
    for bins in (1, 2, 5, 12, 40):
        sheet = sheet_of(data, EqualFrequency(bins=bins).fit(data), "title")
        width, height = sheet.width, sheet.height
        assert all(0 <= box.left <= box.right <= width and box.bottom <= height for box in sheet.boxes)
        by_line: dict[float, list[tuple[float, float]]] = {}
        for letters in sheet.letters:
            room = width_of(letters.text, letters.size)
            start = letters.x - room * {"left": 0.0, "center": 0.5, "right": 1.0}[letters.align]
            assert 0 <= start <= start + room <= width
            assert letters.y <= height
            by_line.setdefault(letters.y, []).append((start, start + room))
        for spans in by_line.values():
            spans.sort()
            assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(spans))


def test_hundreds_of_columns_keep_to_the_limits(tmp_path):
    rng = np.random.default_rng(6)
    data = Dataset.from_frame(rng.normal(size=(40, 300)), names=[f"column {i}" for i in range(300)])
    cuts = EqualFrequency(bins=2).fit(data)
    sheet = sheet_of(data, cuts)
    assert 1 <= sheet.width / sheet.height <= 2.5
    assert len([letters for letters in sheet.letters if letters.text.startswith("column ")]) == 300
    few = data.select(data.names[:24])
    draw_thresholds(few, EqualFrequency(bins=2).fit(few), tmp_path / "p.png")
    across, down = png_size((tmp_path / "p.png").read_bytes())
    sheet = sheet_of(few, EqualFrequency(bins=2).fit(few))
    assert (across, down) == pytest.approx((2 * sheet.width, 2 * sheet.height), abs=2)


@pytest.mark.parametrize(("width", "height"), [(3000.0, 2000.0), (30_000.0, 20.0)])
def test_very_large_sheets_get_fewer_pixels(width, height, monkeypatch):
    monkeypatch.setattr("arcwise.drawing.files.MAX_PIXELS", 1e6)
    across, down = png_size(to_bytes(Scene(width, height), "png"))
    assert across / down == pytest.approx(width / height, rel=0.1)
    assert max(across, down) <= MAX_SIDE + 1
    assert across * down <= 1.001e6
    assert max(across, down) > 0.99 * MAX_SIDE or across * down > 0.99e6


def test_errors_leave_no_file(data, tmp_path):
    cuts = EqualFrequency().fit(data)
    with pytest.raises(FileError, match=r"unknown suffix '\.gif'.*use \.svg, \.png or \.pdf"):
        draw_thresholds(data, cuts, tmp_path / "p.gif")
    with pytest.raises(FileError, match="cannot write"):
        draw_thresholds(data, cuts, tmp_path / "nowhere" / "p.svg")
    with pytest.raises(DataError, match="no continuous columns"):
        draw_thresholds(data.select(["kind"]), Discretization({}), tmp_path / "p.svg")
    with pytest.raises(DataError, match="unknown column 'heigth'; did you mean 'height'"):
        draw_thresholds(data, Discretization({"heigth": [0.0]}), tmp_path / "p.svg")
    assert list(tmp_path.iterdir()) == []


def test_fitted_text_fits():
    assert fitted("short", 100.0, 11.0) == "short"
    for room in (8.0, 30.0, 77.0):
        assert width_of(fitted("a rather long text", room, 11.0), 11.0) <= room or room < width_of("…", 11.0)


def test_densities_of_states_are_drawn_over_the_bars(tmp_path):
    values = np.concatenate([np.random.default_rng(1).normal(mean, 0.3, 400) for mean in (1.0, 3.0)])
    states = States((1.0, 3.0), (0.3, 0.3), (0.5, 0.5))
    data = Dataset.from_frame({"x": values})
    cuts = Discretization({"x": states.thresholds()})
    plain, curved = (_laid_out(_panels(data, cuts, {}, some), "") for some in ({}, {"x": states}))
    assert len(curved.lines) == len(plain.lines) + 2
    bars = [box for box in curved.boxes if box.color == COLORS["border"]]
    bottom = max(box.bottom for box in bars[: len(bars) // 2])
    tallest = max(bottom - box.top for box in bars if box.bottom == bottom)
    for curve in (line for line in curved.lines if len(line.points) > 2):
        height = bottom - min(y for _, y in curve.points)
        assert 0.6 * tallest < height < 1.1 * tallest  # as many rows as the bars have
    draw_thresholds(data, cuts, tmp_path / "p.svg", states={"x": states})
    assert (tmp_path / "p.svg").stat().st_size > 0
