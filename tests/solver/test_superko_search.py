"""Small boards by superko: what histories are worth, and proofs whose replies are by position after some moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foogo.errors import ArgumentError
from foogo.solver.best_play import path_after
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.proof import save, verify
from foogo.solver.proof_checker import Checker
from foogo.solver.proof_checker_rules import SlowRules, State
from foogo.solver.small_board import Position
from foogo.solver.solution import Unsolved, solve
from foogo.solver.solver import Progress
from foogo.solver.superko_search import SuperkoSearch

RULE_SETS = [(rules, suicide) for rules in ("positional", "situational") for suicide in (False, True)]


@pytest.mark.parametrize(("rules", "suicide"), RULE_SETS)
def test_3x3_is_won_from_the_centre_by_every_rule_set(rules: str, suicide: bool, tmp_path: Path) -> None:
    solution = solve(3, 3, rules=rules, suicide=suicide)
    assert (solution.value, solution.best_moves, solution.method) == (9, ("B2",), "enumerate")
    file = tmp_path / "proof.json"
    assert save(solution, file) > 1000
    assert verify(file)["value"] == 9


def test_openings_of_3x3_by_superko() -> None:
    values = solve(3, 3, rules="positional", openings=True).opening_values
    corners, sides = (
        {values[vertex] for vertex in ("A1", "C1", "A3", "C3")},
        {values[v] for v in ("B1", "A2", "C2", "B3")},
    )
    assert (values["B2"], sides, corners, values["pass"]) == (9, {3}, {-9}, -9)


def test_the_four_rule_sets_agree_on_small_boards() -> None:
    for rules, suicide in RULE_SETS:
        for board, value in {(1, 1): 0, (1, 4): 4, (1, 6): 1, (2, 2): 1, (2, 3): 0, (2, 4): 8}.items():
            assert solve(*board, rules=rules, suicide=suicide, all_best=False).value == value, (board, rules, suicide)


VALUES_OF_A_FULL_SEARCH = {
    (1, 5): {"A1": -5, "B1": 0, "A1 B1": 0, "B1 pass A1": -5, "B1 D1": 0},
    (2, 3): {"A1": -6, "B1": -2, "A1 B1": -6, "B1 pass A1": -6, "B1 B2": -2},
}
"""Black's values after these moves, by alpha-beta search of all histories, which foogo once had.

All four rule sets agree on them, except on one."""


@pytest.mark.parametrize(("rules", "suicide"), RULE_SETS)
def test_values_are_those_of_a_full_search(rules: str, suicide: bool) -> None:
    for board, values in VALUES_OF_A_FULL_SEARCH.items():
        for moves, value in values.items():
            worth = 0 if (rules, moves, board) == ("positional", "B1 pass A1", (2, 3)) else value
            solution = solve(*board, moves=moves.split(), rules=rules, suicide=suicide, all_best=False)
            assert solution.value == worth, (board, moves)


@pytest.mark.parametrize(("rules", "suicide"), RULE_SETS)
def test_who_can_force_it_whatever_comes_back_has_it(rules: str, suicide: bool) -> None:
    solver = SuperkoSearch(1, 6, rules, suicide)
    path = path_after(solver, ["A1"])
    plans = 0
    for asked in range(-5, 7):
        for by_mover in (False, True):
            plan = solver.plan(path, asked, by_mover)
            gets = solver.at_least(path, asked) if by_mover else not solver.at_least(path, 1 - asked)
            assert gets or plan is None
            plans += plan is not None
    assert plans > 1


def test_forgetting_makes_no_difference() -> None:
    small, large = SuperkoSearch(1, 6, "situational", table_mb=1), SuperkoSearch(1, 6, "situational", table_mb=64)
    assert small.value([Position()]) == large.value([Position()]) == 1
    small.table_mb = 0
    assert small.at_least([Position()], 1)
    assert not small.at_least([Position()], 2)


def test_a_stopped_solver_has_what_is_forced_whatever_comes_back() -> None:
    with pytest.raises(Unsolved) as stopped:
        solve(3, 3, rules="positional", max_nodes=10)
    assert (stopped.value.lower, stopped.value.upper) == (2, 9)


def test_progress_is_told() -> None:
    told: list[Progress] = []
    solve(3, 3, rules="situational", progress=told.append)
    assert told
    assert {one.stage for one in told} == {"histories"}
    assert all(-9 <= one.lower <= one.upper <= 9 and 0 <= one.load <= 1 for one in told)


def test_a_proof_without_one_of_its_replies_fails(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    save(solve(2, 3, rules="positional"), file)
    document = json.loads(file.read_text())
    by_position = [line for line, reply in document["white"].items() if isinstance(reply, dict)]
    assert by_position
    for line in by_position[:20]:
        replies = dict(document["white"][line])
        if replies:
            del replies[next(iter(replies))]
            file.write_text(json.dumps({**document, "white": {**document["white"], line: replies}}))
            with pytest.raises(ArgumentError, match="no reply"):
                verify(file)


ONE, TWO = 0b001, 0b100


@pytest.mark.parametrize(
    ("first", "fails"),
    [
        (
            State(ONE, TWO, 0, False, True),
            {"positional", "situational"},
        ),  # Black passed here, and comes back by a stone
        (State(ONE, TWO, 0, True, False), {"positional"}),  # Black was to move
        (State(ONE, 0, 0, False, False), set()),
    ],
)
@pytest.mark.parametrize("rules", ["positional", "situational"])
def test_a_reply_may_not_bring_back_stones_of_a_line_that_leads_to_it(
    rules: str, first: State, fails: set[str]
) -> None:
    checker = Checker(SlowRules(1, 3, rules, False), 1, True, {}, by_line=False)
    states: list[State] = [first, State(0, TWO, 0, True, False), State(ONE, TWO, 0, False, False)]
    if rules in fails:
        with pytest.raises(ArgumentError, match="brings back"):
            checker.check_returns(states, [[1], [2], []])
    else:
        checker.check_returns(states, [[1], [2], []])
    checker.check_returns(states, [[1], [], []])  # no line leads there


def test_a_reply_to_a_pass_may_end_the_game() -> None:
    solver = SuperkoSearch(1, 3, "positional")
    path = path_after(solver, ["B1", "pass"])
    assert solver.reply(path, 3) == PASS_MOVE
    assert list(solver.keeping(path, 3)) == []
    assert solver.value(path) == 3
