"""The curve of a descent as a picture: information by number of levels, its knee marked."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.data.text_files import write_whole
from arcwise.discretize.hartemink.path import KNEE_WITHIN, HarteminkPath
from arcwise.environment import import_matplotlib
from arcwise.errors import FileError
from arcwise.graph.scene import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Neither a date nor a program's name is written, so that the same curve gives the same bytes.
METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def draw(path: HarteminkPath, file: str | Path) -> None:
    """Up to KNEE_WITHIN levels; beside it, on a logarithmic axis, the whole way if it began higher."""
    suffix = Path(file).suffix.lower()
    if suffix not in METADATA:
        raise FileError(f"{file}: unknown suffix {suffix!r} for a picture; use .svg, .png or .pdf")
    import_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    high = int(path.levels[-1]) > KNEE_WITHIN
    with rc_context({"svg.hashsalt": "arcwise", "pdf.fonttype": 42, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(10.0 if high else 6.0, 4.2), facecolor=COLORS["paper"], layout="constrained")
        canvas = FigureCanvasAgg(figure)
        panels = figure.subplots(1, 2 if high else 1, squeeze=False)[0]
        near = path.levels <= max(KNEE_WITHIN, path.levels[0])
        _curve(panels[0], path.levels[near], path.tmi[near])
        panels[0].plot(
            path.levels[near], path.chance[near], ls="--", lw=1.2, color=COLORS["edge"], label="expected by chance"
        )
        _mark_knee(panels[0], path)
        panels[0].legend(frameon=False, loc="upper left", labelcolor=COLORS["ink"])
        if high:
            _curve(panels[1], path.levels, path.tmi)
            panels[1].set_xscale("log")
            panels[1].xaxis.set_major_formatter("{x:.0f}")
            panels[0].set_title(f"up to {KNEE_WITHIN} levels", color=COLORS["ink"], fontsize=11)
            panels[1].set_title("the whole descent", color=COLORS["ink"], fontsize=11)
        buffer = BytesIO()
        canvas.print_figure(buffer, format=suffix[1:], dpi=160, metadata=METADATA[suffix])
    write_whole(file, buffer.getvalue())


def _curve(axes: Axes, levels: IntArray, tmi: FloatArray) -> None:
    few = len(levels) <= KNEE_WITHIN
    axes.plot(levels, tmi, marker="o" if few else "", ms=4, lw=1.6, color=COLORS["border"], label="measured")
    if few:
        axes.set_xticks(levels)
    axes.set_xlabel("levels of each column", color=COLORS["ink"])
    axes.set_ylabel("total mutual information (nats a row)", color=COLORS["ink"])
    axes.tick_params(colors=COLORS["edge"], labelcolor=COLORS["ink"])
    axes.grid(axis="y", color=COLORS["box"])
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(COLORS["edge"])


def _mark_knee(axes: Axes, path: HarteminkPath) -> None:
    knee = path.knee
    height = float(path.tmi[np.searchsorted(path.levels, knee)])
    axes.plot([knee], [height], marker="o", ms=9, ls="", color=COLORS["conflict"], label=f"knee: {knee} levels")
