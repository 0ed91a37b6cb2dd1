"""`python -m benchmarks`: hill climbing side by side, then growth. Nothing else should run on the machine."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from pathlib import Path

from benchmarks.contenders import CONTENDERS
from benchmarks.growth import growth
from benchmarks.measure import Case, Measurement, measure

NETWORKS = ("alarm", "child", "hailfinder", "insurance")
ROWS = (500, 5_000, 50_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS)
    parser.add_argument("--contenders", nargs="+", default=list(CONTENDERS), choices=list(CONTENDERS))
    parser.add_argument("--limit", type=float, default=120.0, help="seconds after which a contender is given up on")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/hill-climb.md"))
    options = parser.parse_args()

    lines = [
        "Hill climbing, BDeu (ess 1), data frame to graph, columns shuffled and renamed; medians of warm runs.",
        "",
    ]
    lines += [", ".join(f"{name} {version(name)}" for name in options.contenders if "," not in name), ""]
    lines += ["| network | rows | library | seconds | arcwise is faster by | mean score (same judge) | seeds | note |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    show(lines)
    for network in options.networks:
        given_up: dict[str, int] = {}
        for rows in options.rows:
            ours: Measurement | None = None
            for contender in options.contenders:
                case = Case(network, rows)
                if contender in given_up:
                    note = f"not run: gave up at {given_up[contender]} rows"
                    result = Measurement(contender, case, None, note=note)
                else:
                    result = measure(contender, case, options.limit)
                if result.seconds is None:
                    given_up.setdefault(contender, rows)
                ours = ours or result
                lines.append(row(result, ours))
                show(lines[-1:])
    lines += ["", "Growth with rows (arcwise, alarm)", "", *growth()]
    show(lines[-6:])
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(lines) + "\n")


def row(result: Measurement, ours: Measurement) -> str:
    case = result.case
    seconds = "" if result.seconds is None else f"{result.seconds:.4f}"
    ratio = ""
    if result.seconds is not None and ours.seconds is not None and result is not ours:
        ratio = f"{result.seconds / ours.seconds:.1f}x"
    score = "" if result.score is None else f"{result.score:.2f}"
    cells = (case.network, case.rows, result.contender, seconds, ratio, score, result.seeds or "", result.note)
    return "| " + " | ".join(map(str, cells)) + " |"


def show(lines: list[str]) -> None:
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
