"""Every preset has strengths."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from tests.contract.parts import mixed_data


@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_every_preset(method):
    data = mixed_data(80)
    found = arcwise.bootstrap(data, method, 3, workers=1)
    assert found.graphs == 3
    assert found.status == "converged"
    assert found.warnings == ()
    assert found.names == data.names
    assert set(np.unique(3 * found.adjacent).round(9)) <= {0.0, 1.0, 2.0, 3.0}
    assert (found.directed + found.directed.T <= found.adjacent + 1e-12).all()
    assert found.network().names == data.names
    assert max(map(len, str(found).splitlines())) <= 80
