"""Vertices of boards of up to 30 columns as text."""

from __future__ import annotations

from foogo.errors import VertexError
from foogo.game.geometry import COLUMN_LETTERS
from foogo.solver.kernels.positions import PASS_MOVE


def vertex_of(cols: int, move: int) -> str:
    """The text for a point or PASS_MOVE; column letters skip I and continue with AA after Z.

    Examples
    --------
    >>> vertex_of(3, 4), vertex_of(30, 27), vertex_of(3, PASS_MOVE)
    ('B2', 'CC1', 'pass')
    """
    if move == PASS_MOVE:
        return "pass"
    row, col = divmod(move, cols)
    letters = COLUMN_LETTERS + "UVWXYZ"
    column = letters[col] if col < len(letters) else 2 * letters[col - len(letters)]
    return f"{column}{row + 1}"


def move_of(rows: int, cols: int, vertex: str) -> int:
    """The point or PASS_MOVE of a text, in upper or lower case: the inverse of `vertex_of`.

    Examples
    --------
    >>> move_of(3, 3, "b2"), move_of(3, 3, "pass") == PASS_MOVE
    (4, True)
    """
    if isinstance(vertex, str):
        if vertex.lower() == "pass":
            return PASS_MOVE
        moves = {vertex_of(cols, point): point for point in range(rows * cols)}
        if vertex.upper() in moves:
            return moves[vertex.upper()]
    last = vertex_of(cols, rows * cols - 1)
    raise VertexError(f"move {vertex!r} is no point of {rows}x{cols}: points are A1 to {last}; or write pass")
