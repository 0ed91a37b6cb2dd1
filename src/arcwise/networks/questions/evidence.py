"""What is known or set, as users say it: labels, numbers, intervals; made into levels and numbers of the nodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.checking import is_number, shown
from arcwise.data.dataset import FloatArray
from arcwise.data.reading.door import label_places
from arcwise.errors import DataError, OptionError, unknown_name

if TYPE_CHECKING:
    from arcwise.networks.network import Network

TRUTH = {True: "true", False: "false"}


@dataclass(frozen=True, eq=False)
class Evidence:
    """codes: the level of a node. weights: how probable the evidence is for each level of a node, at most 1.

    numbers: the value of a continuous node. raw: that of a column whose node has levels. words: all of it, by name.
    readings: the value of a column that is read from states: its weights are densities, but for `scale`, a logarithm.
    """

    codes: Mapping[str, int]
    weights: Mapping[str, FloatArray]
    numbers: Mapping[str, float]
    raw: Mapping[str, float]
    words: Mapping[str, str]
    readings: Mapping[str, float] = field(default_factory=dict)
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
    readings: dict[str, float] = {}
    scale = 0.0
    for name, value in (given or {}).items():
        if not network.model(name).levels:
            numbers[name] = _number(name, value)
            words[name] = f"{name} = {numbers[name]:g}"
        elif isinstance(value, Mapping) or (isinstance(value, Collection) and not isinstance(value, str | bytes)):
            if certain:
                raise OptionError(f"{name!r} can be set to one value only, not {shown(value)}; give one of its levels")
            weights[name] = _weights(network, name, value)
            words[name] = _weight_words(network, name, weights[name])
        elif name in network.read and not certain and (reading := _as_number(value)) is not None:
            logs = network.read[name].log_densities(np.array([_number(name, reading)]))[0]
            readings[name], scale = reading, scale + float(logs.max())
            weights[name], words[name] = np.exp(logs - logs.max()), f"{name} = {reading:g}"
        else:
            codes[name], number = _level(network, name, value)
            words[name] = level_words(network, name)[codes[name]]
            if number is not None:
                raw[name], words[name] = number, f"{name} = {number:g} ({words[name]})"
    return Evidence(codes, weights, numbers, raw, words, readings, scale)


def level_words(network: Network, name: str) -> tuple[str, ...]:
    """Each level of a node in a sentence: `sex = F`, or the interval of a column that is cut: `age >= 61.5`."""
    if name in network.cuts and network.discretization is not None:
        return network.discretization.words(name)
    return tuple(f"{name} = {level}" for level in network.model(name).levels)


def _number(name: str, value: Any) -> float:
    number = _as_number(value)
    if number is None or not isfinite(number):
        raise DataError(f"node {name!r} is a number, not {shown(value)}; give it a finite number")
    return number


def _as_number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return float(value) if is_number(value) else None


def _level(network: Network, name: str, value: Any) -> tuple[int, float | None]:
    """(the level, and the number that lies in it if one was given for a column that is cut)."""
    levels, cut = network.model(name).levels, network.cuts.get(name)
    if isinstance(value, str):
        for known in (levels, level_words(network, name)):
            if value in known:
                return known.index(value), None
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


def _weights(network: Network, name: str, value: Collection[Any]) -> FloatArray:
    """Of each level: those of a mapping, or 1 for the levels of a list; scaled to at most 1."""
    pairs = value.items() if isinstance(value, Mapping) else [(level, 1.0) for level in value]
    weights = np.zeros(len(network.model(name).levels))
    for level, weight in pairs:
        if not is_number(weight) or not 0.0 <= weight < np.inf:
            raise OptionError(f"the weight of {level!r} of {name!r} must be a number from 0, not {shown(weight)}")
        weights[_level(network, name, level)[0]] += float(weight)
    if not weights.any():
        raise OptionError(f"the evidence about {name!r} allows no level; give at least one a weight above 0")
    return weights / max(float(weights.max()), 1.0)


def _weight_words(network: Network, name: str, weights: FloatArray) -> str:
    words = level_words(network, name)
    some = [i for i, weight in enumerate(weights) if weight > 0.0]
    if len({float(weights[i]) for i in some}) == 1:
        return " or ".join(words[i] for i in some)
    return " or ".join(f"{words[i]} (weight {weights[i]:.3g})" for i in some)
