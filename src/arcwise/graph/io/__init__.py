"""Graph files: JSON, DOT and GraphML."""

from arcwise.graph.io.dot import from_dot, to_dot
from arcwise.graph.io.files import from_json, load, save, to_json
from arcwise.graph.io.graphml import from_graphml, to_graphml

__all__ = ["from_dot", "from_graphml", "from_json", "load", "save", "to_dot", "to_graphml", "to_json"]
