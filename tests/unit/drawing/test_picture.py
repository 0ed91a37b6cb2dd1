"""`plot`: a picture that notebooks show and that can be saved."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path
from xml.etree import ElementTree

import pytest

import arcwise
from arcwise.drawing.picture import Picture
from arcwise.errors import FileError, GraphError, OptionError
from arcwise.graph import Dag, Pdag, draw


def test_graphs_plot_themselves(tmp_path: Path) -> None:
    dag = Dag("abc", ["ab", "bc"])
    picture = dag.plot(title="three")
    assert picture.svg == picture._repr_svg_() == draw(dag, title="three")
    assert picture.svg in picture._repr_html_()
    assert Pdag("ab", undirected=["ab"]).plot(tmp_path / "p.svg").svg == (tmp_path / "p.svg").read_text("utf-8")
    for suffix, magic in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        picture.save(tmp_path / f"three{suffix}")
        assert (tmp_path / f"three{suffix}").read_bytes().startswith(magic)
    assert repr(picture).startswith("Picture(")
    with pytest.raises(FrozenInstanceError):
        picture.scene = None  # type: ignore[misc,assignment]


def test_a_wrong_suffix_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="unknown suffix"):
        Dag("ab").plot(tmp_path / "p.gif")
    with pytest.raises(OptionError, match="'path' of save"):
        Dag("ab").plot().save(5)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def result() -> arcwise.LearnResult:
    return arcwise.learn(arcwise.datasets.load("cars1"), "hill-climb", bootstrap=4)


def test_a_result_knows_its_kinds_strengths_and_title(result: arcwise.LearnResult, tmp_path: Path) -> None:
    picture = result.plot(tmp_path / "p.svg", target="mpg")
    assert isinstance(picture, Picture)
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    classes = {group.get("data-node"): group.get("class") for group in root.iter(f"{svg}g") if group.get("data-node")}
    assert classes[str(result.names.index("mpg"))] == "node continuous target"
    assert classes[str(result.names.index("origin"))].startswith("node discrete")
    texts = [element.text for element in root.iter(f"{svg}text")]
    assert any(text.startswith("hill-climb: ") for text in texts)
    assert "width and number: share of the 4 resamples with the edge" in texts
    assert sum(text.endswith("%") for text in texts) >= result.cpdag.n_edges - 2
    titled = result.plot(title="My cars").svg
    assert ">My cars<" in titled
    assert "hill-climb" not in titled


def test_a_result_against_the_graph_of_another(result: arcwise.LearnResult) -> None:
    svg = result.plot(against=result.cpdag).svg
    assert svg.count(' same" data-edge') == result.cpdag.n_edges
    with pytest.raises(GraphError, match="unknown node"):
        result.plot(around="wheels")
    assert result.plot(around="mpg").svg.count("data-node") < len(result.names) + 1


def test_strengths_plot_the_averaged_network(result: arcwise.LearnResult) -> None:
    assert result.bootstrap is not None
    all_edges = result.bootstrap.plot(threshold=0.01).svg.count("data-edge")
    assert result.bootstrap.plot(threshold=1.0, title="sure").svg.count("data-edge") < all_edges
