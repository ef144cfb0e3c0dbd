"""Counts of a cell's neighbours by colour: their packed format, and updates after a stone is placed or removed.

The counts of a cell are 16 bits:

=====  ================  ==================================================================================
bits   from              what is counted
=====  ================  ==================================================================================
0-5    `ORTHOGONAL_BIT`  black, then white neighbours, 3 bits each; cells beyond the edge count as both
6-11   `DIAGONAL_BIT`    black, then white diagonals, 3 bits each; a point at the edge starts with one of both
12-14  `EMPTY_BIT`       empty neighbours
15     `NOT_EMPTY`       set unless the cell is an empty point
=====  ================  ==================================================================================

So an empty point is Black's eye if it has four black neighbours and fewer than two white diagonals. A stone
placed or removed changes nine cells, three in each of three rows. `count_placed` and `count_removed` change
one row at a time, as a vector of four counts. They compare the new counts with those of an eye just made or broken.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from foogo.core.jit import kernel

ORTHOGONAL_BIT, DIAGONAL_BIT, EMPTY_BIT = 0, 6, 12
"""The lowest bit of each part of the counts."""

NOT_EMPTY = 0x8000

WORD, ROW = ir.IntType(64), ir.VectorType(ir.IntType(16), 4)


@kernel(inline=True)
def own_eye(color, neighbors):
    """Mask and value of the counts of an empty point with `neighbors` of `color` and the diagonals of its eye."""
    mine, theirs = 3 * (color - 1), 3 * (2 - color)
    # 6 drops the lowest bit of the enemy diagonals: an eye has 0 or 1.
    mask = NOT_EMPTY | 7 << ORTHOGONAL_BIT + mine | 6 << DIAGONAL_BIT + theirs
    return mask, neighbors << ORTHOGONAL_BIT + mine


@kernel(inline=True)
def enemy_eye(color, diagonals):
    """Mask and value of the counts of an empty point with four enemies of `color` and `diagonals` of `color`."""
    mine, theirs = 3 * (color - 1), 3 * (2 - color)
    mask = NOT_EMPTY | 7 << ORTHOGONAL_BIT + theirs | 7 << DIAGONAL_BIT + mine
    return mask, 4 << ORTHOGONAL_BIT + theirs | diagonals << DIAGONAL_BIT + mine


@kernel(inline=True)
def is_eye(counts, color):
    """Whether an empty point with these counts is an eye of `color`."""
    mask, value = own_eye(color, 4)
    return (counts & mask) == value


@intrinsic
def count_placed(typingctx, cells, at, stride, color):
    """Count a stone of `color` placed at ``cells[at]``; returns whether it made or broke an eye nearby."""
    result = types.boolean(types.CPointer(types.uint16), types.int64, types.int64, types.int64)
    return result, _change(True, "foogo_rows_placed")


@intrinsic
def count_removed(typingctx, cells, at, stride, color):
    """Count a stone of `color` removed from ``cells[at]``; returns whether it made or broke an eye nearby."""
    result = types.boolean(types.CPointer(types.uint16), types.int64, types.int64, types.int64)
    return result, _change(False, "foogo_rows_removed")


def _change(placed, name):
    """The code of `count_placed` or `count_removed`."""

    def codegen(context, builder, signature, args):
        cells, at, stride, color = args
        table = _table(builder.module, name, _rows(placed))
        first = builder.mul(builder.sub(color, ir.Constant(WORD, 1)), ir.Constant(WORD, 6))

        def constant(i):
            index = builder.add(first, ir.Constant(WORD, i))
            return builder.bitcast(builder.load(builder.gep(table, [ir.Constant(WORD, 0), index])), ROW)

        # Each row is one 64-bit load, add and store of four counts; the fourth lane adds 0.
        events = []
        north, south = builder.add(at, stride), builder.sub(at, stride)
        for center, i in ((north, 0), (south, 0), (at, 3)):
            place = builder.gep(cells, [builder.sub(center, ir.Constant(WORD, 1))])
            pointer = builder.bitcast(place, ROW.as_pointer())
            counts = builder.add(builder.load(pointer, align=2), constant(i))
            builder.store(counts, pointer, align=2)
            events.append(builder.icmp_unsigned("==", builder.and_(counts, constant(i + 1)), constant(i + 2)))
        either = builder.or_(builder.or_(events[0], events[1]), events[2])
        lanes = builder.bitcast(either, ir.IntType(4))
        return builder.icmp_unsigned("!=", lanes, ir.Constant(ir.IntType(4), 0))

    return codegen


def _table(module, name, values):
    """A constant array in the compiled module."""
    if name in module.globals:
        return module.globals[name]
    array = ir.ArrayType(WORD, len(values))
    table = ir.GlobalVariable(module, array, name)
    table.linkage = "internal"
    table.global_constant = True
    table.initializer = ir.Constant(array, values)
    return table


def _rows(placed):
    """For each colour: increments, masks and values of a row above or below the stone, then of its own row."""
    table = []
    for color in (1, 2):
        sign = 1 if placed else -1
        orthogonal = sign * ((1 << ORTHOGONAL_BIT + 3 * (color - 1)) - (1 << EMPTY_BIT))
        diagonal = sign << DIAGONAL_BIT + 3 * (color - 1)
        near, near_value = own_eye.py_func(color, 4 if placed else 3)
        far, far_value = enemy_eye.py_func(color, 2 if placed else 1)
        # A lane that must never match has mask 0 and value 1. Adding `NOT_EMPTY` to 16 bits flips the top bit.
        table += [(diagonal, orthogonal, diagonal, 0), (far, near, far, 0)]
        table += [(far_value, near_value, far_value, 1)]
        table += [(orthogonal, NOT_EMPTY, orthogonal, 0), (near, 0, near, 0), (near_value, 1, near_value, 1)]
    return [sum((lane & 0xFFFF) << 16 * i for i, lane in enumerate(row)) for row in table]
