"""What somebody meant who wrote a name that is not known. A silly guess is worse than none.

The rules are tried in turn, and the first that finds anything decides: the same letters and digits, at last without
doubled ones; initials (`hc` is `hill-climb`); a beginning; a known name with an ending (`hillclimbing`); the beginning
of a later word; a letter left out (`kv` is `kgv`); a few mistyped letters; another number. More than three answers
are no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from unicodedata import combining, normalize

MOST = 3  # guesses
SHORTEST = 2  # letters of an abbreviation
SHORTEST_WORD = 3  # letters that stand for a later word, or that may have an ending
ALLOWED = ((10, 3), (6, 2), (3, 1))  # (letters, how many of them may be wrong)


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that were probably meant, in their order; none where nothing is near."""
    names = list(known)
    wanted = _folded(name)
    if not wanted:
        return ()
    for rule in RULES:
        found = [one for one in names if rule(wanted, one)]
        if found:
            return tuple(found) if len(found) <= MOST else ()
    return _mistyped(wanted, names) or _with_another_number(wanted, names)


def _folded(text: str) -> str:
    """Letters and digits alone: case, accents, blanks, hyphens and underscores are easily confused."""
    plain = "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))
    return "".join(sign for sign in plain if sign.isalnum())


def _words(name: str) -> list[str]:
    """ "pc-recursive-median", "max_parents" and "petalWidth" by their words."""
    return [word for word in map(_folded, re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", name)) if word]


def _is_same(wanted: str, name: str) -> bool:
    return _folded(name) == wanted


def _has_doubled(wanted: str, name: str) -> bool:
    return _single(_folded(name)) == _single(wanted)


def _single(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", text)


def _has_initials(wanted: str, name: str) -> bool:
    words = _words(name)
    return len(words) > 1 and "".join(word[0] for word in words) == wanted


def _begins(wanted: str, name: str) -> bool:
    return len(wanted) >= SHORTEST and _folded(name).startswith(wanted)


def _has_word(wanted: str, name: str) -> bool:
    """A later word of the name begins so: `climb` is in hill-climb."""
    return len(wanted) >= SHORTEST_WORD and any(word.startswith(wanted) for word in _words(name)[1:])


def _is_extended(wanted: str, name: str) -> bool:
    """`hillclimbing`, `tabu-search`: a known name with something behind it; a number there is another name."""
    own = _folded(name)
    return len(own) >= SHORTEST_WORD and wanted.startswith(own) and _digits(own) == _digits(wanted)


def _lacks_a_letter(wanted: str, name: str) -> bool:
    """One letter within the name is left out; its ends are right, so that this holds for two letters, too."""
    own = _folded(name)
    same_ends = own[:1] == wanted[:1] and own[-1:] == wanted[-1:] and _digits(own) == _digits(wanted)
    return len(wanted) >= SHORTEST and len(own) == len(wanted) + 1 and same_ends and _distance(wanted, own) == 1


RULES: tuple[Callable[[str, str], bool], ...] = (
    _is_same, _has_doubled, _has_initials, _begins, _is_extended, _has_word, _lacks_a_letter,
)  # fmt: skip


def _mistyped(wanted: str, names: list[str]) -> tuple[str, ...]:
    """The names with fewest letters wrong; digits are never mistyped for one another, as x1 is not x2."""
    most = next((wrong for letters, wrong in ALLOWED if len(wanted) >= letters), 0)
    found: dict[int, list[str]] = {}
    for name in names:
        own = _folded(name)
        if most and abs(len(own) - len(wanted)) <= most and _digits(own) == _digits(wanted):
            found.setdefault(_distance(wanted, own), []).append(name)
    best = min(found, default=most + 1)
    return tuple(found[best]) if best <= most and len(found[best]) <= MOST else ()


def _with_another_number(wanted: str, names: list[str]) -> tuple[str, ...]:
    """The one name with the same letters: `fu-2006` is fu-2005, but of x1 and x2 neither is x3."""
    letters = _letters(wanted)
    found = [name for name in names if letters and _letters(_folded(name)) == letters]
    return tuple(found) if len(found) == 1 else ()


def _letters(text: str) -> str:
    return "".join(sign for sign in text if not sign.isdigit())


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())


def _distance(a: str, b: str) -> int:
    """Letters to add, leave out, change or swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, sign in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (sign != other)))
            if i > 1 and j > 1 and sign == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], before[j - 2] + 1)
        before, last = last, row
    return last[-1]
