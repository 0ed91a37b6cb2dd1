"""pyarrow is no dependency: pandas and polars tables must not need it."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
sys.modules["pyarrow"] = None  # any import of it now fails
import pandas as pd, polars as pl
from arcwise.data.reading.door import as_dataset as from_frame
table = {"t": ["b", "a", None, "b"], "k": [1, 2, 2, 1], "x": [0.5, 1.5, 2.5, 3.5], "b": [True, None, False, True]}
frame = pd.DataFrame(table)
frame["c"] = pd.Categorical(["u", "v", "u", "v"], categories=["v", "u"], ordered=True)
for one in (frame, pl.DataFrame(table), table):
    data = from_frame(one, missing="state")
    assert data.column("t").levels == ("a", "b", "missing"), data.column("t")
    assert data.column("t").values.tolist() == [1, 0, 2, 1]
    assert data.column("b").levels == ("false", "true", "missing")
assert from_frame(frame, missing="state").column("c").levels == ("v", "u")
print("fine")
"""


def test_tables_without_pyarrow() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "fine", done.stderr
