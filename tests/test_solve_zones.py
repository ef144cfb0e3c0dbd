"""Zones of proofs: with more stones of the defender outside them the attacker still forces it, says the enumeration."""

from __future__ import annotations

import random

import numpy as np
import pytest

from foogo.kernels import solver_board as words
from foogo.kernels import solver_entries as entries
from foogo.kernels import solver_forcing as kernels
from foogo.kernels.solver_table import OFFSET
from foogo.kernels.solver_zones import threats
from foogo.solve import solve
from foogo.solve.board import Position
from foogo.solve.forcing import Forcing
from foogo.solve.space import Space
from tests.solver_games import random_position

SCRATCH = np.zeros((2, words.MAX_STRINGS), dtype=np.int64)


def has_liberties(shape: words.Shape, own: int, other: int) -> bool:
    """Whether every string has one."""
    empty = shape.full & ~(own | other)
    for stones in (own, other):
        rest = stones
        while rest:
            string = int(words.flood(shape, rest & -rest, stones))
            rest &= ~string
            if not words.around(shape, string) & empty:
                return False
    return True


def proofs(forcing: Forcing) -> list[tuple[Position, int, int, int]]:
    """Position, whether the attacker is to move, what is asked, and the zone, of all proofs in the table."""
    found = []
    points = (1 << words.KEY_POINTS) - 1
    for key, data in forcing.table.tolist():
        if key != -1 and data >> entries.PROVEN & 1:
            own, other = key & points, key >> words.KEY_POINTS & points
            at = Position(own & ~(own & other), other & ~(own & other), own & other, key >> words.PASSED_BIT & 1)
            asked = (data >> entries.ASKED & 63) - OFFSET
            found.append((at, key >> kernels.ATTACKS_BIT & 1, asked, int(entries.zone_in(forcing.shape, data))))
    return found


def worth(space: Space, at: Position, attacks: int) -> int:
    """The value for the attacker."""
    value = space.value([at])
    return value if attacks else -value


@pytest.mark.parametrize("rule", ["draw", "migos"])
@pytest.mark.parametrize(("rows", "cols", "most", "least"), [(3, 3, 8, 100), (3, 4, 10, 1500), (2, 6, 10, 2000)])
def test_more_stones_outside_the_zone_do_not_help(rule: str, rows: int, cols: int, most: int, least: int) -> None:
    chance, space = random.Random(5), Space(rows, cols, rule)
    forcing = Forcing(rows, cols, "draw", table_mb=16)
    for _ in range(400):
        at = random_position(space, chance.randint(most // 2, most), chance)
        forcing.at_least([at], chance.randint(1, rows * cols))
    tried = 0
    for at, attacks, asked, zone in proofs(forcing):
        assert worth(space, at, attacks) >= asked
        free = forcing.shape.full & ~(at.own | at.other | at.ko | zone)
        for _ in range(4):
            more = sum(1 << point for point in range(forcing.points) if free >> point & 1 and chance.random() < 0.4)
            own, other = (at.own, at.other | more) if attacks else (at.own | more, at.other)
            if zone == forcing.shape.full or not more or not has_liberties(forcing.shape, own, other):
                continue
            tried += 1
            # what the defender does instead of passing is no pass
            passed = chance.randint(0, at.passed) if attacks else at.passed
            assert worth(space, Position(own, other, at.ko, passed), attacks) >= asked, (at, attacks, asked, zone, more)
    assert tried > least, tried


def test_zones_and_threats_spare_nodes_and_change_no_answer() -> None:
    nodes = {}
    for without in ((), ("zones",), ("threats",), ("threats", "zones"), ("lessons",)):
        solution = solve(3, 5, rules="draw", method="force", without=without)
        assert solution.value == 15
        nodes[without] = solution.nodes
    assert nodes[()] < nodes["zones",] < nodes["threats", "zones"]
    assert nodes[()] < nodes["threats",] < nodes["threats", "zones"]
    assert nodes[()] == nodes["lessons",]  # there is none on so small a board


@pytest.mark.parametrize(("rows", "cols", "least"), [(3, 3, 30), (3, 4, 100), (2, 6, 60)])
def test_a_threat_is_left_by_every_move_that_need_not_be_played(rows: int, cols: int, least: int) -> None:
    """Against the enumeration; and there are moves that must be played and moves that must not."""
    chance, space = random.Random(7), Space(rows, cols, "draw")
    shape, idle, met = space.shape, 0, 0
    for _ in range(3000):
        at = random_position(space, chance.randint(4, 14), chance)
        asked = chance.randint(1, rows * cols)
        must, _ = threats(shape, at.other, at.own, asked, SCRATCH)
        if must == shape.full or at.passed:
            continue
        for move in range(space.points):
            after = space.play(at, move)
            if after is not None and not must >> move & 1:
                assert space.value([after]) >= asked, (at, asked, move)
                idle += 1
            elif after is not None and space.value([after]) < asked:
                met += 1
    assert idle > least
    assert met > least // 10
