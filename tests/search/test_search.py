"""The search: small boards, drawn positions, the tree's bookkeeping, limits, repeats, threads, errors."""

from __future__ import annotations

import math
import threading
import time
from contextlib import closing
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foogo.errors import ArgumentError, FoogoError, IllegalMoveError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.player.options import PlayerOptions
from foogo.playout.policies import Policy
from foogo.search import root, shared_tree
from foogo.search.kernels import transpositions, tree
from foogo.search.kernels.tiles import ENTRY_BYTES, HISTORY, MOST_VISITS, SUPERKO, TILE, TreeArrays, read
from foogo.search.kernels.variations import variations
from foogo.search.parameters import SearchParameters
from foogo.search.restrictions import Avoid, all_but
from foogo.search.result import MOVE_FIELDS, SearchResult
from foogo.search.search import Search
from tests.search_positions import HIDDEN, OVERLOOKED, PROBLEMS, SEKI, SETTLED, Problem


def vertices(size: int, moves: Any) -> list[str]:
    return [geometry(size).vertex(move) for move in moves]


class Entries:
    """The tree of a search, field by field."""

    def __init__(self, search: Search) -> None:
        used = int(search._tree.arrays.shared[tree.USED])
        fields = read(search._tree.arrays.memory, tree.ROOT, used)
        self.first, self.count, self.moves = fields["first"], fields["count"], fields["move"]
        self.proofs = fields["proof"]
        self.visits_with_priors = fields["visits"]
        self.visits = fields["visits"] - fields["prior_visits"]
        self.wins = fields["wins"] - fields["prior_wins"]
        self.rave_visits, self.rave_wins = fields["rave_visits"], fields["rave_wins"]
        self.leads = fields["lead"]

    def blocks(self) -> list[tuple[list[int], slice]]:
        """Where children are, and the entries that have them."""
        found: dict[int, list[int]] = {}
        waiting = [tree.ROOT]
        while waiting:
            entry = waiting.pop()
            first = int(self.first[entry])
            if first > tree.LEAF:
                if first not in found:
                    waiting += range(first, first + int(self.count[entry]))
                found.setdefault(first, []).append(entry)
        return [(above, slice(first, first + int(self.count[above[0]]))) for first, above in found.items()]


