"""Names that methods have elsewhere: what each is called here, or what comes near it.

Only names that mean one thing in the field are here. `arcwise.nearest` knows misspelt ones, abbreviations and initials.
"""

from __future__ import annotations

from typing import NamedTuple


class Elsewhere(NamedTuple):
    """A method of the field. same: it is what `methods` names; else these come near it."""

    title: str
    methods: tuple[str, ...]
    same: bool = False


def _called(title: str, *methods: str) -> Elsewhere:
    return Elsewhere(title, methods, same=True)


_GROW_SHRINK = Elsewhere("grow-shrink search for Markov blankets", ("mmpc", "pc"))
_LATENT = Elsewhere("search for hidden common causes", ("pc",))
_SMOOTH = Elsewhere("continuous optimization of a weighted graph", ("gaussian", "neural"))
_LINGAM = Elsewhere("method that takes directions from noise that is not normal", ("gaussian", "kgv"))
_ADDITIVE = Elsewhere("additive noise models", ("smooth", "neural"))
_CURVES = _called("the search for relations of any smooth shape", "smooth")
_BY_LEVELS = _called("the conditional Gaussian network", "conditional-gaussian")
_EXACT = _called("exact search", "exhaustive")
_ORDERS = _called("search over orders", "boss")
_TREE = Elsewhere("method for trees", ("tpda", "boss"))

_TABLE = {
    "gs grow-shrink iamb fast-iamb inter-iamb iamb-fdr": _GROW_SHRINK,
    "hiton hiton-pc si-hiton-pc hpc": Elsewhere("HITON", ("mmpc", "pmms")),
    "rsmax2 h2pc": Elsewhere("hybrid of this name", ("mmhc", "pmmhc")),
    "fges fgs greedy-equivalence-search": _called("greedy equivalence search", "ges"),
    "gies": Elsewhere("greedy equivalence search with interventions", ("ges",)),
    "pc-stable cpc pc-max mpc stable-pc": _called("PC", "pc"),
    "fci rfci gfci fci-max bfci": _LATENT,
    "grasp gsp sp sparsest-permutation": Elsewhere("search over permutations of this name", ("boss",)),
    "order order-search permutation": _ORDERS,
    "notears golem dagma dag-gnn gran-dag notears-mlp": _SMOOTH,
    "lingam direct-lingam ica-lingam directlingam icalingam": _LINGAM,
    "anm pnl igci additive-noise": _ADDITIVE,
    "cam causal-additive-model causal-additive-models": Elsewhere("search for causal additive models", ("smooth",)),
    "gam additive generalized-additive-model generalized-additive-models": _CURVES,
    "basis-functions splines spline curves nonlinear": _CURVES,
    "exact dp dynamic-programming gobnilp ilp astar a-star silander-myllymaki optimal-search": _EXACT,
    "chow-liu tree aracne tan naive-bayes": _TREE,
    "greedy greedy-search": _called("greedy search", "hill-climb"),
    "mcmc order-mcmc structure-mcmc partition-mcmc": Elsewhere("sampling of networks", ("boss",)),
    "quantile quantiles equal-count": _called("bins with equally many rows", "equal-frequency"),
    "uniform": _called("bins of equal width", "equal-width"),
    "mdlp fayyad fayyad-irani": Elsewhere("MDLP", ("friedman", "top-down")),
    "linear linear-gaussian glasso": Elsewhere("method of this name", ("gaussian",)),
    "clg clgbn conditional-linear-gaussian bic-cg cg": _BY_LEVELS,
    "nonparanormal npn gaussian-copula normal-scores": _called("the Gaussian copula", "copula"),
    "rank-pc copula-pc gaussian-copula-pc": Elsewhere("PC on ranks", ("copula", "pc")),
    "kpc kernel-pc": Elsewhere("PC with a kernel test", ("kgv", "pc-recursive-median")),
    "kernel": _called("the kernel generalized variance", "kgv"),
    "cheng tpda-pi bn-power-constructor": _called("three-phase dependency analysis", "tpda"),
    "max-min-hill-climbing": _called("MMHC", "mmhc"),
    "max-min-parents-and-children": _called("MMPC", "mmpc"),
    "hidden-markov latent mixture": Elsewhere("method of this name", ("hidden-states",)),
    "cv cross-validation default best-of": _called("a choice among methods", "auto"),
}
ELSEWHERE = {name: found for names, found in _TABLE.items() for name in names.split()}


def known_elsewhere(name: str) -> str | None:
    """One sentence about a method that has this name elsewhere; None where the name says nothing."""
    found = ELSEWHERE.get("-".join(name.casefold().replace("_", " ").replace(".", " ").replace("-", " ").split()))
    if found is None:
        return None
    if found.same:
        return f"unknown method {name!r}; {found.title} is called {found.methods[0]!r} here"
    near = f"{' and '.join(map(repr, found.methods))} {'comes' if len(found.methods) == 1 else 'come'} near"
    return f"unknown method {name!r}; arcwise has no {found.title}, but {near}"
