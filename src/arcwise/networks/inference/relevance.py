"""Which parts of a network a question about one node needs, given what is known of a row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def with_ancestors(parents: Sequence[Sequence[int]], nodes: Iterable[int]) -> set[int]:
    """The nodes and everything above them."""
    found: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(parents[node])
    return found


def requisite(parents: Sequence[Sequence[int]], target: int, known: Collection[int]) -> tuple[list[int], list[int]]:
    """(unknown, families): P(target | known) is the sum over the other unknown nodes of the product of the families.

    A family is P(node | its parents), named by its node. What is below all that is known sums to 1 and is left out.
    Of the rest, only the unknown nodes that are joined to the target by families with unknown nodes in common matter;
    the others make a factor that is the same for every value of the target.
    """
    seen = set(known) - {target}
    kept = with_ancestors(parents, (*seen, target))
    families: dict[int, list[int]] = {}  # of each unknown node, those it stands in
    for node in sorted(kept):
        for member in (*parents[node], node):
            if member not in seen:
                families.setdefault(member, []).append(node)
    unknown, needed, waiting = {target}, set[int](), [target]
    while waiting:
        for node in families[waiting.pop()]:
            if node not in needed:
                needed.add(node)
                fresh = {*parents[node], node} - seen - unknown
                unknown |= fresh
                waiting.extend(fresh)
    return sorted(unknown), sorted(needed)
