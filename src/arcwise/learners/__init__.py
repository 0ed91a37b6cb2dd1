"""Learners composed of discretizers, scores, tests and searches."""

from arcwise.learners.automatic import Automatic
from arcwise.learners.completed import Completed
from arcwise.learners.draws import Draws
from arcwise.learners.hidden_states import HiddenStates
from arcwise.learners.hybrid import Hybrid
from arcwise.learners.integrated import Integrated
from arcwise.learners.refined import Refined
from arcwise.learners.sampled import Sampled
from arcwise.learners.two_stage import TwoStage

__all__ = ["Automatic", "Completed", "Draws", "HiddenStates", "Hybrid", "Integrated", "Refined", "Sampled", "TwoStage"]
