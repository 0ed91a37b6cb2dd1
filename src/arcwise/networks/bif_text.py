"""The words of a BIF file: names quoted or bare, punctuation, comments, and the line each one stands on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import inf

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
