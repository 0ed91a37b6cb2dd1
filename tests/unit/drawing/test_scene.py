"""One scene, whatever is drawn: each shape in each kind of file, in the right place and order."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.drawing.curves import draw_descent
from arcwise.drawing.files import to_bytes, to_svg, write
from arcwise.drawing.scene import DASHED, Box, Dot, Group, Letters, Line, Scene, fitted, width_of
from arcwise.errors import FileError

SVG = "{http://www.w3.org/2000/svg}"
RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def everything() -> Scene:
    """A red box, a green line across it, a blue dot on the line; a framed box, a curve with a head, three words."""
    head = ((100.0, 90.0), (95.0, 80.0), (105.0, 80.0))
    curve = ((100.0, 10.0), (100.0, 30.0), (100.0, 50.0), (100.0, 80.0))
    on_white = Letters("!", 70.0, 78.0, 8.0, halo="#ffffff")
    return Scene(
        width=160.0,
        height=100.0,
        boxes=[Box(10, 10, 50, 50, RED), Box(120, 10, 150, 40, BLUE, border=GREEN, tooltip="a <b>")],
        lines=[
            Line(((0.0, 30.0), (60.0, 30.0)), GREEN, 6.0),
            Line(((0.0, 60.0), (90.0, 60.0)), GREEN, 2.0, dashes=DASHED),
        ],
        groups=[
            Group("edge", (("edge", "0-1"),), "x -> y", lines=(Line(curve, RED, 4.0, curved=True, heads=(head,)),)),
            Group("node", boxes=(Box(60, 70, 80, 80, BLUE, border=GREEN, radius=0.0),), letters=(on_white,)),
        ],
        dots=[Dot(30.0, 30.0, 5.0, BLUE)],
        letters=[
            Letters("left & right", 10.0, 95.0, 10.0),
            Letters("end", 150.0, 95.0, 10.0, align="right", bold=True),
        ],
        title="all <shapes>",
    )


def test_svg_holds_every_shape() -> None:
    root = ElementTree.fromstring(to_svg(everything()))
    assert len(list(root.iter(f"{SVG}rect"))) == 4  # with the paper
    assert len(list(root.iter(f"{SVG}path"))) == 3
    assert [e.get("fill") for e in root.iter(f"{SVG}polygon")] == [RED]
    assert [e.get("r") for e in root.iter(f"{SVG}circle")] == ["5"]
    assert [e.text for e in root.iter(f"{SVG}text")] == ["!", "left & right", "end"]
    assert {e.text for e in root.iter(f"{SVG}title")} == {"all <shapes>", "a <b>", "x -> y"}
    (edge,) = (e for e in root.iter(f"{SVG}g") if e.get("class") == "edge")
    assert edge.get("data-edge") == "0-1"
    assert [child.tag for child in edge] == [f"{SVG}title", f"{SVG}path", f"{SVG}polygon"]


@pytest.mark.parametrize(
    ("x", "y", "color"),
    [
        (20, 15, (1, 0, 0)),  # the box
        (20, 30, (0, 1, 0)),  # the line above it
        (30, 30, (0, 0, 1)),  # the dot above the line
        (100, 50, (1, 0, 0)),  # the curve
        (100, 83, (1, 0, 0)),  # its head
        (135, 25, (0, 0, 1)),  # the framed box
        (62, 72, (0, 0, 1)),  # the box of a group, with square corners
        (75, 20, (1, 1, 1)),  # the paper
    ],
)
def test_png_has_the_shapes_in_their_places(x: int, y: int, color: tuple[int, int, int]) -> None:
    from matplotlib.image import imread

    pixels = np.asarray(imread(BytesIO(to_bytes(everything(), "png")), format="png"))
    assert pixels[2 * y, 2 * x, :3].tolist() == pytest.approx(color, abs=0.02)


def test_a_picture_is_always_the_same_file(tmp_path: Path) -> None:
    for suffix in ("svg", "png", "pdf"):
        for name in ("one", "two"):
            write(everything(), tmp_path / f"{name}.{suffix}")
        assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()
    with pytest.raises(FileError, match=r"unknown suffix '\.gif'"):
        write(everything(), tmp_path / "one.gif")


def test_svg_needs_no_drawing_library(tmp_path: Path) -> None:
    script = """
import sys, arcwise, numpy as np
data = arcwise.Dataset.from_frame({"x": np.sin(np.arange(50.0)), "y": np.cos(np.arange(50.0))})
arcwise.drawing.draw_thresholds(data, arcwise.discretize.EqualFrequency().fit(data), "a.svg")
arcwise.drawing.draw_slices(data, "x", "y", [], "b.svg")
arcwise.drawing.draw(arcwise.Dag("ab", ["ab"]), "c.svg")
arcwise.discretize.Hartemink().descend(data).draw("d.svg")
print("matplotlib" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.split()[-1] == "False", done.stderr


@pytest.mark.parametrize("highest", [1, 2, 3, 20, 21, 45, 300])
def test_curves_stay_inside_and_say_their_numbers(highest: int, tmp_path: Path) -> None:
    levels = np.arange(1, highest + 1)
    draw_descent(tmp_path / "c.svg", levels, np.sqrt(levels - 1.0), 0.01 * levels, min(highest, 5), 20)
    root = ElementTree.parse(tmp_path / "c.svg").getroot()
    for dot in root.iter(f"{SVG}circle"):
        assert 0 < float(dot.attrib["cx"]) < float(root.attrib["width"])
        assert 0 < float(dot.attrib["cy"]) < float(root.attrib["height"])
    words = [str(element.text) for element in root.iter(f"{SVG}text")]
    assert f"knee: {min(highest, 5)} levels" in words
    assert ("the whole descent" in words) is (highest > 20)
    assert words.count("levels of each column") == 1 + (highest > 20)
    assert {"0", str(min(highest, 20))} <= set(words)


@given(st.text(max_size=60), st.floats(20.0, 400.0))
def test_as_much_of_a_text_as_fits(text, room):
    found = fitted(text, room, 11.0)
    if width_of(text, 11.0) <= room:
        assert found == text
        return
    assert text.startswith(found[:-1])
    assert found[-1] == "…"
    assert width_of(found, 11.0) <= room + 1e-9
    assert width_of(f"{text[: len(found)]}…", 11.0) > room - 1e-9
