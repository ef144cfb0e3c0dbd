"""The slow playout on the slow board, by every policy: what every fast playout is checked against.

Written from docs/reference/playout.md alone. Bottom up: the random stream, `playout`, and the candidates that a
policy leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from tests.oracle import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    Illegal,
    Position,
    after,
    candidates,
    diagonals,
    neighbors,
    on_board,
    opponent,
    parts,
    playout_ownership,
)
from tests.oracle_patterns import some_pattern_fits


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
        choices = candidates(position) - certain_suicides(position) - set(refused)
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


def certain_suicides(position: Position) -> frozenset[int]:
    """The empty points all of whose neighbours are secured stones of the opponent."""
    enemy = position.stones(opponent(position.to_play))

    @cache
    def is_secured(stone: int) -> bool:
        ends = frozenset([stone])
        for steps in range(4):
            if any(len(empty_beside(position, end)) >= 2 - steps % 2 for end in ends):
                return True
            ends = frozenset().union(*(neighbors(position.size, end) & enemy for end in ends))
        return False

    return frozenset(
        point for point in position.empty
        if neighbors(position.size, point) <= enemy and all(map(is_secured, neighbors(position.size, point)))
    )  # fmt: skip


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
        return replace(position, black=position.black | added)
    return replace(position, white=position.white | added)


def empty_beside(position: Position, point: int) -> frozenset[int]:
    """The empty neighbours of a point."""
    return neighbors(position.size, point) & position.empty


def short_stones(position: Position) -> frozenset[int]:
    """The stones of strings whose liberties are of one parity and none of whose stones has two of them."""

    def is_short(string: frozenset[int]) -> bool:
        liberties = [empty_beside(position, stone) for stone in string]
        parities = {sum(divmod(p, position.size)) % 2 for p in frozenset().union(*liberties)}
        return len(parities) == 1 and all(len(points) < 2 for points in liberties)

    strings = parts(position.size, position.black) + parts(position.size, position.white)
    return frozenset().union(*filter(is_short, strings))


def narrow(position: Position, choices: frozenset[int], glance: Glance, number: int) -> frozenset[int]:
    """The candidates that the policy draws from."""
    own, enemy = position.stones(position.to_play), position.stones(opponent(position.to_play))

    def touches(point: int, stones: frozenset[int]) -> bool:
        return bool(neighbors(position.size, point) & stones)

    own_short, own_long, enemy_short = own & glance.short, own - glance.short, enemy & glance.short
    captures = {p for p in choices if touches(p, enemy_short)}
    useful = {p for p in choices if len(empty_beside(position, p)) >= 2 or touches(p, own_long)}
    urgent = captures | {p for p in useful if touches(p, own_short)}
    sound = useful | captures or set(choices)
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
