"""What the search knows of the turns before the root: what superko forbids, in the kernel's terms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.kernels import strings
from foogo.search.kernels.moves import SITUATIONAL, WHITE_TO_PLAY


def past_situations(game: Game, superko: int, room: int) -> tuple[NDArray[np.uint64], int]:
    """The hashes of the game's situations with room for more, and how many they are."""
    hashes = [_situation(stones, to_play, superko) for stones, to_play in game.situations]
    past = np.zeros(len(hashes) + room, np.uint64)
    past[: len(hashes)] = hashes
    return past, len(hashes)


def points_stood_on(game: Game) -> NDArray[np.uint64]:
    """Where Black, and White, ever had a stone: two sets as `foogo.game.kernels.strings` has them."""
    size = game.size
    stood = np.zeros((2, strings.words_of(size)), np.uint64)
    for color in (BLACK, WHITE):
        played = [turn.move for turn in game.turns if turn.color == color and turn.move != PASS]
        for point in [*game.start.stones(color).search(1), *played]:
            place = cell_of_move(size, point) - size - 2
            stood[color - 1, place // 64] |= np.uint64(1 << place % 64)
    return stood


def last_two_moves(game: Game) -> tuple[int, int]:
    """The cells of the last move and of the one before, see `cell_of_move`; a last pass that does not count is none."""
    last, turns = game.board.last_move, game.turns
    if last == PASS and not game.passes:
        last = None
    return cell_of_move(game.size, last), cell_of_move(game.size, turns[-2].move if len(turns) > 1 else None)


def _situation(stones: int, to_play: int, superko: int) -> int:
    """As `foogo.search.kernels.moves.situation`."""
    return stones ^ int(WHITE_TO_PLAY) if superko == SITUATIONAL and to_play == WHITE else stones


def cell_of_move(size: int, move: int | None) -> int:
    """The cell of a move in `foogo.game.kernels.strings`: of a point, a pass, or no move."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2
