"""Positions as one line of text, as FEN is for chess.

The line is four words: the rows, top row first, joined by "/"; the player to move, "b" or "w"; the vertex that simple
ko forbids, or "-"; the last move, or "-". In a row, a number stands for that many empty points, X for a black stone
and O for a white one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from foogo.errors import PositionError, VertexError
from foogo.game.geometry import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WHITE, geometry

_SIGNS = {"X": BLACK, "O": WHITE}
_LETTERS = {"b": BLACK, "w": WHITE}


class OneLine(NamedTuple):
    """What a line says: the colour of each point, the player to move, and the ko point and last move, or None."""

    size: int
    colors: list[int]
    to_play: int
    ko: int | None
    last_move: int | None


def write_line(line: OneLine) -> str:
    """The position as one line.

    Examples
    --------
    >>> write_line(OneLine(3, [0, 1, 0, 0, 0, 2, 0, 0, 0], WHITE, None, 1))
    '3/2O/1X1 w - B1'
    """
    rows = (line.colors[row * line.size : (row + 1) * line.size] for row in reversed(range(line.size)))
    vertices = ("-" if move is None else geometry(line.size).vertex(move) for move in (line.ko, line.last_move))
    return " ".join(["/".join(map(_write_row, rows)), "b" if line.to_play == BLACK else "w", *vertices])


def _write_row(colors: Sequence[int]) -> str:
    signs = "".join(".XO"[color] for color in colors)
    return re.sub(r"\.+", lambda match: str(len(match[0])), signs)


def read_line(text: str) -> OneLine:
    """The position that a line describes; words left out at the end are "b", "-" and "-".

    Raises
    ------
    PositionError
        If the text is not such a line.

    Examples
    --------
    >>> read_line("3/2O/1X1 w").colors
    [0, 1, 0, 0, 0, 2, 0, 0, 0]
    """
    words = text.split() if isinstance(text, str) else []
    if not 1 <= len(words) <= 4:
        raise PositionError(
            f"{text!r} is not a position: give rows, player, ko and last move, such as '9/9/4X4/… w - E5'"
        )
    rows, player, ko, last = [*words, *("b", "-", "-")[len(words) - 1 :]]
    lines = rows.split("/")[::-1]
    size = len(lines)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise PositionError(f"{text!r} has {size} rows: a board has {MIN_SIZE} to {MAX_SIZE}")
    if player not in _LETTERS:
        raise PositionError(f"{player!r} in {text!r} is not a player: write b or w")
    colors = [color for number, line in enumerate(lines, 1) for color in _read_row(line, number, size)]
    return OneLine(size, colors, _LETTERS[player], _read_vertex(ko, size, text), _read_vertex(last, size, text))


def _read_row(line: str, number: int, size: int) -> list[int]:
    colors: list[int] = []
    parts = re.findall(r"\d{1,2}|.", line)
    for part in parts:
        if not part.isdecimal() and part not in _SIGNS:
            raise PositionError(f"{part!r} in row {number} of the position: write X, O or a number of empty points")
        colors += [EMPTY] * int(part) if part.isdecimal() else [_SIGNS[part]]
    if len(colors) != size:
        raise PositionError(
            f"row {number} of the position has {len(colors)} points: with {size} rows each needs {size}"
        )
    return colors


def _read_vertex(word: str, size: int, text: str) -> int | None:
    try:
        return None if word == "-" else geometry(size).point(word)
    except VertexError as error:
        raise PositionError(f"{text!r} is not a position: {error}") from None
