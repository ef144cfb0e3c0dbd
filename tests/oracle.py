"""A slow board in plain Python sets: what every fast kernel is checked against.

It shares nothing with foogo, not even a constant. It was written from docs/reference/rules.md and
docs/reference/playout.md alone, and it is simple rather than fast: it floods a string each time it needs one.

Bottom up: neighbors, string, `Position`, `after`. `tests.oracle_playouts` plays on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from random import Random

EMPTY, BLACK, WHITE = 0, 1, 2
PASS = -1


class Illegal(Exception):
    """A move that the rules forbid."""


# Geometry ----------------------------------------------------------------------------------------------


def on_board(size: int, column: int, row: int) -> bool:
    """Whether that column and row exist."""
    return 0 <= column < size and 0 <= row < size


@cache
def neighbors(size: int, point: int) -> frozenset[int]:
    """The two to four points that share a side with `point`."""
    row, column = divmod(point, size)
    steps = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return frozenset(y * size + x for x, y in steps if on_board(size, x, y))


@cache
def diagonals(size: int, point: int) -> frozenset[int]:
    """The one to four points that share only a corner with `point`."""
    row, column = divmod(point, size)
    steps = [(column + dx, row + dy) for dx in (-1, 1) for dy in (-1, 1)]
    return frozenset(y * size + x for x, y in steps if on_board(size, x, y))


def flood(size: int, start: int, inside: frozenset[int]) -> frozenset[int]:
    """The points of `inside` connected to `start`, which is one of them."""
    found, todo = {start}, [start]
    while todo:
        for neighbor in (neighbors(size, todo.pop()) & inside) - found:
            found.add(neighbor)
            todo.append(neighbor)
    return frozenset(found)


def parts(size: int, points: frozenset[int]) -> list[frozenset[int]]:
    """The connected parts of a set."""
    found = []
    while points:
        found.append(flood(size, min(points), points))
        points -= found[-1]
    return found


# Positions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """Stones, whose turn it is, and the point that simple ko forbids that colour."""

    size: int
    black: frozenset[int] = frozenset()
    white: frozenset[int] = frozenset()
    to_play: int = BLACK
    ko: int | None = None

    @cached_property
    def empty(self) -> frozenset[int]:
        """The points without a stone."""
        return frozenset(range(self.size * self.size)) - self.black - self.white

    def stones(self, color: int) -> frozenset[int]:
        """The stones of one colour."""
        return self.black if color == BLACK else self.white

    def color_at(self, point: int) -> int:
        """Which colour stands on a point."""
        return BLACK if point in self.black else WHITE if point in self.white else EMPTY

    def string(self, point: int) -> frozenset[int]:
        """The string that the stone on `point` belongs to."""
        return flood(self.size, point, self.stones(self.color_at(point)))

    def liberties(self, point: int) -> frozenset[int]:
        """The empty points next to the string on `point`."""
        around = (neighbors(self.size, stone) for stone in self.string(point))
        return frozenset().union(*around) & self.empty

    def __str__(self) -> str:
        """The board as a diagram, its top row first."""
        signs = [".XO"[self.color_at(point)] for point in range(self.size * self.size)]
        rows = [signs[row * self.size : (row + 1) * self.size] for row in range(self.size)]
        return "\n".join(" ".join(row) for row in reversed(rows))


def opponent(color: int) -> int:
    """The other colour."""
    return WHITE if color == BLACK else BLACK


def from_diagram(text: str, to_play: int = BLACK, ko: int | None = None) -> Position:
    """The position drawn in `text`: '.', 'X' and 'O', top row first, blanks between them free."""
    rows = ["".join(line.split()) for line in text.strip().splitlines()]
    size = len(rows)
    assert all(len(row) == size for row in rows), "ragged diagram"
    signs = "".join(reversed(rows))
    black = frozenset(point for point, sign in enumerate(signs) if sign == "X")
    white = frozenset(point for point, sign in enumerate(signs) if sign == "O")
    return Position(size, black, white, to_play, ko)


def after(position: Position, move: int, suicide: bool = True) -> Position:
    """The position after `to_play` plays `move`, a point or PASS; raises Illegal where it may not."""
    size, color = position.size, position.to_play
    if move == PASS:
        return replace(position, to_play=opponent(color), ko=None)
    if move not in position.empty:
        raise Illegal("occupied")
    if move == position.ko:
        raise Illegal("ko")
    own, enemy = position.stones(color) | {move}, position.stones(opponent(color))
    placed = _position(size, color, own, enemy)
    dead = [placed.string(stone) for stone in neighbors(size, move) & enemy if not placed.liberties(stone)]
    captured = frozenset().union(*dead)
    cleared = _position(size, color, own, enemy - captured)
    string, liberties = cleared.string(move), cleared.liberties(move)
    ko = None
    if not liberties:
        if len(string) == 1:
            raise Illegal("suicide of one stone")
        if not suicide:
            raise Illegal("suicide")
        cleared = _position(size, color, own - string, enemy)
    elif len(captured) == 1 and len(string) == 1 and len(liberties) == 1:
        (ko,) = captured
    return replace(cleared, ko=ko)


def _position(size: int, color: int, own: frozenset[int], enemy: frozenset[int]) -> Position:
    black, white = (own, enemy) if color == BLACK else (enemy, own)
    return Position(size, black, white, opponent(color))


def is_legal(position: Position, move: int, suicide: bool = True) -> bool:
    """Whether `to_play` may play `move` under simple ko."""
    try:
        after(position, move, suicide)
    except Illegal:
        return False
    return True


def legal(position: Position, suicide: bool = True) -> frozenset[int]:
    """The points that `to_play` may play under simple ko; eyes may be filled."""
    return frozenset(point for point in position.empty if is_legal(position, point, suicide))


def eyes(position: Position, color: int) -> frozenset[int]:
    """The empty points that a playout leaves to `color`.

    All neighbours are its own; of the diagonals at most one is the enemy's inside the board, none at the rim.
    """
    own, enemy = position.stones(color), position.stones(opponent(color))
    found = set()
    for point in position.empty:
        beside = neighbors(position.size, point)
        if beside <= own and len(diagonals(position.size, point) & enemy) <= (1 if len(beside) == 4 else 0):
            found.add(point)
    return frozenset(found)


def candidates(position: Position) -> frozenset[int]:
    """What a playout draws from: empty, no eye of `to_play`, not ko. Suicide is tested after the draw."""
    return position.empty - eyes(position, position.to_play) - {position.ko}


def playable(position: Position) -> frozenset[int]:
    """The candidates that are not the suicide of a single stone."""
    return candidates(position) & legal(position, suicide=True)


# Scores ------------------------------------------------------------------------------------------------


def area_score(position: Position) -> int:
    """Black's area minus White's by Tromp-Taylor: a region counts for the one colour it reaches."""
    total = len(position.black) - len(position.white)
    for region in parts(position.size, position.empty):
        rim = frozenset().union(*(neighbors(position.size, point) for point in region))
        black, white = bool(rim & position.black), bool(rim & position.white)
        total += len(region) * (int(black and not white) - int(white and not black))
    return total


def playout_ownership(position: Position) -> tuple[int, ...]:
    """Each point's colour as a playout scores it: its stone, or the one colour of all its neighbours."""
    owners = []
    for point in range(position.size * position.size):
        owner = position.color_at(point)
        if owner == EMPTY:
            for color in (BLACK, WHITE):
                if neighbors(position.size, point) <= position.stones(color):
                    owner = color
        owners.append(owner)
    return tuple(owners)


