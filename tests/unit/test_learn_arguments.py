"""What `learn` takes: options of reading, plain knowledge, a function as monitor, the specification of a result."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest

import arcwise
from arcwise.errors import ArcwiseError, OptionError
from arcwise.parts.monitor import SILENT, Progress, as_monitor

RNG = np.random.default_rng(2)
A = RNG.integers(0, 3, 200)
FRAME = pd.DataFrame(
    {"a": A, "b": (A + (RNG.random(200) < 0.1)) % 3, "c": RNG.normal(size=200), "n": RNG.permutation(200)}
)


def test_options_of_reading() -> None:
    frame = FRAME.assign(c=FRAME["c"].where(FRAME.index > 5, -99.0))
    result = arcwise.learn(frame, "equal-frequency", drop=["n"], continuous=["a"], na={"c": [-99]}, missing="drop")
    assert result.names == ("a", "b", "c")
    assert result.data is not None
    assert result.data.n_rows == 194
    assert [column.kind for column in result.data.columns] == ["continuous", "discrete", "continuous"]


def test_an_option_of_the_method_with_the_name_of_an_option_of_reading_goes_by_its_path() -> None:
    frame = FRAME[["a", "b"]]
    assert (
        arcwise.learn(frame, "hill-climb", discrete=["a"], score__discrete="bic").spec["score"]["discrete"]["kind"]
        == "bic"
    )


def test_plain_knowledge() -> None:
    frame = FRAME[["a", "b"]]
    for edges in ([("b", "a")], ["b -> a"], [["b", "a"]]):
        result = arcwise.learn(frame, "hill-climb", knowledge={"required": edges})
        assert result.graph is not None
        assert result.graph.edges == (("b", "a"),)
    tiers = arcwise.learn(frame, "hill-climb", knowledge={"tiers": [["b"], ["a"]]})
    assert tiers.graph is not None
    assert tiers.graph.edges == (("b", "a"),)


@pytest.mark.parametrize(
    ("knowledge", "part"),
    [
        ({"requird": []}, "did you mean 'required'?"),
        ({"required": ["a b"]}, "a required edge must be a pair of column names or 'a -> b', not 'a b'"),
        ({"required": ["a ->"]}, "must be a pair"),
        ({"forbidden": [3]}, "'forbidden[0]' must be a list of names or text, not 3"),
        ({"tiers": ["a", "b"]}, "a tier must be a list of column names, not 'a'"),
        ({"tiers": [["z"]]}, "unknown column in the knowledge 'z'"),
        ([("a", "b")], "argument 'knowledge' of learn must be a Knowledge or a dict or none, not a list of 1"),
    ],
)
def test_bad_knowledge(knowledge: object, part: str) -> None:
    with pytest.raises(ArcwiseError) as caught:
        arcwise.learn(FRAME, "equal-frequency", knowledge=knowledge)  # type: ignore[arg-type]
    assert part in str(caught.value)


@pytest.mark.parametrize("deadline", [float("nan"), float("inf"), -1.0, 0, "60", True, [60], 10**400])
def test_deadlines_that_are_none(deadline: object) -> None:
    with pytest.raises(OptionError, match="deadline"):
        arcwise.learn(FRAME, "equal-frequency", deadline=deadline)  # type: ignore[arg-type]


def test_a_function_is_a_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Progress] = []
    arcwise.learn(FRAME, "equal-frequency", monitor=seen.append)
    assert seen
    assert all(isinstance(report, Progress) for report in seen)
    arcwise.learn(FRAME, "equal-frequency", monitor=print)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(seen)
    assert all("Progress(" not in line for line in lines)


def test_progress_in_words() -> None:
    full = Progress("search", step=12, score=-2606.728, message="added a -> b", fraction=0.4)
    assert str(full) == "search, step 12: score -2,606.73, added a -> b, 40% done"
    assert str(Progress("counting")) == "counting"
    assert str(Progress("tests", fraction=0.25)) == "tests: 25% done"


def test_what_is_no_monitor() -> None:
    with pytest.raises(OptionError, match="'monitor' of learn must be a Monitor or a function or none"):
        arcwise.learn(FRAME, monitor="loud")  # type: ignore[arg-type]
    assert as_monitor(None) is SILENT
    assert as_monitor(SILENT) is SILENT


def test_the_specification_of_a_result_is_a_method() -> None:
    result = arcwise.learn(FRAME, "equal-frequency", bins=4)
    again = arcwise.learn(FRAME, result.spec)
    assert (again.spec, again.cpdag) == (result.spec, result.cpdag)
    assert again.method == "two-stage"
    assert arcwise.learn(FRAME, arcwise.learn(FRAME, "equal-frequency").spec).method == "equal-frequency"
    fewer = arcwise.learn(FRAME, result.spec, bins=2)
    assert fewer.spec["discretizer"]["bins"] == 2
    with pytest.raises(ArcwiseError, match="unknown kind of part"):
        arcwise.learn(FRAME, {"kind": "two-staged"})


def test_in_another_thread() -> None:
    found: list[arcwise.LearnResult] = []
    thread = threading.Thread(target=lambda: found.append(arcwise.learn(FRAME, "equal-frequency", monitor=print)))
    thread.start()
    thread.join()
    assert found[0].cpdag == arcwise.learn(FRAME, "equal-frequency").cpdag


def test_columns_are_named_as_for_reading() -> None:
    """Names that are numbers, one name, none at all: `learn` takes what `read` and `as_dataset` take."""
    frame = pd.DataFrame(
        {0: [i % 31 for i in range(60)], 1: [i % 7 + 0.5 for i in range(60)], 2: [i % 3 for i in range(60)]}
    )
    for drop in ([0], 0, np.array([0]), ("0",), pd.Index([0])):
        assert arcwise.learn(frame, "k2", drop=drop).names == ("1", "2")
    found = arcwise.learn(frame, "k2", drop=0, continuous=2, discrete=[1]).data
    assert found is not None
    assert [column.kind for column in found.columns] == ["discrete", "continuous"]
    assert arcwise.learn(frame, "k2", drop=None, continuous=None, discrete=None, na=None).names == ("0", "1", "2")
