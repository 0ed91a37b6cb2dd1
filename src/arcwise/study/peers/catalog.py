"""The peers and their algorithms by name, and what a plan says about them, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcwise.checking import shown
from arcwise.errors import OptionError, unknown_name
from arcwise.study.peers import of_causal_learn, of_pgmpy, of_pyagrum, of_pybnesian
from arcwise.study.peers.asked import Peer, View

PEERS: Mapping[str, Peer] = {
    peer.distribution: peer for peer in (of_pgmpy.PEER, of_pyagrum.PEER, of_causal_learn.PEER, of_pybnesian.PEER)
}
BINS = 3  # that numbers are cut into


def checked_peer(label: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """A method such as {peer = "pgmpy", algorithm = "hill-climb", score = "bdeu", bins = 3}, every choice settled.

    Whether the library is installed is asked in the cell: a plan must be readable without it.
    """
    rest = dict(entries)
    name = _one_of(label, "peer", rest.pop("peer"), PEERS)
    known = PEERS[name].algorithms
    chosen = _one_of(label, "algorithm", rest.pop("algorithm", next(iter(known))), known)
    algorithm = known[chosen]
    by = _one_of(label, algorithm.word, rest.pop(algorithm.word, next(iter(algorithm.choices))), algorithm.choices)
    found: dict[str, Any] = {"peer": name, "algorithm": chosen, algorithm.word: by}
    if algorithm.choices[by][0] is View.LEVELS:
        bins = rest.pop("bins", BINS)
        if isinstance(bins, bool) or not isinstance(bins, int) or bins < 2:
            raise OptionError(f"method {label!r}: bins must be a whole number from 2, not {shown(bins)}")
        found["bins"] = bins
    if rest:
        raise OptionError(unknown_name(f"entry of method {label!r}:", next(iter(rest)), found))
    return found


def _one_of(label: str, entry: str, value: Any, known: Mapping[str, Any]) -> str:
    if not isinstance(value, str) or value not in known:
        raise OptionError(unknown_name(f"{entry} of method {label!r}:", value, known))
    return value
