"""A table whose rows are in parts elsewhere, without a cluster: every question and answer goes through a pickle."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

from arcwise.errors import ClusterError
from arcwise.running.asking import branches
from arcwise.running.far import OnCluster, describe, far_columns
from arcwise.running.library import Stopped
from arcwise.running.shelves import Shelf


class Parts:
    """Stands for the library of a cluster: shelves that begin at these rows. most: questions before it is lost."""

    def __init__(self, table, starts, most=None):
        ends = sorted({0, *starts, table.n_stored})
        rows = replace(table, decisions=(), warnings=())
        self._shelves = [Shelf(rows.take(slice(a, b)), a) for a, b in pairwise(ends)]
        self._most, self._kept, self.questions = most, {}, 0

    def ask(self, request, stop=lambda: False):
        content = pickle.dumps(request)
        if content not in self._kept:
            if stop():
                self._most = self.questions
                raise Stopped("stopped while the workers were counting")
            if self._most is not None and self.questions >= self._most:
                raise ClusterError("the cluster is lost: it was switched off")
            self.questions += 1
            self._kept[content] = pickle.dumps(self._joined(self._shelves, content))
        return pickle.loads(self._kept[content])

    def _joined(self, shelves, content):
        request = pickle.loads(content)
        found = [shelves[0].answer(request), *(self._joined(some, content) for some in branches(shelves[1:]))]
        return request.question.join(found) if len(found) > 1 else found[0]


def in_parts(table, starts, most=None):
    """The table with its rows elsewhere, and where that is."""
    library = Parts(table, starts, most)
    where = OnCluster(library, **describe(table))
    return replace(table, columns=far_columns(table.columns), weights=None, elsewhere=where), library
