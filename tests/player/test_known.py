"""Moves that need no search: settled boards, and small boards that the solver solves."""

from __future__ import annotations

import pytest

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry, opponent
from foogo.player.options import PlayerOptions
from foogo.player.player import Player
from foogo.search.parameters import SearchParameters
from foogo.solver.solution import solve

SETTLED = """
    . X O . O
    X X O O .
    . X X O O
    X X X O .
    . X O O .
"""
DEAD = SETTLED.replace("    . X O . O", "    O X O . O").replace("    X X O O .", "    . X O O .")


def player_at(diagram: str, rules: str, to_play: int) -> Player:
    player = Player(5, rules, 0.5, PlayerOptions(simulations=500))
    player.load(Game(Board.from_diagram(diagram, to_play), player.game.rules, 0.5))
    return player


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_a_settled_board_is_passed_without_a_search(color: int, rules: str) -> None:
    player = player_at(SETTLED, rules, color)
    assert player.genmove() == PASS
    assert player.decision is not None
    assert player.decision.reason == "every point is settled"
    assert (player.decision.result.simulations, player.decision.result.proven) == (0, True)
    lead = player.game.board.area_score() - 0.5
    assert player.decision.result.score == (lead if color == BLACK else -lead)
    assert player.decision.result.value == float((lead > 0) == (color == BLACK))


def test_dead_stones_are_captured_first() -> None:
    player = player_at(DEAD, "tromp-taylor", BLACK)
    assert geometry(5).vertex(player.genmove()) == "A4"
    assert player.decision is not None
    assert player.decision.result.simulations


def test_certainty_can_be_switched_off() -> None:
    player = player_at(SETTLED, "tromp-taylor", BLACK)
    player.options = PlayerOptions(simulations=500, parameters=SearchParameters(certainty=False))
    player.genmove()
    assert player.decision is not None
    assert player.decision.result.simulations == 500


@pytest.mark.parametrize("rules", ["superko=positional", "superko=situational suicide=no"])
@pytest.mark.parametrize("size", [2, 3])
def test_a_small_board_is_played_as_solved(size: int, rules: str) -> None:
    player = Player(size, rules, 0.5, PlayerOptions(simulations=100))
    value = solve(size, size, rules=player.game.rules.superko, suicide=player.game.rules.suicide).value
    while not player.game.is_over:
        color = player.game.to_play
        player.genmove()
        assert player.decision is not None
        assert player.decision.result.simulations == 0
        assert player.decision.result.score == (value - 0.5 if color == BLACK else 0.5 - value)
    assert player.game.board.area_score() == value


def test_the_solver_is_not_asked_what_it_cannot_know() -> None:
    for rules, turns in (("superko=simple", ["B2"]), ("superko=positional", ["B2", "B2"])):
        player = Player(3, rules, 0.5, PlayerOptions(simulations=100))
        player.play("A1", BLACK)
        if len(turns) == 2:
            player.play("C3", BLACK)
        player.genmove(opponent(player.game.turns[-1].color))
        assert player.decision is not None
        assert player.decision.reason != "the position is solved"
