"""Learners composed of discretizers, scores, tests and searches."""

from arcwise.learners.two_stage import TwoStage

__all__ = ["TwoStage"]
