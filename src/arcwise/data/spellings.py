"""One level written in different ways: case and spaces, accents, first letters for words, and words for yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from unicodedata import combining, normalize

import numpy as np

from arcwise.data.levels import label_numbers

_BLANKS = re.compile(r"[\s_.-]+")
_TRUTHS = (frozenset({"yes", "y", "true", "t", "1"}), frozenset({"no", "n", "false", "f", "0"}))
Groups = Mapping[str, Sequence[str]]


def merge_key(label: str) -> str:
    """What labels that differ in case, spaces, points, hyphens and underscores only have in common."""
    return _BLANKS.sub(" ", label.casefold()).strip() or label


def by_key(labels: Iterable[str]) -> dict[str, list[str]]:
    """The labels by what they have in common."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(merge_key(label), []).append(label)
    return groups


def alike(groups: Groups) -> list[Sequence[str]]:
    """The groups of several labels, none of which is a number: 1.0 and 10 differ in more than a point."""
    return [group for group in groups.values() if len(group) > 1 and np.isnan(label_numbers(group)).all()]


def meant(groups: Groups, rows: Mapping[str, int]) -> dict[str, str]:
    """Keys that seem to mean another, each with that key. rows: how many have each; of equals the first."""
    found = _truths(groups, rows)
    return found or {**_accents(groups, rows), **_initials(groups)}


def _truths(groups: Groups, rows: Mapping[str, int]) -> dict[str, str]:
    """1, true and y for yes, where a column has nothing else, and more than two of them."""
    sides = [[key for key in groups if key in words] for words in _TRUTHS]
    if len(groups) < 3 or not all(sides) or sum(map(len, sides)) < len(groups):
        return {}
    most = [max(side, key=lambda key: rows.get(key, 0)) for side in sides]
    return {key: full for side, full in zip(sides, most, strict=True) for key in side if key != full}


def _accents(groups: Groups, rows: Mapping[str, int]) -> dict[str, str]:
    """jose beside josé."""
    bare: dict[str, list[str]] = {}
    for key in groups:
        bare.setdefault("".join(sign for sign in normalize("NFD", key) if not combining(sign)), []).append(key)
    found: dict[str, str] = {}
    for keys in bare.values():
        full = max(keys, key=lambda key: rows.get(key, 0))
        found |= {key: full for key in keys if key != full}
    return found


def _initials(groups: Groups) -> dict[str, str]:
    """Single letters that begin exactly one other level, which is a word: f beside female."""
    found = {}
    for key in groups:
        if len(key) == 1 and key.isalpha():
            words = [other for other in groups if len(other) > 2 and other.isalpha() and other.startswith(key)]
            if len(words) == 1 and not all(label.isupper() for label in groups[words[0]]):
                found[key] = words[0]
    return found
