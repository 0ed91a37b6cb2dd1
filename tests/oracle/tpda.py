"""Slow twin of TPDA: the paper's procedures one after the other, paths by walking all of them, nothing remembered."""

from __future__ import annotations

from itertools import combinations, permutations

TIE = 1e-9


class PlainTPDA:
    """information(x, y, given) -> nats; nodes 0..n-1 in the order of their names. Results: edges, cuts, arrows."""

    def __init__(self, information, n, eps):
        self.information, self.n, self.eps = information, n, eps
        self.edges, self.cuts, self.arrows = set(), {}, set()
        waiting = self.draft()
        self.thicken(waiting)
        self.thin_a()
        self.thin_b()
        self.orient()

    def draft(self):
        pairs = [pair for pair in combinations(range(self.n), 2) if self.information(*pair, ()) > self.eps]
        waiting = []
        for x, y in self.sorted_by_information(pairs, sign=-1):
            if self.on_paths(x, y):
                waiting.append((x, y))
            else:
                self.edges.add((x, y))
        return waiting

    def thicken(self, waiting):
        for x, y in waiting:
            if self.edge_needed_h(x, y):
                self.edges.add((x, y))

    def thin_a(self):
        for x, y in self.sorted_by_information(sorted(self.edges), sign=1):
            self.edges.remove((x, y))
            if not self.on_paths(x, y) or self.edge_needed_h(x, y):
                self.edges.add((x, y))

    def thin_b(self):
        for x, y in self.sorted_by_information(sorted(self.edges), sign=1):
            crowded = len(self.neighbours(x) - {y}) >= 3 or len(self.neighbours(y) - {x}) >= 3
            self.edges.remove((x, y))
            if not crowded or not self.on_paths(x, y) or self.edge_needed(x, y):
                self.edges.add((x, y))

    def edge_needed_h(self, x, y):
        between = self.on_paths(x, y)
        return not any(self.cut_within(x, y, self.neighbours(end) & between) for end in (x, y))

    def edge_needed(self, x, y):
        between = self.on_paths(x, y)
        sets = []
        for end in (x, y):
            near = self.neighbours(end) & between
            further = {v for u in near for v in self.neighbours(u)} & between
            sets.append(near | further)
        return not self.cut_within(x, y, sets[0] if len(sets[0]) < len(sets[1]) else sets[1])

    def cut_within(self, x, y, start):
        c = sorted(start)
        s = self.information(x, y, c)
        if s < self.eps:
            self.cuts[x, y] = tuple(c)
            return True
        while len(c) > 1:
            values = [self.information(x, y, [v for v in c if v != u]) for u in c]
            m = next(i for i, value in enumerate(values) if value <= min(values) + TIE * (1 + min(values)))
            c_m, s_m = [v for v in c if v != c[m]], values[m]
            if s_m < self.eps:
                self.cuts[x, y] = tuple(c_m)
                return True
            if s_m > s + TIE * (1 + s):
                return False
            c, s = c_m, s_m
        return False

    def neighbours(self, x):
        return {b if a == x else a for a, b in self.edges if x in (a, b)}

    def on_paths(self, x, y):
        """Nodes strictly between x and y on any simple path; {None} besides where only the edge itself joins them."""
        found = set()

        def walk(path):
            for u in self.neighbours(path[-1]):
                if u == y:
                    found.update(path[1:] or [None])
                elif u not in path:
                    walk([*path, u])

        walk([x])
        return found

    def sorted_by_information(self, pairs, sign):
        """Values closer than the tolerance count as equal, and then the pairs keep their order."""
        left, out = [(sign * self.information(*pair, ()), pair) for pair in pairs], []
        for value, pair in sorted(left, key=lambda entry: entry[0]):
            if out and value - out[-1][-1][0] <= TIE * (1 + abs(value)):
                out[-1].append((value, pair))
            else:
                out.append([(value, pair)])
        return [pair for group in out for pair in sorted(pair for _, pair in group)]

    def orient(self):
        """Colliders, then rules (b) and (c) until nothing changes; no arrow is turned round, none closes a cycle."""
        for x, z in combinations(range(self.n), 2):
            for y in range(self.n):
                unshielded = {y} <= self.neighbours(x) & self.neighbours(z) and z not in self.neighbours(x)
                if unshielded and y not in self.cuts.get((x, z), ()) and not {x, z} & self.below(y):
                    self.arrows |= {(x, y), (z, y)}
        before = None
        while before != self.arrows:
            before = set(self.arrows)
            for x, y, z in permutations(range(self.n), 3):
                if (
                    (x, y) in self.arrows
                    and z in self.lines(y)
                    and z not in self.neighbours(x)
                    and y not in self.below(z)
                ):
                    self.arrows.add((y, z))
            for x, y in permutations(range(self.n), 2):
                if y in self.lines(x) and y in self.below(x):
                    self.arrows.add((x, y))

    def lines(self, x):
        return {u for u in self.neighbours(x) if (x, u) not in self.arrows and (u, x) not in self.arrows}

    def below(self, x):
        found, todo = set(), [x]
        while todo:
            node = todo.pop()
            new = {head for tail, head in self.arrows if tail == node} - found
            found |= new
            todo += new
        return found
