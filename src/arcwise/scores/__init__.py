"""Network scores. Each is a frozen dataclass of options; `bind(data)` gives the object that computes."""

from arcwise.scores.conditional_gaussian import ConditionalGaussian
from arcwise.scores.copula import Copula
from arcwise.scores.dirichlet import K2, BDeu
from arcwise.scores.gaussian import BGe, DegenerateGaussian, GaussianBIC
from arcwise.scores.kgv import KGV
from arcwise.scores.likelihood import AIC, BIC, MDL, LogLikelihood
from arcwise.scores.neural import NeuralBIC, NeuralPrequential
from arcwise.scores.smooth import Smooth
from arcwise.scores.smooth_regression import SmoothRegression
from arcwise.scores.suited import Gaussian, Suited
from arcwise.scores.total import by_node, total

__all__ = [
    "AIC", "BIC", "K2", "KGV", "MDL", "BDeu", "BGe", "ConditionalGaussian", "Copula", "DegenerateGaussian", "Gaussian",
    "GaussianBIC", "LogLikelihood", "NeuralBIC", "NeuralPrequential", "Smooth", "SmoothRegression", "Suited", "by_node",
    "total",
]  # fmt: skip
