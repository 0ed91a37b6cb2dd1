"""Tables in memory: the same Dataset from every library, and clear words about what cannot be used."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import as_dataset as from_frame
from arcwise.errors import ArcwiseError, DataError, OptionError

TEXT = ["b", "a", "c", "a"] * 3
WHOLE = [2, 1, 3, 1] * 3
REAL = [0.25 * i * i + 0.1 for i in range(12)]
TRUTH = [True, False, False, True] * 3
TABLE: dict[str, list[Any]] = {"text": TEXT, "whole": WHOLE, "real": REAL, "truth": TRUTH}


def error_of(frame: Any, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        from_frame(frame, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def assert_same(one: Dataset, other: Dataset) -> None:
    assert one.names == other.names
    for a, b in zip(one.columns, other.columns, strict=True):
        assert (a.name, a.kind, a.levels, a.ordered) == (b.name, b.kind, b.levels, b.ordered)
        assert a.values.dtype == b.values.dtype
        np.testing.assert_array_equal(a.values, b.values)
    assert one.decisions == other.decisions
    assert one.warnings == other.warnings


SOURCES = {
    "pandas": pd.DataFrame(TABLE),
    "pandas object": pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in TABLE.items()}),
    "pandas nullable": pd.DataFrame(
        {
            "text": pd.array(TEXT, dtype="string[python]"),
            "whole": pd.array(WHOLE, dtype="Int64"),
            "real": pd.array(REAL, dtype="Float64"),
            "truth": pd.array(TRUTH, dtype="boolean"),
        }
    ),
    "pandas arrow": pd.DataFrame(TABLE).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame(TABLE),
    "polars lazy": pl.LazyFrame(TABLE),
    "pyarrow": pa.table(TABLE),
    "dict of lists": TABLE,
    "dict of arrays": {name: np.array(values) for name, values in TABLE.items()},
    "dict of series": {name: pl.Series(values) for name, values in TABLE.items()},
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_library_gives_the_same(source: str) -> None:
    data = from_frame(SOURCES[source])
    assert data.column("text").levels == ("a", "b", "c")
    assert data.column("whole").levels == ("1", "2", "3")
    assert data.column("truth").levels == ("false", "true")
    assert data.kinds == (Kind.DISCRETE, Kind.DISCRETE, Kind.CONTINUOUS, Kind.DISCRETE)
    np.testing.assert_array_equal(data.column("real").values, REAL)
    assert_same(data, from_frame(SOURCES["pandas"]))


def test_object_array_equals_frame() -> None:
    array = np.array(list(zip(*TABLE.values(), strict=True)), dtype=object)
    assert_same(from_frame(array, names=list(TABLE)), from_frame(SOURCES["pandas"]))


def test_numeric_array_equals_frame() -> None:
    array = np.array([WHOLE, REAL]).T
    assert_same(from_frame(array, names=["whole", "real"]), from_frame(pd.DataFrame(TABLE)[["whole", "real"]]))
    assert from_frame(array).names == ("x0", "x1")
    assert_same(from_frame(np.asfortranarray(array)), from_frame(array))


def test_text_array_is_text() -> None:
    data = from_frame(np.array([["b", "x"], ["a", "x"], ["b", "y"], ["a", "y"]]))
    assert data.column("x0").levels == ("a", "b")


MISSING = {
    "pandas": pd.DataFrame({"t": ["a", None, "b", "a"], "i": [1, None, 2, 2], "b": [True, None, False, True]}),
    "pandas nullable": pd.DataFrame(
        {
            "t": pd.array(["a", None, "b", "a"], dtype="string"),
            "i": pd.array([1, None, 2, 2], dtype="Int64"),
            "b": pd.array([True, None, False, True], dtype="boolean"),
        }
    ),
    "pandas object": pd.DataFrame(
        {"t": ["a", np.nan, "b", "a"], "i": [1, pd.NA, 2, 2], "b": [True, None, False, True]}, dtype=object
    ),
    "polars": pl.DataFrame({"t": ["a", None, "b", "a"], "i": [1, None, 2, 2], "b": [True, None, False, True]}),
    "pyarrow": pa.table({"t": ["a", None, "b", "a"], "i": [1, None, 2, 2], "b": [True, None, False, True]}),
    "dict": {"t": ["a", None, "b", "a"], "i": [1, float("nan"), 2, 2], "b": [True, None, False, True]},
    "masked": {
        "t": np.ma.array(["a", "zz", "b", "a"], mask=[0, 1, 0, 0]),
        "i": np.ma.array([1, 9, 2, 2], mask=[0, 1, 0, 0]),
        "b": np.ma.array([True, True, False, True], mask=[0, 1, 0, 0]),
    },
}


@pytest.mark.parametrize("source", MISSING)
def test_missing_cells_of_every_library(source: str) -> None:
    frame = MISSING[source]
    message = error_of(frame, missing="error")
    assert "'t' (1), 'i' (1), 'b' (1)" in message
    kept = from_frame(frame, discrete=["i"])
    assert [column.levels for column in kept.columns] == [("a", "b"), ("1", "2"), ("false", "true")]
    for column, codes in zip(kept.columns, ([0, 0, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]), strict=True):
        assert column.missing is not None
        assert column.missing.tolist() == [False, True, False, False]
        assert column.values.tolist() == codes
    data = from_frame(frame, missing="state", discrete=["i"])
    assert [column.levels for column in data.columns] == [
        ("a", "b", "missing"),
        ("1", "2", "missing"),
        ("false", "true", "missing"),
    ]
    assert data.column("t").values.tolist() == [0, 2, 1, 0]
    assert data.column("i").values.tolist() == [0, 2, 1, 1]
    assert from_frame(frame, missing="drop").n_rows == 3


def test_declared_categories_keep_their_order_and_the_unobserved_ones() -> None:
    sizes = ["small", "large", "small", "large"]
    order = ["small", "medium", "large"]
    pandas = pd.DataFrame({"s": pd.Categorical(sizes, categories=order, ordered=True), "k": [1, 1, 2, 2]})
    polars = pl.DataFrame({"s": pl.Series(sizes, dtype=pl.Enum(order)), "k": [1, 1, 2, 2]})
    arrow = pa.Table.from_pandas(pandas)
    for frame in (pandas, polars, arrow):
        column = from_frame(frame).column("s")
        assert column.levels == ("small", "medium", "large")
        assert column.ordered
        assert column.values.tolist() == [0, 2, 0, 2]


def test_unordered_categories() -> None:
    kept = pd.DataFrame({"c": pd.Categorical(["x", "y", None, "x"], categories=["y", "z", "x"])})
    column = from_frame(kept, missing="drop").column("c")
    assert column.levels == ("y", "z", "x")
    assert not column.ordered
    # polars Categorical and plain arrow dictionaries only list what they met: sorted, so that rows do not matter
    for frame in (
        pl.DataFrame({"c": pl.Series(["y", "x", "y", "x"], dtype=pl.Categorical)}),
        pa.table({"c": pa.array(["y", "x", "y", "x"]).dictionary_encode()}),
        pd.DataFrame(
            {"c": pd.Series(["y", "x", "y", "x"], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))}
        ),
    ):
        column = from_frame(frame).column("c")
        assert column.levels == ("x", "y")
        assert column.values.tolist() == [1, 0, 1, 0]


def test_categories_that_are_numbers_or_intervals() -> None:
    numbers = pd.DataFrame({"c": pd.Categorical([10, 2, 10, 2]), "k": [1, 1, 2, 2]})
    assert from_frame(numbers).column("c").levels == ("2", "10")
    bins = pd.DataFrame({"c": pd.cut(pd.Series(REAL), 3), "k": WHOLE})
    assert from_frame(bins).column("c").cardinality == 3
    assert from_frame(bins).column("c").ordered
    clash = pd.DataFrame({"c": pd.Categorical([1, "1", 1, "1"]), "k": [1, 1, 2, 2]})
    assert "two categories of column 'c' are both written '1'" in error_of(clash)


def test_chunks_are_joined() -> None:
    table = pa.concat_tables([pa.table({"c": pa.array(part).dictionary_encode()}) for part in (["b", "a"], ["a", "c"])])
    column = from_frame(table).column("c")
    assert column.levels == ("a", "b", "c")
    assert column.values.tolist() == [1, 0, 0, 2]


@pytest.mark.parametrize(
    "values",
    [
        [Decimal("1.5"), Decimal("2.25"), Decimal("-3"), Decimal("4")],
        [Fraction(3, 2), 2.25, -3, np.int8(4)],
        pd.Series(
            [Decimal("1.5"), Decimal("2.25"), Decimal("-3"), Decimal("4")], dtype=pd.ArrowDtype(pa.decimal128(9, 2))
        ),
        pl.Series([Decimal("1.5"), Decimal("2.25"), Decimal("-3"), Decimal("4")]),
        np.array([1.5, 2.25, -3, 4], dtype=np.float32),
        np.array([1.5, 2.25, -3, 4], dtype=np.float16),
    ],
)
def test_numbers_of_other_types(values: Any) -> None:
    data = from_frame({"x": values})
    assert data.column("x").values.tolist() == [1.5, 2.25, -3.0, 4.0]
    assert data.column("x").values.dtype == np.float64


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_integers_of_every_width(dtype: Any) -> None:
    info = np.iinfo(dtype)
    values = np.array([info.max, info.min, info.max, info.min], dtype=dtype)
    data = from_frame({"x": values})
    assert data.column("x").levels == (str(info.min), str(info.max))
    assert data.column("x").values.tolist() == [1, 0, 1, 0]


def test_big_integers_of_polars() -> None:
    assert from_frame({"x": pl.Series([1, 2, 1, 2], dtype=pl.Int128)}).column("x").levels == ("1", "2")
    assert "beyond the range" in error_of({"x": [10**400, 1, 2, 3]})


@pytest.mark.parametrize(
    "column",
    [
        pd.date_range("2020", periods=4),
        pd.date_range("2020", periods=4).to_series(),
        pl.Series([datetime.date(2020, 1, i) for i in range(1, 5)]),
        pl.Series([datetime.datetime(2020, 1, i, 0, 0) for i in range(1, 5)]),
        [datetime.date(2020, 1, i) for i in range(1, 5)],
        np.array([f"2020-01-0{i}" for i in range(1, 5)], dtype="datetime64[D]"),
        pa.chunked_array([[datetime.date(2020, 1, i) for i in range(1, 5)]]),
    ],
)
def test_dates_are_left_out_or_days(column: Any) -> None:
    frame = {"when": column, "k": [1, 1, 2, 2]}
    data = from_frame(frame)
    assert data.names == ("k",)
    assert "--dates when" in data.warnings[0]
    assert from_frame(frame, dates="when").column("when").values.tolist() == [0, 1, 2, 3]
    assert from_frame(frame, dates={"when": "since 2019-12-31"}).column("when").values.tolist() == [1, 2, 3, 4]
    assert from_frame(frame, drop="when").names == ("k",)


def test_times_of_day_are_seconds() -> None:
    clock = [datetime.time(hour, 30) for hour in (0, 1, 12, 23)]
    data = from_frame({"at": clock, "k": [1, 1, 2, 2]}, dates="at")
    assert data.column("at").values.tolist() == [1800, 5400, 45000, 84600]
    assert data.decisions[0].reason == "declared, times as seconds of the day"


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([datetime.timedelta(days=i) for i in range(4)]),
        np.arange(4).astype("timedelta64[D]"),
        pd.Series(pd.period_range("2020", periods=4, freq="D")).astype(object),
    ],
)
def test_durations_and_periods(column: Any) -> None:
    message = error_of({"when": column, "k": [1, 1, 2, 2]})
    assert "'when'" in message
    assert "number" in message
    assert '--drop when (drop=["when"])' in message
    assert from_frame({"when": column, "k": [1, 1, 2, 2]}, drop=["when"]).names == ("k",)


@pytest.mark.parametrize(
    ("column", "word"),
    [
        (pl.Series([[1], [2], [3], [4]]), "list"),
        (pd.Series([[1], [2], [3], [4]]), "list in row 1"),
        (pd.Series(["a", {"b": 1}, "a", "b"]), "dict in row 2"),
        (np.array([1j, 2, 3, 4]), "complex"),
        (np.array([b"a", b"b", b"a", b"b"]), "bytes"),
        (pl.Series([b"a", b"b", b"a", b"b"]), "binary"),
    ],
)
def test_cells_that_are_neither_numbers_nor_text(column: Any, word: str) -> None:
    message = error_of({"odd": column, "k": [1, 1, 2, 2]})
    assert "'odd'" in message
    assert word in message
    assert "--drop odd" in message


def test_mixed_python_types() -> None:
    mixed = {"m": ["a", 1, True, 2.0] * 3, "k": [1, 2] * 6}
    assert from_frame(mixed).column("m").levels == ("1", "2", "a", "true")
    dirty = {"m": [1, 2, 3, 4, 5, 6, 7, 8, 9, "?"], "k": [1, 2] * 5}
    message = error_of(dirty)
    assert "'m'" in message
    assert "'?' in row 10" in message
    assert from_frame(dirty, discrete=["m"]).column("m").cardinality == 10


def test_all_missing_columns() -> None:
    for column in (pl.Series([None] * 4), [None] * 4, np.full(4, np.nan), pa.nulls(4).to_pylist()):
        for missing in ("learn", "drop"):
            data = from_frame({"gone": column, "k": [1, 1, 2, 2]}, missing=missing)
            assert (data.names, data.n_rows) == (("k",), 4)
            assert "column 'gone' has no value in any row, left out" in data.warnings
        message = error_of({"gone": column, "k": [1, 1, 2, 2]}, continuous="gone")
        assert message == "column 'gone' has no value in any row; leave it out, as with --drop gone (drop=[\"gone\"])"
    assert "'gone' (4)" in error_of(pa.table({"gone": pa.nulls(4), "k": [1, 1, 2, 2]}), missing="error")
    several = {"a": [None] * 3, "b": np.full(3, np.nan), "k": [1, 2, 2]}
    assert "columns 'a', 'b' have no value in any row, left out" in from_frame(several).warnings
    del several["k"]
    assert "columns 'a', 'b' have no value in any row; leave each of them out" in error_of(several)


@pytest.mark.parametrize(
    ("frame", "options", "part"),
    [
        (np.zeros(4), {}, "1 dimension"),
        (np.zeros((4, 2)), {"names": ["a"]}, "1 name given"),
        (np.zeros((4, 2)), {"names": ["a", "a"]}, "'a' of the table occurs more than once"),
        (np.zeros((4, 2)), {"names": ["a", " "]}, "column 2 of the table has no name"),
        (np.zeros((0, 2)), {}, "no rows"),
        (np.zeros((1, 2)), {}, "only one row"),
        (np.zeros((3, 0)), {}, "no columns"),
        (pl.DataFrame(), {}, "no columns"),
        ({}, {}, "no columns"),
        ({"a": [1, 2], "b": [1]}, {}, "column 'b' has 1 values but 'a' has 2"),
        ({"a": "xyz", "b": [1, 2]}, {}, "'a' is not a list"),
        ({"a": 3, "b": [1, 2]}, {}, "'a' is not a list"),
        ({"a": 3, "b": "x"}, {}, "only one row"),
        ({"a": np.zeros((2, 2))}, {}, "'a' is not a list"),
        ({"a": [1, 2]}, {"names": ["b"]}, "only for NumPy arrays"),
        ("table.csv", {"names": ["b"]}, "only for NumPy arrays"),
        (pd.Series([1, 2]), {}, "cannot read a table from a Series"),
        (pd.DataFrame([[1, 2]] * 3, columns=["a", "a"]), {}, "'a' of the table occurs more than once"),
        (pd.DataFrame([[1, 2]] * 3, columns=[0, "0"]), {}, "'0' of the table occurs more than once"),
        (pa.table([[1, 2], [3, 4]], names=["a", "a"]), {}, "'a' of the table occurs more than once"),
        (TABLE, {"continuous": ["text"]}, "'b' in row 1"),
        (TABLE, {"continuous": ["rael"]}, "did you mean 'real'?"),
        (TABLE, {"discrete": ["rael"]}, "named in discrete"),
        (TABLE, {"drop": ["rael"]}, "named in drop"),
        (TABLE, {"discrete": ["real"], "continuous": ["real"]}, "both continuous and discrete"),
        (TABLE, {"discrete": ["real"], "drop": ["real"]}, "both discrete and drop"),
        (TABLE, {"drop": list(TABLE)}, "every column is dropped"),
    ],
)
def test_bad_calls(frame: Any, options: dict[str, Any], part: str) -> None:
    assert part in error_of(frame, **options)


def test_unknown_way_to_treat_missing_values() -> None:
    with pytest.raises(OptionError, match="did you mean 'state'"):
        from_frame(TABLE, missing="stat")  # type: ignore[arg-type]


def test_a_single_name_is_not_taken_for_its_letters() -> None:
    assert from_frame(TABLE, drop="real", discrete="whole").names == ("text", "whole", "truth")


def test_names_that_are_not_text() -> None:
    assert from_frame(pd.DataFrame(np.array([[1, 2], [2, 1]] * 3))).names == ("0", "1")


def test_declared_continuous_text_true_and_categories() -> None:
    frame = pd.DataFrame({"t": ["1.5", "2", "1.5", "3"], "b": TRUTH[:4], "c": pd.Categorical([5, 7, 5, 7])})
    data = from_frame(frame, continuous=["t", "b", "c"])
    assert data.column("t").values.tolist() == [1.5, 2.0, 1.5, 3.0]
    assert data.column("b").values.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert data.column("c").values.tolist() == [5.0, 7.0, 5.0, 7.0]


def test_float_columns_are_shared_but_never_frozen_or_changed() -> None:
    array = np.asfortranarray(np.random.default_rng(1).normal(size=(20, 2)))
    before = array.copy()
    data = from_frame(array)
    assert np.shares_memory(data.columns[0].values, array)
    assert not data.columns[0].values.flags.writeable
    assert array.flags.writeable
    np.testing.assert_array_equal(array, before)


def test_no_input_is_changed() -> None:
    frame = pd.DataFrame({"o": pd.Series(["a", np.nan, "b", "a"], dtype=object), "x": [1.0, np.nan, 2.5, 3.5]})
    before = frame.copy(deep=True)
    objects = np.array([["a", None], ["b", 1], ["a", 2], ["b", 1]], dtype=object)
    objects_before = objects.copy()
    from_frame(frame, missing="drop")
    from_frame(objects, missing="drop")
    pd.testing.assert_frame_equal(frame, before)
    assert (objects == objects_before).all()


def test_method_on_dataset_takes_the_same_options() -> None:
    data = Dataset.from_frame(TABLE, continuous=["whole"], drop=["text"], missing="error")
    assert data.kinds == (Kind.CONTINUOUS, Kind.CONTINUOUS, Kind.DISCRETE)
    assert Dataset.from_frame(np.zeros((3, 1)), names=["z"]).names == ("z",)


NULL_DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, 0, None]), pa.array(["b", None, "a"]))


@pytest.mark.parametrize(
    "column",
    [
        NULL_DICTIONARY,
        pa.chunked_array([NULL_DICTIONARY[:2], NULL_DICTIONARY[2:]]),
        pd.Series(["b", None, "a", np.nan, "b", None], dtype="category"),
        pd.Series(NULL_DICTIONARY, dtype=pd.ArrowDtype(NULL_DICTIONARY.type)),
        pl.Series(["b", None, "a", None, "b", None], dtype=pl.Categorical),
        pl.Series(["b", None, "a", None, "b", None], dtype=pl.Enum(["a", "b"])),
    ],
    ids=["arrow", "arrow in chunks", "pandas", "pandas arrow", "polars", "polars enum"],
)
def test_a_null_among_categories_is_missing_and_no_level(column: Any) -> None:
    frame = {"c": column, "k": [1, 1, 2, 2, 1, 2]}
    assert "'c' (3)" in error_of(frame, missing="error")
    kept = from_frame(frame).column("c")
    assert kept.levels == ("a", "b")
    assert kept.missing is not None
    assert kept.missing.tolist() == [False, True, False, True, False, True]
    assert [kept.levels[code] for code in kept.recorded] == ["b", "a", "b"]
    data = from_frame(frame, missing="state").column("c")
    assert [data.levels[code] for code in data.values] == ["b", "missing", "a", "missing", "b", "missing"]
    assert data.levels == ("a", "b", "missing")


def test_a_dictionary_of_nothing_but_nulls() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 0, 0]), pa.array([None], pa.string()))
    assert "'c' (3)" in error_of({"c": column, "k": [1, 2, 1]}, missing="error")
    assert "column 'c' has no value in any row, left out" in from_frame({"c": column, "k": [1, 2, 1]}).warnings


@pytest.mark.parametrize("drop", [[0], 0, np.array([0]), pd.Index([0]), (0,), "0", ["0"], iter([0])])
def test_columns_whose_names_are_numbers_go_by_number_or_text(drop: Any) -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 3)))
    assert from_frame(frame, drop=drop).names == ("1", "2")


def test_options_that_are_none_or_empty_say_nothing() -> None:
    plain = from_frame(TABLE)
    for nothing in (None, [], (), set(), np.array([]), pd.Index([])):
        assert_same(plain, from_frame(TABLE, continuous=nothing, discrete=nothing, drop=nothing, na=nothing))
    assert_same(plain, from_frame(TABLE, na=[None, np.nan, pd.NA]))


WRONG = [
    0,
    1.5,
    True,
    b"a",
    object(),
    [object()],
    [[1]],
    [None],
    lambda: 1,
    3 + 4j,
    10**400,
    [10**400],
    "x" * 300,
    {0: 1},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: repr(wrong)[:20])
@pytest.mark.parametrize("option", ["continuous", "discrete", "drop", "missing", "na", "names"])
def test_options_of_wrong_types_are_one_sentence_or_harmless(option: str, wrong: Any) -> None:
    for frame in (TABLE, pl.DataFrame(TABLE), from_frame(TABLE), np.arange(12).reshape(6, 2)):
        try:
            from_frame(frame, **{option: wrong})
        except ArcwiseError as error:
            sentence = str(error)
        else:
            sentence = "read"
        assert sentence
        assert "\n" not in sentence


def test_one_name_for_an_array_is_one_name() -> None:
    assert from_frame(np.zeros((3, 1)), names="abc").names == ("abc",)
    with pytest.raises(DataError, match="1 name given for an array of 3 columns"):
        from_frame(np.zeros((3, 3)), names="abc")
