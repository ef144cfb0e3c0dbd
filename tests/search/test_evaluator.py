"""Evaluators: the positions they get, what their priors and values do, batches and threads, failures."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foogo
from foogo import BLACK, PASS, Board, EvaluatorError, Game, Search, SearchParameters
from foogo.errors import ArgumentError
from foogo.search import evaluated_search
from foogo.search.evaluator import Evaluator
from foogo.search.kernels import tree
from foogo.search.kernels.loop import publish_evaluated
from foogo.search.kernels.tiles import read
from foogo.search.restrictions import all_but
from tests.search.test_search import Entries, check_totals

Planes = NDArray[np.bool_]

ONE_BY_ONE = SearchParameters(leaves=1, playouts=1)


def even(planes: Planes) -> tuple[Any, Any]:
    """Every move alike, and every position even."""
    count, _, size, _ = planes.shape
    return np.ones((count, size * size + 1)), np.full(count, 0.5)


def for_black(share: float) -> Callable[[Planes], tuple[None, Any]]:
    """No priors, and this win share of Black's everywhere."""
    return lambda planes: (None, np.where(planes[:, 3, 0, 0], share, 1 - share))


class Recorder:
    """An evaluator that keeps what it is called with."""

    def __init__(self, answer: Callable[[Planes], tuple[Any, Any]] = even) -> None:
        self.calls: list[Planes] = []
        self._answer = answer

    def __call__(self, planes: Planes) -> tuple[Any, Any]:
        self.calls.append(planes)
        return self._answer(planes)


# --- positions ------------------------------------------------------------------------------------------


def test_the_first_positions_are_the_root_and_its_children() -> None:
    game, seen = Game(5), Recorder()
    game.play("C3")
    Search(game, seed=1, evaluator=seen, parameters=ONE_BY_ONE).run(simulations=60)
    assert seen.calls[0].dtype == np.bool_
    assert (seen.calls[0] == game.board.planes()[None]).all()
    after = []
    for move in [*game.board.playable().search(1), PASS]:
        child = game.copy()
        child.play(move)
        after.append(child.board.planes())
    assert any((seen.calls[1][0] == planes).all() for planes in after)
    assert all(call.shape == (1, 4, 5, 5) for call in seen.calls)


def test_a_position_shows_the_point_that_ko_forbids() -> None:
    board = Board.from_diagram(". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .", BLACK)
    game, seen = Game(board), Recorder()
    only = [all_but(5, BLACK, ["C4"], depth=1)]
    Search(game, seed=1, evaluator=seen, avoid=only, parameters=ONE_BY_ONE).run(simulations=4)
    game.play("C4")
    assert game.board.ko is not None
    assert any((call[0] == game.board.planes()).all() for call in seen.calls)


def test_what_is_given_belongs_to_the_evaluator() -> None:
    def scribble(planes: Planes) -> tuple[Any, Any]:
        answer = even(planes)
        planes[:] = True
        return answer

    def searched(evaluator: Callable[[Planes], tuple[Any, Any]]) -> list[int]:
        search = Search(Game(5), seed=2, evaluator=evaluator)
        search.run(simulations=2000)
        return [int(visits) for visits in Entries(search).visits]

    assert searched(scribble) == searched(even)


def test_an_answer_is_not_changed_by_the_next_one() -> None:
    buffer = np.zeros(8, np.float32)

    def reuse(planes: Planes) -> tuple[Any, Any]:
        buffer[:] += 0.25
        return None, buffer[: len(planes)]

    evaluator = Evaluator(reuse, 5)
    answers = [evaluator.answer(np.zeros((2, 4, 25), bool)) for _ in range(2)]
    assert np.array([answer.values for answer in answers]).tolist() == [[0.25, 0.25], [0.5, 0.5]]


# --- priors and values ----------------------------------------------------------------------------------


