"""The network against the slow one, to the bit; its file; and its fit on a tiny scale."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.learn_network import play
from bench.network_games import boards_of, opening_shares
from bench.network_inputs import Extractor
from bench.network_positions import read_games
from foogo.core.cpu import FAMILIES, host_features
from foogo.errors import NetworkFileError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, geometry
from foogo.search import network
from foogo.search.game_position import move_context
from foogo.search.kernels import features as f
from foogo.search.kernels import network_layout as n
from foogo.search.kernels import transpositions
from foogo.search.kernels import tree as t
from foogo.search.kernels.tiles import read
from foogo.search.learned_prior import feature_weights
from foogo.search.network import read_weights, write_weights
from foogo.search.parameters import SearchParameters
from foogo.search.run import SearchRun
from foogo.search.search import Search
from tests.oracle_features import describe
from tests.oracle_network import consult, unpack
from tests.search.test_learned_priors import found_features, position_of, prior_of, random_game
from tests.search.test_search import Entries

ROOT = Path(__file__).parents[2]
KEPT_PAGES = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000", "MALLOC_TOP_PAD_": "100000000"}
"""Settings of glibc, without which almost half of a fit's time goes into fresh pages."""


def weights_of(size: int) -> NDArray[np.int32]:
    """The weights that are shipped."""
    return read_weights(network.FOLDER / f"network-{size}x{size}.npz", size)


def random_weights(seed: int) -> NDArray[np.int32]:
    """Weights for which some activations are nothing, some something, and some the most."""
    rng = np.random.default_rng(seed)
    parts = []
    for name, count in n.SIZES.items():
        spread = {"kinds": 60, "moves": 60, "places": 100, "policy": 90, "board": 4, "mix": 20}.get(name, 30)
        parts.append(np.rint(rng.normal(0, spread * (100 if "bias" in name else 1), count)))
    return np.concatenate(parts).astype(np.int32)


def ko_game() -> Game:
    game = Game(9, rules="chinese")
    for move in "D5 E5 C4 F4 D3 E3 A1 D4 E4".split():
        game.play(move)
    return game


@pytest.mark.parametrize(("size", "moves"), [(2, 2), (5, 12), (9, 4), (9, 35), (9, 60), (13, 90), (19, 150)])
def test_the_network_equals_the_oracle(size: int, moves: int) -> None:
    for seed in range(3):
        check(random_game(size, moves, 10 * size + seed), random_weights(seed))


def test_a_ko_is_seen() -> None:
    game = ko_game()
    assert game.board.ko is not None
    check(game, random_weights(9))


def check(game: Game, weights: NDArray[np.int32]) -> None:
    position = position_of(game)
    added, opinion = Extractor(game.size, weights).consult(game.board.state, move_context(game))
    last, before = ([None, None] + [None if t.move == PASS else t.move for t in game.turns])[:-3:-1]
    features = {point: describe(position, point, last, before) for point in added}
    moves, ends = consult(position, game.board.ko, features, unpack(weights))
    assert {point: 8192 * value for point, value in added.items()} == moves
    assert [8192 * value for value in opinion] == ends
    assert len(set(moves.values())) > len(moves) // 2
    assert 0 not in ends


def test_an_opening_takes_corners_and_then_the_open_sides() -> None:
    game = Game(19)
    shares = opening_shares(game, 4)
    assert shares is not None
    assert np.allclose(shares.reshape(19, 19)[:4, -4:], np.array([[0] * 4, [0] * 4, [2, 1, 0, 0], [4, 2, 0, 0]]) / 36)
    assert shares.sum() == pytest.approx(1)
    assert opening_shares(game, 0) is None
    for vertex in ("D4", "Q4", "D16", "Q17"):
        game.play(vertex)
    shares = opening_shares(game, 4)
    assert shares is not None
    sides = ["J3", "J4", "K3", "K4", "L3", "L4", "C9", "Q11"]
    assert all(shares[geometry(19).point(vertex)] == shares.max() for vertex in sides)
    assert not any(shares[geometry(19).point(vertex)] for vertex in ("H4", "K5", "K10", "K2", "Q13", "C3"))
    for vertex in ("K3", "C10", "Q10", "K17"):
        game.play(vertex)
    assert opening_shares(game, 4) is None


