"""The report page: how long it takes to write, and how soon it answers a click in headless Chromium."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

SIZES = ((20, 30), (60, 90), (200, 400))  # columns and edges
ROWS, COLUMNS = 1_000, 20
RESAMPLES = 100
METHODS = ("auto", "gaussian", "steck", "hill-climb", "pc")
REPEATS = 3
# Milliseconds from a click to the end of the layout, and to the frame after it, for every third node and edge.
CLICKS = """(async () => {
  const groups = [...document.querySelectorAll("g.node, g.edge")];
  const times = [];
  for (let k = 0; k < groups.length; k += 3) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    groups[k].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    document.body.getBoundingClientRect();
    const layout = performance.now() - start;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push([layout, performance.now() - start]);
  }
  return times;
})()"""


def clicks() -> Iterator[str]:
    """Networks made by hand: seconds to write the page, its size, and milliseconds from a click to the next frame."""
    from arcwise.report import write
    from tests.browser.chromium import Chromium
    from tests.browser.made import made

    yield "| columns | edges | written, s | size, kB | click to layout, ms: median | to frame: median | longest |"
    yield "|---" * 7 + "|"
    with TemporaryDirectory() as folder:
        browser = Chromium(Path(folder) / "profile")
        page = browser.page()
        page.size(1400, 900)
        for n, edges in SIZES:
            result, data = made(n, edges, rows=ROWS)
            path = Path(folder) / f"{n}.html"
            seconds = []
            for _ in range(REPEATS):
                began = time.perf_counter()
                write(result, data, path)
                seconds.append(time.perf_counter() - began)
            page.open(path)
            layout, frame = zip(*page.run(CLICKS), strict=True)
            figures = f"{statistics.median(layout):.1f} | {statistics.median(frame):.1f} | {max(frame):.1f}"
            size = path.stat().st_size / 1000
            yield f"| {n} | {edges} | {statistics.median(seconds):.2f} | {size:.0f} | {figures} |"
        browser.close()


def command(*, methods: Sequence[str] = METHODS) -> Iterator[str]:
    """Seconds of `arcwise learn data.csv --bootstrap 100 --report page.html` on a mixed table, from start to end."""
    yield "| method | learn, s | with 100 resamples | and the page |"
    yield "|---" * 4 + "|"
    with TemporaryDirectory() as folder:
        table = Path(folder) / "data.csv"
        write_table(table)
        options = ((), ("--bootstrap", str(RESAMPLES)), ("--bootstrap", str(RESAMPLES), "--report", f"{folder}/p.html"))
        for method in methods:
            seconds = [statistics.median(_seconds(table, method, given) for _ in range(REPEATS)) for given in options]
            yield f"| {method} | {' | '.join(f'{one:.2f}' for one in seconds)} |"


def _seconds(table: Path, method: str, options: Sequence[str]) -> float:
    call = [sys.executable, "-m", "arcwise", "learn", str(table), "--method", method, "--quiet", *options]
    began = time.perf_counter()
    subprocess.run(call, check=True, capture_output=True)
    return time.perf_counter() - began


def write_table(path: Path, rows: int = ROWS, columns: int = COLUMNS) -> None:
    """A mixed table in which every column follows up to two of those before it; every third one has levels."""
    rng = np.random.default_rng(20)
    raw: list[np.ndarray] = []
    for k in range(columns):
        above = rng.choice(k, min(k, int(rng.integers(0, 3))), replace=False)
        raw.append(sum((raw[i] for i in above), np.zeros(rows)) * 0.8 + rng.normal(size=rows))
    levels = np.array(["low", "middle", "high"])
    cells = [
        [f"{x:.4f}" for x in values] if k % 3 else levels[np.digitize(values, [-0.7, 0.7])].tolist()
        for k, values in enumerate(raw)
    ]
    lines = [",".join(f"column_{k}" for k in range(columns)), *(",".join(row) for row in zip(*cells, strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
