"""How far a learned graph is from the true one."""

from arcwise.metrics.edges import EdgeErrors, edge_errors
from arcwise.metrics.hamming import shd
from arcwise.metrics.orientation import OrientationErrors, orientation_errors
from arcwise.metrics.skeleton import SkeletonErrors, skeleton_errors

__all__ = [
    "EdgeErrors",
    "OrientationErrors",
    "SkeletonErrors",
    "edge_errors",
    "orientation_errors",
    "shd",
    "skeleton_errors",
]
