"""Pictures of data and results for people to look at."""

from arcwise.report.slices import draw_slices
from arcwise.report.thresholds import draw_thresholds

__all__ = ["draw_slices", "draw_thresholds"]
