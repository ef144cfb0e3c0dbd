"""The features of a move on the slow board, from the table in `foogo.search.kernels.features`."""

from __future__ import annotations

from tests.oracle import Position, neighbors, on_board, opponent

GROUPS = ("place", "last", "before", "capture", "escape", "liberties", "atari", "chase", "threatened", "cross", "shape")


def describe(position: Position, move: int, last: int | None, before: int | None) -> dict[str, int | list[int]]:
    """The number of the feature in each group, 0 where there is nothing to be said; those of the knight's moves."""
    size, mine = position.size, position.to_play
    beside = neighbors(size, move)

    def strings(color: int, liberties: int) -> list[frozenset[int]]:
        found = {position.string(p) for p in beside & position.stones(color)}
        return sorted((s for s in found if len(position.liberties(min(s))) == liberties), key=len)

    taken = frozenset().union(*strings(opponent(mine), 1))
    made, liberties = string_made(position, move, taken)
    free = len(liberties)
    rescued = {p for stone in taken for p in neighbors(size, stone) & position.stones(mine)}
    rescues = any(len(position.liberties(p)) == 1 for p in rescued)
    features: dict[str, int | list[int]] = {
        "place": 2 * lines(size, move) + is_alone(position, move),
        "last": distance(size, move, last),
        "before": distance(size, move, before),
        "capture": 1 + 4 * body(taken) + 2 * (last in taken) + rescues if taken else 0,
        "liberties": 9 * bool(taken) + (min(len(made), 6) - 1 if free < 2 else 4 + min(free, 4)),
        "cross": sum(cross(position, p) << 3 * turn for turn, p in enumerate(ring(size, move))),
        "shape": sum(color << 2 * i for i, color in enumerate(eight(position, move))),
        "knights": [knight(position, move, *way) for way in WAYS],
    }
    escaping, threatened = strings(mine, 1), strings(mine, 2)
    tried, chased = strings(opponent(mine), 2), strings(opponent(mine), 3)
    features["escape"] = 1 + 3 * body(escaping[-1]) + min(max(free, 1), 3) - 1 if escaping else 0
    hit = any(last in string for string in tried)
    features["atari"] = 1 + 4 * body(tried[-1]) + 2 * hit + (free > 1) if tried else 0
    hit = any(last in string for string in chased)
    features["chase"] = 1 + 2 * body(chased[-1]) + hit if chased else 0
    pressed = last is not None and any(neighbors(size, last) & string for string in threatened)
    grown = min(max(free, 2), 4) - 2
    features["threatened"] = 1 + 6 * body(threatened[-1]) + 2 * grown + pressed if threatened else 0
    return features


def string_made(position: Position, move: int, taken: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The stones of the string that a move makes, and its liberties; of what it takes those next to the move."""
    beside = neighbors(position.size, move)
    made = frozenset([move]).union(*(position.string(p) for p in beside & position.stones(position.to_play)))
    around = frozenset().union(*(neighbors(position.size, p) for p in made)) & position.empty - {move}
    return made, around | (beside & taken)


def gridcular(size: int, one: int, other: int) -> int:
    """The distance of two points that counts the longer way twice."""
    apart = steps(size, one, other)
    return sum(apart) + max(apart)


WAYS = [
    (dx, dy, sx, sy)
    for dx, dy, sides in ((0, -1, (-1, 1)), (-1, 0, (-1, 1)), (1, 0, (-1, 1)), (0, 1, (-1, 1)))
    for side in sides
    for sx, sy in [(side, 0) if dx == 0 else (0, side)]
]
"""South, west, east, north; in each of them first the side of the lower points."""


def body(stones: frozenset[int]) -> int:
    return min(len(stones), 3) - 1


def lines(size: int, point: int) -> int:
    """0 for the corner, then (line, line) = (1, 2), (2, 2), (1, 3), ... up to the fifth."""
    near = sorted(min(x, size - 1 - x, 4) for x in divmod(point, size))
    return near[1] * (near[1] + 1) // 2 + near[0]


def steps(size: int, one: int, other: int) -> tuple[int, int]:
    return abs(one // size - other // size), abs(one % size - other % size)


def is_alone(position: Position, point: int) -> bool:
    return all(sum(steps(position.size, point, stone)) > 3 for stone in position.black | position.white)


def distance(size: int, point: int, other: int | None) -> int:
    if other is None:
        return 0
    return min(max(gridcular(size, point, other) - 1, 1), 16)


def content(position: Position, x: int, y: int) -> int:
    """0 empty, 1 the mover's stone, 2 the other's, 3 beyond the edge."""
    if not on_board(position.size, x, y):
        return 3
    color = position.color_at(y * position.size + x)
    return color if position.to_play == 1 or not color else opponent(color)


def ring(size: int, point: int) -> list[tuple[int, int]]:
    """South, west, north, east."""
    row, column = divmod(point, size)
    return [(column, row - 1), (column - 1, row), (column, row + 1), (column + 1, row)]


def cross(position: Position, at: tuple[int, int]) -> int:
    """0 empty, 1 edge, then the mover's stones with 1, 2, more liberties, then the other's."""
    what = content(position, *at)
    if what in (0, 3):
        return what // 3
    return 3 * what - 2 + min(len(position.liberties(at[1] * position.size + at[0])), 3)


def eight(position: Position, point: int) -> list[int]:
    row, column = divmod(point, position.size)
    return [content(position, column + dx, row + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]


def knight(position: Position, point: int, dx: int, dy: int, sx: int, sy: int) -> int:
    """The neighbour, the corner, the point two ahead and the knight's move, row by row."""
    row, column = divmod(point, position.size)
    points = [(dx, dy), (dx + sx, dy + sy), (2 * dx, 2 * dy), (2 * dx + sx, 2 * dy + sy)]
    square = sorted((row + y, column + x) for x, y in points)
    return sum(content(position, x, y) << 2 * i for i, (y, x) in enumerate(square))
