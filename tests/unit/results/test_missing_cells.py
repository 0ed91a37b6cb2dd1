"""How many cells were missing: in the summary, in what is printed and in what is saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arcwise.api import learn
from arcwise.data.dataset import Dataset
from arcwise.errors import GraphError
from arcwise.results.columns import DataSummary, describe
from arcwise.results.result import LearnResult
from arcwise.results.summary import as_html


@pytest.fixture(scope="module")
def result() -> LearnResult:
    """The result of a complete table, with the summary of the same one that lacks some cells."""
    rng = np.random.default_rng(0)
    whole = Dataset.from_frame({"age": rng.normal(size=50), "sex": rng.choice(["f", "m"], 50), "k": [0, 1] * 25})
    gone = [np.arange(50) < 7, np.arange(50) % 10 == 3]
    holed = [replace(column, missing=mask) for column, mask in zip(whole.columns, gone, strict=False)]
    data = replace(whole, columns=(*holed, *whole.columns[2:]))
    return replace(learn(whole, "hill-climb"), data=DataSummary(50, tuple(describe(data))))


def test_the_summary_counts_them(result: LearnResult) -> None:
    assert result.data is not None
    assert [column.n_missing for column in result.data.columns] == [7, 5, 0]
    assert result.data.n_missing == 12
    assert sum(result.data.columns[1].counts) == 45


def test_they_are_printed(result: LearnResult) -> None:
    text = result.summary(types=True)
    assert "12 of 150 cells are missing, in 'age' (7), 'sex' (5)" in text
    assert "f, m; 5 missing" in text
    assert "12 of 150 cells" in as_html(result)


def test_nothing_is_said_of_complete_tables(result: LearnResult) -> None:
    assert result.data is not None
    whole = tuple(replace(column, n_missing=0) for column in result.data.columns)
    assert "missing" not in str(replace(result, data=DataSummary(50, whole)))


def test_they_are_saved(result: LearnResult) -> None:
    assert LearnResult.from_dict(result.to_dict()).data == result.data


def test_older_results_have_none(result: LearnResult) -> None:
    content = result.to_dict()
    for column in content["data"]["columns"]:
        del column["n_missing"]
    older = LearnResult.from_dict(content)
    assert older.data is not None
    assert older.data.n_missing == 0
    content["data"]["columns"][0]["n_missing"] = "some"
    with pytest.raises(GraphError, match="n_missing"):
        LearnResult.from_dict(content)
