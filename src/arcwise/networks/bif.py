"""Read and write networks in BIF, the Bayesian Interchange Format of the public network repositories.

Rows carry their parents' states, `(yes, low) 0.2, 0.8;`, and are read by those labels: files differ in the
order in which they list them. A `table` of a node with parents runs over the node's own states slowest and
over the last parent fastest, as in the format's definition. Files are written so that R's bnlearn, pgmpy and pyAgrum
read them, whatever the names: see `bif_names`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray
from arcwise.data.text_files import read_text, write_text
from arcwise.errors import FileError, GraphError, unknown_name
from arcwise.networks.bif_text import (
    Scanner,
    comments,
    number_words,
    read_originals,
    safe_nodes,
    safe_states,
    safe_title,
)
from arcwise.networks.discrete import BayesianNetwork
from arcwise.networks.network import Network
from arcwise.networks.tables import LEAST_SLACK, MOST_PARENTS, configuration_text, slack, sum_text

MOST_UNWRITTEN = 1 << 22  # probabilities of a node that a default may stand for: 32 MiB


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of a probability block: a row with its parents' states, or a table or default without any."""

    word: str  # "(", "table" or "default"
    labels: list[str]
    values: list[float]
    written: slice  # where the numbers stand in the file, with all their digits
    position: int


@dataclass(frozen=True, slots=True)
class _Block:
    """A probability block as read; it may stand before the variables it mentions, so it is resolved later."""

    parents: list[str]
    entries: list[_Entry]
    position: int


@checked
def read_bif(path: str | Path) -> Network:
    """The network in a .bif or .bif.gz file; nodes keep the order of the file's variable blocks."""
    scanner = Scanner(str(path), read_text(path))
    originals = read_originals(str(path), scanner.text)
    title = ""
    states: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, _Block] = {}
    while not scanner.at_end():
        start = scanner.position
        word = scanner.next("a block")
        if word == "network":
            title = _network_block(scanner)
        elif word == "variable":
            _variable_block(scanner, states)
        elif word == "probability":
            _probability_block(scanner, blocks)
        else:
            raise scanner.error(unknown_name("block", word, ("network", "variable", "probability")), start)
    for name, block in blocks.items():
        for mentioned in (name, *block.parents):
            if mentioned not in states:
                raise scanner.error(unknown_name("variable", mentioned, states), block.position)
    for name in states:
        if name not in blocks:
            raise FileError(f"{path}: variable {name!r} has no probability block; add one")
    cpts = tuple(_table(scanner, name, blocks[name], states) for name in states)
    called = {name: originals.names.get(name, name) for name in states}
    parents = tuple(tuple(called[parent] for parent in blocks[name].parents) for name in states)
    labels = tuple(tuple(originals.states.get(name, {}).get(s, s) for s in own) for name, own in states.items())
    title = title if originals.title is None else originals.title
    try:
        return BayesianNetwork(tuple(called.values()), labels, parents, cpts, title)
    except GraphError as error:
        raise FileError(f"{path}: {error}") from None


@checked
def write_bif(net: Network, path: str | Path) -> None:
    """Write `net` as BIF (gzipped if the name ends in .gz); reading it back gives an equal network.

    Names that some program cannot read are replaced, and stand in comments for `read_bif`.
    """
    written = dict(zip(net.names, safe_nodes(net.names), strict=True))
    labels = {name: safe_states(states) for name, states in zip(net.names, net.states, strict=True)}
    nodes = zip(net.names, written.values(), net.states, labels.values(), strict=True)
    lines = [*comments(net.title, nodes), f"network {safe_title(net.title)} {{", "}"]
    for name in net.names:
        listed = ", ".join(labels[name])
        lines += [f"variable {written[name]} {{", f"  type discrete [ {len(labels[name])} ] {{ {listed} }};", "}"]
    for name, parents, cpt in zip(net.names, net.parents, net.cpts, strict=True):
        given = f" | {', '.join(written[p] for p in parents)}" if parents else ""
        lines.append(f"probability ( {written[name]}{given} ) {{")
        rows = cpt.reshape(-1, cpt.shape[-1]).tolist()
        heads = (f"({', '.join(states)})" for states in product(*(labels[p] for p in parents)))
        for head, row in zip(heads if parents else ["table"], rows, strict=True):
            lines.append(f"  {head} {', '.join(map(repr, row))};")
        lines.append("}")
    write_text(path, "\n".join(lines) + "\n")


