"""`arcwise simulate`: data from a network with known structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from arcwise.cli.inputs import Seed, argument, option, read_network
from arcwise.cli.outputs import TABLE_SUFFIXES, as_delimited, check_targets, deliver, write_table
from arcwise.cli.views.screen import print_data
from arcwise.errors import OptionError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

FORMULAS = ("meander", "lambda", "v")


def simulate(
    network: Annotated[
        str,
        argument(
            "NETWORK",
            "A bundled network (alarm), copies of one (alarm5), a .bif file, a .json file of fit, meander, "
            "lambda:A,B or v:A,B (A, B from 1 to 5).",
        ),
    ],
    rows: Annotated[int, option("--rows -n", "How many rows to draw: --rows 1000", show_default=False)],
    seed: Seed = 0,
    noise: Annotated[
        float | None,
        option(
            "--noise", "Turn the states into numbers with this standard deviation around them: --noise 0.35", "SIGMA"
        ),
    ] = None,
    out: Annotated[str | None, option("--out -o", "Save as .csv, .tsv or .parquet: --out alarm.csv", "FILE")] = None,
) -> None:
    """Draw data from a network; without --out as CSV on stdout.

    Example: arcwise simulate alarm --rows 5000 --seed 1 --noise 0.35 --out alarm.csv
    """
    from arcwise.machine import thread_count

    check_targets((network,), (out, TABLE_SUFFIXES))
    thread_count("POLARS_MAX_THREADS")  # polars will write the table
    data = _draw(network, rows, seed, noise)

    def show() -> None:
        if out is None:
            print_data(as_delimited(data))

    deliver((out, lambda path: write_table(data, path)), show=show)


def _draw(network: str, rows: int, seed: int, noise: float | None) -> Dataset:
    from arcwise import networks

    name, _, numbers = network.partition(":")
    if name.lower() not in FORMULAS:
        sample = read_network(network).sample(rows, seed)
        return sample if noise is None else networks.add_noise(sample, sigma=noise, seed=seed)
    if name.lower() == "meander":
        if noise is not None or numbers:
            raise OptionError("meander has its own noise and no functions; leave out --noise and the colon")
        return networks.meander(rows, seed)
    a, b = _functions(network, numbers)
    make = networks.lambda_network if name.lower() == "lambda" else networks.v_network
    return make(a, b, rows, seed) if noise is None else make(a, b, rows, seed, noise)


def _functions(network: str, numbers: str) -> tuple[int, int]:
    """The numbers of `lambda:1,5`."""
    parts = [part.strip() for part in numbers.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        name = network.partition(":")[0]
        raise OptionError(f"{network!r} needs the numbers of two functions from 1 to 5, such as {name}:1,5")
    return int(parts[0]), int(parts[1])
