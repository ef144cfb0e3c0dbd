"""What a policy sees: a `View`, and the operations that ``see.name`` stands for.

Each operation takes the layout and the view first. Sets are on the board, unless it says that a result is dirty: bits
outside the board may then be set, and `foogo.playout.written.lowering` clears them where they matter.
docs/reference/policies.md describes the operations for users; `foogo.playout.written.interpreter` has them over
Python's sets.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, floods, liberties, patterns


class View(NamedTuple):
    """The position that a policy sees, as sets of points, and the number that it draws by.

    Attributes
    ----------
    own, opponent
        The stones of the player to move, and of the other player.
    candidates
        The points that may be drawn.
    forbidden
        The ko point, and the points refused earlier in this turn.
    short
        The stones whose string is short of liberties.
    last_move, before_last
        The last two moves, as sets of at most one point.
    number
        The lane's 32-bit number.
    """

    own: Any
    opponent: Any
    candidates: Any
    forbidden: Any
    short: Any
    last_move: Any
    before_last: Any
    number: Any


@kernel(inline=True)
def tracked(layout, position, refused, fresh):
    """The move before the last one after a draw: nothing at the start of a game."""
    return simd.choose(fresh, bitboard.nothing(layout), simd.choose(refused, position.before_last, position.last))


@kernel(inline=True)
def untracked(layout, position, refused, fresh):
    """In place of `tracked` where nothing looks at that move."""
    return position.before_last


# --- sets ---------------------------------------------------------------------------------------


@kernel(inline=True)
def board(layout, view):
    """All points."""
    return bitboard.full(layout)


@kernel(inline=True)
def empty(layout, view):
    """The points without a stone."""
    return bitboard.full(layout) & ~(view.own | view.opponent)


@kernel(inline=True)
def odd(layout, view):
    """The points whose row + column is odd."""
    return bitboard.checkered(layout)


@kernel(inline=True)
def vital(layout, view):
    """The vital points: the middles of star-shaped eye spaces whose bordering stones are all of one colour.

    Such a middle has two or more empty neighbours, and none of them has another empty neighbour.
    """
    vacant = empty(layout, view)
    inner = vacant & liberties.beside_two(vacant)
    own_rim, opponent_rim = vacant & bitboard.beside(view.own), vacant & bitboard.beside(view.opponent)
    # Each player rules out the stars that his stones border, and those with a roomy arm. A middle that both rule out
    # has a roomy arm, or a border of both colours.
    by_own = own_rim | bitboard.beside(inner | own_rim)
    by_opponent = opponent_rim | bitboard.beside(inner | opponent_rim)
    return inner & ~(by_own & by_opponent)


@kernel(inline=True)
def shaped(layout, view):
    """The empty points around the last move that match one of MoGo's patterns; dirty."""
    return patterns.matches(layout, view.own, view.opponent, view.last_move) & around(layout, view, view.last_move)


@kernel(inline=True)
def in_atari(layout, view):
    """The stones of both colours whose string has exactly one liberty.

    Two liberties differ in a binary digit of their numbers. For each digit, a flood starts at the stones beside a
    liberty that has it. A stone that is reached, and is beside a liberty that does not have it, shows that its string
    has two. A last flood takes these stones to whole strings.
    """
    stones = view.own | view.opponent
    vacant = bitboard.full(layout) & ~stones
    across, upward = floods.links_east(view.own, view.opponent), floods.links_north(view.own, view.opponent)
    several = liberties.beside_two(vacant) & stones
    for digit in range(floods.digits(layout)):
        ones = floods.with_digit(layout, digit)
        reached = liberties.flooded(layout, bitboard.beside(vacant & ones) & stones, across, upward)
        several = several | (reached & bitboard.beside(vacant & ~ones))
    return stones & ~liberties.flooded(layout, several & stones, across, upward)


# --- functions of sets ----------------------------------------------------------------------------


@kernel(inline=True)
def line(layout, view, number):
    """The points on a line counted from the edge: 1 is the edge."""
    points = bitboard.border(layout)
    inside = bitboard.full(layout) & ~points
    for _ in range(number - 1):
        points = inside & around(layout, view, points)
        inside = inside & ~points
    return points


