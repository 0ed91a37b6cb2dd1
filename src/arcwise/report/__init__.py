"""Pictures of data and results for people to look at, and a page that holds all of them."""

from arcwise.drawing import draw_slices, draw_thresholds
from arcwise.report.writing import write

__all__ = ["draw_slices", "draw_thresholds", "write"]
