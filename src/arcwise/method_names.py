"""The names of the presets as a type, so that editors complete them; a test holds them against the presets.

Other packages may register more: wherever a method is named, any text is accepted, too.
"""

from __future__ import annotations

from typing import Literal

# fmt: off
MethodName = Literal[
    "auto",
    "equal-width", "equal-frequency", "sturges", "scott", "freedman-diaconis", "hartemink",
    "friedman", "monti", "monti-orders", "steck", "optimal", "chen", "top-down",
    "hidden-states",
    "kgv", "kernel-orders", "gaussian", "conditional-gaussian", "copula", "smooth", "neural", "neural-discretized",
    "pc", "pc-recursive-median", "tpda", "mmpc", "pmms",
    "mmhc", "pmmhc",
    "hill-climb", "tabu", "ges", "boss", "best", "k2", "sparse-candidate", "optimal-reinsertion", "exhaustive",
]
# fmt: on
