"""The scores of thresholds that a plan names by methods which cut columns while they learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcwise.catalog import from_spec
from arcwise.discretize.policies.policy import NetworkScore
from arcwise.errors import OptionError
from arcwise.learners import Integrated
from arcwise.parts.protocols import PolicyScore
from arcwise.study.context import Context


def chosen_policies(context: Context, labels: Any) -> dict[str, Mapping[str, Any]]:
    """The methods that an experiment names; those without a score of thresholds are refused."""
    methods = context.chosen_methods(labels)
    if not methods:
        raise OptionError('there are no methods; name some: methods = ["top-down"]')
    for label, method in methods.items():
        if "spec" not in method or not isinstance(from_spec(method["spec"]), Integrated):
            raise OptionError(
                f"method {label!r} has no score of thresholds; use one that cuts columns while it learns, such as "
                "top-down, friedman or steck"
            )
    return methods


def policy_of(method: Mapping[str, Any]) -> tuple[PolicyScore, NetworkScore]:
    """(the score of thresholds, the score of networks beside it)."""
    learner = from_spec(method["spec"])
    assert isinstance(learner, Integrated)
    return learner.policy, learner.network_score
