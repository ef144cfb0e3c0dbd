"""The 3x3 patterns about the last move, as formulas over windows, against the oracle's comparison of signs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, patterns, sight
from foogo.playout.kernels.layout import Layout, scalar_layout, simd_layout
from tests import oracle, oracle_patterns, oracle_playouts
from tests.marks import slow

SIZES = [2, 4, 9, 13, 16, 17, 19]
MORE_SIZES = [3, 5, 14, 15]
"""Whose words are like those of one of `SIZES`."""
OWN, OPP, LAST, FOUND = range(4)


@kernel
def find(layout: Any, memory: Any, span: int) -> None:
    """The points about the last move that match, in every lane."""
    own, opp = bitboard.load_bits(layout, memory, OWN * span), bitboard.load_bits(layout, memory, OPP * span)
    last = bitboard.load_bits(layout, memory, LAST * span)
    found = patterns.matches(layout, own, opp, last) & sight.around(layout, None, last) & bitboard.full(layout)
    bitboard.store_bits(memory, FOUND * span, found)


def layouts(sizes: list[int]) -> list[Layout]:
    spare = [Layout(9, 32, 3, 16), Layout(9, 64, 6, 4)] if 9 in sizes else []
    return [*map(simd_layout, sizes), *map(scalar_layout, sizes), *spare]


@pytest.mark.parametrize("layout", [*layouts(SIZES), *map(slow, layouts(MORE_SIZES))], ids=str)
def test_the_formulas_match_what_the_signs_match(layout):
    """Random stones, one of them the last move: most lanes have it near an edge, where rows and columns are missing."""
    random, size, rounds = Random(layout.size), layout.size, max(2, 640 // layout.lanes)
    span = layout.words * layout.lanes
    seen = 0
    for _ in range(rounds):
        positions = [random_stones(random, size) for _ in range(layout.lanes)]
        lasts = [random.choice(sorted(p.black | p.white) or [0]) for p in positions]
        memory = np.zeros((4, layout.words, layout.lanes), f"u{layout.bits // 8}")
        for lane, (position, last) in enumerate(zip(positions, lasts, strict=True)):
            for part, points in ((OWN, position.black), (OPP, position.white), (LAST, [last])):
                memory[part, :, lane] = layout.pack(points)
        find(layout, memory.reshape(-1), span)
        for lane, (position, last) in enumerate(zip(positions, lasts, strict=True)):
            about = oracle.neighbors(size, last) | oracle.diagonals(size, last)
            fitting = [p for p in about & position.empty if oracle_playouts.fits_a_pattern(position, p)]
            assert memory[FOUND, :, lane].tolist() == layout.pack(fitting), f"{position}\n{last}"
            seen += len(fitting)
    assert seen > 20


def random_stones(random: Random, size: int) -> oracle.Position:
    """Stones anywhere, of any density; no matter whether they could stand so."""
    empty = random.random()
    signs = random.choices(".XO", [2 * empty, 1, 1], k=size * size)
    black, white = (frozenset(p for p, sign in enumerate(signs) if sign == color) for color in "XO")
    return oracle.Position(size, black, white)


def test_every_neighborhood_inside_is_met():
    """All 3^8 neighbourhoods of the point E5, the last move at one of its neighbours that has a stone."""
    layout = simd_layout(9)
    span, points = layout.words * layout.lanes, sorted(oracle.neighbors(9, 40) | oracle.diagonals(9, 40))
    for first in range(0, 3**8, layout.lanes):
        memory = np.zeros((4, layout.words, layout.lanes), f"u{layout.bits // 8}")
        wanted = []
        for lane in range(layout.lanes):
            signs = [(first + lane) // 3**i % 3 for i in range(8)]
            black, white = (frozenset(p for p, s in zip(points, signs, strict=True) if s == c) for c in (1, 2))
            last = min(black | white, default=31)
            for part, stones in ((OWN, black), (OPP, white), (LAST, [last])):
                memory[part, :, lane] = layout.pack(stones)
            wanted.append(oracle_playouts.fits_a_pattern(oracle.Position(9, black, white), 40))
        find(layout, memory.reshape(-1), span)
        word, bit = layout.bit(40)
        assert (memory[FOUND, word] >> bit & 1).astype(bool).tolist() == wanted


def test_the_documented_patterns_are_those_of_the_oracle():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "playout.md").read_text(encoding="utf-8")
    drawn = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    ") or not line)
    assert oracle_patterns.PATTERNS.strip() in drawn
    named = {signs.replace(" ", "") for signs in oracle_patterns.MOGO_PATTERNS.values()}
    assert len(named) == len(oracle_patterns.MOGO_PATTERNS) == 13
    assert {every for signs in named for every in oracle_patterns.in_all_ways(signs)} == oracle_patterns.every_pattern()