def tile_bytes(search: Search) -> int:
    """What the root and every block of children take in whole tiles."""
    counts = [1, *(children.stop - children.start for _, children in Entries(search).blocks())]
    return int(ENTRY_BYTES * TILE * sum(-(-count // TILE) for count in counts))


def check_totals(search: Search, simulations: int) -> None:
    """Every playout is in every entry it went through, with its winner and score."""
    entries, area = Entries(search), search._size**2
    assert entries.visits[tree.ROOT] == simulations
    for above, children in entries.blocks():
        own = int(entries.visits[above].sum()) - int(entries.visits[children].sum())
        own_wins = 2 * int(entries.visits[children].sum()) - int(entries.wins[children].sum())
        own_wins = int(entries.wins[above].sum()) - own_wins
        own_lead = int(entries.leads[above].sum()) - int(entries.leads[children].sum())
        assert own >= 0 if above != [tree.ROOT] else own == 0
        assert 0 <= own_wins <= 2 * own
        assert abs(own_lead) <= area * own


# --- what it finds --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "komi", "best", "wins"),
    [
        (2, 0.5, None, True),
        (2, 1.5, None, False),
        (3, 8.5, {"B2"}, True),
        (3, 9.5, None, False),
        (4, 0.5, {"B2", "C2", "B3", "C3"}, True),
        (4, 1.5, {"B2", "C2", "B3", "C3"}, True),
    ],
)
def test_small_boards(size: int, komi: float, best: set[str] | None, wins: bool) -> None:
    # Black's by 1 on 2x2, by 9 on 3x3, by 2 on 4x4, with the first move in the middle.
    result = Search(Game(size, rules="chinese", komi=komi), seed=1).run(simulations=200_000)
    assert best is None or geometry(size).vertex(result.best) in best
    assert (result.value > 0.5) == wins


def test_a_long_search_of_4x4_sees_that_white_wins_with_two_and_a_half_points() -> None:
    result = Search(Game(4, komi=2.5), seed=2, parameters=SearchParameters(exploration=0.1)).run(simulations=3_000_000)
    assert geometry(4).vertex(result.best) in {"B2", "C2", "B3", "C3"}
    assert result.value < 0.5


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
@pytest.mark.parametrize("threads", [1, 2])
def test_problem(problem: Problem, threads: int) -> None:
    search = Search(problem.game(), threads=threads, seed=3)
    # two threads do not repeat themselves to the bit, so they are given time to be sure
    result = search.run(simulations=problem.simulations * (1 if threads == 1 else 8))
    assert geometry(9).vertex(result.best) in problem.answers.split()
    assert threads > 1 or result.value > 0.5


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_nothing_but_the_answers_wins(problem: Problem) -> None:
    answers = problem.answers.split()
    for move in ("pass", *map(geometry(9).vertex, problem.game().board.playable().search(1))):
        game = problem.game()
        game.play(move)
        theirs = Search(game, seed=4).run(simulations=4_000).value
        assert theirs < 0.25 if move in answers else theirs > 0.75, move


@pytest.mark.parametrize("policy", ["knowledge", "patterns"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_move_of_poor_amaf_is_not_overlooked_for_ever(policy: str, seed: int) -> None:
    game = Game(Board.from_diagram(OVERLOOKED, BLACK), komi=7)
    # otherwise the search sees that A7 wins too
    parameters = SearchParameters(certainty=False, network=False)
    result = Search(game, seed=seed, policy=policy, parameters=parameters).run(simulations=50_000)
    assert geometry(9).vertex(result.best) == "C1"
    assert result.value > 0.8


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_default_finds_a_move_of_poor_amaf(seed: int) -> None:
    result = Search(Game(Board.from_diagram(OVERLOOKED, BLACK), komi=7), seed=seed).run(simulations=50_000)
    assert result.best_vertex == "C1"


def test_without_ucb1_a_move_of_poor_amaf_is_overlooked() -> None:
    game = Game(Board.from_diagram(OVERLOOKED, BLACK), komi=7)

    def is_found(share: float) -> list[bool]:
        parameters = SearchParameters(ucb1_share=share, certainty=False, network=False)  # the network likes C1
        results = [Search(game, seed=seed, parameters=parameters).run(simulations=50_000) for seed in range(1, 7)]
        return [result.best_vertex == "C1" for result in results]

    assert is_found(1 / 16) == [True] * 6
    assert is_found(0).count(False) >= 2


def test_a_move_of_poor_amaf_is_soon_found_if_the_priors_like_it() -> None:
    game = Game(Board.from_diagram(HIDDEN, WHITE), komi=7, rules="chinese")

    def is_found(**changes: Any) -> list[bool]:
        parameters = SearchParameters(**changes)
        results = [Search(game, seed=seed, parameters=parameters).run(simulations=1_500) for seed in range(1, 17)]
        return [result.best_vertex == "N1" for result in results]

    assert is_found() == [True] * 16
    assert is_found(ucb1_share=1 / 16, network=False) == [True] * 16
    assert not all(is_found(ucb1_share=0, network=False))  # the network likes N1 too


def test_ucb1_chooses_only_where_there_are_many_visits() -> None:
    def searched(simulations: int, **changes: Any) -> bytes:
        search = Search(Game(9), seed=1, parameters=SearchParameters(**changes))
        return search.run(simulations=simulations).moves.tobytes()

    assert searched(100, ucb1_share=1) == searched(100, ucb1_share=0) == searched(100)
    assert len({searched(8_000), searched(8_000, ucb1_share=0), searched(8_000, ucb1_exploration=0.3)}) == 3
    plain = {"selection": "ucb1", "exploration": 0.7}
    assert searched(20_000, **plain) == searched(20_000, **plain, ucb1_share=0)


def test_passes_when_that_wins() -> None:
    game = Game(Board.from_diagram(SETTLED + SEKI, BLACK), komi=10.5)
    game.play("pass")
    result = Search(game).run(simulations=500)
    assert result.best == PASS or result.value < 0.5
    game.komi = 11.5
    result = Search(game).run(simulations=500)
    assert result.best == PASS
    assert result.value > 0.9
    assert result.pv == (PASS,)


def test_superko_keeps_moves_out_of_the_root_and_the_tree() -> None:
    ko = """
        . X O .
        X O . O
        . X O .
        . . . ."""
    for rules in ("tromp-taylor", "new-zealand", "superko=simple suicide=yes"):
        game = Game(Board.from_diagram(ko, BLACK), rules=rules)
        game.play("C3")
        search = Search(game, seed=1)
        result = search.run(simulations=3000)
        legal = set(game.legal().search(1)) | {PASS}
        assert set(result.moves["move"].tolist()) <= legal
        for variation in result.variations:
            replay = game.copy()
            for move in variation:
                replay.play(move)


def played_at_random(size: int, rules: str, moves: int) -> Game:
    """A game after so many random moves that fill no own eye, stones taken on the way."""
    game, random = Game(size, rules=rules), Random(size)
    while len(game.moves) < moves:
        game.play(random.choice(list((game.legal() & game.board.playable()).search(1))))
    return game


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese", "aga", "superko=simple suicide=yes"])
@pytest.mark.parametrize(("size", "played"), [(3, 0), (4, 14), (9, 75), (13, 160)])
@pytest.mark.parametrize("sizes", [range(0), range(2, 20)], ids=["own children", "shared children"])
def test_every_path_of_the_tree_is_a_game(
    monkeypatch: pytest.MonkeyPatch, sizes: range, rules: str, size: int, played: int
) -> None:
    monkeypatch.setattr(transpositions, "SIZES", sizes)
    game = played_at_random(size, rules, played)
    search = Search(game, seed=5, parameters=SearchParameters(expand_at=2, playouts=1, certainty=False))
    search.run(simulations=6000)
    entries = Entries(search)
    todo = [(tree.ROOT, search.game)]
    seen = 0
    while todo:
        entry, game = todo.pop()
        if entries.first[entry] <= tree.LEAF:
            continue
        children = range(entries.first[entry], entries.first[entry] + entries.count[entry])
        moves = [int(entries.moves[child]) for child in children]
        eyeless = set(game.board.playable().search(1)) | (set(game.legal().search(1)) & set(moves))
        legal = {move for move in eyeless if game.is_legal(move)}
        assert sizes or set(moves) == legal | {PASS}, str(game)
        # An entry below shared children may have got its own after other moves.
        repeats = {move for child, move in zip(children, moves, strict=True) if entries.proofs[child] & HISTORY}
        assert set(moves) - legal - {PASS} <= repeats, str(game)
        assert legal <= set(moves) or entries.proofs[entry] & SUPERKO, str(game)
        seen += 1
        for child, move in zip(children, moves, strict=True):
            if entries.first[child] > tree.LEAF and (move in legal or move == PASS):
                after = game.copy()
                after.play(move)
                todo.append((child, after))
    assert seen > 100


def test_equal_positions_share_children() -> None:
    game = played_at_random(9, "tromp-taylor", 60)
    search = Search(game, seed=5)
    search.run(simulations=20_000)
    entries, positions = Entries(search), dict[int, Any]()
    todo, shared = [(tree.ROOT, game)], 0
    while todo:
        entry, game = todo.pop()
        first, board = int(entries.first[entry]), game.board
        if first == tree.LEAF:
            continue
        stood = frozenset((turn.color, turn.move) for turn in game.turns if turn.move != PASS)
        position = board.stones(BLACK), board.stones(WHITE), board.to_play, board.ko, board.last_move == PASS, stood
        shared += first in positions
        assert positions.setdefault(first, position) == position
        for child in range(first, first + int(entries.count[entry])):
            if entries.first[child] != tree.LEAF and game.is_legal(int(entries.moves[child])):
                after = game.copy()
                after.play(int(entries.moves[child]))
                todo.append((child, after))
    assert shared >= search._tree.arrays.shared[tree.TRANSPOSITIONS] > 20


def test_shared_children_stay_shared_after_a_move() -> None:
    search, shared = Search(played_at_random(9, "tromp-taylor", 60), seed=5), []
    for _ in range(6):
        result = search.run(simulations=20_000)
        search.play(result.best)
        entries = Entries(search)
        blocks = entries.blocks()
        visited = [tree.ROOT, *(child for _, children in blocks for child in range(children.start, children.stop))]
        shared += [above for above, _ in blocks if len(above) > 1]
        assert search._tree.moves == 1 + sum(children.stop - children.start for _, children in blocks)
        assert search.tree_bytes == tile_bytes(search)
        amaf_visits = entries.rave_visits[visited] * (np.array(visited) != tree.ROOT)
        counted = np.maximum(entries.visits_with_priors[visited], amaf_visits)
        assert search._tree.room == MOST_VISITS - int(counted.max())
    assert len(shared) > 20


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("superko=simple", {}),
        ("tromp-taylor", {"avoid": [Avoid(BLACK, ["A1"])]}),
        ("tromp-taylor", {"parameters": SearchParameters(network=False)}),
        ("tromp-taylor", {"parameters": SearchParameters(learnt=0)}),
    ],
)
def test_no_children_are_shared(rules: str, options: dict[str, Any]) -> None:
    search = Search(played_at_random(9, rules, 60), seed=5, **options)
    search.run(simulations=20_000)
    assert search._tree.arrays.shared[tree.TRANSPOSITIONS] == 0


# --- the tree's bookkeeping -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
@pytest.mark.parametrize(
    "parameters",
    [
        SearchParameters(),
        SearchParameters.plain(),
        SearchParameters(refill=False),
        SearchParameters(leaves=1, playouts=1),
    ],
    ids=["rave", "plain", "batches", "one by one"],
)
def test_totals_add_up(size: int, parameters: SearchParameters) -> None:
    search = Search(Game(size), seed=size, parameters=parameters)
    search.run(simulations=3001)
    check_totals(search, 3001)


def test_large_even_priors_do_not_hide_playouts_in_padding() -> None:
    parameters = SearchParameters(even=3000, certainty=False)
    search = Search(Game(5, komi=-30.0), seed=1, parameters=parameters)
    assert search.run(simulations=3000).value > 0.9
    check_totals(search, 3000)


def test_totals_add_up_with_many_threads() -> None:
    search = Search(Game(5), threads=4, seed=1)
    result = search.run(simulations=200_000)
    assert result.simulations == 200_000
    check_totals(search, 200_000)


@pytest.mark.slow
def test_ten_million_simulations_add_up() -> None:
    search = Search(Game(5), threads=2, seed=1)
    result = search.run(simulations=10_000_000)
    assert result.simulations == 10_000_000
    assert search.tree_bytes <= SearchParameters().memory
    check_totals(search, 10_000_000)


def test_tree_stays_below_its_cap() -> None:
    parameters = SearchParameters(memory=ENTRY_BYTES * 2000, expand_at=2)
    search = Search(Game(5), seed=1, parameters=parameters)
    result = search.run(simulations=50_000)
    assert result.tree_full
    assert tile_bytes(search) <= search.tree_bytes <= parameters.memory
    assert result.tree_size == 1 + sum(children.stop - children.start for _, children in Entries(search).blocks())
    check_totals(search, 50_000)


def test_a_search_ends_when_no_more_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_tree, "MOST_VISITS", 10_000)
    search = Search(Game(5), seed=1)
    first = search.run(simulations=20_000)
    assert first.simulations == 10_000
    for limit in ({"simulations": 1}, {"seconds": 60.0}):
        again = search.run(**limit)
        assert again.simulations == 0
        assert again.moves.tobytes() == first.moves.tobytes()
    search.play(first.best)
    assert search.run(simulations=100).simulations == 100


def test_a_draw_is_lost_for_the_color_that_must_win() -> None:
    """In a position that is settled but for a seki, where Black leads by just the komi."""
    game = Game(Board.from_diagram(SETTLED + SEKI, BLACK), komi=11.0)
    values = [Search(game, seed=1, must_win=color).run(simulations=2000).value for color in (None, BLACK, WHITE)]
    assert values[1] < 0.1 < 0.4 < values[0] < 0.6 < 0.9 < values[2]
    game.komi = 10.5
    even, must = (Search(game, seed=1, must_win=color).run(simulations=2000) for color in (None, BLACK))
    assert even.moves.tobytes() == must.moves.tobytes()
    with pytest.raises(FoogoError, match="color"):
        Search(game, must_win=3)


def test_played_subtree_is_the_old_one() -> None:
    # then a variation has the most visited moves from its first one on
    search = Search(Game(5, komi=0), seed=2, parameters=SearchParameters(lcb_share=1.0))
    result = search.run(simulations=30_000)
    row, variation = result.moves[0], result.variations[0]
    child = int(tree.child_of(search._tree.arrays, tree.ROOT, result.best))
    old = subtree(Entries(search), child)
    search.play(result.best)
    new = subtree(Entries(search), tree.ROOT)
    assert new == old
    assert search._tree.arrays.shared[tree.MOVES] == len(new)
    assert search.tree_bytes == tile_bytes(search)
    after = search.run(simulations=1)
    own = Entries(search).visits[tree.ROOT] - after.moves["visits"].sum()
    assert after.moves["visits"].sum() + own == row["visits"] + 1
    assert 0 < own <= SearchParameters().expand_at + SearchParameters().leaves * SearchParameters().playouts
    assert after.pv[:2] == variation[1:3]
    assert after.to_play == WHITE


def subtree(entries: Entries, entry: int) -> list[tuple[int, ...]]:
    """An entry and all below it, in the order of the tree."""
    order, facts = [entry], []
    for one in order:
        fields = (entries.visits, entries.wins, entries.rave_visits, entries.rave_wins, entries.leads, entries.count)
        facts.append((0 if one == entry else int(entries.moves[one]), *(int(field[one]) for field in fields)))
        if entries.first[one] > tree.LEAF:
            order += range(entries.first[one], entries.first[one] + entries.count[one])
    return facts


def test_a_move_outside_the_tree_starts_a_new_one() -> None:
    search = Search(Game(5), seed=2)
    search.play("C3")
    assert search.run(simulations=100).to_play == WHITE
    with pytest.raises(IllegalMoveError):
        search.play("C3")
    assert search.run(simulations=100).moves["visits"].sum() == 200


@pytest.mark.parametrize("refill", [True, False])
@pytest.mark.parametrize("size", [5, 9])
def test_one_thread_repeats_to_the_bit(size: int, refill: bool) -> None:
    def one() -> tuple[bytes, bytes, float]:
        search = Search(Game(size), seed=11, parameters=SearchParameters(refill=refill))
        search.run(simulations=1000)
        search.play("C3")
        result = search.run(simulations=2500)
        return result.moves.tobytes(), result.ownership.tobytes(), result.value

    assert one() == one()


def test_seeds_differ() -> None:
    tables = {Search(Game(5), seed=seed).run(simulations=500).moves.tobytes() for seed in range(4)}
    assert len(tables) == 4


def test_any_number_of_simulations() -> None:
    for count in (1, 2, 3, 63, 64, 65, 100):
        search = Search(Game(4), seed=1)
        assert search.run(simulations=count).simulations == count
        check_totals(search, count)


# --- what it says ---------------------------------------------------------------------------------------


def test_result() -> None:
    result = Search(Game(9), seed=1).run(simulations=5000)
    assert isinstance(result, SearchResult)
    assert result.moves.dtype == MOVE_FIELDS
    assert result.moves["visits"].sum() == result.simulations == 5000
    assert (np.diff(result.moves["visits"][1:]) <= 0).all()
    assert result.best == result.moves["move"][0] == result.pv[0]
    assert len(result.variations) == len(result.moves) == 82
    played = result.moves[result.moves["visits"] > 0]
    mean = (played["visits"] * played["win_share"]).sum() / 5000
    assert result.value == pytest.approx(mean)
    assert 0.3 < result.value < 0.6
    assert result.score == pytest.approx((played["visits"] * played["score"]).sum() / 5000)
    assert result.ownership.shape == (9, 9)
    # every point is somebody's at the end of nearly every playout, so ownership adds up to the score
    assert result.ownership.sum() - 7.0 == pytest.approx(result.score, abs=0.05)
    assert result.per_second > 0
    assert math.isclose(sum(result.times.values()), 1.0)
    assert f"to play: {geometry(9).vertex(result.best)}," in str(result)
    picture = result._repr_svg_()
    assert picture.startswith("<svg")
    assert picture.endswith("</svg>")


def test_a_proven_result_is_shown_instead_of_means() -> None:
    result = Search(Game(3, komi=8.5), seed=1).run(20_000)
    assert (result.value, result.proven) == (1.0, True)
    assert str(result).startswith("black to play: B2, 100.0 %, proven\n")


def test_moves_without_playouts_have_no_numbers() -> None:
    result = Search(Game(3, komi=8.5), seed=1).run(1)
    assert result.moves["visits"].sum() == 1
    assert "nan" not in str(result)


def test_the_best_move_is_the_surest_of_those_that_are_visited_much() -> None:
    game, surer = Game(9, komi=7), 0
    for move in ("C4", "F5", "D7"):
        game.play(move)
    for seed in range(12):
        result = Search(game, seed=seed).run(simulations=3_000)
        rows = result.moves
        bounds = result.lower_bounds.copy()
        bounds[rows["visits"] < 0.2 * rows["visits"].max()] = -1
        assert result.best == rows["move"][0] == rows["move"][bounds.argmax()] == result.pv[0]
        assert (np.diff(rows["visits"][1:]) <= 0).all()
        surer += rows["visits"][0] < rows["visits"].max()
        by_visits = Search(game, seed=seed, parameters=SearchParameters(lcb_share=1))
        visited = by_visits.run(simulations=3_000).moves
        assert (np.diff(visited["visits"]) <= 0).all()
        assert np.sort(visited, order="move").tobytes() == np.sort(rows, order="move").tobytes()
    assert 0 < surer < 12


def test_the_best_of_many_moves_without_playouts() -> None:
    for share in (0.0, 0.2, 1.0):
        result = Search(Game(9), seed=1, parameters=SearchParameters(lcb_share=share)).run(simulations=1)
        assert result.moves["visits"][0] == 1


def test_ownership_is_blacks_whoever_plays() -> None:
    board = Board.from_diagram(SETTLED + SEKI, WHITE)
    for color in (BLACK, WHITE):
        board.to_play = color
        ownership = Search(Game(board), seed=1).run(simulations=500).ownership
        assert ownership[8, 0] == 1
        assert ownership[8, 8] == -1


def test_ownership_where_the_tree_ends_every_game() -> None:
    game = Game(Board.from_diagram(SETTLED + SEKI, BLACK), komi=11.5)
    game.play("pass")
    result = Search(game, seed=1).run(simulations=500)
    assert result.pv == (PASS,)
    assert result.ownership[8, 0] > 0.5
    assert result.ownership[8, 8] < -0.5
    assert np.abs(result.ownership).max() <= 1


def test_moves_that_are_left_out() -> None:
    game, center = Game(5, komi=25), 12
    free = Search(game, seed=1).run(simulations=3000)
    assert free.best == center
    alone = Search(game, seed=1, avoid=[Avoid(BLACK, [center, PASS], depth=1)]).run(simulations=3000)
    assert set(alone.moves["move"].tolist()) == set(range(25)) - {center}
    assert center in {moves[1] for moves in alone.variations if len(moves) > 1}
    both = [Avoid(BLACK, [center], depth=1), Avoid(WHITE, [center], depth=2)]
    later = Search(game, seed=1, avoid=both).run(simulations=3000)
    assert center in {moves[2] for moves in later.variations if len(moves) > 2}

    search = Search(game, seed=1, avoid=[all_but(5, BLACK, [0, 24]), Avoid(WHITE, ["C3"], depth=2)])
    result = search.run(simulations=3000)
    assert set(result.moves["move"].tolist()) == {0, 24, PASS}
    answers = [moves[1] for moves in result.variations if len(moves) > 1]
    assert answers
    assert center not in answers
    search.play(0)
    assert center not in search.run(simulations=500).moves["move"]
    search.play(1)
    assert set(search.run(simulations=500).moves["move"].tolist()) == {24, PASS}
    search.play(24)
    assert center in search.run(simulations=500).moves["move"]


def test_a_pass_is_left_where_nothing_else_is() -> None:
    result = Search(Game(3), avoid=[Avoid(BLACK, range(-1, 9), depth=1)]).run(simulations=100)
    assert result.moves["move"].tolist() == [PASS]


def test_visits_along_the_variations() -> None:
    result = Search(Game(5), seed=1).run(simulations=2000)
    for row, moves, visits in zip(result.moves, result.variations, result.variation_visits, strict=True):
        assert len(moves) == len(visits)
        assert visits[0] == row["visits"]
        assert list(visits) == sorted(visits, reverse=True)


def test_a_variation_begins_with_its_moves_visits_though_the_tree_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_later(arrays: TreeArrays, starts: NDArray[np.int64], lines: NDArray[np.int64], *ends: object) -> None:
        variations(arrays, starts, lines, *ends)
        lines[:, 1] += 10  # what other threads have added since

    monkeypatch.setattr(root, "variations", read_later)
    result = Search(Game(5), seed=1).run(simulations=100)
    assert [visits[0] for visits in result.variation_visits] == result.moves["visits"].tolist()


def test_stream_shows_growing_results() -> None:
    search = Search(Game(9), seed=1)
    shown = list(search.stream(seconds=0.3, interval=0.05))
    counts = [result.simulations for result in shown]
    assert len(shown) >= 2
    assert counts == sorted(counts)
    assert shown[-1].simulations > 0


def test_leaving_a_stream_stops_it() -> None:
    search = Search(Game(9), seed=1)
    search.run(simulations=1)
    for _result in search.stream(interval=0.02):
        break
    running = threading.active_count()
    stopped = search.run(simulations=10)
    assert stopped.simulations == 10
    assert threading.active_count() == running


def test_stop_from_another_thread() -> None:
    search = Search(Game(9), seed=1)
    search.run(simulations=1)
    timer = threading.Timer(0.1, search.stop)
    timer.start()
    began = time.perf_counter()
    search.run(seconds=60)
    assert time.perf_counter() - began < 30


def test_a_snapshot_before_the_first_playout_has_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    # the threads of a busy machine may begin late
    monkeypatch.setattr(threading.Thread, "start", lambda thread: None)
    monkeypatch.setattr(threading.Thread, "join", lambda thread: None)
    search = Search(Game(9), seed=1)
    with closing(search.stream(interval=0.01)) as snapshots:
        result = next(snapshots)
    assert len(result.moves) == 82
    assert result.simulations == 0
    assert math.isnan(result.value)


def test_no_time_is_enough_for_a_leaf() -> None:
    search = Search(Game(5), seed=1)
    for _ in range(100):
        result = search.run(seconds=1e-7)
        assert result.simulations > 0
        assert 0 <= result.value <= 1


def test_until() -> None:
    result = Search(Game(9), seed=1).run(until=lambda snapshot: snapshot.simulations > 1000)
    assert result.simulations > 1000


def test_interrupt_returns_the_result_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_snapshot: SearchResult) -> bool:
        raise KeyboardInterrupt

    search = Search(Game(9), seed=1)
    result = search.run(seconds=60, until=interrupt)
    assert result.simulations > 0
    assert result.interrupted
    result = search.run(simulations=10)
    assert result.simulations == 10
    assert not result.interrupted


