"""Cycles of a graph, for the check of a saved proof: whether the prover fails to gain on one of them."""

from __future__ import annotations


def cycle_without_gain(edges: list[list[tuple[int, int]]], strict: bool) -> int | None:
    """A node near a cycle with a negative sum of gains, or a sum of 0 if `strict`; None if no such cycle exists.

    ``edges[node]`` are pairs of a following node and the gain of going there. This is Bellman-Ford on the nodes that
    remain after removing those without a way on or a way in. If `strict`, each edge costs 1, and gains are scaled by
    more than the length of any cycle. Then exactly the cycles without a gain become negative.

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
    """The nodes on a cycle or on a path between two cycles."""
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
