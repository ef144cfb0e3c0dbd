"""The opening book: its positions, values, growth and file."""

from __future__ import annotations

import copy
import io
import os
import pickle
import random
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import pytest

from foogo.book import SHIPPED, Book, grow
from foogo.book.book import FIELDS, Entry, Stored, Value, book_named
from foogo.book.growth import TURN_COST, next_position
from foogo.book.position_key import form_of
from foogo.errors import ArgumentError, BookFileError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.search.search import Search

KOMI = 0.5


@pytest.fixture(scope="module")
def grown() -> Book:
    book = Book()
    assert grow(book, 5, KOMI, positions=60, simulations=300) == 60
    return book


def mirrored(game: Game, symmetry: int) -> Game:
    image = Game(game.size, komi=game.komi)
    for turn in game.turns:
        image.play(turn.move if turn.move == PASS else int(geometry(game.size).symmetries[symmetry, turn.move]))
    return image


@pytest.mark.parametrize("symmetry", range(8))
def test_symmetric_positions_share_an_entry(grown: Book, symmetry: int) -> None:
    game = Game(5, komi=KOMI)
    while moves := grown.moves(game):
        image, expected = mirrored(game, symmetry), geometry(5).symmetries[symmetry]
        for one, other in zip(moves, grown.moves(image), strict=True):
            assert one[1:] == other[1:]
            points = one.points if one.points == (PASS,) else tuple(sorted(expected[list(one.points)].tolist()))
            assert points == other.points
        game.play(moves[-1].points[-1])
    assert game.turns


KO = ". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . ."


def test_a_book_is_asked_for_a_game() -> None:
    book, board = Book(), cast(Any, Game(5).board)
    for ask in (book.moves, book.line, book.positions, book.simulations):
        with pytest.raises(ArgumentError, match=r"a book needs a Game, not Board\[5\]: Game\(board\) makes one"):
            ask(board)


def test_a_key_depends_on_what_a_value_depends_on() -> None:
    boards = [Board.from_diagram(KO, color, ko) for color, ko in ((BLACK, None), (BLACK, "C4"), (WHITE, None))]
    games = [Game(board, komi=komi) for board, komi in product(boards, (6.5, 7))]
    later = Game(5, komi=7)
    later.play("pass")
    later.play("pass")
    games += [Game(5, komi=7), later, Game(6, komi=7)]
    assert len({form_of(game).key for game in games}) == len(games)


def minimax(book: Book, game: Game) -> dict[int, float]:
    """The value of every point that a book has at a position, by playing all lines of the book."""
    values: dict[int, float] = {}
    for one in book.moves(game):
        for point in one.points:
            values[point] = one.win_share
            if one.positions:
                after = game.copy()
                after.play(point)
                values[point] = 1 - max(minimax(book, after).values())
    return values


def test_values_are_those_of_the_best_line(grown: Book) -> None:
    game = Game(5, komi=KOMI)
    for point in (None, *grown.line(game)[:-1]):
        if point is not None:
            game.play(point)
        values, known = minimax(grown, game), grown.moves(game)
        assert [values[one.points[0]] for one in known] == pytest.approx([one.win_share for one in known])
        assert known[0].win_share == max(one.win_share for one in known)


def test_a_value_is_that_of_the_player_to_move() -> None:
    book, start = Book(), Game(3, komi=KOMI)
    after = start.copy()
    after.play("B2")
    key = form_of(after).key
    book.add(form_of(start).key, Entry(0, 1000, (Stored(4, Value(6000, 30), key), Stored(0, Value(5500, 10), 1))))
    assert [one.win_share for one in book.moves(start)] == [0.6, 0.55]
    book.add(key, Entry(1, 500, (Stored(1, Value(4800, -5), 2),)))
    corner, center = book.moves(start)
    assert corner == ((0, 2, 6, 8), 0.55, 1.0, 0, 0)
    assert center == ((4,), 0.52, 0.5, 1, 500)
    assert (book.positions(start), book.simulations(start)) == (2, 1500)
    assert book.moves(after)[0].points == (1, 3, 5, 7)


def cheapest(book: Book, game: Game, cost: float = 0.0) -> list[tuple[float, int]]:
    """The cost of every path to a position that the book does not have, and the position's key."""
    known = book.moves(game)
    if not known:
        return [(cost, form_of(game).key)]
    paths = []
    for one in known:
        if one.points != (PASS,) and game.is_legal(one.points[0]):
            after = game.copy()
            after.play(one.points[0])
            paths += cheapest(book, after, cost + TURN_COST + 10_000 * (known[0].win_share - one.win_share))
    return paths


