"""The kinds of experiments that a plan can ask for, each in a file of its own that is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from arcwise.study.cells import Experiment

_HOMES = {
    "learn": "learning:Learning",
    "independence": "independence:Independence",
    "response": "response:Response",
    "exact-scores": "exact_scores:ExactScores",
    "graph-counts": "graph_counts:GraphCounts",
    "graph-recovery": "graph_recovery:GraphRecovery",
    "exploded": "exploded:Exploded",
    "removal": "removal:Removal",
}


class _Kinds(Mapping[str, type[Experiment]]):
    def __getitem__(self, kind: str) -> type[Experiment]:
        module, _, name = _HOMES[kind].partition(":")
        found: type[Experiment] = getattr(import_module(f"{__name__}.{module}"), name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


KINDS: Mapping[str, type[Experiment]] = _Kinds()
