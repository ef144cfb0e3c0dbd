"""Ladders on the slow board of `tests.oracle`."""

from __future__ import annotations

from tests.oracle import BLACK, WHITE, Illegal, Position, after, neighbors


class Endless(Exception):
    """A ladder in which a position may come back."""


def is_in_ladder(position: Position, point: int, earlier: tuple[Position, ...] = ()) -> bool:
    """Whether the string on `point` is captured by moves that each leave it one liberty; `to_play` moves first."""
    if position in earlier:
        raise Endless
    liberties = position.liberties(point)
    moves_attacker = position.to_play != position.color_at(point)
    if len(liberties) == 1 and moves_attacker:
        return position.ko not in liberties
    if len(liberties) != (2 if moves_attacker else 1):
        return False
    found = []
    for move in liberties if moves_attacker else liberties | _captures(position, point):
        try:
            found.append(is_in_ladder(after(position, move, suicide=False), point, (*earlier, position)))
        except Illegal:
            continue
    return any(found) if moves_attacker else all(found)


def _captures(position: Position, point: int) -> frozenset[int]:
    """The last liberties of strings in atari next to the string on `point`."""
    around = frozenset().union(*(neighbors(position.size, stone) for stone in position.string(point)))
    attackers = around & position.stones(BLACK + WHITE - position.color_at(point))
    liberties = {position.liberties(stone) for stone in attackers}
    return frozenset().union(*(points for points in liberties if len(points) == 1))
