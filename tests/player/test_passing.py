"""When a player passes, captures dead stones or resigns, and which stones it judges dead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foogo import BLACK, EMPTY, PASS, WHITE, Board
from foogo.game.geometry import geometry
from foogo.player.decision import RESIGN
from foogo.player.life_and_death import assess
from foogo.player.options import PlayerOptions
from foogo.player.passing import Situation, choose
from foogo.player.player import Player
from foogo.search.restrictions import Avoid
from foogo.search.result import MOVE_FIELDS, SearchResult
from tests.endgames import DEAD_WHITE, FAST, FINISHED, HOPELESS, SEKI, player_at

SETTLED = "X X X O O\nX . X O .\nX X X O O\nX . X O .\nX X X O O"


@pytest.mark.parametrize(("shares", "move"), [((0.5, 0.2), PASS), ((0.5, 0.7), 6), ((0.0, 0.2), 6)])
@pytest.mark.parametrize("dead_removed", [False, True])
def test_a_draw_is_not_thrown_away_for_a_worse_move(shares: tuple[float, float], move: int, dead_removed: bool) -> None:
    """The last shares are those of a player that must win."""
    board = Board.from_diagram(SETTLED)
    rows = np.zeros(2, MOVE_FIELDS)
    rows["move"], rows["visits"], rows["win_share"] = [PASS, 6], [900, 100], shares
    ownership = np.where(board.to_array() == WHITE, -1.0, 1.0)
    result = SearchResult(
        best=PASS, moves=rows, variations=((PASS,), (6,)), variation_visits=((900,), (100,)), value=0.5, score=0.0,
        ownership=ownership, simulations=1000, seconds=1.0, size=5, to_play=BLACK, colors=board.to_array(),
        tree_size=2, tree_full=False, times={},
    )  # fmt: skip
    without_pass = replace(result, best=6, moves=rows[1:], variations=((6,),), variation_visits=((100,),))
    status = assess(board, ownership)
    now = Situation(BLACK, board, result, without_pass, status, 0.0, dead_removed, opponent_passed=True)
    assert choose(now)[0] == move


# --- passing ----
def test_the_winner_of_a_finished_board_passes() -> None:
    for rules in ("tromp-taylor", "chinese"):
        for first in ("pass", None):
            player = player_at(FINISHED, rules, WHITE)
            if first:
                player.play(first, WHITE)
            assert player.genmove(BLACK) == PASS
            assert player.final_score() == 7


def test_dead_stones_are_captured_where_they_count() -> None:
    for rules in ("tromp-taylor", "cgos"):
        player = player_at(DEAD_WHITE, rules, WHITE, komi=-10.0)
        player.play("pass", WHITE)
        moves = []
        while (move := player.genmove(BLACK)) != PASS:
            moves.append(move)
            player.play("pass", WHITE)
            assert len(moves) < 12
        assert player.game.board.color_at("B1") != WHITE
        assert player.game.score() == 7 + 10


def test_dead_stones_stay_where_they_are_removed_by_agreement() -> None:
    player = player_at(DEAD_WHITE, "chinese", WHITE, komi=-10.0)
    player.play("pass", WHITE)
    assert player.genmove(BLACK) == PASS
    assert player.final_score() == 7 + 10
    assert [color for color, _ in player.status().dead] == [WHITE]


def test_a_stone_in_a_ko_is_connected_before_the_last_pass() -> None:
    ko = """
        . . O . O O O X X
        . O . O O O X O X
        O . O O O X X . X
        . . O . O X X X .
        . . O O O O X X X
        O . O X X X . . .
        O . O X . X X X X
        . O O X . . . . .
        O X X X . . . . ."""
    player = player_at(ko, "chinese", BLACK, komi=7.0)
    player.play("pass", BLACK)
    assert player.genmove(WHITE) == geometry(9).point("A2")
    player.play("pass", BLACK)
    assert player.genmove(WHITE) == PASS
    assert player.final_score() == -4
    assert [string for _, string in player.status().dead] == [(geometry(9).point("H8"),)]


def test_a_cleanup_captures_dead_stones_whatever_the_rules() -> None:
    player = player_at(DEAD_WHITE, "chinese", WHITE, komi=-10.0)
    player.play("pass", WHITE)
    assert player.genmove(BLACK, clean_up=True) != PASS


def test_an_early_pass_wins_only_where_it_is_counted_at_once() -> None:
    answers = {}
    for rules in ("tromp-taylor", "chinese"):
        player = Player(7, rules, 7.0, FAST)
        player.play("A1")
        player.play("D4")
        player.play("pass")
        answers[rules] = player.genmove(WHITE) == PASS
    assert answers == {"tromp-taylor": True, "chinese": False}


def test_nobody_passes_who_loses_on_the_board_and_could_win() -> None:
    player = player_at(DEAD_WHITE, "tromp-taylor", WHITE, komi=3.0)
    player.play("pass", WHITE)
    assert player.game.score() < 0
    assert player.genmove(BLACK) != PASS


def test_a_lost_game_is_passed_out_once_nothing_can_win() -> None:
    player = player_at(FINISHED, "tromp-taylor", BLACK, komi=30.0)
    player.play("pass", BLACK)
    player.play("pass", WHITE)
    moves = 0
    while player.genmove(BLACK) != PASS:
        player.play("pass", WHITE)
        moves += 1
    assert moves < 12


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_a_whole_game_against_itself_ends_and_is_counted_alike(rules: str) -> None:
    player = Player(5, rules, 24.5, PlayerOptions(simulations=400, seed=3, status_simulations=4000))
    while not player.game.is_over:
        player.genmove()
        assert len(player.game.turns) < 150
    if rules == "tromp-taylor":
        assert player.final_score() == player.game.score()
        assert not player.status().dead


# --- resigning ----


def test_the_player_resigns_after_several_hopeless_moves() -> None:
    options = PlayerOptions(simulations=500, seed=1, resign=0.05, resign_moves=3)
    player = player_at(HOPELESS, "tromp-taylor", WHITE, options=options)
    answers: list[int] = []
    while RESIGN not in answers and len(answers) < 8:
        answers.append(player.genmove(WHITE))
        if answers[-1] != RESIGN:
            legal = player.game.legal(BLACK)
            player.play("A1" if legal[0] else "pass", BLACK)
    assert answers.index(RESIGN) >= 2
    assert player.decision is not None
    assert player.decision.reason == "the game is lost"


def test_a_move_that_is_only_asked_for_counts_towards_no_resignation() -> None:
    options = PlayerOptions(simulations=200, seed=1, resign=0.2, resign_moves=3)
    player = Player(5, "tromp-taylor", 60.0, options)
    for _ in range(4):
        assert player.genmove(BLACK, play=False) != RESIGN
    for _ in range(2):
        assert player.genmove(BLACK) != RESIGN
        player.play("pass", WHITE)
    player.undo(2)
    assert player.genmove(BLACK) != RESIGN
    player.play("pass", WHITE)
    assert player.genmove(BLACK) == RESIGN
    assert player.genmove(BLACK) == RESIGN


def test_a_pass_that_is_left_out_is_not_played() -> None:
    player = player_at(DEAD_WHITE, "chinese", WHITE, komi=-10.0)
    player.play("pass", WHITE)
    assert player.genmove(BLACK, play=False) == PASS
    assert player.genmove(BLACK, play=False, avoid=[Avoid(BLACK, ["pass"], 1)]) != PASS


def test_the_player_fights_on_by_default() -> None:
    player = player_at(HOPELESS, "tromp-taylor", WHITE)
    for _ in range(4):
        assert player.genmove(WHITE) != RESIGN
        player.play("pass", BLACK)


# --- dead stones ----


def test_dead_strings_follow_the_ownership() -> None:
    player = player_at(DEAD_WHITE, "chinese", BLACK)
    status, ownership = player.status(), player.judge().ownership.ravel()
    assert status.dead == ((WHITE, (1,)),)
    for color, string in status.alive:
        assert ownership[list(string)].mean() * (1 if color == BLACK else -1) > 0.5
    assert player.final_score() == status.score == 28 - 21
    assert " ".join(map(geometry(7).vertex, status.territory(BLACK))) == "A1 B1 C1 A2 B2 C2 A5 C5 A7 C7"
    assert " ".join(map(geometry(7).vertex, status.territory(WHITE))) == "F2 F5 F7"
    assert status.territory(EMPTY) == ()


def test_a_search_for_dead_strings_that_was_cut_short_is_not_kept() -> None:
    player = Player(5, options=PlayerOptions(threads=1, status_simulations=100_000))
    assert player.judge(lambda: True).simulations < 100_000 == player.judge().simulations


def test_a_seki_is_neither_dead_nor_territory() -> None:
    board = Board.from_diagram(SEKI)
    status = assess(board, np.zeros((9, 9)))
    assert {color for color, _ in status.seki} == {BLACK, WHITE}
    assert not status.dead
    assert [color for color, _ in status.alive] == [WHITE]
    assert status.territory(EMPTY) == (39, 41)
    assert status.score == 16 - 7 - 24 - 32


def test_an_open_game_has_no_seki() -> None:
    board = Board(9)
    board.play("E5")
    board.play("C3")
    status = assess(board, np.zeros((9, 9)))
    assert not status.seki
    assert [color for color, _ in status.alive] == [WHITE, BLACK]


def test_a_finished_game_is_counted_as_its_rules_say() -> None:
    scores = {}
    for rules in ("tromp-taylor", "chinese"):
        player = player_at(DEAD_WHITE, rules, BLACK)
        player.play("pass")
        player.play("pass")
        scores[rules] = player.final_score(), len(player.status().dead)
    assert scores == {"tromp-taylor": (22 - 22, 0), "chinese": (28 - 21, 1)}
