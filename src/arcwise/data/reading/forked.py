"""Tables read in a process that was forked.

polars works with threads of its own. A process that is forked from one in which they run has none of them, and whatever
needs them waits for ever. So such a process lets a fresh one read its tables: this module, run by itself, is given
a call in a pickle and answers with the Dataset, or with the error, in another. Tables of plain numbers need no polars.
"""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, KeysView, Mapping
from importlib import import_module
from typing import Any, BinaryIO, TypeVar

import numpy as np

from arcwise.errors import DataError

Answer = TypeVar("Answer")
PLAIN = "biuf"  # kinds of NumPy types: true/false and numbers
REMEDY = (
    "read it before the process is forked and hand over the Dataset, or start processes with the method "
    "'spawn' or 'forkserver'"
)


def read_after_fork(function: Callable[..., Answer], table: Any, *arguments: Any) -> Answer:
    """What the function reads; in a fresh process where this one, which was forked, cannot."""
    if _is_plain(table):
        return function(table, *arguments)
    call = io.BytesIO()
    try:
        _Pickler(call).dump((function.__module__, function.__name__, (table, *arguments)))
    except Exception as error:
        raise DataError(f"this table cannot be read in a forked process ({error}); {REMEDY}") from None
    try:
        run = subprocess.run(
            [sys.executable or "", "-c", "from arcwise.data.reading.forked import main; main()"],
            input=call.getvalue(),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a Ctrl-C is for the program, which ends this process
            check=True,
        )
        answer = pickle.loads(run.stdout)
    except (OSError, subprocess.CalledProcessError, pickle.UnpicklingError, EOFError):
        raise DataError(f"a forked process could not start another one to read this table; {REMEDY}") from None
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _is_plain(table: Any) -> bool:
    """Whether all columns are NumPy arrays of numbers, of pandas or by themselves: these need no polars."""
    types = list(_types(table))
    return bool(types) and all(isinstance(one, np.dtype) and one.kind in PLAIN for one in types)


def _types(table: Any) -> Iterator[Any]:
    """Of the columns, as far as they are told by an attribute."""
    if isinstance(table, np.ndarray):
        yield table.dtype
    elif isinstance(table, Mapping):
        yield from (getattr(column, "dtype", None) for column in table.values())
    elif type(table).__module__.startswith("pandas") and hasattr(table, "columns"):
        yield from table.dtypes


class _Pickler(pickle.Pickler):
    """Pickles tables of polars without its threads (column by column, piece by piece), and lists that are none yet."""

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, Iterator | KeysView):
            return list, (list(value),)
        if not kind.__module__.startswith("polars"):
            return NotImplemented
        if kind.__name__ == "LazyFrame":
            raise DataError("it is a LazyFrame, which polars cannot collect here")
        if kind.__name__ == "DataFrame":
            return kind, (value.get_columns(),)
        if kind.__name__ == "Series" and value.n_chunks() > 1:
            return _join, (value.get_chunks(),)
        return NotImplemented


def _join(pieces: list[Any]) -> Any:
    import polars as pl

    return pl.concat(pieces, rechunk=False)


def main() -> None:
    """Answer one call."""
    answers: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    answer: Any
    try:
        module, name, arguments = pickle.load(sys.stdin.buffer)
    except Exception as error:  # a class of the program that forked
        answer = DataError(f"this table cannot be read in a forked process ({error}); {REMEDY}")
    else:
        try:
            answer = getattr(import_module(module), name)(*arguments)
        except Exception as error:
            answer = error
    with answers:
        pickle.dump(answer, answers)