def test_the_cheapest_path_is_followed_next() -> None:
    book = Book()
    for _ in range(8):
        grow(book, 5, KOMI, positions=3, simulations=200)
        game = next_position(book, Game(5, komi=KOMI), set())
        assert game is not None
        least = min(cheapest(book, Game(5, komi=KOMI)))
        costs = {key: cost for cost, key in sorted(cheapest(book, Game(5, komi=KOMI)), reverse=True)}
        assert costs[form_of(game).key] == pytest.approx(least[0])


def test_a_book_that_was_kept_grows_as_if_it_had_not_been(grown: Book, tmp_path: Path) -> None:
    book = Book()
    for positions in (1, 20, 39):
        grow(book, 5, KOMI, positions=positions, simulations=300)
        book.write(str(tmp_path / "a.npz"))
        book = Book.read(str(tmp_path / "a.npz"))
    assert (book.starts, book.entries) == (grown.starts, grown.entries)
    grown.write(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_growth_ends_when_nothing_is_left_and_keeps_to_superko() -> None:
    book = Book()
    count = grow(book, 2, KOMI, simulations=200)
    assert count == len(book) == book.positions(Game(2, komi=KOMI)) > 5
    assert grow(book, 2, KOMI, simulations=200) == 0


def test_komis_and_sizes_stand_side_by_side() -> None:
    book = Book()
    for size, komi in ((3, 8.5), (3, 9.0), (5, 9.0)):
        grow(book, size, komi, positions=2, simulations=200)
    assert book.starts == [(3, 8.5), (3, 9.0), (5, 9.0)]
    assert [book.positions(Game(size, komi=komi)) for size, komi in (*book.starts, (5, 8.5))] == [2, 2, 2, 0]


def test_an_interrupted_search_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    book, searched = Book(), Search.run

    def interrupted(self: Search, simulations: int) -> object:  # Ctrl-C as the last simulations end
        return replace(searched(self, simulations), interrupted=True)

    monkeypatch.setattr(Search, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grow(book, 3, KOMI, simulations=400)
    assert len(book) == 0


@pytest.mark.parametrize(
    "options", [{"positions": 0}, {"seconds": -1.0}, {"simulations": 99}, {"komi": 6.7}, {"komi": 82.0}, {"size": 1}]
)
def test_wrong_numbers_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ArgumentError):
        grow(Book(), **options)  # type: ignore[arg-type]


def test_the_two_zeros_are_one_komi() -> None:
    book = Book()
    grow(book, 3, -0.0, positions=2, simulations=200)
    assert book.positions(Game(3, komi=0.0)) == 2


@pytest.mark.parametrize("komi", [82, -81.5, 7.2])
def test_a_komi_that_a_book_cannot_have(komi: float) -> None:
    with pytest.raises(ArgumentError, match="in a book of 9x9: give a multiple of half a point from -81 to 81"):
        grow(Book(), 9, komi, positions=1)


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"seed": -1}, {"added": 3}])
def test_a_book_is_unchanged_after_an_error(wrong: dict[str, Any]) -> None:
    book = Book()
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        grow(book, 3, KOMI, positions=1, simulations=100, **wrong)
    assert (book.starts, len(book)) == ([], 0)
    with pytest.raises(ArgumentError, match="book is 'a.npz': give a foogo.book.Book"):
        grow("a.npz", 3, KOMI, positions=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda book: pickle.loads(pickle.dumps(book))])
def test_a_copy_grows_by_itself(duplicate: Callable[[Book], Book]) -> None:
    book = Book()
    grow(book, 2, KOMI, positions=1, simulations=100)
    moves = book.moves(Game(2, komi=KOMI))
    other = duplicate(book)
    assert other.moves(Game(2, komi=KOMI)) == moves
    grow(other, 2, 1.5, positions=1, simulations=100)
    assert (book.starts, len(book)) == ([(2, KOMI)], 1)
    assert (other.starts, len(other)) == ([(2, KOMI), (2, 1.5)], 2)


def test_threads_see_only_complete_values() -> None:
    game, interval = Game(9, komi=7.0), sys.getswitchinterval()
    expected = Book.read(SHIPPED).moves(game)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            for _ in range(5):
                book = Book.read(SHIPPED)
                assert [*threads.map(lambda _, book=book: book.moves(game), range(4))] == [expected] * 4
    finally:
        sys.setswitchinterval(interval)


