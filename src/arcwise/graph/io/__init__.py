"""Graph files: JSON, DOT, GraphML, Cytoscape, and scripts for R."""

from arcwise.graph.io.cyjs import from_cyjs, to_cyjs
from arcwise.graph.io.dot import from_dot, to_dot
from arcwise.graph.io.files import from_json, load, save, to_json
from arcwise.graph.io.graphml import from_graphml, to_graphml
from arcwise.graph.io.r_script import to_r

__all__ = [
    "from_cyjs", "from_dot", "from_graphml", "from_json", "load", "save", "to_cyjs", "to_dot", "to_graphml", "to_json",
    "to_r",
]  # fmt: skip
