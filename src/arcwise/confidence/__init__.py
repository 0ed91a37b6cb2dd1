"""How sure a learned network is: the same method on resampled rows, or on draws of what is hidden."""

from __future__ import annotations

from arcwise.confidence.resamples import Resamples, resampled

__all__ = ["Resamples", "resampled"]
