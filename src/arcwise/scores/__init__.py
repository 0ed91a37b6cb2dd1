"""Network scores. Each is a frozen dataclass of options; `bind(data)` gives the object that computes."""

from arcwise.scores.aic import AIC
from arcwise.scores.bdeu import BDeu
from arcwise.scores.bge import BGe
from arcwise.scores.bic import BIC
from arcwise.scores.degenerate_gaussian import DegenerateGaussian
from arcwise.scores.gaussian import Gaussian
from arcwise.scores.gaussian_bic import GaussianBIC
from arcwise.scores.k2 import K2
from arcwise.scores.kgv import KGV
from arcwise.scores.log_likelihood import LogLikelihood
from arcwise.scores.mdl import MDL
from arcwise.scores.neural_bic import NeuralBIC
from arcwise.scores.neural_prequential import NeuralPrequential
from arcwise.scores.suited import Suited
from arcwise.scores.total import by_node, total

__all__ = [
    "AIC",
    "BIC",
    "K2",
    "KGV",
    "MDL",
    "BDeu",
    "BGe",
    "DegenerateGaussian",
    "Gaussian",
    "GaussianBIC",
    "LogLikelihood",
    "NeuralBIC",
    "NeuralPrequential",
    "Suited",
    "by_node",
    "total",
]
