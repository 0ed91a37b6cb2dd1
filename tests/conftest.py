"""Settings for all property tests: no time limits (machines are noisy), and the same examples in every CI run."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("arcwise", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("arcwise")
