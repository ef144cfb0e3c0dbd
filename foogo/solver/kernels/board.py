"""Positions of small boards as two words: moves, area, unconditional life, and one key for all symmetric ones.

Bit ``row * cols + col`` of a word is that point, so 30 points fit. A position is seen by its mover: `own` and
`other` stones, the `ko` bit that the mover may not play on (0 for none), and whether the last move was a pass.
Swapping the colours with the turn makes a position and its negative one entry of the table.

All words are int64 with the sign bit clear: Numba turns int64 with uint64 into float64.

`Shape` is what a kernel has to know of a board; `symmetry_tables` and `point_maps` are the rest.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel

MAX_POINTS = 30
"""Points of the largest board: twice as many bits and the pass must fit one key."""

CHUNK = 8
"""Points that a symmetry moves at one look into its table."""

CHUNKS = 4

KEY_POINTS = MAX_POINTS
PASSED_BIT = 2 * KEY_POINTS
"""Key: bits 0-29 own, 30-59 other, 60 whether a pass came last. The ko point, which is empty, has both colours."""

MAX_STRINGS = 32

Shape = namedtuple("Shape", ["cols", "points", "full", "not_last", "not_first"])
"""Columns, points, and masks: all points, those outside the last column, those outside the first."""


def shape_of(rows: int, cols: int) -> Shape:
    """The shape of a board of that many rows and columns."""
    points = rows * cols
    last = sum(1 << (row * cols + cols - 1) for row in range(rows))
    first = sum(1 << (row * cols) for row in range(rows))
    full = (1 << points) - 1
    return Shape(cols, points, full, full & ~last, full & ~first)


def point_maps(rows: int, cols: int) -> np.ndarray:
    """Where each symmetry takes each point: int64[symmetries, points], the identity first."""
    maps = []
    for transpose in (False, True) if rows == cols else (False,):
        for flip_rows in (False, True):
            for flip_cols in (False, True):
                image = []
                for point in range(rows * cols):
                    row, col = divmod(point, cols)
                    row = rows - 1 - row if flip_rows else row
                    col = cols - 1 - col if flip_cols else col
                    image.append(col * cols + row if transpose else row * cols + col)
                maps.append(image)
    unique = sorted({tuple(image) for image in maps}, key=lambda image: (image != tuple(range(rows * cols)), image))
    return np.array(unique, dtype=np.int64)


def symmetry_tables(maps: np.ndarray) -> np.ndarray:
    """The image of every chunk of 8 points under every symmetry: int32[symmetries, 4, 256]."""
    tables = np.zeros((len(maps), CHUNKS, 1 << CHUNK), dtype=np.int32)
    for s, image in enumerate(maps):
        for chunk in range(CHUNKS):
            for bits in range(1 << CHUNK):
                word = 0
                for i in range(CHUNK):
                    point = chunk * CHUNK + i
                    if bits >> i & 1 and point < len(image):
                        word |= 1 << int(image[point])
                tables[s, chunk, bits] = word
    return tables


@kernel(inline=True)
def count(word):
    """How many points are in `word`."""
    return population(np.uint64(word))


@kernel(inline=True)
def first(word):
    """The lowest point of `word`, which is not empty."""
    return lowest(np.uint64(word))


@kernel(inline=True)
def around(shape, word):
    """The points next to those of `word`; some of them may be in it."""
    beside = ((word & shape.not_last) << 1) | ((word & shape.not_first) >> 1)
    return (beside | (word << shape.cols) | (word >> shape.cols)) & shape.full


@kernel(inline=True)
def flood(shape, seed, inside):
    """The points of `inside` connected within it to those of `seed` that are in it."""
    found = seed & inside
    grown = (found | around(shape, found)) & inside
    while grown != found:
        found = grown
        grown = (found | around(shape, found)) & inside
    return found


@kernel
def play_point(shape, own, other, point, suicide):
    """Place a stone of the mover on an empty point that is not its ko.

    Returns
    -------
    tuple of int
        Own stones, other stones, the ko bit for the other player, and whether the move is legal.
    """
    stone = 1 << point
    own |= stone
    beside = around(shape, stone)
    captured = 0
    threatened = beside & other
    empty = shape.full & ~(own | other)
    while threatened:
        string = flood(shape, threatened & -threatened, other)
        threatened &= ~string
        if not around(shape, string) & empty:
            captured |= string
    if captured:
        ko = 0
        if count(captured) == 1 and not beside & own and not beside & empty:
            ko = captured
        return own, other & ~captured, ko, True
    if beside & empty:
        return own, other, 0, True
    string = flood(shape, stone, own)
    if around(shape, string) & empty:
        return own, other, 0, True
    if not suicide or string == stone:
        return own, other, 0, False
    return own & ~string, other, 0, True


@kernel
def area_of(shape, own, other):
    """The mover's area less the other's: stones, and empty regions that reach one colour only."""
    empty = shape.full & ~(own | other)
    mine = flood(shape, around(shape, own), empty)
    theirs = flood(shape, around(shape, other), empty)
    return count(own | (mine & ~theirs)) - count(other | (theirs & ~mine))


@kernel
def in_atari(shape, stones, empty):
    """The stones of those whose string has one liberty."""
    found = 0
    while stones:
        string = flood(shape, stones & -stones, stones)
        stones &= ~string
        liberties = around(shape, string) & empty
        if liberties & (liberties - 1) == 0:
            found |= string
    return found


@kernel
def nearer(shape, own, other):
    """Own stones and empty points nearer to them, up to three steps, less the other's."""
    for _ in range(3):
        empty = shape.full & ~(own | other)
        if not empty:
            break
        near, far = around(shape, own) & empty, around(shape, other) & empty
        own |= near & ~far
        other |= far & ~near
    return count(own) - count(other)


