"""The drawing of a network for the page: the scene of files without its legend, which the page has beside it."""

from __future__ import annotations

from arcwise.data.dataset import Dataset
from arcwise.drawing.files import to_svg
from arcwise.drawing.graphs import scene
from arcwise.drawing.sheet import MARGIN
from arcwise.graph.pdag import Pdag
from arcwise.results.result import LearnResult


def picture(result: LearnResult, data: Dataset, against: Pdag | None) -> str:
    """SVG text to stand in a page; every node and edge, however many there are."""
    ties = result.ties
    found = scene(
        result.cpdag,
        edge_weights=ties.values or None,
        weights_are=ties.measure or None,
        kinds={name: data.column(name).kind.value for name in result.names},
        against=against,
        whole=True,
    )
    found.groups = [group for group in found.groups if group.marks != "legend"]
    boxes = [box.bottom for group in found.groups for box in group.boxes]
    lines = [y for group in found.groups for line in group.lines for _, y in line.points]
    found.height = max([0.0, *boxes, *lines]) + MARGIN
    return to_svg(found)
