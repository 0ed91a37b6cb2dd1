"""A guide takes its numbers, and its lists of the best, from the tables of a study."""

from __future__ import annotations

import pytest

from arcwise.errors import OptionError
from arcwise.study.guide import guide_text, write_guide
from arcwise.study.results import Results, Row
from arcwise.study.tables import tables_of
from tests.unit.study.plans import SMALL, plan_of

PLAN = SMALL.replace('divide-by = {method = "bins2"}\naverage = true', "digits = 1").replace(
    "bins3 = {", 'plain = "equal-width"\nbins3 = {'
)


@pytest.fixture
def results(tmp_path):
    """Distances without learning: bins2 10, 11, ..., bins3 1, 2, ...; plain has none for 120 rows."""
    plan = plan_of(tmp_path, PLAN.replace('bins3 @ 60 < 1"', 'bins3 @ 60 < 20"'))
    rows = []
    for i, cell in enumerate(plan.cells()):
        place = cell.place
        failed = place["method"] == "plain" and (place["rows"], place["run"]) == (120, 3)
        first = {"bins2": 10, "bins3": 1, "plain": 0}[place["method"]]
        values = {} if failed else {"shd": first + place["run"] + (place["rows"] == 120)}
        rows.append(Row(cell, values, "too slow" if failed else None, float(i)))
    return Results(plan, tuple(rows), len(rows) + 4)


def test_numbers_and_lists(results):
    table = tables_of(results)[0]
    assert table.get("bins3", "60").ours == 3.0
    text = guide_text(results, "of {{cells}}: {{distances: bins3 @ 60}}, then {{distances: bins2 @ 120}}")
    assert text == "of 36 of 40 cells: 3.0, then 13.0"
    assert guide_text(results, "{{least 2 of distances @ 60}}") == "`plain` 2.0, `bins3` 3.0"
    assert guide_text(results, "{{most 1 of distances @ 60}}") == "`bins2` 12.0"


def test_what_lacks_cells_is_not_among_the_best(results):
    """Its mean is over other tables than those of the others."""
    assert guide_text(results, "{{least 3 of distances @ 120}}") == "`bins3` 4.0, `bins2` 13.0"


def test_what_is_not_known_yet_is_a_dash(results):
    nothing = Results(results.plan, (), 40)
    assert guide_text(nothing, "{{distances: bins3 @ 60}} {{least 3 of distances @ 60}}") == "– –"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("{{least 3 of distance @ 60}}", "unknown table 'distance'; did you mean 'distances'?"),
        ("{{most 3 of distances @ 61}}", "unknown column of table 'distances': '61'"),
        ("{{distances: bins4 @ 60}}", "unknown row 'bins4'"),
    ],
)
def test_places_that_are_nowhere(results, place, words):
    with pytest.raises(OptionError) as error:
        guide_text(results, place)
    assert words in str(error.value)


def test_a_guide_is_written(results, tmp_path):
    (tmp_path / "template.md").write_text("# A\n\n{{cells}}\n")
    write_guide(results, tmp_path / "template.md", tmp_path / "guide.md")
    assert (tmp_path / "guide.md").read_text() == "# A\n\n36 of 40 cells\n"
