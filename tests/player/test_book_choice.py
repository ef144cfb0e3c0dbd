"""The player's use of an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from foogo.book import Book, grow
from foogo.game.board import Board
from foogo.game.clock import TimeSettings
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.player.options import PlayerOptions
from foogo.player.player import Player
from foogo.search.restrictions import Avoid
from tests.gtp_talk import Talk


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    path, book = tmp_path_factory.mktemp("book") / "book.npz", Book()
    grow(book, 5, 7.0, positions=40, simulations=400)
    book.write(path)
    return str(path)


def player_with(path: str | Path, komi: float = 7.0, **options: Any) -> Player:
    defaults: dict[str, Any] = {"simulations": 100, "book": path}
    return Player(5, "tromp-taylor", komi, PlayerOptions(**defaults | options))


def is_from_book(player: Player, **request: Any) -> bool:
    player.genmove(play=False, **request)
    assert player.decision is not None
    return player.decision.reason == "from the book"


def test_the_book_answers_while_it_knows_the_position(path: str) -> None:
    player, book = player_with(path), Book.read(Path(path))
    while is_from_book(player):
        game, decision = player.game, player.decision
        assert decision is not None
        known = book.moves(game)
        best = next(one for one in known if one.positions)
        chosen = next(one for one in known if decision.move in one.points)
        assert chosen.positions
        assert best.win_share - 0.01 <= chosen.win_share == decision.result.value
        assert decision.comment == f"win share {100 * chosen.win_share:.1f} %, {chosen.score:+.1f} points"
        assert decision.result.pv[0] == decision.result.best == decision.move
        assert decision.result.moves["visits"][0] == chosen.simulations
        player.genmove()
    assert 3 <= len(player.game.turns) < 20


def test_the_seed_chooses_among_equal_moves(path: str) -> None:
    def opening(seed: int) -> list[int]:
        player = player_with(path, seed=seed)
        return [player.genmove() for _ in range(2)]

    openings = {tuple(opening(seed)) for seed in range(12)}
    assert len(openings) > 2
    assert opening(3) == opening(3)


def test_only_a_usual_request_is_answered(path: str) -> None:
    assert is_from_book(player_with(path))
    assert not is_from_book(player_with("none"))
    assert not is_from_book(player_with(path, komi=6.5))
    assert not is_from_book(player_with(path, must_win="yes"))
    assert is_from_book(player_with(path, must_win="white"))
    assert not is_from_book(player_with(path), clean_up=True)
    assert not is_from_book(player_with(path), avoid=[Avoid(BLACK, (0,), depth=1)])
    assert not is_from_book(player_with(path), color=WHITE)
    passed, handicap = player_with(path), player_with(path)
    passed.play(PASS)
    handicap.set_position(Board.from_stones(5, [6, 18], [], WHITE))
    assert not is_from_book(passed)
    assert not is_from_book(handicap)


def test_a_larger_search_is_preferred(path: str) -> None:
    assert is_from_book(player_with(path, simulations=16_000))
    assert not is_from_book(player_with(path, simulations=16_001))
    assert is_from_book(player_with(path, simulations=None, seconds=0.03))
    assert not is_from_book(player_with(path, simulations=None, seconds=0.05))
    assert not is_from_book(player_with(path, simulations=None, seconds=0.03, threads=2))
    clocked = player_with(path, simulations=None)
    clocked.set_time(TimeSettings.parse("absolute 2"))
    assert is_from_book(clocked) == (clocked.plan(BLACK).aim <= 0.04)


def test_a_book_may_be_named_by_its_path(path: str) -> None:
    assert PlayerOptions(book=Path(path)) == PlayerOptions(book=path)
    assert is_from_book(player_with(Path(path)))


def test_rules_by_area_share_a_book(path: str) -> None:
    for rules in ("tromp-taylor", "chinese", "aga", "superko=simple suicide=no"):
        player = player_with(path)
        player.ruleset = rules
        assert is_from_book(player)


def test_play_goes_on_without_a_damaged_book(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 damaged")
    player = player_with(str(tmp_path / "bad.npz"))
    assert player.genmove() in range(25)
    player.genmove()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("foogo: play goes on without the book: ")


def test_a_controller_reads_the_books_moves(path: str, talk: Talk) -> None:
    talk.setup(f"foogo-param book {path}", "foogo-param simulations 100")
    assert talk.ask("foogo-param book") == f"= {path}"
    best = Book.read(Path(path)).moves(Game(5, komi=7.0))[0]
    answer = talk.ask("kata-genmove_analyze b 100 ownership true pvVisits true")
    assert f"=\ninfo move {geometry(5).vertex(best.points[0])} visits {best.simulations} " in answer
    assert talk.ask("gomill-explain_last_move").endswith("; from the book")
    assert '"comment":"from the book"' in talk.ask("cgos-genmove_analyze w")
    talk.setup("foogo-param book none")
