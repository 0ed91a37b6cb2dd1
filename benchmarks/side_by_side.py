"""Several libraries on the same data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from benchmarks.contenders import HILL_CLIMBERS
from benchmarks.measure import Case, Measurement, measure

NETWORKS = ("alarm", "child", "hailfinder", "insurance")
ROWS = (500, 5_000, 50_000)
LIMIT = 120.0  # seconds


def side_by_side(
    *,
    networks: Sequence[str] = NETWORKS,
    rows: Sequence[int] = ROWS,
    contenders: Sequence[str] = tuple(HILL_CLIMBERS),
    limit: float = LIMIT,
) -> Iterator[str]:
    """Lines of a table; a contender that does not finish a case in `limit` seconds is not tried on larger ones."""
    yield "BDeu (ess 1), data frame to graph, columns shuffled and renamed; medians of warm runs."
    yield ""
    libraries = sorted({name.partition(",")[0] for name in contenders})
    yield ", ".join(f"{name} {version(name)}" for name in libraries)
    yield ""
    yield "| network | rows | library | seconds | arcwise is faster by | mean score (same judge) | seeds | note |"
    yield "|---|---|---|---|---|---|---|---|"
    for network in networks:
        given_up: dict[str, int] = {}
        for n_rows in rows:
            ours: Measurement | None = None
            for contender in contenders:
                case = Case(network, n_rows)
                if contender in given_up:
                    note = f"not run: gave up at {given_up[contender]} rows"
                    result = Measurement(contender, case, None, note=note)
                else:
                    result = measure(contender, case, limit)
                if result.seconds is None:
                    given_up.setdefault(contender, n_rows)
                ours = ours or result
                yield _row(result, ours)


def _row(result: Measurement, ours: Measurement) -> str:
    case = result.case
    seconds = "" if result.seconds is None else f"{result.seconds:.4f}"
    ratio = ""
    if result.seconds is not None and ours.seconds is not None and result is not ours:
        ratio = f"{result.seconds / ours.seconds:.1f}x"
    score = "" if result.score is None else f"{result.score:.2f}"
    cells = (case.network, case.rows, result.contender, seconds, ratio, score, result.seeds or "", result.note)
    return "| " + " | ".join(map(str, cells)) + " |"
