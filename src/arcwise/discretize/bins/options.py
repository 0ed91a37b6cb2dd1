"""The check that every discretizer makes on its options when it is constructed."""

from __future__ import annotations

from arcwise.errors import OptionError


def require_whole_number(option: str, value: int, *, at_most: int | None = None) -> None:
    """Refuse a number that is not from 1 to `at_most`."""
    if value >= 1 and (at_most is None or value <= at_most):
        return
    allowed = "an int of 1 or more" if at_most is None else f"an int from 1 to {at_most}"
    raise OptionError(f"option {option!r} must be {allowed}, not {value!r}")
