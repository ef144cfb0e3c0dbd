"""Where things lie in the search tree's array, and what is done to a whole tile at once.

An *entry* is a move in the tree, numbered from 0; entry 0 is the root. The children of an entry lie side by side and
begin a tile, `TILE` entries whose fields are next to each other in memory: so selection and the AMAF update run over
them as vectors, and what one descent touches is in few lines of the cache, for a thread to fetch, or to take from
another. What is left over of a block's last tile is *padding*: entries that selection never chooses.

A tile has, as int32 numbers, a line of the cache of 64 bytes for each of

===============  ==============================================================================
field            what it holds
===============  ==============================================================================
`VISITS`         playouts below, those on their way included, and the visits that the prior is worth
`WINS`           half wins of them for the player of the move; a draw is one
`RAVE_VISITS`    playouts through the parent in which that player was the first to play the point
`RAVE_WINS`      half wins of them for that player
`MOVE`           the point, or `PASS`
`LEAD`           two lines of int64: the sum of Black's leads in the playouts below, before komi
===============  ==============================================================================

but that VISITS and WINS of an entry are next to each other, one int64, so that one addition is for both; and then for
each entry, next to each other, what does not change any more once it has children:

===============  ==============================================================================
`FIRST`          the first child; `LEAF`, or `GROWING` while a thread is making them
`COUNT`          how many children
`PRIOR_VISITS`   what of VISITS is the prior's
`PRIOR_WINS`     what of WINS is the prior's
===============  ==============================================================================
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.simd import broadcast, splat

TILE_BITS = 4

TILE = 1 << TILE_BITS

VISITS, WINS, RAVE_VISITS, RAVE_WINS, MOVE, LEAD = range(6)
LINES = 7
"""Lines of a tile for the fields above."""
FIRST, COUNT, PRIOR_VISITS, PRIOR_WINS = range(LINES, LINES + 4)
OWN = 4
"""Numbers of an entry that are next to each other."""

TILE_NUMBERS = TILE * (LINES + OWN)

ENTRY_BYTES = 4 * (LINES + OWN)

HALF_WIN = 1 << 32
"""What a half win counts in the int64 of VISITS and WINS; a visit counts 1."""

MOST_VISITS = (1 << 30) - (1 << 16)
"""Visits that a tree may count, of which all may be won."""

AMAF_HALF_WIN = 1 << 16
"""What a half win counts among the AMAF counts of a leaf, of 4,096 playouts at most; a playout counts 1."""

NO_POINT = 1
"""Places before the first point's in counts that MOVE is the index of: that of a pass."""

_LINE_NAMES = "visits", "wins", "rave_visits", "rave_wins", "move"
_OWN_NAMES = "first", "count", "prior_visits", "prior_wins"

ENTRY = np.dtype([*((name, np.int32) for name in (*_LINE_NAMES, *_OWN_NAMES)), ("lead", np.int64)])
"""An entry as `read` gives it."""


def new_tree(capacity: int) -> NDArray[np.int64]:
    """Memory of a tree of so many entries, whole tiles: touched as the tree grows, so that much costs nothing."""
    longs = capacity // TILE * TILE_NUMBERS // 2
    memory = np.empty(longs + 7, np.int64)
    at_line = -memory.ctypes.data // 8 % 8
    return memory[at_line : at_line + longs]


