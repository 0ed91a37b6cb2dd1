"""How a result came about, and how to get it again: the method, its options, the steps, the command, the versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from arcwise.errors import ArcwiseError
from arcwise.printing import duration, in_shell, printable
from arcwise.report.typed_again import knowledge_options, reading_options
from arcwise.results.result import LearnResult

CHARTED = 400  # points of the line of scores
NAMED = 200  # steps that are written out
JUDGING = "judging"  # the phase in which one of several methods is chosen


def origin_content(result: LearnResult, command: str) -> dict[str, Any]:
    facts = [
        ("method", printable(result.method or "not recorded")),
        ("chosen", "" if result.choice is None else result.choice.words()),
        ("random numbers start from", "" if result.seed is None else str(result.seed)),
        ("time", duration(result.elapsed) if result.elapsed else ""),
        ("score", "" if result.score is None else f"{result.score:,.2f}"),
        ("page written", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")),
    ]
    return {
        "facts": [fact for fact in facts if fact[1]],
        "command": printable(command or again(result)),
        "exact": bool(command),
        "versions": [[printable(name), printable(text)] for name, text in result.versions.items()],
        "options": [[path, text] for path, text in _options(result.found_by)],
        "trace": _trace(result),
    }


def again(result: LearnResult) -> str:
    """A command that learns the same from the same table, as far as a result can tell; empty where it cannot."""
    changed, known = _changes(result), knowledge_options(result.knowledge)
    if changed is None or known is None:
        return ""
    reading = {} if result.data is None else result.data.provenance.reading
    words = ["arcwise learn DATA", f"--method {in_shell(result.method)}", *reading_options(reading), *known]
    words += [f"--set {in_shell(f'{path}={value}')}" for path, value in changed]
    words += [f"--seed {result.seed}"] if result.seed else []
    words += [f"--bootstrap {result.bootstrap.graphs}"] if result.bootstrap is not None else []
    return " ".join(words)


def _changes(result: LearnResult) -> list[tuple[str, Any]] | None:
    """The options that are not those of the preset; None where there is no preset, or where they do not tell all."""
    from arcwise import catalog
    from arcwise.parts.spec import option_paths, to_spec

    try:
        preset, used = catalog.method(result.method), catalog.from_spec(result.spec)
        usual, own = option_paths(preset.learner), option_paths(used)
        changed = [(path, value) for path, value in own.items() if usual.get(path, value) != value]
        same = to_spec(catalog.configure(preset.learner, {path: str(value) for path, value in changed}))
    except ArcwiseError:
        return None
    return changed if same == dict(result.spec) else None


def _options(spec: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every option of a specification by its dotted path, as text."""
    if isinstance(spec, Mapping):
        for name, value in spec.items():
            where = f"{path}.{name}" if path else name
            yield from _options(value, where.removesuffix(".kind") if name == "kind" and path else where)
    elif isinstance(spec, list) and any(isinstance(one, Mapping) for one in spec):
        for k, one in enumerate(spec, 1):
            yield from _options(one, f"{path} {k}")
    else:
        yield printable(path), "none" if spec is None else printable(str(spec))


def _trace(result: LearnResult) -> dict[str, Any]:
    """A thinned line of scores, and the first and last steps in words.

    What methods were judged by is no score of a network, and the numbers of tests are counts of edges: no line of them.
    """
    steps = result.trace
    scored = [] if result.score is None else [step for step in steps if step.phase != JUDGING]
    every = max(1, -(-len(scored) // CHARTED))
    points = [
        [k + 1, printable(step.phase), _finite(step.score)]
        for k, step in enumerate(scored)
        if k % every == 0 or k == len(scored) - 1
    ]
    shown = steps if len(steps) <= NAMED else (*steps[: NAMED // 2], *steps[-NAMED // 2 :])
    lines = [[printable(one.phase), one.step, printable(one.action), _finite(one.score)] for one in shown]
    return {"points": points, "steps": lines, "left_out": len(steps) - len(shown)}


def _finite(score: float) -> float | None:
    return score if isfinite(score) else None
