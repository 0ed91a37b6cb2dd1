"""`python -m benchmarks [part ...]`: measure. Nothing else should run on the machine."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import signature
from pathlib import Path

from benchmarks import (
    accuracy,
    automatic,
    cluster,
    confidence,
    continuous,
    dense,
    discretization,
    families,
    growth,
    hidden,
    hybrid,
    levels,
    long,
    missing,
    monti_cooper,
    neural,
    noise,
    queries,
    report_page,
    side_by_side,
    wide,
)
from benchmarks.contenders import CONTENDERS, EQUIVALENCE, HYBRIDS

FOLDER = Path("benchmarks/results")
ON_ALARM = partial(side_by_side.side_by_side, networks=("alarm",), rows=(500, 5_000))
# A part takes those of the options below that its function has parameters for; defaults are the function's.
PARTS: dict[str, Callable[..., Iterator[str]]] = {
    "hill-climb": side_by_side.side_by_side,
    "mmhc": partial(ON_ALARM, contenders=list(HYBRIDS)),
    "ges": partial(ON_ALARM, contenders=list(EQUIVALENCE)),
    "polynomial": hybrid.polynomial,
    "scale": hybrid.scale,
    "tiles": hybrid.tiles,
    "growth": growth.growth,
    "discretization": discretization.discretization,
    "sweeps": discretization.sweeps,
    "merging": discretization.merging,
    "pc": continuous.pc,
    "gaussian": continuous.gaussian,
    "kernel": continuous.kernel,
    "recursive-median": continuous.median_test,
    "dense": dense.dense,
    "columns": dense.large,
    "wide": wide.wide,
    "levels": levels.levels,
    "long": long.long_tables,
    "cluster": cluster.cluster,
    "long-peers": long.long_peers,
    "hidden": hidden.hidden,
    "neural-training": neural.training,
    "neural-families": neural.families,
    "monti-cooper-real": monti_cooper.real,
    "monti-cooper-simulated": monti_cooper.simulated,
    "accuracy": accuracy.accuracy,
    "noise": noise.noise,
    "automatic-simulated": automatic.simulated,
    "automatic-real": automatic.real,
    "missing": missing.missing,
    "missing-sweeps": missing.sweeps,
    "queries": queries.marginals,
    "predictions": queries.predictions,
    "wine": queries.wine,
    "confidence": confidence.confidence,
    "families": families.families,
    "families-real": families.real,
    "report-clicks": report_page.clicks,
    "report-command": report_page.command,
}
OPTIONS = {
    "networks": {"nargs": "+"},
    "rows": {"nargs": "+", "type": int},
    "contenders": {"nargs": "+", "choices": [*CONTENDERS, *dense.SEARCHES]},
    "limit": {"type": float, "help": "seconds after which a contender is given up on"},
    "methods": {"nargs": "+", "help": f"any of {', '.join(accuracy.METHODS)}, or a preset of arcwise"},
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}; all by default")
    for option, how in OPTIONS.items():
        parser.add_argument(f"--{option}", **how)
    options = parser.parse_args(arguments)
    parts = options.parts or list(PARTS)
    given = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    for part in parts:
        if part not in PARTS:
            parser.error(f"no part {part!r}; choose from {', '.join(PARTS)}")
        for option in given:
            if not takes(part, option):
                others = ", ".join(name for name in PARTS if takes(name, option))
                parser.error(f"{part} does not take --{option}; name the part that does: {others}")
    try:
        accuracy.check_methods(given.get("methods", ()))
    except ValueError as error:
        parser.error(str(error))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in parts:
        print(f"\n{part}\n", flush=True)
        lines = []
        for line in PARTS[part](**given):
            print(line, flush=True)
            lines.append(line)
        (FOLDER / f"{part}.md").write_text("\n".join(lines) + "\n")


def takes(part: str, option: str) -> bool:
    """Whether a part has this option: several sizes as `rows` are one of its parameters, a single size is not."""
    found = signature(PARTS[part]).parameters.get(option)
    return found is not None and not isinstance(found.default, int)


if __name__ == "__main__":
    main()
