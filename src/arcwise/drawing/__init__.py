"""All pictures: graphs, thresholds over histograms, slices of data, curves. Each is a scene; a file is made of that."""

from arcwise.drawing.graphs import draw
from arcwise.drawing.slices import draw_slices
from arcwise.drawing.thresholds import draw_thresholds

__all__ = ["draw", "draw_slices", "draw_thresholds"]
