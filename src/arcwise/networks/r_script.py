"""Scripts that make a network with its numbers in R, with the package bnlearn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from arcwise.checking import checked
from arcwise.data.text_files import write_text
from arcwise.errors import GraphError
from arcwise.graph.io.r_script import quoted, to_r
from arcwise.networks.models.linear_gaussian import LinearGaussian, Slope
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table
from arcwise.networks.network import Network

PARTS_A_LINE = 6


@checked
def write_r(net: Network, path: str | Path) -> None:
    """Write a script after which `graph` is the bn object and `network` the bn.fit object: source("net.R").

    For networks of tables, or of linear regressions on continuous parents. Columns that the network cuts are their
    levels there.
    """
    write_text(path, network_script(net))


def network_script(net: Network) -> str:
    """What `write_r` writes."""
    distributions = ",\n".join(_distribution(model) for model in net.models)
    lines = [
        to_r(net.dag),
        "# `network` is a bn.fit object, for use in rbn(network, 100) or cpquery(network, ...).",
        "network <- custom.fit(graph, setNames(list(",
        distributions,
        f"), {_strings(net.names)}))",
    ]
    return "\n".join([*lines, ""])


def _distribution(model: ConditionalModel) -> str:
    if isinstance(model, Table):
        return _array(model)
    if isinstance(model, LinearGaussian) and all(isinstance(term, Slope) for term in model.terms):
        slopes = model.coefficients
        values = _numbers([model.intercept, *(slopes[parent] for parent in model.parents)])
        return f"  list(coef = setNames({values}, {_strings(('(Intercept)', *model.parents))}), sd = {model.sd!r})"
    parents = " and discrete parents" if isinstance(model, LinearGaussian) else ""
    raise GraphError(
        f"node {model.child!r} has a {model.kind} model{parents}, which cannot be written for bnlearn; "
        "fit with model='cpt', or with model='gaussian' where all columns are continuous"
    )


def _array(table: Table) -> str:
    """R runs through the first axis fastest: the node, then its parents from the first to the last."""
    axes = (len(table.parents), *range(len(table.parents)))
    turned = np.transpose(table.probabilities, axes)
    levels = ", ".join(_strings(own) for own in (table.levels, *table.parent_levels))
    labels = f"setNames(list({levels}), {_strings((table.child, *table.parents))})"
    shape = ", ".join(map(str, turned.shape))
    return f"  array({_numbers(turned.ravel(order='F').tolist())}, dim = c({shape}), dimnames = {labels})"


def _numbers(values: list[float]) -> str:
    return _vector([repr(value) for value in values])


def _strings(texts: Iterable[str]) -> str:
    return _vector([quoted(text) for text in texts])


def _vector(parts: list[str]) -> str:
    """A vector of R in short lines."""
    lines = (", ".join(parts[i : i + PARTS_A_LINE]) for i in range(0, len(parts), PARTS_A_LINE))
    return "c(" + ",\n    ".join(lines) + ")"
