"""`arcwise blanket`: the neighbours of a column that hide it from all others."""

from __future__ import annotations

from typing import Annotated

from arcwise.cli.inputs import AsJson, argument, read_result_or_network
from arcwise.cli.views.screen import print_json, print_text


def blanket(
    source: Annotated[
        str, argument("NETWORK", "What learn or fit saved, a .bif file or a bundled network such as @alarm.")
    ],
    name: Annotated[str, argument("NAME", "The column that is asked about.")],
    json: AsJson = False,
) -> None:
    """List parents, children and other parents of the children of a column, with the strength of each tie.

    Of a result that was learned more than once: the share of graphs with the edge; of one that was learned once, by a
    score: the nats that the score loses without it. Of a fitted network: the nats that an edge says about its child
    beyond the other parents.

    Example: arcwise blanket @alarm HR
    """
    found = read_result_or_network(source).blanket(name)
    if json:
        print_json(found.to_dict())
    else:
        print_text(str(found))