def _network_block(scanner: Scanner) -> str:
    """The network's name; `unknown` is how writers say that it has none."""
    title = "" if scanner.peek("{") else scanner.name("the network's name")
    _skip_block(scanner)
    return "" if title == "unknown" else title


def _variable_block(scanner: Scanner, states: dict[str, tuple[str, ...]]) -> None:
    start = scanner.skip()
    name = scanner.name("a variable's name")
    if name in states:
        raise scanner.error(f"variable {name!r} is declared twice; remove one declaration", start)
    scanner.expect("{")
    while not scanner.take("}"):
        start = scanner.skip()
        word = scanner.next("'type' or '}'")
        if word == "property":
            scanner.skip_property()
        elif word == "type" and name not in states:
            states[name] = _variable_states(scanner, name)
        else:
            raise scanner.error(f"variable {name!r} has {word!r} where one 'type' should be", start)
    if name not in states:
        raise scanner.error(f"variable {name!r} has no type; add 'type discrete [ n ] {{ states }};'")


def _variable_states(scanner: Scanner, name: str) -> tuple[str, ...]:
    start = scanner.skip()
    kind = scanner.name("the variable's type")
    if kind != "discrete":
        raise scanner.error(f"variable {name!r} is of type {kind!r}; only discrete networks can be read", start)
    scanner.expect("[")
    count = scanner.name("the number of states")
    scanner.expect("]")
    scanner.expect("{")
    states = tuple(scanner.names_until("}", what="a state"))
    scanner.expect("}")
    scanner.expect(";")
    if count != str(len(states)):
        raise scanner.error(f"variable {name!r} announces {count} states but lists {len(states)}", start)
    if len(set(states)) < len(states):
        raise scanner.error(f"variable {name!r} lists a state twice; states must be distinct", start)
    return states


def _probability_block(scanner: Scanner, blocks: dict[str, _Block]) -> None:
    """`( child | parents ) { entries }`; old files write `( child, parents )`."""
    scanner.expect("(")
    start = scanner.skip()
    node = scanner.name("a variable's name")
    if not scanner.take("|"):
        scanner.take(",")
    parents = scanner.names_until(")", what="a parent's name")
    scanner.expect(")")
    if node in blocks:
        raise scanner.error(f"variable {node!r} has two probability blocks; remove one", start)
    if len({node, *parents}) <= len(parents):
        raise scanner.error(f"the block of {node!r} names a variable twice; name each once", start)
    entries: list[_Entry] = []
    scanner.expect("{")
    while not scanner.take("}"):
        position = scanner.skip()
        word = scanner.next("a row or '}'")
        if word == "property":
            scanner.skip_property()
        elif word in ("(", "table", "default"):
            labels = scanner.names_until(")", what="a parent's state") if word == "(" else []
            if word == "(":
                scanner.expect(")")
            entries.append(_Entry(word, labels, *scanner.numbers(f"the block of {node!r}"), position))
        else:
            raise scanner.error(f"expected a row, 'table', 'default' or '}}' but found {word!r}", position)
    blocks[node] = _Block(parents, entries, start)


