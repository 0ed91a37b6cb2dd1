"""Learning a network from a table with any method, from resamples of it, and with several methods to compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arcwise import catalog, compiling
from arcwise.checking import Seed, checked
from arcwise.confidence.resamples import Resamples, check_number, resampled
from arcwise.data.choices import Orders
from arcwise.data.dataset import MISSING_BY_DEFAULT, Dataset, Kind, Missing
from arcwise.data.missing import NaWords
from arcwise.data.reading.door import Reading, TableLike, as_dataset
from arcwise.data.recipe import RecipeLike
from arcwise.data.validate import Names, check_rows
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.judging.comparing import Contest, Ways, what
from arcwise.judging.comparing import compare as compare_methods
from arcwise.judging.folds import check_folds
from arcwise.learners.completed import Completed, completing
from arcwise.learners.draws import Draws
from arcwise.learners.sampled import sampling, table_sample
from arcwise.method_names import MethodName
from arcwise.parts.knowledge import NONE, EdgesLike, Knowledge, TiersLike
from arcwise.parts.monitor import Both, Monitor, Progress, as_monitor, stop_on_interrupt, with_deadline
from arcwise.parts.progress import shown
from arcwise.parts.protocols import ChoosingLearner, IncompleteLearner, Learner
from arcwise.parts.spec import kinds_of
from arcwise.presets import COMPARED, COMPARED_OF_LEVELS
from arcwise.printing import printable
from arcwise.problem import Problem, complete, table_doubts
from arcwise.results.choice import Choice
from arcwise.results.comparison import Comparison
from arcwise.results.result import LearnResult
from arcwise.results.strengths import Resample, Strengths
from arcwise.running import Store
from arcwise.running.anywhere import Given, solved, table_of
from arcwise.stats.threads import n_threads

MethodLike = MethodName | str | catalog.Method | Learner | Mapping[str, Any]
RESAMPLES = 200
RESAMPLE: Resample = "rows"


@checked
def learn(
    data: TableLike,
    method: MethodLike = catalog.DEFAULT_METHOD,
    *,
    continuous: Names | None = (),
    discrete: Names | None = (),
    ordered: Orders | None = (),
    drop: Names | None = (),
    missing: Missing = MISSING_BY_DEFAULT,
    na: NaWords | None = (),
    weights: str | None = None,
    recipe: RecipeLike | None = None,
    knowledge: Knowledge | Mapping[str, Any] | None = None,
    required: EdgesLike | None = None,
    forbidden: EdgesLike | None = None,
    tiers: TiersLike | None = None,
    start: Dag | None = None,
    seed: Seed = 0,
    sample_rows: int | None = None,
    bootstrap: int | None = None,
    scheduler: Any = None,
    deadline: float | None = None,
    progress: bool = False,
    monitor: Monitor | Callable[[Progress], object] | None = None,
    **options: Any,
) -> LearnResult:
    """Learn a network from a Dataset, a data frame, a dict of columns, a NumPy array or a file.

        result = arcwise.learn("cars.csv", "steck", required=["weight -> mpg"], ess=10)
        print(result)

    method: a preset or its name, a learner put together by hand, or the `spec` of an earlier result. The presets:

        chosen by the data             auto
        discretize, then learn         equal-width, equal-frequency, sturges, scott, freedman-diaconis, hartemink,
                                       neural-discretized
        discretize while learning      friedman, monti, monti-orders, steck, optimal, chen, top-down
        hidden states                  hidden-states
        directly from continuous data  kgv, kernel-orders, gaussian, conditional-gaussian,
                                       copula, smooth, neural
        independence tests             pc, pc-recursive-median, tpda, mmpc, pmms
        hybrid                         mmhc, pmmhc
        search and score               hill-climb, tabu, ges, boss, best, k2, sparse-candidate, optimal-reinsertion,
                                       exhaustive

    `methods()` says in a line what each does, `options("steck")` what it can be told. `options` change single settings
    by their path (`search__score__ess=10`) or, where it is unambiguous, by the last word (`ess=10`).

    How the table is read. continuous, discrete: columns of that kind, whatever they look like. ordered: discrete ones
    with levels in an order, their own (["age"]) or a given one ({"size": ["small", "medium", "large"]}). drop: columns
    to leave out. missing: what becomes of missing cells ("learn" keeps them as missing, "error" refuses them, "drop"
    leaves out their rows, "state" makes them a level of their own). na: words and numbers that mean missing, in all
    columns (["-", -99]) or in some ({"age": [-99]}). weights: a column that says how many times each row counts.
    recipe: how the table is read, from the file that `arcwise check` writes, see `check`.

    What is known. required, forbidden: edges, as "a -> b" or ("a", "b"). tiers: groups of columns, earliest first; no
    column points at one of an earlier group. knowledge: the same in one, a Knowledge or a dict; all of it adds up.
    start: graph to start from, for searches that start from one.

    sample_rows: learn from so many rows, drawn at random. Methods that look at rows themselves do so in tables that are
    too long to be read at once, with 50,000 rows unless told; where they find thresholds in the sample, the network is
    learned from all rows with these. The result says what was done.

    How it goes. progress: show how far it is, in a line on stderr or below the cell of a notebook. monitor: is told
    each step, also a function such as `print`. bootstrap: learn from so many resamples, too; the result's `strengths`
    are the shares of their graphs with each edge, see `bootstrap`. scheduler: the address of a Dask cluster, or a
    `distributed.Client`, on whose workers the rows are kept and counted; the graph is the same. deadline: seconds after
    which the best graph so far is returned, not counting those in which kernels are compiled. Ctrl-C does the same; a
    second one interrupts. The result's `status` is then "stopped", or "unanswered" where there was nothing to return
    yet.
    """
    began = compiling.clock()
    reading: Reading = {
        "continuous": continuous,
        "discrete": discrete,
        "ordered": ordered,
        "drop": drop,
        "missing": missing,
        "na": na,
        "weights": weights,
        "recipe": recipe,
    }
    with table_of(data, reading, scheduler) as table:
        name, own, learner = _asked(table, method, options, seed, deadline)
        known = _known(table, knowledge, required, forbidden, tiers)
        if bootstrap is not None:
            check_number(bootstrap)  # before anything is learned
        solver = sampling(learner, table, sample_rows, far=scheduler is not None)
        with _watched(monitor, progress, deadline, [own], table) as watcher:
            answer, found = solved(table, solver, Given(known, start, int(seed)), watcher, scheduler)
            if bootstrap is not None:
                own_name = name if answer.chosen is None else _chosen_name(name, answer.chosen)
                rows, drawn = table_sample(table, sample_rows, int(seed))
                resamples = Resamples.of(rows, answer.chosen or learner, RESAMPLE, int(seed), known)
                shares = resampled(
                    resamples, bootstrap, table.names, method=own_name, scheduler=scheduler, monitor=watcher
                )
                found = _with_shares(found, shares, drawn)
        if found.choice is not None:
            found = replace(found, choice=found.choice.named(_preset_names(found.choice)))
        found = replace(found, knowledge=known)
        return complete(found, solver, table, method=name, seed=int(seed), began=began, chosen=answer.chosen)


def _with_shares(found: LearnResult, shares: Strengths, drawn: Sequence[str]) -> LearnResult:
    """drawn: what is to be said of the rows that were resampled."""
    told = shares.warnings if shares.graphs else ("stopped before anything was learned from a resample",)
    told = (*told, *(f"shares of graphs with each edge: {sentence}" for sentence in drawn))
    return replace(found, bootstrap=shares if shares.graphs else None, warnings=(*found.warnings, *told))


def _preset_names(choice: Choice) -> dict[str, str]:
    """The methods that were tried, by the names under which they are known; those that share one keep their own."""
    found = {one.name: catalog.name_of(catalog.from_spec(one.spec)) for one in choice.tried if one.spec}
    names = list(found.values())
    return {own: name for own, name in found.items() if names.count(name) == 1}


def _chosen_name(method: str, chosen: Learner) -> str:
    """For what was learned by the one that a method chose."""
    return f"{catalog.name_of(chosen)}, chosen by {method}"


@checked
def bootstrap(
    data: TableLike,
    method: MethodLike = catalog.DEFAULT_METHOD,
    n: int = RESAMPLES,
    *,
    resample: Resample = RESAMPLE,
    continuous: Names | None = (),
    discrete: Names | None = (),
    ordered: Orders | None = (),
    drop: Names | None = (),
    missing: Missing = MISSING_BY_DEFAULT,
    na: NaWords | None = (),
    weights: str | None = None,
    recipe: RecipeLike | None = None,
    knowledge: Knowledge | Mapping[str, Any] | None = None,
    required: EdgesLike | None = None,
    forbidden: EdgesLike | None = None,
    tiers: TiersLike | None = None,
    seed: Seed = 0,
    sample_rows: int | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    store: str | Path | None = None,
    deadline: float | None = None,
    progress: bool = False,
    monitor: Monitor | Callable[[Progress], object] | None = None,
    **options: Any,
) -> Strengths:
    """How sure the edges of a network are: learn from n resamples of the table and count the graphs with each edge.

        strengths = arcwise.bootstrap("cars.csv", "steck", 200, progress=True)
        print(strengths)

    resample: "rows", as many as there are, drawn with replacement; "half" of them, without; "draws" of what is hidden,
    in tables with missing cells and for the method hidden-states. The method `auto` chooses once, from all rows. How
    the table is read, method, options, what is known, seed, progress and monitor: as for `learn`. sample_rows: begin
    with so many rows, drawn at random; 50,000 where a table is too long to be read at once.
    workers: processes at once, with this one; None: more than this one where that pays, up to the number of threads.
    scheduler: the address of a Dask cluster, or a `distributed.Client`, that works instead. What comes out does not
    depend on either.
    store: a file in which each finished resample is kept; with the same file a run that was ended goes on, also with a
    larger n. After `deadline` seconds, or Ctrl-C, what is finished counts; the `status` is then "stopped", or
    "unanswered" where nothing is.
    """
    table = as_dataset(
        data,
        continuous=continuous,
        discrete=discrete,
        ordered=ordered,
        drop=drop,
        missing=missing,
        na=na,
        weights=weights,
        recipe=recipe,
    )
    table, drawn = table_sample(table, sample_rows, int(seed))
    name, own, learner = _asked(table, method, options, seed, deadline)
    known = _known(table, knowledge, required, forbidden, tiers)
    check_number(n)
    resamples = Resamples.of(table, learner, resample, int(seed), known)
    with _watched(monitor, progress, deadline, [own], table) as watcher:
        if isinstance(learner, ChoosingLearner):
            rng = np.random.default_rng(seed)
            learner = learner.choose(Problem.of(table, rng=rng, knowledge=known, monitor=watcher))
            name, resamples = _chosen_name(name, learner), Resamples.of(table, learner, resample, int(seed), known)
        shares = resampled(
            resamples,
            n,
            table.names,
            method=name,
            workers=workers,
            scheduler=scheduler,
            store=store,
            monitor=watcher,
        )
    return replace(shares, warnings=(*drawn, *map(printable, table_doubts(table)), *shares.warnings))


@checked
def compare(
    data: TableLike,
    methods: Sequence[MethodLike] | str | None = None,
    *,
    continuous: Names | None = (),
    discrete: Names | None = (),
    ordered: Orders | None = (),
    drop: Names | None = (),
    missing: Missing = MISSING_BY_DEFAULT,
    na: NaWords | None = (),
    weights: str | None = None,
    recipe: RecipeLike | None = None,
    knowledge: Knowledge | Mapping[str, Any] | None = None,
    required: EdgesLike | None = None,
    forbidden: EdgesLike | None = None,
    tiers: TiersLike | None = None,
    folds: int = 5,
    seed: Seed = 0,
    sample_rows: int | None = None,
    budget: float | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    store: str | Path | None = None,
    progress: bool = False,
    monitor: Monitor | Callable[[Progress], object] | None = None,
) -> Comparison:
    """Learn a network with each of several methods, and judge them by rows that they have not seen.

        print(arcwise.compare("cars.csv", ["steck", "gaussian", "pc"], progress=True))

    methods: presets or their names, learners, or the `spec` of earlier results; none: some that differ and suit the
    kinds of the columns. Each is judged by the log density of the values themselves in `folds` folds, in each of which
    everything is learned anew from the other rows. budget: seconds for all of it; methods that are not ready then are
    listed with what they had. workers: how many pieces of the work at once (none: as many as pay); scheduler: a Dask
    cluster that does it instead. store: a file in which finished pieces are kept, so that a run that was ended goes on
    where it was. How the table is read, what is known, seed, progress and monitor: as for `learn`; Ctrl-C ends it with
    what is there. sample_rows: begin with so many rows, drawn at random; 50,000 where a table is too long to be read at
    once.
    """
    table = as_dataset(
        data,
        continuous=continuous,
        discrete=discrete,
        ordered=ordered,
        drop=drop,
        missing=missing,
        na=na,
        weights=weights,
        recipe=recipe,
    )
    table, drawn = table_sample(table, sample_rows, int(seed))
    check_rows(table.n_rows)
    check_folds(folds, table.n_rows)
    _check_numbers(seed, budget, "budget")
    chosen = _methods(methods, table)
    known = _known(table, knowledge, required, forbidden, tiers)
    contest = Contest(
        table, {name: completing(one, table, Draws()) for name, one in chosen.items()}, known, folds, seed
    )
    kept = None if store is None else Store(store, what(contest))
    with _watched(monitor, progress, None, chosen.values(), table) as watcher:
        found = compare_methods(contest, Ways(watcher, budget, workers, scheduler, kept))
    return replace(found, warnings=(*drawn, *found.warnings))


class _Asked(NamedTuple):
    """A method, the learner that it is, and the one that suits the table."""

    name: str
    own: Learner
    learner: Learner


def _asked(
    table: Dataset,
    method: MethodLike,
    options: Mapping[str, Any],
    seed: int,
    deadline: float | None,
) -> _Asked:
    """What all who learn are given, checked."""
    check_rows(table.n_rows)  # rows of a Dataset may have been taken away since it was read
    name, learner, drawing = _learner(method, options)
    _check_numbers(seed, deadline, "deadline")
    return _Asked(name, learner, _for_table(learner, table, drawing))


@contextmanager
def _watched(
    monitor: Monitor | Callable[[Progress], object] | None,
    progress: bool,
    deadline: float | None,
    learners: Iterable[Learner],
    table: Dataset,
) -> Iterator[Monitor]:
    """The monitor, also of Ctrl-C and compiling, and from when the learners' kernels are compiled of the deadline.

    progress: the user watches, too.
    """
    own = as_monitor(monitor)
    with ExitStack() as stack:
        watcher: Monitor = stack.enter_context(stop_on_interrupt(own))
        if progress:
            watcher = Both(watcher, stack.enter_context(shown()))
        stack.enter_context(compiling.announced())
        for learner in learners:
            _compile_ahead(learner, table, watcher)
        yield watcher if deadline is None else with_deadline(watcher, deadline)


def _methods(methods: Sequence[MethodLike] | str | None, table: Dataset) -> dict[str, Learner]:
    """The learners by the names of their methods; a second one of a name has a number behind it."""
    if methods is None:
        discrete = all(kind is Kind.DISCRETE for kind in table.kinds)
        methods = COMPARED_OF_LEVELS if discrete else COMPARED
    wanted = (methods,) if isinstance(methods, str) else tuple(methods)
    if not wanted:
        raise OptionError("there is no method to compare; name at least one, or leave `methods` out")
    found: dict[str, Learner] = {}
    for name, learner, _ in (_learner(method, {}) for method in wanted):
        if learner in found.values():
            raise OptionError(f"the method {name!r} is given twice; name each once")
        again = sum(other == name or other.startswith(f"{name} (") for other in found)
        found[f"{name} ({again + 1})" if again else name] = learner
    return found


def _known(
    table: Dataset,
    knowledge: Knowledge | Mapping[str, Any] | None,
    required: EdgesLike | None,
    forbidden: EdgesLike | None,
    tiers: TiersLike | None,
) -> Knowledge:
    """All that is known; what is wrong with it is told before anything is compiled."""
    known = knowledge if isinstance(knowledge, Knowledge) else Knowledge.from_dict(knowledge) if knowledge else NONE
    known += Knowledge(required or (), forbidden or (), tiers or ())
    known.bind(table.names)
    return known


def _check_numbers(seed: int, seconds: float | None, name: str) -> None:
    if seed < 0:
        raise OptionError(f"the seed must be a whole number from 0, not {seed!r}")
    if seconds is not None and not 0 < seconds < inf:
        raise OptionError(f"the {name} must be a number of seconds above 0, not {seconds!r}; leave it out for none")


def _learner(method: MethodLike, options: Mapping[str, Any]) -> tuple[str, Learner, dict[str, Any]]:
    """The name of the method, the learner that it is with these options, and options about drawing missing cells."""
    if isinstance(method, str):
        method = catalog.method(method)
    if isinstance(method, catalog.Method):
        name, learner = method.name, method.learner
    else:
        learner = catalog.from_spec(method) if isinstance(method, Mapping) else method
        name = catalog.name_of(learner)
    others, drawing = split_options(learner, options)
    return name, catalog.configure(learner, others), drawing


def split_options(learner: Learner, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the learner, and those about draws of missing cells where these are not its own."""
    if isinstance(learner, IncompleteLearner):
        return dict(options), {}
    drawing = {path: value for path, value in options.items() if re.match(r"draws(\.|__)", path)}
    if drawing:
        catalog.configure(Completed(), drawing)  # wrong ones are refused whatever the table
    return {path: value for path, value in options.items() if path not in drawing}, drawing


