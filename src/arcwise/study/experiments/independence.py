"""Tests of independence: what they say about X and Y where the answer is known, and about columns of real tables.

A test looks at the values as they are, or at bins that a rule cuts first, as the rivals of Margaritis (2005) do.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, ClassVar

from arcwise import catalog
from arcwise.checking import shown
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.text_files import as_json
from arcwise.errors import ArcwiseError, OptionError, unknown_name
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import TestResult
from arcwise.parts.spec import to_spec
from arcwise.running import Stopped
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, texts, whole
from arcwise.study.known_answers import KNOWN, PAIRS
from arcwise.study.sources import disguised

SIMULATED = ("tables", "functions", "noise", "rows", "runs")
REAL = ("questions",)
ENTRIES = (*SIMULATED, *REAL, "tests")
_warm: set[str] = set()  # tests that this process has its kernels for


@dataclass(frozen=True, kw_only=True)
class Independence:
    """tests: what each needs, a test and the rule of its bins. tables: of `known_answers`, with as many rows.

    functions, noise: of Lambda and V networks. questions: about real tables instead.
    """

    kind: ClassVar[str] = "independence"

    tests: Mapping[str, Mapping[str, Any]]
    tables: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    noise: tuple[float, ...] = ()
    rows: tuple[int, ...] = (1000,)
    runs: int = 1
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    data: Mapping[str, Dataset] = field(default_factory=dict)  # what was read from files, by source

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> Independence:
        check_entries("it", entries, ENTRIES)
        tests = _tests(entries.get("tests"))
        if "questions" in entries:
            _leave_out(entries, SIMULATED, "a real table has its rows")
            questions, data = _questions(entries["questions"], context)
            return Independence(tests=tests, questions=questions, data=data)
        tables = tuple(texts("tables", entries.get("tables", [])))
        for name in tables:
            if name not in KNOWN:
                raise OptionError(unknown_name("table", name, KNOWN))
        if not tables:
            raise OptionError(f"it needs tables ({', '.join(KNOWN)}), or questions about real tables")
        given: dict[str, Any] = {
            "rows": numbers("rows", entries.get("rows", [1000]), whole_from=2),
            "runs": whole("runs", entries.get("runs", 1)),
        }
        with_functions = [KNOWN[name].has_functions for name in tables]
        if not any(with_functions):
            _leave_out(entries, ("functions", "noise"), f"{tables[0]!r} has its own")
        elif not all(with_functions):
            raise OptionError("Lambda and V networks have functions and noise, other tables have none; ask apart")
        else:
            given["functions"] = tuple(texts("functions", entries.get("functions", list(PAIRS))))
            for pair in given["functions"]:
                if pair not in PAIRS:
                    raise OptionError(unknown_name("pair of functions", pair, PAIRS))
            given["noise"] = numbers("noise", entries.get("noise", [0.25]))
        return Independence(tests=tests, tables=tables, **given)

    def axes(self) -> Axes:
        """All tests are given the same table."""
        if self.questions:
            return {"question": tuple(self.questions), "test": tuple(self.tests)}
        found: dict[str, Any] = {"run": tuple(range(1, self.runs + 1)), "table": self.tables}
        found |= {"functions": self.functions, "noise": self.noise} if self.functions else {}
        return {**found, "rows": self.rows, "test": tuple(self.tests)}

    def task(self, place: Place) -> Mapping[str, Any]:
        test = dict(self.tests[str(place["test"])])
        if self.questions:
            return {"question": dict(self.questions[str(place["question"])]), **test}
        return {"table": {axis: value for axis, value in place.items() if axis != "test"}, **test}

    def shared(self) -> Mapping[str, Any]:
        return self.data

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """A table is seeded by its run, its kind and its functions: fewer rows are the head of more."""
        if monitor.should_stop():
            raise Stopped
        with at_most(1):
            if "question" in task:
                return _of_real_table(task, shared)
            return _where_known(task)


def _where_known(task: Mapping[str, Any]) -> dict[str, Any]:
    place = task["table"]
    known, functions = KNOWN[place["table"]], place.get("functions")
    seed = seed_of(f"independence/{place['run']}/{place['table']}/{functions or ''}")
    data, names = disguised(known.table(place["rows"], seed, functions, place.get("noise")), seed)
    answers, seconds = _asked(task, data, [(names["X"], names["Y"], [names[z] for z in known.given])])
    result, independent = answers[0]
    values: dict[str, Any] = {"seconds": round(seconds, 6), "no-answer": int(independent is None)}
    values |= {"right": int(independent == known.independent), "independent": int(independent is True)}
    if not isnan(result.value):
        values["value"] = result.value
        if "log_I" in result.details:
            values |= {"I": result.value, "U": result.details["U"], "slices": result.details["slices"]}
        else:
            values["p"] = result.value
    return values


def _of_real_table(task: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """Of one column with each of others: the share that is independent, and by their names those that are not."""
    one = task["question"]
    answers, seconds = _asked(task, shared[one["data"]], [(one["x"], y, one["given"]) for y in one["y"]])
    decisions = dict(zip(one["y"], [independent for _, independent in answers], strict=True))
    there = [result.value for result, _ in answers if not isnan(result.value)]
    return {
        "asked": len(decisions),
        "independent": sum(decision is True for decision in decisions.values()) / len(decisions),
        "dependent": [name for name, decision in decisions.items() if decision is False],
        "unanswered": [name for name, decision in decisions.items() if decision is None],
        "no-answer": sum(decision is None for decision in decisions.values()),
        **({"least": min(there)} if there else {}),
        "seconds": round(seconds, 6),
    }


def _asked(
    task: Mapping[str, Any], data: Dataset, questions: Sequence[tuple[str, str, Sequence[str]]]
) -> tuple[list[tuple[TestResult, bool | None]], float]:
    """Each answer, and whether it is independence: None without an answer. The first time a process does it twice."""
    key = as_json({part: task.get(part) for part in ("spec", "bins")})
    for _ in range(1 if key in _warm else 2):
        began = time.thread_time()
        test = catalog.from_spec(task["spec"])
        bins = None if task.get("bins") is None else catalog.from_spec(task["bins"])
        bound = test.bind(data if bins is None else bins.fit(data).apply(data))
        column = data.names.index
        results = [bound.test(column(x), column(y), [column(z) for z in given]) for x, y, given in questions]
        seconds = time.thread_time() - began
    _warm.add(key)
    return [(one, None if isnan(one.value) else one.value >= test.level) for one in results], seconds


def _tests(entries: Any) -> dict[str, dict[str, Any]]:
    """By their labels: {test = "chi-squared", bins = "sturges"} and further options of the test."""
    if not isinstance(entries, Mapping) or not entries:
        raise OptionError('it needs tests by name: tests = {Sturges = {test = "chi-squared", bins = "sturges"}}')
    return {label: _test(label, one) for label, one in entries.items()}


def _test(label: str, entries: Any) -> dict[str, Any]:
    if not isinstance(entries, Mapping):
        raise OptionError(f"test {label!r} must be a table of entries, not {shown(entries)}")
    rest = dict(entries)
    bins = rest.pop("bins", None)
    try:
        test = catalog.configure(catalog.find("test", rest.pop("test", label), catalog.TESTS)(), rest)
        if bins is None and Kind.CONTINUOUS not in test.accepts:
            raise OptionError(f'the test {test.kind!r} needs levels; say what cuts the columns: bins = "scott"')
        return {"spec": to_spec(test), "bins": None if bins is None else _bins(bins)}
    except ArcwiseError as error:
        raise OptionError(f"test {label!r}: {error}") from None


def _bins(entries: Any) -> dict[str, Any]:
    options = {"kind": entries} if isinstance(entries, str) else dict(entries)
    rule = catalog.find("rule for bins", options.pop("kind", ""), catalog.DISCRETIZERS)
    return to_spec(catalog.configure(rule(), options))


def _questions(entries: Any, context: Context) -> tuple[dict[str, Mapping[str, Any]], dict[str, Dataset]]:
    """By their labels: {source = "@housing", x = "INDUS", given = ["CRIM"]}, and y, or all other columns."""
    if not isinstance(entries, Mapping) or not entries:
        raise OptionError('questions must be tables by name: {source = "@housing", x = "INDUS", given = ["CRIM"]}')
    found: dict[str, Mapping[str, Any]] = {}
    data: dict[str, Dataset] = {}
    for label, one in entries.items():
        if not isinstance(one, Mapping):
            raise OptionError(f"question {label!r} must be a table of entries, not {shown(one)}")
        check_entries(f"question {label!r}", one, ("source", "x", "y", "given"))
        sources, tables = context.chosen_sources([one.get("source", "")])
        key = next(iter(sources.values())).get("data")
        if key is None:
            raise OptionError(f"question {label!r} is not about a table; name a source with data")
        data |= tables
        names = tables[key].names
        given = texts("given", one.get("given", []))
        x = one.get("x", "")
        others = [name for name in names if name != x and name not in given]
        asked = {"data": key, "x": x, "y": texts("y", one.get("y", others)), "given": given}
        for name in (x, *asked["y"], *given):
            if name not in names:
                raise OptionError(unknown_name(f"column of question {label!r}:", name, names))
        if not asked["y"] or len({x, *asked["y"], *given}) < 1 + len(asked["y"]) + len(given):
            raise OptionError(f"question {label!r} needs x, y and what is given to be different columns")
        found[label] = asked
    return found, data


def _leave_out(entries: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in entries:
            raise OptionError(f"{name} has no meaning here, as {why}; leave it out")
