"""Options of methods as parameters of estimators: a dict, and each entry of it by itself."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.utils import check_random_state

from arcwise import api
from arcwise.data.dataset import Dataset
from arcwise.errors import OptionError
from arcwise.results.result import LearnResult

LARGEST_SEED = 2**31 - 1
ELSEWHERE = {"seed": "random_state", "method": "method", "knowledge": "knowledge", "data": "X"}


class WithOptions:
    """Lets `set_params(options__ess=10)` change one entry of the dict `options`, so that a grid can go over it.

    OPTIONS: the parameters that are such dicts. A copy is changed: estimators share the dict that they were given.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("options",)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters; `deep` also lists the entries of the dicts of options, `options__ess` and so on."""
        found: dict[str, Any] = super().get_params(deep)  # type: ignore[misc]
        for owner in self.OPTIONS if deep else ():
            entries = getattr(self, owner)
            if isinstance(entries, Mapping):
                found |= {f"{owner}__{name}": value for name, value in entries.items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also single options: set_params(method="steck", options__ess=10)."""
        single = {name: name.partition("__") for name in params if name.partition("__")[0] in self.OPTIONS}
        inner = {name: parts for name, parts in single.items() if parts[1]}
        super().set_params(**{name: value for name, value in params.items() if name not in inner})  # type: ignore[misc]
        for name, (owner, _, option) in inner.items():
            setattr(self, owner, {**(getattr(self, owner) or {}), option: params[name]})
        return self


def checked_options(options: Any, name: str = "options") -> dict[str, Any]:
    """A dict of options; what has a parameter of its own is refused."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(one, str) for one in options):
        raise OptionError(f"{name} must be a dict of options by their names, not {options!r}")
    for option, parameter in ELSEWHERE.items():
        if option in options:
            raise OptionError(f"{name} has an entry {option!r}; give it as the parameter {parameter} instead")
    return dict(options)


def seed_of(random_state: Any) -> int:
    """A whole number is the seed itself; None and generators give one."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(LARGEST_SEED))


def learned(table: Dataset, method: Any, options: Any, knowledge: Any, random_state: Any) -> LearnResult:
    """`arcwise.learn` with the parameters of an estimator."""
    return api.learn(table, method, knowledge=knowledge, seed=seed_of(random_state), **checked_options(options))