@kernel
def living(shape, own, other, strict, least, scratch):
    """The unconditionally alive stones of `own`, and the points that they can certainly have at the end.

    Benson's algorithm: a string lives if it has two vital regions, a region is vital to it if each of its
    empty points is a liberty of it, and regions next to a string that does not live do not count.

    That is enough to live, but not always to capture what is dead: where the other side's stones stand on points
    that the string does not touch, capturing them may leave no eye. On one row of 12 points, ``OO.XXXXXX.OO``, black
    can take either pair, not both. So a string that lives is *settled* if it has two vital regions of which at most
    one point is not next to it (on one row or column, none). Such a region remains an eye whatever is captured in it:
    if that point is empty then, so are all its neighbours, of which there are two or more; the other side can take one,
    and the string another. What settled stones enclose is theirs, dead stones of either side with it, if the other
    side cannot have two eyes in it: of its points that no settled stone touches, no two are apart.

    With `strict` only regions of one empty point count, which are safe even if their owner does nothing but
    pass, as superko may force him to, and even if suicide is allowed. Whoever has no use for fewer than `least`
    points may get nothing instead of them. `scratch` is int64[2, MAX_STRINGS].

    References
    ----------
    D. B. Benson, Life in the Game of Go, Information Sciences 10 (1976).
    """
    if not own:
        return 0, 0
    regions, strings = scratch[0], scratch[1]
    region_count = eyes = 0
    most = own
    rest = shape.full & ~own
    empty = shape.full & ~(own | other)
    touched = around(shape, own)
    while rest:
        region = flood(shape, rest & -rest, rest)
        rest &= ~region
        if not strict or region & (region - 1) == 0:
            regions[region_count] = region
            region_count += 1
            eyes += not region & empty & ~touched
            if not has_two_apart(shape, region & ~touched):
                most |= region
    if eyes < 2 or count(most) < least:
        return 0, 0
    string_count = 0
    rest = own
    while rest:
        strings[string_count] = flood(shape, rest & -rest, rest)
        rest &= ~strings[string_count]
        string_count += 1
    alive, region_count = _with_two_regions(
        shape, own, own, empty, shape.points, strings, string_count, regions, region_count
    )
    if not alive:
        return 0, 0
    aside = 1 if 1 < shape.cols < shape.points else 0
    settled, region_count = _with_two_regions(
        shape, own, alive, empty, aside, strings, string_count, regions, region_count
    )
    safe = alive
    if strict:
        for r in range(region_count):
            safe |= regions[r]
        return alive, safe
    touched = around(shape, settled)
    rest = shape.full & ~settled if settled else 0
    while rest:
        region = flood(shape, rest & -rest, rest)
        rest &= ~region
        if not has_two_apart(shape, region & ~touched):
            safe |= region
    return alive, safe


