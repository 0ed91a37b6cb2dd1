"""Tests by ranks and grids."""
