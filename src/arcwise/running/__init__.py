"""Many independent pieces of work: here, in processes beside this one, or on a cluster; kept as they are finished."""

from __future__ import annotations

from arcwise.running.piece import Stopped
from arcwise.running.runner import Finished, run
from arcwise.running.store import Store

__all__ = ["Finished", "Stopped", "Store", "run"]