def test_priors_are_shares_of_the_legal_moves() -> None:
    weights = np.random.default_rng(1).random(26).astype(np.float32) * 7
    weights[3] = 0
    parameters = SearchParameters(learnt=500, sharpness=0.7, even=4, passing=6)
    search = Search(
        Game(5), seed=3, evaluator=lambda planes: (np.tile(weights, (len(planes), 1)), None), parameters=parameters
    )
    search.run(simulations=4000)
    entries = Entries(search)
    fields = read(search._tree.arrays.memory, tree.ROOT, len(entries.moves))
    blocks = entries.blocks()
    for (parent,), children in blocks:
        moves = entries.moves[children]
        shares = (weights[moves] / weights[moves].sum(dtype=float)) ** 0.7
        visits = np.where(moves == PASS, 6, 4) + 500 * shares
        assert np.abs(fields["prior_visits"][children] - visits).max() < 1
        if entries.moves[parent] != PASS:  # then a pass would end the game, with a known result
            wins = np.where(moves == PASS, 1.8, 2) + 500 * shares
            assert np.abs(fields["prior_wins"][children] / 2 - wins).max() < 1
    assert len(blocks) > 500


@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("playouts", [1, 4])
def test_values_are_blended_with_playouts_by_their_weight(weight: float, playouts: int) -> None:
    parameters = SearchParameters(value_weight=weight, playouts=playouts, rave_equivalence=0)
    # A komi at which Black loses every playout, so that what is won comes from the value.
    search = Search(Game(5, komi=100), seed=4, evaluator=for_black(0.3), parameters=parameters)
    result = search.run(simulations=8000)
    assert result.value == pytest.approx(0.3 * weight, abs=0.01 if weight else 0)
    check_totals(search, 8000)


def test_a_search_finds_what_its_values_know() -> None:
    def likes_corner(planes: Planes) -> tuple[None, Any]:
        black = np.where(planes[:, 3, 0, 0], planes[:, 0, 0, 0], planes[:, 1, 0, 0])  # Black has A1
        share = np.where(black, 0.9, 0.1)
        return None, np.where(planes[:, 3, 0, 0], share, 1 - share)

    alone = Search(Game(5), seed=5, evaluator=likes_corner, parameters=SearchParameters(value_weight=1))
    assert alone.run(simulations=4000).best_vertex == "A1"
    without = Search(Game(5), seed=5, evaluator=likes_corner, parameters=SearchParameters(value_weight=0))
    assert without.run(simulations=4000).best_vertex == "C3"


def test_a_small_network_leads_the_search() -> None:
    """Two layers of random weights on 5x5: the root's prior is the network's, and the search repeats to the bit."""
    random = np.random.default_rng(7)
    hidden, policy, value = (random.normal(0, 0.5, shape) for shape in ((100, 32), (32, 26), (32,)))

    def network(planes: Planes) -> tuple[Any, Any]:
        features = np.maximum(planes.reshape(len(planes), -1) @ hidden, 0)
        return np.exp(features @ policy), 1 / (1 + np.exp(-features @ value))

    def searched() -> tuple[bytes, foogo.SearchResult]:
        search = Search(Game(5), seed=6, evaluator=network, parameters=SearchParameters(leaves=8))
        result = search.run(simulations=3000)
        entries = Entries(search)
        return entries.visits.tobytes() + entries.wins.tobytes(), result

    (first, result), (again, _) = searched(), searched()
    assert first == again
    priors = network(Game(5).board.planes()[None])[0][0, :25]
    played = result.moves[result.moves["move"] != PASS]
    assert played["move"][played["prior"].argmax()] == priors.argmax()


# --- batches and threads --------------------------------------------------------------------------------


def test_leaves_in_flight_are_evaluated_together() -> None:
    seen = Recorder()
    search = Search(Game(9), seed=1, evaluator=seen, parameters=SearchParameters(leaves=64))
    result = search.run(simulations=20_000)
    sizes = [len(call) for call in seen.calls[1:]]
    assert max(sizes) == 64
    assert np.mean(sizes) > 56  # a leaf that two descents reach is evaluated once
    assert result.times.keys() == {"selection", "playouts", "backup", "evaluator"}
    assert sum(result.times.values()) == pytest.approx(1)
    check_totals(search, 20_000)


def test_threads_are_evaluated_together_one_call_at_a_time() -> None:
    running = []

    def slow(planes: Planes) -> tuple[Any, Any]:
        running.append(len(planes))
        assert len(running) % 2 == 1
        time.sleep(0.001)
        running.append(0)
        return even(planes)

    search = Search(Game(5), threads=4, seed=1, evaluator=slow, parameters=SearchParameters(leaves=8))
    search.run(simulations=8000)
    assert max(running) > 8
    check_totals(search, 8000)


