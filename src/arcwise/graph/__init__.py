"""Graphs over named nodes: directed acyclic, partially directed, their files and their pictures."""

from arcwise.graph.dag import Dag
from arcwise.graph.draw import draw
from arcwise.graph.io import load, save
from arcwise.graph.pdag import Pdag

__all__ = ["Dag", "Pdag", "draw", "load", "save"]