@pytest.mark.skipif(find_spec("optax") is None, reason="needs JAX: pip install 'foogo[learn]'")
def test_a_network_is_learned_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights, games = tmp_path / "network-5x5.npz", tmp_path / "games"
    games.mkdir()
    with monkeypatch.context() as without_network:
        without_network.setattr(SearchRun, "_network", lambda run: network.NO_NETWORK)
        play(games, size=5, count=160, seed=3, factor=0.1)
    lines = learn(games, "--size=5", "--epochs=40", f"--output={weights}", f"--plot={tmp_path / 'fit.png'}")
    first, *_, last = [line for line in lines if "epochs" in line]
    (moves, results), (learned_moves, learned_results) = (held_out_losses(line) for line in (first, last))
    assert learned_moves < moves - 0.05
    assert learned_results < results - 0.15
    tested = next(line for line in lines if line.startswith(f"{weights}: "))
    # the fit reports what the rounded weights say, up to the last digit
    assert held_out_losses(tested) == pytest.approx((learned_moves, learned_results), abs=0.0002)
    found = losses_of(read_weights(weights, 5), games)
    assert found == pytest.approx(held_out_losses(tested), abs=0.003)
    assert sum(line.startswith("value ") for line in lines) >= 5
    assert (tmp_path / "fit.png").stat().st_size > 10_000
    monkeypatch.setattr(network, "FOLDER", tmp_path)
    monkeypatch.setattr(network, "FITTED", (5,))
    network.network_weights.cache_clear()
    try:
        gains = [gain_of(*position) for position in games_apart()]
    finally:
        network.network_weights.cache_clear()
    assert len(gains) >= 40
    assert np.mean(gains) > 0.03


def learn(folder: Path, *arguments: str) -> list[str]:
    """What the command prints; in a process of its own, as JAX warns of forks in its own."""
    command = [sys.executable, "-m", "bench.learn_network", str(folder), *arguments]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | KEPT_PAGES, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def held_out_losses(line: str) -> tuple[float, ...]:
    """The losses of moves and values in a line."""
    return tuple(float(number) for number in re.findall(r"(?:moves|value) (\d\.\d{4})", line)[:2])


def losses_of(weights: NDArray[np.int32], folder: Path) -> tuple[float, float]:
    """The losses of moves and values of the compiled network, at the positions held out."""
    (path,), (_, apart) = folder.iterdir(), read_games(folder, 5)
    with np.load(path) as stored:
        held_out = stored["game"] % 20 == 0
        boards = boards_of({name: stored[name][held_out] for name in stored.files if stored[name].ndim}, 5)
    extractor, passing, found = Extractor(5, weights), feature_weights()[f.START[f.PASSING]], []
    for number, board in enumerate(boards):
        (added, opinion), position = extractor.consult(*board), apart.take(number)
        logarithms = np.append(position.logarithms, passing + opinion.passing)
        logarithms[list(added)] += list(added.values())
        seen = position.shares > 0
        chances = 2.0 ** logarithms[seen] / (2.0**logarithms).sum()
        moves = position.certainty * (position.shares[seen] @ np.log(chances))
        share = 1 / (1 + 2.0 ** -(opinion.fixed + position.komi * opinion.of_komi))
        found.append((moves, position.value * np.log(share) + (1 - position.value) * np.log(1 - share)))
    moves, values = -np.sum(found, axis=0)
    return moves / apart.certainty.sum(), values / len(found)


def games_apart() -> Iterator[tuple[Game, int]]:
    """Positions that no fit has seen, and the move that a longer search prefers."""
    for seed in range(10):
        game = random_game(5, 3 + seed % 4, seed)
        for _ in range(5):
            best = Search(game, seed=seed, parameters=SearchParameters(network=False)).run(simulations=4000).best
            yield game, best
            game.play(best)


def gain_of(game: Game, move: int) -> float:
    """By what factor the network raises the prior of a move, as a logarithm."""
    priors = [prior_of(game, learnt=1000.0, network=is_on) for is_on in (True, False)]
    with_it, without = (visits[move][0] / sum(count for count, _ in visits.values()) for visits in priors)
    return float(np.log(with_it / without))


