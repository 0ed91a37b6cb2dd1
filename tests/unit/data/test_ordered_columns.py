"""Columns whose levels are in an order: said to be, or seen to be."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import arcwise
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import as_dataset
from arcwise.data.recipe import Recipe
from arcwise.errors import DataError, OptionError

SIZES = ("small", "medium", "large")
CLOTH = ("S", "M", "XXL")


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    return {
        "size": rng.choice(SIZES, 60),
        "age": rng.choice(["5-9", "<5", "10-19", ">=20"], 60),
        "grade": rng.integers(1, 5, 60),
        "flag": rng.integers(0, 2, 60),
        "low": rng.choice(["low", "high"], 60),
        "ward": rng.choice(["01", "02", "10"], 60),
        "cloth": rng.choice(CLOTH, 60),
        "x": rng.normal(size=60),
    }


def orders(data: Dataset) -> dict[str, tuple[str, ...]]:
    """The levels of the columns that count as ordered."""
    return {one.name: one.levels for one in data.columns if one.ordered and one.cardinality > 2}


def cells(data: Dataset) -> dict[str, list[object]]:
    return {name: column.to_list() for name, column in data.to_polars().cast(pl.String).to_dict().items()}


SEEN = {"size": SIZES, "age": ("<5", "5-9", "10-19", ">=20"), "grade": ("1", "2", "3", "4")}


def test_orders_are_seen_and_logged(table):
    data = as_dataset(table)
    assert orders(data) == SEEN
    assert cells(data)["size"] == list(table["size"])
    assert cells(data)["age"] == list(table["age"])
    reasons = {one.column: one.reason for one in data.decisions}
    assert reasons["size"] == "text with 3 distinct values, a scale from small to large"
    assert reasons["age"] == "text with 4 distinct values, ranges of numbers from <5 to >=20"
    assert reasons["grade"] == "integers with 4 distinct values"
    assert reasons["cloth"] == "text with 3 distinct values"
    assert data.column("low").levels == ("high", "low")


def test_discrete_makes_codes_of_them(table):
    data = as_dataset(table, discrete=["size", "age", "grade"])
    assert orders(data) == {}
    assert data.column("size").levels == tuple(sorted(SIZES))
    assert data.column("grade").levels == ("1", "2", "3", "4")


@pytest.mark.parametrize(
    "said",
    [
        {"cloth": CLOTH, "ward": None},
        ["ward", "cloth=S, M, XXL"],
        {"clot?": list(CLOTH), "w*": []},
    ],
)
@pytest.mark.parametrize("from_file", [False, True])
def test_orders_are_said(table, tmp_path, said, from_file):
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)
    data = arcwise.read(tmp_path / "t.csv", ordered=said) if from_file else as_dataset(table, ordered=said)
    assert orders(data) == {**SEEN, "cloth": CLOTH, "ward": ("01", "02", "10")}
    assert cells(data)["cloth"] == list(table["cloth"])
    again = as_dataset(table, **data.provenance.reading)
    assert orders(again) == orders(data)


def test_numbers_are_ordered_levels_where_it_is_said(table):
    column = as_dataset(table, ordered="x").column("x")
    assert column.ordered
    assert np.array(column.levels, dtype=float).tolist() == sorted(table["x"])
    given = as_dataset(table, ordered={"grade": [4, 3, 2, 1, 0]}).column("grade")
    assert given.levels == ("4", "3", "2", "1", "0")
    assert (4 - given.values).tolist() == table["grade"].tolist()


def test_a_name_comes_before_a_pattern(table):
    data = as_dataset(table, discrete="*e", ordered="size", continuous="x")
    assert set(orders(data)) == {"size"}


def test_a_dataset_is_read_again(table):
    data = as_dataset(table)
    again = as_dataset(data, ordered={"cloth": CLOTH}, discrete="grade")
    assert orders(again) == {"size": SIZES, "age": SEEN["age"], "cloth": CLOTH}
    assert again.provenance.reading == {"ordered": {"cloth": list(CLOTH)}, "discrete": ["grade"]}
    last = as_dataset(again, discrete=["cloth"])
    assert orders(last) == {"size": SIZES, "age": SEEN["age"]}
    assert last.provenance.reading == {"discrete": ["grade", "cloth"]}
    assert orders(as_dataset(last, drop="x")) == orders(last)


def test_missing_cells_have_no_place(table):
    table["size"] = [None if k % 7 == 0 else one for k, one in enumerate(table["size"])]
    data = as_dataset(table)
    assert data.column("size").levels == SIZES
    assert data.missing_counts() == {"size": 9}
    said = as_dataset(table, ordered={"size": ["large", "medium", "small"]}, na={"size": "small"})
    assert said.column("size").levels == ("large", "medium", "small")
    assert not as_dataset(table, missing="state").column("size").ordered


def test_spellings_are_merged_before_an_order_is_seen():
    words = ["Low", "low ", "medium", "HIGH", "high", "low"] * 5
    assert as_dataset({"a": words, "x": np.arange(30) / 7}).column("a").ordered is False
    column = as_dataset({"a": words, "x": np.arange(30) / 7}, merge="a").column("a")
    assert [level.casefold().strip() for level in column.levels] == ["low", "medium", "high"]
    assert column.ordered


def test_a_recipe_has_them(table):
    recipe = {"columns": {"cloth": {"kind": "ordered", "levels": list(CLOTH)}, "grade": {"kind": "discrete"}}}
    data = as_dataset(table, recipe=recipe)
    assert orders(data) == {"size": SIZES, "age": SEEN["age"], "cloth": CLOTH}
    assert Recipe.from_dict(Recipe.from_dict(recipe).to_dict()) == Recipe.from_dict(recipe)
    other = as_dataset(table, recipe=recipe, ordered={"cloth": CLOTH[::-1]})
    assert other.column("cloth").levels == CLOTH[::-1]
    assert any("the option ordered for column 'cloth' overrules the recipe" in text for text in other.warnings)
    same = as_dataset(table, recipe=recipe, ordered="cloth")
    assert same.column("cloth").levels == CLOTH
    with pytest.raises(DataError, match="'XXL' in row"):
        as_dataset(table, recipe={"columns": {"cloth": {"kind": "ordered", "levels": ["S", "M"]}}})


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"ordered": "cloth"}, r"column 'cloth': no order of 'M', 'S', 'XXL' is known; give it as --ordered cloth="),
        ({"ordered": {"cloth": ["S", "M"]}}, r"'cloth' has 'XXL' in row \d+, which is not in its order \(S, M\); put"),
        ({"ordered": "size", "discrete": "size"}, "'size' is named in both discrete and ordered; keep it in one"),
        ({"ordered": "size=small"}, "needs two levels or more, such as --ordered size=S,M,L"),
        ({"ordered": ["size=small,small"]}, "has the level 'small' twice"),
        ({"ordered": {"size": "small,large"}}, "must be a list of its levels, not 'small,large'"),
        ({"ordered": ["size=small,large", "size=large,small"]}, "twice, with different orders"),
        ({"ordered": "sise"}, r"unknown column 'sise'; did you mean 'size'\? \(named in ordered\)"),
        ({"recipe": {"columns": {"size": {"kind": "ordered", "levels": ["small"]}}}}, "an order needs two levels"),
    ],
)
def test_what_does_not_fit_is_one_sentence(table, said, words):
    with pytest.raises((DataError, OptionError), match=words) as caught:
        as_dataset(table, **said)
    assert "\n" not in str(caught.value)


def test_one_number_in_two_spellings_has_no_order(tmp_path):
    (tmp_path / "t.csv").write_text("a,x\n" + "1,0.5\n1.0,1.5\n2,2.5\n3,3.5\n" * 5)
    with pytest.raises(DataError, match=r"'1' and '1.0'\), so these levels have no order; make one of them with"):
        arcwise.read(tmp_path / "t.csv", ordered="a")


def test_an_order_may_have_levels_that_no_row_has(table):
    column = as_dataset(table, ordered={"cloth": ["XS", *CLOTH]}).column("cloth")
    assert column.levels == ("XS", *CLOTH)
    assert column.values.min() == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow", "parquet", "feather", "store"])
def test_round_trips_keep_the_order(table, tmp_path, library):
    data = as_dataset(table, ordered={"cloth": ["XS", *CLOTH]}, drop=["low", "flag", "ward"])
    if library == "pandas":
        again = as_dataset(data.to_pandas())
    elif library == "polars":
        again = as_dataset(data.to_polars())
    elif library == "arrow":
        again = as_dataset(data.to_arrow())
    elif library == "parquet":
        data.to_polars().write_parquet(tmp_path / "t.parquet")
        again = arcwise.read(tmp_path / "t.parquet")
    elif library == "feather":
        data.to_polars().write_ipc(tmp_path / "t.arrow")
        again = arcwise.read(tmp_path / "t.arrow")
    else:
        pd.DataFrame(table).drop(columns=["low", "flag", "ward"]).to_csv(tmp_path / "t.csv", index=False)
        arcwise.code(tmp_path / "t.csv", tmp_path / "t.arcwise", ordered={"cloth": ["XS", *CLOTH]})
        again = arcwise.read(tmp_path / "t.arcwise")
    assert orders(again) == orders(data) == {**SEEN, "cloth": ("XS", *CLOTH)}
    assert cells(again)["cloth"] == list(table["cloth"])


def test_categories_are_what_their_library_says(table):
    frame = pd.DataFrame(table)
    frame["cloth"] = pd.Categorical(frame["cloth"], CLOTH, ordered=True)
    frame["size"] = pd.Categorical(frame["size"], sorted(SIZES))
    data = as_dataset(frame)
    assert data.column("cloth").levels == CLOTH
    assert data.column("cloth").ordered
    assert not data.column("size").ordered
    assert as_dataset(frame, ordered="size").column("size").levels == SIZES
    assert not as_dataset(frame, discrete="cloth").column("cloth").ordered


def test_results_by_tables_do_not_ask_for_the_order(table):
    for method in ("hill-climb", "pc", "ges"):
        levels = {name: values for name, values in table.items() if name != "x"}
        with_order = arcwise.learn(as_dataset(levels), method)
        without = arcwise.learn(as_dataset(levels, discrete=list(levels)), method)
        assert with_order.cpdag == without.cpdag
        assert with_order.score == pytest.approx(without.score) if with_order.score is not None else True


def test_long_tables_know_them_as_well(table, tmp_path):
    """Coded in two passes, by the same rules."""
    for part in range(2):
        pd.DataFrame({name: values[part::2] for name, values in table.items()}).to_csv(
            tmp_path / f"part-{part}.csv", index=False
        )
    coded = arcwise.code(tmp_path / "part-*.csv", tmp_path / "t.arcwise", ordered=["ward"])
    assert orders(coded) == {**SEEN, "ward": ("01", "02", "10")}
    with pytest.raises(DataError, match="no order of 'M', 'S', 'XXL' is known"):
        arcwise.code(tmp_path / "part-*.csv", tmp_path / "u.arcwise", ordered="cloth")
    assert coded.column("size").kind is Kind.DISCRETE


def test_networks_results_and_new_rows_keep_them(table, tmp_path):
    levels = {name: values for name, values in table.items() if name != "x"}
    pd.DataFrame(levels).to_csv(tmp_path / "t.csv", index=False)
    result = arcwise.learn(tmp_path / "t.csv", "hill-climb", ordered={"cloth": CLOTH}, discrete="grade")
    result.save(tmp_path / "r.json")
    loaded = arcwise.LearnResult.load(tmp_path / "r.json")
    shown = {one.name: one.shown_kind for one in loaded.data.columns}
    assert [name for name, kind in shown.items() if kind == "ordered"] == ["size", "age", "cloth"]
    assert {one.name: one.levels for one in loaded.data.columns}["cloth"] == CLOTH
    network = loaded.fit(tmp_path / "t.csv")
    network.save(tmp_path / "n.json")
    wanted = {"size": SIZES, "age": SEEN["age"], "cloth": CLOTH}
    assert orders(arcwise.Network.load(tmp_path / "n.json").sample(20, seed=1)) == wanted
    assert orders(network.read_table(tmp_path / "t.csv")) == wanted
    assert orders(loaded.read_table(tmp_path / "t.csv")) == wanted


def test_states_of_a_network_are_ordered_where_their_names_tell_it(tmp_path):
    sample = arcwise.networks.load("child").sample(50, seed=1)
    assert orders(sample) == {
        "HypoxiaInO2": ("Mild", "Moderate", "Severe"),
        "LowerBodyO2": ("<5", "5-12", "12+"),
        "RUQO2": ("<5", "5-12", "12+"),
    }
    sample.to_polars().write_parquet(tmp_path / "t.parquet")
    assert orders(arcwise.read(tmp_path / "t.parquet")) == orders(sample)


def test_kinds_are_shown(table):
    data = as_dataset(table)
    assert repr(data) == "Dataset(60 rows, 8 columns: 1 continuous, 3 ordered, 4 discrete)"
    assert "3 ordered levels" in data._repr_html_()
    result = arcwise.learn(data, "equal-frequency")
    assert "60 rows, 8 columns (1 continuous, 3 ordered, 4 discrete)" in str(result)
    text = result.summary(types=True)
    assert re.search(r"^ *size +ordered ", text, re.MULTILINE)
    assert re.search(r"^ *flag +discrete ", text, re.MULTILINE)
    assert repr(data.select(["flag", "x"])) == "Dataset(60 rows, 2 columns: 1 continuous, 1 discrete)"


def test_check_writes_the_order_down(table, tmp_path):
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)
    recipe = arcwise.check(tmp_path / "t.csv", ordered={"cloth": CLOTH}).recipe
    kinds = {name: own.kind for name, own in recipe.columns.items()}
    assert [name for name, kind in kinds.items() if kind == "ordered"] == ["size", "age", "grade", "cloth"]
    assert recipe.columns["cloth"].levels == CLOTH
    data = arcwise.read(tmp_path / "t.csv", recipe=recipe)
    assert orders(data) == {**SEEN, "cloth": CLOTH}
    later = {**table, "grade": table["grade"] * 2 - 1, "age": ["20-29" if k == 0 else ">=20" for k in range(60)]}
    with pytest.raises(DataError, match="column 'age' has '20-29' in row 1, which is not in its order"):
        as_dataset(later, recipe=recipe)
    later["age"] = ["0-4" if k == 0 else one for k, one in enumerate(table["age"])]
    with pytest.raises(DataError, match="column 'age' has '0-4' in row 1"):  # beside <5
        as_dataset(later, recipe=recipe)
    fresh = as_dataset({**later, "age": table["age"]}, recipe=recipe)
    assert fresh.column("grade").levels == ("1", "2", "3", "4", "5", "7")
    assert fresh.column("grade").ordered
    assert any("'grade' has new levels '5', '7'" in text for text in fresh.warnings)
