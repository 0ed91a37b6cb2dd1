"""Errors that are both arcwise's own and the ValueError that scikit-learn expects of an estimator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arcwise.errors import ArcwiseError, DataError, GraphError, OptionError


class RefusedTable(DataError, ValueError):
    """The rows cannot be learned from, or predicted, as they are."""


class RefusedOption(OptionError, ValueError):
    """An unknown method or option, or a value outside its range."""


class RefusedGraph(GraphError, ValueError):
    """The method gives no graph of the kind that is needed."""


_BOTH = {DataError: RefusedTable, OptionError: RefusedOption, GraphError: RefusedGraph}


@contextmanager
def as_value_errors() -> Iterator[None]:
    """What arcwise refuses inside is a ValueError, too."""
    try:
        yield
    except ValueError:
        raise
    except ArcwiseError as error:
        both = next((both for own, both in _BOTH.items() if isinstance(error, own)), None)
        if both is None:
            raise
        raise both(str(error)) from error
