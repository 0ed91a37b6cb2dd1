"""From a source's columns to a Dataset: settle kinds, pass the gate, settle missing cells, collect doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcwise.data.dataset import Column, Dataset, Kind, Missing
from arcwise.data.kinds import Typed, type_column
from arcwise.data.known_levels import recoded
from arcwise.data.levels import code_texts
from arcwise.data.missing import settle_missing
from arcwise.data.reading.raw import Levels, Numbers, Raw, Text
from arcwise.data.suspect import suspicions
from arcwise.data.validate import check_cells, check_finite, check_levels, doubts


def build(raws: Sequence[Raw], kinds: Mapping[str, Kind], missing: Missing) -> Dataset:
    """Names, number of rows and `kinds` have been checked; everything about the cells is checked here."""
    typed = [type_column(raw, kinds.get(raw.name)) for raw in _coded(raws)]
    check_cells(typed)
    settled, notes = settle_missing(typed, missing)
    check_levels(settled)
    return Dataset(
        columns=tuple(_column(column) for column in settled),
        decisions=tuple(column.decision for column in settled),
        warnings=(*notes, *suspicions(typed), *doubts(settled)),
    )


def build_alike(
    raws: Sequence[Raw], kinds: Mapping[str, Kind], levels: Mapping[str, Sequence[str]], missing: Missing
) -> Dataset:
    """The same for columns of which more is known: discrete ones get the `levels` given for them.

    A column with levels but without a kind may still hold the numbers that are to be cut into them.
    """
    typed = [_typed_alike(raw, kinds.get(raw.name), levels.get(raw.name, ())) for raw in _coded(raws)]
    check_finite(typed)
    settled, notes = settle_missing(typed, missing, least=1)
    columns = [_recoded(column, levels.get(column.name, ())) for column in settled]
    return Dataset(columns=tuple(_column(column) for column in columns), warnings=tuple(notes))


def _typed_alike(raw: Numbers | Levels, kind: Kind | None, levels: Sequence[str]) -> Typed:
    if kind is not None or not levels:
        return type_column(raw, kind)
    cut_already = isinstance(raw, Levels) and len(raw.labels) > 0 and set(raw.labels) <= set(levels)
    return type_column(raw, Kind.DISCRETE if cut_already else Kind.CONTINUOUS)


def _recoded(column: Typed, levels: Sequence[str]) -> Typed:
    return recoded(column, levels) if levels and column.kind is Kind.DISCRETE else column


def _coded(raws: Sequence[Raw]) -> list[Numbers | Levels]:
    """Text columns coded together, everything else as it is."""
    texts = [raw for raw in raws if isinstance(raw, Text)]
    coded = iter(code_texts(texts) if texts else ())
    return [next(coded) if isinstance(raw, Text) else raw for raw in raws]


def _column(typed: Typed) -> Column:
    if typed.kind is Kind.CONTINUOUS:
        return Column(typed.name, Kind.CONTINUOUS, typed.values)
    return Column(typed.name, Kind.DISCRETE, typed.values, typed.labels, typed.ordered)
