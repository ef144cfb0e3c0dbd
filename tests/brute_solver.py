"""A slow solver of small boards in plain Python, to check `foogo.solve` with. It shares nothing with foogo.

`cycle_values` has the value of every position where an endless game is worth 0: for each amount, the positions
from which a player can force so much are grown backwards from the ends of games until nothing is added.
`superko_value` walks the whole tree, history and all, with alpha-beta and no memory.

A board is a text of ".", "X" and "O", row by row; a position is (board, player, ko point or None, passed).
"""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import product
from typing import NamedTuple


class Position(NamedTuple):
    """What the next move depends on, history left out."""

    board: str
    player: str = "X"
    ko: int | None = None
    passed: bool = False


@cache
def neighbors(rows: int, cols: int, point: int) -> tuple[int, ...]:
    """The points that share a side with `point`."""
    row, col = divmod(point, cols)
    steps = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return tuple(y * cols + x for y, x in steps if 0 <= y < rows and 0 <= x < cols)


def string(rows: int, cols: int, board: str, point: int) -> tuple[set[int], set[str]]:
    """The connected points of one sign around `point`, and the signs beside them."""
    found, todo, beside = {point}, [point], set()
    while todo:
        for near in neighbors(rows, cols, todo.pop()):
            if board[near] != board[point]:
                beside.add(board[near])
            elif near not in found:
                found.add(near)
                todo.append(near)
    return found, beside


def enemy(player: str) -> str:
    """The other player."""
    return "O" if player == "X" else "X"


def score(rows: int, cols: int, board: str) -> int:
    """Area of X less area of O."""
    total = 0
    for point, sign in enumerate(board):
        owner = {sign} if sign != "." else string(rows, cols, board, point)[1]
        total += (owner == {"X"}) - (owner == {"O"})
    return total


def after(rows: int, cols: int, at: Position, point: int, suicide: bool = False) -> Position | None:
    """The position after a stone at `point`, None if that is illegal."""
    if at.board[point] != "." or point == at.ko:
        return None
    player, other = at.player, enemy(at.player)
    signs = list(at.board)
    signs[point] = player
    captured: set[int] = set()
    for near in neighbors(rows, cols, point):
        if signs[near] == other:
            stones, beside = string(rows, cols, "".join(signs), near)
            if "." not in beside:
                captured |= stones
    for stone in captured:
        signs[stone] = "."
    own, beside = string(rows, cols, "".join(signs), point)
    if "." not in beside:
        if len(own) == 1 or not suicide:
            return None
        for stone in own:
            signs[stone] = "."
    ko = None
    if len(captured) == 1 and len(own) == 1:
        liberties = [near for near in neighbors(rows, cols, point) if signs[near] == "."]
        ko = liberties[0] if len(liberties) == 1 else None
    return Position("".join(signs), other, ko, False)


def moves(rows: int, cols: int, at: Position) -> dict[int | None, Position]:
    """What each legal move leads to; None is a pass, and the second in a row is left out: it ends the game."""
    found: dict[int | None, Position] = {}
    for point in range(rows * cols):
        following = after(rows, cols, at, point)
        if following:
            found[point] = following
    if not at.passed:
        found[None] = Position(at.board, enemy(at.player), None, True)
    return found


def boards(rows: int, cols: int) -> list[str]:
    """Every board on which each string has a liberty."""
    every = ("".join(signs) for signs in product(".XO", repeat=rows * cols))
    return [board for board in every if all_breathe(rows, cols, board)]


def all_breathe(rows: int, cols: int, board: str) -> bool:
    """Whether each string has a liberty."""
    return all("." in string(rows, cols, board, point)[1] for point, sign in enumerate(board) if sign != ".")


def cycle_values(rows: int, cols: int) -> dict[Position, int]:
    """The value for X of every position without ko, and of all that come from them; endless play is worth 0."""
    todo = [Position(board, player, None, passed) for board in boards(rows, cols) for player in "XO"
            for passed in (False, True)]  # fmt: skip
    following: dict[Position, list[Position]] = {}
    while todo:
        at = todo.pop()
        if at not in following:
            following[at] = list(moves(rows, cols, at).values())
            todo += following[at]
    before: dict[Position, list[Position]] = {at: [] for at in following}
    for at, successors in following.items():
        for successor in successors:
            before[successor].append(at)
    values = dict.fromkeys(following, 0)
    for attacker, sign in (("X", 1), ("O", -1)):
        for asked in range(1, rows * cols + 1):
            won = _forced(rows, cols, attacker, sign, asked, following, before)
            for at in won:
                values[at] = sign * asked
    return values


def _forced(
    rows: int,
    cols: int,
    attacker: str,
    sign: int,
    asked: int,
    following: dict[Position, list[Position]],
    before: dict[Position, list[Position]],
) -> set[Position]:
    """The positions from which the attacker can force an end that is worth `asked` to it."""
    ends = {board: sign * score(rows, cols, board) >= asked for board in {at.board for at in following}}
    won: set[Position] = set()
    # A defender loses when every move does; ending the game is one more move of a position that was passed to.
    left = {at: len(successors) + at.passed for at, successors in following.items()}
    todo: deque[Position] = deque()
    for at in following:
        if at.passed and ends[at.board]:
            if at.player == attacker:
                todo.append(at)
            else:
                left[at] -= 1
                if not left[at]:
                    todo.append(at)
    while todo:
        at = todo.popleft()
        if at in won:
            continue
        won.add(at)
        for earlier in before[at]:
            if earlier.player == attacker:
                todo.append(earlier)
            else:
                left[earlier] -= 1
                if not left[earlier]:
                    todo.append(earlier)
    return won


def superko_value(
    rows: int,
    cols: int,
    at: Position,
    *,
    situational: bool = False,
    suicide: bool = False,
    low: int | None = None,
    high: int | None = None,
    history: frozenset[tuple[str, str]] | None = None,
) -> int:
    """The value for X if no move may bring back stones of `history` (with the same player to move)."""
    low = -rows * cols if low is None else low
    high = rows * cols if high is None else high
    seen = frozenset({mark(at, situational)}) if history is None else history
    maximizing = at.player == "X"
    best = -rows * cols - 1 if maximizing else rows * cols + 1

    def look(value: int) -> bool:
        nonlocal best, low, high
        assert low is not None
        assert high is not None
        best = max(best, value) if maximizing else min(best, value)
        low, high = (max(low, best), high) if maximizing else (low, min(high, best))
        return low >= high

    options = {"situational": situational, "suicide": suicide}
    if at.passed:
        if look(score(rows, cols, at.board)):
            return best
    else:
        passed = Position(at.board, enemy(at.player), None, True)
        seen_then = seen | {mark(passed, situational)}
        if look(superko_value(rows, cols, passed, low=low, high=high, history=seen_then, **options)):
            return best
    for point in range(rows * cols):
        following = after(rows, cols, at, point, suicide)
        if following is None or mark(following, situational) in seen:
            continue
        seen_then = seen | {mark(following, situational)}
        if look(superko_value(rows, cols, following, low=low, high=high, history=seen_then, **options)):
            return best
    return best


def mark(at: Position, situational: bool) -> tuple[str, str]:
    """What superko compares."""
    return at.board, at.player if situational else ""
