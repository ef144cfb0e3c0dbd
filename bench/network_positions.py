"""What the network learns from: the positions of games, as it sees them, and what it should say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.network_games import FORMAT, boards_of
from bench.network_inputs import Extractor
from foogo.errors import NetworkFileError
from foogo.game.geometry import BLACK, PASS

RESULT_SHARE = 0.6
"""The part of a position's target value that is the result of its game; the rest is the value that its search found."""
SHORT_WEIGHT, LEAST_PLAYOUTS = 0.35, 100
"""What the visits of a short search count, and the fewest playouts that count."""


class Positions(NamedTuple):
    """Many positions, as the player to move sees them."""

    kinds: NDArray[np.uint8]
    rows: NDArray[np.uint8]
    logarithms: NDArray[np.float32]
    shares: NDArray[np.float32]
    """(positions, points + 1): of the playouts of a search, by move; all 0 if there were too few."""
    certainty: NDArray[np.float32]
    """What a position's shares count."""
    komi: NDArray[np.float32]
    value: NDArray[np.float32]
    """The target: of the game's result and the search's value."""
    won: NDArray[np.float32]
    owner: NDArray[np.float32]
    game: NDArray[np.int32]
    """The number of the game that it is of."""

    def take(self, which: Any) -> Positions:
        """Some of them."""
        return Positions(*(column[which] for column in self))


def read_games(folder: Path, size: int) -> tuple[Positions, Positions]:
    """The positions of all games in the folder but every twentieth, and those of the others.

    Raises NetworkFileError if a file has other games, or if there are fewer than two games.
    """
    used, apart, games = [], [], 0
    for path in sorted(folder.glob(f"{size}x{size}-*.npz")):
        with np.load(path) as stored:
            data = {name: stored[name] for name in stored.files}
        if data.get("format") != FORMAT or data["size"] != size:
            raise NetworkFileError(f"{path} has no {size}x{size} games of format {FORMAT}")
        is_apart = data["game"] % 20 == 0
        positions = _positions(data, size)._replace(game=np.int32(games) + data["game"].astype(np.int32))
        games += data["game"].max() + 1
        used.append(positions.take(~is_apart))
        apart.append(positions.take(is_apart))
    if games < 2:
        raise NetworkFileError(
            f"{folder} has {games} {size}x{size} games: at least 2 are needed; play them with --games"
        )
    return tuple(Positions(*map(np.concatenate, zip(*parts, strict=True))) for parts in (used, apart))  # type: ignore[return-value]


def _positions(data: dict[str, Any], size: int) -> Positions:
    extractor = Extractor(size)
    inputs = [extractor.inputs(state, context) for state, context in boards_of(data, size)]
    kinds, rows, logarithms = (np.array(column) for column in zip(*inputs, strict=True))
    is_black, visits = data["to_play"] == BLACK, data["visits"].astype(np.float32)
    visits[:, :-1][np.isinf(logarithms)] = 0.0
    total = visits.sum(axis=1, keepdims=True)
    counts = (total[:, 0] >= LEAST_PLAYOUTS) & (data["last"] != PASS)
    return Positions(
        kinds, rows, logarithms, visits / np.maximum(total, 1.0),
        np.where(data["is_long"], 1.0, SHORT_WEIGHT).astype(np.float32) * counts,
        np.where(is_black, data["komi"], -data["komi"]).astype(np.float32),
        (RESULT_SHARE * data["won"] + (1 - RESULT_SHARE) * data["value"]).astype(np.float32),
        data["won"].astype(np.float32),
        np.where(is_black[:, None], 0.01, -0.01).astype(np.float32) * data["owner"],
        data["game"],
    )  # fmt: skip


def symmetries(size: int) -> list[NDArray[np.int64]]:
    """The eight ways to turn and mirror a board, as orders of its points."""
    square = np.arange(size**2).reshape(size, size)
    return [np.ascontiguousarray(np.rot90(one, turn)).ravel() for one in (square, square.T) for turn in range(4)]


def turned(positions: Positions, order: NDArray[np.int64]) -> Positions:
    """The positions turned or mirrored."""
    shares = np.concatenate([positions.shares[:, order], positions.shares[:, -1:]], axis=1)
    by_point = {name: getattr(positions, name)[:, order] for name in ("kinds", "rows", "logarithms", "owner")}
    return positions._replace(shares=shares, **by_point)
