"""Checks for what users write: `check_policy` compares a compiled playout policy with its interpreted form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole
from foogo.errors import ArgumentError, PolicyError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, geometry
from foogo.playout.games import MOVES_PER_POINT, Games, Starts, play_games
from foogo.playout.kernels.layout import scalar_layout, simd_layout
from foogo.playout.simulate import start_of
from foogo.playout.written.interpreter import Points, View
from foogo.playout.written.policy import PlayoutPolicy
from foogo.playout.written.slow_game import Narrow, SlowGame, SlowStream

__all__ = ["PolicyCheck", "check_policy"]

LAYOUTS = {"simd": simd_layout, "scalar": scalar_layout}
"""The backends that `check_policy` can check, with their layouts."""


@dataclass(frozen=True)
class PolicyCheck:
    """What `check_policy` compared.

    Attributes
    ----------
    games, moves
        Games played by both, and stones placed in them.
    drawn
        The share of the moves for which the policy returned a point; the other moves were drawn from all candidates.
    """

    games: int
    moves: int
    drawn: float


class _Turn(NamedTuple):
    """The game after a stone: the move, its color, and the game; the first entry has no move."""

    move: int
    color: int
    game: SlowGame


def check_policy(
    policy: PlayoutPolicy,
    board_or_size: Board | Game | SupportsIndex = 5,
    *,
    games: SupportsIndex = 20,
    seed: SupportsIndex = 1,
    suicide: bool | None = None,
    backends: Sequence[str] = ("simd", "scalar"),
) -> PolicyCheck:
    """Play games by the compiled and by the interpreted policy, and compare them move by move.

    Parameters
    ----------
    policy
        A policy that `foogo.playout_policy` made.
    board_or_size, seed, suicide
        As for `foogo.simulate`.
    games
        Playouts number 0 to ``games - 1``. The interpreter takes about a millisecond for a turn on 5x5.
    backends
        The backends to check, one or more: "simd", "scalar".

    Returns
    -------
    PolicyCheck

    Raises
    ------
    PolicyError
        If the games differ, if the policy fails, or if it never returned a point; the message names the game and the
        move, or the file and the line.
    ArgumentError, SizeError
        If an argument is out of range.

    Examples
    --------
    >>> import foogo
    >>> @foogo.playout_policy
    ... def first_line_last(see, pick):
    ...     return see.candidates & ~see.line(1) or see.candidates
    >>> check_policy(first_line_last, 3, games=5).drawn
    1.0
    """
    if not isinstance(policy, PlayoutPolicy):
        raise ArgumentError(f"policy is {policy!r}: give what @foogo.playout_policy made")
    if isinstance(backends, str) or not isinstance(backends, Iterable):
        raise ArgumentError(f"backends are {backends!r}: give a sequence of names, such as ['simd']")
    backends = tuple(backends)
    if not backends:
        raise ArgumentError(f"there is no backend to check: use {', '.join(LAYOUTS)}")
    for backend in backends:
        if backend not in LAYOUTS:
            raise ArgumentError(f"backend {backend!r} cannot be checked: use {', '.join(LAYOUTS)}")
    start, may_suicide = start_of(board_or_size, suicide)
    games, seed = whole("games", games, 1, 10_000), whole("seed", seed, 0, 2**64 - 1)
    board = start if isinstance(start, Board) else Board(start)
    counts = [0, 0]

    def counting(view: View) -> Points:
        points = policy.interpret(view)
        counts[0] += 1
        counts[1] += bool(points.points)
        return points

    played = [_interpreted_game(board, counting, SlowStream(seed, number), may_suicide) for number in range(games)]
    for backend in backends:
        _compare(policy, board, played, seed, may_suicide, backend)
    drawn = counts[1] / max(1, counts[0])
    if not drawn:
        raise PolicyError(f"{policy.place}: the policy never returned a point in {games} games: it draws nothing")
    return PolicyCheck(games, sum(len(turns) - 1 for turns in played), drawn)


def _interpreted_game(board: Board, policy: Narrow, stream: SlowStream, suicide: bool) -> list[_Turn]:
    game, passes = SlowGame.of_board(board), 0
    turns = [_Turn(PASS, BLACK, game)]
    stream.draw()  # the number with which a compiled game looks at its first position
    while passes < 2 and len(turns) <= MOVES_PER_POINT * board.size**2:
        color = game.color
        game, move = game.turn(policy, stream, suicide)
        passes = passes + 1 if move == PASS else 0
        if move != PASS:
            turns.append(_Turn(move, color, game))
    return turns


def _compare(
    policy: PlayoutPolicy, board: Board, played: list[list[_Turn]], seed: int, suicide: bool, backend: str
) -> None:
    """Compare the position after each move: games are cut after 1, 2, 3... moves."""
    starts = Starts([board], LAYOUTS[backend](board.size))
    for moves in range(1, max(map(len, played))):
        starts.move_limit = moves
        found = play_games(starts, len(played), seed=seed, suicide=suicide, sets=True, policy=policy)
        for number, turns in enumerate(played):
            if moves < len(turns) and not _is_same(found, number, turns[: moves + 1]):
                vertex = geometry(board.size).vertex(turns[moves].move)
                raise PolicyError(
                    f"{policy.place}: game {number} of seed {seed} differs at move {moves} with backend {backend}; the "
                    f"interpreter plays {vertex} there"
                )


def _is_same(found: Games, number: int, turns: list[_Turn]) -> bool:
    """Whether a game that was cut has come to the same position."""
    assert found.owners is not None
    assert found.first_players is not None
    first: dict[int, int] = {}
    for turn in turns[1:]:
        first.setdefault(turn.move, turn.color)
    size = turns[0].game.size
    owners = turns[-1].game.owners()
    firsts = [first.get(point, 0) for point in range(size * size)]
    return (
        found.moves[number] == len(turns) - 1
        and _colors(found.owners[number], size) == owners
        and _colors(found.first_players[number], size) == firsts
    )


def _colors(sets: NDArray[np.uint64], size: int) -> list[int]:
    """The colour of each point from the bitsets of Black and White."""
    black, white = (sum(int(word) << 64 * i for i, word in enumerate(words)) for words in sets)
    return [(black >> point & 1) + 2 * (white >> point & 1) for point in range(size * size)]
