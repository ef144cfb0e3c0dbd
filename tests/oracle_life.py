"""Unconditional life in plain Python sets, written from the definition in docs/explanation/search.md.

It is slow and shares no code with foogo.
"""

from __future__ import annotations

from tests.oracle import Position, neighbors, parts


def certain_area(position: Position, color: int) -> frozenset[int]:
    """The points that `color` certainly owns at the end."""
    size, own = position.size, position.stones(color)
    strings = parts(size, own)
    regions = parts(size, frozenset(range(size * size)) - own)
    around = {string: frozenset().union(*(neighbors(size, stone) for stone in string)) for string in strings}
    settled = set(strings)
    while True:
        eyes = [region for region in regions if all(one in settled for one in strings if around[one] & region)]
        kept = {string for string in settled if sum(region <= around[string] for region in eyes) >= 2}
        if kept == settled:
            break
        settled = kept
    touched = frozenset().union(*(around[string] for string in settled))
    safe = [
        region
        for region in regions
        if settled and all(one in settled for one in strings if around[one] & region) and len(region - touched) <= 1
    ]
    return frozenset().union(*settled, *safe)
