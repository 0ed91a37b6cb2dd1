"""`arcwise predict`: one column of a table predicted from the others."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    NetworkPath,
    Options,
    argument,
    opened,
    option,
    read_network,
    reads_table,
)
from arcwise.cli.outputs import TABLE_SUFFIXES, check_targets, deliver, write_frame
from arcwise.cli.views.screen import note, print_json, print_text, warn
from arcwise.errors import DataError

if TYPE_CHECKING:
    from arcwise.networks.questions.predictions import Prediction


@reads_table
def predict(
    network: NetworkPath,
    data: DataPath,
    column: Annotated[str, argument("COLUMN", "The column to predict; what the table has of it is no evidence.")],
    out: Annotated[
        str | None, option("--out -o", "Save values and probabilities, .csv, .tsv or .parquet: --out p.csv", "FILE")
    ] = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Predict a column in each row from all that is recorded of the others, missing cells allowed.

    Levels come with their probabilities, numbers with their standard deviation. Where the table has the column itself,
    it also says how many were right.

    Example: arcwise predict network.json new.csv species --out predicted.csv
    """
    check_targets((network, data), (out, TABLE_SUFFIXES))
    found = read_network(network).predict(column, opened(data), **reading)
    scores = _scores(found)

    def show() -> None:
        if json:
            print_json({**found.to_dict(), **scores})
            return
        print_text("\n".join([str(found), *(["", _words(scores)] if scores else [])]))

    if json:
        warn(found.warnings)
    deliver((out, lambda path: write_frame(found.table(), path)), show=show)
    if out is not None and not json:
        note(f"saved {out}")


def _scores(found: Prediction) -> dict[str, Any]:
    """How good it is, as far as the table tells."""
    from math import isfinite

    scores: dict[str, Any] = {}
    for name in ("accuracy", "log_score", "mean_squared_error"):
        with suppress(DataError):
            value = getattr(found, name)()
            scores[name] = value if isfinite(value) else None
    return scores


def _words(scores: dict[str, Any]) -> str:
    from arcwise.networks.questions.answer_text import percent

    parts = [f"{percent(scores['accuracy'])} right"] if "accuracy" in scores else []
    if "log_score" in scores:
        loss = "an impossible level" if scores["log_score"] is None else f"{scores['log_score']:.4g} nats"
        parts.append(f"log loss {loss}")
    parts += [f"mean squared error {scores['mean_squared_error']:.4g}"] if scores.get("mean_squared_error") else []
    return ", ".join(parts)