def test_an_interrupt_as_the_search_ends_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    join = threading.Thread.join

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        monkeypatch.undo()
        join(thread, timeout)
        raise KeyboardInterrupt

    search = Search(Game(5), seed=1)
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    monkeypatch.setattr(threading.Thread, "is_alive", lambda thread: threading.Thread.join is interrupted)
    result = search.run(simulations=200)
    assert (result.simulations, result.interrupted) == (200, True)


# --- what bad input gets --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"simulations": 0}, "simulations is 0: it must be a whole number from 1"),
        ({"simulations": -5}, "simulations is -5"),
        ({"simulations": 1.5}, "simulations is 1.5"),
        ({"seconds": 0}, "seconds is 0: it must be a number above 0"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"seconds": math.nan}, "seconds is nan"),
        ({}, "nothing ends the search: give simulations, seconds or until"),
    ],
)
def test_bad_limits(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Search(Game(3)).run(**limits)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "genius"}, "policy 'genius' is unknown"),
        ({"threads": 0}, "threads is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"avoid": [Avoid(BLACK, [81])]}, "81"),
        ({"avoid": [40]}, r"it must be foogo.search.restrictions.Avoid\("),
        ({"parameters": SearchParameters(memory=100)}, "memory is 100: a tree on 9x9 needs"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Search(Game(9), **options)


@pytest.mark.parametrize("moves", [5, "E5"])
def test_all_but_takes_moves(moves: Any) -> None:
    with pytest.raises(ArgumentError, match=f"moves are {moves!r}: give vertices or points"):
        all_but(9, BLACK, moves)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"selection": "ucb9"}, "selection 'ucb9' does not exist: choose rave or ucb1"),
        ({"exploration": -1.0}, "exploration is -1.0: it must be a number from 0 on"),
        ({"rave_equivalence": math.inf}, "rave_equivalence is inf"),
        ({"leaves": 0}, "leaves is 0"),
        ({"refill": 1}, "refill is 1: give True or False"),
        ({"playouts": 0}, "playouts is 0"),
        ({"prior_weight": True}, "prior_weight is True"),
    ],
)
def test_bad_parameters(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        SearchParameters(**values)


def test_whole_numbers_of_numpy_are_those_of_python() -> None:
    small = SearchParameters(leaves=np.int8(120), playouts=np.int8(100), memory=np.int32(1 << 24))
    usual = SearchParameters(leaves=120, playouts=100, memory=1 << 24)
    policy, options = Policy(urgent=np.int16(256), near=np.uint8(77)), PlayerOptions(simulations=np.int8(100))
    for made in (small, policy, options):
        assert "np." not in repr(made)
    results = [Search(Game(5), seed=1, parameters=one).run(simulations=1000) for one in (small, usual)]
    assert results[0].moves["visits"].tolist() == results[1].moves["visits"].tolist()


def test_no_game_and_finished_game() -> None:
    with pytest.raises(ArgumentError, match=r"a search needs a Game, not Board\[9\]: Game\(board\) makes one"):
        Search(Board(9))  # type: ignore[arg-type]
    game = Game(5)
    game.play("pass")
    game.play("pass")
    with pytest.raises(FoogoError, match="the game is over"):
        Search(game).run(simulations=10)


def test_a_running_search_cannot_be_changed() -> None:
    search = Search(Game(9), seed=1)
    stream = search.stream(interval=0.01)
    next(stream)
    with pytest.raises(ArgumentError, match="the search is running"):
        search.play("E5")
    with pytest.raises(ArgumentError, match="the search is running"):
        search.run(simulations=10)
    stream.close()
    search.play("E5")
