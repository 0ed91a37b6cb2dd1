"""Checks shared by the options of learners that ask independence tests."""

from __future__ import annotations

from typing import Protocol

from arcwise.errors import OptionError, check_least


class TestingOptions(Protocol):
    @property
    def alpha(self) -> float | None: ...
    @property
    def max_given(self) -> int | None: ...


def check_options(options: TestingOptions) -> None:
    if options.alpha is not None and not 0 < options.alpha < 1:
        raise OptionError(f"option 'alpha' must lie between 0 and 1, not {options.alpha!r}")
    check_least(options, max_given=0)
