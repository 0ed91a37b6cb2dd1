"""Names that every reader of BIF takes: written in place of others, with the originals in comments of the file.

R's bnlearn wants nodes of letters, digits and underscores; pyAgrum refuses decimal numbers, signs and keywords; pgmpy
drops quotes and does not tell upper from lower case in nodes. So a name with anything else is written as one that all
of them read, and a line such as

    // arcwise {"node": "blood_type", "name": "blood type", "states": {"lt_5": "<5"}}

gives the original back to `read_bif`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from arcwise.checking import misfit
from arcwise.errors import FileError

KEYWORDS = frozenset({"network", "variable", "probability", "property", "type", "discrete", "table", "default"})
NODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
STATE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|-?[0-9]+")
# pgmpy looks for blocks by these words wherever they stand.
TITLE = re.compile(r"(?!.*(?:variable|probability))[A-Za-z_][A-Za-z0-9_]*")
SIGNS = {"<=": "le ", ">=": "ge ", "<": "lt ", ">": "gt ", "≤": "le ", "≥": "ge ", "+": " plus ", "%": " percent "}
MARK = re.compile(r"^[ \t]*// arcwise (\{.*\})[ \t]*\r?$", re.MULTILINE)


class _TitleContent(TypedDict):
    network: str


class _NodeContent(TypedDict):
    node: str
    name: str
    states: dict[str, str]


@dataclass(frozen=True, slots=True)
class Originals:
    """What the comments of a file say: the title, and by written node its name and the labels of its states."""

    title: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def safe_title(title: str) -> str:
    """A word for the network; `unknown` if it has no title."""
    return title if TITLE.fullmatch(title) and title not in KEYWORDS | {"unknown"} else "unknown"


def safe_nodes(names: Sequence[str]) -> list[str]:
    return _distinct(names, NODE, "node")


def safe_states(labels: Sequence[str]) -> list[str]:
    return _distinct(labels, STATE, "state")


def comments(title: str, nodes: Iterable[tuple[str, str, Sequence[str], Sequence[str]]]) -> list[str]:
    """The lines that hold the originals; `nodes` are (name, written name, states, written states)."""
    kept = not title or (safe_title(title) == title and title != "unknown")
    lines = [] if kept else [_mark({"network": title})]
    for name, written, states, written_states in nodes:
        changed = {w: s for s, w in zip(states, written_states, strict=True) if s != w}
        if name != written or changed:
            lines.append(_mark({"node": written, "name": name, "states": changed}))
    return lines


def read_originals(path: str, text: str) -> Originals:
    """All originals that the comments of a file give."""
    title: str | None = None
    names: dict[str, str] = {}
    states: dict[str, Mapping[str, str]] = {}
    for match in MARK.finditer(text):
        try:
            content = json.loads(match[1])
        except (ValueError, RecursionError):
            content = None
        if misfit(content, _TitleContent) is None:
            title = content["network"]
        elif misfit(content, _NodeContent) is None:
            names[content["node"]] = content["name"]
            states[content["node"]] = content["states"]
        else:
            line = text.count("\n", 0, match.start()) + 1
            raise FileError(f"{path}, line {line}: the comment with original names is damaged; remove it")
    return Originals(title, names, states)


def _mark(content: Mapping[str, Any]) -> str:
    return f"// arcwise {json.dumps(content)}"  # in ASCII, on one line


def _distinct(names: Sequence[str], safe: re.Pattern[str], fallback: str) -> list[str]:
    """Safe names stay; the others are spelled out, with a number if that is taken. Case does not tell names apart."""
    written: list[str | None] = [None] * len(names)
    taken: set[str] = set()
    for i, name in enumerate(names):
        if safe.fullmatch(name) and name.lower() not in taken | KEYWORDS:
            written[i] = name
            taken.add(name.lower())
    for i, name in enumerate(names):
        if written[i] is None:
            stem = _spelled(name, safe, fallback)
            number, word = 2, stem
            while word.lower() in taken | KEYWORDS:
                number, word = number + 1, f"{stem}_{number}"
            written[i] = word
            taken.add(word.lower())
    return [word for word in written if word is not None]


def _spelled(name: str, safe: re.Pattern[str], fallback: str) -> str:
    """`< 5.5` as lt_5.5, `Größe (cm)` as Gro_e_cm; a state may keep dots and hyphens, a node may not."""
    text = name
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = re.sub(r"[^A-Za-z0-9_.-]+" if safe is STATE else r"[^A-Za-z0-9_]+", "_", text).strip("_") or fallback
    return text if safe.fullmatch(text) else f"_{text}"
