"""Games of the search against itself, from which the network learns: what each position led to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from foogo.errors import IllegalMoveError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.position import cell_of
from foogo.search.kernels.moves import MoveContext
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search

FORMAT = 1
"""The version of a file of games."""

KOMI = (3.5, 5.5, 6.5, 7.0, 7.0, 7.5, 7.5, 10.5)
LONG, SHORT, LONG_SHARE = 2400, 640, 0.35
"""The simulations of a long search and of a short one, and how often a search is long."""
MOST_RANDOM, MOST_DRAWN = 6, 12
"""At most so many moves are random, in every other game; and then drawn by their visits."""
ANY, DRAWN = 0.03, 0.15
"""How often a later move is any, and up to which number it is drawn by its visits."""
DECIDED, PLAYED_OUT = 0.985, 0.15
"""The win share with which a game ends, and how many games are played to the end all the same."""

OPENED, LEAST_OPENED = 0.7, 13
"""How often a player opens by `opening_shares`, and the smallest size where it may."""
OPENING_VISITS = 1000
"""The playouts that the shares of an opening count for."""

NO_MOVE = -2
"""In place of the last move, or the one before, where there is none."""

Rows = list[dict[str, Any]]


def play_game(size: int, rng: np.random.Generator, factor: float = 1.0) -> Rows:
    """The positions of a game; searches have `factor` times the usual simulations."""
    game = Game(size, rules="chinese", komi=float(rng.choice(KOMI)))
    if rng.random() < 0.5:
        _play_randomly(game, int(rng.integers(MOST_RANDOM + 1)), rng)
    search = Search(game, seed=int(rng.integers(1 << 60)), parameters=SearchParameters(memory=48 << 20))
    reaches = _drawn_reaches(size, rng)
    drawn, is_played_out = int(rng.integers(MOST_DRAWN + 1)), rng.random() < PLAYED_OUT
    rows: Rows = []
    while not game.is_over and len(game.turns) < size * size + 20:
        is_long = bool(rng.random() < LONG_SHARE)
        result = search.run(simulations=max(1, int(factor * (LONG if is_long else SHORT))))
        if result.interrupted:
            raise KeyboardInterrupt
        moves, visits = result.moves["move"], result.moves["visits"]
        rows.append(_row(game, result, is_long))
        opening = opening_shares(game, reaches[game.to_play])
        if opening is not None:
            rows[-1].update(visits=np.rint(OPENING_VISITS * np.append(opening, 0)).astype(np.uint16), is_long=True)
        if abs(result.value - 0.5) > DECIDED - 0.5 and not is_played_out:
            break
        if opening is not None:
            move = int(rng.choice(size * size, p=opening))
        else:
            move = _choose(result.best, moves, visits, len(game.turns) < drawn, rng)
        try:
            game.play(move)
        except IllegalMoveError:
            break
        search.play(move)
    final, owner = rows[-1], rows[-1]["owner"]
    won = float((final["value"] > 0.5) == (final["to_play"] == BLACK))
    if game.is_over:
        lead = game.score()
        won, owner = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0, np.sign(owner) * (abs(owner) > 0.5)
    for row in rows:
        row["owner"] = np.rint(100 * owner).astype(np.int8)
        row["won"] = won if row["to_play"] == BLACK else 1 - won
    return rows


def _drawn_reaches(size: int, rng: np.random.Generator) -> dict[int, int]:
    """The `reach` of each player's opening."""
    if size < LEAST_OPENED:
        return {BLACK: 0, WHITE: 0}
    opens, drawn = rng.random(2) < OPENED, rng.integers(size // 6, size // 4 + 1, 2)
    return dict(zip((BLACK, WHITE), (opens * drawn).tolist(), strict=True))


def opening_shares(game: Game, reach: int) -> NDArray[np.float64] | None:
    """(points,): how often to play each move of an opening; None once no place is open, or if `reach` is 0.

    Empty corners come first, then points on the third and fourth lines whose surroundings, `reach` points in each
    direction, are empty.
    """
    size, stones = game.size, game.board.to_array() != 0
    shares = np.zeros((size, size))
    for turn in range(4):
        corner = np.rot90(stones, turn)[: size // 4 + 2, : size // 4 + 2]
        if not corner.any():
            np.rot90(shares, turn)[2:4, 2:4] = [[1, 2], [2, 4]]
    if not shares.any():
        around = sliding_window_view(np.pad(stones, reach), (2 * reach + 1, 2 * reach + 1))
        lines = np.minimum(np.arange(size), np.arange(size)[::-1])
        shares[np.isin(np.minimum.outer(lines, lines), (2, 3)) & ~around.any(axis=(2, 3))] = 1
    return shares.ravel() / shares.sum() if reach and shares.any() else None


def _play_randomly(game: Game, moves: int, rng: np.random.Generator) -> None:
    """Play random moves, most of them not on the edge."""
    size = game.size
    for _ in range(moves):
        legal = [point for point in range(size * size) if game.is_legal(point)]
        inner = [point for point in legal if all(0 < x < size - 1 for x in divmod(point, size))]
        game.play(int(rng.choice(inner if inner and rng.random() < 0.85 else legal)))


def _row(game: Game, result: Any, is_long: bool) -> dict[str, Any]:
    """A position, and what a search found there: the playouts of each move, and the value of the player to move."""
    size, board, moves = game.size, game.board, result.moves
    visits = np.zeros(size * size + 1, np.uint16)
    visits[np.where(moves["move"] == PASS, size * size, moves["move"])] = np.minimum(moves["visits"], 65535)
    before, last = ([NO_MOVE] * 2 + [turn.move for turn in game.turns])[-2:]
    return {
        "stones": board.to_array().ravel().astype(np.int8), "to_play": game.to_play, "komi": game.komi,
        "ko": NO_MOVE if board.ko is None else board.ko, "before": before, "last": last,
        "visits": visits, "value": result.value, "is_long": is_long, "owner": result.ownership.ravel(),
    }  # fmt: skip


def _choose(
    best: int, moves: NDArray[np.int64], visits: NDArray[np.int64], is_drawn: bool, rng: np.random.Generator
) -> int:
    """The move to play on with."""
    number, shares = rng.random(), visits / visits.sum()
    if is_drawn:
        wider = shares**0.6
        return int(rng.choice(moves, p=wider / wider.sum()))
    if number < ANY:
        points = moves[moves != PASS]
        return int(rng.choice(points)) if len(points) else PASS
    return int(rng.choice(moves, p=shares)) if number < DRAWN else best


def write_games(path: Path, size: int, games: list[Rows]) -> int:
    """Store games; returns their positions."""
    rows = [row | {"game": number} for number, game in enumerate(games) for row in game]
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    np.savez_compressed(path, format=FORMAT, size=size, **columns)
    return len(rows)


def boards_of(data: dict[str, Any], size: int) -> Iterator[tuple[NDArray[np.uint64], MoveContext]]:
    """The state and the context of each position of a file of games, for the kernels of the search."""
    for stones, *context in zip(*(data[name] for name in ("stones", "to_play", "ko", "last", "before")), strict=True):
        color, *moves = (int(number) for number in context)
        ko, last, before = (cell_of(size, None if move == NO_MOVE else move) for move in moves)
        yield Board.from_colors(size, stones.tolist()).state, MoveContext(color, ko, last, before, np.uint64(0), 0)
