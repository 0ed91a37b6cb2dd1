"""Whether something is a Dask DataFrame, told without importing Dask."""

from __future__ import annotations


def is_dask_frame(data: object) -> bool:
    return type(data).__module__.startswith("dask") and hasattr(data, "to_delayed") and hasattr(data, "columns")
