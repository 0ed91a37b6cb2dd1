"""How a table came in: the options, the columns and the rows that were left out."""

from __future__ import annotations

import json

import numpy as np

from arcwise import Dataset, read
from arcwise.data.provenance import Provenance, as_said

NAMES = [f"person {k:04d}" for k in range(60)]
TABLE = {
    "who": NAMES,
    "age": [None, None, *range(20, 78)],
    "sex": ["f", "m", "m"] * 20,
    "void": [None] * 60,
    "count": [1, 2, 1] * 20,
}


def test_columns_that_nobody_dropped_are_left_out_and_named():
    came = Dataset.from_frame(TABLE, drop="sex", weights="count").provenance
    assert came == Provenance(("who", "void"), 0, {"drop": ["sex"], "weights": "count"})


def test_rows_that_were_dropped_are_counted():
    came = Dataset.from_frame(TABLE, missing="drop", drop=["void"]).provenance
    assert (came.left_out, came.n_dropped) == (("who",), 2)
    assert came.reading == {"missing": "drop", "drop": ["void"]}


def test_columns_that_a_recipe_does_not_know_are_left_out_but_those_that_it_drops_were_meant(tmp_path):
    recipe = {"others": "drop", "drop": ["who"], "columns": {"age": {"kind": "continuous"}, "sex": {}}}
    path = tmp_path / "t.csv"
    rows = zip(*({**TABLE, "void": ["x", "y"] * 30}).values(), strict=True)
    path.write_text("\n".join([",".join(TABLE), *(",".join("" if c is None else str(c) for c in row) for row in rows)]))
    came = read(path, recipe=recipe).provenance
    assert came.left_out == ("void", "count")
    assert came.reading["recipe"]["columns"] == {"age": {"kind": "continuous"}, "sex": {}}
    assert json.loads(json.dumps(came.to_dict())) == came.to_dict()


def test_a_table_that_is_read_again_knows_both_readings():
    table = Dataset.from_frame(TABLE, drop=["void"], discrete=["age"], na=["?"])
    again = Dataset.from_frame(table, continuous=["age"], drop=["count"], na=["-"], missing="drop")
    assert again.provenance == Provenance(
        ("who",), 2, {"drop": ["void", "count"], "continuous": ["age"], "na": ["?", "-"], "missing": "drop"}
    )
    assert again.select(["age"]).take([0, 1]).provenance == again.provenance


def test_what_can_be_looked_at_once_is_used_and_kept():
    table = Dataset.from_frame(TABLE, drop=(name for name in ("void", "who")))
    assert table.names == ("age", "sex", "count")
    assert table.provenance.reading == {"drop": ["void", "who"]}


def test_options_become_plain_and_always_the_same():
    said = as_said({"discrete": {"b", "a"}, "na": {"x": np.array([-9])}, "drop": 3, "dates": (), "recipe": None})
    assert said == {"discrete": ["a", "b"], "na": {"x": [-9]}, "drop": ["3"]}
    assert json.dumps(said) == '{"discrete": ["a", "b"], "na": {"x": [-9]}, "drop": ["3"]}'
