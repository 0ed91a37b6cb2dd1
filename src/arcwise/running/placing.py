"""Bringing a table to a cluster, as shelves on its workers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

from arcwise.data.dataset import Dataset
from arcwise.running.far import OnCluster, describe, far_columns
from arcwise.running.library import Library, check_workers
from arcwise.running.sending import sent
from arcwise.running.shelves import ranges, received


@contextmanager
def placed(table: Dataset, client: Any) -> Iterator[Dataset]:
    """The same table, its rows on the workers of the cluster until the end of the block.

    Rows in files are opened there, where they must have the same path; others are sent.
    """
    workers, name = check_workers(client), f"arcwise-shelf-{uuid4().hex}"
    rows = replace(table, decisions=(), warnings=())
    shelves = []
    for i, part in enumerate(ranges(table.n_stored, len(workers))):
        content = sent(rows.take(slice(part.first, part.last)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that it is large: the scheduler keeps it for later workers
            shelves.append(
                client.submit(
                    received,
                    content,
                    part.first,
                    key=f"{name}-{i}",
                    workers=[workers[i]],
                    allow_other_workers=True,
                )
            )
    library = Library(client, shelves)
    try:
        where = OnCluster(library, **describe(table))
        yield replace(table, columns=far_columns(table.columns), weights=None, elsewhere=where)
    finally:
        library.forget()
