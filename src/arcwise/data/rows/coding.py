"""A table in one file or many, larger than memory, coded into a store in two passes.

The first pass finds what every column holds, the second writes it. What a pass has done of a file is kept beside the
store, so that a run that was ended goes on with the files that are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from arcwise.checking import checked
from arcwise.data.choices import Choices
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.provenance import Provenance, kept_once
from arcwise.data.reading.door import (
    Reading,
    TableLike,
    as_dataset,
    check_options,
    choices_of,
    in_this_process,
    policy_of,
    provenance_of,
)
from arcwise.data.reading.raw import Source
from arcwise.data.rows.alike import copies_in
from arcwise.data.rows.batches import Reader, changed, schemas_of
from arcwise.data.rows.counting import count_distinct, no_number_twice
from arcwise.data.rows.draft import Draft, check_target, partial_of
from arcwise.data.rows.header import ColumnHeader, Header, PartHeader, header_content
from arcwise.data.rows.journal import Journal, fingerprint
from arcwise.data.rows.parts import Parts, common_schema, find_parts, look_at
from arcwise.data.rows.passes import Stop, over_files
from arcwise.data.rows.planning import Plan, Sifted, plan, sift, sifted, without_rows
from arcwise.data.rows.progress import Meter, Watch
from arcwise.data.rows.settling import Counting, how_to_read, plain_types, refuse_mixed, settle_columns
from arcwise.data.rows.sketch import Sketch, merged
from arcwise.data.rows.store import dataset_of, is_store, open_store, write_store
from arcwise.data.rows.survey import How, Seen, extended, followed, nothing_yet, shifted
from arcwise.data.rows.writing import write_part
from arcwise.data.validate import check_rows, doubts, silent_rows


@checked
def code(
    source: TableLike, out: str | Path, *, replace: bool = False, watch: Watch | None = None, **reading: Unpack[Reading]
) -> Dataset:
    """Code a table into a store, a folder whose name ends in .arcwise, and open it.

    source: a folder or pattern of Parquet, CSV or Arrow files that are one table, a file, or whatever else holds one.
    It need not fit into memory: the store is read where it lies on the disk, and gives the same networks. replace: also
    where a store has this name. watch: a function that is given a report now and then (`print`). The other options
    are those of `arcwise.read`. A run that was ended goes on where it was when it is started again.
    """
    check_options(reading)
    path = Path(out)
    check_target(path, replace)
    if not isinstance(source, str | Path) or is_store(source) or str(source) == "-":
        return write_store(path, as_dataset(source, **reading), replace=replace)
    parts = find_parts(source)
    said = kept_once(reading)
    return in_this_process(code_parts, parts, path, said, watch)


def code_parts(parts: Parts, path: Path, reading: Reading, watch: Watch | None = None) -> Dataset:
    """The same for files that were found, to a name that was checked."""
    return _Run(parts, path, reading, watch).result()


class _Run:
    """One coding, from the schemas to the store."""

    def __init__(self, parts: Parts, path: Path, reading: Reading, watch: Watch | None) -> None:
        self.parts, self.path, self.reading, self.watch = parts, path, reading, watch
        schemas, delimiter = schemas_of(parts.files, parts.format)
        self.reader = Reader(parts.format, plain_types(common_schema(parts, schemas)), delimiter)
        names = tuple(self.reader.schema)
        self.policy = policy_of(reading)
        self.choices: Choices = choices_of(Source(names, 0, lambda i, wanted, words: None, parts.given), reading)  # type: ignore[arg-type, return-value]
        self.hows = {name: how_to_read(name, self.choices, self.reader) for name in self.choices.kept}
        self.text_notes: dict[str, None] = {}

    def result(self) -> Dataset:
        hows = {name: f"{self.reader.schema[name]} {how!r}" for name, how in self.hows.items()}
        journal = Journal(partial_of(self.path), hows)
        try:
            data = self._coded(journal)
            return replace(data, warnings=(*journal.told, *data.warnings))
        finally:
            journal.close()

    def _coded(self, journal: Journal) -> Dataset:
        seen = self._survey(journal, self.hows)
        seen = self._again_as_text(journal, seen)
        sizes = _sizes(seen)
        check_rows(sum(sizes), self.parts.given)
        joined = self._joined(seen, sizes)
        counting = Counting(self._differ(joined), self._distinct(joined))
        for name, one in joined.items():
            if one.odd_texts and not one.many:
                refuse_mixed(name, one)
        typed, notes = settle_columns(self.parts.given, joined, self.choices, self.reader, counting)
        notes = [*self.text_notes, *self.choices.notes, *notes]
        found = plan(typed, joined, self.hows, self.policy, notes, self.reading.get("weights"))
        found, sizes, weighted = self._sifted(found, sizes)
        header = self._header(found, sizes, weighted)
        return self._written(journal, found, header)

    def _survey(self, journal: Journal, hows: Mapping[str, How]) -> list[dict[str, Seen]]:
        """Of every file, what its columns hold; files that were looked through before are not read again."""
        files = self.parts.files
        before = {k: journal.seen(k, part) for k, part in enumerate(files)}
        seen = {k: {name: known[name] for name in hows} for k, known in before.items() if known is not None}
        left = [k for k in range(len(files)) if k not in seen]
        meter = Meter("looking through", sum(files[k].size for k in left), self.watch)

        def keep(k: int, found: dict[str, Seen]) -> None:
            journal.keep_seen(k, files[k], found)
            seen[k] = found

        over_files(lambda k, stop: self._seen(k, hows, meter, stop), left, meter, keep)
        return [seen[k] for k in range(len(files))]

    def _seen(self, k: int, hows: Mapping[str, How], meter: Meter, stop: Stop) -> dict[str, Seen]:
        part = self.parts.files[k]
        seen = {name: nothing_yet(self.reader.schema[name]) for name in hows}
        for batch in self.reader.batches(part):
            self.text_notes.update(dict.fromkeys(batch.notes))
            for name, how in hows.items():
                stop.check()
                seen[name] = extended(seen[name], batch.column(name), how)
                meter.add(batch.n_rows / len(hows), part.size * batch.share / len(hows))
        if look_at(part.path) != part:
            raise changed(part)
        return seen

    def _again_as_text(self, journal: Journal, seen: list[dict[str, Seen]]) -> list[dict[str, Seen]]:
        """Columns of text that looked like numbers, but have cells that are none, once more as text."""
        odd = {name for part in seen for name, one in part.items() if one.odd_texts or one.as_text}
        if not odd:
            return seen
        hows = {name: replace(self.hows[name], decodes=True) for name in odd}
        meter = Meter("looking again", self.parts.size, self.watch)
        found: dict[int, dict[str, Seen]] = {}
        over_files(lambda k, stop: self._seen(k, hows, meter, stop), range(len(seen)), meter, found.__setitem__)
        again = self._joined([found[k] for k in range(len(seen))], _sizes(seen))
        before = self._joined([{name: part[name] for name in odd} for part in seen], _sizes(seen))
        whole = {name for name, one in again.items() if one.is_whole or not before[name].odd_texts}
        self.hows |= {name: hows[name] for name in whole}
        return [{**part, **{name: found[k][name] for name in whole}} for k, part in enumerate(seen)]

    def _joined(self, seen: list[dict[str, Seen]], sizes: list[int]) -> dict[str, Seen]:
        starts = np.cumsum([0, *sizes]).tolist()
        joined: dict[str, Seen] = {}
        for name in seen[0]:
            one = seen[0][name]
            for k in range(1, len(seen)):
                one = followed(one, shifted(seen[k][name], starts[k]), self.hows[name])
            joined[name] = one
        return joined

    def _differ(self, joined: Mapping[str, Seen]) -> Any:
        def differ(name: str) -> bool:
            numbers = joined[name].numbers
            assert numbers is not None
            return no_number_twice(self._column(name), numbers, self.hows[name])

        return differ

    def _distinct(self, joined: Mapping[str, Seen]) -> Any:
        return lambda name: count_distinct(self._column(name), joined[name].n_rows, self.hows[name])

    def _column(self, name: str) -> Any:
        """Goes through the cells of one column, batch by batch; may be called again."""
        return lambda: (batch.column(name) for part in self.parts.files for batch in self.reader.batches(part))

    def _sifted(self, found: Plan, sizes: list[int]) -> tuple[Plan, list[int], bool]:
        """The plan and the rows of each file when it is known which are left out; and whether rows have weights."""
        if not found.sieves:
            return found, sizes, False
        left: dict[int, Sifted] = {}
        meter = Meter("counting rows", self.parts.size, self.watch)

        def work(k: int, stop: Stop) -> Sifted:
            part, every = self.parts.files[k], []
            for batch in self.reader.batches(part):
                stop.check()
                every.append(sift(found, batch))
                meter.add(batch.n_rows, part.size * batch.share)
            return sifted(every)

        over_files(work, range(len(sizes)), meter, left.__setitem__)
        together = sifted(left[k] for k in range(len(sizes)))
        sizes = [left[k].n_left for k in range(len(sizes))]
        return without_rows(found, together), sizes, found.weights is not None and together.largest > 1

    def _header(self, found: Plan, sizes: list[int], weighted: bool) -> Header:
        columns = tuple(
            ColumnHeader(
                one.name,
                one.column.kind,
                one.column.labels if one.column.kind is Kind.DISCRETE else (),
                one.column.ordered if one.column.kind is Kind.DISCRETE else False,
                one.lookup.lacks,
                one.column.decision,
            )
            for one in found.columns
        )
        names = [column.name for column in columns]
        return Header(
            columns,
            tuple(np.cumsum([0, *sizes]).tolist()),
            (),
            provenance_of(Provenance(n_dropped=found.n_dropped), names, self.choices, self.reading),
            weighted,
            tuple(PartHeader(part.path, part.size, n) for part, n in zip(self.parts.files, sizes, strict=True)),
        )

    def _written(self, journal: Journal, found: Plan, header: Header) -> Dataset:
        files = self.parts.files
        layout = fingerprint([header_content(header), [[part.path, part.size, part.changed] for part in files]])
        lines = journal.written(layout)
        draft = Draft(self.path, header)
        meter = Meter("writing", sum(files[k].size for k in range(len(files)) if k not in lines), self.watch)

        def work(k: int, stop: Stop) -> dict[str, Any]:
            line = write_part(k, files[k], self.reader, found, draft, meter, stop)
            if look_at(files[k].path) != files[k]:
                raise changed(files[k])
            draft.keep()
            return line

        def keep(k: int, line: dict[str, Any]) -> None:
            journal.keep_written(line)
            lines[k] = line

        try:
            over_files(work, [k for k in range(len(files)) if k not in lines], meter, keep)
            self._finish(draft, header, found, [lines[k] for k in range(len(files))])
        finally:
            draft.close()
        return open_store(self.path)

    def _finish(self, draft: Draft, header: Header, found: Plan, lines: list[dict[str, Any]]) -> None:
        keys = {key for line in lines for key in line["sums"]}
        sums = {(key.split(":")[0], int(key.split(":")[1])): [line["sums"][key] for line in lines] for key in keys}
        draft.keep()
        data = dataset_of(draft.folder, header)
        typed = {one.name: one.column for one in found.columns}
        alike = [[typed[name] for name in group] for group in copies_in(data)]
        told = (*found.notes, *found.suspect, *doubts(list(typed.values()), alike), *silent_rows(data))
        sketches = {
            name: merged(Sketch.from_dict(line["sketches"][name]) for line in lines).to_dict()
            for name in lines[0]["sketches"]
        }
        columns = tuple(replace(column, sketch=sketches.get(column.name)) for column in header.columns)
        draft.finish(replace(header, columns=columns, warnings=tuple(told)).with_checksums(sums))


def _sizes(seen: list[dict[str, Seen]]) -> list[int]:
    """The rows of each file."""
    return [max((one.n_rows for one in part.values()), default=0) for part in seen]
