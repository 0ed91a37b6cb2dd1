"""Graphviz DOT: all that we write, and the simple files of others (no subgraphs, ports or HTML labels)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from arcwise.checking import checked
from arcwise.errors import FileError
from arcwise.graph.io.assemble import Edge, Graph, assemble, edges_by_kind, type_word

DIR = {"directed": "", "undirected": " [dir=none]", "bidirected": " [dir=both]"}
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
UNESCAPES = {written: plain for plain, written in ESCAPES.items()}
ENTITY = re.compile(r"&(?=#?\w+;)")
MARK = re.compile(r"arcwise (\w+)")
TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)
      | (?P<edge>->|--)
      | (?P<sign>[{}\[\];,=:])
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<word>[^\W\d]\w*|-?(?:\.\d+|\d+(?:\.\d*)?))
    """,
    re.VERBOSE | re.DOTALL,
)


@checked
def to_dot(graph: Graph) -> str:
    """A digraph; undirected edges carry dir=none and bidirected ones dir=both, as Graphviz expects."""
    lines = ["digraph {", f'  graph [comment="arcwise {type_word(graph)}"];']
    lines += [f"  {_quote(name)}{_label(name)};" for name in graph.names]
    lines += [f"  {_quote(a)} -> {_quote(b)}{DIR[kind]};" for kind, a, b in edges_by_kind(graph)]
    return "\n".join([*lines, "}", ""])


def _label(name: str) -> str:
    """Graphviz would draw a name such as "&lt;" as "<": it gets a label that is drawn as the name."""
    return f" [label={_quote(ENTITY.sub('&amp;', name))}]" if ENTITY.search(name) else ""


def _quote(name: str) -> str:
    return '"' + re.sub(r'[\\"\n\r]', lambda found: ESCAPES[found[0]], name) + '"'


def _unquote(text: str) -> str:
    # DOT knows \" only; the other escapes are those that Graphviz applies to labels, and that we write.
    return re.sub(r"\\.", lambda found: UNESCAPES.get(found[0], found[0]), text[1:-1], flags=re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    is_id: bool
    line: int
    quoted: bool = False

    def says(self, word: str) -> bool:
        return not self.quoted and self.text.lower() == word


def _tokens(text: str) -> Iterator[_Token]:
    place, line = 0, 1
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise FileError(f"line {line}: cannot read {text[place : place + 20]!r} as DOT; write names in quotes")
        raw, sort = found[0], found.lastgroup
        if sort == "quoted":
            yield _Token(_unquote(raw), True, line, quoted=True)
        elif sort != "space":
            yield _Token(raw, sort == "word", line)
        line += raw.count("\n")
        place = found.end()
    yield _Token("end of file", False, line)


@dataclass(slots=True)
class _Reader:
    """Walks the tokens of one graph; `names` keeps the order of first mention."""

    tokens: list[_Token]
    place: int = 0
    names: dict[str, None] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    default_dir: str | None = None
    declared: str | None = None

    @property
    def here(self) -> _Token:
        return self.tokens[self.place]

    def take(self, wanted: str | None = None) -> _Token:
        """The next token, which must be `wanted`, or any id when that is None."""
        token = self.here
        if (wanted is None and not token.is_id) or (wanted is not None and not token.says(wanted)):
            raise FileError(f"line {token.line}: found {token.text!r} where DOT needs {wanted or 'a name'!r}")
        self.place += 1
        return token

    def skip(self, word: str) -> bool:
        found = self.here.says(word)
        self.place += found
        return found

    def graph(self) -> Graph:
        self.skip("strict")
        if not self.skip("graph"):
            self.take("digraph")
        if self.here.is_id:
            self.take()
        self.take("{")
        while not self.skip("}"):
            self.statement()
        self.take("end of file")
        return assemble(self.names, self.edges, self.declared)

    def statement(self) -> None:
        if self.skip(";"):
            return
        for word in ("graph", "node", "edge"):
            if self.skip(word):
                self.defaults(word, self.attributes())
                return
        if self.here.says("subgraph") or self.here.says("{"):
            raise FileError(f"line {self.here.line}: DOT subgraphs cannot be read; list their edges one by one")
        chain, signs = [self.take().text], list[str]()
        if self.skip("="):  # a graph attribute
            self.take()
            return
        while self.here.text in {"->", "--"} and not self.here.quoted:
            signs.append(self.here.text)
            self.place += 1
            chain.append(self.take().text)
        if self.here.says(":"):
            raise FileError(f"line {self.here.line}: DOT ports cannot be read; remove them or quote the name")
        line = self.here.line
        attributes = self.attributes()
        self.names.update(dict.fromkeys(chain))
        for a, sign, b in zip(chain[:-1], signs, chain[1:], strict=True):
            self.edges.append(_edge(a, sign, b, attributes.get("dir", self.default_dir), line))

    def defaults(self, word: str, attributes: dict[str, str]) -> None:
        if word == "edge":
            self.default_dir = attributes.get("dir", self.default_dir)
        mark = MARK.fullmatch(attributes.get("comment", "")) if word == "graph" else None
        if mark:
            self.declared = mark[1]

    def attributes(self) -> dict[str, str]:
        result: dict[str, str] = {}
        while self.skip("["):
            while not self.skip("]"):
                key = self.take().text
                self.take("=")
                result[key] = self.take().text
                if not self.skip(","):
                    self.skip(";")
        return result


def _edge(a: str, sign: str, b: str, way: str | None, line: int) -> Edge:
    match way or ("forward" if sign == "->" else "none"):
        case "forward":
            return "directed", a, b
        case "back":
            return "directed", b, a
        case "none":
            return "undirected", a, b
        case "both":
            return "bidirected", a, b
        case other:
            raise FileError(f"line {line}: edge attribute dir={other!r} is unknown; use forward, back, none or both")


@checked
def from_dot(text: str) -> Graph:
    """The graph of a DOT text; FileError with the line of what cannot be read."""
    return _Reader(list(_tokens(text))).graph()
