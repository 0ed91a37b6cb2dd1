"""One piece of work: a function of what all pieces share and of its own task, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arcwise.compiling import clock
from arcwise.data.text_files import as_json
from arcwise.errors import ArcwiseError
from arcwise.parts.monitor import Monitor

# function(shared, task, monitor): of a module, so that other processes find it by name. What it returns JSON can hold.
Work = Callable[[Any, Any, Monitor], Mapping[str, Any]]


class Stopped(Exception):
    """Raised by a piece that its monitor asked to stop before it had finished."""


class Outcome(NamedTuple):
    """What a piece returned, as JSON, or why it failed, in words; one of the two."""

    result: str | None
    failure: str | None
    seconds: float


def attempt(function: Work, shared: Any, task: Any, monitor: Monitor) -> Outcome:
    """The outcome of a piece. Only its stopping and signals are raised: a failure of one is no failure of all.

    The result goes through JSON in whatever process it is worked out, so that it is the same everywhere.
    """
    began = clock()
    result = failure = None
    try:
        result = as_json(function(shared, task, monitor))
    except Stopped:
        raise
    except ArcwiseError as error:
        failure = str(error)
    except MemoryError:
        failure = "the memory is used up"
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return Outcome(result, failure, clock() - began)
