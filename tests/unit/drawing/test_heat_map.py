"""A square of shares: a field for each pair, the number in it, whatever the names are."""

from __future__ import annotations

import re

import numpy as np
import pytest

from arcwise.drawing import draw_heat_map
from arcwise.errors import FileError, OptionError


def test_every_pair_has_a_field_with_its_share():
    shares = np.array([[1.0, 0.25, 0.5], [0.25, 1.0, 0.0], [0.5, 0.0, 1.0]])
    svg = draw_heat_map(shares, ("a", "b", "c"), title="how near")
    fields = re.findall(r"<rect [^>]*><title>(\w), (\w): ([\d.]+)</title>", svg)
    assert fields == [
        (one, other, f"{shares[i, j]:.2f}") for i, one in enumerate("abc") for j, other in enumerate("abc")
    ]
    assert svg.count(">0.25<") == 2
    assert "how near" in svg


def test_larger_shares_are_darker():
    svg = draw_heat_map(np.array([[1.0, 0.2], [0.2, 1.0]]), ("a", "b"))
    light = [float(alpha) for alpha in re.findall(r'fill-opacity="([\d.]+)"', svg)]
    assert light == [pytest.approx(0.04 + 0.96 * 0.2, abs=1e-3)] * 2


def test_names_are_escaped_and_cut():
    svg = draw_heat_map(np.eye(2), ("<b>&", "x" * 200))
    assert "<b>" not in svg
    assert re.search(r">2  x+…</text>", svg)


def test_many_names_and_none():
    assert draw_heat_map(np.eye(20), [f"m{i}" for i in range(20)]).count("<rect") == 401
    assert draw_heat_map(np.empty((0, 0)), ()).startswith("<svg")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_files(tmp_path, suffix):
    path = tmp_path / f"h.{suffix}"
    assert draw_heat_map(np.eye(3), ("a", "b", "c"), path) is None
    first = path.read_bytes()
    draw_heat_map(np.eye(3), ("a", "b", "c"), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("shares", [np.eye(3), np.full((2, 2), 1.5), np.full((2, 2), np.nan), "x", None])
def test_what_is_no_square_of_shares_is_refused(shares):
    with pytest.raises(OptionError, match="2 times 2 shares from 0 to 1"):
        draw_heat_map(shares, ("a", "b"))


def test_a_wrong_suffix_is_refused(tmp_path):
    with pytest.raises(FileError, match="suffix"):
        draw_heat_map(np.eye(1), ("a",), tmp_path / "h.txt")
