"""What the network sees of a position, for its fit, and what it says, for tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.move_features import find_moves
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers, reals, words
from foogo.game.kernels import strings as s
from foogo.search.kernels import features as f
from foogo.search.kernels import network as n
from foogo.search.kernels.moves import MoveContext
from foogo.search.kernels.network_layout import GROUPS, MOVE_ROWS, PAIRS, WEIGHTS, arranged
from foogo.search.kernels.position_notes import note_words, take_notes
from foogo.search.learned_prior import feature_weights


class Inputs(NamedTuple):
    """Of one position."""

    kinds: NDArray[np.uint8]
    """(points,): the kind of each point."""
    rows: NDArray[np.uint8]
    """(points, groups): the rows of each move's features; `MOVE_ROWS` where there is no move."""
    logarithms: NDArray[np.float32]
    """(points,): the logarithm to the base 2 of each move's probability by its learned features, -inf for no move."""


class Extractor:
    """Finds the `Inputs` of positions of one size, and consults a network about them."""

    def __init__(self, size: int, weights: NDArray[np.int32] | None = None) -> None:
        self.size = size
        table = np.zeros(WEIGHTS, np.int32) if weights is None else weights
        self._network = n.new_network(size, arranged(table))
        self._notes = np.empty(note_words(size), np.uint64)
        self._found = np.empty(f.FEATURES * f.STRIDE, np.int32)
        self._moves, self._points = np.empty((2, size * size), np.int32)
        self._base, self._added = np.empty((2, size * size), np.float32)
        self._cells = np.array([s.cell_of.py_func(size, point) for point in range(size * size)])

    def consult(self, state: NDArray[np.uint64], context: MoveContext) -> tuple[dict[int, float], n.Opinion]:
        """What the network adds to the logarithm of each move, by point, and its opinion."""
        count, opinion = self._look(state, context)
        added = zip(self._points[:count].tolist(), self._added[:count].tolist(), strict=True)
        return dict(added), n.Opinion(*opinion)

    def inputs(self, state: NDArray[np.uint64], context: MoveContext) -> Inputs:
        """The inputs of a position."""
        count, _ = self._look(state, context)
        points, moves = self._points[:count], self._moves[:count]
        rows = np.full((self.size**2, len(GROUPS)), MOVE_ROWS, np.uint8)
        logarithms = np.full(self.size**2, -np.inf, np.float32)
        found = self._found.reshape(f.FEATURES, f.STRIDE)[:, moves - (self.size + 2)]
        rows[points] = (found[GROUPS] - f.START[f.LAST]).T
        logarithms[points] = self._base[:count]
        return Inputs((self._network.kinds[self._cells] // PAIRS).astype(np.uint8), rows, logarithms)

    def _look(self, state: NDArray[np.uint64], context: MoveContext) -> tuple[int, Any]:
        scratch = self._notes, self._found, self._moves, self._points, self._base, self._added
        found: tuple[int, Any] = _look(state, self.size, context, self._network, feature_weights(), scratch)
        return found


@kernel
def _look(state: Any, size: int, context: Any, network: Any, weights: Any, scratch: Any) -> Any:
    """Find the moves that a search considers, apart from suicide and superko, and all that is known of them."""
    notes_of, found_of, moves, points, base, added = scratch
    board, cells, notes, found = words(state), halfwords(state), words(notes_of), numbers(found_of)
    count = find_moves(board, cells, size, context, moves, points)
    take_notes(cells, size, context.color, context.last, notes)
    f.describe(cells, size, numbers(moves), count, context, notes, found)
    for i in range(count):
        base[i] = added[i] = np.float32(0.0)
        for feature in range(f.FEATURES):
            base[i] += weights[found[feature * f.STRIDE + f.index_of(size, np.int64(moves[i]))]]
    seen = n.Seen(cells, notes, found, context.ko)
    opinion = n.consult(network, size, seen, numbers(moves), count, reals(added))
    return count, opinion
