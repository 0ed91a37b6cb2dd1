"""What keeps single columns from being read, told together: one error names all of them."""

from __future__ import annotations

from collections.abc import Mapping

from arcwise.errors import DataError
from arcwise.printing import in_shell

SHOWN = 3  # columns that are named with their remedy


class ColumnError(DataError):
    """A column that cannot be read as it is. short: why, and the remedy, in a few words."""

    def __init__(self, message: str, short: str = "") -> None:
        super().__init__(message)
        self.short = short


def refuse_all(faults: Mapping[str, DataError], label: str, path: str = "") -> None:
    """Raise the one error that there is, or one for all of them; nothing if there is none.

    faults: by the names of their columns. label: what holds the table. path: of its file.
    """
    if not faults:
        return
    if len(faults) == 1:
        raise next(iter(faults.values()))
    short = [f"{name!r} ({_short(name, fault)})" for name, fault in list(faults.items())[:SHOWN]]
    more = f" and {len(faults) - SHOWN:,} more" if len(faults) > SHOWN else ""
    how = f"arcwise check {in_shell(path)}" if path else "arcwise.check(table)"
    raise DataError(
        f"{len(faults):,} columns of {label} cannot be read as they are: {', '.join(short)}{more}; see all of them, "
        f"and one command that mends them, with: {how}"
    )


def _short(name: str, fault: DataError) -> str:
    return getattr(fault, "short", "") or str(fault).partition(";")[0].removeprefix(f"column {name!r} ")
