"""The picture of shares held against what was true."""

from __future__ import annotations

import re

import pytest

from arcwise.drawing.calibration import draw_calibration
from arcwise.errors import FileError

BINS = [(0.05, 0.02, 400), (0.5, 0.4, 10), (0.0, 0.0, 0), (0.95, 0.9, 90)]


def test_a_dot_for_each_bin_that_is_not_empty(tmp_path):
    path = tmp_path / "c.svg"
    draw_calibration(path, {"one": {"rows": BINS, "half": BINS[:1]}, "<two>": {"rows": []}}, "share", "real")
    text = path.read_text()
    radii = sorted(float(radius) for radius in re.findall(r'<circle[^>]* r="([\d.]+)"', text))
    assert len(radii) == 4
    assert radii[-1] == 6.0
    assert "&lt;two&gt;" in text
    assert "rows" in text


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileError):
        draw_calibration(tmp_path / "c.txt", {"one": {"rows": BINS}}, "share", "real")
