"""A slow board in plain Python sets, and the playout on it: what every fast kernel is checked against.

It shares nothing with foogo, not even a constant. It was written from docs/rules.md and docs/playout.md
alone, and prefers the obvious to the quick: a string is flooded each time somebody asks about it.

Bottom up: neighbors, string, `Position`, `after`, the random stream, `playout`. Top down: `playout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from tests.oracle_patterns import some_pattern_fits

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
        for neighbor in neighbors(size, todo.pop()) & inside - found:
            found.add(neighbor)
            todo.append(neighbor)
    return frozenset(found)


# Positions ---------------------------------------------------------------------------------------------


class Position(NamedTuple):
    """Stones, whose turn it is, and the point that simple ko forbids that colour."""

    size: int
    black: frozenset[int] = frozenset()
    white: frozenset[int] = frozenset()
    to_play: int = BLACK
    ko: int | None = None

    @property
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
        return position._replace(to_play=opponent(color), ko=None)
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
    return cleared._replace(ko=ko)


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
        inside = len(neighbors(position.size, point)) == 4
        hostile = len(diagonals(position.size, point) & enemy)
        if neighbors(position.size, point) <= own and hostile <= (1 if inside else 0):
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
    total, todo = len(position.black) - len(position.white), position.empty
    while todo:
        region = flood(position.size, min(todo), position.empty)
        todo -= region
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


# The random stream and the playout ---------------------------------------------------------------------


class Stream:
    """sfc32 keyed by playout number and seed, each split into its low and high 32 bits."""

    def __init__(self, seed: int, number: int) -> None:
        self.a, self.b = number % 2**32, number >> 32
        self.c, self.counter = seed % 2**32, seed >> 32
        for _ in range(15):
            self.draw()

    def draw(self) -> int:
        """The next number, 0 to 2**32 - 1."""
        result = (self.a + self.b + self.counter) % 2**32
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + self.c * 2**3) % 2**32
        self.c = (((self.c << 21) % 2**32 | self.c >> 11) + result) % 2**32
        self.counter = (self.counter + 1) % 2**32
        return result


class Turn(NamedTuple):
    """What one player did: a point or PASS, after the points that were drawn and refused."""

    color: int
    move: int
    refused: tuple[int, ...]


@dataclass(frozen=True)
class Record:
    """One playout."""

    turns: tuple[Turn, ...]
    score: int
    """Black minus White, as a playout counts."""
    move_count: int
    """Stones placed, suicides included; neither passes nor refused draws."""
    cut: bool
    ownership: tuple[int, ...]
    """Per point BLACK, WHITE or EMPTY."""
    first_player: tuple[int, ...]
    """Per point the colour that played there first, EMPTY where nobody did."""
    final: Position

    @property
    def moves(self) -> list[int]:
        """Each turn's point or PASS."""
        return [turn.move for turn in self.turns]


def playout(
    black: frozenset[int] | set[int],
    white: frozenset[int] | set[int],
    size: int,
    to_play: int = BLACK,
    ko: int | None = None,
    seed: int = 0,
    number: int = 0,
    suicide: bool = True,
    policy: tuple[int | None, ...] | None = None,
    last: int | None = None,
) -> Record:
    """Playout `number` under `seed` from a position after the move `last`, with all that happened in it."""
    position = Position(size, frozenset(black), frozenset(white), to_play, ko)
    stream = Stream(seed, number)
    glance = None
    if policy is not None:
        stream.draw()
        glance = Glance(shares_of(policy), short_stones(position), last)
    turns: list[Turn] = []
    first_player = [EMPTY] * (size * size)
    passes = move_count = 0
    while passes < 2 and move_count < 3 * size * size:
        turn, position, glance = _turn(position, stream, suicide, glance)
        turns.append(turn)
        if turn.move == PASS:
            passes += 1
            continue
        passes = 0
        move_count += 1
        if first_player[turn.move] == EMPTY:
            first_player[turn.move] = turn.color
    ownership = playout_ownership(position)
    score = ownership.count(BLACK) - ownership.count(WHITE)
    cut = move_count == 3 * size * size
    return Record(tuple(turns), score, move_count, cut, ownership, tuple(first_player), position)


