"""Unconditional life against plain Python sets, and against everything that the other colour could try."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from foogo.game.board import Board
from foogo.game.geometry import BLACK, PASS, WHITE
from tests import oracle
from tests.oracle import Position
from tests.oracle_life import certain_area


def board_of(position: Position) -> Board:
    return Board.from_stones(position.size, black=sorted(position.black), white=sorted(position.white))


def settled_position(random: Random, size: int) -> Position:
    """A random position whose stones make many eyes: one colour's stones are drawn first, then all others."""
    while True:
        colors = [random.choices((0, 1, 2), (2, 5, 1))[0] for _ in range(size * size)]
        position = Position(
            size,
            frozenset(point for point, color in enumerate(colors) if color == 1),
            frozenset(point for point, color in enumerate(colors) if color == 2),
        )
        stones = position.black | position.white
        if all(position.liberties(stone) for stone in stones):
            return position


def played_at_random(random: Random, size: int) -> Position:
    """The position after many random moves, as a playout plays them."""
    board = Board(size)
    for _ in range(random.randrange(size * size, 2 * size * size)):
        points = list(board.playable().search(1))
        board.play(random.choice(points) if points else PASS)
    black, white = (frozenset(board.stones(color).search(1)) for color in (BLACK, WHITE))
    return Position(size, black, white)


@pytest.mark.parametrize("size", range(2, 20))
def test_the_area_is_that_of_plain_sets(size: int) -> None:
    random, found = Random(size), 0
    for number in range(max(4, 100 // size)):
        if number % 2 and size < 8:
            position = settled_position(random, size)
        else:
            position = played_at_random(random, size)
        board = board_of(position)
        for color in (BLACK, WHITE):
            area = certain_area(position, color)
            assert set(board.certain_area(color).search(1)) == area, f"\n{position}"
            found += bool(area)
    assert found


@pytest.mark.parametrize("suicide", [False, True])
def test_the_other_colour_cannot_take_the_area(suicide: bool) -> None:
    """Whoever moves first on 2x2 and 3x3, the colour gets its area, counted with every stone alive."""
    random, tried = Random(1), 0
    while tried < 12:
        position = settled_position(random, random.choice((2, 3, 3)))
        area = certain_area(position, BLACK)
        if not area:
            continue
        tried += 1
        for to_play in (BLACK, WHITE):
            assert keeps(replace(position, to_play=to_play), area, suicide), f"\n{position}"


def keeps(start: Position, area: frozenset[int], suicide: bool) -> bool:
    """Whether Black, by filling touched points of its area and passing, ends with all of it."""

    @cache
    def holds(position: Position, passes: int) -> bool:
        if passes == 2:
            return area <= owned(position)
        if position.to_play == WHITE:
            moves = [*sorted(oracle.legal(position, suicide)), oracle.PASS]
            return all(holds(oracle.after(position, move, suicide), passes + 1 if move < 0 else 0) for move in moves)
        return holds(
            oracle.after(position, reply(position, area, suicide), suicide), 0 if dirty(position, area) else passes + 1
        )

    return holds(start, 0)


def dirty(position: Position, area: frozenset[int]) -> frozenset[int]:
    """White's stones in the area."""
    return position.white & area


def reply(position: Position, area: frozenset[int], suicide: bool) -> int:
    """A capture in the area, or a stone next to White's there, that leaves all of the area certain; else a pass."""
    if not dirty(position, area):
        return oracle.PASS
    for point in sorted(oracle.legal(position, suicide) & area):
        if area <= certain_area(oracle.after(position, point, suicide), BLACK):
            return point
    raise AssertionError(f"nothing cleans\n{position}")


def owned(position: Position) -> frozenset[int]:
    """Black's stones, and the empty points that only Black touches."""
    found = position.black
    for region in (oracle.flood(position.size, point, position.empty) for point in position.empty):
        rim = frozenset().union(*(oracle.neighbors(position.size, point) for point in region))
        if not rim & position.white:
            found |= region
    return found
