"""A regression from expected sums and products of its columns, some cells of which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.networks.inference.hidden_rows import Cases, HiddenRows
from arcwise.networks.models.linear_gaussian import FLOOR, LARGEST, SMALLEST, Effects, LinearGaussian, Slope
from arcwise.networks.models.regression import COLLINEAR, location


@dataclass(slots=True, eq=False)
class Moments:
    """E[z z'] of z = (1, parents, child): numbers in units of those recorded, a level of a discrete parent as 0 or 1.

    A row counts where it says something about the child given its parents: where the child is recorded, or missing with
    something recorded below it.
    """

    child: str
    parents: Sequence[Column]
    places: list[slice]  # of each parent in z
    centres: dict[str, float]
    scales: dict[str, float]
    spreads: dict[str, float]  # of recorded numbers; 0 if they are all the same
    recorded: int  # rows that have the child
    sums: FloatArray
    change: float = np.inf
    _last: FloatArray = field(default_factory=lambda: np.empty(0))
    _rank: int = 0
    _model: LinearGaussian | None = None

    @staticmethod
    def of(table: Dataset, child: str, parents: Sequence[str]) -> Moments:
        centres, spreads = {}, {}
        for name in (*parents, child):
            column = table.column(name)
            if column.kind is Kind.CONTINUOUS:
                whole = table.select((name,)).complete_rows().repeated().column(name)
                centres[name], spreads[name] = location(whole.values)
        columns, places, at = [table.column(name) for name in parents], [], 1
        for column in columns:
            places.append(slice(at, at + max(column.cardinality, 1)))
            at += max(column.cardinality, 1)
        scales = {name: spread or 1.0 for name, spread in spreads.items()}
        n_recorded = table.select((child,)).complete_rows().n_rows
        return Moments(child, columns, places, centres, scales, spreads, n_recorded, np.zeros((at + 1, at + 1)))

    def clear(self) -> None:
        self.sums[:] = 0.0

    def add(self, rows: HiddenRows, cases: Cases, weights: FloatArray) -> None:
        """Some rows, each case with its weight."""
        numbers, system = cases.numbers, rows.system
        assert numbers is not None  # there is one, the child
        own = system.position[self.child]
        there = cases.plays[:, own].nonzero()[0]
        z = np.zeros((len(there), len(self.sums)))
        z[:, 0] = 1.0
        at, nodes, units = [], [], []
        level = {table.child: j for j, table in enumerate(rows.levels)}
        for column, place in zip((*self.parents, None), (*self.places, slice(len(self.sums) - 1, None)), strict=True):
            name = self.child if column is None else column.name
            if name in level:
                z[np.arange(len(there)), place.start + cases.levels.codes[there, level[name]]] = 1.0
                continue
            node, scale = system.position[name], self.scales[name]
            unit = float(system.scales[node]) / scale
            offset = (float(system.centres[node]) - self.centres[name]) / scale
            z[:, place.start] = offset + unit * numbers.means[there, node]
            at.append(place.start)
            nodes.append(node)
            units.append(unit)
        weights = weights[there]
        self.sums += (z * weights[:, None]).T @ z
        spread = np.einsum("n,nij->ij", weights, numbers.covariances[there][:, nodes][:, :, nodes])
        self.sums[np.ix_(at, at)] += spread * np.outer(units, units)

    def regression(self) -> LinearGaussian:
        """Least squares, as `fit_linear_gaussian` has it, with the noise that is most likely.

        What is constant where it is recorded is taken to be constant: as a child it has no weights, as a parent none.
        """
        means = self.sums[0] / self.sums[0, 0]  # a child is recorded somewhere, so the sum is above 0
        if not self.spreads[self.child]:
            self._settle(np.empty(0), means)
            self._model = self._made(np.zeros(len(means) - 1), 0.0, FLOOR, means)
            return self._model
        covariance = self.sums / self.sums[0, 0] - np.outer(means, means)
        used = self._inputs(means)
        spreads = np.sqrt(np.maximum(np.diag(covariance)[used], 0.0))
        kept = spreads > 0.0
        used, spreads = used[kept], spreads[kept]
        weights = np.zeros(len(means) - 1)
        last = len(means) - 1
        if len(used):
            correlation = covariance[np.ix_(used, used)] / np.outer(spreads, spreads)
            with_child = covariance[used, last] / spreads
            values, vectors = np.linalg.eigh(correlation)
            large = values > COLLINEAR**2 * values[-1]
            solved = vectors[:, large] @ ((vectors[:, large].T @ with_child) / values[large])
            weights[used] = solved / spreads
            self._rank = int(large.sum())
        variance = covariance[last, last] - weights @ covariance[:last, last]
        noise = max(sqrt(max(float(variance), 0.0)), FLOOR)
        self._settle(np.array([*weights, noise]), means)
        self._model = self._made(weights, float(means[last] - weights @ means[:last]), noise, means)
        return self._model

    def unbiased(self) -> LinearGaussian:
        """The last one, with the noise of N - rank - 1 degrees of freedom for the N recorded values of the child."""
        model, n, rank = self._model, self.recorded, self._rank
        assert model is not None  # after a step
        noise = model.sd / model.scale * sqrt(n / (n - rank - 1)) if n > rank + 1 else sqrt(n / max(n - 1, 1))
        return self._with_noise(model, max(noise if self.spreads[self.child] else 0.0, FLOOR))

    def _inputs(self, means: FloatArray) -> np.ndarray:
        """Positions in z: numbers, and of a discrete parent the levels that occur but the most frequent."""
        found: list[int] = []
        for column, place in zip(self.parents, self.places, strict=True):
            if column.kind is Kind.CONTINUOUS:
                found += [place.start] if self.spreads[column.name] else []
            else:
                shares = means[place]
                found += [place.start + k for k in np.flatnonzero(shares).tolist() if k != int(shares.argmax())]
        return np.array(found, dtype=np.intp)

    def _settle(self, numbers: FloatArray, means: FloatArray) -> None:
        now = np.concatenate([numbers, means])
        self.change = float(np.abs(now - self._last).max()) if len(self._last) else np.inf
        self._last = now

    def _made(self, weights: FloatArray, intercept: float, noise: float, means: FloatArray) -> LinearGaussian:
        terms: list[Slope | Effects] = []
        for column, place in zip(self.parents, self.places, strict=True):
            if column.kind is Kind.CONTINUOUS:
                slope = Slope(
                    column.name, self.centres[column.name], self.scales[column.name], float(weights[place.start])
                )
                terms.append(slope)
                continue
            shares, effects = means[place], weights[place].copy()
            middle = float(effects @ shares)
            effects -= middle
            intercept += middle
            effects[shares <= 0.0] = 0.0
            terms.append(Effects(column.name, column.levels, tuple(effects.tolist())))
        scale = self.spreads[self.child] or abs(self.centres[self.child]) or 1.0
        centre = self.centres[self.child] + self.scales[self.child] * intercept
        model = LinearGaussian(self.child, tuple(terms), float(np.clip(centre, -LARGEST, LARGEST)), scale, scale)
        return self._with_noise(model, noise)

    def _with_noise(self, model: LinearGaussian, noise: float) -> LinearGaussian:
        sd = min(max(noise * model.scale, SMALLEST), LARGEST)
        return LinearGaussian(model.child, model.terms, model.centre, model.scale, sd)
