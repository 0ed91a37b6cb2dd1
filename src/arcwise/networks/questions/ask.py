"""Questions about nodes given evidence: exact where every model that matters is a table or a linear Gaussian.

Tables alone are asked by `bucket_tree`, tables with linear Gaussians by `hidden_rows`, whatever else by weighted
samples. What is below all that was asked about and all that is known sums to 1 and plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import exp, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray
from arcwise.errors import DataError, OptionError
from arcwise.networks.inference.bucket_tree import Given
from arcwise.networks.inference.elimination import with_ancestors
from arcwise.networks.inference.incomplete import sums_exactly
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table
from arcwise.networks.questions.evidence import Evidence, level_words, read_evidence
from arcwise.networks.questions.posterior import SHARES, Joint, Marginal, Posterior
from arcwise.networks.questions.rows import Rows, counted_rows

if TYPE_CHECKING:
    from arcwise.networks.network import Network


class Found(NamedTuple):
    """ln p(evidence), what is known of each wanted node, of all together if asked for, and what a sample is worth."""

    log_evidence: float
    marginals: Sequence[Marginal]
    joint: FloatArray | None = None
    effective: float | None = None


class ImpossibleError(DataError):
    """The evidence has probability 0, or no sample agrees with it."""


def query(
    network: Network, names: str | Sequence[str], given: Mapping[str, Any] | None, joint: bool, data: Dataset | None
) -> Posterior:
    """See `Network.query`."""
    wanted, evidence = asked_names(network, names), read_evidence(network, given)
    check_apart(wanted, evidence)
    found = answer(network, wanted, evidence, joint=joint)
    rows = counted_rows(network, wanted, evidence, data)
    return posterior_of(network, wanted, evidence, found, rows, joint=joint)


def asked_names(network: Network, names: str | Sequence[str]) -> tuple[str, ...]:
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        network.dag.index(name)
    if not wanted or len(set(wanted)) < len(wanted):
        raise OptionError("a question needs at least one name, and each name once")
    return wanted


def check_apart(names: Sequence[str], evidence: Evidence, both: str = "asked about and given") -> None:
    """both: what such a name would be."""
    for name in names:
        if name in evidence.words:
            raise OptionError(f"{name!r} is {both}, too; leave it out of one of them")


def answer(network: Network, wanted: Sequence[str], evidence: Evidence, *, joint: bool = False) -> Found:
    """The numbers of an answer; ImpossibleError where the evidence is impossible."""
    models = relevant(network, (*wanted, *evidence.names))
    if joint:
        _check_levels(network, wanted)
    ask: Callable[..., Found] = _by_tables
    if not all(isinstance(model, Table) for model in models):
        if sums_exactly(models):
            from arcwise.networks.questions.exact_mixes import by_rows as ask
        else:
            from arcwise.networks.questions.sampling import by_samples as ask
    found = ask(network, models, wanted, evidence, joint)
    if not isfinite(found.log_evidence):
        words = " and ".join(evidence.words.values())
        raise ImpossibleError(
            f"the evidence is impossible under the network ({words}), so nothing follows; give less of it"
        )
    return found._replace(log_evidence=found.log_evidence + evidence.scale)


def relevant(network: Network, names: Sequence[str]) -> list[ConditionalModel]:
    """The models of these nodes and of all above them, parents before children."""
    kept = with_ancestors(network.dag.parent_positions, (network.dag.index(name) for name in names))
    return [network.model(name) for name in network.dag.topological_order if network.dag.index(name) in kept]


def posterior_of(
    network: Network, wanted: Sequence[str], evidence: Evidence, found: Found, rows: Rows, *, joint: bool
) -> Posterior:
    """The answer in words."""
    marginals = [_in_words(network, marginal) for marginal in found.marginals]
    matching: float | None = rows.matching
    if matching is None and rows.total is not None and not evidence.has_density:
        matching = exp(found.log_evidence) * rows.total
    counted = [
        marginal if marginal.name not in rows.counts else replace(marginal, counts=rows.counts[marginal.name])
        for marginal in marginals
    ]
    warnings: tuple[str, ...] = ()
    if found.effective is not None and found.effective < FEW:
        warnings = (
            f"the evidence is so rare in samples that the answer is worth {found.effective:.0f} draws only; give less "
            "of it, or fit with model='cpt' or 'gaussian'",
        )
    whole = None
    if found.joint is not None and joint:
        whole = Joint(tuple(wanted), tuple(network.model(name).levels for name in wanted), found.joint)
    return Posterior(
        tuple(counted),
        given=tuple(evidence.words.values()),
        joint=whole,
        log_evidence=found.log_evidence,
        density=evidence.has_density,
        rows=rows.total,
        matching=matching,
        counted=rows.matching is not None,
        in_table=rows.in_table,
        effective=found.effective,
        warnings=warnings,
    )


FEW = 200  # draws that an answer should be worth at least


def of_number(name: str, shares: FloatArray, means: FloatArray, sds: FloatArray) -> Marginal:
    """A mixture of normal distributions."""
    from arcwise.networks.questions.mixtures import quantiles

    mean = float(shares @ means)
    sd = float(np.sqrt(shares @ (sds**2 + (means - mean) ** 2)))
    return Marginal(name, mean=mean, sd=sd, quantiles=dict(zip(SHARES, quantiles(shares, means, sds), strict=True)))


def _by_tables(
    network: Network, models: Sequence[ConditionalModel], wanted: Sequence[str], evidence: Evidence, joint: bool
) -> Found:
    index = network.dag.index
    nodes = [index(name) for name in wanted]
    given = Given(
        {index(name): code for name, code in evidence.codes.items()},
        {index(name): weights for name, weights in evidence.weights.items()},
    )
    tree = network.bucket_tree
    whole = None
    if joint:
        log_evidence, whole = tree.joint(nodes, given)
        axes = range(len(nodes))
        shares = [whole.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes]
    else:
        log_evidence, shares = tree.marginals(nodes, given)
    return Found(
        log_evidence,
        [Marginal(name, probabilities=share) for name, share in zip(wanted, shares, strict=True)],
        whole,
    )


def _in_words(network: Network, marginal: Marginal) -> Marginal:
    """With the labels of its levels, and the value of a column that is cut."""
    if marginal.probabilities is None:
        return marginal
    name, cut = marginal.name, network.numbers.get(marginal.name)
    named = replace(marginal, levels=network.model(name).levels, words=level_words(network, name))
    if cut is None:
        return named
    mean, sd = cut.moments(marginal.probabilities[None, :])
    return replace(named, mean=float(mean[0]), sd=float(sd[0]))


def _check_levels(network: Network, wanted: Sequence[str]) -> None:
    for name in wanted:
        if not network.model(name).levels:
            raise OptionError(
                f"node {name!r} is a number, and a joint answer is a table of levels; ask for it by itself, with "
                "joint=False"
            )
