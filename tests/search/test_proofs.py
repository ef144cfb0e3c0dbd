"""What the search proves, against the values of the solver."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from foogo.errors import IllegalMoveError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.rules import Rules
from foogo.search.kernels import proofs, transpositions, tree
from foogo.search.kernels.tiles import EXTENDED, HISTORY, SHARES, read
from foogo.search.parameters import SearchParameters
from foogo.search.restrictions import Avoid
from foogo.search.search import Search
from foogo.solver.best_play import path_after
from foogo.solver.solution import solver_of
from foogo.solver.solver import Solver


def random_game(random: Random, size: int, rules: Rules, moves: int, komi: float) -> Game:
    game = Game(size, rules, komi)
    for _ in range(moves):
        legal = [point for point in range(size * size) if game.is_legal(point)]
        game.play(random.choice(legal) if legal and random.random() < 0.9 else PASS)
        if game.is_over:
            game.undo()
    return game


def entries_below(search: Search, depth: int) -> Iterator[tuple[list[int], Any]]:
    """The moves to each entry at most `depth` moves below the root, and the entry.

    Where entries share children, those are left out that may be different after other moves.
    """
    arrays = search._tree.arrays

    def walk(entry: int, moves: list[int], is_shared: bool) -> Iterator[tuple[list[int], Any]]:
        here = read(arrays.memory, entry, 1)[0]
        if is_shared and here["proof"] & HISTORY:
            return
        yield moves, here
        first, is_shared = int(here["first"]), is_shared or bool(here["proof"] & SHARES)
        if first > tree.LEAF and len(moves) < depth and moves[-2:] != [PASS, PASS]:
            children = read(arrays.memory, first, int(here["count"]))
            for number, child in enumerate(children):
                yield from walk(first + number, [*moves, int(child["move"])], is_shared)

    return walk(tree.ROOT, [], False)


def proven_below(search: Search, depth: int) -> Iterator[tuple[list[int], float]]:
    """The moves to each entry at most `depth` moves below the root with a proven result, and Black's share of it."""
    for moves, entry in entries_below(search, depth):
        result = proofs.result_of_word(int(entry["proof"]), BLACK)
        if result is not None:
            yield moves, result


def value_after(solver: Solver, game: Game, moves: list[int]) -> int:
    """Black's lead under best play after more moves, or at the end of the game."""
    after = game.copy()
    for move in moves:
        after.play(move)
    if after.is_over:
        return after.board.area_score()
    vertices = [geometry(game.size).vertex(turn.move) for turn in after.turns]
    return solver.value(path_after(solver, vertices)) * (1 if after.to_play == BLACK else -1)


def share_of(lead: int, komi: float) -> float:
    return 1.0 if lead > komi else 0.5 if lead == komi else 0.0


def check_proofs(
    seed: int, size: int, rules: Rules, solver: Solver, positions: int, most_moves: int = 1
) -> tuple[int, int]:
    """Compare all that is proven with the solver, at so many moves; returns how many roots, and how many entries."""
    random, roots, entries = Random(seed), 0, 0
    for _ in range(positions):
        komi = random.choice((0, 0.5, -0.5, 1, -1.5, 2.5, 3, -3, 4.5, 7, -8.5, 8.5, 9))
        game = random_game(random, size, rules, random.randrange(9), komi)
        parameters = SearchParameters(leaves=random.choice((1, 20)))
        search = Search(game, seed=random.randrange(1000), parameters=parameters)
        for left in range(most_moves - 1, -1, -1):
            result = search.run(simulations=random.choice((300, 3000, 20_000)))
            for moves, share in proven_below(search, random.choice((1, 2, 2, 3))):
                try:
                    lead = value_after(solver, game, moves)
                except IllegalMoveError:
                    assert most_moves > 1, "only a position that shared its children has a move that superko forbids"
                    continue
                if rules.superko != "simple" or (share == 1.0 and komi > 0) or (share == 0.0 and komi < 0):
                    shown = f"{geometry(size).vertex}, {[turn.move for turn in game.turns]} + {moves}, komi {komi}"
                    assert share_of(lead, komi) == share, f"{shown}: {lead} is not {share}"
                roots += not moves
                entries += 1
            if left:
                move = result.best if random.random() < 0.5 else int(random.choice(result.moves["move"].tolist()))
                game.play(move)
                if game.is_over:
                    break
                search.play(move)
    return roots, entries


