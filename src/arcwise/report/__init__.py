"""Pictures of data and results for people to look at."""

from arcwise.drawing import draw_slices, draw_thresholds

__all__ = ["draw_slices", "draw_thresholds"]
