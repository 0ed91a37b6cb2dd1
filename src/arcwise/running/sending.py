"""Objects on their way to other processes: rows that are in files are not sent, only the place where they are."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.rows.mapped import Place, place_of

SMALL = 1 << 12  # numbers that are sent in any case: to open a file takes longer


class _Sender(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        if type(thing) is not np.ndarray or thing.size < SMALL:
            return NotImplemented
        place = place_of(thing)
        if place is None:
            return NotImplemented
        whole = str(Path(place.path).resolve())  # others work in other folders
        return opened, (whole, place.offset, place.dtype, place.length)


def opened(path: str, offset: int, dtype: str, length: int) -> NDArray[Any]:
    return Place(path, offset, dtype, length).open()


def sent(thing: Any) -> bytes:
    """The thing as `pickle.loads` takes it. Mapped columns are mapped there again, so that place must be the same."""
    buffer = io.BytesIO()
    _Sender(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(thing)
    return buffer.getvalue()
