"""All pictures: graphs, thresholds over histograms, slices of data, curves, heat maps. Each is a scene, then a file."""

from arcwise.drawing.graphs import draw
from arcwise.drawing.heat_map import draw_heat_map
from arcwise.drawing.picture import Picture
from arcwise.drawing.slices import draw_slices
from arcwise.drawing.thresholds import draw_thresholds

__all__ = ["Picture", "draw", "draw_heat_map", "draw_slices", "draw_thresholds"]
