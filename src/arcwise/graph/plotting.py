"""`plot` of graphs. Pictures are made one layer up: this is the one place that reaches there, when it is asked to."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Unpack

from arcwise.html_tables import as_written

if TYPE_CHECKING:
    from arcwise.drawing.picture import Options, Picture


PICTURED = 60  # most nodes of a graph that a notebook shows as a picture
LINE = 100  # characters


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

    def _repr_html_(self) -> str:
        """A picture, or a list of the edges where a page has no room for one."""
        graph: Any = self
        if graph.n_nodes <= PICTURED:
            return self.plot()._repr_html_()
        return as_written("\n".join(wrap(str(graph), LINE, break_long_words=False)))
