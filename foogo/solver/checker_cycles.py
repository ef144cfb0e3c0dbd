"""Cycles of a graph, for the check of a saved proof: whether there is one that the prover does not gain on."""

from __future__ import annotations


def cycle_without_gain(edges: list[list[tuple[int, int]]], strict: bool) -> int | None:
    """A node on the way to a cycle whose gains sum to less than 0, or to 0 if `strict`; None if there is none.

    ``edges[node]`` are pairs of the node that follows and the gain of going there. Bellman-Ford on what is left when
    nodes without a way on, and without a way in, are taken away. Gains are multiplied so that a cycle without a gain
    stays negative after a loss of 1 for each edge of it, if `strict`.

    Examples
    --------
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=False)
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=True) is None
    False
    """
    core = _core(edges)
    kept = {node: [(to, gain * (len(core) + 1) - strict) for to, gain in edges[node] if to in core] for node in core}
    debt = dict.fromkeys(core, 0)
    todo = core
    for _ in range(len(core) + 1):
        lowered: set[int] = set()
        for node in todo:
            for to, gain in kept[node]:
                if debt[node] + gain < debt[to]:
                    debt[to] = debt[node] + gain
                    lowered.add(to)
        if not lowered:
            return None
        todo = lowered
    return min(lowered)


def _core(edges: list[list[tuple[int, int]]]) -> set[int]:
    """The nodes that are on a cycle or between two."""
    core = set(range(len(edges)))
    forth = [[to for to, _ in row] for row in edges]
    back: list[list[int]] = [[] for _ in edges]
    for node, row in enumerate(forth):
        for to in row:
            back[to].append(node)
    for before, after in ((back, forth), (forth, back)):
        left = [sum(to in core for to in row) for row in after]
        bare = [node for node in core if not left[node]]
        while bare:
            node = bare.pop()
            core.discard(node)
            for other in before[node]:
                left[other] -= 1
                if not left[other] and other in core:
                    bare.append(other)
    return core


def leads_to(edges: list[list[int]], start: int, end: int) -> bool:
    """Whether there is a way from one node to another."""
    todo, seen = [start], {start}
    while todo:
        for following in edges[todo.pop()]:
            if following == end:
                return True
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False
