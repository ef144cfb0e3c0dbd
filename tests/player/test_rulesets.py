"""Rule sets: handicap and its compensation, dead stones by preset, and rules that change within a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from foogo import BLACK, WHITE, ArgumentError, Board, Game, IllegalMoveError, RulesError
from foogo.game.geometry import geometry
from foogo.player.handicap import fixed_handicap, free_handicap, handicap_of, largest_fixed_handicap
from foogo.player.player import Player
from foogo.player.ruleset import Ruleset
from tests.endgames import FAST


def test_presets_compensate_for_handicap() -> None:
    start = Board.from_stones(9, fixed_handicap(9, 4), [], WHITE)
    bonuses = {}
    for name in ("tromp-taylor", "chinese", "cgos", "new-zealand", "aga"):
        player = Player(9, name, 0.5, FAST)
        player.set_position(start)
        bonuses[name] = player.compensation
        assert player.total_komi == 0.5 + player.compensation
        assert player.komi == 0.5
    assert bonuses == {"tromp-taylor": 0, "chinese": 4, "cgos": 0, "new-zealand": 0, "aga": 3}


def test_handicap_is_also_several_black_moves_at_the_start() -> None:
    game = Game(9)
    game.play("C3")
    assert handicap_of(game) == 0
    game.play("G7", BLACK)
    game.play("G3", BLACK)
    game.play("E5")
    game.play("C7", BLACK)
    assert handicap_of(game) == 3


@pytest.mark.parametrize(("moves", "handicap"), [(0, 0), (1, 0), (2, 2), (9, 9), (10, 0), (40, 0)])
def test_two_to_nine_black_moves_in_a_row_are_handicap(moves: int, handicap: int) -> None:
    game = Game(9)
    for point in free_handicap(9, 40)[:moves]:
        game.play(point, BLACK)
    assert handicap_of(game) == handicap
    assert Ruleset.from_name("chinese").compensation(game) == handicap
    assert Ruleset.from_name("aga").compensation(game) == max(0, handicap - 1)


@pytest.mark.parametrize(
    ("colors", "handicap"), [("BBBW", 3), ("BBBWB", 3), ("BBBWW", 0), ("BBBWWWB", 0), ("BBWBB", 0), ("BBWBWBW", 2)]
)
def test_a_position_set_up_colour_by_colour_has_no_handicap(colors: str, handicap: int) -> None:
    game = Game(9)
    for point, color in zip(free_handicap(9, 40), colors, strict=False):
        game.play(point, {"B": BLACK, "W": WHITE}[color])
    assert handicap_of(game) == handicap


def test_a_position_that_begins_as_a_free_handicap_has_none() -> None:
    """As Sabaki sends it: Black's stones as a handicap, then White's as moves."""
    game = Game(Board.from_stones(9, ["C7", "D7", "E6"], [], WHITE))
    game.play("G3", WHITE)
    assert handicap_of(game) == 3
    game.play("F3", WHITE)
    assert handicap_of(game) == 0


def test_stones_of_the_start_are_handicap_however_many() -> None:
    for stones in (2, 9, 10, 40):
        assert handicap_of(Game(Board.from_stones(9, free_handicap(9, stones), [], WHITE))) == stones


FIXED = {
    (9, 2): "C3 G7",
    (9, 3): "C3 G7 C7",
    (9, 4): "C3 G7 C7 G3",
    (9, 5): "C3 G7 C7 G3 E5",
    (9, 6): "C3 G7 C7 G3 C5 G5",
    (9, 7): "C3 G7 C7 G3 C5 G5 E5",
    (9, 8): "C3 G7 C7 G3 C5 G5 E3 E7",
    (9, 9): "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    (19, 4): "D4 Q16 D16 Q4",
    (13, 9): "D4 K10 D10 K4 D7 K7 G4 G10 G7",
    (8, 4): "C3 F6 C6 F3",
    (7, 4): "C3 E5 C5 E3",
}


@pytest.mark.parametrize(("size", "stones"), FIXED)
def test_fixed_handicaps_are_those_of_the_protocol(size: int, stones: int) -> None:
    assert " ".join(map(geometry(size).vertex, fixed_handicap(size, stones))) == FIXED[size, stones]


def test_small_boards_have_smaller_fixed_handicaps() -> None:
    assert [largest_fixed_handicap(size) for size in (5, 6, 7, 8, 9, 10, 19)] == [0, 0, 4, 4, 9, 4, 9]
    with pytest.raises(ArgumentError, match="invalid number of stones: a 9x9 board has 2 to 9 stones"):
        fixed_handicap(9, 10)
    with pytest.raises(ArgumentError, match="no fixed handicap"):
        fixed_handicap(5, 2)


@pytest.mark.parametrize("size", [2, 3, 5, 9, 13])
def test_free_handicaps_leave_every_stone_a_liberty(size: int) -> None:
    for stones in range(2, size * size, 5):
        points = free_handicap(size, stones)
        assert len(set(points)) == len(points) == min(stones, size * size // 2)
        Board.from_stones(size, points, [])


def test_rule_sets_by_name() -> None:
    assert Ruleset.from_name("Chinese OGS") == Ruleset.from_name("chinese")
    assert Ruleset.of("superko=simple suicide=no").dead_removed is False
    with pytest.raises(RulesError, match="unknown rules 'japanese'"):
        Ruleset.from_name("japanese")
    with pytest.raises(RulesError, match="handicap bonus '2'"):
        Ruleset.from_name("aga").with_rules(handicap_bonus="2")


def test_rules_change_within_a_game_they_allow() -> None:
    player = Player(5, "tromp-taylor", 7.0, FAST)
    player.play("C3")
    player.ruleset = Ruleset.from_name("aga")
    assert player.game.rules.superko == "situational"
    assert len(player.game.turns) == 1


def test_komi_and_rules_stay_and_a_game_goes_on_after_passes() -> None:
    player = Player(5, "cgos", 3.5, FAST)
    for move in ("C3", "pass", "pass", "B2"):
        player.play(move)
    assert [turn.color for turn in player.game.turns] == [BLACK, WHITE, BLACK, WHITE]
    with pytest.raises(ArgumentError, match="cannot undo 5 moves: 4 were played"):
        player.undo(5)
    with pytest.raises(ArgumentError, match="cannot undo 1 move: 0 were played"):
        Player(5).undo()
    player.undo(2)
    assert len(player.game.turns) == 2
    player.new_game(7)
    assert (player.size, player.komi, player.ruleset.name) == (7, 3.5, "cgos")
    assert not player.game.turns


def test_undo_of_the_move_that_resumed_a_game_ends_it_again() -> None:
    player = Player(5, "cgos", 3.5, FAST)
    for move in ("C3", "pass", "pass"):
        player.play(move)
    ended = player.game.copy()
    player.play("B2")
    assert not player.game.is_over
    player.undo()
    assert player.game.is_over
    assert player.game == ended
    for move in ("pass", "C4"):
        player.play(move)
    player.undo()
    assert (player.game.passes, player.game.is_over) == (1, False)
    player.undo()
    assert player.game == ended
    player.undo()
    assert (player.game.passes, player.game.is_over) == (1, False)


def test_an_illegal_move_changes_nothing() -> None:
    player = Player(5, "cgos", 3.5, FAST)
    for move in ("C3", "pass", "pass"):
        player.play(move)
    with pytest.raises(IllegalMoveError):
        player.play("C3")
    assert player.game.is_over
    assert len(player.game.turns) == 3


RULESETS = [
    ("tromp-taylor", "none", "stay and count as alive"),
    ("chinese", "N", "removed by agreement"),
    ("cgos", "none", "stay and count as alive"),
    ("new-zealand", "none", "removed by agreement"),
    ("aga", "N - 1", "removed by agreement"),
]


@pytest.mark.parametrize(("name", "bonus", "dead"), RULESETS)
def test_a_preset_is_its_row_of_the_docs(name: str, bonus: str, dead: str) -> None:
    document = (Path(__file__).parents[2] / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert f"| `{name}` | {bonus} | {dead}" in document
    ruleset = Ruleset.from_name(name)
    assert ruleset.handicap_bonus == {"none": "0", "N": "N", "N - 1": "N-1"}[bonus]
    assert ruleset.dead_removed is (dead == "removed by agreement")
