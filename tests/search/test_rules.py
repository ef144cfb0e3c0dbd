"""The search under the rules: what a game forbids or counts is not otherwise in the tree."""

from __future__ import annotations

import numpy as np
import pytest

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.kernels.positions import SITUATIONAL
from foogo.game.kernels.superko import situation_hash
from foogo.game.position import cell_of
from foogo.search.game_position import past_situations, points_stood_on
from foogo.search.restrictions import Avoid, all_but
from foogo.search.search import Search

EMPTY_CORNER = """
    . . . .
    . . . .
    O O . .
    . . O .
"""
"""Black at A1 and then B1 are taken off together."""


def moves_of(game: Game) -> set[str]:
    rows = Search(game, seed=1).run(simulations=500).moves
    return {geometry(game.size).vertex(move) for move in rows["move"].tolist()}


def test_suicide_that_repeats_is_no_move_though_nothing_was_taken_before() -> None:
    game = Game(Board.from_diagram(EMPTY_CORNER, BLACK))
    assert "B1" in moves_of(game)
    game.play("A1")
    game.play("pass")
    assert not game.is_legal("B1")
    assert "B1" not in moves_of(game)
    only = [all_but(4, BLACK, ["B1"]), Avoid(BLACK, ["pass"], 1)]
    assert Search(game, seed=1, avoid=only).run(simulations=100).best == PASS


def test_suicide_that_repeats_is_no_move_of_the_tree_either() -> None:
    game = Game(Board.from_diagram(EMPTY_CORNER, BLACK))
    only = [all_but(4, BLACK, ["A1", "B1"]), Avoid(BLACK, ["pass"], 1), all_but(4, WHITE, [])]
    result = Search(game, seed=1, avoid=only).run(simulations=2000)
    a1, b1 = geometry(4).point("A1"), geometry(4).point("B1")
    assert {variation[0] for variation in result.variations} == {a1, b1}
    # after A1 and a pass there is B1 no more, nor after B1 and a pass A1
    for variation in result.variations:
        assert [move for move in variation[2:] if move != PASS] == []


@pytest.mark.parametrize("resumed", [True, False])
def test_a_pass_that_does_not_count_ends_no_game_in_the_tree(resumed: bool) -> None:
    game = Game(5)
    for move in ("C3", "pass", "pass"):
        game.play(move)
    if resumed:
        game.resume()
    else:
        game = Game(game.board)
    nothing = [all_but(5, color, []) for color in (BLACK, WHITE)]
    result = Search(game, seed=1, avoid=nothing).run(simulations=500)
    assert result.variations == ((PASS, PASS),)
    game.play("pass")
    assert not game.is_over
    assert Search(game, seed=1, avoid=nothing).run(simulations=500).variations == ((PASS,),)


def test_situations_are_those_of_the_game_whoever_was_handed_the_turn() -> None:
    game = Game(Board.from_diagram(EMPTY_CORNER, BLACK), rules="superko=situational suicide=yes")
    game.play("D4")
    game.play("D3")
    natural = past_situations(game)
    assert len(natural) == 3
    game.to_play = WHITE
    handed = int(situation_hash(np.uint64(natural[2]), WHITE, SITUATIONAL))
    assert past_situations(game) == [*natural[:2], handed]
    game.play("A1", BLACK)
    game.play("pass")
    assert not game.is_legal("B1")
    assert "B1" not in moves_of(game)


def test_points_stood_on_are_all_that_ever_had_a_stone() -> None:
    game = Game(Board.from_diagram(EMPTY_CORNER, BLACK), rules="superko=positional suicide=yes")
    for move in ("A1", "D4", "B1", "pass"):  # A1 and B1 are taken off together
        game.play(move)
    game.play("D3", WHITE)
    game.play("C4")
    game.undo()
    for row, vertices in zip(points_stood_on(game), ("A1 B1", "A2 B2 C1 D4 D3"), strict=True):
        cells = [cell_of(4, geometry(4).point(vertex)) for vertex in vertices.split()]
        assert row.tolist() == [sum(1 << (cell - 4 - 2) for cell in cells)]
    stood = points_stood_on(Game(Board.from_diagram("O" + " ." * 18 + 18 * ("\n." + " ." * 18))))
    assert stood.shape == (2, 6)
    assert stood[1].tolist() == [0, 0, 0, 0, 0, 1 << (18 * 20 - 5 * 64)]
