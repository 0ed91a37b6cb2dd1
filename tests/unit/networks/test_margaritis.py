from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

from arcwise.errors import OptionError
from arcwise.networks import FUNCTION_PAIRS, LAMBDA_DAG, V_DAG, lambda_network, meander, v_network

F = {
    1: lambda x: x,
    2: lambda x: 2 * math.sin(x),
    3: lambda x: math.log(abs(x)),
    4: lambda x: 1 / (x / 5 + 1),
    5: math.exp,
}
N = 20_000


@pytest.mark.parametrize(("a", "b"), FUNCTION_PAIRS)
def test_lambda_networks(a: int, b: int) -> None:
    data = lambda_network(a, b, N, seed=10 * a + b)
    x, y, z = (data.column(name).values for name in "XYZ")
    e1 = x - np.array([F[a](value) for value in z])
    e2 = y - np.array([F[b](value) for value in z])
    for e in (e1, e2):
        assert e.std() == pytest.approx(0.25, rel=0.03)
        assert abs(np.corrcoef(e, z)[0, 1]) < 0.03
    assert abs(np.corrcoef(e1, e2)[0, 1]) < 0.03
    assert z.std() == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize(("a", "b"), FUNCTION_PAIRS)
def test_v_networks(a: int, b: int) -> None:
    data = v_network(a, b, N, seed=10 * a + b, noise=0.5)
    x, y, z = (data.column(name).values for name in "XYZ")
    e = z - np.array([F[a](u) + F[b](v) for u, v in zip(x, y, strict=True)])
    assert e.std() == pytest.approx(0.5, rel=0.03)
    assert abs(np.corrcoef([x, y, e]) - np.eye(3)).max() < 0.03


def test_the_fifteen_pairs_and_true_graphs() -> None:
    assert len(set(FUNCTION_PAIRS)) == 15
    assert LAMBDA_DAG.d_separated("X", "Y", "Z")
    assert not LAMBDA_DAG.d_separated("X", "Y")
    assert V_DAG.d_separated("X", "Y")
    assert not V_DAG.d_separated("X", "Y", "Z")


def test_meander_moments() -> None:
    """First and second moments of X, Y, Z against their closed forms.

    With E exp(i t N(m, s)) = exp(i t m - t^2 s^2 / 2), every moment below is a mixture of such terms.
    """
    parts = [(0.75, 0.0, 1 / 5), (0.25, 1.0, 1 / 3)]

    def wave(t: float) -> complex:
        return sum(w * cmath.exp(1j * t * m - t * t * s * s / 2) for w, m, s in parts)

    def z_wave(t: float) -> complex:  # E[Z exp(i t Z)]
        return sum(w * (m + 1j * t * s * s) * cmath.exp(1j * t * m - t * t * s * s / 2) for w, m, s in parts)

    t, shift = 2 * math.pi, 0.35
    mean_z = sum(w * m for w, m, _ in parts)
    square_z = sum(w * (s * s + m * m) for w, m, s in parts)
    sin_x, sin_y = wave(t).imag, (wave(t) * cmath.exp(1j * shift)).imag
    square_sin_x = (1 - wave(2 * t).real) / 2
    square_sin_y = (1 - (wave(2 * t) * cmath.exp(2j * shift)).real) / 2
    cross = (math.cos(shift) - (wave(2 * t) * cmath.exp(1j * shift)).real) / 2  # E sin(u) sin(u + shift)
    z_sin_x, z_sin_y = z_wave(t).imag, (z_wave(t) * cmath.exp(1j * shift)).imag
    expected = {
        "Z": mean_z,
        "X": mean_z / 10 + sin_x / 2,
        "Y": mean_z / 5 + sin_y,
        "ZZ": square_z,
        "XX": square_z / 100 + z_sin_x / 10 + square_sin_x / 4 + 0.01,
        "YY": square_z / 25 + 2 * z_sin_y / 5 + square_sin_y + 0.01,
        "XZ": square_z / 10 + z_sin_x / 2,
        "XY": square_z / 50 + z_sin_y / 10 + z_sin_x / 10 + cross / 2,
    }
    data = meander(400_000, seed=7)
    for moment, value in expected.items():
        product = np.prod([data.column(name).values for name in moment], axis=0)
        error = product.std() / math.sqrt(data.n_rows)
        assert product.mean() == pytest.approx(value, abs=4.5 * error), moment


def test_seeds_and_refusals() -> None:
    np.testing.assert_array_equal(meander(9, seed=1).column("X").values, meander(20, seed=1).column("X").values[:9])
    assert (meander(9, seed=1).column("X").values != meander(9, seed=2).column("X").values).all()
    with pytest.raises(OptionError, match="no function f6"):
        lambda_network(1, 6, 10, seed=0)
    with pytest.raises(OptionError, match="no function f0"):
        v_network(0, 1, 10, seed=0)
    with pytest.raises(OptionError, match="noise -1"):
        v_network(1, 1, 10, seed=0, noise=-1)
    with pytest.raises(OptionError, match="0 rows"):
        meander(0, seed=0)
