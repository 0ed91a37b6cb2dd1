"""`arcwise query`: what is known of nodes given what was seen, or what follows when something is set."""

from __future__ import annotations

from typing import Annotated

from arcwise.cli.inputs import AsJson, NetworkPath, argument, opened, option, read_network, split_values
from arcwise.cli.views.screen import print_json, print_text
from arcwise.errors import OptionError


def query(
    network: NetworkPath,
    names: Annotated[list[str], argument("NAME", "The nodes that are asked about.")],
    given: Annotated[
        list[str] | None,
        option(
            "--given", "What is known; a name twice means either value: --given CVP=HIGH --given BP=LOW", "NAME=VALUE"
        ),
    ] = None,
    do: Annotated[
        list[str] | None, option("--do", "What is set, not seen: --do HYPOVOLEMIA=TRUE", "NAME=VALUE")
    ] = None,
    joint: Annotated[bool, option("--joint", "The table of all names together: --joint")] = False,
    causal: Annotated[
        bool, option("--causal", "With --do: the arrows are known to be right, all of them: --causal")
    ] = False,
    data: Annotated[
        str | None, option("--data", "Rows in which the evidence is counted: --data data.csv", "DATA")
    ] = None,
    json: AsJson = False,
) -> None:
    """Ask a network about some of its nodes: probabilities of levels, means and quantiles of numbers.

    Columns that the network cuts are given as numbers. Exact for tables and linear regressions, by weighted samples
    for other models. --do answers for the graph without the arrows into what is set, with a warning and a range where
    the data do not tell how edges point.

    Example: arcwise query @alarm HYPOVOLEMIA LVFAILURE --given CVP=HIGH --given BP=LOW
    """
    net = read_network(network)
    levels = dict(zip(net.names, net.states, strict=True))
    seen, done = split_values(given, levels, "--given"), split_values(do, levels, "--do")
    if done and data is not None:
        raise OptionError(
            "--data counts rows that were seen, and --do asks about what nobody saw; leave one of them out"
        )
    if causal and not done:
        raise OptionError("--causal is about --do; give it with --do NAME=VALUE")
    if done:
        found = (net.causal() if causal else net).do(done).query(names, seen, joint=joint)
    else:
        found = net.query(names, seen, joint=joint, data=None if data is None else opened(data))
    if json:
        print_json(found.to_dict())
    else:
        print_text(str(found))
