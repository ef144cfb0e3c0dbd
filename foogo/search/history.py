"""What the search knows of the turns before the root: situations that superko forbids, in the kernel's terms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foogo.game import Game
from foogo.geometry import PASS, WHITE
from foogo.kernels import strings
from foogo.kernels.tree_moves import SITUATIONAL, WHITE_TO_PLAY


def past_situations(game: Game, superko: int, room: int) -> tuple[NDArray[np.uint64], int, bool]:
    """The hashes of the game's situations with room for more, how many, and whether stones were ever removed."""
    board = game.start
    hashes, placed = [_situation(board.hash, board.to_play, superko)], 0
    before = _stones(board.to_array())
    for turn in game.turns:
        board.play(turn.move, turn.color)
        placed += turn.move != PASS
        hashes.append(_situation(board.hash, board.to_play, superko))
    past = np.zeros(len(hashes) + room, np.uint64)
    past[: len(hashes)] = hashes
    return past, len(hashes), before + placed != _stones(board.to_array())


def _stones(colors: NDArray[np.int8]) -> int:
    return int(np.count_nonzero(colors))


def _situation(stones: int, to_play: int, superko: int) -> int:
    """As `foogo.kernels.tree_moves.situation`."""
    return stones ^ int(WHITE_TO_PLAY) if superko == SITUATIONAL and to_play == WHITE else stones


def cell_of_move(size: int, move: int | None) -> int:
    """The cell of a point, as `foogo.kernels.strings` counts them, that of a pass, or the one that stands for none."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2
