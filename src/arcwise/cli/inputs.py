"""What commands are given: the arguments that several of them share, small languages inside them, and what they name.

That is a table (a file, or a bundled one such as @abalone), a graph or network (a file, a saved result, or a bundled
network such as @alarm), options of a method, and background knowledge.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from arcwise.errors import ArcwiseError, FileError, OptionError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag
    from arcwise.networks.network import Network
    from arcwise.parts.knowledge import Knowledge
    from arcwise.results.result import LearnResult


def option(names: str, text: str, metavar: str | None = None, **more: Any) -> Any:
    """An option of a command: its names, its line of help with an example, and what stands for its value there."""
    return typer.Option(*names.split(), help=text, metavar=metavar, **more)


def argument(metavar: str, text: str) -> Any:
    return typer.Argument(metavar=metavar, help=text, show_default=False)


DataPath = Annotated[
    str,
    argument(
        "DATA",
        "A CSV, TSV, Parquet or Arrow file with a header line, a folder or pattern of such files, a coded store, - for "
        "a CSV from standard input, or a bundled data set such as @abalone.",
    ),
]
Continuous = Annotated[
    list[str] | None, option("--continuous", "Columns to read as numbers: --continuous age,income", "NAMES")
]
Discrete = Annotated[
    list[str] | None,
    option("--discrete", "Columns to read as levels, also by a pattern: --discrete 'q?,region'", "NAMES"),
]
Ordered = Annotated[
    list[str] | None,
    option(
        "--ordered",
        "Columns of levels in an order, their own or this one: --ordered age --ordered size=small,medium,large",
        "NAMES",
    ),
]
Drop = Annotated[
    list[str] | None, option("--drop", "Columns to leave out, also by a pattern: --drop 'id,note_*'", "NAMES")
]
Decimal = Annotated[
    list[str] | None,
    option("--decimal", "Decimal mark (comma, point, either), in a column or in all: --decimal price=comma", "MARKS"),
]
Thousands = Annotated[
    list[str] | None,
    option(
        "--thousands",
        "Mark of thousands (comma, point, space, apostrophe), in a column or in all: --thousands price=comma",
        "MARKS",
    ),
]
Negative = Annotated[
    list[str] | None,
    option("--negative", "Columns in which (5) is -5, or 5- with =behind: --negative balance", "NAMES"),
]
Percent = Annotated[
    list[str] | None,
    option(
        "--percent", "Columns with percent signs; 12% is 12, or 0.12 with =fraction: --percent rate=fraction", "NAMES"
    ),
]
Units = Annotated[
    list[str] | None,
    option("--units", "Units beside numbers, with a factor: --units weight=kg --units weight=lb:0.4536", "UNITS"),
]
Dates = Annotated[
    list[str] | None,
    option("--dates", "Dates as days since the first, times as seconds: --dates admitted=day-first", "NAMES"),
]
Censored = Annotated[
    list[str] | None,
    option(
        "--censored", "Columns with limits such as <0.5: as number, missing or level: --censored crp=missing", "NAMES"
    ),
]
Merge = Annotated[
    list[str] | None,
    option("--merge", "Spellings of one level, case and spaces or named: --merge sex --merge 'sex=F->Female'", "NAMES"),
]
RecipeFile = Annotated[
    str | None, option("--recipe", "Read the table as 'arcwise check' wrote down: --recipe clean.toml", "FILE")
]
MissingPolicy = Annotated[
    str,
    option(
        "--missing",
        "Missing cells stay missing (learn), are an error, lose their row (drop) or become a level (state): "
        "--missing drop",
        "POLICY",
    ),
]
MissingWords = Annotated[
    list[str] | None,
    option("--na", "Words or numbers that mean missing, everywhere or in columns: --na - --na 'lab_*=-99'", "WORDS"),
]
Weights = Annotated[
    str | None, option("--weights", "The column that says how many times each row counts: --weights count", "COLUMN")
]
Settings = Annotated[
    list[str] | None,
    option(
        "--set",
        "Change an option, by its path or last word: --set ess=10. 'arcwise methods NAME' lists them.",
        "OPTION=VALUE",
    ),
]
Seed = Annotated[int, option("--seed", "Start of the random numbers: --seed 7")]
SampleRows = Annotated[
    int | None, option("--sample-rows", "Learn from so many rows, drawn at random: --sample-rows 50000", "N")
]
NetworkPath = Annotated[
    str, argument("NETWORK", "A network with its numbers: what fit saved, a .bif file or a bundled one (@alarm).")
]
AsJson = Annotated[bool, option("--json", "Print JSON and nothing else: --json > out.json")]
Command = TypeVar("Command", bound=Callable[..., None])
Options = dict[str, Any]  # how a table is read, as `as_dataset` takes it
# A line break would end the list that is read as a line of CSV; characters that nobody uses stand in for it.
BREAKS = {ord("\n"): 0xF8F0, ord("\r"): 0xF8F1}
RESTORED = {stand_in: letter for letter, stand_in in BREAKS.items()}


def split_names(given: Iterable[str] | None) -> tuple[str, ...]:
    """Names from comma-separated lists; a name with a comma inside stands in double quotes."""
    rows = (next(csv.reader([text.translate(BREAKS)], skipinitialspace=True), []) for text in given or ())
    return tuple(name.strip().translate(RESTORED) for row in rows for name in row if name.strip())


def split_orders(given: Iterable[str] | None) -> tuple[str, ...]:
    """Names from comma-separated lists, the last of which may bring the order of its levels along: a,b=low,high."""
    found: list[str] = []
    for text in given or ():
        before, sign, levels = text.partition("=")
        *names, last = split_names([before]) or ("",)
        found += [*names, f"{last}{sign}{levels}"]
    return tuple(found)


def split_edge(text: str, option: str) -> tuple[str, str]:
    """`a->b` as a pair."""
    from arcwise.parts import knowledge

    edge = knowledge.split_edge(text)
    if edge is None:
        raise OptionError(f"{option} needs one edge FROM->TO, such as {option} 'age->income', not {text!r}")
    return edge


def read_settings(given: Iterable[str] | None) -> dict[str, str]:
    """The last of several for the same option counts."""
    settings: dict[str, str] = {}
    for text in given or ():
        path, _, value = (piece.strip() for piece in text.partition("="))
        if not path or not value:
            raise OptionError(f"--set needs OPTION=VALUE, such as --set ess=10, not {text!r}")
        settings[path] = value
    return settings


def reads_table(command: Command) -> Command:
    """The same command with the options of how a table is read in place of `reading`, behind --set or the arguments."""
    return _with_reading(command, ())


def reads_table_without(*names: str) -> Callable[[Command], Command]:
    """The same for a command to which these options would say nothing, or which has its own of that name."""
    return lambda command: _with_reading(command, names)


def _with_reading(command: Command, without: Sequence[str]) -> Command:
    @wraps(command)
    def with_options(**given: Any) -> None:
        reading = _reading(**{name: given.pop(name) for name in options})
        command(**given, reading=reading)

    options = {name: one for name, one in signature(_reading, eval_str=True).parameters.items() if name not in without}
    own = {name: one for name, one in signature(command, eval_str=True).parameters.items() if name != "reading"}
    needed = [name for name, one in own.items() if one.default is one.empty]
    place = list(own).index("settings" if "settings" in own else needed[-1]) + 1
    parameters = [*list(own.values())[:place], *options.values(), *list(own.values())[place:]]
    with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}
    return cast("Command", with_options)


def _reading(
    continuous: Continuous = None,
    discrete: Discrete = None,
    ordered: Ordered = None,
    drop: Drop = None,
    missing: MissingPolicy = "learn",  # as everywhere; a test holds it against `MISSING_BY_DEFAULT`
    na: MissingWords = None,
    weights: Weights = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    negative: Negative = None,
    percent: Percent = None,
    units: Units = None,
    dates: Dates = None,
    censored: Censored = None,
    merge: Merge = None,
    recipe: RecipeFile = None,
) -> Options:
    from arcwise.data.missing import check_policy

    check_policy(missing)
    columns = {"continuous": continuous, "discrete": discrete, "drop": drop, "na": na}
    cells = {"decimal": decimal, "thousands": thousands, "negative": negative, "percent": percent, "units": units}
    named = {**columns, **cells, "dates": dates, "censored": censored, "merge": merge}
    said = {name: split_names(given) for name, given in named.items()}
    return {**said, "ordered": split_orders(ordered), "missing": missing, "weights": weights, "recipe": recipe}


def read_table(argument: str, reading: Options, *, quiet: bool = False) -> Dataset:
    """The data, with the columns typed and the rows weighted as the options say. quiet: a long wait is not shown."""
    from arcwise.cli.views.screen import watching_coding
    from arcwise.cli.views.steps import step

    with step(f"reading {argument}"), watching_coding(quiet):
        from arcwise.data.reading.door import as_dataset

        return as_dataset(opened(argument), **reading)


def opened(argument: str) -> Dataset | str:
    """The bundled data set that `@name` means; else a path, as it is."""
    from arcwise import datasets

    if argument.startswith("@"):
        return datasets.load(argument[1:])
    if argument in datasets.names() and not Path(argument).exists():
        raise FileError(f"{argument} does not exist; the bundled data set of this name is @{argument}")
    return argument


def read_knowledge(
    file: str | None, required: Iterable[str] | None, forbidden: Iterable[str] | None, tiers: Iterable[str] | None
) -> Knowledge:
    """The edges and tiers of `file` and then those of the options; the tiers of the options come last."""
    from arcwise.parts.knowledge import Knowledge

    known = _knowledge_file(file) if file else Knowledge()
    return Knowledge(
        required=(*known.required, *(split_edge(text, "--required") for text in required or ())),
        forbidden=(*known.forbidden, *(split_edge(text, "--forbidden") for text in forbidden or ())),
        tiers=(*known.tiers, *(split_names([text]) for text in tiers or ())),
    )


def _knowledge_file(path: str) -> Knowledge:
    """A .json or .toml file with the lists `required`, `forbidden` (of "a->b" or ["a", "b"]) and `tiers`."""
    import tomllib

    from arcwise.data.text_files import parse_json, parsed, read_text
    from arcwise.parts.knowledge import Knowledge

    suffix = Path(path).suffix.lower()
    if suffix not in (".json", ".toml"):
        raise FileError(f"{path}: unknown suffix {suffix!r} for knowledge; use .json or .toml")
    text = read_text(path)
    try:
        content = parse_json(text) if suffix == ".json" else parsed(lambda: tomllib.loads(text))
    except FileError as error:
        raise FileError(f"{path} is not {suffix[1:].upper()} ({error}); mend that place") from None
    if not isinstance(content, dict) or not all(isinstance(entry, list) for entry in content.values()):
        raise FileError(f"{path} must hold the lists required, forbidden and tiers, or some of them")
    try:
        return Knowledge.from_dict(
            {key: [_knowledge_entry(item, key) for item in entry] for key, entry in content.items()}
        )
    except ArcwiseError as error:
        raise FileError(f"{path}: {error}") from None


def _knowledge_entry(item: Any, key: str) -> Any:
    if key != "tiers":
        return split_edge(item, key) if isinstance(item, str) else item
    if not isinstance(item, list) or not all(isinstance(name, str) for name in item):
        raise FileError(f"a tier must be a list of column names, not {item!r}")
    return item


def read_pattern(argument: str) -> Dag | Pdag:
    """The graph to compare with another; of a result its CPDAG."""
    found = _read_graph(argument)
    return found[1] if found[0] is None else found[0].cpdag


def read_dag(argument: str, *, quiet: bool = False) -> tuple[Dag, LearnResult | None]:
    """A DAG, and the result it was saved in, if so; a note names the directions that a pattern left open."""
    from arcwise.cli.views.screen import note
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import chosen_words

    result, graph = _read_graph(argument)
    if result is not None and result.only_skeleton:
        raise FileError(
            f"{argument} is a result of {result.method or 'a skeleton learner'} whose edges have no directions; "
            "learn a graph, with mmhc or pmmhc for example"
        )
    if result is not None:
        dag, words = result.dag(), result.convention
    elif isinstance(graph, Dag):
        dag, words = graph, ""
    else:
        dag = graph.best_effort_extension()[0]
        words = chosen_words(graph, dag)
    if words and not quiet:
        note(words)
    return dag, result


def read_network(argument: str) -> Network:
    """A network with its numbers: a .bif or .json file, or a bundled name with or without the @."""
    from arcwise import networks

    lower = argument.lower()
    if lower.endswith((".bif", ".bif.gz")):
        return networks.read_bif(argument)
    if not lower.endswith((".json", ".json.gz")):
        return networks.load(argument.removeprefix("@"))
    kind = json_format(argument)
    if kind.startswith(("arcwise-result", "arcwise-graph")):
        raise FileError(f"{argument} is a learned graph without numbers; give it numbers with: arcwise fit")
    return networks.Network.load(argument)


def read_result_or_network(argument: str) -> LearnResult | Network:
    """What learn or fit saved, a .bif file, or a bundled network."""
    if argument.lower().endswith(".json") and json_format(argument).startswith("arcwise-result"):
        from arcwise.results.result import LearnResult

        return LearnResult.load(argument)
    return read_network(argument)


def split_values(given: Iterable[str] | None, known: Mapping[str, Sequence[str]], option: str) -> dict[str, Any]:
    """`name=value`, where both may have further equals signs; a name that is given more than once has a list.

    known: the levels of each name. Blanks around a value are none of it, unless a level has them.
    """
    found: dict[str, list[str]] = {}
    for text in given or ():
        cuts = [i for i, sign in enumerate(text) if sign == "="]
        cut = next((i for i in cuts if text[:i].strip() in known), cuts[0] if cuts else -1)
        name, value = text[:cut].strip(), text[cut + 1 :]
        levels = known.get(name, ())
        if name not in known and any(sign in (text if cut < 0 else name) for sign in "<>"):
            raise OptionError(
                f"{option} needs NAME=VALUE, and {text!r} is a comparison; give a number, such as {option} age=80, or "
                f"an interval as answers print it, such as {option} 'age=>= 61.5'"
            )
        if cut < 1 or not (value.strip() or value in levels):
            raise OptionError(f"{option} needs NAME=VALUE, such as {option} age=80, not {text!r}")
        found.setdefault(name, []).append(value if value in levels else value.strip())
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _read_graph(argument: str) -> tuple[LearnResult | None, Dag | Pdag]:
    """(the result, if it is one, and the graph: of a result its DAG where it has one)."""
    lower = argument.lower()
    if argument.startswith("@") or lower.endswith((".bif", ".bif.gz", ".json.gz")):
        return None, read_network(argument).dag
    if not lower.endswith(".json"):
        from arcwise.graph.io import load

        return None, load(argument)
    kind = json_format(argument)
    if kind.startswith("arcwise-result"):
        from arcwise.results.result import LearnResult

        result = LearnResult.load(argument)
        return result, result.graph or result.cpdag
    if kind.startswith(("discrete-bn", "arcwise-fitted")):
        return None, read_network(argument).dag
    from arcwise.graph.io import load

    return None, load(argument)


def json_format(path: str) -> str:
    """What the file says about itself; empty when it says nothing."""
    from arcwise.data.text_files import load_json

    content = load_json(path, "saved graph, result or network", lambda content: content)
    return str(content.get("format", "")) if isinstance(content, dict) else ""
