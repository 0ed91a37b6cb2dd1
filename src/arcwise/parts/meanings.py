"""What the options of a part mean, from the docstring of its class, where each stands as `name: what it is`."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from inspect import getdoc
from typing import Any

# Options that hold a part of their own mean the same wherever they stand.
INNER = {
    "score": "what networks are judged by",
    "search": "how the network is looked for",
    "test": "how independence is tested",
    "policy": "what thresholds are judged by",
    "initial": "the thresholds to begin with",
    "discretizer": "how continuous columns are cut",
    "first": "finds the order of the columns",
    "skeleton": "finds which columns are joined",
    "draws": "how hidden cells are drawn",
    "candidates": "the methods that compete",
    "learner": "learns from the filled table",
    "of": "the searches that are run",
    "continuous": "for tables of continuous columns",
    "mixed": "for other tables",
    "discrete": "for tables of discrete columns",
    "otherwise": "for other tables",
}


@cache
def meanings(part: Any) -> dict[str, str]:
    """A few words about each option of a class of parts; what follows a semicolon or a stop is left out."""
    text = " ".join((getdoc(part) or "").split())
    if text.startswith(f"{part.__name__}("):  # what Python writes where there is no docstring
        text = ""
    names = [option.name for option in fields(part)]
    either = "|".join(map(re.escape, names)) or "$."
    found: dict[str, str] = {}
    for match in re.finditer(rf"(?<![\w`])((?:(?:{either}), )*(?:{either})): ", text):
        ended = re.search(rf"[,;]? (?:(?:{either}), )*(?:{either}): |;|\.(?= |$)", text[match.end() :])
        words = text[match.end() :][: ended.start() if ended else None].strip()
        open_bracket = words.rfind("(") if words.count("(") > words.count(")") else None
        found |= dict.fromkeys(match[1].split(", "), words[:open_bracket].strip())
    return {name: found.get(name) or INNER.get(name, "") for name in names}
