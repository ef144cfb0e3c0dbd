"""Whether to pass, to clean up first, or to resign."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from foogo.game.geometry import EMPTY, PASS, geometry, opponent
from foogo.game.position import Position
from foogo.player.status import Status
from foogo.search.result import SearchResult

HOPELESS = 0.01
"""The win share below which a game cannot be won any more."""

COST = 0.03
"""The win share that a pass, or a move that captures dead stones, may at most cost against the best move."""

EVEN = 0.5
"""The win share from which on a player that would win by a pass plays on where it is not settled what is dead."""

SETTLED = 0.8
"""The ownership from which on, for either side, a point is settled."""


@dataclass(frozen=True)
class Situation:
    """What a player needs to know before it passes.

    Attributes
    ----------
    color
        Whose move it is.
    board, result
        The position, and the search's result for `color`.
    others
        The result of a search that does not pass at first, where a pass is the best or would end the game.
    status
        What that says of the strings.
    lead
        The lead of `color` after komi if the game ended now, as the rules count it.
    dead_removed
        Whether the rules take dead stones off at the end.
    opponent_passed
        Whether a pass would end the game.
    """

    color: int
    board: Position
    result: SearchResult
    others: SearchResult
    status: Status
    lead: float
    dead_removed: bool
    opponent_passed: bool


def choose(now: Situation) -> tuple[int, str]:
    """The move to play and why: the search's, or what passing well asks for.

    A player passes only if the game is won as it would be counted, or lost beyond hope; where dead stones count as
    alive, only once it has captured the enemy's; where they are removed, only once it is settled which they are, and
    once none of its own could still be captured in one move. Where the search left the pass out, its move it is.
    """
    move, reason = _choice(now)
    if move == PASS and now.lead > 0 and now.dead_removed:
        saved = _affordable(now, _last_liberties(now))
        if saved is not None:
            return saved, "it saves stones in atari, which could be taken for dead"
    return move, reason


def _choice(now: Situation) -> tuple[int, str]:
    if PASS not in now.result.moves["move"]:
        return now.result.best, ""
    to_capture = () if now.dead_removed else now.status.dead_of(opponent(now.color))
    won, is_settled = now.lead > 0, _is_settled(now)
    if won and not to_capture:
        if now.opponent_passed and (not now.dead_removed or is_settled):
            return PASS, "it wins as the game is counted"
        is_best = now.result.best == PASS and not now.opponent_passed
        if is_best or (is_settled and _share(now.result, PASS) >= _best_share(now) - COST):
            return PASS, "it wins as the game is counted, and nothing is left to play"
    if to_capture and (now.result.best == PASS or (won and is_settled)):
        points = {near for string in to_capture for near in _liberties(now.board, string)}
        capture = _affordable(now, points)
        if capture is not None:
            return capture, "it captures dead stones, which would count as alive"
    if now.result.best != PASS:
        return now.result.best, ""
    other = _best_of(now.others)
    if other is None:
        return PASS, "nothing else is left to play"
    share = _share(now.others, other)
    if won and now.dead_removed:
        return (other, "it is not settled what is dead") if share >= EVEN else (PASS, "every other move might lose")
    if won:
        is_cheap = share >= _best_share(now) - COST
        return (other, "dead stones are still to be captured") if is_cheap else (PASS, "every other move might lose")
    if share < HOPELESS and not to_capture:
        return PASS, "no other move can win"
    return other, "a pass would lose"


def _is_settled(now: Situation) -> bool:
    """Whether every point is surely owned, or is part of a seki."""
    status = now.status
    seki = {point for _, string in status.seki for point in string}
    seki |= {near for _, string in status.seki for near in _liberties(now.board, string)}
    owned = np.abs(now.others.ownership).ravel()
    return all(
        point in seki or (owned[point] >= SETTLED and status.owners[point] != EMPTY) for point in range(len(owned))
    )


def _liberties(board: Position, string: tuple[int, ...]) -> set[int]:
    near = geometry(board.size).neighbors
    return {other for point in string for other in near[point] if board.color_at(other) == EMPTY}


def _last_liberties(now: Situation) -> set[int]:
    """Where living strings of the player that are in atari have their liberties."""
    found = (_liberties(now.board, string) for color, string in now.status.alive if color == now.color)
    return {point for points in found if len(points) == 1 for point in points}


def _affordable(now: Situation, points: Collection[int]) -> int | None:
    """The best move among some points, if it costs little against the best of all; None if none does."""
    move = _best_of(now.others, points)
    return move if move is not None and _share(now.others, move) >= _best_share(now) - COST else None


def _best_of(result: SearchResult, points: Collection[int] | None = None) -> int | None:
    """The best move but a pass, among some points: by win share, then by lead; None if there is none."""
    rows = [row for row in result.moves if row["move"] != PASS and (points is None or int(row["move"]) in points)]
    if not rows:
        return None
    if points is None:
        return int(rows[0]["move"])
    tried = [row for row in rows if row["visits"]] or rows
    best = max(tried, key=lambda row: (round(float(np.nan_to_num(row["win_share"])), 2), _number(row["score"])))
    return int(best["move"])


def _share(result: SearchResult, move: int) -> float:
    """The win share of a move: 0 of one that was never tried."""
    rows = result.moves[result.moves["move"] == move]
    return float(np.nan_to_num(rows["win_share"][0])) if len(rows) else 0.0


def _best_share(now: Situation) -> float:
    return _share(now.result, now.result.best)


def _number(value: np.float64) -> float:
    return -1e9 if np.isnan(value) else float(value)
