"""Cycles of a graph, for the check of a saved proof: whether the prover fails to gain on one of them."""

from __future__ import annotations

import numpy as np


def cycle_without_gain(edges: list[list[tuple[int, int]]], strict: bool) -> int | None:
    """A node near a cycle with a negative sum of gains, or a sum of 0 if `strict`; None if no such cycle exists.

    ``edges[node]`` are pairs of a following node and the gain of going there. This is Bellman-Ford within the strongly
    connected parts. If `strict`, each edge costs 1, and gains are scaled by more than the length of any cycle. Then
    exactly the cycles without a gain become negative.

    Examples
    --------
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=False)
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=True) is None
    False
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes, rows = len(edges), [(node, to, gain) for node, row in enumerate(edges) for to, gain in row]
    start, end, gains = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    graph = coo_array((np.ones(len(rows)), (start, end)), shape=(nodes, nodes))
    part = connected_components(graph, connection="strong")[1]
    inside = part[start] == part[end]
    start, end, costs = start[inside], end[inside], gains[inside] * (nodes + 1) - strict
    debt = np.zeros(nodes, dtype=np.int64)
    for _ in range(nodes + 1):
        before = debt.copy()
        np.minimum.at(debt, end, before[start] + costs)
        lowered = np.flatnonzero(debt < before)
        if not len(lowered):
            return None
    return int(lowered[0])


def leads_to(edges: list[list[int]], start: int, end: int) -> bool:
    """Whether a path leads from one node to another."""
    todo, seen = [start], {start}
    while todo:
        for following in edges[todo.pop()]:
            if following == end:
                return True
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False
