"""The exact values that studies are compared with, solved again."""

from __future__ import annotations

import pytest

from foogo.solver import solve
from foogo.study.report.exact_scores import EXACT, SOLVED_HERE, SOLVED_MIGOS, exact_score

SOLVED = [board for board, one in EXACT.items() if one.source == SOLVED_HERE]


@pytest.mark.parametrize(("rows", "cols"), SOLVED, ids=[f"{rows}x{cols}" for rows, cols in SOLVED])
def test_the_solver_finds_the_value_by_the_rules_of_studies(rows: int, cols: int) -> None:
    solution = solve(rows, cols, rules="positional", suicide=True, all_best=False, max_nodes=20_000_000)
    assert solution.value == EXACT[rows, cols].value


def test_what_takes_long_is_solved_as_published() -> None:
    assert {board for board in EXACT if board not in SOLVED} == {(4, 4), (5, 5)}
    assert EXACT[4, 4].source == SOLVED_MIGOS
    assert SOLVED_MIGOS in EXACT[5, 5].source
    assert "2003" in EXACT[5, 5].source
    assert exact_score(9) is None
