"""A result tells how its table was read and what was known, so that it can be learned again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import arcwise
from arcwise import LearnResult
from arcwise.data.provenance import NOT_KNOWN
from arcwise.errors import GraphError
from arcwise.parts.knowledge import NONE


@pytest.fixture(scope="module")
def result() -> LearnResult:
    rng = np.random.default_rng(0)
    x = rng.normal(size=80)
    table = {"x": x, "y": x + rng.normal(size=80), "id": [f"p{k:05d}" for k in range(80)], "n": [-9.0, *x[1:] ** 2]}
    return arcwise.learn(table, "gaussian", na={"n": [-9]}, missing="drop", forbidden=["y -> x"], tiers=[["n"], ["x"]])


def test_it_keeps_both_in_its_file(result, tmp_path):
    assert result.knowledge == arcwise.Knowledge(forbidden=["y -> x"], tiers=[["n"], ["x"]])
    came = result.data.provenance
    assert (came.left_out, came.n_dropped) == (("id",), 1)
    assert came.reading == {"na": {"n": [-9]}, "missing": "drop"}
    result.save(tmp_path / "r.json")
    loaded = LearnResult.load(tmp_path / "r.json")
    assert (loaded.knowledge, loaded.data) == (result.knowledge, result.data)
    assert str(loaded) == str(result)
    assert "\nrows left out, for a missing value: 1\ncolumns left out: 'id'\n" in str(loaded)


def test_older_files_have_neither(result):
    content = json.loads(json.dumps(result.to_dict()))
    del content["knowledge"], content["data"]["provenance"]
    older = LearnResult.from_dict(content)
    assert (older.knowledge, older.data.provenance) == (NONE, NOT_KNOWN)


def test_knowledge_of_other_columns_is_refused(result):
    content = {**result.to_dict(), "knowledge": {"required": [["x", "elsewhere"]]}}
    with pytest.raises(GraphError, match="unknown column in the knowledge 'elsewhere'"):
        LearnResult.from_dict(content)
