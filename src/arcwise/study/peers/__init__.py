"""Other libraries that learn the structure of Bayesian networks, as methods of a study.

They are optional (pip install 'arcwise[peers]'), and none is imported before a cell asks for it. A plan is read without
them, so that stored results can be looked at anywhere.
"""

from __future__ import annotations

from arcwise.study.peers.catalog import checked_peer
from arcwise.study.peers.judged import learned_by

__all__ = ["checked_peer", "learned_by"]
