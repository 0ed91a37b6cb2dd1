"""Tables of a study: what its cells measured, put together as a publication does, beside the published numbers."""

from __future__ import annotations

from arcwise.study.tables.making import published_numbers, tables_of
from arcwise.study.tables.spec import RUN, TableSpec
from arcwise.study.tables.table import Entry, Table

__all__ = ["RUN", "Entry", "Table", "TableSpec", "published_numbers", "tables_of"]
