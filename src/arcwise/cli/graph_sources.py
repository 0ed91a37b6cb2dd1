"""What an argument names: a graph file, a saved result, a network file, or a bundled network such as @alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcwise.errors import FileError

if TYPE_CHECKING:
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag
    from arcwise.networks.network import Network
    from arcwise.results.result import LearnResult


def read_pattern(argument: str) -> Dag | Pdag:
    """The graph to compare with another; of a result its CPDAG."""
    found = _read(argument)
    return found[1] if found[0] is None else found[0].cpdag


def read_dag(argument: str, *, quiet: bool = False) -> tuple[Dag, LearnResult | None]:
    """A DAG, and the result it was saved in, if so; a note names the directions that a pattern left open."""
    from arcwise.cli.views.screen import note
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import chosen_words

    result, graph = _read(argument)
    if result is not None and result.only_skeleton:
        raise FileError(
            f"{argument} is a result of {result.method or 'a skeleton learner'} whose edges have no directions; "
            "learn a graph, with mmhc or pmmhc for example"
        )
    if result is not None:
        dag, words = result.dag(), result.convention
    elif isinstance(graph, Dag):
        dag, words = graph, ""
    else:
        dag = graph.best_effort_extension()[0]
        words = chosen_words(graph, dag)
    if words and not quiet:
        note(words)
    return dag, result


def read_network(argument: str) -> Network:
    """A network with its numbers: a .bif or .json file, or a bundled name with or without the @."""
    from arcwise import networks

    lower = argument.lower()
    if lower.endswith((".bif", ".bif.gz")):
        return networks.read_bif(argument)
    if not lower.endswith((".json", ".json.gz")):
        return networks.load(argument.removeprefix("@"))
    kind = _json_format(argument)
    if kind.startswith(("arcwise-result", "arcwise-graph")):
        raise FileError(f"{argument} is a learned graph without numbers; give it numbers with: arcwise fit")
    return networks.Network.load(argument)


def _read(argument: str) -> tuple[LearnResult | None, Dag | Pdag]:
    """(the result, if it is one, and the graph: of a result its DAG where it has one)."""
    lower = argument.lower()
    if argument.startswith("@") or lower.endswith((".bif", ".bif.gz", ".json.gz")):
        return None, read_network(argument).dag
    if not lower.endswith(".json"):
        from arcwise.graph.io import load

        return None, load(argument)
    kind = _json_format(argument)
    if kind.startswith("arcwise-result"):
        from arcwise.results.result import LearnResult

        result = LearnResult.load(argument)
        return result, result.graph or result.cpdag
    if kind.startswith(("discrete-bn", "arcwise-fitted")):
        return None, read_network(argument).dag
    from arcwise.graph.io import load

    return None, load(argument)


def _json_format(path: str) -> str:
    """What the file says about itself; empty when it says nothing."""
    from arcwise.data.text_files import load_json

    content = load_json(path, "saved graph, result or network", lambda content: content)
    return str(content.get("format", "")) if isinstance(content, dict) else ""
