"""The operations of policies over Python's sets: slow, simple, and independent of the compiled ones.

Each operation takes the size of the board and the `View` first, as the compiled ones take the layout and theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from foogo.game.geometry import geometry
from foogo.playout.written.translator import PICK, SIGHT, fits_name, weighted_name

MASK = 0xFFFFFFFF
MOST_POINTS = 361
LARGEST, SMALLEST = 1e12, 1e-12
"""As docs/reference/playout.md defines weighted picks."""


class Points:
    """A set of points in the one game that is interpreted.

    Parameters
    ----------
    size
        Points on a side of the board.
    points
        Indexes of points.

    Examples
    --------
    >>> Points(9, [0, 10]) | Points(9, [40])
    {A1, B2, E5}
    """

    def __init__(self, size: int, points: Iterable[int] = ()) -> None:
        self.size, self.points = size, frozenset(points)

    def _with(self, sign: str, other: object, result: Callable[[frozenset[int]], frozenset[int]]) -> Points:
        if not isinstance(other, Points):
            raise TypeError(f"{sign} of a set and {other!r}: both must be sets")
        return Points(self.size, result(other.points))

    def __and__(self, other: object) -> Points:
        return self._with("&", other, self.points.__and__)

    def __or__(self, other: object) -> Points:
        return self._with("|", other, self.points.__or__)

    def __xor__(self, other: object) -> Points:
        return self._with("^", other, self.points.__xor__)

    def __bool__(self) -> bool:
        raise TypeError(
            "a set is neither true nor false, since many games are played at once: write `a or b` for the first set "
            "with a point, or see.where(condition, a, b)"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Points) and (self.size, self.points) == (other.size, other.points)

    def __hash__(self) -> int:
        return hash((self.size, self.points))

    def __repr__(self) -> str:
        return "{" + ", ".join(geometry(self.size).vertex(point) for point in sorted(self.points)) + "}"


class View(NamedTuple):
    """The position that a policy sees; the fields are those of `foogo.playout.kernels.sight.View`."""

    own: Points
    opponent: Points
    candidates: Points
    forbidden: Points
    short: Points
    last_move: Points
    before_last: Points
    number: int


def operations(arities: Iterable[int], patterns: Iterable[str]) -> dict[str, Any]:
    """The globals of a translated function, for the interpreter."""
    fits = {fits_name(pattern): partial(_fits, pattern) for pattern in patterns}
    weighted = {weighted_name(count): _weighted for count in arities}
    return {SIGHT: SIGHT_OPERATIONS, PICK: PICK_OPERATIONS, **weighted, **fits}


# --- what a policy sees ---------------------------------------------------------------------------


def _points_of(points: object) -> frozenset[int]:
    if not isinstance(points, Points):
        raise TypeError(f"{points!r} is not a set of points")
    return points.points


def _board(size: int, _view: View) -> Points:
    return Points(size, range(size * size))


def _empty(size: int, view: View) -> Points:
    return Points(size, set(range(size * size)) - view.own.points - view.opponent.points)


def _odd(size: int, _view: View) -> Points:
    return Points(size, (point for point in range(size * size) if sum(divmod(point, size)) % 2))


def _line(size: int, _view: View, number: int) -> Points:
    def line_of(point: int) -> int:
        row, column = divmod(point, size)
        return 1 + min(row, column, size - 1 - row, size - 1 - column)

    return Points(size, (point for point in range(size * size) if line_of(point) == number))


def _beside_at_least(size: int, points: object, least: int) -> Points:
    inside, neighbors = _points_of(points), geometry(size).neighbors
    return Points(size, (p for p in range(size * size) if len(inside.intersection(neighbors[p])) >= least))


def _beside(size: int, _view: View, points: object) -> Points:
    return _beside_at_least(size, points, 1)


def _beside_two(size: int, _view: View, points: object) -> Points:
    return _beside_at_least(size, points, 2)


def _around(size: int, _view: View, points: object) -> Points:
    inside, where = _points_of(points), geometry(size)
    return Points(size, inside.union(*(where.neighbors[p] + where.diagonals[p] for p in inside)))


def _shifted(rows: int, columns: int) -> Callable[..., Points]:
    def shift(size: int, _view: View, points: object) -> Points:
        places = (divmod(point, size) for point in _points_of(points))
        moved = ((row + rows, column + columns) for row, column in places)
        return Points(size, (r * size + c for r, c in moved if 0 <= r < size and 0 <= c < size))

    return shift


def string_at(size: int, stones: frozenset[int], point: int) -> frozenset[int]:
    """The string of the stone on `point`."""
    found, todo = {point}, [point]
    while todo:
        fresh = stones.intersection(geometry(size).neighbors[todo.pop()]) - found
        found |= fresh
        todo += fresh
    return frozenset(found)


def strings_of(size: int, own: frozenset[int], opponent: frozenset[int]) -> list[frozenset[int]]:
    """All strings of both colours."""
    found: list[frozenset[int]] = []
    for stones in (own, opponent):
        left = set(stones)
        while left:
            string = string_at(size, stones, min(left))
            left -= string
            found.append(string)
    return found


def liberties_of(size: int, string: frozenset[int], empty: frozenset[int]) -> frozenset[int]:
    """The empty points next to a string."""
    return empty.intersection(*[set().union(*(geometry(size).neighbors[stone] for stone in string))])


def _strings(size: int, view: View, points: object) -> Points:
    inside = _points_of(points)
    found = strings_of(size, view.own.points, view.opponent.points)
    return Points(size, frozenset().union(*(string for string in found if string & inside)))


def _in_atari(size: int, view: View) -> Points:
    empty = _empty(size, view).points
    found = strings_of(size, view.own.points, view.opponent.points)
    return Points(size, frozenset().union(*(one for one in found if len(liberties_of(size, one, empty)) == 1)))


def _vital(size: int, view: View) -> Points:
    empty, neighbors = _empty(size, view).points, geometry(size).neighbors

    def is_vital(point: int) -> bool:
        arms = empty.intersection(neighbors[point])
        if len(arms) < 2 or any(empty.intersection(neighbors[arm]) != {point} for arm in arms):
            return False
        rim = set().union(*(neighbors[p] for p in {point, *arms}))
        return not rim & view.own.points or not rim & view.opponent.points

    return Points(size, filter(is_vital, empty))


MOGO_PATTERNS = (
    "XOX...???", "XO....?.?", "XO?X..x.?", ".O.X.....", "XO?O.o?o?", "XO?O.X???", "?X?O.Oooo", "OX?o.O???",
    "X.?O.?###", "OX?X.O###", "?X?x.O###", "?XOx.x###", "?OXX.O###",
)  # fmt: skip
"""As docs/reference/playout.md draws them, row by row."""

_MEANING = {"X": "X", "O": "O", ".": ".", "#": "#", "x": "O.#", "o": "X.#", "?": "XO.#"}


def _matches(pattern: str, signs: str) -> bool:
    return all(sign in _MEANING[wanted] for wanted, sign in zip(pattern, signs, strict=True))


def _turned(signs: str) -> list[str]:
    """Nine signs in all eight orientations, with the colours as they are, and then exchanged."""
    found, rows = [], [signs[:3], signs[3:6], signs[6:]]
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        found += ["".join(rows), "".join(row[::-1] for row in rows)]
    return found + [one.translate(str.maketrans("XO", "OX")) for one in found]


def _signs_around(size: int, view: View, point: int) -> str:
    """The nine signs around a point, row by row from the top."""
    row, column = divmod(point, size)
    signs = ""
    for y in (row + 1, row, row - 1):
        for x in (column - 1, column, column + 1):
            there = y * size + x
            inside = 0 <= x < size and 0 <= y < size
            own, other = there in view.own.points, there in view.opponent.points
            signs += "#" if not inside else "X" if own else "O" if other else "."
    return signs


def _fits(pattern: str, size: int, view: View) -> Points:
    def fits(point: int) -> bool:
        return any(_matches(pattern, signs) for signs in _turned(_signs_around(size, view, point))[:8])

    return Points(size, filter(fits, _empty(size, view).points))


def _shaped(size: int, view: View) -> Points:
    def is_shaped(point: int) -> bool:
        seen = _turned(_signs_around(size, view, point))
        return any(_matches(pattern, signs) for pattern in MOGO_PATTERNS for signs in seen)

    empty = _empty(size, view).points
    return Points(size, filter(is_shaped, _around(size, view, view.last_move).points & empty))


def _where(_size: int, _view: View, condition: object, yes: object, no: object) -> Points:
    _points_of(yes), _points_of(no)
    chosen = yes if _points_of(condition) else no
    assert isinstance(chosen, Points)
    return chosen


def _others(size: int, _view: View, points: object) -> Points:
    return Points(size, frozenset(range(size * size)) - _points_of(points))


def _first_of(size: int, view: View, points: object, instead: object) -> Points:
    return _where(size, view, points, points, instead)


SIGHT_OPERATIONS = SimpleNamespace(
    board=_board, empty=_empty, odd=_odd, line=_line, beside=_beside, beside_two=_beside_two, around=_around,
    north=_shifted(1, 0), south=_shifted(-1, 0), east=_shifted(0, 1), west=_shifted(0, -1), strings=_strings,
    in_atari=_in_atari, vital=_vital, shaped=_shaped, where=_where, others=_others, first_of=_first_of,
)  # fmt: skip
"""What ``see.name`` stands for."""

# --- how it picks -----------------------------------------------------------------------------------


def mixed(number: int, salt: int) -> int:
    """The 32-bit number for one decision."""
    number = number + salt & MASK
    number = (number ^ number >> 16) * 0x7FEB352D & MASK
    number = (number ^ number >> 15) * 0x846CA68B & MASK
    return number ^ number >> 16


def _checked_chance(chance: Any) -> float:
    if not isinstance(chance, float | int) or not 0 <= chance <= 1:
        raise ValueError(f"the chance {chance!r} must be a number from 0 to 1")
    return chance


def _often(size: int, view: View, salt: int, chance: Any, points: object) -> Points:
    found = _points_of(points) & view.candidates.points
    return Points(size, found if mixed(view.number, salt) >> 1 < int(_checked_chance(chance) * 2**31) else ())


def _often_by_byte(byte: int) -> Callable[..., Points]:
    def often(size: int, view: View, chance: Any, points: object) -> Points:
        found = _points_of(points) & view.candidates.points
        happens = view.number >> 8 * byte & 255 < int(_checked_chance(chance) * 256)
        return Points(size, found if happens else ())

    return often


def _weighted(size: int, view: View, salt: int, *pairs: Any) -> Points:
    weights, sets = pairs[::2], [_points_of(one) & view.candidates.points for one in pairs[1::2]]
    for weight in weights:
        if not isinstance(weight, float | int) or not 0 <= weight <= LARGEST:
            raise ValueError(f"the weight {weight!r} must be a number from 0 to {LARGEST:g}")
    units, largest = MASK // (MOST_POINTS * len(sets)), max(SMALLEST, *weights)
    masses = [len(one) * int(weight * units / largest) for weight, one in zip(weights, sets, strict=True)]
    at = mixed(view.number, salt) * sum(masses) >> 32
    for mass, one in zip(masses, sets, strict=True):
        if at < mass:
            return Points(size, one)
        at -= mass
    return Points(size)


def _product(a: Any, b: Any) -> Any:
    return a * b


PICK_OPERATIONS = SimpleNamespace(
    product=_product, often=_often, **{f"often_by_byte_{byte}": _often_by_byte(byte) for byte in range(3)}
)
"""What ``pick.name`` stands for, except `weighted`."""