def read(memory: NDArray[np.int64], first: int, count: int) -> NDArray[np.void]:
    """A copy of `count` entries from `first` on, which begins a tile or is alone: (count,) of `ENTRY`."""
    tiles = memory.view(np.int32).reshape(-1, TILE_NUMBERS)[first // TILE : (first + count - 1) // TILE + 1]
    lines, own = tiles[:, : TILE * LINES].reshape(-1, LINES, TILE), tiles[:, TILE * LINES :].reshape(-1, OWN)
    here = slice(first % TILE, first % TILE + count)
    entries = np.empty(count, ENTRY)
    both = lines[:, : WINS + 1].reshape(-1, WINS + 1)
    for field, name in enumerate(_LINE_NAMES):
        entries[name] = both[here, field] if field <= WINS else lines[:, field].reshape(-1)[here]
    entries["lead"] = lines[:, LEAD:].copy().view(np.int64).reshape(-1)[here]
    for field, name in enumerate(_OWN_NAMES):
        entries[name] = own[here, field]
    return entries


@kernel(inline=True)
def at(field, entry):
    """Where a field of an entry lies."""
    tile, place = (entry >> TILE_BITS) * TILE_NUMBERS, entry & (TILE - 1)
    if field <= WINS:
        return tile + 2 * place + field
    if field < LINES:
        return tile + field * TILE + place
    return tile + TILE * LINES + place * OWN + field - LINES


@kernel(inline=True)
def both_at(entry):
    """Where the visits and wins of an entry lie, in one, among int64 numbers."""
    return (entry >> TILE_BITS) * (TILE_NUMBERS // 2) + (entry & (TILE - 1))


@kernel(inline=True)
def lead_at(entry):
    """Where the lead of an entry lies, among int64 numbers."""
    return (entry >> TILE_BITS) * (TILE_NUMBERS // 2) + LEAD * (TILE // 2) + (entry & (TILE - 1))


@kernel(inline=True)
def tiles_of(count):
    """How many tiles so many children begin."""
    return (count + TILE - 1) >> TILE_BITS


# --- sixteen entries at once ---------------------------------------------------------------------------

_INT, _FLOAT, _LONG = (ir.VectorType(kind, TILE) for kind in (ir.IntType(32), ir.FloatType(), ir.IntType(64)))


def _call(builder, name, result, *args):
    """A call of LLVM's intrinsic of that name."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _line(builder, tree, place, field):
    """A pointer to a line of numbers from that place on: of a tile, those of a field beyond `WINS`, among others."""
    where = builder.gep(tree, [builder.add(place, ir.Constant(ir.IntType(64), field * TILE))])
    return builder.bitcast(where, _INT.as_pointer())


def _visits_and_wins(builder, tree, place):
    """Those of the sixteen entries of a tile."""
    lines = ir.VectorType(_INT.element, 2 * TILE)
    both = builder.load(builder.bitcast(builder.gep(tree, [place]), lines.as_pointer()), align=4)
    turns = (ir.Constant(_INT, list(range(field, 2 * TILE, 2))) for field in (VISITS, WINS))
    return (builder.shuffle_vector(both, ir.Constant(lines, ir.Undefined), turn) for turn in turns)


def _best(context, builder, signature, args):
    tree, start, tiles, bias, rave, fresh, salt, *spread = args
    bias, rave, fresh, *spread = (broadcast(builder, _FLOAT, one) for one in (bias, rave, fresh, *spread))
    salt, places = broadcast(builder, _LONG, salt), ir.Constant(_LONG, list(range(TILE)))
    zero, one, half, scale = (splat(_FLOAT, number) for number in (0.0, 1.0, 0.5, float(1 << 20)))

    best = cgutils.alloca_once_value(builder, splat(_LONG, -(1 << 62)))
    with cgutils.for_range(builder, tiles) as loop:
        place = builder.add(start, builder.mul(loop.index, ir.Constant(_LONG.element, TILE_NUMBERS)))
        rave_lines = [builder.load(_line(builder, tree, place, field), align=4) for field in (RAVE_VISITS, RAVE_WINS)]
        fields = (*_visits_and_wins(builder, tree, place), *rave_lines)
        visits, wins, others, gains = (builder.sitofp(field, _FLOAT) for field in fields)
        others, gains = builder.fmul(rave, others), builder.fmul(rave, gains)
        trust = builder.fadd(one, builder.fmul(others, bias))
        if spread:
            twice = builder.fadd(spread[0], spread[0])
            wins = builder.fadd(wins, builder.fmul(twice, _call(builder, "llvm.sqrt.v16f32", _FLOAT, visits)))
        whole = builder.fadd(builder.fmul(visits, trust), others)
        value = builder.fdiv(builder.fmul(half, builder.fadd(builder.fmul(wins, trust), gains)), whole)
        value = builder.select(builder.fcmp_ordered(">", whole, zero), value, fresh)
        found = builder.sext(builder.fptosi(builder.fmul(value, scale), _INT), _LONG)
        index = builder.mul(loop.index, ir.Constant(_LONG.element, TILE))
        index = builder.xor(builder.add(broadcast(builder, _LONG, index), places), salt)
        key = builder.or_(builder.shl(found, splat(_LONG, 9)), index)
        most = builder.load(best)
        builder.store(builder.select(builder.icmp_signed(">", key, most), key, most), best)
    return _call(builder, "llvm.vector.reduce.smax.v16i64", _LONG.element, builder.load(best))


@intrinsic
def best_of(typingctx, tree, start, tiles, bias, rave, fresh, salt):
    """The largest key of a child, without exploration: its value and, in the last nine bits, its index ^ `salt`."""
    place, real = types.int64, types.float32
    return place(tree, place, place, real, real, real, place), _best


@intrinsic
def best_exploring(typingctx, tree, start, tiles, bias, rave, fresh, salt, spread):
    """The same with `spread` over the root of the visits on top."""
    place, real = types.int64, types.float32
    return place(tree, place, place, real, real, real, place, real), _best


def _taken(builder, first, second, turn):
    """A line of numbers of two others, whose places go on from the first to the second."""
    return builder.shuffle_vector(first, second, ir.Constant(_INT, turn))


@intrinsic
def lay(typingctx, tree, start, tiles, moves, visits, wins):
    """Write new entries: their moves, and the visits and half wins of their priors; all else is 0."""

    def codegen(context, builder, signature, args):
        tree, start, tiles, *given = args
        nothing, in_own = ir.Constant(_INT, None), ir.Constant(_INT, [0, 0, -1, -1] * (TILE // OWN))

        with cgutils.for_range(builder, tiles) as loop:
            first = builder.mul(loop.index, ir.Constant(_LONG.element, TILE))
            move, *prior = (builder.load(_line(builder, numbers, first, 0), align=4) for numbers in given)
            pairs = [[k + at + half for at in range(TILE // 2) for half in (0, TILE)] for k in (0, TILE // 2)]
            fours = [[k + at + half for at in range(OWN) for half in (0, TILE, 0, TILE)] for k in range(0, TILE, OWN)]
            both = [_taken(builder, *prior, turn) for turn in pairs]
            own = [builder.and_(_taken(builder, *prior, turn), in_own) for turn in fours]
            place = builder.add(start, builder.mul(loop.index, ir.Constant(_LONG.element, TILE_NUMBERS)))
            for line, numbers in enumerate((*both, nothing, nothing, move, nothing, nothing, *own)):
                builder.store(numbers, _line(builder, tree, place, line), align=4)
        return context.get_dummy_value()

    place = types.int64
    return types.none(tree, place, place, moves, visits, wins), codegen


@intrinsic
def credit(typingctx, tree, start, tiles, counts):
    """Add to the AMAF fields of each child the counts of its point, see `foogo.search.kernels.backup.back_up`."""

    def codegen(context, builder, signature, args):
        tree, start, tiles, counts = args
        everywhere = splat(ir.VectorType(ir.IntType(1), TILE), 1)
        origin = builder.ptrtoint(builder.gep(counts, [ir.Constant(_LONG.element, NO_POINT)]), _LONG.element)
        origin = broadcast(builder, _LONG, origin)
        nowhere, align = ir.Constant(_INT, ir.Undefined), ir.Constant(_INT.element, 4)

        with cgutils.for_range(builder, tiles) as loop:
            place = builder.add(start, builder.mul(loop.index, ir.Constant(_LONG.element, TILE_NUMBERS)))
            moves = builder.sext(builder.load(_line(builder, tree, place, MOVE), align=4), _LONG)
            where = builder.add(origin, builder.shl(moves, splat(_LONG, 2)))
            where = builder.inttoptr(where, ir.VectorType(_INT.element.as_pointer(), TILE))
            found = _call(builder, "llvm.masked.gather.v16i32.v16p0i32", _INT, where, align, everywhere, nowhere)
            visits = builder.and_(found, splat(_INT, AMAF_HALF_WIN - 1))
            wins = builder.lshr(found, splat(_INT, AMAF_HALF_WIN.bit_length() - 1))
            for field, more in ((RAVE_VISITS, visits), (RAVE_WINS, wins)):
                line = _line(builder, tree, place, field)
                builder.store(builder.add(builder.load(line, align=4), more), line, align=4)
        return context.get_dummy_value()

    return types.none(tree, types.int64, types.int64, counts), codegen
