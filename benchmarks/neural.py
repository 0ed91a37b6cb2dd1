"""Training of small networks side by side with PyTorch, and what the neural scores cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import log, pi
from typing import Any

import numpy as np

from benchmarks.discretization import median_time

STARTS = range(5)
DECAY = 1.0
FLOOR = 0.01
SLACK = 0.1  # nats above the loss that arcwise reached count as reached
MOST_ROUNDS = 200  # of ten iterations each, before PyTorch is given up on


def training(rows: int = 500, inputs: int = 5) -> Iterator[str]:
    """One network from one start: milliseconds to the same loss, arcwise's L-BFGS and PyTorch's, in double precision.

    PyTorch's clock stops as soon as its loss, looked at every ten iterations, is no more than SLACK above that of
    arcwise. All runs of arcwise come first, and PyTorch has one thread, which is faster for networks of this size.
    """
    from arcwise.networks.models.training import Run, first_weights, make_task

    rng = np.random.default_rng(0)
    x = rng.normal(size=(inputs, rows))
    first = rng.random(rows) < 0.4
    y = np.where(first, np.sin(x[0]) + x[1], -0.8 * x[2]) + rng.normal(size=rows) * np.where(first, 0.2, 0.5)
    y = (y - y.mean()) / y.std()
    codes = (y > -0.4).astype(int) + (y > 0.6)
    cases: dict[str, Any] = {
        "mixture of 3": (make_task(x, y, 3, floor=FLOOR).with_order(3), y),
        "softmax of 3": (make_task(x, codes, 3, levels=3), codes),
    }
    yield f"{rows} rows, {inputs} inputs, 3 hidden units; medians over {len(STARTS)} starts\n"
    yield "| network | library | ms | arcwise is faster by | loss |"
    yield "|---|---|---|---|---|"
    reached: dict[str, list[tuple[Any, float, float]]] = {}
    for name, (task, _) in cases.items():
        for seed in STARTS:
            start = first_weights(task, np.random.default_rng(seed))
            run = Run(task, DECAY, start)
            run.advance(100)

            def train(task: Any = task, start: Any = start) -> None:
                Run(task, DECAY, start).advance(100)

            reached.setdefault(name, []).append((start, run.loss, median_time(train, 9)))
    for name, (task, targets) in cases.items():
        ours = np.median([seconds for _, _, seconds in reached[name]])
        loss = np.median([loss for _, loss, _ in reached[name]])
        yield f"| {name} | arcwise | {1e3 * ours:.2f} |  | {loss:.1f} |"
        if find_spec("torch") is None:
            yield f"| {name} | PyTorch is not installed (pip install torch) |  |  |  |"
            continue
        _torch(task, x, targets, reached[name][0][0], np.inf)  # its first steps are slow
        runs = [_torch(task, x, targets, start, goal + SLACK) for start, goal, _ in reached[name]]
        times = [seconds for seconds, _ in runs if seconds is not None]
        theirs, found = np.median(times) if times else np.nan, np.median([loss for _, loss in runs])
        label = f"PyTorch, {len(times)} of {len(runs)} reached it"
        yield f"| {name} | {label} | {1e3 * theirs:.1f} | {theirs / ours:.0f}x | {found:.1f} |"


def families() -> Iterator[str]:
    """One family of abalone with each score, and a greedy search for the parents of its response."""
    import arcwise
    from arcwise.scores.neural import NeuralBIC, NeuralPrequential

    data = arcwise.datasets.load("abalone")
    child = data.index("rings")
    others = [j for j in range(data.n_columns) if j != child]
    yield "| score | parents | seconds | score of the family |"
    yield "|---|---|---|---|"
    for score in (NeuralPrequential(), NeuralBIC()):
        bound = score.bind(data)
        for k in (0, 1, 2, 4, 8):
            seconds = median_time(lambda b=bound, k=k: b.local_score(child, others[:k]), 3)
            yield f"| {score.kind} | {k} | {seconds:.3f} | {bound.local_score(child, others[:k]):.1f} |"
        began = time.perf_counter()
        parents, best = _greedy(bound.local_scores, child, others)
        names = ", ".join(data.names[j] for j in parents)
        yield f"| {score.kind} | greedy: {names} | {time.perf_counter() - began:.1f} | {best:.1f} |"


def _greedy(local_scores: Callable[..., Any], child: int, others: list[int]) -> tuple[list[int], float]:
    parents: list[int] = []
    best = float(local_scores(child, np.full((1, 1), -1))[0])
    while len(parents) < len(others):
        left = [j for j in others if j not in parents]
        scores = local_scores(child, np.array([[*parents, j] for j in left]))
        if scores.max() <= best:
            break
        best = float(scores.max())
        parents.append(left[int(scores.argmax())])
    return parents, best


def _torch(task: Any, x: Any, targets: Any, start: Any, goal: float) -> tuple[float | None, float]:
    """(seconds until the loss is at most `goal`, or None; the loss) of the same network trained by PyTorch."""
    import torch

    torch.set_num_threads(1)
    inputs, values = torch.tensor(x.T), torch.tensor(targets)
    split = task.hidden * (task.n_inputs + 1)
    first = torch.tensor(start[:split].reshape(task.hidden, -1), requires_grad=True)
    second = torch.tensor(start[split:].reshape(task.outputs, -1), requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [first, second], max_iter=10, history_size=40, tolerance_grad=1e-9, tolerance_change=1e-12,
        line_search_fn="strong_wolfe",
    )  # fmt: skip

    def loss() -> Any:
        units = torch.tanh(inputs @ first[:, :-1].T + first[:, -1])
        z = units @ second[:, :-1].T + second[:, -1]
        if task.order:
            logits, means, log_sds = z.chunk(3, dim=1)
            sds = FLOOR + torch.exp(log_sds)
            logs = torch.log_softmax(logits, dim=1) - torch.log(sds) - 0.5 * ((values[:, None] - means) / sds).square()
            total = 0.5 * log(2 * pi) * len(values) - torch.logsumexp(logs, dim=1).sum()
        else:
            total = torch.nn.functional.cross_entropy(z, values, reduction="sum")
        return total + 0.5 * DECAY * (first.square().sum() + second[:, :-1].square().sum())

    def closure() -> Any:
        optimizer.zero_grad()
        total = loss()
        total.backward()
        return total

    began = time.perf_counter()
    for _ in range(MOST_ROUNDS):
        optimizer.step(closure)
        with torch.no_grad():
            now = float(loss())
        if now <= goal:
            return time.perf_counter() - began, now
    return None, now