def _table(scanner: Scanner, node: str, block: _Block, states: dict[str, tuple[str, ...]]) -> FloatArray:
    """The block's entries as a CPT; every parent configuration must be given once, or by the default."""
    parent_states = [states[parent] for parent in block.parents]
    n_rows, n_states = prod(map(len, parent_states)), len(states[node])
    _check_size(scanner, node, block, n_rows, n_states)
    rows = np.full((n_rows, n_states), np.nan)
    default: list[float] | None = None
    for entry in block.entries:
        if entry.word == "(":
            row = _row_number(scanner, entry, block.parents, parent_states)
            taken = not np.isnan(rows[row, 0])
            rows[row] = entry.values
        elif entry.word == "table":
            taken = not np.isnan(rows).all()
            rows[:] = np.reshape(entry.values, (n_states, n_rows)).T
        else:
            taken = default is not None
            default = entry.values
        if taken:
            raise scanner.error(f"variable {node!r} has this entry twice; keep one", entry.position)
    missing = np.isnan(rows[:, 0])
    if default is not None:
        rows[missing] = default
    elif missing.any():
        given = configuration_text(int(np.argmax(missing)), block.parents, parent_states)
        raise scanner.error(f"variable {node!r} has no row{given}; add it or a default", block.position)
    _check_sums(scanner, node, rows, block, parent_states)
    return rows.reshape([*map(len, parent_states), n_states])


def _check_size(scanner: Scanner, node: str, block: _Block, n_rows: int, n_states: int) -> None:
    """Refuse entries of the wrong length, and a table that is far larger than what the file spells out of it."""
    for entry in block.entries:
        wanted = n_rows * n_states if entry.word == "table" else n_states
        if len(entry.values) != wanted:
            counts = f"{len(entry.values)} numbers instead of {wanted:,}"
            raise scanner.error(f"an entry of variable {node!r} has {counts}", entry.position)
    if len(block.parents) > MOST_PARENTS:
        counts = f"{len(block.parents)} parents; at most {MOST_PARENTS} are possible"
        raise scanner.error(f"variable {node!r} has {counts}", block.position)
    spelled = sum(len(entry.values) for entry in block.entries)
    if n_rows * n_states > max(MOST_UNWRITTEN, 8 * spelled):
        size = f"{n_rows * n_states:,} probabilities ({n_rows * n_states * 8 / 1e9:,.1f} GB)"
        raise scanner.error(
            f"the {len(block.parents)} parents of variable {node!r} make a table of {size}, of which the file gives "
            f"{spelled:,}; the rest may be at most {MOST_UNWRITTEN:,}",
            block.position,
        )


def _check_sums(
    scanner: Scanner, node: str, rows: FloatArray, block: _Block, parent_states: list[tuple[str, ...]]
) -> None:
    """Refuse rows that do not sum to 1, but for the rounding of few digits."""
    off = np.abs(rows.sum(axis=1) - 1)
    suspects = np.flatnonzero(off > LEAST_SLACK).tolist()
    if not suspects:
        return
    others = {entry.word: entry for entry in block.entries if entry.word != "("}
    labelled = [entry for entry in block.entries if entry.word == "("]
    at = {_row_number(scanner, entry, block.parents, parent_states): entry for entry in labelled}
    for row in suspects:
        entry = at.get(row) or others.get("table") or others["default"]
        if off[row] > slack(number_words(scanner.text[entry.written]), rows.shape[1]):
            given = configuration_text(row, block.parents, parent_states)
            raise scanner.error(sum_text(node, rows[row], given), entry.position)


def _row_number(scanner: Scanner, entry: _Entry, parents: list[str], parent_states: list[tuple[str, ...]]) -> int:
    """Position of the row labelled `(state, state, ...)`."""
    if len(entry.labels) != len(parents):
        counts = f"{len(entry.labels)} states for {len(parents)} parents"
        raise scanner.error(f"a row names {counts}; name one each", entry.position)
    row = 0
    for label, parent, states in zip(entry.labels, parents, parent_states, strict=True):
        if label not in states:
            raise scanner.error(unknown_name(f"state of {parent!r}", label, states), entry.position)
        row = row * len(states) + states.index(label)
    return row


def _skip_block(scanner: Scanner) -> None:
    """Pass a block that holds nothing but properties."""
    scanner.expect("{")
    while not scanner.take("}"):
        scanner.expect("property")
        scanner.skip_property()
