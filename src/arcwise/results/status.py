"""How a run ended."""

from __future__ import annotations

from typing import Literal

# stopped: with the best so far; unanswered: before there was anything to show
Status = Literal["converged", "stopped", "unanswered"]
