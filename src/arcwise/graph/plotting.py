"""`plot` of graphs. Pictures are made one layer up: this is the one place that reaches there, when it is asked to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from arcwise.drawing.picture import Options, Picture


class Plottable:
    """A graph that can be drawn."""

    def plot(self, path: str | Path | None = None, **options: Unpack[Options]) -> Picture:
        """A picture that notebooks show; with a path, such as "net.svg", it is written there, too.

        options: title, target (a node that stands out, with its Markov blanket), kinds (by name, "continuous" or
        "discrete"), edge_weights (by pairs of names) with weights_are ("share" or "nats"), against (another graph),
        around (a node) with distance, whole; see `arcwise.drawing.draw`.
        """
        from arcwise.drawing.picture import picture

        graph: Any = self
        return picture(graph, path, **options)
