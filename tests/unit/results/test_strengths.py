"""Strengths: tables, files, words; how stable thresholds are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import Pdag, Strengths
from arcwise.data.dataset import Column, Kind
from arcwise.errors import FileError, GraphError
from arcwise.results.stability import NEAR, stability_of
from tests.contract.parts import mixed_data

PATTERNS = [
    Pdag("abc", [("a", "b"), ("c", "b")]),
    Pdag("abc", [], [("a", "b")]),
    Pdag("abc", [("b", "a")]),
    Pdag("abc"),
]


@pytest.fixture(scope="module")
def found():
    return arcwise.bootstrap(mixed_data(120), "steck", 6, workers=1)


def test_shares_add_up():
    one = Strengths.of(PATTERNS).between("a", "b")
    assert (one.share, one.forward, one.backward, one.either) == (0.75, 0.25, 0.25, 0.25)
    table = Strengths.of(PATTERNS).table()
    assert table.columns == ["a", "b", "share", "forward", "backward", "either"]
    assert table.rows() == [("a", "b", 0.75, 0.25, 0.25, 0.25), ("b", "c", 0.25, 0.0, 0.25, 0.0)]


def test_they_are_saved_and_read_back(found, tmp_path):
    found = replace(found, warnings=("a doubt",))
    found.save(tmp_path / "s.json")
    again = Strengths.load(tmp_path / "s.json")
    assert again.to_dict() == found.to_dict()
    assert str(again) == str(found)
    assert again.origin == found.origin
    assert again.stability == found.stability
    assert again.network() == found.network()


def test_content_of_older_results_is_read():
    content = {"names": ["a", "b"], "graphs": 8, "edges": [["a", "b", 0.5, 0.25, 0.0]]}
    found = Strengths.from_dict(content)
    assert found.between("b", "a").backward == 0.25
    assert found.origin is None
    assert found.stability == {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "arcwise-result-1"}, "format"),
        ({"edges": [["delta", "zz", 0.5, 0.25, 0.0]]}, "zz"),
        ({"edges": [["delta", "alpha", "x", 0.25, 0.0]]}, "edges"),
        ({"origin": {"method": 1}}, "origin"),
        ({"stability": [{"column": "a"}]}, "stability"),
    ],
)
def test_damaged_files_are_refused_by_entry(found, tmp_path, change, words):
    from arcwise.data.text_files import as_json

    path = tmp_path / "s.json"
    path.write_text(as_json({**found.to_dict(), **change}))
    with pytest.raises((FileError, GraphError), match=words):
        Strengths.load(path)


def test_words_fit_eighty_columns(found):
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("bootstrap of steck: 6 samples of rows drawn with replacement, 120 rows, 6")
    assert any("either" in line for line in lines)


def test_names_are_escaped_in_html_and_safe_in_text():
    odd = ("<b>x</b>", "\x1b[2J")
    found = Strengths.of([Pdag(odd, [odd])])
    assert "<b>" not in found._repr_html_()
    assert "&lt;b&gt;x&lt;/b&gt;" in found._repr_html_()
    assert "\x1b" not in str(found) + found._repr_html_()


def test_columns_in_another_order(found):
    names = sorted(found.names)
    again = found.reordered(names)
    assert again.names == tuple(names)
    assert list(again.stability) == [name for name in names if name in found.stability]
    assert len(again.edges()) == len(found.edges()) > 0
    for one in again.edges():
        assert found.between(one.a, one.b) == one


class TestStability:
    column = Column("x", Kind.CONTINUOUS, np.arange(100.0))

    def test_known_answer(self):
        cuts = [[10.5, 50.5], [12.5, 52.5], [11.5, 80.5], [51.5], []]
        one = stability_of(cuts, self.column, None)
        assert one.levels == ((1, 1), (2, 1), (3, 3))
        assert (one.usual, one.share_of_usual) == (3, 0.6)
        first, second = one.thresholds
        assert (first.median, first.lower, first.upper, first.near) == (11.5, 11.0, 12.0, 0.6)
        assert (second.median, second.near) == (52.5, 0.6)  # 80.5 is far, 51.5 is near

    def test_near_is_counted_in_rows_with_their_weights(self):
        weights = np.ones(100, dtype=np.int64)
        weights[11] = 50
        near = [stability_of([[10.5], [11.5]], self.column, one).thresholds[0].near for one in (None, weights)]
        assert NEAR < 50 / 149
        assert near == [1.0, 0.5]

    def test_missing_cells_do_not_count(self):
        gaps = np.zeros(100, dtype=np.bool_)
        gaps[:90] = True
        column = Column("x", Kind.CONTINUOUS, np.arange(100.0), missing=gaps)
        assert stability_of([[92.5], [94.5]], column, None).thresholds[0].near == 0.0  # a tenth lies in each step

    def test_the_table(self, found):
        table = found.thresholds_table()
        assert set(table["column"]) <= set(found.stability)
        assert len(table) == sum(len(one.thresholds) for one in found.stability.values())
        assert ((table["near"] >= 0) & (table["near"] <= 1)).all()
