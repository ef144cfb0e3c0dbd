"""The player: its tree and its time."""

from __future__ import annotations

import copy
import pickle
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from foogo import BLACK, EMPTY, PASS, WHITE, ArgumentError, Board, Game, RulesError
from foogo.game.clock import Plan, TimeSettings
from foogo.game.geometry import geometry
from foogo.player.options import PlayerOptions
from foogo.player.player import Player
from foogo.player.search_reuse import search_without_pass
from foogo.player.stopping import StopCondition, choice_is_final, moves_to_go, visit_lead
from foogo.search.restrictions import all_but
from foogo.search.result import SearchResult
from foogo.search.search import Search
from tests.endgames import DEAD_WHITE, FAST, FINISHED, player_at

# --- the search ----


def test_one_thread_and_simulations_give_the_same_moves() -> None:
    def moves() -> list[int]:
        player = Player(7, "tromp-taylor", 9.0, PlayerOptions(simulations=600, seed=5))
        for _ in range(6):
            player.genmove()
        return [turn.move for turn in player.game.turns]

    assert moves() == moves()


@pytest.mark.parametrize("is_timed", [False, True])
def test_only_time_cuts_the_search_for_dead_stones_short(is_timed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine, too, plays the moves that the seed and the simulations decide."""
    monkeypatch.setattr("foogo.player.player.MOST_JUDGING", 1e-9)
    judged: list[SearchResult] = []

    def spy(*arguments: Any) -> SearchResult:
        judged.append(search_without_pass(*arguments))
        return judged[-1]

    monkeypatch.setattr("foogo.player.player.search_without_pass", spy)
    player = Player(7, "tromp-taylor", 9.0, PlayerOptions(simulations=600, seed=5))
    if is_timed:
        player.set_time(TimeSettings.parse("absolute 60"))
    player.play("D4")
    player.play("pass")
    player.genmove()
    assert (judged[0].simulations == player.options.status_simulations) != is_timed


def test_the_tree_is_kept_and_never_of_another_game() -> None:
    player = Player(7, "tromp-taylor", 9.0, FAST)
    player.genmove(BLACK)
    assert player.decision is not None
    assert player.decision.result is not None
    answer = player.decision.result.pv[1]
    player.play(answer, WHITE)
    player.genmove(BLACK)
    result = player.decision.result
    assert result is not None
    assert result.moves["visits"].sum() > FAST.simulations
    colors = player.decision.result.colors.ravel()
    assert (colors != EMPTY).sum() == 2
    player.undo(2)
    player.genmove(WHITE)
    assert player.decision.result.to_play == WHITE
    player.komi = -40.0
    player.undo()
    player.genmove(WHITE)
    assert player.decision.result.value < 0.3


def test_a_move_out_of_turn_is_searched_for_its_color() -> None:
    player = Player(5, "tromp-taylor", 7.0, FAST)
    player.genmove(WHITE)
    player.genmove(WHITE)
    assert [turn.color for turn in player.game.turns] == [WHITE, WHITE]


def test_only_some_points_are_looked_at() -> None:
    player = Player(7, "tromp-taylor", 9.0, FAST)
    wanted = {0, 1, 48}
    assert player.genmove(BLACK, play=False, avoid=[all_but(7, BLACK, wanted)]) in wanted
    assert player.decision is not None
    assert player.decision.result is not None
    assert set(player.decision.result.moves["move"].tolist()) == wanted | {PASS}
    assert not player.game.turns


def test_ownership_after_a_variation() -> None:
    player = Player(5, "tromp-taylor", 7.0, FAST)
    black, white = player.ownership_after([[12], [PASS, 12]], BLACK)
    assert black.shape == (5, 5)
    assert black.mean() > 0.2
    assert white.mean() < -0.2
    assert player.ownership_after([], BLACK) == []
    (dead,) = player_at(DEAD_WHITE, "tromp-taylor", BLACK).ownership_after([[geometry(7).point("A2")]], BLACK)
    assert dead[0, 1] > 0.5
    assert dead[0, 6] == -1


def test_a_search_is_interrupted() -> None:
    player = Player(9, "tromp-taylor", 7.0, PlayerOptions(seconds=60.0))
    player.look()
    flag = threading.Event()
    threading.Timer(0.3, flag.set).start()
    began = time.perf_counter()
    player.genmove(BLACK, interrupted=flag.is_set)
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
def test_a_copy_has_a_game_of_its_own(duplicate: Callable[[Player], Player]) -> None:
    player = Player(5, options=FAST)
    player.genmove()
    other = duplicate(player)
    other.play("A1")
    assert len(player.game.turns) == 1
    assert len(other.game.turns) == 2
    other.genmove()


def test_a_search_that_ctrl_c_ended_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(5, options=PlayerOptions(status_simulations=200))
    with monkeypatch.context() as patch:
        complete = Search.run
        patch.setattr(Search, "run", lambda *given, **limits: replace(complete(*given, **limits), interrupted=True))
        assert player.judge().interrupted
        assert player.look().interrupted
    assert not player.judge().interrupted
    assert not player.look().interrupted


def test_the_search_for_dead_stones_is_interrupted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[SearchResult] = []

    def spy(*arguments: Any) -> SearchResult:
        judged.append(search_without_pass(*arguments))
        return judged[-1]

    monkeypatch.setattr("foogo.player.player.search_without_pass", spy)
    player = Player(7, options=PlayerOptions(simulations=200, status_simulations=2_000_000))
    player.play("D4")
    player.play("pass")
    player.genmove(interrupted=lambda: True)
    assert judged[0].simulations < 2_000_000


def test_an_analysis_goes_on_until_it_is_closed() -> None:
    player = Player(5, "tromp-taylor", 7.0, FAST)
    snapshots = player.analyze(WHITE, interval=0.02)
    visits = []
    for result in snapshots:
        visits.append(int(result.moves["visits"].sum()))
        if len(visits) == 4:
            break
    snapshots.close()
    assert visits == sorted(visits)
    assert result.to_play == WHITE
    player.play("C3")


def test_pondering_is_invisible() -> None:
    player = Player(5, "tromp-taylor", 7.0, PlayerOptions(simulations=300, seed=1, ponder=True))
    player.genmove(BLACK)
    time.sleep(0.1)
    player.play("B2", WHITE)
    player.genmove(BLACK)
    assert player.decision is not None
    assert player.decision.result is not None
    assert player.decision.result.moves["visits"].sum() > 300
    player.stop_pondering()
    player.stop_pondering()


def test_a_player_goes_back_to_a_checkpoint() -> None:
    player = Player(5, "cgos", 7.0, FAST)
    player.genmove()
    kept = player.checkpoint()
    player.set_time(TimeSettings.parse("absolute 10"))
    player.new_game(7)
    player.komi = 1
    player.restore(kept)
    assert (player.size, player.komi, len(player.game.turns)) == (5, 7.0, 1)
    assert player.clocks[BLACK].is_limited is False
    player.genmove()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"policy": "wild"}, "wild"),
        ({"simulations": 0}, "simulations"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"lag": -1}, "lag"),
        ({"must_win": "often"}, "give no, yes, black, white"),
        ({"resign": 0.7}, "resign"),
        ({"resign_moves": 0}, "resign_moves"),
        ({"parameters": {"learnt": 60}}, "give SearchParameters"),
        ({"ponder": "no"}, "ponder is 'no': it must be True or False"),
        ({"status_simulations": 0}, "status_simulations"),
    ],
)
def test_options_are_checked(changes: dict[str, object], word: str) -> None:
    with pytest.raises(ArgumentError, match=word):
        PlayerOptions(**changes)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="give PlayerOptions"):
        Player(options=changes)  # type: ignore[arg-type]


def test_who_must_win_sees_a_draw_as_lost_but_does_not_resign_it() -> None:
    for color, must_win in product((BLACK, WHITE), ("no", "yes", "black", "white")):
        options = PlayerOptions(simulations=2000, seed=1, must_win=must_win, resign=0.2, resign_moves=1)
        player = player_at(FINISHED, "tromp-taylor", color, 7.0, options)
        assert player.genmove(color) == PASS
        assert player.decision is not None
        assert player.decision.result is not None
        even = must_win == "no" or must_win == ("white" if color == BLACK else "black")
        assert player.decision.result.value == pytest.approx(0.5 if even else 0.0, abs=0.1)


# --- time ----


def test_a_game_at_the_clock_stays_within_it() -> None:
    player = Player(5, "tromp-taylor", 24.5, PlayerOptions(seed=1, lag=0.1))
    player.set_time(TimeSettings.parse("absolute 5"))
    while not player.game.is_over and len(player.game.turns) < 80:
        player.genmove()
    assert all(clock.left > 0 for clock in player.clocks.values())


def test_the_time_of_a_person_who_moves_for_the_player_is_not_lag() -> None:
    player = Player(7, "tromp-taylor", 9.0, FAST)
    player.set_time(TimeSettings.parse("absolute 600"))
    player.time_left(BLACK, 600)
    player.genmove(BLACK)
    player.play("A1", WHITE)
    player.play("A2", BLACK)
    player.play("A3", WHITE)
    player.time_left(BLACK, 500)
    assert player.plan(BLACK).aim > 5
    player.genmove(BLACK)
    player.undo()
    player.time_left(BLACK, 400)
    assert player.plan(BLACK).aim > 5
    player.genmove(BLACK)
    player.time_left(BLACK, 300)  # the answer took a hundred seconds to arrive
    assert player.plan(BLACK).aim < 1


def test_kernels_are_compiled_before_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the controller never sets the time, but reports how much is left."""
    sizes: list[int] = []
    monkeypatch.setattr("foogo.player.player.warm_search", lambda size, policy: sizes.append(size))
    player = Player(7, "tromp-taylor", 9.0, FAST)
    assert sizes == []
    for seconds in (60, 50):
        player.time_left(BLACK, seconds)
        player.time_left(WHITE, seconds)
    assert sizes == [7]
    player.new_game(5)
    assert sizes == [7]
    player.set_time(TimeSettings.parse("absolute 60"))
    player.time_left(BLACK, 60)
    assert sizes == [7, 5]
    player.set_time(TimeSettings.parse("absolute 60"))
    assert sizes == [7, 5]
    player.new_game(9)
    assert sizes == [7, 5, 9]


def test_the_lag_is_measured_if_the_clock_is_set_before_every_report() -> None:
    player, settings = Player(7, options=FAST), TimeSettings.parse("absolute 60")
    for left in (60.0, 57.5):
        player.set_time(settings)
        player.time_left(BLACK, left)
        player.clocks[BLACK].spend(1.0, 1.0)
    assert player.clocks[BLACK]._lags.mean > 0.4


def test_a_clock_that_is_set_again_keeps_the_lag() -> None:
    player = Player(7, options=FAST)
    settings = TimeSettings.parse("absolute 60")
    player.set_time(settings)
    clock = player.clocks[BLACK]
    clock.report(60.0)
    clock.spend(1.0, 1.0)
    clock.report(57.5)
    lag = clock._lags.mean
    assert lag > 0.4
    player.set_time(settings)
    assert (player.clocks[BLACK].left, player.clocks[BLACK]._lags.mean) == (60.0, lag)
    player.set_time(TimeSettings.parse("absolute 50"))
    assert player.clocks[BLACK]._lags.mean == 0


@pytest.mark.parametrize("text", ["absolute 1", "fischer 1 0.1", "byoyomi 0 0.5 1", "canadian 0 1 2"])
def test_a_move_takes_what_is_planned_at_most(text: str) -> None:
    player = Player(9, "tromp-taylor", 7.0, PlayerOptions(seed=1, lag=0.1))
    player.genmove()
    player.set_time(TimeSettings.parse(text))
    most = player.plan(WHITE).most
    player.genmove(WHITE)
    assert player.decision is not None
    assert player.decision.seconds < most + 0.5


def first_search() -> SearchResult:
    """The result of a search on the empty board."""
    player = Player(9, "tromp-taylor", 7.0, FAST)
    player.genmove(play=False)
    assert player.decision is not None
    assert player.decision.result is not None
    return player.decision.result


def test_time_is_spent_where_the_choice_is_unclear() -> None:
    result = replace(first_search(), seconds=0.2)
    thinking = StopCondition(Plan(1.0, 2.5), 0.0)
    visits = result.moves["visits"]
    visits[:2] = 1000, 990
    visits[2:] = 0
    result.moves["win_share"][:2] = 0.5, 0.49
    assert thinking.is_unclear(result)
    assert not thinking.is_enough(result, 1.2)
    assert thinking.is_enough(result, 2.5)
    visits[1] = 100
    assert not thinking.is_unclear(result)
    assert thinking.is_enough(result, 1.0)
    assert not thinking.is_enough(result, 0.2)
    visits[0] = 10**9
    assert thinking.is_enough(result, 0.2)
    visits[0], result.moves["win_share"][1] = 400, 0.6
    assert thinking.is_unclear(result)
    assert StopCondition(Plan(1.0, 2.5), 0.0, before=0.9).is_unclear(result)


def test_a_thread_that_was_let_go_late_does_not_end_its_search() -> None:
    """Few simulations in the first moment do not mean that the rest of the time brings few."""
    result = first_search()
    result.moves["visits"][:2] = 30_000, 10_000
    late = replace(result, simulations=64, seconds=0.02)
    assert not choice_is_final(late, 0.02, 1.0)
    assert not choice_is_final(replace(result, simulations=2000, seconds=0.1), 0.1, 1.0)
    assert choice_is_final(replace(result, simulations=1200, seconds=0.1), 0.1, 1.0)
    assert choice_is_final(replace(late, seconds=0.1), 0.1, 1.0)
    # the time before it began does not count, nor does a time without simulations
    assert not choice_is_final(late, 0.5, 1.0)
    assert not choice_is_final(replace(result, simulations=0, seconds=0.2), 0.2, 1.0)


def test_a_search_goes_on_while_its_best_move_is_not_the_most_visited() -> None:
    result = replace(first_search(), simulations=10_000, seconds=0.9)
    result.moves["visits"][:3] = 60_000, 30_000, 10_000
    assert choice_is_final(result, 0.9, 1.0)
    result.moves["visits"][:3] = 30_000, 60_000, 10_000
    assert visit_lead(result) == -30_000
    assert not choice_is_final(result, 0.9, 1.0)


def test_moves_to_go_shrink_to_a_floor() -> None:
    assert (moves_to_go(9, 81), moves_to_go(9, 10)) == (28.35, 9.72)
    counts = [moves_to_go(19, empty) for empty in range(361, 0, -40)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] > 40


def test_a_player_is_unchanged_after_an_error() -> None:
    player = Player(5, "chinese", 6.5, PlayerOptions(simulations=100, seed=1))
    player.play("C3")
    before, clocks = player.game.copy(), player.clocks
    wrong: Any
    for wrong in (Board(5), None):
        with pytest.raises(ArgumentError, match="a Game is loaded, not"):
            player.load(wrong)
    with pytest.raises(RulesError, match="unknown rules 'blitz'"):
        player.load(Game(9, "aga"), "blitz")
    for wrong in ("absolute 60", None):
        with pytest.raises(ArgumentError, match="give TimeSettings"):
            player.set_time(wrong)
    for wrong in (1.0, "1", 2):
        with pytest.raises(ArgumentError, match="moves: 1 were played"):
            player.undo(wrong)
    assert (player.game, player.ruleset.name, player.clocks) == (before, "chinese", clocks)
    assert player.settings.system == "none"


def test_new_options_apply_to_the_next_look() -> None:
    player = Player(5, options=PlayerOptions(status_simulations=100))
    assert (player.look().simulations, player.judge().simulations) == (100, 100)
    player.options = replace(player.options, status_simulations=200)
    assert (player.look().simulations, player.judge().simulations) == (200, 200)
    wrong: Any = {"status_simulations": 300}
    with pytest.raises(ArgumentError, match="give PlayerOptions"):
        player.options = wrong
    assert player.options.status_simulations == 200


@pytest.mark.parametrize("wrong", [5, ["E5"], None])
def test_moves_to_exclude_are_restrictions(wrong: Any) -> None:
    player = Player(5, options=FAST)
    with pytest.raises(ArgumentError, match=r"foogo.search.restrictions.Avoid\(color, moves\)"):
        player.genmove(avoid=wrong)
    with pytest.raises(ArgumentError, match=r"foogo.search.restrictions.Avoid\(color, moves\)"):
        next(player.analyze(avoid=wrong))
    assert not player.game.turns
