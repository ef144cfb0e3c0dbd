"""Keys of positions, equal for positions that a symmetry maps onto each other."""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import geometry
from foogo.game.position import Position

KEY_BYTES = 6
"""Of a key: two of a million positions have the same one with a probability of 0.2 %."""

KO_POINT = 3
"""Marks the point that ko forbids, beside EMPTY, BLACK and WHITE."""


class Form(NamedTuple):
    """The form of a position that it shares with its symmetric positions."""

    key: int
    """Of the form, the player to move, the number of turns before, and the komi."""
    symmetries: NDArray[np.int64]
    """(ways, points): each row maps the position onto its form; several do if the position is symmetric itself."""


def form_of(game: Game) -> Form:
    """The form of a game's position; an ArgumentError if it is no Game."""
    if not isinstance(game, Game):
        raise ArgumentError(f"a book needs a Game, not {type(game).__name__}: Game(board) makes one of a board")
    return position_form(game.board, len(game.turns), game.komi)


def position_form(position: Position, turns: int, komi: float) -> Form:
    """The form of a position after a number of turns.

    The number of turns keeps a book free of circles: a position that a capture brings back is another one.

    Examples
    --------
    >>> games = [Game(9), Game(9)]
    >>> for game, vertex in zip(games, ("C4", "F7"), strict=True):
    ...     game.play(vertex)
    >>> form_of(games[0]).key == form_of(games[1]).key
    True
    """
    symmetries = geometry(position.size).symmetries
    colors = position.to_array().ravel()
    if position.ko is not None:
        colors[position.ko] = KO_POINT
    images = np.empty(symmetries.shape, np.int8)
    np.put_along_axis(images, symmetries, np.broadcast_to(colors, symmetries.shape), 1)
    texts = [image.tobytes() for image in images]
    form = min(texts)
    rest = struct.pack("<BBHd", position.size, position.to_play, turns, komi)
    digest = hashlib.blake2b(form + rest, digest_size=KEY_BYTES).digest()
    return Form(int.from_bytes(digest, "little"), symmetries[[text == form for text in texts]])