# --- the file ----


def test_a_book_says_what_it_has(grown: Book) -> None:
    assert repr(grown) == "<Book of 60 positions: 5x5 komi 0.5>"
    assert repr(Book()) == "<Book of 0 positions: no start>"


def test_any_damage_is_one_error(grown: Book, tmp_path: Path) -> None:
    path, rng, errors = tmp_path / "book.npz", random.Random(5), set()
    grown.write(path)
    whole = path.read_bytes()
    for i in range(300):
        damaged = bytearray(whole[: rng.randrange(len(whole))] if i % 3 == 0 else whole)
        if i % 3:
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            book = Book.read(path)
        except BookFileError as error:
            errors.add(str(error))
        else:
            assert book.entries == grown.entries
    assert len(errors) > 10
    assert not any("\n" in error for error in errors)


def changed(grown: Book, path: Path, **arrays: object) -> Path:
    grown.write(path)
    with np.load(path) as stored:
        np.savez(path, **{**stored, **arrays})
    return path


def test_files_of_other_kinds_are_refused(grown: Book, tmp_path: Path) -> None:
    path = tmp_path / "book.npz"
    with pytest.raises(BookFileError, match="is a book of format 2: 1 is needed"):
        Book.read(changed(grown, path, format=2))
    shares = np.full(len(np.load(changed(grown, path))["shares"]), 10_001, np.uint16)
    wrong = {"shares": shares, "counts": np.ones(3, np.uint8), "keys": np.zeros(3), "starts": [[30, 1]], "moves": [[0]]}
    for name, array in wrong.items():
        with pytest.raises(BookFileError, match="its arrays do not fit together"):
            Book.read(changed(grown, path, **{name: np.asarray(array, FIELDS[name] if name != "keys" else None)}))
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(BookFileError, match="cannot be read as a book"):
        Book.read(path)
    np.savez(path, format=np.array([{}]))
    objects, other = path.read_bytes(), io.BytesIO()
    np.save(other, np.zeros(3))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("format", "1")
    for data in (objects, path.read_bytes(), other.getvalue(), b"E5,50.0\n", b""):
        path.write_bytes(data)
        with pytest.raises(BookFileError, match=r"read as a book \(it is not a NumPy archive of numbers, \.npz\)"):
            Book.read(path)


def test_a_write_that_fails_keeps_the_old_file(grown: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "book.npz"
    grown.write(path)

    def full(file: object, **arrays: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(ArgumentError, match="no space left"):
        Book().write(path)
    assert Book.read(path).entries == grown.entries
    assert [*tmp_path.iterdir()] == [path]


def test_processes_that_write_at_once_leave_a_complete_file(
    grown: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, save = tmp_path / "book.npz", np.savez_compressed

    def interrupted(file: IO[bytes], **arrays: Any) -> None:
        monkeypatch.setattr(np, "savez_compressed", save)
        file.write(b"a part")
        file.flush()
        with monkeypatch.context() as other_process:
            other_process.setattr(os, "getpid", lambda: 1)
            Book().write(path)
        file.seek(0)
        save(file, **arrays)

    monkeypatch.setattr(np, "savez_compressed", interrupted)
    grown.write(path)
    assert Book.read(path).entries == grown.entries
    assert [*tmp_path.iterdir()] == [path]


def test_a_name_without_a_book_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "none.npz")
    for _ in range(2):
        assert len(book_named(missing)) == 0
    assert len(book_named("none")) == 0
    assert capfd.readouterr().err.count("\n") == 1


def test_a_player_reads_a_book_again_once_it_was_written(tmp_path: Path) -> None:
    path, book = tmp_path / "book.npz", Book()
    assert len(book_named(path)) == 0
    for positions in (1, 2):
        grow(book, 5, 7.0, positions=1, simulations=100)
        book.write(path)
        assert len(book_named(path)) == positions


def test_the_shipped_book_is_small_and_has_four_komis() -> None:
    assert SHIPPED.stat().st_size < 200_000
    book = Book.read(SHIPPED)
    assert sorted(book.starts) == [(9, 5.5), (9, 6.5), (9, 7.0), (9, 7.5)]
    assert sum(book.positions(Game(size, komi=komi)) for size, komi in book.starts) == len(book)