def bad_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Files that are no network for 9x9, and what is said of them."""
    good = np.zeros(n.WEIGHTS, np.int32)
    text, cut, other = folder / "text.npz", folder / "cut.npz", folder / "other.npz"
    text.write_text("weights")
    yield text, "cannot be read"
    write_weights(cut, 9, good)
    cut.write_bytes(cut.read_bytes()[:-100])
    yield cut, "cannot be read"
    np.savez(other, found=good)
    yield other, "it has no format"
    changed: dict[str, Any]
    for name, changed, message in (
        ("version", {"format": 99}, "is of format 99: 2 is needed"),
        ("size", {"size": 20}, "is of size 20: 2 to 19 is needed"),
        ("length", {"weights": good[:-1]}, f"{n.WEIGHTS} of int32 are needed"),
        ("type", {"weights": good.astype(np.float32)}, "of int32 are needed"),
        ("large", {"weights": good + (1 << 15)}, "are too large"),
    ):
        path = folder / f"{name}.npz"
        contents: dict[str, Any] = {"format": 2, "size": 9, "weights": good}
        np.savez(path, **(contents | changed))
        yield path, message


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    for path, message in bad_files(tmp_path):
        with pytest.raises(NetworkFileError, match=re.escape(message)) as error:
            read_weights(path, 9)
        assert str(path) in str(error.value)


def test_a_damaged_file_is_refused_whatever_the_damage(tmp_path: Path) -> None:
    rng, path, good = np.random.default_rng(5), tmp_path / "damaged.npz", network.FOLDER / "network-9x9.npz"
    refused = 0
    for _ in range(300):
        damaged = bytearray(good.read_bytes())
        headers = rng.random() < 0.5  # the directory of the archive lies at its end
        damaged[int(rng.integers(len(damaged) - 200 if headers else 0, len(damaged)))] ^= int(rng.integers(1, 256))
        path.write_bytes(damaged)
        try:
            read_weights(path, 9)
        except NetworkFileError:
            refused += 1
    assert refused > 150


@pytest.mark.parametrize("size", range(2, 20))
def test_every_size_has_a_network_within_the_limits(size: int) -> None:
    fitted = 9 if size < 12 else 13 if size < 17 else 19
    from_file = read_weights(network.FOLDER / f"network-{fitted}x{fitted}.npz", fitted)
    weights = read_weights(network.FOLDER / f"network-{fitted}x{fitted}.npz", size)
    assert network.largest_share(weights, size) < 1
    np.testing.assert_array_equal(network.network_weights(size), n.arranged(weights))
    before, after = network.parts_of(from_file), network.parts_of(weights)
    for name, part in after.items():
        factor = fitted**2 / size**2 if name == "board" else 1.0
        np.testing.assert_allclose(part, factor * before[name], atol=0.5 if name == "board" else 0.0)


def test_the_search_goes_on_without_a_damaged_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "network-9x9.npz").write_bytes(b"PK\x03\x04 and no more")
    monkeypatch.setattr(network, "FOLDER", tmp_path)
    network.network_weights.cache_clear()
    try:
        with_it = SearchParameters(network=True)
        results = [Search(Game(9), seed=3, parameters=with_it).run(simulations=400) for _ in range(2)]
    finally:
        network.network_weights.cache_clear()
    lines = capsys.readouterr().err.splitlines()
    said = [line for line in lines if "compiling" not in line]
    assert len(said) == 1
    assert said[0].startswith("foogo: the search goes on without its network: ")
    without = Search(Game(9), seed=3, parameters=SearchParameters(network=False)).run(simulations=400)
    for result in results:
        assert repr(result.moves) == repr(without.moves)


def test_priors_are_what_the_network_says() -> None:
    game = random_game(9, 40, 7)
    added, opinion = Extractor(9, weights_of(9)).consult(game.board.state, move_context(game))
    table, rows = feature_weights().astype(float), found_features(game)
    factors = {point: 2.0 ** (table[rows[point]].sum() + added[point]) for point in rows}
    factors[PASS] = 2.0 ** (table[f.START[f.PASSING]] + opinion.passing)
    whole = sum(factors.values())
    with_it, without = (prior_of(game, learnt=1000.0, even=20.0, network=is_on) for is_on in (True, False))
    assert with_it != without
    for move, factor in factors.items():
        visits = 10 if move == PASS else 20
        assert with_it[move][0] == pytest.approx(visits + 1000 * (factor / whole) ** 0.8, abs=0.51)


def test_a_value_is_a_prior_of_the_position_that_it_is_of() -> None:
    game = random_game(9, 30, 5)
    parameters = SearchParameters(network=True, value_visits=100.0)
    search = Search(game, seed=2, parameters=parameters)
    result = search.run(simulations=3000)
    root, children = root_of(search)
    assert int(root["visits"]) - int(root["prior_visits"]) == 3000 == sum(result.moves["visits"])
    grown = children[children["first"] > 0]
    assert len(grown) > 5
    assert len(grown) < len(children)
    before = prior_of(game, network=True)
    for child in children:
        visits, wins = before[int(child["move"])]
        extra = int(child["prior_visits"]) - visits, int(child["prior_wins"]) / 2 - wins
        if child["first"] <= 0:
            assert extra == (0, 0)
            continue
        after = game.copy()
        after.play(int(child["move"]))
        assert extra[0] == 100
        assert extra[1] == pytest.approx(100 * (1 - value_of(after)), abs=0.3)


@pytest.mark.parametrize(("size", "moves", "is_valued"), [(9, 50, True), (13, 83, True), (13, 84, False)])
def test_on_large_boards_values_count_while_half_of_the_points_are_open(size: int, moves: int, is_valued: bool) -> None:
    game = random_game(size, moves, 5)
    before = prior_of(game, network=True)
    search = Search(game, seed=2, parameters=SearchParameters(value_visits=100.0, certainty=False))
    search.run(simulations=3000)
    grown = [child for child in root_of(search)[1] if child["first"] > 0]
    assert len(grown) > 5
    for child in grown:
        if child["move"] != PASS:
            extra = int(child["prior_visits"]) - before[int(child["move"])][0]
            assert extra == (100 if is_valued else 0)


def test_a_value_is_backed_up_where_a_position_gets_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transpositions, "SIZES", range(0))  # so that every position has the network's value
    game, playouts = random_game(9, 30, 5), 4
    search = Search(game, seed=2, parameters=SearchParameters(value_weight=1.0, playouts=playouts, certainty=False))
    grown: set[tuple[int, ...]] = {()}
    before = checked = 0
    for _ in range(300):
        search.run(simulations=playouts)
        entries = Entries(search)
        lines, half_wins = grown_lines(entries), int(entries.wins[t.ROOT])
        for line in lines - grown - {()}:
            position = game.copy()
            for move in line:
                position.play(move)
            won = value_of(position)
            lost = won if position.to_play != game.to_play else 1 - won
            assert half_wins - before == pytest.approx(2 * playouts * lost, abs=1)
            checked += 1
        grown, before = lines, half_wins
    assert checked > 50


def value_of(game: Game) -> float:
    """The win share of the player to move by the network of 9x9."""
    _, opinion = Extractor(9, weights_of(9)).consult(game.board.state, move_context(game))
    komi = game.komi if game.to_play == BLACK else -game.komi
    return float(1 / (1 + 2.0 ** -(opinion.fixed + komi * opinion.of_komi)))


def grown_lines(entries: Entries) -> set[tuple[int, ...]]:
    """The moves from the root to each entry that has children, if none share them."""
    blocks, lines = entries.blocks(), dict[int, tuple[int, ...]]({t.ROOT: ()})
    for (parent,), children in blocks:
        lines.update(
            (child, (*lines[parent], int(entries.moves[child]))) for child in range(children.start, children.stop)
        )
    return {lines[parent] for (parent,), _ in blocks}


def root_of(search: Search) -> tuple[Any, Any]:
    """The root of a tree and its children, as entries."""
    memory = search._tree.arrays.memory
    root = read(memory, t.ROOT, 1)[0]
    return root, read(memory, int(root["first"]), int(root["count"]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processor", "features"),
    [(name, FAMILIES[name].needs) for name in ("x86-64-v4", "x86-64-v3", "x86-64-v2")] + [("x86-64-v2", frozenset())],
    ids=["x86-64-v4", "x86-64-v3", "x86-64-v2", "no features"],
)
def test_the_network_is_the_same_on_processors_with_other_vectors(processor: str, features: frozenset[str]) -> None:
    if not FAMILIES[processor].needs <= host_features():
        pytest.skip(f"this processor has less than {processor}")
    names = ",".join(f"+{name}" for name in sorted(features))
    environment = os.environ | {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": names, "FOOGO_CACHE_DIR": ""}
    script = "from tests.search.test_network import check, ko_game, random_weights;check(ko_game(), random_weights(9))"
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, cwd=ROOT, capture_output=True)
