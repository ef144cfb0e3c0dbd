"""The game for PettingZoo passes PettingZoo's own tests and plays as `Game` does."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import foogo
from foogo.errors import ArgumentError, IllegalMoveError, VertexError
from foogo.game.game import Game

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from foogo.env.pettingzoo import GoEnvironment, env  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:Observation")


@pytest.mark.parametrize("turn_limit", [None, 20])
def test_pettingzoo_accepts_it(turn_limit: int | None) -> None:
    api_test(GoEnvironment(5, turn_limit=turn_limit), num_cycles=200)
    api_test(env(5, turn_limit=turn_limit), num_cycles=200)


def test_it_is_imported_on_first_use() -> None:
    program = "import foogo; print(foogo.env.pettingzoo.GoEnvironment.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "GoEnvironment\n", done.stderr
    with pytest.raises(AttributeError, match=r"module 'foogo.env' has no attribute 'gym'"):
        getattr(foogo.env, "gym")  # noqa: B009


def test_pettingzoo_finds_it_reproducible() -> None:
    seed_test(lambda: env(5), num_cycles=50)


def test_a_game_to_its_end() -> None:
    go = GoEnvironment(5, komi=0.5, rules="chinese")
    go.reset()
    game = Game(5, "chinese", 0.5)
    for action in (12, 7, 25, 25):
        seen = go.observe(go.agent_selection)
        assert seen["action_mask"][:-1].tolist() == np.asarray(game.legal()).tolist()
        assert (seen["observation"][:, :, 0] == game.planes()[0]).all()
        assert go.observation_space(go.agent_selection).contains(seen)
        go.step(action)
        game.play(-1 if action == 25 else action)
    assert go.terminations == {"black_0": True, "white_0": True}
    assert game.score() == -0.5
    assert go.rewards == {"black_0": -1, "white_0": 1}
    assert not go.observe("black_0")["action_mask"].any()


def test_the_other_player_sees_the_board_from_its_side() -> None:
    go = GoEnvironment(5)
    go.reset()
    go.step(12)
    waiting, moving = go.observe("black_0"), go.observe("white_0")
    assert waiting["observation"][2, 2, 0]
    assert moving["observation"][2, 2, 1]
    assert not waiting["action_mask"].any()
    assert moving["action_mask"].sum() == 25


def test_illegal_actions() -> None:
    go = GoEnvironment(5)
    go.reset()
    go.step(12)
    with pytest.raises(IllegalMoveError, match="white cannot play C3"):
        go.step(12)
    wrapped = env(5)
    wrapped.reset()
    wrapped.step(12)
    wrapped.last()
    wrapped.step(12)
    assert wrapped.terminations["white_0"]
    assert wrapped.rewards["white_0"] == -1


@pytest.mark.parametrize("action", [-1, 26, "pass", "C3", 1.0, None])
def test_only_actions_of_the_space_exist(action: object) -> None:
    go = GoEnvironment(5)
    go.reset()
    with pytest.raises(VertexError, match=r"^action .* does not exist: points are 0-24, a pass is 25$"):
        go.step(action)  # type: ignore[arg-type]
    assert go.agent_selection == "black_0"
    go.step(np.int64(25))
    assert go.agent_selection == "white_0"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_has_a_game_of_its_own(duplicate: Callable[[GoEnvironment], GoEnvironment]) -> None:
    original = GoEnvironment(5)
    original.reset()
    original.step(12)
    other = duplicate(original)
    for _ in range(2):
        other.step(25)
    assert (len(original.game.turns), len(other.game.turns)) == (1, 3)
    assert (original.agent_selection, original.rewards) == ("white_0", {"black_0": 0, "white_0": 0})
    assert all(other.terminations.values())
    assert not any(original.terminations.values())


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("human", "ansi"):
        go = GoEnvironment(5, render_mode=mode)
        go.reset()
        assert go.render() == (str(Game(5)) if mode == "ansi" else None)
    assert capsys.readouterr().out == f"{Game(5)}\n"
    wrapped = env(5, render_mode="human")
    wrapped.reset()
    wrapped.step(12)
    assert capsys.readouterr().out == f"{wrapped.unwrapped.game}\n"
    with pytest.raises(ArgumentError, match="render_mode is 'rgb': use human, ansi or None"):
        GoEnvironment(5, render_mode="rgb")