def test_a_full_tree_is_evaluated_too() -> None:
    seen = Recorder(for_black(0.75))
    parameters = SearchParameters(memory=1 << 17, value_weight=1, rave_equivalence=0)
    search = Search(Game(5), seed=1, evaluator=seen, parameters=parameters)
    result = search.run(simulations=20_000)
    assert result.tree_full
    assert result.value == pytest.approx(0.75, abs=0.01)
    check_totals(search, 20_000)


def test_the_tree_below_a_move_is_kept() -> None:
    search = Search(Game(5), seed=1, evaluator=even)
    kept = search.run(simulations=3000)
    search.play(kept.best)
    search.run(simulations=1000)
    assert Entries(search).visits[tree.ROOT] == 1000 + kept.moves["visits"][0]


# --- failures -------------------------------------------------------------------------------------------


def fails(planes: Planes) -> Any:
    raise KeyError("weights")


def ones(planes: Planes, points: int = 26) -> Any:
    return np.ones((len(planes), points))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (fails, r"^the evaluator raised KeyError: 'weights'$"),
        (lambda _: None, r"returned 'NoneType': it must be a tuple \(priors, values\)$"),
        (lambda _: (1, 2, 3), "returned a tuple of 3: it must be a tuple"),
        (lambda planes: (ones(planes, 25), None), r"the priors .* the shape \(1, 25\): it must be \(1, 26\)"),
        (lambda planes: (ones(planes) * 1j, None), "the priors .* the dtype complex128: they must be numbers"),
        (lambda planes: ([[1], [1, 2]], None), "the priors of the evaluator are not an array"),
        (lambda planes: (ones(planes) * -1, None), r"priors\[0, 0\] .* is -1.0: it must be 0 or more"),
        (lambda planes: (ones(planes) * 1e40, None), r"priors\[0, 0\] .* is 1e\+40"),
        (lambda planes: (None, ones(planes, 1)), r"the values .* the shape \(1, 1\): it must be \(1,\)"),
        (lambda planes: (None, [float("nan")]), r"values\[0\] of the evaluator is nan: it must be a win share"),
        (lambda planes: (None, [1.5]), r"values\[0\] of the evaluator is 1.5"),
        (lambda planes: (None, ["won"]), "the values .* the dtype <U3"),
    ],
)
def test_a_wrong_answer_is_one_error(answer: Callable[[Planes], Any], message: str) -> None:
    with pytest.raises(EvaluatorError, match=message):
        Search(Game(5), evaluator=answer).run(simulations=100)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("good", [0, 1, 5])
def test_a_failure_loses_nothing(threads: int, good: int) -> None:
    calls = 0

    def fails_now_and_then(planes: Planes) -> tuple[Any, Any]:
        nonlocal calls
        calls += 1
        if calls == good + 1:
            raise MemoryError("the network is too large")
        return even(planes)

    search = Search(Game(5), seed=1, threads=threads, evaluator=fails_now_and_then)
    with pytest.raises(EvaluatorError, match="MemoryError: the network is too large") as raised:
        search.run(simulations=5000)
    assert isinstance(raised.value.__cause__, MemoryError)
    done = int(Entries(search).visits[tree.ROOT])
    assert (done > 0) == (good > 0)
    if good:
        check_totals(search, done)
    search.run(simulations=3000)
    check_totals(search, done + 3000)


def test_ctrl_c_before_the_root_has_its_children_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    search, calls = Search(Game(5), seed=1, evaluator=even), []

    def interrupted_at_first(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt  # as while it is compiled
        publish_evaluated(*arguments)

    monkeypatch.setattr(evaluated_search, "publish_evaluated", interrupted_at_first)
    with pytest.raises(KeyboardInterrupt):
        search.run(simulations=500)
    assert len(search.run(simulations=500).moves) == 26
    check_totals(search, 500)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(ArgumentError, match="evaluator is 3: give a function of planes"):
        Search(Game(5), evaluator=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="value_weight is 1.5: it must be a share"):
        SearchParameters(value_weight=1.5)
