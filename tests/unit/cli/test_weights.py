"""`--weights`: a table whose rows count several times gives what the table with its rows repeated gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.reading.door import as_dataset
from arcwise.data.rows.store import write_store
from arcwise.errors import DataError
from arcwise.graph import Dag, save
from tests.unit.cli.conftest import Program, Run

LEARN = ("learn", "{data}", "--method")
COMMANDS = {
    "steck": (*LEARN, "steck"),
    "hill-climb": (*LEARN, "hill-climb", "--drop", "warm"),
    "pc": (*LEARN, "pc"),
    "gaussian": (*LEARN, "gaussian", "--drop", "rain,wet,sprinkler"),
    "score": ("score", "{data}", "graph.json"),
    "score of levels": ("score", "{data}", "graph.json", "--score", "bic", "--discretize", "equal-frequency"),
    "test": ("test", "{data}", "rain", "wet", "--given", "sprinkler"),
    "test of levels": ("test", "{data}", "rain", "wet", "--test", "g-squared"),
    "discretize": ("discretize", "{data}", "--method", "equal-frequency", "--out", "{data}.cut.csv"),
    "discretize while learning": ("discretize", "{data}", "--method", "steck", "--out", "{data}.cut.csv"),
    "fit": ("fit", "{data}", "graph.json", "--test", "{data}"),
}


@pytest.fixture
def tables(weather: Path, tmp_path: Path) -> tuple[Path, Path]:
    """(with a column `times`, with the rows repeated)."""
    header, *rows = weather.read_text(encoding="utf-8").splitlines()
    times = np.random.default_rng(1).integers(0, 4, len(rows)).tolist()
    weighted, repeated = tmp_path / "weighted.csv", tmp_path / "repeated.csv"
    cells = [f"{n},{row}" for n, row in zip(times, rows, strict=True)]
    weighted.write_text("\n".join([f"times,{header}", *cells]) + "\n", encoding="utf-8")
    again = [row for n, row in zip(times, rows, strict=True) for _ in range(n)]
    repeated.write_text("\n".join([header, *again]) + "\n", encoding="utf-8")
    arcs = [["rain", "wet"], ["rain", "warm"], ["wet", "sprinkler"]]
    save(Dag(["rain", "warm", "wet", "sprinkler"], arcs), tmp_path / "graph.json")
    return weighted, repeated


def run(arcwise: Program, words: tuple[str, ...], data: Path, *more: str) -> Run:
    found = arcwise(*(word.replace("{data}", data.name) for word in words), *more)
    assert found.code == 0, found.err
    return found


def plain(content: object) -> object:
    """Without what no two runs share, and how each table was read."""
    if isinstance(content, dict):
        own = ("elapsed", "seconds", "provenance", "n_weighted")
        return {key: plain(entry) for key, entry in content.items() if key not in own}
    return [plain(entry) for entry in content] if isinstance(content, list) else content


@pytest.mark.parametrize("name", COMMANDS)
def test_weights_stand_for_repeated_rows(arcwise: Program, tables: tuple[Path, Path], name: str) -> None:
    weighted, repeated = tables
    found = json.loads(run(arcwise, COMMANDS[name], weighted, "--weights", "times", "--json").out)
    expected = json.loads(run(arcwise, COMMANDS[name], repeated, "--json").out)
    assert close(plain(found), plain(expected))
    if "{data}.cut.csv" in COMMANDS[name]:
        cut = [Path(f"{table.name}.cut.csv").read_text(encoding="utf-8") for table in tables]
        assert cut[0] == cut[1]


def close(one: object, other: object) -> bool:
    """Equal, numbers up to rounding: sums of weighted rows add up in another order."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-9)
    return one == other


def test_what_is_shown_counts_repeated_rows(arcwise: Program, tables: tuple[Path, Path]) -> None:
    for name in ("discretize", "test", "fit"):
        shown = [
            run(arcwise, COMMANDS[name], tables[0], "--weights", "times").out.replace("weighted", "the"),
            run(arcwise, COMMANDS[name], tables[1]).out.replace("repeated", "the"),
        ]
        assert shown[0] == shown[1]


