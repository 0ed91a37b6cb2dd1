"""The only registry: every kind of part, the named presets, and what other packages add to both.

Another package names its parts and presets as entry points of the group `arcwise.parts`. They are looked up once, where
a name is met that is not arcwise's own, or where all methods are listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from arcwise import constraint, discretize, independence, learners, scores, search
from arcwise.checking import checked, shown
from arcwise.compiling import remark
from arcwise.errors import OptionError, unknown_name
from arcwise.listing import MethodTable, OptionTable
from arcwise.other_names import known_elsewhere
from arcwise.parts.protocols import ChoosingLearner, Discretizer, IndependenceTest, Learner, PolicyScore, Score
from arcwise.parts.spec import members, parts_and_options, with_options
from arcwise.presets import ANY_DATA, DEFAULT_METHOD, METHODS, Method, binning, integrated

__all__ = [
    "ANY_DATA", "DEFAULT_METHOD", "DISCRETIZERS", "LEARNERS", "METHODS", "PARTS", "POLICIES", "SCORES", "TESTS",
    "Method", "configure", "from_spec", "method", "methods", "name_of", "options", "register",
]  # fmt: skip

Part = TypeVar("Part")


def _by_kind(*parts: Any) -> dict[str, Any]:
    return {part.kind: part for part in parts}


SCORES = _by_kind(
    scores.BDeu, scores.K2, scores.BIC, scores.AIC, scores.MDL, scores.LogLikelihood, scores.KGV, scores.GaussianBIC,
    scores.BGe, scores.DegenerateGaussian, scores.Gaussian, scores.NeuralPrequential, scores.NeuralBIC, scores.Suited,
    scores.ConditionalGaussian, scores.Copula, scores.Smooth, scores.SmoothRegression,
)  # fmt: skip
TESTS = _by_kind(
    independence.ByKind, independence.FisherZ, independence.GSquared, independence.ChiSquared,
    independence.LikelihoodRatio, independence.Information, independence.MutualInformation,
    independence.GaussianInformation, independence.MultiResolution, independence.RecursiveMedian,
)  # fmt: skip
DISCRETIZERS = _by_kind(
    discretize.EqualWidth, discretize.EqualFrequency, discretize.Sturges, discretize.Scott,
    discretize.FreedmanDiaconis, discretize.Hartemink, discretize.Distinct,
)  # fmt: skip
POLICIES = _by_kind(
    discretize.Friedman, discretize.Monti, discretize.Steck, discretize.TopDown, discretize.Optimal, discretize.Chen
)
LEARNERS = _by_kind(
    search.HillClimb, search.Tabu, search.K2Search, search.SparseCandidate, search.OptimalReinsertion, search.GES,
    search.Exhaustive, search.Boss, search.Best, learners.TwoStage, learners.Integrated, learners.Hybrid,
    learners.Completed, learners.Sampled, learners.HiddenStates, learners.Automatic, learners.Refined, constraint.PC,
    constraint.TPDA, constraint.MMPC, constraint.PMMS,
)  # fmt: skip
# Options of learners that play no role of their own: what the loop starts from, how hidden cells are drawn.
START = _by_kind(discretize.Auto, learners.Draws)
ROLES: dict[Any, dict[str, Any]] = {
    Learner: LEARNERS,
    Score: SCORES,
    IndependenceTest: TESTS,
    PolicyScore: POLICIES,
    Discretizer: DISCRETIZERS,
}
PARTS: dict[str, Any] = {kind: part for family in (*ROLES.values(), START) for kind, part in family.items()}
SOURCES = dict.fromkeys([*PARTS, *METHODS], "arcwise")  # the package that each name is from

GROUP = "arcwise.parts"
SHARED = frozenset({"transform", "features"})  # options that mean the same in all parts of a method: one sets all
KIND = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def methods() -> MethodTable:
    """Every preset, with name, family, the data it accepts, summary, paper and options; it prints as a table."""
    look_around()
    return MethodTable(METHODS.values())


@checked
def options(method: str | Method) -> OptionTable:
    """What a method can be told: each option with its path, default, what it may be and what it means.

        print(arcwise.options("steck"))

    Options are given to `learn` by name, `learn(data, "steck", ess=10)`, with `__` for the dots of a path.
    """
    found = method if isinstance(method, Method) else find("method", method, METHODS)
    return OptionTable.of(found, lambda path, part: _family(path, part) if _has_role(path, part) else ())


@checked
def method(name: str, options: Mapping[str, Any] | None = None) -> Method:
    """The preset called `name`, with these options: see `configure`."""
    found = find("method", name, METHODS)
    return replace(found, learner=configure(found.learner, options)) if options else found


@checked
def name_of(learner: Learner) -> str:
    """The name of the preset that is this learner, or its kind.

    One for missing cells, or for a sample, goes by the learner inside.
    """
    inner = learner.learner if isinstance(learner, learners.Sampled) else learner
    inner = inner.learner if isinstance(inner, learners.Completed) else inner
    return next((name for name, preset in METHODS.items() if preset.learner == inner), inner.kind)


def find(what: str, name: str, known: Mapping[str, Part]) -> Part:
    """What is called so, be it arcwise's own or another package's."""
    if name not in known:
        look_around()
    if name not in known:
        said = (known_elsewhere(name) or _inner_part(name)) if known is METHODS else None
        raise OptionError(said or unknown_name(what, name, known))
    return known[name]


def _inner_part(name: str) -> str | None:
    """What to do with a score or a test that was taken for a method."""
    for what, family, example in (("score", SCORES, "hill-climb"), ("test", TESTS, "pc")):
        if name in family:
            use = f"--method {example} --set {what}={name} (method={example!r}, {what}={name!r})"
            return f"{name!r} is a {what}, which a method uses: {use}"
    return None


CUTTING = learners.Integrated | learners.HiddenStates  # learners that find thresholds


def cutting(name: str) -> Discretizer | Learner:
    """A discretizer, or else the learner of a method that cuts columns while it learns."""
    if name not in METHODS:
        look_around()
    if name in DISCRETIZERS:
        part: Discretizer = DISCRETIZERS[name]()
        return part
    found = {own: one.learner for own, one in METHODS.items() if isinstance(one.learner, CUTTING)}
    known = list(dict.fromkeys([*DISCRETIZERS, *found]))
    if name not in found and name in METHODS:
        raise OptionError(f"the method {name!r} gives no thresholds; use {', '.join(known[:-1])} or {known[-1]}")
    if name not in found:
        raise OptionError(unknown_name("way to choose thresholds", name, known))
    return found[name]


@checked
def register(*added: Any) -> None:
    """Make parts and presets of your own known by name, wherever those of arcwise are; all of them or none.

    added: classes of parts, which are frozen dataclasses with a `kind` and a default for each option, and presets
    (`arcwise.catalog.Method`). A learner, discretizer or policy is a method under its kind, too, unless a preset of
    that name is given. What was registered under the same name before is replaced; arcwise's own names stay its own.
    """
    own = {name for name, source in SOURCES.items() if source == "arcwise"}
    for one in added:
        _check(one, own)
    _put(added, "what was registered before")


@cache
def look_around() -> None:
    """Register what the entry points of other packages name; what cannot be used is told in a line and left out."""
    from importlib.metadata import entry_points  # it reads the metadata of all that is installed

    def package(point: Any) -> str:
        return str(point.dist.name if point.dist else point.module)

    try:
        found = sorted(entry_points(group=GROUP), key=lambda point: (package(point), point.name))
    except Exception as error:  # metadata that cannot be read are no reason to fail
        return remark(f"parts of other packages are left out: the metadata of one cannot be read ({_in_words(error)})")
    for name, points in groupby(found, package):
        usable: list[Any] = []
        for point in points:
            try:
                one = point.load()
                if not any(one is other for other in (*usable, *PARTS.values(), *METHODS.values())):
                    _check(one, {*SOURCES, *(_name(other) for other in usable if type(other) is type(one))})
                    usable.append(one)
            except (Exception, SystemExit) as error:  # whatever another package does, arcwise's own methods work
                remark(f"the package {name!r} brings {point.value!r}, which is left out: {_in_words(error)}")
        _put(usable, f"the package {name!r}")
    return None


def _in_words(error: BaseException) -> str:
    text = str(error) if isinstance(error, OptionError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def _name(one: Any) -> str:
    return one.name if isinstance(one, Method) else one.kind


def _check(one: Any, taken: Set[str]) -> None:
    """Refuse what is neither a part nor a preset, and names that are taken."""
    if not isinstance(one, Method):
        if not (isinstance(one, type) and is_dataclass(one) and one.__dataclass_params__.frozen):  # type: ignore[attr-defined]
            what = f"the class {one.__name__}" if isinstance(one, type) else shown(one)
            raise OptionError(f"{what} is neither a preset nor the class of a part, which is a frozen dataclass")
        if not isinstance(getattr(one, "kind", None), str):
            raise OptionError(f"the class {one.__name__} has no kind, the word by which a part is called")
        _role(one)
    name = _name(one)
    if not KIND.fullmatch(name):
        raise OptionError(f"the name {name!r} must be of small letters and digits, with hyphens between words")
    if name in taken:
        raise OptionError(f"the name {name!r} is taken by {SOURCES.get(name, 'another of them')}; choose another")


def _role(part: Any) -> Any:
    """What a class of parts is, by what its parts can do."""
    try:
        made = part()
    except TypeError as error:
        raise OptionError(f"each option of {part.__name__} needs a default: {error}") from None
    for role in ROLES:
        if isinstance(made, role):
            return role
    names = ", ".join(role.__name__ for role in ROLES)
    raise OptionError(f"{part.__name__} lacks what its protocol asks for; see {names} in arcwise.parts.protocols")


def _put(added: Iterable[Any], source: str) -> None:
    SOURCES.update({_name(one): source for one in added})
    for part in (one for one in added if not isinstance(one, Method)):
        for known in (*ROLES.values(), PARTS, METHODS):
            known.pop(part.kind, None)
        role = _role(part)
        ROLES[role][part.kind] = PARTS[part.kind] = part
        if preset := _preset(role, part):
            METHODS[preset.name] = preset
    METHODS.update({one.name: one for one in added if isinstance(one, Method)})


def _preset(role: Any, part: Any) -> Method | None:
    """A part that can learn by itself, or with everything else as it is by default."""
    paper = getattr(part, "reference", "")
    summary = (part.__doc__ or "").partition("\n")[0].rstrip(".")
    if role is Learner:
        return Method(part.kind, "of other packages", ANY_DATA, paper, summary, part())
    makers: dict[Any, Callable[..., Method]] = {Discretizer: binning, PolicyScore: integrated}
    make = makers.get(role)
    return make(part(), paper, summary) if make else None


@checked
def configure(part: Part, options: Mapping[str, Any]) -> Part:
    """A copy with these options, named by dotted path, with `__` for the dot, or by an unambiguous last word.

    A whole inner part may be given as a part or by its kind (`score="bic"`); the other options are then those of the
    new part, but a search that is given by its kind keeps the score of the one in whose place it comes. A learner may
    also be given by the name of a preset (`search="mmhc"`), and is then as it is there.
    """
    if not is_dataclass(part) or isinstance(part, type):
        raise OptionError(
            f"argument 'part' of configure must be a learner, score, test or discretizer, not {shown(part)}"
        )
    if not options:
        return part
    rest = {name.replace("__", "."): value for name, value in options.items()}
    inner, known, lists = _places(part)
    for path, name in [(path, name) for name in rest for path in lists if name in (path, path.rpartition(".")[2])]:
        owner = inner[path.rpartition(".")[0]] if "." in path else part
        presets_first = isinstance(owner, ChoosingLearner)  # among methods, not among searches with a score of its own
        part = with_options(part, {path: _parts_called(rest.pop(name), path, inner, presets_first)})
        inner, known, lists = _places(part)
    while swaps := _swaps(inner, lists, rest):
        paths, name = min(swaps, key=lambda swap: swap[0][0].count("."))  # an outer part brings its inner ones along
        value = rest.pop(name)
        part = with_options(part, {path: _part_called(value, path, inner[path]) for path in paths})
        inner, known, lists = _places(part)
    changes: dict[str, Any] = {}
    for name, value in rest.items():
        paths = _paths(lists, known, name)
        if "." not in name and paths[0] not in known:
            short = [path.rpartition(".")[2] for path in known]
            raise OptionError(unknown_name("option", name, dict.fromkeys([*short, *inner, *known])))
        changes |= dict.fromkeys(paths, value)
    return with_options(part, changes)


def _places(part: Any) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
    """The parts inside a part and its options by path, and the paths of its lists of parts."""
    inner, known = parts_and_options(part)
    return inner, known, {path.rpartition(".")[0] for path in inner} & known.keys()


def _swaps(inner: Mapping[str, Any], lists: Set[str], named: Mapping[str, Any]) -> list[tuple[list[str], str]]:
    """(paths, name) of every option that names a whole part inside, or one in each of a list of parts."""
    paths = ((_paths(lists, inner, name), name) for name in named)
    return [(found, name) for found, name in paths if found[0] in inner]


def _parts_called(value: Any, path: str, inner: Mapping[str, Any], presets_first: bool) -> Any:
    """The parts that are named, with commas between the names; parts themselves are taken as they are."""
    present = next(one for place, one in inner.items() if place.rpartition(".")[0] == path)
    named = value.split(",") if isinstance(value, str) else value
    if not isinstance(named, list | tuple):
        raise OptionError(f"option {path!r} must be names with commas between them, not {value!r}")
    names = (one.strip() if isinstance(one, str) else one for one in named)
    return tuple(
        METHODS[one].learner
        if presets_first and isinstance(one, str) and one in METHODS
        else _part_called(one, path, present)
        for one in names
    )


@checked
def from_spec(spec: Mapping[str, Any]) -> Any:
    """The part that `parts.spec.to_spec` described."""
    options = dict(spec)
    kind = options.pop("kind", None)
    if not isinstance(kind, str):
        raise OptionError(unknown_name("kind of part", kind, PARTS))
    part = find("kind of part", kind, PARTS)
    known = [option.name for option in fields(part)]
    for name, value in options.items():
        if name not in known:
            raise OptionError(unknown_name(f"option of {kind}", name, known))
        if isinstance(value, Mapping):
            options[name] = from_spec(value)
        elif isinstance(value, list):  # JSON has no tuples
            options[name] = tuple(from_spec(one) if isinstance(one, Mapping) else one for one in value)
    return part(**options)


def _paths(lists: Set[str], known: Mapping[str, Any], name: str) -> list[str]:
    """The paths that `name` is, or is the last word of; the name itself if there is none.

    There is one, unless it stands for the same option of each in a list of parts, when it may also be the path in each,
    or for one that all parts share.
    """
    if name in known:
        return [name]

    def place(path: str) -> str:
        """The path, or that within one part of a list."""
        within = next((one for one in lists if path.startswith(one + ".")), None)
        return path if within is None else path[len(within) + 1 :].partition(".")[2]

    matches = [path for path in known if name in (place(path), path.rpartition(".")[2])]
    places = dict.fromkeys(map(place, matches))
    if len(places) > 1 and name not in SHARED:
        raise OptionError(f"option {name!r} is ambiguous; say one of {', '.join(places)}")
    return matches or [name]


def _part_called(value: Any, path: str, present: Any) -> Any:
    """The part of the same family as `present` that a kind or preset names; a part itself is taken as it is."""
    if not isinstance(value, str):
        return value
    if value not in PARTS and value not in METHODS:
        look_around()
    family = _family(path, present)
    presets = METHODS if family is LEARNERS else {}
    if value in presets and value not in family:
        return presets[value].learner
    if value not in family:
        raise OptionError(unknown_name(f"value of option {path!r}:", value, dict.fromkeys([*family, *presets])))
    part = family[value]()
    if _score_paths(part) and _score_paths(present):
        part = with_options(part, dict.fromkeys(_score_paths(part), present.score))
    return part


def _score_paths(part: Any) -> list[str]:
    """Where a part has its score: among its options, or among those of each search in a list."""
    return [
        path
        for option in fields(part)
        for path in (option.name, *_member_scores(option.name, members(getattr(part, option.name))))
        if path.rpartition(".")[2] == "score"
    ]


def _member_scores(place: str, parts: Mapping[str, Any]) -> list[str]:
    return [f"{place}.{name}.score" for name, one in parts.items() if any(f.name == "score" for f in fields(one))]


def _has_role(path: str, part: Any) -> bool:
    """Whether a name can take the place of the part."""
    return path.rpartition(".")[2] == "initial" or any(isinstance(part, role) for role in ROLES)


def _family(path: str, present: Any) -> dict[str, Any]:
    """What can stand in the place of a part, which may be one's own: it is known by what it can do, not by its kind."""
    if not _has_role(path, present):
        raise OptionError(
            f"option {path!r} holds {present.kind!r}, which is no learner, score, test or discretizer that a name "
            "could take the place of; give a part instead of a name"
        )
    if path.rpartition(".")[2] == "initial":
        return DISCRETIZERS | START
    return next(family for role, family in ROLES.items() if isinstance(present, role))
