"""Saved proofs: the board they are replayed on, images of positions, older files, progress."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foogo.errors import ArgumentError
from foogo.solver import solve
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.proof import save, verify
from foogo.solver.proof_checker_rules import EMPTY, PASS, SlowRules, State
from foogo.solver.small_board import Position, SmallBoard
from foogo.solver.solver import Progress

BOARDS = [(1, 5, "migos"), (2, 2, "draw"), (3, 4, "migos"), (3, 3, "situational"), (4, 4, "draw"), (5, 6, "migos")]


OLD_FILES: dict[str, dict[str, Any]] = {
    "draw": {
        "format": "foogo solution 3", "rows": 1, "cols": 3, "rules": "draw", "suicide": False, "moves": [],
        "value": 3, "best_moves": ["B1"], "black": {"2 0 0 1 1": -1, "0 0 0 1 0": 1}, "white": {},
    },
    "positional": {
        "format": "foogo solution 3", "rows": 1, "cols": 4, "rules": "positional", "suicide": False,
        "moves": [1, 2, -1], "value": -4, "best_moves": ["A1"], "black": {}, "white": {"": 0, "0 -1": -1},
    },
}  # fmt: skip
"""Files that were written for solutions by the former method ``"search"``."""


def position_of(state: State) -> Position:
    own, other = state.stones if state.black_to_move else state.stones[::-1]
    return Position(own, other, state.ko, int(state.passed))


@pytest.mark.parametrize(("rows", "cols", "rules"), BOARDS)
@pytest.mark.parametrize("suicide", [False, True])
def test_the_checker_plays_by_the_rules_of_the_solver(rows: int, cols: int, rules: str, suicide: bool) -> None:
    suicide &= rules == "situational"
    chance = random.Random(cols)
    board, solver = SlowRules(rows, cols, rules, suicide), SmallBoard(rows, cols, rules, suicide)
    kos = removed = 0
    for _ in range(60):
        states, path = [EMPTY], [Position()]
        for _ in range(4 * rows * cols):
            state = states[-1]
            assert board.score(state) * (1 if state.black_to_move else -1) == solver.score(path[-1])
            legal = []
            for move in [PASS, *range(rows * cols)]:
                after = board.after(state, move, states)
                follows = solver.follow(path, PASS_MOVE if move == PASS else move)
                assert (after is None) == (follows is None)
                if after is not None and follows is not None:
                    ko = follows.ko if not board.superko else 0
                    assert position_of(after) == follows._replace(ko=ko), (state, move)
                    legal.append((after, follows))
            after, follows = chance.choice(legal[1:] or legal)
            kos += bool(after.ko)
            removed += (state.black | state.white) & ~(after.black | after.white) != 0
            states.append(after)
            path.append(follows)
    assert removed > 10
    assert kos or board.superko or (rows, cols) == (2, 2)


@pytest.mark.parametrize(("rows", "cols", "rules"), BOARDS)
def test_images_of_a_position_have_one_that_is_the_least(rows: int, cols: int, rules: str) -> None:
    chance, board, solver = random.Random(rows), SlowRules(rows, cols, rules, False), SmallBoard(rows, cols, rules)
    images = board.symmetries()
    assert len(images) == (8 if rows == cols else 4)
    for _ in range(100):
        colors = [chance.randrange(3) for _ in range(rows * cols)]
        point, to_move = chance.randrange(rows * cols), chance.random() < 0.5
        found = set()
        for image in images:
            black, white = (sum(1 << image[p] for p, c in enumerate(colors) if c == color) for color in (1, 2))
            found.add(State(black, white, 1 << image[point], to_move, False))
        least = {board.least(state) for state in found}
        assert least == {min(found, key=lambda state: state[:3])}
        assert {solver.least(position_of(state), to_move) for state in found} == {position_of(least.pop())}


def turned(board: SlowRules, replies: dict[str, int]) -> dict[str, int]:
    """Replies to all images of the positions."""
    found: dict[str, int] = {}
    for name, reply in replies.items():
        *sets, to_move, passed = (int(part) for part in name.split())
        for image in board.symmetries():
            moved = [sum(1 << image[point] for point in range(board.points) if one >> point & 1) for one in sets]
            found.setdefault(
                " ".join(map(str, [*moved, to_move, passed])), reply if reply == PASS else image[reply]
            )  # fmt: skip
    return found


@pytest.mark.parametrize(("rows", "cols", "rules"), [(1, 6, "migos"), (2, 2, "draw"), (2, 3, "migos"), (2, 4, "draw")])
def test_older_files_have_a_reply_to_every_image(tmp_path: Path, rows: int, cols: int, rules: str) -> None:
    file, board = tmp_path / "proof.json", SlowRules(rows, cols, rules, False)
    solution = solve(rows, cols, rules=rules)
    replies = save(solution, file)
    document: dict[str, Any] = json.loads(file.read_text())
    assert document["format"] == "foogo solution 3"
    assert replies == len(document["black"]) + len(document["white"])
    new = verify(file)
    for side in ("black", "white"):
        document[side] = turned(board, document[side])
    file.write_text(json.dumps({**document, "format": "foogo solution 2"}))
    old = verify(file)
    assert old["positions"] > 1.5 * new["positions"]
    assert {**old, "positions": 0} == {**new, "positions": 0}


@pytest.mark.parametrize(("rows", "cols", "moves", "rules"), [(1, 3, [], "draw"), (1, 4, [1, 2, -1], "positional")])
def test_files_of_a_method_that_is_gone_are_still_checked(
    tmp_path: Path, rows: int, cols: int, moves: list[int], rules: str
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(OLD_FILES[rules]))
    proven = verify(file)
    assert proven["value"] == OLD_FILES[rules]["value"]
    assert (proven["rows"], proven["cols"], proven["rules"], proven["moves"]) == (rows, cols, rules, moves)


def test_a_solution_of_a_method_that_is_gone_cannot_be_saved(tmp_path: Path) -> None:
    solution = replace(solve(1, 3), method="search")
    with pytest.raises(ArgumentError, match="'search' does not exist"):
        save(solution, tmp_path / "proof.json")


def test_images_make_a_proof_shorter_and_progress_is_told(tmp_path: Path) -> None:
    file = tmp_path / "proof.json.gz"
    written: list[Progress] = []
    replayed: list[int] = []
    assert save(solve(3, 4), file, progress=written.append) < 40_000
    assert any(one.stage == "10,000 replies written" for one in written)
    proven = verify(file, replayed.append)
    assert proven["value"] == 4
    assert replayed == list(range(1000, proven["positions"] + 1, 1000))
