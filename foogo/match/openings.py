"""Balanced random openings, so that deterministic engines do not repeat their games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import board_of, check_size, geometry
from foogo.playout.simulate import simulate

PLAYOUTS = 1024  # playouts per position; the standard error of the win share is at most 1.6 %
BALANCE = 0.1  # maximum distance of Black's win share in playouts from one half
TRIES = 100  # positions tried per opening; if none is balanced, the most even one is taken
POLICY = "knowledge"  # policy of the playouts
SMALLEST_EDGED = 5  # the smallest board on which openings avoid the edge
MOST_PLIES = 100


def openings(size: int, komi: float, plies: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Random openings of `plies` playable points, Black's first: the same for the same arguments on every machine.

    They are legal under all rules: without suicide, and no position comes twice. After each, `PLAYOUTS` playouts give
    both colours about the same chance. From 5x5 on, no point is on the edge.
    Positions that differ only by a symmetry of the board count as the same, and no position repeats unless `TRIES`
    tries find no new one.

    Examples
    --------
    >>> found = openings(5, komi=7, plies=3, seed=1)
    >>> first = next(found)
    >>> len(first), first == next(openings(5, komi=7, plies=3, seed=1))
    (3, True)
    """
    check_plies("plies", plies, check_size(size))
    whole("seed", seed, 0, 2**64 - 1)
    Game(2, komi=komi)  # which checks it
    seen: set[bytes] = set()
    return (_balanced(size, komi, plies, f"{seed}/{size}/{plies}/{number}", seen) for number in count())


def check_plies(name: str, plies: Any, size: int) -> None:
    """Raise an ArgumentError unless an opening may have `plies` moves: at most one per point that it may use."""
    room = min(MOST_PLIES, (size if size < SMALLEST_EDGED else size - 2) ** 2)
    if whole(name, plies, 0, MOST_PLIES) > room:
        place = "" if size < SMALLEST_EDGED else " off the edge"
        raise ArgumentError(f"{name} is {plies}: {board_of(size)} has room for at most {room} moves{place}")


class _Candidate(NamedTuple):
    """An opening that was tried: preferably new, then even."""

    is_old: bool
    imbalance: float
    moves: tuple[int, ...]
    position: bytes


def _balanced(size: int, komi: float, plies: int, key: str, seen: set[bytes]) -> tuple[int, ...]:
    """The best of several openings; its position is added to those seen."""
    if plies == 0:
        return ()
    rng = random.Random(key)
    best: _Candidate | None = None
    for _ in range(TRIES):
        moves, board = _random_opening(size, plies, rng)
        position = _up_to_symmetry(board)
        is_old = position in seen
        if is_old and best is not None:
            continue
        share = simulate(board, PLAYOUTS, threads=1, policy=POLICY).win_share(komi)
        candidate = _Candidate(is_old, abs(share - 0.5), moves, position)
        if best is None or candidate[:2] < best[:2]:
            best = candidate
        if not is_old and candidate.imbalance <= BALANCE:
            break
    assert best is not None
    seen.add(best.position)
    return best.moves


def _random_opening(size: int, plies: int, rng: random.Random) -> tuple[tuple[int, ...], Board]:
    near = geometry(size).neighbors
    board, moves, hashes = Board(size), list[int](), set[int]()
    while len(moves) < plies:
        legal = board.playable() & board.legal(suicide=False)
        points = [point for point in legal.search(1) if size < SMALLEST_EDGED or len(near[point]) == 4]
        if points:
            moves.append(rng.choice(points))
            board.play(moves[-1])
        if not points or board.hash in hashes:  # before all points were used, or against superko: start again
            board, moves, hashes = Board(size), [], set()
            continue
        hashes.add(board.hash)
    return tuple(moves), board


def _up_to_symmetry(board: Board) -> bytes:
    """A key that is equal for positions that differ only by a symmetry of the board."""
    colors = board.to_array().ravel()
    return min(bytes(colors[symmetry].tobytes()) for symmetry in geometry(board.size).symmetries)
