"""Correlations behind columns in which values repeat."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from arcwise._kernels.ranks import latent_pairs as kernels
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.networks.table_kinds import simulate
from arcwise.stats import latent_normal
from arcwise.stats.latent_normal import (
    JointCounts,
    known_share,
    latent_correlations,
    merged,
    notes_on,
    positive_definite,
)
from arcwise.stats.moments import Moments
from arcwise.stats.ranks import Cells, cells_of
from arcwise.stats.threads import at_most
from tests.oracle import latent_normal as slow
from tests.unit.running.in_parts import in_parts

EDGES = np.array([-2.2, -0.5, 0.1, 1.7]), np.array([-1.5, 0.1, 0.9])


@pytest.mark.parametrize(
    "rho", [0.0, 0.05, -0.28, 0.5, -0.74, 0.9, -0.92, 0.93, -0.95, 0.99, -0.999, 0.99999, 1 - 1e-6, -(1 - 1e-6)]
)
def test_shares_of_cells_are_those_of_quadrature(rho):
    assert kernels.cell_shares(rho, *EDGES) == pytest.approx(slow.shares(rho, *EDGES), abs=1e-11)


def test_shares_are_those_of_every_normal_where_rho_is_known():
    """P(X <= 0, Y <= 0) = 1/4 + asin(rho) / 2 pi (Sheppard 1899)."""
    for rho in np.linspace(-0.999, 0.999, 41):
        found = kernels.cell_shares(rho, np.zeros(1), np.zeros(1))[0, 0]
        assert found == pytest.approx(0.25 + np.arcsin(rho) / (2 * np.pi), abs=1e-14)


def polychoric(table):
    table = np.array(table, dtype=np.int64)
    return kernels.polychoric(
        table, slow.thresholds(table.sum(axis=1)), slow.thresholds(table.sum(axis=0)), (0.0, 0.0)
    )[0]


def test_published_tables():
    """Tallis (1962), as in Olsson (1979) and Drasgow (1988): .4199; medians: sin(2 pi (p - 1/4))."""
    assert polychoric([[58, 52, 1], [26, 58, 3], [8, 12, 9]]) == pytest.approx(0.4199, abs=5e-5)
    assert polychoric([[40, 10], [10, 40]]) == pytest.approx(np.sin(2 * np.pi * 0.15), abs=1e-9)
    assert polychoric([[25, 25], [25, 25]]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("table", "sign"), [([[50, 0], [0, 50]], 1), ([[0, 7], [9, 0]], -1), ([[1, 0], [0, 1]], 1)])
def test_tables_of_one_diagonal_go_to_the_end(table, sign):
    assert polychoric(table) == pytest.approx(sign * kernels.MOST, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_polychoric_is_the_most_probable(seed):
    rng = np.random.default_rng(seed)
    rho = rng.uniform(-0.95, 0.95)
    values = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=400)
    table = np.zeros((4, 3), dtype=np.int64)
    np.add.at(table, (np.digitize(values[:, 0], [-1, 0.2, 1]), np.digitize(values[:, 1], [-0.4, 0.4])), 1)
    assert polychoric(table) == pytest.approx(slow.polychoric(table), abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_polyserial_is_the_most_probable(seed):
    rng = np.random.default_rng(seed)
    rho = rng.uniform(-0.95, 0.95)
    values = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=200)
    scores = norm.ppf((rankdata(values[:, 0]) - 0.5) / 200)
    levels = np.digitize(values[:, 1], [-1.0, 0.0, 1.2])
    order = np.argsort(scores)
    counts = np.zeros((200, 4), dtype=np.int64)
    counts[np.arange(200), levels[order]] = 1
    found = kernels.polyserial(counts, scores[order], slow.thresholds(np.bincount(levels)))
    assert found == pytest.approx(slow.polyserial(scores, levels), abs=1e-6)
    # the same in the table: no two rows share a cell of the first column
    data = Dataset(
        (
            Column("x", Kind.CONTINUOUS, np.exp(values[:, 0])),
            Column("y", Kind.DISCRETE, levels.astype(np.uint8), ("a", "b", "c", "d"), ordered=True),
        )
    )
    moments = Moments.transformed(data, "normal-scores")
    latent = latent_correlations(data, moments.starts, moments.correlations)
    assert latent.correlations[0, 1] == pytest.approx(found, abs=1e-9)
    assert abs(found) > abs(moments.correlations[0, 1])  # which ties have brought nearer to zero


def correlated(data):
    moments = Moments.transformed(data, "normal-scores")
    return latent_correlations(data, moments.starts, moments.correlations)


def test_columns_without_ties_keep_the_correlations_of_their_normal_scores():
    data, _ = simulate("log-normal", nodes=5, edges=6, rows=300, seed=1)
    moments = Moments.transformed(data, "normal-scores")
    latent = correlated(data)
    assert np.array_equal(latent.correlations, moments.correlations)
    assert (latent.known == 1.0).all()
    assert latent.shrunk == 0.0


@pytest.mark.parametrize("kind", ["rounded", "half-zeros", "counts"])
def test_what_was_behind_the_columns_is_found(kind):
    seen, _ = simulate(kind, nodes=8, edges=10, rows=20_000, seed=2)
    behind, _ = simulate("linear-normal", nodes=8, edges=10, rows=20_000, seed=2)
    wanted = Moments.of(behind).correlations
    moments, latent = Moments.transformed(seen, "normal-scores"), correlated(seen)
    assert np.abs(latent.correlations - wanted).max() < 0.012
    assert np.abs(moments.correlations - wanted).max() > 0.04
    assert (latent.known < 1.0).all()


def test_levels_that_are_not_said_to_be_in_order_stay_as_they_are():
    rng = np.random.default_rng(3)
    values = rng.standard_normal(300)
    codes = (values + rng.standard_normal(300) > 0).astype(np.uint8)
    for ordered in (False, True):
        data = Dataset(
            (Column("x", Kind.CONTINUOUS, values), Column("y", Kind.DISCRETE, codes, ("no", "yes"), ordered=ordered))
        )
        assert (correlated(data).known[1] < 1.0) == ordered


def test_neighbouring_cells_are_merged_and_piles_are_kept():
    rows = np.array([500, *[1] * 400, 90, *[1] * 10])
    cells = Cells("x", np.arange(len(rows), dtype=np.float64), rows)
    few = merged(0, cells, 16)
    assert few.n_cells <= 16
    assert few.cuts[0] == 1.0  # the pile at the beginning is a cell
    assert {401.0, 402.0} <= set(few.cuts.tolist())  # and so is the one near the end
    assert few.thresholds[0] == pytest.approx(0.0)
    shares = np.diff([0.0, *norm.cdf(few.thresholds), 1.0])
    assert shares.sum() == pytest.approx(1.0)
    assert shares[1:-2].max() < 0.07
    assert merged(0, Cells("x", np.arange(3.0), np.array([1, 5, 2])), 16).n_cells == 3


@pytest.mark.parametrize("seed", range(20))
def test_merged_cells_are_never_too_many(seed):
    rng = np.random.default_rng(seed)
    rows = np.maximum(1, (10 ** rng.uniform(0, 3, rng.integers(2, 400))).astype(np.int64))
    cells = Cells("x", np.arange(len(rows), dtype=np.float64), rows)
    for most in (2, 5, 16, 200):
        few = merged(0, cells, most)
        assert few.n_cells <= most
        assert (np.diff(few.cuts) > 0).all()
        assert np.isfinite(few.thresholds).all()
        assert (np.diff(few.scores) > 0).all()


def test_what_is_known_of_a_normal_variable():
    assert known_share(np.array([0.5, 0.5])) == pytest.approx(2 / np.pi)  # E|Z|^2
    assert known_share(np.array([1.0])) == 0.0
    assert known_share(np.full(1000, 1e-3)) > 0.999


def test_joint_counts_by_hand_with_weights_and_elsewhere(monkeypatch):
    data, _ = simulate("half-zeros", nodes=4, edges=3, rows=500, seed=4)
    data = data.weighted(np.random.default_rng(0).integers(0, 4, 500))
    columns = tuple(merged(j, cells, 16) for j, cells in enumerate(cells_of(data)))
    question = JointCounts(columns, ((0, 1), (3, 2)))
    whole = data.repeated()
    wanted = []
    for i, j in question.pairs:
        codes = [np.searchsorted(columns[k].cuts, whole.columns[k].values, side="right") for k in (i, j)]
        table = np.zeros((columns[i].n_cells, columns[j].n_cells), dtype=np.int64)
        np.add.at(table, tuple(codes), 1)
        wanted.append(table.ravel())
    assert np.array_equal(question.of(data, 0), np.concatenate(wanted))
    far, _ = in_parts(data, [130, 256])
    assert np.array_equal(far.elsewhere.ask(far, question), np.concatenate(wanted))
    assert np.array_equal(correlated(far).correlations, correlated(data).correlations)
    monkeypatch.setattr(latent_normal, "MOST_COUNTS", 300)
    assert np.array_equal(correlated(whole).correlations, correlated(data).correlations)


def test_the_order_of_rows_and_threads_changes_no_bit():
    data, _ = simulate("counts", nodes=6, edges=8, rows=400, seed=5)
    order = np.random.default_rng(1).permutation(400)
    first = correlated(data).correlations  # every pair has ties here: whole numbers and nothing else
    assert (correlated(data).known < 1.0).all()
    assert np.array_equal(correlated(data.take(order)).correlations, first)
    with at_most(1):
        assert np.array_equal(correlated(Dataset(data.columns)).correlations, first)


def test_a_matrix_is_shrunk_by_the_least_that_mends_it():
    broken = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    mended, shrunk = positive_definite(broken, 1e-6)
    assert np.linalg.eigvalsh(mended)[0] == pytest.approx(1e-6, abs=1e-12)
    assert mended == pytest.approx((1 - shrunk) * broken + shrunk * np.eye(3))
    assert positive_definite(np.eye(3), 1e-6)[1] == 0.0
    few, _ = simulate("half-zeros", nodes=20, edges=40, rows=40, seed=1)
    latent = correlated(few)
    assert latent.shrunk > 0
    assert np.linalg.eigvalsh(latent.correlations)[0] > 0
    assert f"shrunk by {latent.shrunk:.2g}" in notes_on(few, latent)[0]


def with_outliers(share, n_rows=4000, seed=0):
    """Three columns of a normal distribution, a share of the values of the first two far away at either end."""
    rng = np.random.default_rng(seed)
    covariance = np.array([[1.0, 0.8, 0.6], [0.8, 1.0, 0.7], [0.6, 0.7, 1.0]])
    values = rng.multivariate_normal(np.zeros(3), covariance, size=n_rows)
    away = rng.random((n_rows, 3)) < np.array([share, share, 0.0])
    seen = np.where(away, 50.0 * rng.standard_normal((n_rows, 3)), values)
    return Dataset(tuple(Column(f"x{j}", Kind.CONTINUOUS, seen[:, j]) for j in range(3))), covariance


@pytest.mark.parametrize("share", [0.01, 0.02, 0.04])
def test_values_from_elsewhere_are_set_aside(share):
    data, covariance = with_outliers(share)
    latent = correlated(data)
    assert latent.astray[:2] == pytest.approx([share, share], abs=0.011)
    assert latent.astray[2] <= 0.0025
    assert latent.correlations == pytest.approx(covariance, abs=0.02)
    assert abs(Moments.transformed(data, "normal-scores").correlations - covariance).max() > 0.03
    (note,) = notes_on(data, latent)
    assert "'x0'" in note
    assert "outliers=as-they-are" in note
    moments = Moments.transformed(data, "normal-scores")
    plain = latent_correlations(data, moments.starts, moments.correlations, outliers=False)
    assert np.array_equal(plain.correlations, moments.correlations)


def test_polychoric_with_values_from_elsewhere_is_the_most_probable():
    rng = np.random.default_rng(5)
    values = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], size=300_000)
    astray = (0.05, 0.1)
    for j, share in enumerate(astray):
        away = rng.random(len(values)) < share
        values[away, j] = np.where(rng.random(np.count_nonzero(away)) < 0.5, -9.0, 9.0)
    codes = [np.searchsorted(edges, values[:, j]) for j, edges in enumerate(EDGES)]
    counts = np.zeros((5, 4), dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    rho, likelihood, shares = kernels.polychoric(counts, *EDGES, astray)
    assert rho == pytest.approx(0.7, abs=0.01)
    assert counts / len(values) == pytest.approx(shares, abs=3e-3)
    wanted = slow.shares_with_astray(rho, *EDGES, astray)
    assert shares == pytest.approx(wanted, abs=1e-9)
    assert likelihood == pytest.approx(np.sum(counts * np.log(wanted)), rel=1e-9)
    for step in (-1e-3, 1e-3):
        assert np.sum(counts * np.log(slow.shares_with_astray(rho + step, *EDGES, astray))) < likelihood


@pytest.mark.parametrize("kind", ["linear-normal", "log-normal", "joint-processes", "quadratics", "bent-monotone"])
def test_no_values_from_elsewhere_where_there_are_none(kind):
    data, _ = simulate(kind, nodes=10, edges=12, rows=3000, seed=1)
    assert np.count_nonzero(correlated(data).astray) <= 1  # relations that turn round look like it, but do not fit


def test_a_single_column_with_an_order_among_levels_without_one():
    """It has ties, and there is no pair whose correlation could be found behind them."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (2, 200)).astype(np.uint8)
    data = Dataset(
        (
            Column("a", Kind.DISCRETE, codes[0], ("x", "y", "z")),
            Column("b", Kind.DISCRETE, codes[1], ("low", "mid", "high"), ordered=True),
        )
    )
    moments = Moments.transformed(data, "normal-scores")
    latent = latent_correlations(data, moments.starts, moments.correlations)
    assert latent.correlations == pytest.approx(moments.correlations)
    assert latent.known[0] == 1.0
    assert latent.known[1] < 1.0
