"""Whatever is given for an argument of a public callable: it works, or one sentence names the argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import numpy as np
import pytest

import arcwise
from arcwise import Dag, networks
from arcwise.data.dataset import Column, Kind
from arcwise.errors import ArcwiseError, OptionError
from arcwise.graph.io import from_dot
from arcwise.networks.models.fit import fit
from arcwise.networks.models.neural import fit_neural
from arcwise.networks.models.training import Perceptron
from arcwise.scores import BIC, BDeu
from arcwise.search import HillClimb
from tests.contract.callables import DAG, Call, functions, methods, numbers, parts, public_functions

WRONG: tuple[Any, ...] = (
    *(None, True, 3, -1, 2.5, float("nan"), float("inf"), 1e300, -(10**30), 10**400, " ", "x", "a b", b"a"),
    *([], [3], [None], ["a", "a"], [["a"]], {}, {"a": None}, {3: 3}, object(), print, int),
)


def tried(call: Call, argument: str, value: Any) -> str | None:
    """What is wrong with the outcome of a call with one wrong argument, if anything."""
    try:
        call.function(**{**call.arguments, argument: value})
    except ArcwiseError as error:
        if "\n" in str(error).strip():
            return f"{argument}={value!r}: several lines: {error}"
        return None
    except Exception as error:
        return f"{argument}={value!r}: {type(error).__name__}: {error}"
    return None


def faults_of(call: Call) -> list[str]:
    call.function(**call.arguments)  # so that what is refused is refused for the wrong argument alone
    tries = ((argument, value) for argument in call.arguments for value in WRONG)
    return [f"{call.name}: {fault}" for argument, value in tries if (fault := tried(call, argument, value)) is not None]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where calls may write: names of files without a folder end up there, too."""
    monkeypatch.chdir(tmp_path)
    return str(tmp_path)


def test_functions_and_constructors(folder: str) -> None:
    calls = list(functions(folder))
    assert [fault for call in calls for fault in faults_of(call)] == []
    assert {call.name.partition(" ")[0] for call in calls} >= set(public_functions())


def test_methods(folder: str) -> None:
    assert [fault for call in methods(folder) for fault in faults_of(call)] == []


@pytest.mark.parametrize("call", list(parts()), ids=lambda call: call.name)
def test_parts(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert faults_of(call) == []


def test_the_sentence_names_the_argument_and_both_types() -> None:
    with pytest.raises(OptionError, match=r"^option 'max_parents' must be a whole number or none, not '3'$"):
        HillClimb(max_parents="3")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^option 'score' must be a Score, not the class BIC; write BIC\(\)$"):
        HillClimb(score=BIC)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^argument 'n' of random_dag must be a whole number of at most 64 bits"):
        networks.random_dag(10**30, seed=1, n_edges=1)
    with pytest.raises(OptionError, match=r"^argument 'cardinality' of random_discrete_network must be a list of 2"):
        networks.random_discrete_network(DAG, seed=1, cardinality=(2, 3, 4))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^option 'names\[1\]' must be text, not 3$"):
        arcwise.Dag(["a", 3])  # type: ignore[list-item]


def test_numbers_of_numpy_are_taken() -> None:
    assert networks.random_dag(np.int64(4), seed=np.uint8(1), n_edges=np.int32(2)).n_edges == 2  # type: ignore[arg-type]
    assert BDeu(ess=np.float32(2.0)).ess == 2  # type: ignore[arg-type]


HUGE = 2**62


@pytest.mark.parametrize(
    "make",
    [
        lambda: networks.load("alarm").sample(HUGE, 1),
        lambda: networks.load("alarm").sample(10**12, 1),
        lambda: networks.meander(HUGE, 1),
        lambda: networks.random_gaussian_network(DAG, seed=1).sample(HUGE, 1),
        lambda: networks.random_mixture_network(seed=1).sample(HUGE, 1),
        lambda: networks.random_mixture_network(n_variables=HUGE, seed=1),
        lambda: networks.random_mixture_network(n_components=HUGE, seed=1),
        lambda: networks.random_dag(HUGE, seed=1, n_edges=1),
        lambda: networks.random_dag(10**6, seed=1, n_edges=1),
        lambda: networks.random_discrete_network(DAG, seed=1, cardinality=(HUGE, HUGE)),
        lambda: networks.random_discrete_network(networks.random_dag(30, seed=1, n_edges=435), seed=1),
        lambda: networks.tile(networks.load("alarm"), HUGE, 1),
        lambda: fit(star(26), two_levels(27)),
        lambda: fit(star(70), two_levels(71)),
        lambda: fit(Dag([f"v{i}" for i in range(26)], [(f"v{i}", f"v{j}") for j in range(26) for i in range(j)]),
                    two_levels(26)),
        lambda: fit_neural(numbers(), "c", ("d",), hidden=HUGE),
        lambda: fit_neural(numbers(), "c", ("d",), components=HUGE),
        lambda: Dag([f"v{i}" for i in range(10**5)]),
        lambda: from_dot("digraph {" + ";".join(f"v{i}" for i in range(20_001)) + "}"),
        lambda: hub(26).joint([f"v{i}" for i in range(26)]),
        lambda: Perceptron(0, HUGE, 1, np.zeros(3)),
    ],
)  # fmt: skip
def test_what_does_not_fit_into_memory_is_refused_before_it_is_made(make: Callable[[], object]) -> None:
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with pytest.raises(ArcwiseError, match=r"\d"):  # the size, or the limit
        make()
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 300_000  # KiB


def star(n: int) -> Dag:
    """The last node has all others as parents."""
    return Dag([f"v{i}" for i in range(n + 1)], [(f"v{i}", f"v{n}") for i in range(n)])


def hub(n: int) -> networks.BayesianNetwork:
    """Independent nodes of two states."""
    names = tuple(f"v{i}" for i in range(n))
    return networks.BayesianNetwork(names, (("a", "b"),) * n, ((),) * n, ((0.5, 0.5),) * n)  # type: ignore[arg-type]


def two_levels(n: int) -> arcwise.Dataset:
    codes = np.array([0, 1, 1], dtype=np.uint8)
    return arcwise.Dataset(tuple(Column(f"v{i}", Kind.DISCRETE, codes, ("a", "b")) for i in range(n)))