def test_pictures_show_repeated_rows(arcwise: Program, tables: tuple[Path, Path]) -> None:
    for name in ("discretize", "test"):
        run(arcwise, COMMANDS[name], tables[0], "--weights", "times", "--draw", "one.svg")
        run(arcwise, COMMANDS[name], tables[1], "--draw", "other.svg")
        assert Path("one.svg").read_text(encoding="utf-8") == Path("other.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cells", "options", "said"),
    [
        ("1 2 3", ("time",), "unknown column for the weights: 'time'; did you mean 'times'?"),
        ("1 -2 3", ("times",), "column 'times' cannot weight the rows: weights must be whole numbers from 0"),
        ("1 2 0.5", ("times",), "row 3 has 0.5"),
        ("0 0 0", ("times",), "column 'times' cannot weight the rows: no weight is above 0"),
        ("1 two 3", ("times",), "column 'times' is declared continuous"),
        ("1 2 3", ("times", "--drop", "times"), "do not also drop it"),
        ("1 2 3", ("times", "--drop", "a,b"), "there is no other; keep at least one"),
    ],
)
@pytest.mark.parametrize(
    "command", [("learn",), ("discretize",), ("test", "a", "b")], ids=["learn", "discretize", "test"]
)
def test_wrong_weights_are_one_sentence(
    arcwise: Program, command: tuple[str, ...], cells: str, options: tuple[str, ...], said: str
) -> None:
    lines = [f"{'xyx'[k]},{k},{cell}" for k, cell in enumerate(cells.split())]
    Path("t.csv").write_text("\n".join(["a,b,times", *lines]) + "\n", encoding="utf-8")
    found = arcwise(command[0], "t.csv", *command[1:], "--weights", *options)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert found.err.count("\n") == 1


def test_warnings_about_other_columns_stay(arcwise: Program) -> None:
    """The column of the weights is no column that could be constant or a copy, and hides none that is."""
    rows = "\n".join(f"{k % 2},1,{k % 2},1" for k in range(40))
    Path("t.csv").write_text(f"a,b,c,times\n{rows}\n", encoding="utf-8")
    found = arcwise("learn", "t.csv", "--method", "hill-climb", "--weights", "times", "--json")
    assert found.code == 0
    assert "constant column 'b' kept as an isolated node" in found.err
    assert "column 'c' is a copy of 'a'" in found.err
    assert "times" not in found.err


COUNTS = "a,b,c,n\nx,p,0,400\nx,q,1,120\ny,p,0,30\ny,q,1,510\ny,q,0,80\nx,p,1,90\n"
QUICK = [name for name in catalog.METHODS if name != "neural"]


@pytest.fixture
def counts(tmp_path: Path) -> dict[str, Path]:
    """A table of counts as a text file, as a Parquet file, and as a coded store."""
    paths = {kind: tmp_path / f"counts.{kind}" for kind in ("csv", "parquet", "arcwise")}
    paths["csv"].write_text(COUNTS, encoding="utf-8")
    pl.read_csv(paths["csv"]).write_parquet(paths["parquet"])
    write_store(paths["arcwise"], as_dataset(paths["csv"], weights="n"))
    return paths


@pytest.mark.parametrize("method", QUICK)
def test_every_method_learns_from_counts(arcwise: Program, counts: dict[str, Path], method: str) -> None:
    found = arcwise("learn", str(counts["csv"]), "--weights", "n", "--method", method, "--json")
    assert found.code == 0, found.err
    result = json.loads(found.out)
    assert result["data"]["n_rows"] == 1230
    assert result["data"]["n_weighted"] == 6


@pytest.mark.parametrize("kind", ["csv", "parquet", "arcwise"])
def test_counts_are_learned_as_such_from_every_kind_of_file(
    arcwise: Program, counts: dict[str, Path], kind: str
) -> None:
    words = () if kind == "arcwise" else ("--weights", "n")
    found = arcwise("learn", str(counts[kind]), *words, "--method", "hill-climb")
    assert found.code == 0, found.err
    assert found.out.startswith("hill-climb: 1,230 rows (6 with weights), 3 columns (0 continuous, 3 discrete)")


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        ("40.5", "weights must be whole numbers from 0: how many times each row counts; row 1 has 40.5"),
        ("-3", "weights must be whole numbers from 0: how many times each row counts; row 1 has -3"),
        ("2147483647", "weights add up to 2,147,484,477 rows, and at most 2,147,483,647 can be counted; divide the"),
    ],
)
def test_weights_that_cannot_be_meant(arcwise: Program, tmp_path: Path, weight: str, sentence: str) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(COUNTS.replace("400", weight), encoding="utf-8")
    found = arcwise("learn", str(path), "--weights", "n", "--method", "hill-climb")
    assert found.code == 2
    assert f"column 'n' cannot weight the rows: {sentence}" in found.err


def test_zero_leaves_a_row_out_and_as_many_rows_as_can_be_counted_are(arcwise: Program, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text(COUNTS.replace("90", "0").replace("400", str(2**31 - 1 - 740)), encoding="utf-8")
    found = arcwise("learn", str(path), "--weights", "n", "--method", "hill-climb")
    assert found.code == 0, found.err
    assert found.out.startswith("hill-climb: 2,147,483,647 rows (5 with weights), 3 columns")


def test_weights_of_weights_are_refused_where_they_are_too_many() -> None:
    data = Dataset((Column("a", Kind.DISCRETE, np.zeros(2, dtype=np.uint8), ("x", "y")),), weights=np.array([2**20, 1]))
    with pytest.raises(DataError, match="weights add up to 4,294,967,297 rows, and at most 2,147,483,647"):
        data.weighted([2**12, 1])
