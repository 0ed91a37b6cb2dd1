"""Recipes: written and read back, applied like options, overruled by them, and held against tables that differ."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwise
from arcwise.data.reading.door import as_dataset
from arcwise.data.recipe import ColumnRecipe, Recipe
from arcwise.data.toml import key, toml_value
from arcwise.errors import DataError, FileError, OptionError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FRAME = {"price": ["1,234", "5,678"] * 30, "sex": ["F", "Female", "M"] * 20, "x": [i / 7 for i in range(60)]}
RECIPE = Recipe(
    {
        "price": ColumnRecipe(kind="continuous", thousands=","),
        "sex": ColumnRecipe(kind="discrete", merge={"F": "Female"}, levels=("Female", "M", "X")),
    },
    drop=("x",),
    others="drop",
)


@given(TEXT, st.dictionaries(TEXT, st.lists(TEXT, max_size=3), max_size=3), st.floats(allow_nan=False))
def test_what_is_written_as_toml_is_read_back(name: str, table: dict[str, list[str]], number: float) -> None:
    text = f"{key(name)} = {toml_value({'t': table, 'n': number, 'b': True, 's': name})}"
    assert tomllib.loads(text) == {name: {"t": table, "n": number, "b": True, "s": name}}


@given(TEXT, TEXT, st.lists(TEXT, max_size=3).map(tuple))
def test_any_names_can_stand_in_a_recipe(name: str, other: str, words: tuple[str, ...]) -> None:
    gone = () if other == name else (other,)
    recipe = Recipe({name: ColumnRecipe(kind="discrete", na=words, merge={other: name})}, drop=gone, na=words)
    text = recipe.to_toml({name: ["a\nb"], other: ["c\x1bd"]})
    assert Recipe.from_dict(tomllib.loads(text)) == recipe


def test_a_recipe_reads_a_table(tmp_path: Path) -> None:
    RECIPE.save(tmp_path / "r.toml")
    for recipe in (RECIPE, RECIPE.to_dict(), tmp_path / "r.toml", str(tmp_path / "r.toml")):
        data = as_dataset(FRAME, recipe=recipe)
        assert data.names == ("price", "sex")
        assert data.column("price").values[:2].tolist() == [1234, 5678]
        assert data.column("sex").levels == ("Female", "M", "X")
        assert data.warnings == ()


@pytest.mark.parametrize("function", ["learn", "bootstrap", "compare"])
def test_learners_take_a_recipe(function: str) -> None:
    frame = {**FRAME, "x": [f"{i % 7},5" for i in range(60)]}
    recipe = {"columns": {"x": {"decimal": ","}}, "drop": ["price"]}
    calls = {
        "learn": lambda: arcwise.learn(frame, "equal-frequency", recipe=recipe).names,
        "bootstrap": lambda: arcwise.bootstrap(frame, "equal-frequency", 2, recipe=recipe).names,
        "compare": lambda: arcwise.compare(frame, ["equal-frequency"], folds=2, recipe=recipe) and ("sex", "x"),
    }
    assert calls[function]() == ("sex", "x")


def test_options_overrule_a_recipe_and_that_is_told() -> None:
    data = as_dataset(FRAME, recipe=RECIPE, decimal="price=comma", continuous="x")
    assert data.column("price").values[0] == 1.234
    assert data.names == ("price", "sex", "x")
    told = " ".join(data.warnings)
    assert "the options for column 'x' overrule the recipe, which leaves it out" in told
    other = as_dataset(FRAME, recipe=RECIPE, discrete="price")
    assert "the option discrete for column 'price' overrules the recipe" in other.warnings
    assert "the option drop overrules the recipe, which reads column 'sex'" in as_dataset(
        FRAME, recipe=RECIPE, drop="sex"
    ).warnings  # fmt: skip
    more = as_dataset({**FRAME, "sex": ["?", "F", "M"] * 20}, recipe=RECIPE, na="?")
    assert more.missing_counts() == {"sex": 20}
    assert more.warnings == ()


def test_what_the_recipe_does_not_know_is_told() -> None:
    fresh = {**FRAME, "sex": ["F", "Diverse", "M"] * 20, "y": [0, 1] * 30}
    data = as_dataset(fresh, recipe=RECIPE)
    assert data.names == ("price", "sex")
    assert data.column("sex").levels == ("Female", "M", "X", "Diverse")
    told = " ".join(data.warnings)
    assert "the recipe does not know the column 'y', left out" in told
    assert "column 'sex' has the new level 'Diverse' in 20 rows" in told
    kept = as_dataset(fresh, recipe=RECIPE, discrete="y")
    assert kept.names == ("price", "sex", "y")
    open_minded = Recipe(RECIPE.columns, RECIPE.drop)
    assert as_dataset(fresh, recipe=open_minded).names == ("price", "sex", "y")


def test_a_column_that_is_gone_is_an_error_unless_it_is_dropped() -> None:
    less = {"price": FRAME["price"], "k": [0, 1] * 30}
    with pytest.raises(DataError, match=r"the recipe knows the column 'sex', which the table has not; .*--drop sex"):
        as_dataset(less, recipe=RECIPE)
    assert as_dataset(less, recipe=RECIPE, drop="sex").names == ("price",)
    assert as_dataset({name: FRAME[name] for name in ("price", "sex")}, recipe=RECIPE).names == ("price", "sex")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colums = {}", "unknown entry 'colums'; did you mean 'columns'"),
        ("[columns.a]\nkin = 'x'", "unknown entry of column 'a': 'kin'; did you mean 'kind'"),
        ("[columns.a]\nkind = 'number'", "column 'a': option 'kind' must be"),
        ("[columns.a]\nunits = {kg = 'one'}", "column 'a'"),
        ("[columns.a]\ndates = 'times'\ndecimal = ','", "column 'a': a column is read as dates or"),
        ("columns = 3", "columns must be a table"),
        ("[columns]\na = 3", "column 'a' must be a table"),
        ("na = [[1]]", "na must be a list of words or numbers"),
        ("others = 'keep'", "unknown way to treat other columns: 'keep'"),
        ("drop = ['a']\n[columns.a]\nkind = 'discrete'", "is dropped and read"),
        ("format = 'arcwise-recipe-9'", "only 'arcwise-recipe-1' is known"),
        ("drop = [", "is no recipe"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        Recipe.load(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_what_is_no_recipe() -> None:
    anything: Any = 3
    with pytest.raises(OptionError, match="a recipe is a file, a dict or a Recipe, not int"):
        as_dataset(FRAME, recipe=anything)


def test_dates_of_toml_and_numbers_for_missing(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text("[columns.when]\ndates = 'year-first'\nsince = 2024-01-01\n[columns.x]\nna = [-99, 'n.d.']\n")
    frame = {"when": ["2024-01-03", "2024-01-02"] * 30, "x": ["1.5", "-99", "n.d."] * 20}
    data = as_dataset(frame, recipe=path)
    assert data.column("when").values[:2].tolist() == [2, 1]
    assert data.missing_counts() == {"x": 40}


def test_a_notation_that_the_recipe_does_not_know_is_told() -> None:
    values = np.random.default_rng(2).uniform(0, 1, 60).round(3)
    recipe = {"columns": {"rate": {"kind": "continuous"}, "x": {"kind": "continuous"}}}
    before = {"rate": [str(value) for value in values], "x": values[::-1].tolist()}
    after = {**before, "rate": [f"{100 * value:.1f}%" for value in values]}
    assert not as_dataset(before, recipe=recipe).warnings
    (warning,) = as_dataset(after, recipe=recipe).warnings
    assert "'rate' is written in a way of which the recipe says nothing (percent signs left out)" in warning
    recipe["columns"]["rate"]["percent"] = "fraction"
    assert not as_dataset(after, recipe=recipe).warnings


def test_cells_without_a_unit_are_told_and_a_new_unit_is_added_by_an_option() -> None:
    weights = [f"{60 + i} kg" for i in range(40)]
    recipe = {"columns": {"w": {"kind": "continuous", "units": {"kg": 1.0}}, "x": {"kind": "continuous"}}}
    table = {"w": weights, "x": [float(i * i) for i in range(40)]}
    assert not as_dataset(table, recipe=recipe).warnings
    (warning,) = as_dataset({**table, "w": ["150", *weights[1:]]}, recipe=recipe).warnings
    assert "'w' has 1 cell without a unit, taken as kg" in warning
    assert arcwise.check({**table, "w": ["150", *weights[1:]]}, recipe=recipe).codes == {"unit": ["w"]}
    pounds = {**table, "w": ["150 lb", *weights[1:]]}
    with pytest.raises(DataError, match=r"name the unit with --units w=lb"):
        as_dataset(pounds, recipe=recipe)
    data = as_dataset(pounds, recipe=recipe, units="w=lb:0.5")
    assert data.column("w").values[:2].tolist() == [75.0, 61.0]
    assert not data.warnings


def test_levels_of_a_recipe_differ() -> None:
    with pytest.raises(OptionError, match="levels must differ"):
        Recipe.from_dict({"columns": {"g": {"levels": ["a", "a"]}}})
