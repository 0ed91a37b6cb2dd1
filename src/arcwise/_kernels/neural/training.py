"""Training of a network with one hidden layer: loss and gradient over all rows, and L-BFGS."""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.neural.layers import (
    STRETCH,
    add_products,
    hidden_derivatives,
    tanh_in_place,
    weighted_sums,
)
from arcwise._kernels.neural.losses import FAST, mixture_loss, softmax_loss
from arcwise._kernels.types import FloatArray, IntArray

SUFFICIENT = 1e-4  # of the decrease that the slope promises (Armijo)
CURVATURE = 0.9  # a step is long enough when the slope has become at most this share of what it was (Wolfe)
MOST_TRIALS = 20  # of one line search
REMEMBERED, DONE = 0, 1  # places in Memory.progress


class Objective(NamedTuple):
    """What is minimized: rows to describe, the shape of the network that does, and what its weights cost.

    inputs (blocks, p, STRETCH), targets (blocks, STRETCH), of which the first `rows` rows count. floor: least sd
    of a mixture density; 0: the outputs are those of a softmax.
    """

    inputs: FloatArray
    targets: FloatArray
    rows: int
    hidden: int
    outputs: int
    floor: float
    decay: float


class Memory(NamedTuple):
    """What L-BFGS needs to go on as if there had been no break.

    steps, changes (memory, d) and curvatures (memory,) are a ring; recent: losses, at first infinite; progress: steps
    remembered and iterations done.
    """

    steps: FloatArray
    changes: FloatArray
    curvatures: FloatArray
    recent: FloatArray
    progress: IntArray

    @property
    def iterations(self) -> int:
        return int(self.progress[DONE])


