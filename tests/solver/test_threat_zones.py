"""Threats of the attacker in proof-number search: which moves of the defender they answer, by the enumeration."""

from __future__ import annotations

import random

import pytest

from foogo.solver import solve
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels.life import new_life_memory
from foogo.solver.kernels.positions import shape_of
from foogo.solver.kernels.threat_zones import points_against_threats
from tests.marks import slow
from tests.solver_games import random_position

MEMORY = new_life_memory()


@pytest.mark.parametrize(
    ("rows", "cols", "least"), [(3, 3, 60), (3, 4, 200), (2, 6, 200), (1, 12, 60), slow(4, 4, 200)]
)
def test_a_threat_is_left_by_every_move_that_need_not_be_played(rows: int, cols: int, least: int) -> None:
    """And by a pass; of the moves that must be played some do meet the threats."""
    chance, enumeration = random.Random(7), Enumeration(rows, cols, "draw")
    shape, idle, met = enumeration.shape, 0, 0
    for _ in range(6000):
        at = random_position(enumeration, chance.randint(rows * cols // 2, 3 * rows * cols), chance)
        asked = chance.randint(1, rows * cols)
        must = int(points_against_threats(shape, at.other, at.own, asked, MEMORY))
        if must == shape.full or at.passed:
            continue
        for move in [*range(enumeration.points), 30]:
            after = enumeration.play(at, move)
            if after is not None and not must >> move & 1:
                assert enumeration.value([after]) >= asked, (at, asked, move)
                idle += 1
            elif after is not None and enumeration.value([after]) < asked:
                met += 1
    assert idle > least, idle
    assert met > least // 10, met


def test_against_two_threats_nothing_need_be_tried() -> None:
    """Three stones have no threat; with two or three above them several moves decide, and no reply meets them all."""
    shape = shape_of(2, 5)
    row, end = 0b11111, 0b11111 << 5
    own = end & ~(1 << 5) & ~(1 << 9)
    assert points_against_threats(shape, own, 0, 10, MEMORY) == shape.full
    assert points_against_threats(shape, own | row & 0b01010, 0, 10, MEMORY) != shape.full
    assert points_against_threats(shape, own | row & 0b01110, 0, 10, MEMORY) == 0


def test_they_spare_nodes() -> None:
    solution = solve(3, 5, rules="draw", method="force")
    assert solution.value == 15
    assert solution.nodes == 14_310  # 18,968 if threats are not looked for
