"""Nothing that is printed commands a terminal, turns text around or hides in it, whatever the names are."""

from __future__ import annotations

import subprocess
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwise
from arcwise.errors import ArcwiseError
from arcwise.networks.models.fit import MODELS, fit
from arcwise.parts.monitor import Progress
from arcwise.printing import UNPRINTABLE, in_shell, na_option, option, plus_minus, printable

NASTY = ("\x1b]0;owned\x07", "\x9b2Jx", "\u202egnp.txt", "a\rb\nc\td", "\u200bnull\x00")


def safe(text: str) -> bool:
    return not UNPRINTABLE.search(text.replace("\n", ""))


@given(st.text(st.characters()))
def test_all_text_becomes_printable_and_ordinary_text_stays(text: str) -> None:
    shown = printable(text)
    assert not UNPRINTABLE.search(shown)
    assert printable(shown) == shown
    assert printable("größe, 年, 🌲, é, x y") == "größe, 年, 🌲, é, x y"


def test_what_it_was_can_be_seen() -> None:
    assert printable("a\x1b[31m\n\t\r\x9b\u202e\x7f\ud800") == r"a\x1b[31m\n\t\r\u009b\u202e\x7f\ud800"
    assert printable("a\nb\tc", keep="\n") == "a\nb\\tc"


@pytest.mark.parametrize("category", ["Cc", "Cs", "Zl", "Zp"])
def test_every_character_of_a_category_is_known(category: str) -> None:
    from unicodedata import category as of

    assert [chr(c) for c in range(0x110000) if of(chr(c)) == category and not UNPRINTABLE.match(chr(c))] == []


def test_every_mark_of_direction_is_known() -> None:
    from unicodedata import bidirectional

    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert [chr(c) for c in range(0x110000) if bidirectional(chr(c)) in marks and not UNPRINTABLE.match(chr(c))] == []


@pytest.fixture(scope="module")
def table() -> arcwise.Dataset:
    rng = np.random.default_rng(0)
    start = rng.normal(size=200)
    columns = {name: start + rng.normal(size=200) for name in NASTY[:3]}
    columns |= {name: np.array(["low\x1b[2J", "high\u202e"])[(start > 0).astype(int)] for name in NASTY[3:]}
    return arcwise.Dataset.from_frame(columns)


@pytest.mark.parametrize("method", ["steck", "pc", "hill-climb", "mmpc"])
def test_results_print_safely(table: arcwise.Dataset, method: str) -> None:
    heard: list[str] = []
    result = arcwise.learn(table, method, monitor=lambda progress: heard.append(str(progress)))
    shown = [str(result), repr(result), result._repr_html_(), str(result.cpdag), repr(result.cpdag), *result.warnings]
    shown += [repr(result.data), repr(result.trace), repr(result.discretization), repr(result.graph), *heard]
    assert result.cpdag.n_edges
    assert all(map(safe, shown))
    assert r"\x1b]0;owned\x07" in str(result)


@pytest.mark.parametrize("model", MODELS)
def test_fitted_networks_print_safely(table: arcwise.Dataset, model: str) -> None:
    kept = {"cpt": NASTY[3:], "states": NASTY[3:], "gaussian": NASTY[:3]}.get(model, NASTY)
    dag = arcwise.Dag(kept, pairwise(kept))
    net = fit(dag, table.select(kept), model)
    assert safe(str(net))
    assert safe(repr(net))
    assert all(safe(repr(one)) for one in net.models)
    assert safe(str(dag))


def test_errors_and_progress_print_safely() -> None:
    assert str(ArcwiseError("no file \x1b[31m\nx")) == "no file \\x1b[31m\nx"
    assert str(Progress("search", message="added \x1b[2J -> b")) == r"search: added \x1b[2J -> b"
    with pytest.raises(ArcwiseError) as caught:
        arcwise.read("no\x1b[31m.csv")
    assert safe(str(caught.value))
    table = arcwise.Dataset.from_frame({"a": [1.0, 2.0, 3.0], "b": [3.0, 1.0, 2.0]})
    with pytest.raises(ArcwiseError) as caught:
        table.column(NASTY[0])
    assert safe(str(caught.value))


@pytest.mark.parametrize("name", [*NASTY[:3], "it's\x1b", "back\\slash\x1b", "a,b\x1b", 'height 6"', "a, b", "plain"])
def test_a_hint_can_be_copied_into_a_shell(name: str) -> None:
    from arcwise.cli.inputs import split_names

    hint = option("drop", name)
    assert safe(hint)
    words = hint.removeprefix("--drop ").partition(" (drop=")[0]
    typed = subprocess.run(["bash", "-c", f"printf %s {words}"], capture_output=True, check=True).stdout.decode("utf-8")
    assert split_names([typed]) == (name,)
    assert safe(na_option(name, "-99"))


def test_quotes_for_a_shell() -> None:
    assert in_shell("a b") == "'a b'"
    assert in_shell("it's\n") == "$'it\\'s\\n'"


@pytest.mark.parametrize(
    ("mean", "error", "shown"),
    [
        (0.3123, 0.04, "0.31 ± 0.04"),
        (-25.4, 1.5, "-25.40 ± 1.50"),
        (0.00571, 0.0012, "0.006 ± 0.001"),
        (1234.5, 0.2, "1,234.50 ± 0.20"),
        (0.0, 0.0, "0.00 ± 0.00"),
    ],
)
def test_a_mean_has_as_many_digits_as_its_error(mean, error, shown):
    assert plus_minus(mean, error) == shown