@inner
def loss_and_gradient(objective, weights, gradient, buffer):
    """E = -sum_i ln p(target_i | inputs_i) + (decay / 2) sum of squared weights (not the outputs' biases).

    gradient is filled. buffer: (2 h + 2 o + 5, STRETCH).
    """
    inputs, targets, rows, hidden, outputs, floor, decay = objective
    p = inputs.shape[1]
    split = hidden * (p + 1)
    first, second = weights[:split].reshape(hidden, p + 1), weights[split:].reshape(outputs, hidden + 1)
    first_gradient = gradient[:split].reshape(hidden, p + 1)
    second_gradient = gradient[split:].reshape(outputs, hidden + 1)
    units, back = buffer[:hidden], buffer[hidden : 2 * hidden]
    z = buffer[2 * hidden : 2 * hidden + outputs]
    shares = buffer[2 * hidden + outputs : 2 * hidden + 2 * outputs]
    rest = buffer[2 * hidden + 2 * outputs :]
    top, total, factor = rest[:2], rest[2:4], rest[4]
    top_row, total_row = top[0], total[0]
    for j in range(gradient.shape[0]):
        gradient[j] = 0.0
    loss = 0.0
    for block in range((rows + STRETCH - 1) // STRETCH):
        m = min(STRETCH, rows - block * STRETCH)
        x, t = inputs[block], targets[block]
        weighted_sums(first, x, m, units)
        tanh_in_place(units, m)
        weighted_sums(second, units, m, z)
        if floor > 0.0:
            loss += mixture_loss(z, t, m, floor, shares, top, total, factor)
        else:
            loss += softmax_loss(z, t, m, top_row, total_row)
        add_products(z, units, m, second_gradient)
        hidden_derivatives(z, second, units, m, back)
        add_products(back, x, m, first_gradient)
    for u in range(hidden):
        for j in range(p + 1):
            loss += 0.5 * decay * first[u, j] * first[u, j]
            first_gradient[u, j] += decay * first[u, j]
    for o in range(outputs):
        for u in range(hidden):
            loss += 0.5 * decay * second[o, u] * second[o, u]
            second_gradient[o, u] += decay * second[o, u]
    return loss


@inner(fastmath=FAST)
def dot(a, b):
    total = 0.0
    for j in range(a.shape[0]):
        total += a[j] * b[j]
    return total


@inner(fastmath=FAST, error_model="numpy")
def descent_direction(gradient, memory, known, shares, direction):
    """direction = -H gradient by the two loops of L-BFGS; the last `known` steps are in the ring."""
    steps, changes, curvatures = memory.steps, memory.changes, memory.curvatures
    d, room = gradient.shape[0], steps.shape[0]
    for j in range(d):
        direction[j] = -gradient[j]
    oldest = max(0, known - room)
    for back in range(known - oldest):
        m = np.uintp((known - 1 - back) % room)
        share = 0.0
        for j in range(d):
            share += steps[m, j] * direction[j]
        share /= curvatures[m]
        shares[m] = share
        for j in range(d):
            direction[j] -= share * changes[m, j]
    if known > 0:
        m = np.uintp((known - 1) % room)
        square = 0.0
        for j in range(d):
            square += changes[m, j] * changes[m, j]
        scale = curvatures[m] / square
        for j in range(d):
            direction[j] *= scale
    for k in range(oldest, known):
        m = np.uintp(k % room)
        share = 0.0
        for j in range(d):
            share += changes[m, j] * direction[j]
        share = shares[m] - share / curvatures[m]
        for j in range(d):
            direction[j] += share * steps[m, j]


@inner(error_model="numpy")
def wolfe_step(objective, weights, loss, slope, direction, trial, gradient, buffer):
    """(length, loss there, evaluations) of a step along `direction` that satisfies the weak Wolfe conditions.

    trial and gradient hold the weights and the gradient there. Length 0: no step was found that lowers the loss enough.
    """
    low, high, step, value = 0.0, np.inf, 1.0, loss
    for trials in range(MOST_TRIALS):
        if trials == MOST_TRIALS - 1:
            step = low  # of the steps tried, the longest that lowers the loss enough
        for j in range(weights.shape[0]):
            trial[j] = weights[j] + step * direction[j]
        value = loss_and_gradient(objective, trial, gradient, buffer)
        if not value <= loss + SUFFICIENT * step * slope:  # also when it is not a number
            high = step
            bent = value - loss - slope * step
            shorter = 0.5 * -slope * step * step / bent if bent > 0.0 else 0.0  # where a parabola is lowest
            step = shorter if low == 0.0 and 0.1 * high < shorter < 0.5 * high else 0.5 * (low + high)
        elif dot(gradient, direction) < CURVATURE * slope and trials < MOST_TRIALS - 1:
            low = step
            step = 2.0 * low if high == np.inf else 0.5 * (low + high)
        else:
            return step, value, trials + 1
    return 0.0, loss, MOST_TRIALS


@kernel(error_model="numpy")
def train(
    objective: Objective, weights: FloatArray, memory: Memory, most: int, tolerance: float
) -> tuple[float, int, bool]:
    """At most `most` iterations of L-BFGS from `weights`, in place: (loss, evaluations, whether it has converged).

    It has when len(recent) iterations together gain less than `tolerance`, or no step lowers the loss.
    """
    d = weights.shape[0]
    steps, changes, curvatures, recent, progress = memory
    room, patience = steps.shape[0], recent.shape[0]
    buffer = np.empty((2 * objective.hidden + 2 * objective.outputs + 5, STRETCH))
    gradient, trial, trial_gradient = np.empty(d), np.empty(d), np.empty(d)
    direction, shares = np.empty(d), np.empty(room)
    loss = loss_and_gradient(objective, weights, gradient, buffer)
    evaluations = 1
    for iteration in range(progress[DONE], progress[DONE] + most):
        if recent[iteration % patience] - loss < tolerance:
            return loss, evaluations, True
        recent[iteration % patience] = loss
        progress[DONE] += 1
        known = progress[REMEMBERED]
        descent_direction(gradient, memory, known, shares, direction)
        if known == 0:
            length = max(1.0, np.sqrt(dot(gradient, gradient)))
            for j in range(d):
                direction[j] /= length
        slope = dot(gradient, direction)
        step, value, tried = wolfe_step(objective, weights, loss, slope, direction, trial, trial_gradient, buffer)
        evaluations += tried
        if step == 0.0:
            if known == 0:
                return loss, evaluations, True
            progress[REMEMBERED] = 0  # what is remembered misleads: go on along the gradient
            continue
        m = known % room
        curvature = 0.0
        for j in range(d):
            steps[m, j] = trial[j] - weights[j]
            changes[m, j] = trial_gradient[j] - gradient[j]
            curvature += steps[m, j] * changes[m, j]
            weights[j] = trial[j]
            gradient[j] = trial_gradient[j]
        loss = value
        if curvature > 0.0:
            curvatures[m] = curvature
            progress[REMEMBERED] = known + 1
    return loss, evaluations, False


@kernel
def network_outputs(inputs: FloatArray, rows: int, hidden: int, outputs: int, weights: FloatArray) -> FloatArray:
    """(outputs, rows): the outputs of the network in each row."""
    p = inputs.shape[1]
    split = hidden * (p + 1)
    first, second = weights[:split].reshape(hidden, p + 1), weights[split:].reshape(outputs, hidden + 1)
    units, z = np.empty((hidden, STRETCH)), np.empty((outputs, STRETCH))
    result = np.empty((outputs, rows))
    for block in range((rows + STRETCH - 1) // STRETCH):
        start = block * STRETCH
        m = min(STRETCH, rows - start)
        weighted_sums(first, inputs[block], m, units)
        tanh_in_place(units, m)
        weighted_sums(second, units, m, z)
        for o in range(outputs):
            for i in range(m):
                result[o, start + i] = z[o, i]
    return result
