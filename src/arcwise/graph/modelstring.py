"""The model strings of R's bnlearn: "[A][B|A][C|A:B]" is each node with its parents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arcwise.errors import GraphError

SIGNS = re.compile(r"[\[\]|:]")
NODE = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|:]+(?::[^\[\]|:]+)*))?\]\s*")


def fits(name: str) -> bool:
    """Whether a model string can hold this name."""
    return bool(name) and SIGNS.search(name) is None


def model_terms(families: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """A term "[node|parent:parent]" for each node and its parents."""
    terms = []
    for node, parents in families:
        if not fits(node):
            what = "has one of the signs [ ] | :" if node else "is empty"
            raise GraphError(
                f"node name {node!r} {what}, which no model string can hold; rename the node, or save another format"
            )
        terms.append(f"[{node}|{':'.join(parents)}]" if parents else f"[{node}]")
    return terms


def parse_terms(text: str) -> list[tuple[str, list[str]]]:
    """Each node of a model string with its parents; GraphError with the place of what cannot be read."""
    families: list[tuple[str, list[str]]] = []
    text = text.strip()
    place = 0
    while place < len(text):
        found = NODE.match(text, place)
        if found is None:
            raise GraphError(
                f"character {place + 1}: cannot read {text[place : place + 20]!r} as part of a model string; "
                "write each node as [node] or [node|parent:parent]"
            )
        families.append((found[1], found[2].split(":") if found[2] else []))
        place = found.end()
    return families
