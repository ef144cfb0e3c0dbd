"""The position of a game as the search kernels take it: the board, the last moves, and the history for superko."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.kernels import strings
from foogo.game.kernels.positions import SITUATIONAL
from foogo.game.kernels.superko import WHITE_TO_PLAY
from foogo.game.position import cell_of
from foogo.game.rules import SUPERKO_RULES
from foogo.search.kernels.descent import Root
from foogo.search.kernels.moves import History, MoveContext


def superko_of(game: Game) -> int:
    """The superko rule of a game: `foogo.game.kernels.positions.SIMPLE` and so on."""
    return SUPERKO_RULES.index(game.rules.superko)


def past_situations(game: Game) -> list[int]:
    """The hashes of the game's situations, from the first to the present one."""
    white = int(WHITE_TO_PLAY) if superko_of(game) == SITUATIONAL else 0  # as `superko.situation_hash`
    return [stones ^ white if to_play == WHITE else stones for stones, to_play in game.situations]


def points_stood_on(game: Game) -> NDArray[np.uint64]:
    """The points where Black, and White, ever had a stone: two sets in the layout of `foogo.game.kernels.strings`."""
    size = game.size
    stood = np.zeros((2, strings.words_of.py_func(size)), np.uint64)
    for color in (BLACK, WHITE):
        played = [turn.move for turn in game.turns if turn.color == color and turn.move != PASS]
        for point in [*game.start.stones(color).search(1), *played]:
            place = cell_of(size, point) - cell_of(size, 0)
            stood[color - 1, place // 64] |= np.uint64(1 << place % 64)
    return stood


def new_root(game: Game, situations: list[int], stood: NDArray[np.uint64], room: int) -> Root:
    """The root of a tree, for one thread, from `past_situations` and `points_stood_on`.

    A descent may add `room` situations.
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
        ko=cell_of(size, board.ko),
        last=cell_of(size, last),
        before_last=cell_of(size, before_last),
        stones_hash=np.uint64(board.hash),
        situations=situations,
    )
