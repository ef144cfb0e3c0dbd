"""Exact values against published ones and against a slow solver, position by position."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foogo
from foogo.cli import run
from foogo.errors import ArgumentError, RulesError
from foogo.solver import solution as solutions
from foogo.solver.best_play import best_moves
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels.life import certain, living, new_life_memory
from foogo.solver.kernels.positions import PASS_MOVE, shape_of
from foogo.solver.proof import save, verify
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import Position
from foogo.solver.solution import Solution, Unsolved, solve
from foogo.solver.solver import OutOfNodes
from foogo.solver.superko_search import SuperkoSearch
from tests import brute_solver as brute
from tests.marks import slow
from tests.solver_games import random_position


@pytest.mark.parametrize(
    ("rows", "cols", "value"),
    [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (2, 2, 0), (2, 3, 0), (2, 4, 8), (3, 3, 9), (3, 4, 4), (3, 5, 15)],
)
def test_what_can_be_forced_is_the_value_where_endless_play_is_worth_nothing(rows: int, cols: int, value: int) -> None:
    solution = solve(rows, cols, rules="draw", method="force", table_mb=64, all_best=False)
    assert (solution.value, solution.rules, solution.method) == (value, "draw", "force")


@pytest.mark.parametrize(("rows", "cols", "value"), [(3, 5, 15), (3, 6, 18), (2, 5, 10), (6, 2, 12)])
def test_whole_boards_are_forced_under_migos_too(rows: int, cols: int, value: int) -> None:
    solution = solve(rows, cols, method="force", table_mb=256, all_best=False)
    assert solution.value == value
    assert solution.pv[-2:] == ("pass", "pass")
    at, board = brute.Position("." * (rows * cols), "X"), ""
    for vertex in solution.pv[:-1]:
        point = None if vertex == "pass" else (int(vertex[1:]) - 1) * cols + "ABCDEF".index(vertex[0])
        at = brute.moves(rows, cols, at)[point]
        board = at.board
    assert brute.score(rows, cols, board) == value


@pytest.mark.parametrize(
    ("rows", "cols", "value"), [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (1, 5, 0), (1, 6, 1), (2, 2, 1)]
)
def test_published_values_under_positional_superko(rows: int, cols: int, value: int) -> None:
    assert solve(rows, cols, rules="positional", method="enumerate", table_mb=1, all_best=False).value == value


@pytest.mark.parametrize(("rules", "method"), [("migos", "enumerate"), ("draw", "enumerate"), ("draw", "force")])
def test_openings_of_3x3(rules: str, method: str) -> None:
    solution = solve(3, 3, rules=rules, method=method, openings=True, table_mb=16)
    values = solution.opening_values
    assert (values["B2"], values["B1"], values["A1"]) == (9, 3, -9)
    assert {values[vertex] for vertex in ("A2", "C2", "B3")} == {3}
    assert solution.best_moves == ("B2",)
    assert solution.pv[0] == "B2"


def test_solutions_are_equal_however_long_they_took() -> None:
    assert solve(2, 2) == solve(2, 2)
    assert solve(2, 2) != solve(2, 2, moves=["A1"])


def test_a_board_and_its_transpose_are_worth_the_same() -> None:
    assert solve(4, 2, table_mb=1).value == solve(2, 4, table_mb=1).value == 8


def slow_position(at: brute.Position) -> Position:
    own, other = (sum(1 << i for i, sign in enumerate(at.board) if sign == player) for player in
                  (at.player, brute.enemy(at.player)))  # fmt: skip
    return Position(own, other, 0 if at.ko is None else 1 << at.ko, int(at.passed))


def disagreements(rows: int, cols: int, sample: int | None = None) -> list[object]:
    """Positions of which value or best moves are not those of the slow solver."""
    values = brute.cycle_values(rows, cols)
    positions = sorted(values, key=str)
    if sample is not None:
        positions = random.Random(7).sample(positions, sample)
    solvers = Enumeration(rows, cols, "draw"), ProofNumberSearch(rows, cols, "draw", table_mb=4)
    wrong = list[object]()
    for at in positions:
        sign = 1 if at.player == "X" else -1
        path = [slow_position(at)]
        worth = {PASS_MOVE if move is None else move: sign * values[following]
                 for move, following in brute.moves(rows, cols, at).items()}  # fmt: skip
        if at.passed:
            worth[PASS_MOVE] = sign * brute.score(rows, cols, at.board)
        best = sorted(move for move in worth if worth[move] == sign * values[at])
        for solver in solvers:
            value = solver.value(path)
            found = best_moves(solver, path, value, every=True)
            if value != sign * values[at] or found != best:
                wrong.append((solver, at, value, found, values[at], best))
    return wrong


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 2)])
def test_every_position_has_the_value_and_best_moves_of_the_slow_solver(size: tuple[int, int]) -> None:
    assert disagreements(*size) == []


@pytest.mark.parametrize(("rows", "cols", "sample"), [(2, 3, 500), slow(3, 3, 800)])
def test_positions_of_larger_boards_agree_with_the_slow_solver(rows: int, cols: int, sample: int) -> None:
    assert disagreements(rows, cols, sample) == []


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 3)])
def test_what_can_be_forced_is_true_under_migos(rows: int, cols: int) -> None:
    """Positions of random games: a forced answer is that of the enumeration, most are forced, and replies keep them."""
    chance, decided = random.Random(5), 0
    enumeration, forcing = Enumeration(rows, cols, "migos"), ProofNumberSearch(rows, cols, "migos", table_mb=4)
    asked_of = [(chance.randint(0, 8), chance.randint(1 - rows * cols, rows * cols)) for _ in range(200)]
    for moves, asked in asked_of:
        at = random_position(enumeration, moves, chance)
        try:
            answer = forcing.at_least([at], asked)
        except OutOfNodes:
            continue
        decided += 1
        assert answer == (enumeration.value([at]) >= asked), (at, asked)
        if answer:
            move = forcing.reply([at], asked)
            after = forcing.play(at, move)
            assert after is not None
            assert (at.passed and move == PASS_MOVE) or -enumeration.value([after]) >= asked, (at, asked, move)
    assert decided > 120


@pytest.mark.parametrize("situational", [False, True])
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 3), (1, 4)])
def test_superko_agrees_with_the_whole_tree(size: tuple[int, int], situational: bool, suicide: bool) -> None:
    """From every position as if the game had begun there."""
    rule = "situational" if situational else "positional"
    solver = SuperkoSearch(*size, rule, suicide, table_mb=1)
    for board, player in product(brute.boards(*size), "XO"):
        at = brute.Position(board, player)
        slow = brute.superko_value(*size, at, situational=situational, suicide=suicide)
        assert solver.value([slow_position(at)]) == (slow if player == "X" else -slow), at


def slow_life(rows: int, cols: int, board: str, player: str) -> set[int]:
    """The stones that cannot be taken if their owner always passes: every order of enemy moves is tried."""
    alive = {point for point, sign in enumerate(board) if sign == player}
    other, seen, todo = brute.enemy(player), {board}, [board]
    while todo:
        at = brute.Position(todo.pop(), other)
        for point in range(rows * cols):
            following = brute.after(rows, cols, at, point)
            if following is not None and following.board not in seen:
                seen.add(following.board)
                todo.append(following.board)
                alive &= {stone for stone, sign in enumerate(following.board) if sign == player}
    return alive


@pytest.mark.parametrize(("rows", "cols"), [(1, 6), (2, 4), (3, 3), (3, 4)])
def test_unconditional_life_is_what_no_enemy_moves_can_take(rows: int, cols: int) -> None:
    chance = random.Random(rows * 10 + cols)
    shape, memory = shape_of(rows, cols), new_life_memory()
    lives = 0
    for _ in range(400):
        weights = chance.choice([(3, 5, 1), (3, 4, 2), (2, 5, 1)])
        board = "".join(chance.choices(".XO", weights, k=rows * cols))
        if not brute.all_breathe(rows, cols, board):
            continue
        own, other = (sum(1 << i for i, sign in enumerate(board) if sign == player) for player in "XO")
        alive, safe = living(shape, own, other, 0, memory)
        found = {point for point in range(rows * cols) if int(alive) >> point & 1}
        assert found == slow_life(rows, cols, board, "X"), board
        assert int(alive) & ~int(safe) == 0
        lives += bool(found)
    assert lives >= 9


@pytest.mark.parametrize(("rows", "cols", "least"), [(1, 12, 40), (2, 6, 200), (3, 4, 200), slow(4, 4, 200)])
def test_what_is_certain_is_what_the_enumeration_finds(rows: int, cols: int, least: int) -> None:
    """In random games, and for pairs at both ends of a row, of which only one can be captured."""
    chance, enumeration = random.Random(cols), Enumeration(rows, cols, "draw")
    memory = new_life_memory()
    positions = [random_position(enumeration, chance.randint(8, 60), chance) for _ in range(3000)]
    if rows == 1:
        positions.append(Position(0b110000000011, 0b000111111000))
        assert enumeration.value(positions[-1:]) == -7
    decided = 0
    for at in positions:
        for asked in (1, rows * cols // 2, rows * cols):
            answer = int(certain(enumeration.shape, at.own, at.other, at.passed, 1, asked, memory))
            decided += answer >= 0
            assert answer < 0 or (enumeration.value([at]) >= asked) == answer, (at, asked)
    assert decided > least, decided


@pytest.mark.parametrize(
    ("rows", "cols", "rules"),
    [(1, 4, "positional"), (2, 2, "migos"), (2, 2, "situational"), (3, 3, "migos"), (3, 3, "draw"), (1, 6, "migos")],
)
def test_a_saved_proof_is_checked_move_by_move(tmp_path: Path, rows: int, cols: int, rules: str) -> None:
    check_proof(solve(rows, cols, rules=rules, table_mb=4), rules, tmp_path / "proof.json")


@pytest.mark.parametrize("rules", ["migos", "draw"])
def test_a_proof_by_force_is_checked_too(tmp_path: Path, rules: str) -> None:
    check_proof(solve(2, 4, rules=rules, method="force"), rules, tmp_path / "proof.json")


def check_proof(solution: Solution, rules: str, path: Path) -> None:
    assert save(solution, path, table_mb=4) > 0
    proven = verify(path)
    assert (proven["value"], proven["rules"]) == (solution.value, rules)
    document = json.loads(path.read_text())
    for change in (1, -1):
        path.write_text(json.dumps({**document, "value": solution.value + change}))
        with pytest.raises(ArgumentError):
            verify(path)
    del document["black"][next(iter(document["black"]))]
    path.write_text(json.dumps(document))
    with pytest.raises(ArgumentError, match="no reply"):
        verify(path)


@pytest.mark.parametrize(("method", "rows"), [("enumerate", 3), ("force", 4)])
def test_a_stopped_solver_has_bounds(method: str, rows: int) -> None:
    with pytest.raises(Unsolved, match="between") as stopped:
        solve(rows, 5, method=method, table_mb=4, max_nodes=300_000)
    assert -5 * rows <= stopped.value.lower < stopped.value.upper <= 5 * rows


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows": 6, "cols": 6}, ArgumentError, "6x6 has 36 points"),
        ({"rows": 0, "cols": 3}, ArgumentError, "rows is 0"),
        ({"rows": 2, "cols": 2, "max_nodes": -1}, ArgumentError, "max_nodes is -1: it must be a whole number from 1"),
        ({"rows": 2, "cols": 2, "max_nodes": float("nan")}, ArgumentError, "max_nodes is nan"),
        ({"rows": 2, "cols": 2, "rules": "chess"}, RulesError, "rules 'chess'"),
        ({"rows": 2, "cols": 2, "suicide": True}, RulesError, "suicide"),
        ({"rows": 2, "cols": 2, "suicide": True, "rules": "draw"}, RulesError, "suicide with rules 'draw'"),
        ({"rows": 2, "cols": 2, "method": "guess"}, ArgumentError, "choose auto, enumerate or force"),
        ({"rows": 3, "cols": 6, "method": "enumerate"}, ArgumentError, "18 points .* at most 16"),
        ({"rows": 2, "cols": 2, "method": "search"}, ArgumentError, "'search' does not exist: choose auto, enumerate"),
        ({"rows": 2, "cols": 2, "method": "search", "rules": "positional"}, ArgumentError, "enumerate or force"),
        ({"rows": 2, "cols": 7, "method": "enumerate", "rules": "positional"}, ArgumentError, "at most 12 points"),
        ({"rows": 2, "cols": 7, "rules": "positional"}, ArgumentError, "14 points cannot be solved .* at most 12"),
        ({"rows": 4, "cols": 4, "rules": "situational"}, ArgumentError, "rules 'migos' and 'draw' have no such limit"),
        ({"rows": 2, "cols": 2, "method": "force", "rules": "positional"}, ArgumentError, "choose method 'enumerate'"),
    ],
)
def test_wrong_arguments(arguments: dict[str, int], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        solve(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [foogo.Board(3), foogo.Game(3)])
def test_a_position_is_given_by_its_moves(position: Any) -> None:
    with pytest.raises(ArgumentError, match=r"takes the sides of an empty board, such as solve\(3, 4\).* moves="):
        solve(position, 3)


def test_moves_have_an_order() -> None:
    with pytest.raises(ArgumentError, match="moves are {'B2'}: give a sequence of vertices"):
        solve(3, 3, moves={"B2"})  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [1, 1500])
def test_few_nodes_are_few(most: int) -> None:
    with pytest.raises(Unsolved) as stopped:
        solve(4, 5, max_nodes=most)
    assert most <= stopped.value.nodes < most + 100


def test_an_unsolved_board_says_whether_anything_is_proven() -> None:
    sent = pickle.loads(pickle.dumps(Unsolved(-9, 9, 1000, 9)))  # as a pool of processes does
    assert (str(sent), vars(sent)) == (str(Unsolved(-9, 9, 1000, 9)), {"lower": -9, "upper": 9, "nodes": 1000})
    assert str(Unsolved(-9, 9, 1000, 9)) == "nothing is proven yet: the value is between -9 and 9; 1,000 nodes"
    assert str(Unsolved(-9, 8, 1000, 9)) == "the value is between -9 and 8; 1,000 nodes"
    proven = "the value is 9, but which moves keep it is not proven; 1,000 nodes"
    assert str(Unsolved(9, 9, 1000, 9)) == proven


def test_public_names() -> None:
    assert foogo.solve is solve
    assert foogo.Solution is Solution


def test_the_two_kinds_of_rules_differ_on_2x2() -> None:
    """The row of docs/reference/rules.md: under superko nobody can go round for ever, and Black is one point ahead."""
    assert solve(2, 2, rules="migos", table_mb=1).value == 0
    assert solve(2, 2, rules="positional", table_mb=1).value == 1


def test_the_line_of_best_play_can_be_replayed() -> None:
    solution = solve(3, 3, table_mb=4)
    game = foogo.Game(3, "superko=simple suicide=no", komi=0)
    for vertex in solution.pv:
        game.play(vertex)
    assert game.result() == "B+9"


def test_the_command_prints_saves_and_verifies(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "2x2.json.gz")
    assert run(["solve", "2x2", "--rules", "positional", "--save", path]) == 0
    said = capfd.readouterr()
    assert said.out.startswith("2x2, positional: B+1\n")
    assert "replies written" in said.err
    assert run(["solve", "--verify", path]) == 0
    assert capfd.readouterr().out.startswith("2x2, positional: B+1 is proven, ")


@pytest.mark.parametrize(
    "given",
    [["4x4"], ["--moves", "B2"], ["--save", "b.json"], ["--rules", "draw"], ["--one-best"], ["--threads", "2"]],
)
def test_verify_stands_alone(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save(solve(2, 2, table_mb=1), "a.json")
    assert run(["solve", "--verify", "a.json", *given]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert "and --verify cannot both be given" in said.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"cannot read '.*': no such file or directory$"),
        (b"", "is not a saved solution, or is cut short"),
        (b"[" * 100_000, "is not a saved solution, or is cut short"),
        (b"two eyes", "is not a saved solution, or is cut short"),
        (gzip.compress(b"{}", mtime=0)[:-3], "is not a saved solution, or is cut short"),
        (gzip.compress(b"{}", mtime=0)[:10] + bytes([255]) * 9, "is not a saved solution, or is cut short"),
        (b"{}", "is not a saved solution: its format"),
    ],
)
def test_a_file_without_a_proof_is_told_in_words(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "a.json.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ArgumentError, match=message):
        verify(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "1"}, "'value' of the saved solution is '1': it must be a whole number"),
        ({"value": None}, "'value' of the saved solution is None"),
        ({"rows": 2.0}, "'rows' of the saved solution is 2.0"),
        ({"cols": True}, "'cols' of the saved solution is True"),
        ({"rules": ["draw"]}, "'rules' of the saved solution is .* it must be a text"),
        ({"suicide": 0}, "'suicide' of the saved solution is 0: it must be true or false"),
        ({"suicide": True}, "the saved solution allows suicide with rules draw: only superko rules have it"),
        ({"moves": "1"}, "'moves' of the saved solution is '1': it must be a list"),
        ({"moves": [True]}, "the saved solution has the move True: it must be a whole number"),
        ({"black": []}, "'black' of the saved solution is .* it must be an object"),
    ],
)
def test_a_file_with_values_of_wrong_types_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.json"
    save(solve(2, 2, rules="draw", table_mb=1), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ArgumentError, match=message):
        verify(path)


def test_the_title_names_suicide(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "a.json")
    assert run(["solve", "1x3", "--rules", "situational", "--suicide", "--save", path]) == 0
    assert capfd.readouterr().out.startswith("1x3, situational with suicide: ")
    assert run(["solve", "--verify", path]) == 0
    assert capfd.readouterr().out.startswith("1x3, situational with suicide: ")


@pytest.mark.parametrize("reply", ["A1", None, 1.5, True, {"0 0 0 1 0": 0}])
def test_a_reply_that_is_no_move_is_told_in_words(tmp_path: Path, reply: object) -> None:
    path = tmp_path / "a.json"
    save(solve(2, 2, table_mb=1), path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"black": dict.fromkeys(document["black"], reply)}))
    with pytest.raises(ArgumentError, match="it must be a whole number"):
        verify(path)


def test_where_to_save_is_checked_before_solving(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foogo.solver.solve", lambda *arguments, **options: pytest.fail("it solves"))
    assert run(["solve", "2x2", "--save", str(tmp_path / "none" / "a.json")]) == 2
    said = capfd.readouterr()
    assert (said.out, "cannot write" in said.err) == ("", True)


def test_the_command_draws_the_openings(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "3x3", "--openings"]) == 0
    assert " 2    3   9   3\n" in capfd.readouterr().out
    assert run(["solve", "3x3", "--openings", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["value"], document["opening_values"]["A1"]) == (9, -9)


@pytest.mark.parametrize("board", ["", "3", "9x9", "0x3", "9" * 5000 + "x3", "٣x٣"])
def test_a_wrong_board_is_one_line(capfd: pytest.CaptureFixture[str], board: str) -> None:
    assert run(["solve", board]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("foogo: error: ")


@pytest.mark.parametrize(
    ("method", "kernel"),
    [
        ("force", "foogo.solver.kernels.proof_search.search"),
        ("enumerate", "foogo.solver.kernels.position_graph.image_codes"),
    ],
)
def test_ctrl_c_tells_the_proven_bounds(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, method: str, kernel: str
) -> None:
    def stop(*arguments: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(kernel, stop)
    assert run(["solve", "3x3", "--json", "--method", method]) == 130
    said = capfd.readouterr()
    document = json.loads(said.out)
    assert (document["rows"], document["cols"], document["lower"]) == (3, 3, -9)
    assert said.err == "foogo: interrupted: nothing is proven yet: the value is between -9 and 9; 0 nodes\n"


def test_a_value_that_force_cannot_prove_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "2x2", "--json", "--method", "force"]) == 2
    said = capfd.readouterr()
    assert json.loads(said.out)["upper"] == 4
    assert re.search(
        r"^foogo: error: .* depends on a repetition: .* between -4 and 4; \d+ nodes$", said.err, re.MULTILINE
    )


def test_a_proof_of_3x5_by_force_is_replayed(tmp_path: Path) -> None:
    """The longest that is quick to replay: 20,000 replies found by a search, by rules that share nothing with it."""
    path = tmp_path / "3x5.json.gz"
    assert save(solve(3, 5, moves=["C2", "C3"], method="force"), path) > 15_000
    assert verify(path)["value"] == 15


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"openings": "no"}, "openings is 'no': it must be True or False"),
        ({"all_best": "no"}, "all_best is 'no': it must be True or False"),
        ({"progress": 3}, "progress is 3: it must be a function of a Progress, or None"),
        ({"moves": None}, "moves are None: give a sequence of vertices"),
        ({"moves": "A1 B2"}, r"not the text 'A1 B2': give \['A1', 'B2'\]"),
    ],
)
def test_wrong_arguments_are_named_before_the_solver_starts(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        solve(2, 2, **wrong)


def test_the_values_of_all_moves_yield_every_best_move() -> None:
    every: Any = np.True_
    assert solve(3, 2, openings=True, all_best=False).best_moves == solve(3, 2, openings=every).best_moves


@pytest.mark.parametrize(("method", "rules"), [("enumerate", "migos"), ("force", "draw"), ("auto", "positional")])
def test_the_loading_of_kernels_takes_no_time(monkeypatch: pytest.MonkeyPatch, method: str, rules: str) -> None:
    now, load = [0.0], solutions._load_kernels.__wrapped__

    def loading(*arguments: Any) -> None:
        load(*arguments)
        now[0] += 1000.0

    monkeypatch.setattr(solutions, "_load_kernels", loading)
    monkeypatch.setattr(solutions, "working_clock", lambda: now[0])
    assert solve(2, 3, method=method, rules=rules, table_mb=1, max_nodes=1000).seconds == 0
    assert now == [1000.0]


@pytest.mark.parametrize("name", ["_load_kernels", "ProofNumberSearch"])
def test_ctrl_c_before_the_search(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solutions, "_load_kernels", lambda *_: None)
    monkeypatch.setattr(solutions, name, stop)
    with pytest.raises(Unsolved, match="nothing is proven yet: the value is between -6 and 6; 0 nodes"):
        solve(2, 3, method="force", rules="draw")


def test_a_table_larger_than_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("foogo.solver.parallel_search.new_table", no_memory)
    with pytest.raises(ArgumentError, match="table_mb is 4096: this machine does not have that much memory"):
        solve(4, 5, table_mb=4096)


@pytest.mark.parametrize(("rules", "how"), [("positional", "search of histories"), ("draw", "enumeration of all pos")])
def test_the_report_says_how(capfd: pytest.CaptureFixture[str], rules: str, how: str) -> None:
    assert run(["solve", "2x2", "--rules", rules]) == 0
    assert f", by {how}" in capfd.readouterr().out
