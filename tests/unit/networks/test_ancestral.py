"""Edge cases of drawing a state that a random sample would never hit."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.networks.tables import cumulative_edges, draw_states, parent_codes

ALMOST_ONE = np.nextafter(1.0, 0.0)


def draw(row: list[float], uniform: float) -> int:
    edges = cumulative_edges(np.array(row))
    return int(draw_states(edges, np.zeros(1, dtype=np.intp), np.array([uniform]))[0])


def test_rounding_of_the_sum_gives_no_impossible_state() -> None:
    row = [0.1] * 10 + [0.0, 0.0]
    assert np.cumsum(row)[-1] <= ALMOST_ONE  # ten tenths fall short of 1 in floating point
    assert draw(row, ALMOST_ONE) == 9


def test_zero_is_never_the_first_state_when_that_is_impossible() -> None:
    assert draw([0.0, 0.0, 1.0], 0.0) == 2
    assert draw([0.5, 0.5], 0.0) == 0
    assert draw([0.5, 0.5], 0.5) == 1


@pytest.mark.parametrize("n_states", [1, 2, 3, 4, 5, 7, 8, 9, 100])
def test_the_search_agrees_with_counting(n_states: int) -> None:
    rng = np.random.default_rng(n_states)
    cpt = rng.dirichlet(np.ones(n_states), size=(2, 3))
    configuration, uniform = rng.integers(6, size=500), rng.random(500)
    drawn = draw_states(cumulative_edges(cpt), configuration, uniform)
    inner = np.cumsum(cpt.reshape(6, n_states), axis=1)[:, :-1]
    expected = [int((inner[c] <= u).sum()) for c, u in zip(configuration, uniform, strict=True)]
    assert drawn.tolist() == expected


def test_parent_codes_count_the_last_parent_fastest() -> None:
    first, second = np.array([0, 0, 1, 1, 1]), np.array([0, 2, 0, 1, 2])
    assert parent_codes([first, second], [2, 3], 5).tolist() == [0, 2, 3, 4, 5]
    assert parent_codes([], [], 2).tolist() == [0, 0]
