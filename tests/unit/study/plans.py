"""Small plans for tests."""

from __future__ import annotations

from pathlib import Path

from arcwise.study.plan import Plan, read_plan

SMALL = """
title = "A small study"
publication = "Nobody 1900"
about = "Two methods on two networks."
limit = 60

[methods]
bins2 = {method = "equal-frequency", bins = 2}
bins3 = {method = "equal-frequency", bins = 3}

[experiments.simulated]
sources = ["child", "asia"]
rows = [60, 120]
noise = [0.3]
runs = 3
measures = ["shd", "extra", "missing", "edges", "seconds", "graph"]
quick = {run = [1], rows = 60}

[tables.distances]
title = "Distances"
columns = "rows"
measure = "shd"
divide-by = {method = "bins2"}
average = true

[figures.distances]
title = "Distances by rows"
kind = "lines"
experiment = "simulated"
x = "rows"
measure = "shd"
lines = "method"
band = true

[findings.more]
statement = "Three bins are better than two"
checks = ["distances: bins3 @ 60 < 1", "distances: bins3 @ 120 < bins2 @ 120"]
"""
ASIA = """network asia {}
variable a { type discrete [ 2 ] { yes, no }; }
variable b { type discrete [ 2 ] { yes, no }; }
variable c { type discrete [ 3 ] { low, middle, high }; }
probability ( a ) { table 0.3, 0.7; }
probability ( b | a ) { (yes) 0.9, 0.1; (no) 0.2, 0.8; }
probability ( c | b ) { (yes) 0.8, 0.1, 0.1; (no) 0.1, 0.2, 0.7; }
"""


def plan_of(folder: Path, text: str = SMALL, name: str = "small") -> Plan:
    """The plan of this text, in a folder; `asia` in it is a network of three nodes, from a file."""
    (folder / "asia.bif").write_text(ASIA)
    text = text.replace("[methods]", '[sources.asia]\nnetwork = "asia.bif"\n\n[methods]', 1)
    (folder / f"{name}.toml").write_text(text)
    return read_plan(text, name, folder)
