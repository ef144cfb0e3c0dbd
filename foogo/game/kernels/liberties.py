"""What a stone next to a string does to it: questions that legality and the search both ask."""

from __future__ import annotations

from foogo.core.jit import kernel
from foogo.game.kernels import strings as s


@kernel
def loses_last_liberty(cells, size, cell, taken):
    """Whether the empty cell `taken`, next to the string on `cell`, is its only liberty."""
    span, stride, uses = s.span_of(size), size + 1, 0
    head = cells[s.HEAD * span + cell]
    # A string has one pseudo-liberty per stone next to a liberty. They are all at `taken` if it has no other liberty.
    for i in range(4):
        uses += cells[s.HEAD * span + s.neighbor(taken, stride, i)] == head
    return cells[s.LIBERTIES * span + head] == uses


@kernel(inline=True)
def is_counted(cells, size, cell, i):
    """Whether the i-th neighbour of `cell` is on the same string as an earlier neighbour."""
    span, stride = s.span_of(size), size + 1
    head, found = cells[s.HEAD * span + s.neighbor(cell, stride, i)], False
    for j in range(i):
        found |= cells[s.HEAD * span + s.neighbor(cell, stride, j)] == head
    return found
