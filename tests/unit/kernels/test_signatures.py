"""What a kernel is given can be read at its head: few parameters, and those that Python gives it with their types."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from arcwise._kernels.kept import place
from tests.reference.make_needs import FOLDER, kernels

MOST = 10


def functions() -> Iterator[tuple[str, Any]]:
    """(place, Python function) of everything in the rooms of kernels that is compiled, or would be."""
    for path in [FOLDER / "tails.py", *sorted(FOLDER.glob("*/*.py"))]:
        home = place(path, FOLDER)
        module = import_module(f"arcwise._kernels.{home}")
        for name, thing in vars(module).items():
            function = getattr(thing, "py_func", thing)
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield f"{home}.{name}", function


def test_no_kernel_takes_more_than_ten_parameters():
    counts = {place: len(inspect.signature(function).parameters) for place, function in functions()}
    assert len(counts) > 100
    many = {place: n for place, n in counts.items() if n > MOST}
    assert many == {}


@pytest.mark.parametrize("place", [".".join(place) for place in kernels()])
def test_kernels_that_python_calls_say_what_they_take_and_give(place):
    function = dict(functions())[place]
    assert set(function.__annotations__) == {*inspect.signature(function).parameters, "return"}
