"""Graph files: JSON, DOT and GraphML."""

from arcwise.graph.io.dot import from_dot, to_dot
from arcwise.graph.io.files import load, save
from arcwise.graph.io.graphml import from_graphml, to_graphml
from arcwise.graph.io.json_text import from_json, to_json

__all__ = ["from_dot", "from_graphml", "from_json", "load", "save", "to_dot", "to_graphml", "to_json"]
