"""The words of a BIF file, quoted or bare, with the line each stands on; and names that every reader of BIF takes.

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
from math import inf
from typing import Any, TypedDict

from arcwise.checking import misfit
from arcwise.errors import FileError

# A bare word is any run without blanks, punctuation, quotes or the start of a comment: real files hold
# states such as <5, 12+ and Asy/Patch.
# Quantifiers are possessive (++, *+): a failing match must not be retried in other ways.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_COMMENT = r"//[^\n]*+|/\*.*?\*/"
_SKIP = re.compile(rf"(?:\s++|{_COMMENT})*+", re.DOTALL)
_TOKEN = re.compile(rf'(?P<quoted>{_QUOTED})|[{{}}()\[\],;|]|(?:[^\s{{}}()\[\],;|"/]|/(?![/*]))++', re.DOTALL)
_NUMBERS = re.compile(rf"((?:[^;/]++|{_COMMENT})*+);", re.DOTALL)
_PROPERTY = re.compile(rf'(?:[^;"]++|{_QUOTED})*+;', re.DOTALL)  # free text: // in an address is no comment
_NUMBER = re.compile(r"\+?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ESCAPE = re.compile(r'\\([\\"nr])')
KEYWORDS = frozenset({"network", "variable", "probability", "property", "type", "discrete", "table", "default"})
NODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
STATE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|-?[0-9]+")
# pgmpy looks for blocks by these words wherever they stand.
TITLE = re.compile(r"(?!.*(?:variable|probability))[A-Za-z_][A-Za-z0-9_]*")
SIGNS = {"<=": "le ", ">=": "ge ", "<": "lt ", ">": "gt ", "≤": "le ", "≥": "ge ", "+": " plus ", "%": " percent "}
MARK = re.compile(r"^[ \t]*// arcwise (\{.*\})[ \t]*\r?$", re.MULTILINE)


@dataclass(slots=True)
class Scanner:
    """Reads one word after another; `position` is where the next one starts."""

    path: str
    text: str
    position: int = 0
    quoted: bool = field(default=False, init=False)  # whether the last word stood in quotes

    def error(self, message: str, position: int | None = None) -> FileError:
        """The error to raise, with the line of `position` (by default, where reading stopped)."""
        end = self.position if position is None else position
        return FileError(f"{self.path}, line {self.text.count(chr(10), 0, end) + 1}: {message}")

    def skip(self) -> int:
        """Pass blanks and comments; the position after them."""
        self.position = _SKIP.match(self.text, self.position).end()  # type: ignore[union-attr]  # always matches
        return self.position

    def at_end(self) -> bool:
        return self.skip() == len(self.text)

    def next(self, what: str) -> str:
        """The next word or punctuation mark; `what` says in an error what was expected."""
        start = self.skip()
        match = _TOKEN.match(self.text, start)
        if match is None:
            if start == len(self.text):
                raise self.error(f"the file ends where {what} should be; is it cut off?")
            thing = "comment" if self.text[start] == "/" else "quotation"
            raise self.error(f"a {thing} starts here and never ends; close it")
        self.position = match.end()
        self.quoted = match["quoted"] is not None
        return _unquoted(match[0]) if self.quoted else match[0]

    def peek(self, mark: str) -> bool:
        """Whether the punctuation mark or keyword `mark` comes next."""
        start = self.skip()
        match = _TOKEN.match(self.text, start)
        return match is not None and match[0] == mark

    def take(self, mark: str) -> bool:
        """Pass `mark` if it comes next."""
        found = self.peek(mark)
        if found:
            self.position += len(mark)
        return found

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            start = self.position
            got = self.next(repr(mark))
            raise self.error(f"expected {mark!r} but found {got!r}", start)

    def name(self, what: str) -> str:
        """The next word, which must not be punctuation."""
        start = self.skip()
        word = self.next(what)
        if not self.quoted and word in "{}()[],;|":
            raise self.error(f"expected {what} but found {word!r}", start)
        return word

    def names_until(self, *ends: str, what: str) -> list[str]:
        """Words separated by commas or blanks, up to one of the marks `ends`, which is left in place."""
        words: list[str] = []
        while not any(self.peek(end) for end in ends):
            words.append(self.name(what))
            self.take(",")
        return words

    def skip_property(self) -> None:
        """Pass the text of a property up to its semicolon."""
        match = _PROPERTY.match(self.text, self.position)
        if match is None:
            raise self.error("a property has no ';' at its end; add it")
        self.position = match.end()

    def numbers(self, what: str) -> tuple[list[float], slice]:
        """Probabilities separated by commas or blanks, up to the semicolon, and where they stand."""
        start = self.skip()
        match = _NUMBERS.match(self.text, start)
        if match is None:
            raise self.error(f"{what} has numbers without ';' at their end; add it")
        self.position = match.end()
        text, words = match[1], number_words(match[1])
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = []
        # float() also takes "nan", "inf" and "1_0", which are no probabilities.
        if len(values) < len(words) or "_" in text or not all(0 <= value < inf for value in values):
            strange = next(word for word in words if not (_NUMBER.fullmatch(word) and float(word) < inf))
            raise self.error(f"{what} holds {strange!r}, which is no probability", start)
        return values, slice(*match.span(1))


def number_words(text: str) -> list[str]:
    """The numbers of an entry as they are written."""
    plain = re.sub(_COMMENT, " ", text, flags=re.DOTALL) if "/" in text else text
    return plain.replace(",", " ").split()


def _unquoted(text: str) -> str:
    """The name inside the quotes; a backslash has a meaning before a quote, a backslash, n and r only."""
    marks = {"n": "\n", "r": "\r"}
    return _ESCAPE.sub(lambda match: marks.get(match[1], match[1]), text[1:-1])


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
