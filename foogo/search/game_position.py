"""The position of a game as the search kernels take it: the board, the last moves, and the history for superko."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.kernels import strings
from foogo.game.rules import SUPERKO_RULES
from foogo.search.kernels.descent import Root
from foogo.search.kernels.moves import SITUATIONAL, WHITE_TO_PLAY, History, MoveContext


def superko_of(game: Game) -> int:
    """The superko rule of a game: `foogo.search.kernels.moves.SIMPLE` and so on."""
    return SUPERKO_RULES.index(game.rules.superko)


def past_situations(game: Game) -> list[int]:
    """The hashes of the game's situations, from the first to the present one."""
    superko = superko_of(game)
    return [_situation_hash(stones, to_play, superko) for stones, to_play in game.situations]


def points_stood_on(game: Game) -> NDArray[np.uint64]:
    """The points where Black, and White, ever had a stone: two sets in the layout of `foogo.game.kernels.strings`."""
    size = game.size
    stood = np.zeros((2, strings.words_of.py_func(size)), np.uint64)
    for color in (BLACK, WHITE):
        played = [turn.move for turn in game.turns if turn.color == color and turn.move != PASS]
        for point in [*game.start.stones(color).search(1), *played]:
            place = cell_of_move(size, point) - size - 2
            stood[color - 1, place // 64] |= np.uint64(1 << place % 64)
    return stood


def new_root(game: Game, situations: list[int], stood: NDArray[np.uint64], room: int) -> Root:
    """The root of a tree, for one thread.

    Parameters
    ----------
    game
        The game up to the root.
    situations, stood
        Its `past_situations` and `points_stood_on`.
    room
        How many situations a descent may add.
    """
    hashes = np.zeros(len(situations) + room, np.uint64)
    hashes[: len(situations)] = situations
    context = move_context(game, len(situations))
    return Root(game.board.state, context, History(hashes, np.stack([stood, stood])))


def move_context(game: Game, situations: int = 0) -> MoveContext:
    """The context of the next move besides the stones. A final pass before play resumed is ignored."""
    size, board, turns = game.size, game.board, game.turns
    last = None if board.last_move == PASS and not game.passes else board.last_move
    before_last = turns[-2].move if len(turns) > 1 else None
    return MoveContext(
        color=board.to_play,
        ko=cell_of_move(size, board.ko),
        last=cell_of_move(size, last),
        before_last=cell_of_move(size, before_last),
        stones_hash=np.uint64(board.hash),
        situations=situations,
    )


def cell_of_move(size: int, move: int | None) -> int:
    """The cell of a point, a pass, or no move in `foogo.game.kernels.strings`."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2


def _situation_hash(stones: int, to_play: int, superko: int) -> int:
    """As `foogo.search.kernels.moves.situation_hash`."""
    return stones ^ int(WHITE_TO_PLAY) if superko == SITUATIONAL and to_play == WHITE else stones
