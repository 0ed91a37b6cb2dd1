"""`python -m tests.golden.freeze`: write down what every preset answers on every table, to the last digit.

Tables on which a preset would take too long are left out: see LEFT_OUT. `compare` holds answers against these.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import arcwise
from arcwise import catalog
from arcwise.errors import ArcwiseError
from tests.golden.tables import TABLES

FOLDER = Path(__file__).parent / "answers"
SLOW = {"alarm", "child", "insurance_states"}
LEFT_OUT = {
    "exhaustive": {"alarm", "child", "insurance_states", "heart", "housing"},
    "neural": SLOW,
    "pc-recursive-median": SLOW,
}


def answer(method: str, table: str) -> dict[str, Any]:
    """Everything about a result that must not change; an error's text where there is no result."""
    try:
        result = arcwise.learn(TABLES[table](), method)
    except ArcwiseError as error:
        return {"error": str(error)}
    cuts = result.discretization
    return {
        "edges": sorted(f"{a} -> {b}" for a, b in result.cpdag.directed)
        + sorted(f"{a} - {b}" for a, b in result.cpdag.undirected)
        + sorted(f"{a} <-> {b}" for a, b in result.cpdag.bidirected),
        "graph": None if result.graph is None else sorted(f"{a} -> {b}" for a, b in result.graph.edges),
        "score": result.score,
        "thresholds": None if cuts is None else {name: list(map(float, at)) for name, at in cuts.thresholds.items()},
        "counters": asdict(result.counters),
        "status": result.status,
    }


def pairs() -> list[tuple[str, str]]:
    return [(m, t) for m in catalog.METHODS for t in TABLES if t not in LEFT_OUT.get(m, ())]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for method in sys.argv[1:] or catalog.METHODS:
        answers = {}
        for preset, table in pairs():
            if preset == method:
                began = perf_counter()
                answers[table] = answer(method, table)
                if perf_counter() - began > 5:
                    print(f"{method}, {table}: {perf_counter() - began:.0f} s", flush=True)
        (FOLDER / f"{method}.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
