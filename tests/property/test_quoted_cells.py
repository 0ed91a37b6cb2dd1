"""Text in quotes comes back as it was written, whatever words, quotes, delimiters and line ends it has."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.missing import MISSING_MARKERS
from arcwise.data.reading.door import read

PIECES = [*sorted(MISSING_MARKERS - {""}), '"', ",", ";", "\t", "\n", " ", "a", "1", "\ufdd0"]
CELLS = st.one_of(
    st.sampled_from(sorted(MISSING_MARKERS - {""})),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)
    .map("".join)
    .filter(lambda cell: cell == cell.strip() != ""),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=2, max_size=12), st.sampled_from([",", ";", "\t"]))
def test_round_trip(rows: list[tuple[str, str]], delimiter: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerows([("first", "second"), *rows])
        data = read(path, discrete=["first", "second"])
    for position, column in enumerate(data.columns):
        assert [column.levels[code] for code in column.values] == [row[position] for row in rows]