def _for_table(learner: Learner, table: Dataset, drawing: Mapping[str, Any]) -> Learner:
    """The learner, or where cells are missing one that fills them with draws for it."""
    if table.is_complete or isinstance(learner, IncompleteLearner):
        if drawing:
            raise OptionError(
                f"option {next(iter(drawing))!r} is for tables with missing cells, and no cell is missing"
            )
        return learner
    return completing(learner, table, catalog.configure(Completed(), drawing).draws)


def _compile_ahead(learner: Learner, table: Dataset, watcher: Monitor) -> None:
    """Let several processes compile what a preset needs and this machine lacks; the learner would do it one by one."""
    preset, kind = _preset_like(kinds_of(learner)), table_kind(table)
    if preset is None or (preset, kind) in _looked_at or n_threads() == 1:
        return
    from arcwise._kernels.ahead import compile_ahead, missing

    needs = missing(preset, kind)
    if len(needs) > 1:
        with compiling.several(len(needs)) as ready:
            compile_ahead(needs, n_threads(), ready, watcher.should_stop)
    _looked_at.add((preset, kind))


def table_kind(table: Dataset) -> str:
    """continuous, discrete, or both; then ordered where all levels are, as some tests take such levels for numbers."""
    kinds = set(table.kinds)
    if len(kinds) == 1:
        return str(next(iter(kinds)))
    levels = [column for column in table.columns if column.kind is Kind.DISCRETE]
    return "ordered" if all(column.ordered or column.cardinality < 3 for column in levels) else "mixed"


_looked_at: set[tuple[str, str]] = set()  # presets and kinds of tables that this process has looked after


@cache
def _preset_like(kinds: tuple[Any, ...]) -> str | None:
    """The preset made of such parts, whatever their options."""
    return next((name for name, one in catalog.METHODS.items() if kinds_of(one.learner) == kinds), None)
