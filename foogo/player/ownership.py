"""Ownership at the end of variations, from playouts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foogo.game.game import Game
from foogo.player.options import PlayerOptions
from foogo.playout.games import play_games

OWNERSHIP_PLAYOUTS = 200  # playouts at the end of each variation


def ownership_after(
    game: Game, variations: Sequence[Sequence[int]], options: PlayerOptions
) -> list[NDArray[np.float64]]:
    """Black's ownership at the end of each variation: (size, size), -1 (White) to 1 (Black), row 0 at the bottom."""
    if not variations:
        return []
    boards = []
    for moves in variations:
        board = game.board
        for move in moves:
            board.play(move)
        boards.append(board)
    games = play_games(
        boards,
        OWNERSHIP_PLAYOUTS * len(boards),
        seed=options.seed,
        suicide=game.rules.suicide,
        sets=True,
        policy=options.policy,
    )
    assert games.owners is not None
    bits = np.unpackbits(games.owners.view(np.uint8), axis=2, bitorder="little")[:, :, : game.size**2]
    shares = bits.reshape(len(boards), OWNERSHIP_PLAYOUTS, 2, -1).mean(axis=1)
    return [(black - white).reshape(game.size, game.size) for black, white in shares]
