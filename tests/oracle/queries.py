"""Slow twins of questions: the whole joint table, cell by cell; joint normal densities; every graph of a class."""

from __future__ import annotations

from itertools import product

import numpy as np

from arcwise.graph.dag import Dag
from arcwise.graph.enumerate import all_dags
from arcwise.graph.equivalence import equivalent


def whole_joint(net):
    """P(all nodes), an axis for each, as the product of the tables in each cell."""
    found = np.zeros(net.cardinalities)
    for codes in product(*map(range, net.cardinalities)):
        cell = 1.0
        for name, parents, cpt in zip(net.names, net.parents, net.cpts, strict=True):
            cell *= cpt[tuple(codes[net.dag.index(member)] for member in (*parents, name))]
        found[codes] = cell
    return found


def given_weights(net, joint, weights):
    """The joint times how probable the evidence is for each level of some nodes; its sum is p(evidence)."""
    found = joint.copy()
    for name, own in weights.items():
        shape = [1] * joint.ndim
        shape[net.dag.index(name)] = len(own)
        found *= np.reshape(own, shape)
    return found


def marginal(net, joint, *names):
    """P(names), up to a factor, in the order of the names."""
    axes = [net.dag.index(name) for name in names]
    others = tuple(axis for axis in range(joint.ndim) if axis not in axes)
    left = [axis for axis in range(joint.ndim) if axis in axes]
    return np.transpose(joint.sum(axis=others), [left.index(axis) for axis in axes])


def one_hot(net, name, level):
    levels = net.model(name).levels
    return np.array([float(own == level) for own in levels])


def class_of(dag):
    """Every DAG that is equivalent to this one."""
    every = all_dags(dag.n_nodes)
    return [Dag.from_adjacency(dag.names, adj) for adj in every if equivalent(adj, dag.adjacency)]


def intervened(net, joint, dag, setting):
    """p(all) / product of p(x | parents of x in dag), where x has the values that are set (Pearl 2000)."""
    found = joint.copy()
    for name, level in setting.items():
        axes = tuple(i for i, node in enumerate(net.names) if node not in dag.parents(name) and node != name)
        both = joint.sum(axis=axes, keepdims=True)
        own = both / both.sum(axis=net.dag.index(name), keepdims=True)
        found = found / own
        found = given_weights(net, found, {name: one_hot(net, name, level)})
    return found


def linear_effect(net, dag, cause, value, target):
    """E[target | do(cause = value)] by adjusting for the parents of the cause in this graph."""
    names, means, covariance = list(net.names), net.means, net.covariance()
    parents = dag.parents(cause)
    x, y = names.index(cause), names.index(target)
    if target in parents:
        return means[y]
    used = [x, *(names.index(parent) for parent in parents)]
    slopes = np.linalg.solve(covariance[np.ix_(used, used)], covariance[used, y])
    return means[y] + slopes[0] * (value - means[x])


def conditional_normal(net, name, given):
    """(mean, sd) of one node given some, in a network of linear Gaussians."""
    names, means, covariance = list(net.names), net.means, net.covariance()
    used, y = [names.index(other) for other in given], names.index(name)
    away = np.array(list(given.values())) - means[used]
    slopes = np.linalg.solve(covariance[np.ix_(used, used)], covariance[used, y])
    return means[y] + slopes @ away, np.sqrt(covariance[y, y] - slopes @ covariance[used, y])
