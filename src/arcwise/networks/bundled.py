"""The benchmark networks that come with arcwise."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files

from arcwise.checking import checked
from arcwise.errors import OptionError, unknown_name
from arcwise.networks.network import Network
from arcwise.networks.tiling import tile

SOURCE = "bnlearn Bayesian Network Repository, https://www.bnlearn.com/bnrepository/"
LICENCE = "CC BY-SA 3.0"


@dataclass(frozen=True, slots=True)
class NetworkInfo:
    """What a bundled network is and how large, without loading it."""

    name: str
    about: str
    nodes: int
    edges: int
    parameters: int
    max_parents: int
    states: tuple[int, int]  # fewest and most states of a node
    reference: str
    file: str
    source: str = SOURCE
    licence: str = LICENCE


# File, contents, (nodes, edges, parameters, most parents, fewest and most states), reference.
_ROWS: tuple[tuple[str, str, tuple[int, int, int, int, tuple[int, int]], str], ...] = (
    ("alarm.json", "monitoring of patients in intensive care", (37, 46, 509, 4, (2, 4)),
     "Beinlich, Suermondt, Chavez & Cooper (1989), AIME 89, 247-256"),
    ("barley.json.gz", "growing malting barley without pesticides", (48, 84, 114005, 4, (2, 67)),
     "Kristensen & Rasmussen (2002), Computers and Electronics in Agriculture 33, 197-217"),
    ("child.json", "diagnosis of congenital heart disease in new-born babies", (20, 25, 230, 2, (2, 6)),
     "Spiegelhalter & Cowell (1992), Bayesian Statistics 4, 447-466"),
    ("hailfinder.json", "forecasting severe summer hail in north-eastern Colorado", (56, 66, 2656, 4, (2, 11)),
     "Abramson, Brown, Edwards, Murphy & Winkler (1996), Int. J. of Forecasting 12, 57-71"),
    ("insurance.json", "risks of car insurance", (27, 52, 1008, 3, (2, 5)),
     "Binder, Koller, Russell & Kanazawa (1997), Machine Learning 29, 213-244"),
    ("mildew.json.gz", "fungicides against mildew in winter wheat", (35, 46, 540150, 3, (3, 100)),
     "Jensen & Jensen (1996), Uncertainty in Artificial Intelligence 12, 349-356"),
)  # fmt: skip
_NETWORKS = {
    name: NetworkInfo(name, about, *sizes, reference, file)
    for file, about, sizes, reference in _ROWS
    for name in [file.partition(".")[0]]
}


# New arcs of the tiled networks of Brown, Tsamardinos and Aliferis: what their Table 1 has more than the copies.
_PUBLISHED_ARCS = {"child3": 4, "child5": 1, "insurance3": 7, "alarm3": 11, "alarm5": 35, "hailfinder3": 85}
_TILED_SEED = 0


def names() -> tuple[str, ...]:
    """The bundled networks. `load` also knows them tiled: alarm5 is five copies of alarm."""
    return tuple(_NETWORKS)


@checked
def info(name: str) -> NetworkInfo:
    """Size, reference and licence of a bundled network, or of a tiled one."""
    base, copies = _parsed(name)
    about = _NETWORKS[base]
    if copies == 1:
        return about
    net = load(name)
    return replace(
        about,
        name=f"{base}{copies}",
        about=f"{copies} tiles of {base}: {about.about}",
        nodes=len(net.names),
        edges=net.dag.n_edges,
        parameters=net.n_parameters,
        max_parents=max(len(parents) for parents in net.parents),
    )


@checked
def load(name: str) -> Network:
    """A bundled network; upper and lower case are the same. Loaded once and shared, as it cannot change.

    With a number of copies after the name ("alarm5") it is tiled (see `tile`), with the published number of arcs
    where there is one (alarm3, alarm5, child3, child5, insurance3, hailfinder3). The tables are always the same, but
    not those of the publications, which are not known.
    """
    base, copies = _parsed(name)
    return _load(_NETWORKS[base].file) if copies == 1 else _load_tiled(base, copies)


def _parsed(name: str) -> tuple[str, int]:
    """(bundled network, copies) of a name such as alarm or alarm5."""
    wanted = str(name).casefold()
    tiled = re.fullmatch(r"(\D+)([1-9]\d*)", wanted)
    base, copies = (tiled[1], int(tiled[2])) if tiled else (wanted, 1)
    if base not in _NETWORKS:
        raise OptionError(unknown_name("network", base, _NETWORKS))
    return base, copies


@cache
def _load(file: str) -> Network:
    with as_file(files("arcwise.networks") / "files" / file) as path:
        return Network.load(path)


@cache
def _load_tiled(base: str, copies: int) -> Network:
    net = _load(_NETWORKS[base].file)
    return tile(net, copies, _TILED_SEED, arcs=_PUBLISHED_ARCS.get(f"{base}{copies}"))
