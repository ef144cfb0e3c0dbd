"""A sound move in plain Python, for when the search is not compiled in time."""

from __future__ import annotations

from foogo.game.game import Game
from foogo.game.geometry import EMPTY, PASS, geometry
from foogo.game.interpreted import InterpretedBoard
from foogo.game.position import Position
from foogo.game.regions import is_eye

CAPTURE, RESCUE, ATARI = 300, 250, 40
"""Base worth of capturing a string, rescuing one, and putting one in atari."""

STONE = 20
"""Additional worth per stone of a string that is captured, rescued, or left in atari."""

SELF_ATARI = -400
"""Worth of leaving the player's own string with one liberty."""


def fallback_move(game: Game, color: int) -> int:
    """A legal move that captures, rescues, or takes a good empty point; a pass if only the player's eyes are left.

    Parameters
    ----------
    game
        The game; if it is kept on an `InterpretedBoard`, nothing needs to be compiled.
    color
        BLACK or WHITE, whose move it is.

    Examples
    --------
    >>> geometry(9).vertex(fallback_move(Game(InterpretedBoard(9)), 1))
    'E5'
    """
    board = InterpretedBoard.of(game.board)
    stones = board.to_array().ravel().tolist()
    candidates = [point for point in game.legal(color).search(1) if not is_eye(game.size, stones, point, color)]
    return max(candidates, key=lambda point: (_worth(board, stones, point, color), -point), default=PASS)


def _worth(board: Position, stones: list[int], point: int, color: int) -> float:
    near = geometry(board.size).neighbors[point]
    after = board.copy()
    after.play(point, color)
    worth = _place(board.size, stones, point)
    if after.color_at(point) == EMPTY:
        return worth + 2 * SELF_ATARI
    own, liberties = after.string_at(point).count(), after.liberties_at(point).count()
    saved = 0
    for other in near:
        if stones[other] == EMPTY:
            continue
        string, left = board.string_at(other).count(), board.liberties_at(other).count()
        if stones[other] == color:
            saved = max(saved, RESCUE + STONE * string if left == 1 and liberties > 2 else 0)
        elif left == 1:
            worth += CAPTURE + STONE * string
        elif left == 2:
            worth += ATARI + string
    if liberties == 1:
        worth += SELF_ATARI - STONE * own
    return worth + saved


def _place(size: int, stones: list[int], point: int) -> float:
    """Worth of the location alone: third and fourth lines, the centre of a small board, empty surroundings."""
    row, col = divmod(point, size)
    lines = sorted((min(row, size - 1 - row), min(col, size - 1 - col)))
    middle = size // 2
    worth = {0: 0.0, 1: 8.0}.get(lines[0], 24.0 if lines[0] <= 3 else 16.0)
    if size < 12 and lines == [middle, middle]:
        worth += 30.0
    if lines in ([2, 2], [2, 3], [3, 3]) and (size >= 12 or lines == [2, 2]):
        worth += 12.0
    colors = {
        stones[r * size + c]
        for r in range(max(0, row - 2), min(size, row + 3))
        for c in range(max(0, col - 2), min(size, col + 3))
    }
    return (
        worth
        + (10.0 if colors == {EMPTY} else 0.0)
        - 2.0 * sum(stones[other] != EMPTY for other in geometry(size).neighbors[point])
    )
