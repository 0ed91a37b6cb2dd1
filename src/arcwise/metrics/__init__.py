"""How far a learned graph is from the true one."""

from arcwise.metrics.edges import (
    EdgeErrors,
    OrientationErrors,
    SkeletonErrors,
    edge_errors,
    orientation_errors,
    shd,
    skeleton_errors,
)

__all__ = [
    "EdgeErrors", "OrientationErrors", "SkeletonErrors", "edge_errors", "orientation_errors", "shd",
    "skeleton_errors",
]  # fmt: skip
