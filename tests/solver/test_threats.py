"""Threats of the attacker in proof-number search: which moves of the defender they answer, by the enumeration."""

from __future__ import annotations

import random

import numpy as np
import pytest

from foogo.solver import solve
from foogo.solver.kernels import board as words
from foogo.solver.kernels.threats import points_against_threats
from foogo.solver.space import Space
from tests.solver_games import random_position

SCRATCH = np.zeros((2, words.MAX_STRINGS), dtype=np.int64)


@pytest.mark.parametrize(("rows", "cols", "least"), [(3, 3, 60), (3, 4, 200), (2, 6, 200), (1, 12, 60), (4, 4, 200)])
def test_a_threat_is_left_by_every_move_that_need_not_be_played(rows: int, cols: int, least: int) -> None:
    """And by a pass; of the moves that must be played some do meet the threats."""
    chance, space = random.Random(7), Space(rows, cols, "draw")
    shape, idle, met = space.shape, 0, 0
    for _ in range(6000):
        at = random_position(space, chance.randint(rows * cols // 2, 3 * rows * cols), chance)
        asked = chance.randint(1, rows * cols)
        must = int(points_against_threats(shape, at.other, at.own, asked, SCRATCH))
        if must == shape.full or at.passed:
            continue
        for move in [*range(space.points), 30]:
            after = space.play(at, move)
            if after is not None and not must >> move & 1:
                assert space.value([after]) >= asked, (at, asked, move)
                idle += 1
            elif after is not None and space.value([after]) < asked:
                met += 1
    assert idle > least, idle
    assert met > least // 10, met


def test_against_two_threats_nothing_need_be_tried() -> None:
    """Three stones have no threat; with two or three above them several moves decide, and no reply meets them all."""
    shape = words.shape_of(2, 5)
    row, end = 0b11111, 0b11111 << 5
    own = end & ~(1 << 5) & ~(1 << 9)
    assert points_against_threats(shape, own, 0, 10, SCRATCH) == shape.full
    assert points_against_threats(shape, own | row & 0b01010, 0, 10, SCRATCH) != shape.full
    assert points_against_threats(shape, own | row & 0b01110, 0, 10, SCRATCH) == 0


def test_they_spare_nodes_and_change_no_answer() -> None:
    nodes = {}
    for without in ((), ("threats",), ("lessons",)):
        solution = solve(3, 5, rules="draw", method="force", without=without)
        assert solution.value == 15
        nodes[without] = solution.nodes
    assert nodes[()] < nodes["threats",]
    assert nodes[()] == nodes["lessons",]  # there is none on so small a board