@pytest.mark.parametrize(("superko", "suicide"), [("positional", True), ("situational", True), ("positional", False)])
@pytest.mark.parametrize("size", [2, 3])
def test_no_proof_is_false(size: int, superko: str, suicide: bool) -> None:
    solver = solver_of("enumerate", size, size, superko, suicide)
    roots, entries = check_proofs(1, size, Rules(superko, suicide), solver, 60 if size == 2 else 12)
    assert roots > 3
    assert entries > 50


@pytest.mark.parametrize(("superko", "suicide"), [("positional", True), ("situational", True), ("positional", False)])
@pytest.mark.parametrize("size", [2, 3])
def test_no_proof_is_false_where_equal_positions_share_children(
    monkeypatch: pytest.MonkeyPatch, size: int, superko: str, suicide: bool
) -> None:
    monkeypatch.setattr(transpositions, "SIZES", range(2, 20))
    solver = solver_of("enumerate", size, size, superko, suicide)
    roots, entries = check_proofs(3, size, Rules(superko, suicide), solver, 60 if size == 2 else 12, most_moves=5)
    assert roots > 3
    assert entries > 50


@pytest.mark.parametrize("size", [2, 3])
def test_no_proof_is_false_without_superko(size: int) -> None:
    solver = solver_of("enumerate", size, size, "draw")
    roots, entries = check_proofs(2, size, Rules("simple", False), solver, 60 if size == 2 else 12)
    assert roots > 3
    assert entries > 50


HALF_POINT_KO = """
O X X X X X O . O
O X X . X . X X X
O O X X X . . X .
O . O X X X X X X
O O O O O O O X X
O X X X O O . O X
O O X . X X O . O
O X X X X X X O .
X . X O . X O O O
"""
KO_WITH_MOVES_IN_OWN_AREAS_LEFT = """
X . X X . X . . X
X X X X X . X X O
X X X X . X . X .
. X . X X . X X X
X . X O O X X O O
X X O O . O O . O
X O . O O O . O O
O O O O O O . O X
. . . . . O O O .
"""
KO_AND_A_SECOND_FIGHT = """
. X . X X X O . O
X . X . X O . O .
O X . X X O O . O
O O X X O O . O O
. O O O . O O . O
. O . O . O O O X
O O O . O O O X X
X . O X O O X . X
. O X . X X X X .
"""


def ending(diagram: str, to_play: int, komi: float) -> Game:
    return Game(Board.from_diagram(diagram, to_play), "chinese", komi)


@pytest.mark.parametrize(
    ("diagram", "to_play", "komi", "value"),
    [
        (HALF_POINT_KO, WHITE, 18.5, 1.0),
        (KO_WITH_MOVES_IN_OWN_AREAS_LEFT, WHITE, 2.5, 0.0),
        (KO_AND_A_SECOND_FIGHT, WHITE, -16.5, 1.0),
    ],
)
def test_endings_with_a_ko_are_proven(diagram: str, to_play: int, komi: float, value: float) -> None:
    result = Search(ending(diagram, to_play, komi), seed=1).run(simulations=50_000)
    assert (result.proven, result.value) == (True, value)


def test_a_loss_proven_by_moves_that_fill_eyes_shows_the_usual_moves() -> None:
    game = ending(KO_WITH_MOVES_IN_OWN_AREAS_LEFT, WHITE, 2.5)
    search = Search(game, seed=1)
    before, after = search.run(simulations=8), search.run(simulations=50_000)
    assert after.proven
    assert set(after.moves["move"]) == set(before.moves["move"])
    search.play(after.best)
    assert search.run(simulations=50_000).value == 1.0


def test_a_proof_has_no_move_to_avoid() -> None:
    game = ending(KO_AND_A_SECOND_FIGHT, WHITE, -16.5)
    strays: list[int] = []
    for _ in range(3):
        search = Search(game, seed=1, avoid=[Avoid(BLACK, strays)])
        assert search.run(simulations=50_000).proven
        (extended,) = [moves for moves, entry in entries_below(search, 9) if entry["proof"] & EXTENDED]
        (move,) = [moves[-1] for moves, _ in entries_below(search, 9) if moves[:-1] == extended]
        assert move not in strays
        strays.append(move)