@kernel(inline=True)
def beside(layout, view, points):
    """The points next to a point of the set; dirty."""
    return bitboard.beside(points)


@kernel(inline=True)
def beside_two(layout, view, points):
    """The points next to two or more points of the set; dirty."""
    return liberties.beside_two(points)


@kernel(inline=True)
def around(layout, view, points):
    """The set, and the eight points around each of its points; dirty."""
    row = points | bitboard.east(points) | bitboard.west(points)
    return row | bitboard.north(row) | bitboard.south(row)


@kernel(inline=True)
def north(layout, view, points):
    """Every point moved one row up; dirty."""
    return bitboard.north(points)


@kernel(inline=True)
def south(layout, view, points):
    """Every point moved one row down; dirty."""
    return bitboard.south(points)


@kernel(inline=True)
def east(layout, view, points):
    """Every point moved one column right; dirty."""
    return bitboard.east(points)


@kernel(inline=True)
def west(layout, view, points):
    """Every point moved one column left; dirty."""
    return bitboard.west(points)


@kernel(inline=True)
def strings(layout, view, points):
    """The stones of every string that has a stone in the set."""
    own, opponent = view.own, view.opponent
    across, upward = floods.links_east(own, opponent), floods.links_north(own, opponent)
    return liberties.flooded(layout, points & (own | opponent), across, upward)


@kernel(inline=True)
def where(layout, view, condition, yes, no):
    """One set in the lanes where `condition` has a point, another set elsewhere."""
    return simd.choose(bitboard.any_point(condition), yes, no)


# --- patterns -------------------------------------------------------------------------------------

PATTERN_SIGNS = {
    "X": (False, "own"), "O": (False, "opponent"), ".": (False, "vacant"),
    "x": (True, "own"), "o": (True, "opponent"), "#": (True, "full"),
}  # fmt: skip
"""Whether a neighbour with each sign is outside of a set, or in it, and the set; "?" is any neighbour."""

_MOVES = {-1: "west", 1: "east"}, {-1: "south", 1: "north"}


def orientations(pattern: str) -> list[str]:
    """The nine signs of a pattern, row by row from the top, in all different orientations."""
    found, turned = [], pattern
    for _ in range(4):
        turned = "".join(turned[3 * (2 - x) + y] for y in range(3) for x in range(3))
        found += [turned, "".join(turned[3 * y : 3 * y + 3][::-1] for y in range(3))]
    return sorted(set(found))


@cache
def fits(pattern: str) -> Any:
    """The kernel ``fits(layout, view)`` of a pattern of nine signs: the empty points around which it fits.

    The neighbour in a direction is in a set where the set, moved the opposite way, has the point. Each moved set has a
    name of its own, so that it is computed once for all orientations.
    """
    lines, terms = [], []
    for turned in orientations(pattern):
        parts = ["vacant"]
        for place, sign in enumerate(turned):
            row, column = 1 - place // 3, place % 3 - 1
            if sign == "?" or (row == 0 and column == 0):
                continue
            negated, name = PATTERN_SIGNS[sign]
            moved, local = name, f"{name}_{place}"
            for axis, step in ((0, -column), (1, -row)):
                if step:
                    moved = f"bitboard.{_MOVES[axis][step]}({moved})"
            lines.append(f"    {local} = {moved}")
            parts.append(f"~{local}" if negated else local)
        terms.append(" & ".join(parts))
    source = [
        "def fitting(layout, view):",
        "    own, opponent, full = view.own, view.opponent, bitboard.full(layout)",
        "    vacant = full & ~(own | opponent)",
        *dict.fromkeys(lines),
        "    return " + " | ".join(f"({term})" for term in terms),
    ]
    namespace = dict(globals())
    exec("\n".join(source), namespace)
    return kernel(inline=True)(namespace["fitting"])


# --- operators ------------------------------------------------------------------------------------


@kernel(inline=True)
def first_of(layout, view, points, instead):
    """The set, or another set in lanes where it is empty: ``points or instead``."""
    return simd.choose(bitboard.any_point(points), points, instead)
