"""`python -m benchmarks [part ...]`: measure. Nothing else should run on the machine."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import accuracy, continuous, discretization, growth, hybrid, monti_cooper, neural, side_by_side
from benchmarks.contenders import EQUIVALENCE, HILL_CLIMBERS, HYBRIDS

FOLDER = Path("benchmarks/results")
PARTS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "hill-climb": lambda o: side_by_side.side_by_side(o.networks, o.rows, o.contenders, o.limit),
    "mmhc": lambda o: side_by_side.side_by_side(("alarm",), (500, 5_000), list(HYBRIDS), o.limit),
    "ges": lambda o: side_by_side.side_by_side(("alarm",), (500, 5_000), list(EQUIVALENCE), o.limit),
    "polynomial": lambda _: hybrid.polynomial(),
    "scale": lambda _: hybrid.scale(),
    "tiles": lambda _: hybrid.tiles(),
    "growth": lambda _: growth.growth(),
    "discretization": lambda _: discretization.discretization(),
    "sweeps": lambda _: discretization.sweeps(),
    "merging": lambda _: discretization.merging(),
    "pc": lambda _: continuous.pc(),
    "gaussian": lambda _: continuous.gaussian(),
    "kernel": lambda _: continuous.kernel(),
    "recursive-median": lambda _: continuous.median_test(),
    "neural-training": lambda _: neural.training(),
    "neural-families": lambda _: neural.families(),
    "monti-cooper-real": lambda _: monti_cooper.real(),
    "monti-cooper-simulated": lambda _: monti_cooper.simulated(),
    "accuracy": lambda o: accuracy.accuracy(o.methods),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=f"any of {', '.join(PARTS)}; all by default")
    parser.add_argument("--networks", nargs="+", default=side_by_side.NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=side_by_side.ROWS)
    names = list(HILL_CLIMBERS)
    parser.add_argument("--contenders", nargs="+", default=names, choices=names)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds after which a contender is given up on")
    parser.add_argument("--methods", nargs="+", default=list(accuracy.METHODS), help="for accuracy")
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in options.parts:
        print(f"\n{part}\n", flush=True)
        lines = []
        for line in PARTS[part](options):
            print(line, flush=True)
            lines.append(line)
        (FOLDER / f"{part}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
