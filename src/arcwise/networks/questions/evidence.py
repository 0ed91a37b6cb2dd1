"""What is known or set, as users say it: labels, numbers, intervals; made into levels and numbers of the nodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.checking import is_number, shown
from arcwise.data.dataset import FloatArray
from arcwise.data.discretization import in_signs
from arcwise.data.known_levels import label_places
from arcwise.data.levels import label_numbers
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.networks.models.readings import Readings

if TYPE_CHECKING:
    from arcwise.networks.network import Network

TRUTH = {True: "true", False: "false"}


@dataclass(frozen=True, eq=False)
class Evidence:
    """codes: the level of a node. weights: how probable the evidence is for each level of a node, at most 1.

    numbers: the value of a continuous node. raw: that of a column whose node has levels. words: all of it, by name.
    readings: the columns that are read from states and have numbers: their weights are densities, but for `scale`, a
    logarithm.
    """

    codes: Mapping[str, int]
    weights: Mapping[str, FloatArray]
    numbers: Mapping[str, float]
    raw: Mapping[str, float]
    words: Mapping[str, str]
    readings: frozenset[str] = frozenset()
    scale: float = 0.0

    @property
    def has_density(self) -> bool:
        """Whether it has numbers, so that it has a density and no probability."""
        return bool(self.numbers or self.readings)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.words)


def read_evidence(network: Network, given: Mapping[str, Any] | None, *, certain: bool = False) -> Evidence:
    """certain: each node has one value, neither several nor weights."""
    codes: dict[str, int] = {}
    weights: dict[str, FloatArray] = {}
    numbers: dict[str, float] = {}
    raw: dict[str, float] = {}
    words: dict[str, str] = {}
    readings: set[str] = set()
    scale = 0.0
    for name, value in (given or {}).items():
        if not network.model(name).levels:
            numbers[name] = _number(name, value)
            words[name] = f"{name} = {numbers[name]:g}"
        elif certain and _is_several(value):
            raise OptionError(f"{name!r} can be set to one value only, not {shown(value)}; give one of its levels")
        elif name in network.read and not certain and (read := _read_numbers(network, name, value)):
            logs = _log_likelihoods(network.read[name], read)
            readings.add(name)
            scale += float(logs.max())
            weights[name], words[name] = np.exp(logs - logs.max()), _reading_words(name, read)
        elif _is_several(value):
            weights[name] = _weights(network, name, value)
            words[name] = _weight_words(network, name, weights[name])
        else:
            codes[name], number = _level(network, name, value)
            words[name] = level_words(network, name)[codes[name]]
            if number is not None:
                raw[name], words[name] = number, f"{name} = {number:g} ({words[name]})"
    return Evidence(codes, weights, numbers, raw, words, frozenset(readings), scale)


def level_words(network: Network, name: str) -> tuple[str, ...]:
    """Each level of a node in a sentence: `sex = F`, or the interval of a column that is cut: `age ≥ 61.5`."""
    if name in network.cuts and network.discretization is not None:
        return network.discretization.words(name)
    return tuple(f"{name} = {level}" for level in network.model(name).levels)


def _number(name: str, value: Any) -> float:
    number = _as_number(value)
    if number is None or not isfinite(number):
        raise DataError(f"node {name!r} is a number, not {shown(value)}; give it a finite number")
    return number


def _as_number(value: Any) -> float | None:
    """Text is a number where it would be one in a table: 1_000 is none."""
    if isinstance(value, str):
        number = float(label_numbers([value.strip()])[0])
        return None if isnan(number) else number
    return float(value) if is_number(value) else None


def _level(network: Network, name: str, value: Any) -> tuple[int, float | None]:
    """(the level, and the number that lies in it if one was given for a column that is cut)."""
    levels, cut = network.model(name).levels, network.cuts.get(name)
    if isinstance(value, str):
        for known, text in ((levels, value), (level_words(network, name), in_signs(value))):
            if text in known:
                return known.index(text), None
    if cut is not None:
        number = _number_of_cut(name, value, levels)
        return int(np.searchsorted(cut.thresholds, number, side="right")), number
    if name in network.read:  # the state that such a reading is most likely of
        number = _number_of_cut(name, value, levels)
        return int(network.read[name].log_densities(np.array([number]))[0].argmax()), number
    text = TRUTH[bool(value)] if isinstance(value, bool | np.bool_) else str(value)
    code = int(label_places([text], levels)[0])
    if code < 0:
        raise DataError(f"node {name!r}: {unknown_name('level', text, levels)}")
    return code, None


def _number_of_cut(name: str, value: Any, levels: Collection[str]) -> float:
    number = _as_number(value)
    if number is None or not isfinite(number):
        raise DataError(
            f"column {name!r} is cut into levels, and {shown(value)} is none of them and no number: "
            f"{unknown_name('level', value, levels)}"
        )
    return number


def _is_several(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | bytes)


def _pairs(name: str, value: Any) -> list[tuple[Any, float]]:
    """What is named, with its weight: that of a mapping, else 1."""
    if not isinstance(value, Mapping):
        return [(one, 1.0) for one in value] if _is_several(value) else [(value, 1.0)]
    for one, weight in value.items():
        if not is_number(weight) or not 0.0 <= weight < np.inf:
            raise OptionError(f"the weight of {one!r} of {name!r} must be a number from 0, not {shown(weight)}")
    return [(one, float(weight)) for one, weight in value.items()]


def _weights(network: Network, name: str, value: Collection[Any]) -> FloatArray:
    """Of each level: those of a mapping, or 1 for the levels of a list, however often it names them; at most 1."""
    weights = np.zeros(len(network.model(name).levels))
    for level, weight in _pairs(name, value):
        weights[_level(network, name, level)[0]] += weight
    if not weights.any():
        raise _allows_nothing(name)
    return weights / max(float(weights.max()), 1.0) if isinstance(value, Mapping) else np.minimum(weights, 1.0)


def _weight_words(network: Network, name: str, weights: FloatArray) -> str:
    words = level_words(network, name)
    return _either([(words[i], weight) for i, weight in enumerate(weights.tolist())])


def _read_numbers(network: Network, name: str, value: Any) -> dict[float, float]:
    """The weight of each number that a column of readings is said to have; empty where states are named instead."""
    pairs = _pairs(name, value)
    numbers = [number for one, _ in pairs if (number := _as_number(one)) is not None]
    if numbers and len(numbers) < len(pairs):
        raise OptionError(
            f"the evidence about {name!r} has numbers, which count by their density, and states, which do not; give "
            f"either numbers or states, not {shown(value)}"
        )
    found: dict[float, float] = {}
    for number, (_, weight) in zip(numbers, pairs, strict=False):
        found[_number(name, number)] = weight + (found.get(number, 0.0) if isinstance(value, Mapping) else 0.0)
    if found and not any(found.values()):
        raise _allows_nothing(name)
    return found


def _log_likelihoods(own: Readings, read: Mapping[float, float]) -> FloatArray:
    """ln of the sum over the numbers x of weight(x) p(x | state), for each state."""
    with np.errstate(divide="ignore"):
        logs = np.log(list(read.values()))[:, None] + own.log_densities(np.array(list(read)))
    found: FloatArray = np.logaddexp.reduce(logs, axis=0)
    return found


def _reading_words(name: str, read: Mapping[float, float]) -> str:
    return _either([(f"{name} = {number:g}", weight) for number, weight in read.items()])


def _either(weighted: Sequence[tuple[str, float]]) -> str:
    """With the weights where they differ."""
    some = [(words, weight) for words, weight in weighted if weight > 0.0]
    if len({weight for _, weight in some}) == 1:
        return " or ".join(words for words, _ in some)
    return " or ".join(f"{words} (weight {weight:.3g})" for words, weight in some)


def _allows_nothing(name: str) -> OptionError:
    return OptionError(f"the evidence about {name!r} allows no level; give at least one a weight above 0")
