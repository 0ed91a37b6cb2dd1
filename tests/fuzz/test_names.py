"""Names and levels of every kind: what is printed of them is safe, and what is saved can be read again."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import arcwise
from arcwise.cli.main import main
from arcwise.errors import ArcwiseError
from arcwise.graph.io import load
from arcwise.printing import UNPRINTABLE
from tests.fuzz.mutation import ROUNDS, SEED

CORPUS = Path(__file__).parent / "corpus" / "names"
PIECES = (
    *(
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\x9b",
        "\x07",
        "\x08",
        "\r",
        "\n",
        "\t",
        "\x7f",
        "\x85",
        "\u2028",
        "\u202e",
        "\u2066",
    ),
    *("\u200b", "\ufeff", "\xad", "e\u0301", "年", "🌲", "[bold]", "[/]", "%s", "{0}", "\\n", "\\", '"', "'", ","),
    *(";", "<b>", "&amp;", "]]>", "->", "--", "#", "$(id)", "`id`", "a", "B", "1", " ", "-", "=", "x" * 120),
)


def tables() -> Iterator[dict[str, list[str]]]:
    """Columns that depend on each other, under names that are put together at random."""
    rng = random.Random(SEED)

    def words() -> str:
        return "".join(rng.choices(PIECES, k=rng.choice((1, 2, 3, 5)))) + rng.choice("kmpq")

    for _ in range(max(ROUNDS // 30, 1)):
        names, levels = [f"{words()}{k}" for k in range(3)], [words() + "0", words() + "1"]
        hidden = [rng.random() < 0.5 for _ in range(40)]
        yield {name: [levels[one ^ (rng.random() < 0.1)] for one in hidden] for name in names}


def is_safe(text: str) -> bool:
    return not UNPRINTABLE.search(text.replace("\n", ""))


def try_commands(path: Path, names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One after the other, in the folder of the test; what they write is read by the next."""
    first, second = names[:2]
    for command in (
        ["learn", path, "--method", "hill-climb", "--out", "r.json", "--graph", "g.dot", "--draw", "n.svg"],
        ["score", path, "r.json"],
        ["fit", path, "g.dot", "--test", path, "--out", "net.json"],
        ["discretize", path],
        ["test", "--test", "g-squared", "--", path, first, second],
        ["metrics", "g.dot", "net.json"],
        ["learn", path, "--required", f"{first}->nobody"],
    ):
        code = main([str(word) for word in command])
        out, err = capsys.readouterr()
        assert code == (2 if "--required" in command else 0), err
        assert is_safe(out + err), command
        assert code == 0 or err.count("\n") == 1
    assert set(arcwise.LearnResult.load("r.json").names) == set(load("g.dot").names) == set(names)


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_names_that_once_broke_something(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    try_commands(CORPUS / name, list(arcwise.read(CORPUS / name).names), capsys)


def test_names_put_together_at_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, columns in enumerate(tables()):
        path = Path(f"{number}.csv")
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
        told = _told(lambda path=path: arcwise.read(path))
        if told:  # refused in one sentence
            assert is_safe(told)
            assert "\n" not in told
        else:
            try_commands(path, list(arcwise.read(path).names), capsys)


def _told(read: Callable[[], object]) -> str:
    try:
        read()
    except ArcwiseError as error:
        return str(error)
    return ""
