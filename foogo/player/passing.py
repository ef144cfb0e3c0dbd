"""Whether to pass, or to capture dead stones and save stones in atari first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from foogo.game.board import Board
from foogo.game.geometry import EMPTY, PASS, opponent
from foogo.player.life_and_death import BoardStatus
from foogo.search.result import SearchResult

HOPELESS = 0.01  # the win share below which a game is lost beyond hope
COST = 0.03  # the win share that a pass, or a move that captures dead stones, may cost against the best move
EVEN = 0.5  # a player that would win by passing plays on in an unsettled position if its win share is at least this
SETTLED = 0.8  # a point is settled if either side's ownership of it is at least this


@dataclass(frozen=True)
class Situation:
    """What the choice between a pass and another move depends on."""

    color: int  # whose move it is
    board: Board
    result: SearchResult  # of the search for `color`
    without_pass: SearchResult  # excludes an immediate pass if passing is best or would end the game; else `result`
    status: BoardStatus  # judged by `without_pass`
    lead: float  # of `color` in points, after komi, if the game ended now
    dead_removed: bool  # whether the rules remove dead stones at the end
    opponent_passed: bool  # whether a pass would end the game


def choose(now: Situation) -> tuple[int, str]:
    """The move to play, and why if it is not the search's best, or "".

    A player passes only if the game would be counted as won, as a draw that no other move improves, or is lost beyond
    hope. If dead stones count as alive, it first captures the opponent's. If dead stones are removed, it first waits
    until it is settled which stones are dead, and saves its own stones in atari. If the search excluded the pass, its
    best move is played.
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
        points = {liberty for string in to_capture for liberty in _liberties(now.board, string)}
        capture = _affordable(now, points)
        if capture is not None:
            return capture, "it captures dead stones, which would count as alive"
    if now.result.best != PASS:
        return now.result.best, ""
    other = _best_of(now.without_pass)
    if other is None:
        return PASS, "nothing else is left to play"
    share = _share(now.without_pass, other)
    if won and now.dead_removed:
        return (other, "it is not settled what is dead") if share >= EVEN else (PASS, "every other move might lose")
    if won:
        is_cheap = share >= _best_share(now) - COST
        return (other, "dead stones are still to be captured") if is_cheap else (PASS, "every other move might lose")
    if now.lead == 0 and share <= min(EVEN, _share(now.result, PASS)) and (is_settled or not now.dead_removed):
        return PASS, "it draws as the game is counted, and no other move is better"
    if share < HOPELESS and not to_capture:
        return PASS, "no other move can win"
    return other, "a pass would not win"


def _is_settled(now: Situation) -> bool:
    """Whether every point is clearly owned, or part of a seki."""
    status = now.status
    seki = {point for string in status.seki for point in string.points}
    seki |= {liberty for string in status.seki for liberty in _liberties(now.board, string.points)}
    owned = np.abs(now.without_pass.ownership).ravel()
    return all(
        point in seki or (owned[point] >= SETTLED and status.owners[point] != EMPTY) for point in range(len(owned))
    )


def _liberties(board: Board, points: tuple[int, ...]) -> set[int]:
    return set(board.liberties_at(points[0]).search(1))


def _last_liberties(now: Situation) -> set[int]:
    """The liberties of the player's living strings in atari."""
    found = (_liberties(now.board, string.points) for string in now.status.alive if string.color == now.color)
    return {point for points in found if len(points) == 1 for point in points}


def _affordable(now: Situation, points: Collection[int]) -> int | None:
    """The best move among `points` if it costs at most `COST`, else None."""
    move = _best_of(now.without_pass, points)
    return move if move is not None and _share(now.without_pass, move) >= _best_share(now) - COST else None


def _best_of(result: SearchResult, points: Collection[int] | None = None) -> int | None:
    """The best move except a pass, among `points` if given, by win share and then lead; None without any."""
    rows = [row for row in result.moves if row["move"] != PASS and (points is None or int(row["move"]) in points)]
    if not rows:
        return None
    if points is None:
        return int(rows[0]["move"])
    tried = [row for row in rows if row["visits"]] or rows
    best = max(tried, key=lambda row: (round(float(np.nan_to_num(row["win_share"])), 2), _lead(row["score"])))
    return int(best["move"])


def _share(result: SearchResult, move: int) -> float:
    """The win share of a move; 0 if it was never tried."""
    rows = result.moves[result.moves["move"] == move]
    return float(np.nan_to_num(rows["win_share"][0])) if len(rows) else 0.0


def _best_share(now: Situation) -> float:
    return _share(now.result, now.result.best)


def _lead(score: np.float64) -> float:
    """A mean lead as a sort key: NaN is worst."""
    return -1e9 if np.isnan(score) else float(score)
