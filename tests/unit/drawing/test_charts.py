"""Charts and matrices: every point and number is there, axes are round, names do not hide each other."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import numpy as np
import pytest

from arcwise.drawing.charts import Panel, Series, _Look, draw_panels
from arcwise.drawing.heat_map import Matrix, draw_matrices
from arcwise.drawing.point_names import SIZE, add_names
from arcwise.drawing.scales import scale_of
from arcwise.drawing.scene import Scene, width_of
from arcwise.errors import FileError


def drawn(tmp_path, *panels, **options):
    draw_panels(tmp_path / "c.svg", panels, **options)
    return (tmp_path / "c.svg").read_text(encoding="utf-8")


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_every_point_has_a_dot_and_a_gap_has_no_line(tmp_path):
    panel = Panel("p", (Series("a", [1, 2, 3, 4, 5], [1, 2, None, 4, 5]),), "x", "y")
    svg = drawn(tmp_path, panel)
    assert svg.count("<circle") == 4
    assert len(re.findall(r'd="M[^"]*" stroke="#0072b2"', svg)) == 2


def test_a_point_between_gaps_is_a_dot_though_the_line_has_none(tmp_path):
    svg = drawn(tmp_path, Panel("p", (Series("a", [1, 2, 3], [None, 2.0, None], dots=False),), "x", "y"))
    assert svg.count("<circle") == 1


def test_intervals_are_bars_and_widen_the_axis(tmp_path):
    one = Series("a", [1, 2], np.array([1.0, 2.0]), low=np.array([0.5, 1.5]), high=np.array([1.5, 8.0]))
    svg = drawn(tmp_path, Panel("p", (one,), "x", "y"))
    assert len(re.findall(r'stroke="#0072b2" stroke-width="1.2"', svg)) == 6
    assert "8" in texts(svg)


def test_numbers_without_a_place_on_a_logarithmic_axis_are_left_out(tmp_path):
    one = Series("a", [1, 2, 3], [0.0, 1.0, 10.0], low=[-1, -1, 1], high=[0, 2, 20])
    svg = drawn(tmp_path, Panel("p", (one,), "x", "y", y_log=True, marks=((0.0, "zero"),)))
    assert svg.count("<circle") == 2
    assert "zero" not in svg
    assert len(re.findall('stroke-width="1.2"', svg)) == 6


def test_a_flipped_axis_has_small_numbers_above(tmp_path):
    def heights(**options):
        svg = drawn(tmp_path, Panel("p", (Series("a", [1, 2], [0, 5]),), "x", "y", **options))
        return [float(y) for y in re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', svg)]

    assert heights()[0] > heights()[1]
    assert heights(y_down=True)[0] < heights(y_down=True)[1]


def test_one_legend_for_all_panels_with_the_same_colour_everywhere(tmp_path):
    a, b = Series("one", [1, 2], [1, 2]), Series("<two>", [1, 2], [2, 1], line=False)
    svg = drawn(tmp_path, Panel("p", (a, b), "x", "y"), Panel("q", (b,), "x", "y"), title="both & more")
    assert texts(svg).count("one") == 1
    assert texts(svg).count("&lt;two&gt;") == 1
    assert svg.count('fill="#d55e00"') == 5
    assert svg.startswith("<svg")
    assert "both &amp; more" in svg


def test_a_single_series_needs_no_legend(tmp_path):
    assert "one" not in texts(drawn(tmp_path, Panel("p", (Series("one", [1, 2], [1, 2]),), "x", "y")))


def test_twenty_series_look_different():
    assert len({_Look.of(place) for place in range(21)}) == 21


def test_marks_have_words_that_are_apart(tmp_path):
    marks = ((1.0, "here"), (1.001, "near"), (1.002, "nearer"))
    svg = drawn(tmp_path, Panel("p", (Series("a", [1, 2], [0, 2]),), "x", "y", marks=marks))
    at = sorted(float(y) for y in re.findall(r'y="([^"]*)"[^>]*>(?:here|near|nearer)<', svg))
    assert all(next_one - one >= 10 for one, next_one in pairwise(at))


def test_panels_are_in_rows(tmp_path):
    panels = [Panel(f"panel {k}", (), "x", "y") for k in range(4)]
    svg = drawn(tmp_path, *panels, columns=1)
    places = re.findall(r'x="([^"]*)" y="([^"]*)"[^>]*>panel', svg)
    assert len({x for x, _ in places}) == 1
    assert len({y for _, y in places}) == 4
    places = re.findall(r'x="([^"]*)" y="([^"]*)"[^>]*>panel', drawn(tmp_path, *panels))
    assert len({x for x, _ in places}) == 2


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_chart_is_the_same_file(tmp_path, suffix):
    panel = Panel("p", (Series("a", [1, 2], [1, 2], names=["u", "v"]),), "x", "y", marks=((1.5, "half"),))
    for path in (tmp_path / f"1.{suffix}", tmp_path / f"2.{suffix}"):
        draw_panels(path, [panel])
    assert (tmp_path / f"1.{suffix}").read_bytes() == (tmp_path / f"2.{suffix}").read_bytes()


def test_a_wrong_suffix_is_refused(tmp_path):
    with pytest.raises(FileError, match="suffix"):
        draw_panels(tmp_path / "c.txt", [])
    with pytest.raises(FileError, match="suffix"):
        draw_matrices(tmp_path / "c.txt", [])


@pytest.mark.parametrize(
    ("values", "logarithmic", "expected"),
    [
        ([0, 1], False, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([500, 5000], True, ["500", "1,000", "2,000", "5,000"]),
        ([1e-30, 1.0], True, ["1e-28", "1e-24", "1e-20", "1e-16", "1e-12", "1e-8", "0.0001", "1"]),
        ([300, 341], True, ["300", "310", "320", "330", "340"]),
        ([-1, 1], False, ["-1.0", "-0.5", "0", "0.5", "1.0"]),
        ([2.5, 2.5], True, ["1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0"]),
        ([1.9, 19], False, ["0", "5", "10", "15", "20"]),
    ],
)
def test_round_numbers(values, logarithmic, expected):
    scale = scale_of(values, logarithmic=logarithmic)
    assert [text for _, text in scale.ticks] == expected
    assert all(-1e-9 <= scale.share(x) <= 1 + 1e-9 for x, _ in scale.ticks)
    assert all(0 <= scale.share(x) <= 1 for x in values)


@pytest.mark.parametrize(
    "values", [[], [None, np.nan, np.inf], [0.0], [7.0], [-3.0, -2.9], [1e-300, 1e300], [1e9, 1e9 + 1]]
)
@pytest.mark.parametrize("logarithmic", [True, False])
def test_whatever_the_numbers_are_the_ticks_have_room(values, logarithmic):
    scale = scale_of(values, logarithmic=logarithmic, room=300.0)
    assert scale.low < scale.high
    assert 1 <= len(scale.ticks) <= 8
    assert sum(width_of(text, 10.0) for _, text in scale.ticks) < 300.0


def test_names_of_near_points_do_not_hide_each_other():
    rng = np.random.default_rng(1)
    points = [tuple(point) for point in rng.normal(200.0, 25.0, (14, 2)).tolist()]
    scene = Scene()
    add_names(scene, [(point, f"method-{k}") for k, point in enumerate(points)], points, (0.0, 0.0, 400.0, 400.0))
    areas = [
        (one.x, one.y - 0.9 * SIZE, one.x + width_of(one.text, SIZE), one.y + 0.25 * SIZE) for one in scene.letters
    ]
    assert len(areas) == 14
    for one, other in combinations(areas, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart


def test_matrices_have_their_numbers_and_are_darker_where_larger(tmp_path):
    one = Matrix("m", ["a", "b"], ["c", "d d"], [[0.0, 1.0], [None, 0.5]])
    draw_matrices(tmp_path / "m.svg", [one, one], title="two of them", scale=(0.0, 1.0))
    svg = (tmp_path / "m.svg").read_text(encoding="utf-8")
    found = re.findall(r"<title>(\w), (\w[ \w]*): ([^<]*)</title>", svg)
    assert found == [("a", "c", "0.00"), ("a", "d d", "1.00"), ("b", "c", "–"), ("b", "d d", "0.50")] * 2
    assert re.findall(r'fill-opacity="([\d.]+)"', svg) == ["0.04", "0", "0.52"] * 2
    assert re.search(r'fill="#ffffff"[^>]*>1.00<', svg)


def test_the_scale_of_a_matrix_follows_its_numbers(tmp_path):
    draw_matrices(tmp_path / "m.svg", [Matrix("", ["a"], ["b", "c" * 99], [[3, 12345]])])
    svg = (tmp_path / "m.svg").read_text(encoding="utf-8")
    assert {"3", "12,345"} <= set(texts(svg))
    assert re.search("c+…", svg)
    draw_matrices(tmp_path / "m.svg", [Matrix("", ["a"], ["b"], [[2.5]])])
    draw_matrices(tmp_path / "m.svg", [])