def _turn(
    position: Position, stream: Stream, suicide: bool, glance: Glance | None
) -> tuple[Turn, Position, Glance | None]:
    refused: list[int] = []
    while True:
        choices = frozenset(candidates(position) - set(refused))
        number = stream.draw()
        picked = sorted(choices if glance is None else narrow(position, choices, glance, number))
        move = picked[number * len(picked) >> 32] if picked else PASS
        try:
            following = after(position, move, suicide)
        except Illegal:
            refused.append(move)
            continue
        if glance is not None:
            seen = short_stones(with_stone(position, move))
            glance = Glance(glance.policy, seen, None if move == PASS else move)
        return Turn(position.to_play, move, tuple(refused)), following, glance


# The policy that looks ----------------------------------------------------------------------------------


class Shares(NamedTuple):
    """How often each kind of move is insisted on, in 1/256."""

    urgent: int
    near: int
    pattern: int
    nakade: int


def shares_of(policy: tuple[int | None, ...]) -> Shares:
    """The shares of a policy; those that are None or left out are 0."""
    return Shares(*(share or 0 for share in (*policy, 0, 0)[:4]))


class Glance(NamedTuple):
    """What a policy that looks goes by: its shares, the short stones, the last move."""

    policy: Shares
    short: frozenset[int]
    last: int | None


def with_stone(position: Position, move: int) -> Position:
    """The board with the mover's stone on it, before anything is taken off."""
    added = frozenset() if move == PASS else frozenset([move])
    if position.to_play == BLACK:
        return position._replace(black=position.black | added)
    return position._replace(white=position.white | added)


def empty_beside(position: Position, point: int) -> frozenset[int]:
    """The empty neighbours of a point."""
    return neighbors(position.size, point) & position.empty


def short_stones(position: Position) -> frozenset[int]:
    """The stones of strings whose liberties are of one parity and none of whose stones has two of them."""

    def is_short(stone: int) -> bool:
        string = position.string(stone)
        parities = {sum(divmod(p, position.size)) % 2 for p in position.liberties(stone)}
        return len(parities) == 1 and all(len(empty_beside(position, s)) < 2 for s in string)

    return frozenset(stone for stone in position.black | position.white if is_short(stone))


def narrow(position: Position, choices: frozenset[int], glance: Glance, number: int) -> frozenset[int]:
    """The candidates that the policy draws from."""
    own, enemy = position.stones(position.to_play), position.stones(opponent(position.to_play))

    def touches(point: int, stones: frozenset[int]) -> bool:
        return bool(neighbors(position.size, point) & stones)

    def useful(point: int) -> bool:
        return len(empty_beside(position, point)) >= 2 or touches(point, own - glance.short)

    captures = {p for p in choices if touches(p, enemy & glance.short)}
    urgent = captures | {p for p in choices if useful(p) and touches(p, own & glance.short)}
    sound = {p for p in choices if useful(p)} | captures or set(choices)
    about = set()
    if glance.last is not None:
        about = {glance.last} | neighbors(position.size, glance.last) | diagonals(position.size, glance.last)
    near = sound & about
    low, middle, high = number % 256, number // 256 % 256, number // 65536 % 256
    if urgent and low < glance.policy.urgent:
        return frozenset(urgent)
    if low < glance.policy.nakade and (vital := {p for p in choices if is_vital(position, p)}):
        return frozenset(vital)
    if high < glance.policy.pattern and (shaped := {p for p in near if fits_a_pattern(position, p)}):
        return frozenset(shaped)
    if near and middle < glance.policy.near:
        return frozenset(near)
    return frozenset(sound)


def is_vital(position: Position, point: int) -> bool:
    """Whether an empty point is the middle of a star of empty points that stones of one colour border."""
    arms = empty_beside(position, point)
    if len(arms) < 2 or any(empty_beside(position, arm) != {point} for arm in arms):
        return False
    rim = frozenset().union(*(neighbors(position.size, p) for p in arms | {point}))
    return not rim & position.black or not rim & position.white


def neighborhood(position: Position, point: int) -> str:
    """The nine points about one, the top row first: '.', 'X', 'O', or '#' beyond the edge."""
    row, column = divmod(point, position.size)
    signs = ""
    for y in (row + 1, row, row - 1):
        for x in (column - 1, column, column + 1):
            inside = on_board(position.size, x, y)
            signs += ".XO"[position.color_at(y * position.size + x)] if inside else "#"
    return signs


def fits_a_pattern(position: Position, point: int) -> bool:
    """Whether a pattern fits about an empty point."""
    return some_pattern_fits(neighborhood(position, point))


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
        position = position._replace(ko=None)
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
