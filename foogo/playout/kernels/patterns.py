"""MoGo's 3x3 patterns at the nine points around the last move of each lane; docs/reference/playout.md lists them.

Everything is in windows (`foogo.playout.kernels.windows`), integers with a bit for each of the nine points as a
candidate. A bit says what stands on a neighbour of that point, or whether two neighbours have stones of one colour.
A pattern stays one when the colours are exchanged. So it only depends on which stones are alike, and one formula serves
both colours. Directions are written n, e, s, w, and two neighbours one after the other: ``n_nw``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, windows


class Pair(NamedTuple):
    """Where two neighbours are stones of different colours, and where they are stones of one colour."""

    unlike: Any
    like: Any


@kernel(inline=True)
def about(last, points):
    """The windows of a set: south, level and north of the nine points."""
    return windows.window(last, points, -1), windows.window(last, points, 0), windows.window(last, points, 1)


@kernel(inline=True)
def compare(stones, others, colors, other_colors):
    """The `Pair` of two neighbours. `colors` are the bits where the first has a stone of the mover."""
    both, difference = stones & others, colors ^ other_colors
    return Pair(both & difference, both & ~difference)


@kernel(inline=True)
def on_both_sides(sides):
    """What holds of the neighbours to the west, and to the east."""
    return simd.shift_left(sides, 1), simd.shift_right(sides, 1)


@kernel(inline=True)
def pairs_on_both_sides(pair):
    """A pair of points, moved to the neighbours to the west, and to the east."""
    west = Pair(simd.shift_left(pair.unlike, 1), simd.shift_left(pair.like, 1))
    return west, Pair(simd.shift_right(pair.unlike, 1), simd.shift_right(pair.like, 1))


@kernel(inline=True)
def inside(unlike, unlike_far, side_unlike, far_unlike, tail_like, empty_far, empty_sides, empty_behind):
    """Hanes, magari and cut keima of an orthogonal neighbour d and a diagonal one q beside it.

    The side is that of q, seen from d, the far side the other one; the tail is q mirrored at the side.

    Parameters
    ----------
    unlike, unlike_far
        q and d are stones of different colours; so are the diagonal of the far side and d.
    side_unlike, far_unlike
        The orthogonal neighbour of the side, of the far side, and d are stones of different colours.
    tail_like
        The tail and the orthogonal neighbour of the side are stones of one colour.
    empty_far, empty_sides, empty_behind
        Empty are: the diagonal of the far side and the point opposite d; both sides; the far side and that point.
    """
    hane = empty_sides & (unlike_far | empty_far)
    magari = side_unlike & empty_behind & ~tail_like
    keima = far_unlike & ~side_unlike
    return unlike & (hane | magari | keima)


@kernel(inline=True)
def cut(one, other, one_across, other_across):
    """A diagonal neighbour between two orthogonal ones of the other colour; both cuts.

    Parameters
    ----------
    one, other
        Where the diagonal stone is unlike one orthogonal neighbour, and unlike the other.
    one_across, other_across
        The `Pair` of one of them and the orthogonal neighbour across from the other.
    """
    return one & other & (~(one_across.like | other_across.like) | one_across.unlike | other_across.unlike)


@kernel(inline=True)
def at_edge(empty, left_chase, right_chase, left_diagonal, right_diagonal, left, right):
    """The patterns of a point at the edge, seen from it to the inside.

    Parameters
    ----------
    empty
        The neighbour d to the inside is empty.
    left_chase, right_chase
        The neighbours to the left, and inside of that, are stones of different colours; to the right.
    left_diagonal, right_diagonal
        The diagonal neighbour and d are stones of different colours.
    left, right
        The `Pair` of d and the neighbour to the left, to the right.
    """
    chase = empty & (left_chase | right_chase)
    block = (right.unlike & (left_diagonal | ~left.like)) | (left.unlike & (right_diagonal | ~right.like))
    sagari = (left_diagonal | right_diagonal) & ~left.like & ~right.like
    return chase | block | sagari


@kernel(inline=True)
def matches(layout, own, opponent, last):
    """The empty points around the last move that match a pattern; anything elsewhere."""
    colors_s, colors, colors_n = about(last, own)
    others_s, others, others_n = about(last, opponent)
    board_s, board, board_n = about(last, bitboard.full(layout))
    stones_s, stones, stones_n = colors_s | others_s, colors | others, colors_n | others_n
    empty_s, empty, empty_n = board_s & ~stones_s, board & ~stones, board_n & ~stones_n
    stones_w, stones_e = on_both_sides(stones)
    colors_w, colors_e = on_both_sides(colors)
    empty_w, empty_e = on_both_sides(empty)
    empty_nw, empty_ne = on_both_sides(empty_n)
    empty_sw, empty_se = on_both_sides(empty_s)

    # An orthogonal neighbour and a diagonal one. A pair is compared once and moved: `n_nw` of a point is `n_ne` of the
    # point to the west of it.
    n_nw = compare(stones_n, simd.shift_left(stones_n, 1), colors_n, simd.shift_left(colors_n, 1))
    s_sw = compare(stones_s, simd.shift_left(stones_s, 1), colors_s, simd.shift_left(colors_s, 1))
    n_ne, s_se = pairs_on_both_sides(n_nw)[1], pairs_on_both_sides(s_sw)[1]
    w_nw, e_ne = pairs_on_both_sides(compare(stones, stones_n, colors, colors_n))
    w_sw, e_se = pairs_on_both_sides(compare(stones, stones_s, colors, colors_s))

    # Two orthogonal neighbours.
    n_w, n_e = compare(stones_n, stones_w, colors_n, colors_w), compare(stones_n, stones_e, colors_n, colors_e)
    s_w, s_e = compare(stones_s, stones_w, colors_s, colors_w), compare(stones_s, stones_e, colors_s, colors_e)
    empty_across, empty_along = empty_w & empty_e, empty_n & empty_s
    empty_n_w, empty_n_e = empty_n & empty_w, empty_n & empty_e
    empty_s_w, empty_s_e = empty_s & empty_w, empty_s & empty_e

    nw, ne, sw, se = n_nw.unlike, n_ne.unlike, s_sw.unlike, s_se.unlike
    north = inside(nw, ne, n_w.unlike, n_e.unlike, w_sw.like, empty_ne & empty_s, empty_across, empty_s_e)
    north = north | inside(ne, nw, n_e.unlike, n_w.unlike, e_se.like, empty_nw & empty_s, empty_across, empty_s_w)
    south = inside(sw, se, s_w.unlike, s_e.unlike, w_nw.like, empty_se & empty_n, empty_across, empty_n_e)
    south = south | inside(se, sw, s_e.unlike, s_w.unlike, e_ne.like, empty_sw & empty_n, empty_across, empty_n_w)
    nw, ne, sw, se = w_nw.unlike, e_ne.unlike, w_sw.unlike, e_se.unlike
    west = inside(nw, sw, n_w.unlike, s_w.unlike, n_ne.like, empty_sw & empty_e, empty_along, empty_s_e)
    west = west | inside(sw, nw, s_w.unlike, n_w.unlike, s_se.like, empty_nw & empty_e, empty_along, empty_n_e)
    east = inside(ne, se, n_e.unlike, s_e.unlike, n_nw.like, empty_se & empty_w, empty_along, empty_s_w)
    east = east | inside(se, ne, s_e.unlike, n_e.unlike, s_sw.like, empty_ne & empty_w, empty_along, empty_n_w)

    cuts = cut(n_nw.unlike, w_nw.unlike, n_e, s_w)
    cuts = cuts | cut(n_ne.unlike, e_ne.unlike, n_w, s_e)
    cuts = cuts | cut(s_sw.unlike, w_sw.unlike, s_e, n_w) | cut(s_se.unlike, e_se.unlike, s_w, n_e)
    pushes = n_w.unlike & n_e.unlike & ~(w_sw.like | e_se.like | s_w.like)
    pushes = pushes | (s_w.unlike & s_e.unlike & ~(w_nw.like | e_ne.like | n_w.like))
    pushes = pushes | (n_w.unlike & s_w.unlike & ~(n_ne.like | s_se.like | n_e.like))
    pushes = pushes | (n_e.unlike & s_e.unlike & ~(n_nw.like | s_sw.like | n_w.like))
    attached = (n_w.unlike & empty_s_e) | (n_e.unlike & empty_s_w) | (s_w.unlike & empty_n_e) | (s_e.unlike & empty_n_w)
    attached = attached & empty_nw & empty_ne & empty_sw & empty_se

    board_w, board_e = on_both_sides(board)
    edge = at_edge(empty_n, w_nw.unlike, e_ne.unlike, n_nw.unlike, n_ne.unlike, n_w, n_e) & ~board_s
    edge = edge | (at_edge(empty_s, w_sw.unlike, e_se.unlike, s_sw.unlike, s_se.unlike, s_w, s_e) & ~board_n)
    edge = edge | (at_edge(empty_e, n_ne.unlike, s_se.unlike, e_ne.unlike, e_se.unlike, n_e, s_e) & ~board_w)
    edge = edge | (at_edge(empty_w, n_nw.unlike, s_sw.unlike, w_nw.unlike, w_sw.unlike, n_w, s_w) & ~board_e)
    found = empty & (north | south | west | east | cuts | pushes | attached | edge)
    return windows.from_window(last, found)
