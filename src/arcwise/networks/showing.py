"""A network in words, and as a notebook shows it: the graph, and the model of each node."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from arcwise.html_tables import html_table, short
from arcwise.printing import listed, printable

if TYPE_CHECKING:
    from arcwise.networks.models.protocol import ConditionalModel
    from arcwise.networks.network import Network

MOST_ROWS = 60  # nodes in the table of a notebook
HEADS = ("node", "model", "parents")


def as_text(network: Network) -> str:
    rows = [HEADS, *map(_row, network.models)]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{node:<{widths[0]}}  {kind:<{widths[1]}}  {parents}".rstrip() for node, kind, parents in rows]
    return "\n".join([repr(network), *lines, *(f"warning: {printable(warning)}" for warning in network.warnings)])


def as_html(network: Network) -> str:
    """The picture of the graph where it has room, and below it what each node is."""
    rows = [(*map(short, _row(model)), _levels(network, model)) for model in network.models[:MOST_ROWS]]
    more = len(network.models) - len(rows)
    parts = [f"<p><strong>{escape(repr(network))}</strong></p>", network.dag._repr_html_()]
    parts += [f"<p>warning: {escape(printable(warning))}</p>" for warning in network.warnings]
    parts.append(html_table(rows, (*HEADS, "values")))
    return "\n".join([*parts, *([f"<p>and {more} nodes more: .models has all</p>"] if more else [])])


def _row(model: ConditionalModel) -> tuple[str, str, str]:
    return printable(model.child), model.kind, printable(listed(model.parents))


def _levels(network: Network, model: ConditionalModel) -> str:
    if network.discretization is not None and model.child in network.discretization.thresholds:
        return network.discretization.describe(model.child)
    return short(listed(model.levels)) if model.levels else "numbers"
