"""What a run of coding has done, in the folder in which the store is written, so that a run that was ended goes on.

What was seen of a file is kept in a file of its own, and holds as long as the file has the same size and time of change
and is read with the same options. A line is written for each file whose rows are in the store; these lines hold as long
as the store is laid out the same way.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import numpy as np

from arcwise.data.rows.draft import PARTIAL, WRITING
from arcwise.data.rows.parts import Part
from arcwise.data.rows.ranges import Range
from arcwise.data.rows.survey import Seen
from arcwise.data.text_files import as_json, write_text, write_whole
from arcwise.errors import FileError

WHAT, WRITTEN, LOCK = "what.json", "written.jsonl", "lock"
_NUMBERS = ("n", "n_missing", "low", "high", "fraction", "start", "end", "by_one", "n_rows")


class Journal:
    """The notes of one run, for this program alone. hows: all that they depend on besides the files, by column.

    told: what is to be told of notes that do not hold any more.
    """

    def __init__(self, folder: Path, hows: Mapping[str, str]) -> None:
        self.folder = folder / WRITING
        self.told: list[str] = []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = (self.folder / LOCK).open("w")
        except OSError as error:
            name = str(folder).removesuffix(PARTIAL)
            raise FileError(f"cannot write {name}: {error.strerror}; choose a folder that can be written") from None
        _take_alone(self._lock, folder)
        self._begin(hows)

    def _begin(self, hows: Mapping[str, str]) -> None:
        """Notes of columns that are read the same way hold; there may be more of them."""
        kept, before = self.folder / WHAT, {}
        with suppress(OSError, ValueError):
            before = json.loads(kept.read_text(encoding="utf-8"))
        if before and {**before, **hows} == before:
            return
        if before:
            self.told.append("an unfinished store of this name was read with other options, and is begun anew")
            self._forget()
        write_text(kept, as_json(dict(hows)))

    def _forget(self) -> None:
        for file in self.folder.iterdir():
            if file.name != LOCK:
                file.unlink()

    def close(self) -> None:
        self._lock.close()

    def give_up(self, folder: Path) -> None:
        """Nothing is to go on."""
        self.close()
        shutil.rmtree(folder, ignore_errors=True)

    def seen(self, k: int, part: Part) -> dict[str, Seen] | None:
        """What was seen of this file, if it was looked through before and has not changed since."""
        import polars as pl

        try:
            content = self._seen_file(k).read_bytes()
            frame = pl.read_ipc(content)
            about = json.loads(frame["about"].item())
        except (OSError, ValueError, KeyError, pl.exceptions.PolarsError):
            return None
        if about["part"] != asdict(part):
            if about["part"]["path"] == part.path:
                self.told.append(f"{part.name} was changed since the last run, and is read again")
            return None
        return {name: _loaded(frame, j, said) for j, (name, said) in enumerate(about["columns"].items())}

    def keep_seen(self, k: int, part: Part, seen: Mapping[str, Seen]) -> None:
        from io import BytesIO

        import polars as pl

        about = {"part": asdict(part), "columns": {name: _about(one) for name, one in seen.items()}}
        columns = {"about": pl.Series([as_json(about)])}
        for j, one in enumerate(seen.values()):
            columns |= {f"{field}{j}": pl.Series([values]) for field, values in _lists(one).items()}
        buffer = BytesIO()
        with suppress(pl.exceptions.PolarsError):  # cells that no file holds are seen again
            pl.DataFrame(columns).write_ipc(buffer)
            write_whole(self._seen_file(k), buffer.getvalue())

    def _seen_file(self, k: int) -> Path:
        return self.folder / f"seen-{k:05d}.arrow"

    def written(self, layout: str) -> dict[int, Any]:
        """The lines of files whose rows are in the store, if it is laid out in this way; else none."""
        file = self.folder / WRITTEN
        lines = file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else []
        with suppress(ValueError, LookupError, TypeError):
            if lines and json.loads(lines[0])["layout"] == layout:
                found = [json.loads(line) for line in lines[1:]]
                write_text(file, "\n".join([*lines, ""]))  # without what was left of a last line
                return {line["part"]: line for line in found}
        write_text(file, as_json({"layout": layout}) + "\n")
        return {}

    def keep_written(self, line: Mapping[str, Any]) -> None:
        """On the disk when this returns."""
        with (self.folder / WRITTEN).open("a", encoding="utf-8") as file:
            file.write(as_json(dict(line)) + "\n")
            file.flush()
            os.fsync(file.fileno())


def fingerprint(content: Any) -> str:
    return sha256(as_json(content).encode("utf-8", "surrogatepass")).hexdigest()


def _take_alone(file: IO[str], folder: Path) -> None:
    with suppress(ImportError):  # Windows
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            name = str(folder).removesuffix(PARTIAL)
            raise FileError(f"another program writes {name} now; wait for it, or choose another name") from None
        except OSError:  # a file system without locks
            return


def _lists(seen: Seen) -> dict[str, Any]:
    import polars as pl

    found = {"cells": seen.cells, "times": pl.Series(seen.times), "first": pl.Series(seen.first), "last": seen.last}
    numbers = seen.numbers or Range()
    return found | {"some": pl.Series(numbers.some), "huge": pl.Series(numbers.huge)}


def _about(seen: Seen) -> dict[str, Any]:
    plain = {"n_rows": seen.n_rows, "as_text": seen.as_text, "many": seen.many, "n_missing": seen.n_missing}
    numbers = seen.numbers
    said = None if numbers is None else {name: _as_text(getattr(numbers, name)) for name in _NUMBERS}
    odd = [] if numbers is None else [[repr(value), n, row] for value, (n, row) in numbers.odd.items()]
    texts = [[cell, n, row] for cell, (n, row) in seen.odd_texts.items()]
    return {**plain, "numbers": said, "odd": odd, "odd_texts": texts}


def _as_text(value: Any) -> Any:
    """JSON has neither infinite numbers nor all digits of integers for every reader."""
    return (
        value
        if isinstance(value, bool)
        else str(int(value))
        if isinstance(value, int | np.integer)
        else repr(float(value))
    )


def _as_number(text: Any) -> Any:
    if isinstance(text, bool):
        return text
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _loaded(frame: Any, j: int, said: Mapping[str, Any]) -> Seen:
    fields = {field: frame[f"{field}{j}"].item() for field in ("cells", "times", "first", "last", "some", "huge")}
    numbers = None
    if said["numbers"] is not None:
        plain = {name: _as_number(value) for name, value in said["numbers"].items()}
        odd = {float(value): (n, row) for value, n, row in said["odd"]}
        numbers = Range(**plain, odd=odd, some=fields["some"].to_numpy(), huge=fields["huge"].to_numpy())
    return Seen(
        said["n_rows"],
        fields["cells"],
        fields["times"].to_numpy(),
        fields["first"].to_numpy(),
        fields["last"],
        numbers,
        {cell: (n, row) for cell, n, row in said["odd_texts"]},
        said["as_text"],
        said["many"],
        said["n_missing"],
    )