# Positions to test with --------------------------------------------------------------------------------


def random_position(random: Random, size: int, moves: int, suicide: bool = True) -> Position:
    """The position after about `moves` random turns of the empty board; it may have a ko.

    Eyes are filled once in four times, so that positions no playout would reach come up too.
    """
    position = Position(size)
    for _ in range(moves):
        position = _random_successor(random, position, suicide)
    return position


def random_ko_position(random: Random, size: int, suicide: bool = True) -> Position:
    """A random position in which simple ko forbids a point; `size` is 3 or more."""
    while True:
        position = Position(size)
        for _ in range(2 * size * size):
            position = _random_successor(random, position, suicide)
            if position.ko is not None and random.random() < 0.5:
                return position


def _random_successor(random: Random, position: Position, suicide: bool) -> Position:
    points = position.empty if random.random() < 0.25 else candidates(position)
    for point in random.sample(sorted(points), len(points)):
        if is_legal(position, point, suicide):
            return after(position, point, suicide)
    return after(position, PASS)


# Counting sequences ------------------------------------------------------------------------------------


def perft(size: int, depth: int, passes: bool = False, superko: str = "simple", suicide: bool = False) -> int:
    """How many legal sequences of `depth` moves the empty board has; two passes end a sequence."""
    return _count((Position(size),), 0, depth, passes, superko, suicide)


def _count(history: tuple[Position, ...], passed: int, depth: int, passes: bool, superko: str, suicide: bool) -> int:
    if depth == 0:
        return 1
    if passed == 2:
        return 0
    position, total = history[-1], 0
    if superko != "simple":
        position = replace(position, ko=None)
    for point in position.empty:
        try:
            child = after(position, point, suicide)
        except Illegal:
            continue
        if not any(_repeats(child, old, superko) for old in history):
            total += _count((*history, child), 0, depth - 1, passes, superko, suicide)
    if passes:
        child = after(position, PASS)
        total += _count((*history, child), passed + 1, depth - 1, passes, superko, suicide)
    return total


def _repeats(new: Position, old: Position, superko: str) -> bool:
    if superko == "simple" or (new.black, new.white) != (old.black, old.white):
        return False
    return superko == "positional" or new.to_play == old.to_play
