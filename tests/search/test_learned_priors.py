"""The features of moves against the slow board, their classes, and the priors that the weights make of them."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from bench.move_features import classes as feature_classes
from bench.move_features import features_of_moves
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.search.game_position import move_context
from foogo.search.kernels import features as f
from foogo.search.kernels import tree as t
from foogo.search.kernels.ladder_notes import CATCHES, FAILS, LEAST_WITH_LADDERS, MISSES
from foogo.search.kernels.position_notes import lonely_at, note_words
from foogo.search.kernels.priors import power_of_two
from foogo.search.kernels.tiles import read
from foogo.search.learned_prior import feature_weights
from foogo.search.parameters import REMOTE_VISITS, SearchParameters
from foogo.search.search import Search
from tests.oracle import Illegal, Position, after
from tests.oracle_features import describe, is_alone
from tests.oracle_ladders import is_in_ladder

GROUPS = {
    "place": f.PLACE,
    "last": f.LAST,
    "before": f.BEFORE,
    "capture": f.CAPTURE,
    "escape": f.ESCAPE,
    "liberties": f.LIBERTIES,
    "atari": f.ATARI,
    "chase": f.CHASE,
    "threatened": f.THREATENED,
    "cross": f.CROSS,
    "shape": f.SHAPE,
}


def found_features(game: Game) -> dict[int, Any]:
    """What the kernel says of every move that it looks at."""
    size = game.size
    points, found = np.empty(size * size, np.int64), np.empty((size * size, f.FEATURES), np.int64)
    notes = np.empty(note_words(size), np.uint64)
    count = features_of_moves(game.board.state, size, move_context(game), notes, points, found)
    return {int(point): row for point, row in zip(points[:count], found, strict=False)}


def position_of(game: Game) -> Position:
    colors = game.board.to_array().ravel()
    black, white = (frozenset(np.flatnonzero(colors == color).tolist()) for color in (1, 2))
    return Position(game.size, black, white, game.to_play)


def random_game(size: int, moves: int, seed: int) -> Game:
    random, game = Random(seed), Game(size, rules="chinese")
    while len(game.turns) < moves and not game.is_over:
        choices = [p for p in found_features(game) if game.is_legal(p)]
        game.play(random.choice(choices) if choices and random.random() < 0.97 else PASS)
    return game


@pytest.mark.parametrize("size", range(2, 20))
def test_python_and_kernels_agree_on_the_length_of_the_notes(size: int) -> None:
    assert note_words(size) == lonely_at(size) + size


@pytest.mark.parametrize(("size", "moves"), [(2, 3), (3, 7), (5, 20), (9, 30), (9, 60), (9, 85), (13, 100), (19, 160)])
def test_features_equal_the_oracle(size: int, moves: int) -> None:
    seen = set()
    for seed in range(12):
        game = random_game(size, moves + seed % 3, 100 * size + seed)
        position = position_of(game)
        last, before = ([None, None] + [None if t.move == PASS else t.move for t in game.turns])[:-3:-1]
        for point, row in found_features(game).items():
            wanted = describe(position, point, last, before)
            for name, group in GROUPS.items():
                assert row[group] - f.START[group] == wanted[name], f"{name} of {point}\n{position}"
                seen.add((name, wanted[name]))
            ways = f.START[f.KNIGHT] + f.BLOCK * np.arange(f.KNIGHTS)
            assert (row[f.KNIGHT :] - ways).tolist() == wanted["knights"], f"{point}\n{position}"
    if size == 9 and moves == 60:
        rare = {"capture": 5, "escape": 5, "atari": 8, "chase": 5, "threatened": 9}
        for name, least in rare.items():
            assert len({number for group, number in seen if group == name}) >= least, name


def test_where_a_stone_was_just_taken_counts_as_next_to_it() -> None:
    snapback = """
        . . . . .
        . . . . .
        X X . . .
        . O X . .
        . O X . ."""
    game = Game(Board.from_diagram(snapback, BLACK))
    game.play("A1")
    game.play("A2")
    corner = found_features(game)[geometry(5).point("A1")]
    assert (corner[f.LAST] - f.START[f.LAST], corner[f.BEFORE] - f.START[f.BEFORE]) == (1, 1)


def test_every_place_has_a_class_and_turned_ones_the_same() -> None:
    classes = feature_classes()
    assert len(classes) == f.START[-1] == sum(f.GROUP_SIZES)
    assert sorted(set(classes.tolist())) == list(range(classes.max() + 1))
    _, first = np.unique(classes, return_index=True)
    np.testing.assert_array_equal(feature_weights(), feature_weights()[first][classes])
    shapes = classes[f.START[f.SHAPE] : f.START[f.KNIGHT]]
    inside = {
        int(shapes[sum(color << 2 * i for i, color in enumerate(eight))]) for eight in product((0, 1, 2), repeat=8)
    }
    # Burnside's lemma: what each of the eight symmetries leaves as it is, over eight
    assert len(inside) == (3**8 + 2 * 3**2 + 3**4 + 4 * 3**5) // 8
    crosses = classes[f.START[f.CROSS] : f.START[f.SHAPE]]
    assert len(set(crosses.tolist())) == (8**4 + 2 * 8 + 8**2 + 2 * 8**2 + 2 * 8**3) // 8


def prior_of(game: Game, **changes: Any) -> dict[int, tuple[int, float]]:
    """The visits and wins that each move of the root has before anything is played; by default without the network."""
    search = Search(game, parameters=SearchParameters(**{"network": False, **changes}))
    search.run(simulations=1)
    root = read(search._tree.arrays.memory, t.ROOT, 1)[0]
    children = read(search._tree.arrays.memory, int(root["first"]), int(root["count"]))
    return {
        int(move): (int(visits), int(wins) / 2)
        for move, visits, wins in children[["move", "prior_visits", "prior_wins"]].tolist()
    }


def test_powers_of_two() -> None:
    for x in np.linspace(-126, 127, 5001, dtype=np.float32):
        assert abs(power_of_two(x) / 2.0 ** float(x) - 1) < 3e-7
    assert power_of_two(np.float32(-1000)) == 2.0**-126


def found_ladders(game: Game) -> dict[int, float]:
    """What ladders add to the weights of moves, by the slow board."""
    before, added = position_of(game), dict.fromkeys(range(game.size**2), 0.0)
    for string in {before.string(stone) for stone in before.black | before.white}:
        stone, liberties = min(string), before.liberties(min(string))
        is_own = before.color_at(stone) == before.to_play
        for move in liberties if len(liberties) == (1 if is_own else 2) else ():
            try:
                position = after(before, move, suicide=False)
            except Illegal:
                continue
            is_caught = is_in_ladder(position, stone)
            if not is_own:
                added[move] += CATCHES if is_caught else MISSES
            elif is_caught and len(position.liberties(stone)) == 2:
                added[move] += FAILS
    return added


def remote_moves(game: Game) -> set[int]:
    """The moves off the third and fourth lines without a stone within three steps, in an opening on a large board."""
    size, moves = game.size, found_features(game)
    if size < 15 or len(moves) < 0.75 * size * size:
        return set()
    position = position_of(game)
    return {
        point
        for point in moves
        for row, column in [divmod(point, size)]
        if min(row, size - 1 - row, column, size - 1 - column) not in (2, 3) and is_alone(position, point)
    }


@pytest.mark.parametrize(
    ("size", "moves", "seed", "remote"),
    [
        (9, 40, 7, 0), (13, 60, 1, 0), (13, 90, 2, 0), (19, 120, 3, 0), (19, 180, 4, 0),
        (13, 4, 5, 0), (15, 0, 6, 153), (15, 7, 7, 83), (19, 8, 8, 151), (19, 75, 9, 1), (19, 95, 10, 0),
    ],
)  # fmt: skip
def test_priors_are_what_the_weights_and_ladders_say(size: int, moves: int, seed: int, remote: int) -> None:
    game = random_game(size, moves, seed)
    table, rows = feature_weights().astype(float), found_features(game)
    added = found_ladders(game) if size >= LEAST_WITH_LADDERS else dict.fromkeys(range(size * size), 0.0)
    assert size == 9 or moves < 60 or {CATCHES, MISSES} <= set(added.values())
    far = remote_moves(game)
    assert len(far) == remote
    factors = {point: 0.0 if point in far else 2.0 ** (table[row].sum() + added[point]) for point, row in rows.items()}
    factors[PASS] = 2.0 ** table[f.START[f.PASSING]]
    whole = sum(factors.values())
    priors = prior_of(game, learnt=1000.0, sharpness=0.5, even=20.0)
    assert set(priors) == set(factors)
    for move, factor in factors.items():
        won = 1000 * (factor / whole) ** 0.5
        visits, wins = (10, 3) if move == PASS else (20, 10)
        if move in far:
            visits += REMOTE_VISITS
        assert priors[move][0] == pytest.approx(visits + won, abs=0.51)
        assert priors[move][1] == pytest.approx(wins + won, abs=0.26)


def test_a_capture_and_an_escape_are_liked() -> None:
    board = Board.from_diagram("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X O O X . . .
        . . X O O X . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .""")
    for color in (BLACK, WHITE):
        board.to_play = color
        priors = prior_of(Game(board))
        best = max((move for move in priors if move != PASS), key=lambda move: priors[move][1])
        assert geometry(9).vertex(best) in ("E3", "E6")


def test_a_ladder_is_seen_across_the_board() -> None:
    board = Board.from_stones(13, black=[13, 1, 2], white=[14])
    at = geometry(13).point
    chases = prior_of(Game(board))
    board.play("L11", WHITE)
    board.to_play = BLACK
    misses = prior_of(Game(board))
    assert chases[at("B3")][1] > 2 * misses[at("B3")][1]


def test_without_learned_visits_every_move_has_the_same_prior() -> None:
    game = Game(9)
    game.play("E5")
    even = prior_of(game, learnt=0.0)
    assert {prior for move, prior in even.items() if move != PASS} == {(10, 5.0)}
    assert even[PASS] == (10, 3.0)
    assert set(prior_of(game, prior_weight=0.0).values()) == {(0, 0.0)}
    centre = geometry(19).point("K10")
    assert prior_of(Game(19), prior_weight=0.1)[centre] == (101, 0.5)
