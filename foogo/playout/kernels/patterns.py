"""MoGo's 3x3 patterns at the nine points about the last move of each lane; docs/reference/playout.md lists them.

All is in windows (`foogo.playout.kernels.windows`): an integer says of each of the nine points, as a candidate, what
stands on one of its neighbours, or of two of them whether their stones are of one colour. Since a pattern stays one
when the colours are exchanged, it only asks which stones are alike, and each is one formula for both colours.
Directions are written n, e, s, w, and two neighbours one after the other: ``n_nw``.
"""

from __future__ import annotations

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, windows


@kernel(inline=True)
def about(last, points):
    """The windows of a set: south, level and north of the nine points."""
    return windows.window(last, points, -1), windows.window(last, points, 0), windows.window(last, points, 1)


@kernel(inline=True)
def compare(stones, others, colors, other_colors):
    """Where two neighbours are stones of different colours, and of one colour."""
    both, difference = stones & others, colors ^ other_colors
    return both & difference, both & ~difference


@kernel(inline=True)
def on_both_sides(sides):
    """What holds of the neighbours to the west, and to the east."""
    return simd.shift_left(sides, 1), simd.shift_right(sides, 1)


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
def cut(one_unlike, other_unlike, one_like, other_like, one_beyond, other_beyond):
    """A diagonal neighbour between two orthogonal ones of the other colour; both cuts.

    `like` and `beyond`: the orthogonal neighbour across from it is a stone of the same colour, of the other.
    """
    return one_unlike & other_unlike & (~(one_like | other_like) | one_beyond | other_beyond)


@kernel(inline=True)
def at_edge(empty, left_chase, right_chase, left, right, left_unlike, right_unlike, left_like, right_like):
    """The patterns of a point at the edge, seen from it to the inside.

    Parameters
    ----------
    empty
        The neighbour d to the inside is empty.
    left_chase, right_chase
        The neighbours to the left, and inside of that, are stones of different colours; to the right.
    left, right
        The diagonal neighbour and d are stones of different colours.
    left_unlike, left_like, right_unlike, right_like
        The neighbour to the left and d are stones of different colours, of one colour; to the right.
    """
    chase = empty & (left_chase | right_chase)
    block = (right_unlike & (left | ~left_like)) | (left_unlike & (right | ~right_like))
    sagari = (left | right) & ~left_like & ~right_like
    return chase | block | sagari


@kernel(inline=True)
def matches(layout, own, opp, last):
    """The points about the last move that match a pattern, stones or not; anything elsewhere."""
    colors_s, colors, colors_n = about(last, own)
    opp_s, opp_o, opp_n = about(last, opp)
    board_s, board, board_n = about(last, bitboard.full(layout))
    stones_s, stones, stones_n = colors_s | opp_s, colors | opp_o, colors_n | opp_n
    empty_s, empty, empty_n = board_s & ~stones_s, board & ~stones, board_n & ~stones_n
    stones_w, stones_e = on_both_sides(stones)
    colors_w, colors_e = on_both_sides(colors)
    empty_w, empty_e = on_both_sides(empty)
    empty_nw, empty_ne = on_both_sides(empty_n)
    empty_sw, empty_se = on_both_sides(empty_s)

    # an orthogonal neighbour and a diagonal one
    n_nw, n_nw_like = compare(stones_n, simd.shift_left(stones_n, 1), colors_n, simd.shift_left(colors_n, 1))
    s_sw, s_sw_like = compare(stones_s, simd.shift_left(stones_s, 1), colors_s, simd.shift_left(colors_s, 1))
    n_ne, n_ne_like = simd.shift_right(n_nw, 1), simd.shift_right(n_nw_like, 1)
    s_se, s_se_like = simd.shift_right(s_sw, 1), simd.shift_right(s_sw_like, 1)
    upper, upper_like = compare(stones, stones_n, colors, colors_n)
    lower, lower_like = compare(stones, stones_s, colors, colors_s)
    w_nw, e_ne = on_both_sides(upper)
    w_sw, e_se = on_both_sides(lower)
    w_nw_like, e_ne_like = on_both_sides(upper_like)
    w_sw_like, e_se_like = on_both_sides(lower_like)

    # two orthogonal neighbours
    n_w, n_w_like = compare(stones_n, stones_w, colors_n, colors_w)
    n_e, n_e_like = compare(stones_n, stones_e, colors_n, colors_e)
    s_w, s_w_like = compare(stones_s, stones_w, colors_s, colors_w)
    s_e, s_e_like = compare(stones_s, stones_e, colors_s, colors_e)
    empty_across, empty_along = empty_w & empty_e, empty_n & empty_s
    empty_n_w, empty_n_e = empty_n & empty_w, empty_n & empty_e
    empty_s_w, empty_s_e = empty_s & empty_w, empty_s & empty_e

    north = inside(n_nw, n_ne, n_w, n_e, w_sw_like, empty_ne & empty_s, empty_across, empty_s_e)
    north = north | inside(n_ne, n_nw, n_e, n_w, e_se_like, empty_nw & empty_s, empty_across, empty_s_w)
    south = inside(s_sw, s_se, s_w, s_e, w_nw_like, empty_se & empty_n, empty_across, empty_n_e)
    south = south | inside(s_se, s_sw, s_e, s_w, e_ne_like, empty_sw & empty_n, empty_across, empty_n_w)
    west = inside(w_nw, w_sw, n_w, s_w, n_ne_like, empty_sw & empty_e, empty_along, empty_s_e)
    west = west | inside(w_sw, w_nw, s_w, n_w, s_se_like, empty_nw & empty_e, empty_along, empty_n_e)
    east = inside(e_ne, e_se, n_e, s_e, n_nw_like, empty_se & empty_w, empty_along, empty_s_w)
    east = east | inside(e_se, e_ne, s_e, n_e, s_sw_like, empty_ne & empty_w, empty_along, empty_n_w)

    cuts = cut(n_nw, w_nw, n_e_like, s_w_like, n_e, s_w) | cut(n_ne, e_ne, n_w_like, s_e_like, n_w, s_e)
    cuts = cuts | cut(s_sw, w_sw, s_e_like, n_w_like, s_e, n_w) | cut(s_se, e_se, s_w_like, n_e_like, s_w, n_e)
    pushes = (n_w & n_e & ~(w_sw_like | e_se_like | s_w_like)) | (s_w & s_e & ~(w_nw_like | e_ne_like | n_w_like))
    pushes = pushes | (n_w & s_w & ~(n_ne_like | s_se_like | n_e_like))
    pushes = pushes | (n_e & s_e & ~(n_nw_like | s_sw_like | n_w_like))
    attached = (n_w & empty_s_e) | (n_e & empty_s_w) | (s_w & empty_n_e) | (s_e & empty_n_w)
    attached = attached & empty_nw & empty_ne & empty_sw & empty_se

    board_w, board_e = on_both_sides(board)
    edge = at_edge(empty_n, w_nw, e_ne, n_nw, n_ne, n_w, n_e, n_w_like, n_e_like) & ~board_s
    edge = edge | (at_edge(empty_s, w_sw, e_se, s_sw, s_se, s_w, s_e, s_w_like, s_e_like) & ~board_n)
    edge = edge | (at_edge(empty_e, n_ne, s_se, e_ne, e_se, n_e, s_e, n_e_like, s_e_like) & ~board_w)
    edge = edge | (at_edge(empty_w, n_nw, s_sw, w_nw, w_sw, n_w, s_w, n_w_like, s_w_like) & ~board_e)
    return windows.from_window(last, north | south | west | east | cuts | pushes | attached | edge)
