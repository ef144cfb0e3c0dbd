"""The batched environment plays as `Game` does: moves, superko, planes, ends and scores; and refuses bad arrays."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

from foogo.env import VectorEnvironment
from foogo.errors import ArgumentError, MissingPackageError, RulesError, SizeError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE

RULES = [
    (size, f"superko={superko} suicide={suicide}", steps)
    for size, steps in ((2, 40), (3, 60), (5, 80))
    for superko in ("simple", "positional", "situational")
    for suicide in ("yes", "no")
]


@pytest.mark.parametrize(("size", "rules", "steps"), [*RULES, (9, "tromp-taylor", 250), (19, "aga", 60)])
def test_games_are_those_of_game(size: int, rules: str, steps: int) -> None:
    """Random moves in every game, each compared with a `Game` that plays the same; games that end are restarted."""
    count = 4
    env, rng = VectorEnvironment(size, count, rules=rules, komi=0.5), np.random.default_rng(size)
    games = [Game(size, rules, 0.5) for _ in range(count)]
    step = env.reset()
    ended = 0
    for _ in range(steps):
        moves = env.random_moves(rng)
        moves[rng.random(count) < 0.05] = PASS
        running = ~step.over
        step = env.step(moves)
        for i, (game, move) in enumerate(zip(games, moves.tolist(), strict=True)):
            if running[i]:
                game.play(move)
            is_over = game.is_over or len(game.turns) == 3 * size**2
            assert step.over[i] == is_over
            assert env.to_play[i] == game.to_play
            assert env.turns[i] == len(game.turns)
            assert (step.planes[i] == game.board.planes()).all()
            assert env.board(i) == game.board
            assert step.legal[i, :-1].tolist() == ([False] * size**2 if is_over else np.asarray(game.legal()).tolist())
            assert step.legal[i, -1] == (not is_over)
            if is_over:
                assert env.scores[i] == game.score()
                assert step.rewards[i] == (np.sign(game.score()) if running[i] else 0)
            else:
                assert np.isnan(env.scores[i])
                assert step.rewards[i] == 0
        if step.over.sum() > 1:
            ended += int(step.over.sum())
            games = [Game(size, rules, 0.5) if over else game for game, over in zip(games, step.over, strict=True)]
            step = env.reset(step.over)
            assert not step.over.any()
    assert ended or size == 19


def test_a_position_to_start_from() -> None:
    board = Board.from_diagram(". O . O\nO O O O\n. O . O\n. O O .")
    env = VectorEnvironment(board, 2, rules="superko=positional suicide=yes")
    game = Game(board, "superko=positional suicide=yes")
    step = env.reset()
    assert step.legal[1, :-1].tolist() == np.asarray(game.legal()).tolist()
    step = env.step([0, PASS])
    game.play(0)
    assert step.legal[0, :-1].tolist() == np.asarray(game.legal()).tolist()
    assert env.to_play.tolist() == [WHITE, WHITE]
    assert (env.reset().planes[0] == board.planes()).all()


def test_more_games_than_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("foogo.env.vector.new_games", no_memory)
    with pytest.raises(ArgumentError, match="games is 1000: this machine does not have that much memory"):
        VectorEnvironment(9, 1000, turn_limit=1 << 20)


def test_a_turn_limit_ends_a_game() -> None:
    env = VectorEnvironment(5, 3, turn_limit=2, komi=-0.5)
    env.step([0, PASS, 12])
    step = env.step([1, PASS, PASS])
    assert step.over.all()
    assert env.scores.tolist() == [0.5, 0.5, 25.5]
    assert step.rewards.tolist() == [1, 1, 1]
    again = env.step([99, -7, 0])
    assert again.rewards.tolist() == [0, 0, 0]
    assert env.turns.tolist() == [2, 2, 2]
    assert len(env) == 3


def test_a_pass_is_the_number_of_points_or_minus_one() -> None:
    env = VectorEnvironment(5, 2)
    env.step(np.array([25, -1], np.int8))
    assert [env.board(i).last_move for i in range(2)] == [PASS, PASS]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([0, 1], r"moves are int64 of shape \(2,\): give integers of shape \(3,\)"),
        ([0.0, 1.0, 2.0], r"moves are float64 of shape \(3,\): give integers of shape \(3,\)"),
        ([[0, 1, 2]], r"moves are int64 of shape \(1, 3\)"),
        ([[0], [1, 2], 2], "moves are no array: the rows differ in length"),
        ([1, 26, 2], "move 26 of game 1 is not a point: points are 0-24, a pass is -1 or 25"),
        ([1, 2, -2], "move -2 of game 2 is not a point"),
        ([1, 12, 2], "white cannot play C3 in game 1: `legal` of the last step has the legal moves"),
    ],
)
def test_wrong_moves_change_nothing(moves: object, message: str) -> None:
    env = VectorEnvironment(5, 3)
    env.step([0, 12, 12])
    with pytest.raises(ArgumentError, match=message):
        env.step(moves)  # type: ignore[arg-type]
    assert env.turns.tolist() == [1, 1, 1]
    assert env.to_play.tolist() == [WHITE] * 3


def test_the_arrays_of_a_step_are_read_only() -> None:
    env = VectorEnvironment(5, 3)
    for step in (env.reset(), env.step([0, 1, 2])):
        for array in step:
            with pytest.raises(ValueError, match="read-only"):
                array[:] = True
    assert env.step([25, 25, 25]).legal[:, -1].all()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_has_games_of_its_own(duplicate: Callable[[VectorEnvironment], VectorEnvironment]) -> None:
    env = VectorEnvironment(5, 2)
    env.step([0, 12])
    other = duplicate(env)
    step = other.step([1, 13])
    assert (step.planes[0] == other.board(0).planes()).all()
    assert env.turns.tolist() == [1, 1]
    assert (env.step([1, 13]).legal == step.legal).all()


def test_pettingzoo_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "foogo.env.pettingzoo", raising=False)
    with pytest.raises(MissingPackageError, match=r"needs PettingZoo, .*: pip install 'foogo\[pettingzoo\]'"):
        import_module("foogo.env.pettingzoo")


def test_it_says_what_it_plays() -> None:
    text = "<VectorEnvironment of 2 games, 5x5, superko=positional suicide=no scoring=area, komi 6.5>"
    assert repr(VectorEnvironment(5, 2, rules="chinese", komi=6.5)) == text


def test_wrong_arguments() -> None:
    with pytest.raises(SizeError):
        VectorEnvironment(20)
    with pytest.raises(RulesError):
        VectorEnvironment(9, rules="ing")
    for wrong in ({"games": 0}, {"turn_limit": 0}, {"komi": "much"}):
        with pytest.raises(ArgumentError):
            VectorEnvironment(5, **wrong)
    env = VectorEnvironment(5, 3)
    with pytest.raises(ArgumentError, match=r"games are int64 of shape \(2,\): give a mask, bool of shape \(3,\)"):
        env.reset([0, 1])
    with pytest.raises(ArgumentError, match="games are no array: the rows differ in length"):
        env.reset([[True], [True, False], False])  # type: ignore[arg-type]
    for rng in (1, np.random.RandomState(1)):  # noqa: NPY002
        with pytest.raises(ArgumentError, match=r"give a generator, such as numpy.random.default_rng\(1\)"):
            env.random_moves(rng)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="game is 3"):
        env.board(3)


def test_random_moves_are_legal_and_uniform() -> None:
    env = VectorEnvironment(Board.from_diagram("X X .\nX X O\n. O ."), 4000, rules="chinese")
    legal = np.flatnonzero(env.reset().legal[0])
    moves = env.random_moves(np.random.default_rng(1))
    points, counts = np.unique(moves, return_counts=True)
    assert points.tolist() == legal[:-1].tolist()
    assert (abs(counts - 4000 / len(points)) < 5 * np.sqrt(4000 / len(points))).all()
    assert env.to_play[0] == BLACK


def test_moves_may_be_small_integers() -> None:
    step = VectorEnvironment(19, 2).step(np.array([PASS, 100], np.int8))
    assert step.legal[:, 100].tolist() == [True, False]
