"""Tables of a study: means over runs, divided, put together; ranges, comparisons, and the best of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import ttest_ind, wilcoxon

from arcwise.errors import OptionError
from arcwise.study.plan import Plan, read_plan
from arcwise.study.results import Results, Row
from arcwise.study.tables import Table, tables_of
from arcwise.study.writing import frame, latex, markdown, ours, remarks

PLAN = """
[methods]
a = "hill-climb"
b = "tabu"
c = "ges"
[experiments.e]
sources = ["alarm", "child"]
rows = [500, 1000]
runs = 2
measures = ["shd", "seconds"]
"""
# shd of [method][source][rows][run]
SHD = {
    "a": {"alarm": {500: (10, 20), 1000: (4, 4)}, "child": {500: (2, 4), 1000: (1, 1)}},
    "b": {"alarm": {500: (30, 60), 1000: (8, 4)}, "child": {500: (3, 3), 1000: (2, 4)}},
    "c": {"alarm": {500: (15, 15), 1000: (6, 2)}, "child": {500: (6, 6), 1000: (5, 1)}},
}


def plan_with(table: str, folder: Path = Path(), expected: str | None = None) -> Plan:
    if expected is not None:
        (folder / "expected.csv").write_text(expected)
    return read_plan(PLAN + table, "mine", folder)


def results_of(plan: Plan, *, failed: tuple[str, ...] = (), without: str = "") -> Results:
    rows = []
    for cell in plan.cells():
        at = cell.place
        shd = SHD[str(at["method"])][str(at["source"])][int(at["rows"])][int(at["run"]) - 1]
        error = "it took longer than 60 seconds" if cell.name in failed else None
        values = {} if error else {"shd": shd, "seconds": shd / 100}
        if without and at["method"] == without:
            values.pop("seconds", None)
        rows.append(Row(cell, values, error, 0.1))
    return Results(plan, tuple(rows), len(rows))


def one_table(text: str, **known: object) -> Table:
    plan = plan_with(f"[tables.t]\n{text}")
    return tables_of(results_of(plan, **known))[0]


def test_divided_by_reference_then_median_over_networks():
    table = one_table('measure = "shd"\ncolumns = "rows"\nover = "median"\ndivide-by = {method = "a"}\naverage = true')
    # alarm 45 / 15 and child 3 / 3; the mean of a's runs is the reference
    assert table.get("b", "500").ours == pytest.approx(2.0)
    assert table.get("b", "1000").ours == pytest.approx((6 / 4 + 3 / 1) / 2)
    assert table.get("b", "average").ours == pytest.approx((2.0 + 2.25) / 2)
    assert [table.get("a", column).ours for column in table.columns] == [1.0, 1.0, 1.0]
    assert (table.get("b", "500").used, table.get("b", "500").wanted) == (4, 4)


def test_less_a_reference():
    table = one_table('measure = "shd"\ncolumns = "rows"\nminus = {method = "a"}')
    assert table.get("b", "500").ours == pytest.approx(((45 - 15) + (3 - 3)) / 2)
    assert table.get("a", "1000").ours == 0.0


def test_spread_is_over_runs_alone():
    entry = one_table('measure = "shd"\nwhere = {rows = 500}').get("b", "shd")
    assert entry.ours == pytest.approx((45 + 3) / 2)
    assert entry.spread == pytest.approx(((30 + 3) / 2 - (60 + 3) / 2) / -(2**0.5))


def test_ranges_and_deviations_are_over_cells():
    where = 'measure = "shd"\nwhere = {rows = 500}\n'
    table = one_table(where + 'show = "least, median, most"')
    entry = table.get("b", "shd")
    assert (entry.least, entry.ours, entry.most) == (3, 16.5, 60)
    assert ours(entry, table) == "(3, 16.5, 60)"
    table = one_table(where + 'show = "mean, sd"\ndigits = 1')
    assert ours(table.get("b", "shd"), table, spread=False) == "24.0 ± 27.2"


def test_the_best_of_several_table_by_table():
    table = one_table(
        'measure = "shd"\nwhere = {rows = 500, source = "alarm"}\n[tables.t.best]\n'
        'either = {of = ["a", "b"], by = "shd"}\nworst = {of = ["a", "c"], by = "shd", largest = true}'
    )
    assert table.rows == ("either", "worst")
    assert table.get("either", "shd").ours == 15  # 10 and 20
    assert table.get("worst", "shd").ours == pytest.approx((15 + 20) / 2)
    assert table.get("worst", "shd").wanted == 2


def test_groups_give_other_names_and_leave_others_out():
    table = one_table('measure = "shd"\nwhere = {rows = 500}\ngroups = {both = ["a", "b"], last = ["c"]}')
    assert table.rows == ("both", "last")
    assert table.get("both", "shd").ours == pytest.approx((15 + 3 + 45 + 3) / 4)


def test_groups_of_columns_are_means_over_their_members():
    text = 'measure = "shd"\ncolumns = ["source", "rows"]\n'
    table = one_table(text + 'column-groups = {both = ["alarm", "child"], one = ["child"]}')
    assert table.columns == ("both, 500", "both, 1000", "one, 500", "one, 1000")
    entry = table.get("a", "both, 500")
    assert (entry.ours, entry.used, entry.wanted) == (pytest.approx((15 + 3) / 2), 4, 4)
    assert table.get("c", "one, 1000").ours == 3
    alone = one_table(text + 'column-groups = {one = ["child"]}', failed=("e/1/child/500/a",))
    assert alone.columns == ("one, 500", "one, 1000")
    assert (alone.get("a", "one, 500").ours, alone.get("a", "one, 500").used) == (4, 1)


def test_medians_of_groups_of_columns_are_over_their_members():
    table = one_table(
        'measure = "shd"\ncolumns = "source"\nover = "median"\ncolumn-groups = {both = ["alarm", "child"]}'
    )
    assert table.get("b", "both").ours == 4.5  # of 45, 6, 3 and 3, each the mean of its runs


def test_groups_of_columns_name_values_of_the_columns():
    with pytest.raises(OptionError, match="unknown value along 'source' of table 't': 'alarms'"):
        one_table('measure = "shd"\ncolumns = "source"\ncolumn-groups = {both = ["alarms"]}')


def test_signed_ranks_of_pairs():
    table = one_table('rows = "rows"\nmeasure = "shd"\ncompare = {method = ["b", "a"]}\ntest = "wilcoxon"')
    assert table.columns == ("shd, b minus a", "shd, p")
    pairs = [30 - 10, 60 - 20, 3 - 2, 3 - 4]
    assert table.get("500", "shd, b minus a").ours == pytest.approx(sum(pairs) / 4)
    assert table.get("500", "shd, p").ours == pytest.approx(wilcoxon(pairs).pvalue)
    assert ours(table.get("500", "shd, b minus a"), table) == "+15.00"
    assert table.get("500", "shd, p").wanted == 8


def test_welch_makes_no_pairs():
    table = one_table('rows = "rows"\nmeasure = "shd"\ncompare = {method = ["a", "b"]}\ntest = "welch"')
    first, second = (10, 20, 2, 4), (30, 60, 3, 3)
    assert table.get("500", "shd, p").ours == pytest.approx(ttest_ind(first, second, equal_var=False).pvalue)
    assert table.get("500", "shd, a minus b").ours == pytest.approx(9 - 24)
    assert ours(table.get("500", "shd, a minus b"), table) == "-15.00"


def test_what_is_alike_is_no_evidence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(SHD, "b", SHD["a"])
    for test in ("wilcoxon", "welch"):
        table = one_table(f'rows = "rows"\nmeasure = "shd"\ncompare = {{method = ["a", "b"]}}\ntest = "{test}"')
        assert table.get("1000", "shd, a minus b").ours == 0
        assert table.get("1000", "shd, p").ours == pytest.approx(1.0)


def test_pairs_need_both_sides():
    failed = ("e/1/alarm/500/a", "e/2/alarm/500/a", "e/1/child/500/a", "e/2/child/500/a")
    text = 'rows = "rows"\nmeasure = "shd"\ncompare = {method = ["a", "b"]}\ntest = "wilcoxon"'
    table = one_table(text, failed=failed)
    assert table.get("500", "shd, p").ours is None
    assert table.get("1000", "shd, p").ours is not None


def test_failed_cells_are_told():
    table = one_table('measure = "shd"\ncolumns = "rows"', failed=("e/1/alarm/500/a", "e/2/child/1000/b"))
    assert table.failed == {"it took longer than 60 seconds": 2}
    assert ours(table.get("a", "500"), table).endswith("*")
    assert not ours(table.get("c", "500"), table).endswith("*")
    told = " ".join(remarks(table))
    assert "22 of 24 numbers are there" in told
    assert "Cells that failed: 2: it took longer than 60 seconds." in told


def test_what_a_column_does_not_measure_is_left_out():
    table = one_table('rows = "source"\ncolumns = ["measure", "method"]\nmeasures = ["shd", "seconds"]', without="a")
    assert table.columns == ("shd, a", "shd, b", "shd, c", "seconds, b", "seconds, c")  # the first part goes first
    assert remarks(table) == []


def test_published_numbers_beside_ours(tmp_path: Path):
    numbers = "".join(f"t,{row},500,{value}\n" for row, value in (("a", 5.0), ("b", 25.5), ("c", 7.0), ("d", 1.0)))
    plan = plan_with(
        '[tables.t]\nmeasure = "shd"\ncolumns = "rows"\n', tmp_path, "table,row,column,published\n" + numbers
    )
    table = tables_of(results_of(plan))[0]
    assert table.rows == ("a", "b", "c", "d")
    assert table.get("b", "500").difference == pytest.approx(24 - 25.5)
    assert table.get("d", "500").ours is None
    assert table.correlation("500") is None  # three pairs say little
    assert "| b | 24.00 ± 10.61 (25.50, -1.50) | 4.50 ± 0.71 |" in markdown(table)
    assert r"24.00 $\pm$ 10.61" in latex(table)
    line = frame([table]).filter(row="b", column="500").to_dicts()[0]
    assert (line["published"], line["ours"], line["cells planned"]) == (25.5, 24.0, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('measure = "shd"\nruns = "mean"', "unknown entry of table 't': 'runs'"),
        ('measure = "shd"\nshow = "mode"', "'show' of table 't': 'mode'"),
        ('measure = "shd"\nwhere = {rows = 700}', "value along 'rows' of table 't': '700'"),
        ('measure = "shd"\ntest = "welch"', "says nothing to compare"),
        ('measure = "shd"\ncompare = {rows = [500, 500]}', "two values along it"),
        ('measure = "shd"\ncompare = {rows = [500, 700]}', "value along 'rows' of table 't': '700'"),
        ('measure = "shd"\ncompare = {method = ["a", "b"]}', "can compare along: 'method'"),
        ('measure = "shd"\nrows = "rows"\ncompare = {method = ["a", "b"]}\nover = "sum"', "'over' has no meaning"),
        ('measure = "shd"\ndivide-by = {method = "a"}\nminus = {method = "b"}', "cannot both divide"),
        ('measure = "shd"\ndivide-by = {method = "z"}', "value along 'method' of table 't': 'z'"),
        ('measure = "shd"\nbest = {x = {of = ["a"]}}', "needs what it is the best of, and by what"),
        ('measure = "shd"\nbest = {x = {of = ["z"], by = "shd"}}', "value along 'method' of table 't': 'z'"),
        ('measures = ["shd", "seconds"]\ncolumns = "rows"', "needs one measure"),
    ],
)
def test_a_table_that_cannot_be_made_says_why(text: str, words: str):
    with pytest.raises(OptionError) as caught:
        one_table(text)
    assert words in str(caught.value)
