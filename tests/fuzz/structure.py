"""Damage to the structure of JSON: any entry of the tree becomes something else, is lost, or comes twice."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.fuzz.mutation import ROUNDS, SEED

OTHERS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.5, -0.25, 1e308, 10**30, 10**400, "", "x", "a", "\ud800", "\n", "b" * 300),
    *([], {}, [[]], [None], [1, 2], ["a", "b"], ["a", "a"], {"a": 1}, {"kind": []}, {"format": 3}, [[["a", "b"]]]),
)


def restructured(seeds: Sequence[Any], rounds: int = ROUNDS) -> Iterator[bytes]:
    """`rounds` JSON texts, each a seed with one to three entries changed; the same ones for the same SEED."""
    rng = random.Random(SEED)
    for _ in range(rounds):
        content = [copy.deepcopy(rng.choice(seeds))]  # so that the whole can be replaced, too
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            _change(content, rng)
        yield json.dumps(content[0] if content else None).encode()


def _change(content: list[Any], rng: random.Random) -> None:
    if not content:
        return
    holder, key = rng.choice(list(_places(content)))
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 1:
            holder[f"{key}s"] = holder[key]
        case 2:  # another entry of the same tree
            other, place = rng.choice(list(_places(content)))
            holder[key] = copy.deepcopy(other[place])
        case 3 if isinstance(holder[key], int | float) and abs(holder[key]) < 10**30:
            holder[key] = rng.choice((holder[key] + 1, -holder[key], holder[key] * 1e9, str(holder[key])))
        case _:
            holder[key] = copy.deepcopy(rng.choice(OTHERS))


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    """(the list or dict, the position or key) of every entry, from the outermost inwards."""
    for key in range(len(content)) if isinstance(content, list) else list(content):
        yield content, key
        if isinstance(content[key], list | dict):
            yield from _places(content[key])