@kernel
def _with_two_regions(shape, own, alive, empty, aside, strings, string_count, regions, region_count):
    """The strings of `alive` with two regions of which no empty point and at most `aside` others are not next to it.

    Regions next to stones of `own` outside the result do not count, and are taken from the list; also how many remain.
    """
    changed = True
    while changed and alive:
        changed = False
        for s in range(string_count):
            if strings[s] & alive:
                liberties = around(shape, strings[s])
                vital = 0
                for r in range(region_count):
                    apart = regions[r] & ~liberties
                    if apart != regions[r] and not apart & empty and count(apart) <= aside:
                        vital += 1
                if vital < 2:
                    alive &= ~strings[s]
                    changed = True
        kept = 0
        for r in range(region_count):
            if not around(shape, regions[r]) & own & ~alive:
                regions[kept] = regions[r]
                kept += 1
        changed = changed or kept < region_count
        region_count = kept
    return alive, region_count


@kernel(inline=True)
def has_two_apart(shape, points):
    """Whether two of the points are neither the same nor next to each other."""
    lone = points & -points
    return points & ~(lone | around(shape, lone)) != 0 or count(points) > 2


@kernel
def certain(shape, own, other, passed, attacks, asked, regions):
    """1 if the attacker plainly forces what is asked, 0 if he plainly does not, -1 if that takes a search.

    The mover, who may be the attacker, has `own`; `regions` is the scratch of `living`.
    """
    if passed:
        lead = area_of(shape, own, other)
        if attacks and lead >= asked:
            return 1
        if not attacks and -lead < asked:
            return 0
    if not attacks:
        own, other = other, own
    _, mine = living(shape, own, other, False, (shape.points + asked + 1) >> 1, regions)
    if 2 * count(mine) - shape.points >= asked:
        return 1
    _, theirs = living(shape, other, own, False, ((shape.points - asked) >> 1) + 1, regions)
    return 0 if shape.points - 2 * count(theirs) < asked else -1


@kernel(inline=True)
def plain_key(own, other, ko, passed):
    """One number that stands for the position and no other."""
    return (own | ko) | (other | ko) << KEY_POINTS | passed << PASSED_BIT


@kernel(inline=True)
def _image(tables, s, word):
    return (
        np.int64(tables[s, 0, word & 255])
        | np.int64(tables[s, 1, word >> 8 & 255])
        | np.int64(tables[s, 2, word >> 16 & 255])
        | np.int64(tables[s, 3, word >> 24])
    )


@kernel
def shared_key(tables, own, other, ko, passed, symmetric):
    """The least key of all symmetric positions, and the number of a symmetry that leads to it."""
    mine, theirs = own | ko, other | ko
    best, best_symmetry = mine | theirs << KEY_POINTS, 0
    if symmetric:
        for s in range(1, len(tables)):
            high = _image(tables, s, theirs)
            if high <= best >> KEY_POINTS:
                key = _image(tables, s, mine) | high << KEY_POINTS
                if key < best:
                    best, best_symmetry = key, s
    return best | passed << PASSED_BIT, best_symmetry


@kernel
def least_image(tables, first, second, ko):
    """The least of the images of two sets and a ko bit under all symmetries, compared in that order."""
    best = np.int64(first), np.int64(second), np.int64(ko)
    for s in range(1, len(tables)):
        one = _image(tables, s, first)
        if one > best[0]:
            continue
        other, forbidden = _image(tables, s, second), _image(tables, s, ko)
        if one < best[0] or other < best[1] or (other == best[1] and forbidden < best[2]):
            best = one, other, forbidden
    return best
