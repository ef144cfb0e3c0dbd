"""`Book`: the positions of an opening book, their backed-up values, and the file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import file_path, replace_file
from foogo.book.position_key import form_of
from foogo.core.archives import read_arrays
from foogo.errors import ArgumentError, BookFileError
from foogo.game.game import Game
from foogo.game.geometry import MAX_SIZE, MIN_SIZE, PASS
from foogo.game.notation import number_text

FORMAT = 1
"""The version of the file, to be changed with its arrays or with the keys of positions."""

SHIPPED = Path(__file__).with_name("book.npz")
"""The book that comes with foogo: 9x9 at komi 5.5, 6.5, 7 and 7.5."""

MOST_MOVES = 6
"""The most moves that are kept of a position, the best of its search."""

SHARE, SCORE = 10_000, 10
"""The units of stored win shares and scores: 1/10,000, and tenths of a point."""

FIELDS = {
    "starts": np.int16, "keys": np.uint64, "turns": np.uint8, "simulations": np.uint32, "counts": np.uint8,
    "moves": np.int16, "shares": np.uint16, "scores": np.int16, "next_keys": np.uint64,
}  # fmt: skip
"""The arrays of the file besides `format`: of its starts, size and half points of komi; of its positions; of moves."""


class Value(NamedTuple):
    """A win share and a score of the player to move, in the units of the file."""

    share: int
    score: int

    def for_opponent(self) -> Value:
        """The value for the other player."""
        return Value(SHARE - self.share, -self.score)


class Stored(NamedTuple):
    """A move as its position's search judged it; the share is the lower confidence bound of the win share."""

    move: int
    """A point of the position's form, or PASS."""
    value: Value
    key: int
    """Of the position after the move."""


class Entry(NamedTuple):
    """A position that was searched: the turns before it, the simulations, and its moves, the search's best first."""

    turns: int
    simulations: int
    moves: tuple[Stored, ...]


class BookMove(NamedTuple):
    """A move that a book has at a position.

    Win share and score are those of the player to move. If the book has the position after the move, they are backed up
    from there; else they are the search's, and the share is a lower confidence bound.
    """

    points: tuple[int, ...]
    """The point, or PASS; several if symmetry makes them equal."""
    win_share: float
    score: float
    """In points, after komi."""
    positions: int
    """Positions of the book that the move leads to."""
    simulations: int
    """Of their searches together."""


class Book:
    """Positions of openings, with what long searches found there.

    Symmetric positions share an entry. The value of a position is that of its best move; a move that leads to a
    position of the book has the value of that position for the opponent. So each position that is added corrects the
    values before it (minimax).

    Examples
    --------
    >>> from foogo.book import grow
    >>> from foogo.game.geometry import vertex
    >>> book = Book()
    >>> grow(book, 5, 0.5, positions=3, simulations=2000)
    3
    >>> best = book.moves(Game(5, komi=0.5))[0]
    >>> vertex(best.points[0], 5), best.positions
    ('C3', 2)
    """

    def __init__(self) -> None:
        self.starts: list[tuple[int, float]] = []  # board size and komi of each empty board
        self._entries: dict[int, Entry] = {}
        self._values: dict[int, Value] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        starts = ", ".join(f"{size}x{size} komi {number_text(komi)}" for size, komi in self.starts) or "no start"
        return f"<Book of {len(self):,} position{'' if len(self) == 1 else 's'}: {starts}>"

    def __copy__(self) -> Book:
        """A book that grows by itself."""
        copied = Book()
        copied.starts, copied._entries = self.starts.copy(), self._entries.copy()
        return copied

    @property
    def entries(self) -> Mapping[int, Entry]:
        """The positions by key, in the order in which they were added."""
        return self._entries

    def add(self, key: int, entry: Entry) -> None:
        """Add a position."""
        self._entries[key] = entry
        self._values = None

    def moves(self, game: Game) -> list[BookMove]:
        """The moves known at a game's position, the best first; none if the book does not have it."""
        form = form_of(game)
        entry = self._entries.get(form.key)
        if entry is None:
            return []
        ordered = sorted(entry.moves, key=self.value_of, reverse=True)
        return [self._book_move(stored, form.symmetries) for stored in ordered]

    def _book_move(self, stored: Stored, symmetries: NDArray[np.int64]) -> BookMove:
        """A move as `moves` returns it, on the board that the symmetries map onto its form."""
        points, value, below = {stored.move}, self.value_of(stored), self._below(stored.key)
        if stored.move != PASS:
            points = {int(point) for point in np.nonzero(symmetries == stored.move)[1]}
        simulations = sum(self._entries[key].simulations for key in below)
        return BookMove(tuple(sorted(points)), value.share / SHARE, value.score / SCORE, len(below), simulations)

    def line(self, game: Game) -> tuple[int, ...]:
        """The best moves in a row from a game's position on, as far as the book goes."""
        game, line = game.copy(), list[int]()
        while moves := self.moves(game):
            point = moves[0].points[0]
            line.append(point)
            if point == PASS or not game.is_legal(point):
                break
            game.play(point)
        return tuple(line)

    def simulations(self, game: Game) -> int:
        """The simulations of the searches of a game's position and of those that its moves lead to."""
        return sum(self._entries[key].simulations for key in self._below(form_of(game).key))

    def positions(self, game: Game) -> int:
        """How many positions the book has, from a game's position on."""
        return len(self._below(form_of(game).key))

    def values(self) -> Mapping[int, Value]:
        """The backed-up value of each position, by key."""
        values = self._values
        if values is None:
            values = {}
            for key, entry in sorted(self._entries.items(), key=lambda item: -item[1].turns):
                values[key] = max(_backed_up(one, values) for one in entry.moves)
            self._values = values  # when it is complete: other threads may look
        return values

    def value_of(self, stored: Stored) -> Value:
        """The value of a move, backed up if the book has the position after it."""
        return _backed_up(stored, self.values())

    def _below(self, key: int) -> set[int]:
        """The key, if the book has it, and those of the positions that its moves lead to."""
        seen, todo = set[int](), [key]
        while todo:
            one = todo.pop()
            if one in self._entries and one not in seen:
                seen.add(one)
                todo += [stored.key for stored in self._entries[one].moves]
        return seen

    def write(self, path: str | os.PathLike[str]) -> None:
        """Replace a file by this book; a program that is killed leaves the old file or the new one.

        An ArgumentError is raised if that fails.
        """
        entries = list(self._entries.values())
        moves = [stored for entry in entries for stored in entry.moves]
        columns = {
            "starts": [(size, round(2 * komi)) for size, komi in self.starts],
            "keys": list(self._entries),
            "turns": [entry.turns for entry in entries],
            "simulations": [entry.simulations for entry in entries],
            "counts": [len(entry.moves) for entry in entries],
            "moves": [stored.move for stored in moves],
            "shares": [stored.value.share for stored in moves],
            "scores": [stored.value.score for stored in moves],
            "next_keys": [stored.key for stored in moves],
        }
        arrays: dict[str, Any] = {name: np.array(column, FIELDS[name]) for name, column in columns.items()}
        arrays |= {"starts": arrays["starts"].reshape(-1, 2), "format": FORMAT}
        file = io.BytesIO()
        try:
            np.savez_compressed(file, **arrays)
            replace_file(file_path("path", path), file.getvalue())
        except OSError as error:
            raise ArgumentError(f"cannot write '{path}': {(error.strerror or str(error)).lower()}") from None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Book:
        """The book in a file; raises a BookFileError if it has none, or one of another version."""
        path = file_path("path", path)
        try:
            arrays = read_arrays(path)
        except ValueError as error:
            raise BookFileError(f"{path} cannot be read as a book ({error})") from None
        if "format" not in arrays:
            raise BookFileError(f"{path} cannot be read as a book (it has no format)")
        if arrays["format"].shape or arrays["format"] != FORMAT:
            raise BookFileError(f"{path} is a book of format {arrays['format']}: {FORMAT} is needed")
        if not _fit_together(arrays):
            raise BookFileError(f"{path} is not a book: its arrays do not fit together")
        return cls._of_arrays(arrays)

    @classmethod
    def _of_arrays(cls, arrays: Mapping[str, NDArray[np.integer]]) -> Book:
        book, first = cls(), 0
        columns = {name: array.tolist() for name, array in arrays.items()}
        book.starts = [(size, half_points / 2) for size, half_points in columns["starts"]]
        values = map(Value, columns["shares"], columns["scores"])
        moves = list(map(Stored, columns["moves"], values, columns["next_keys"]))
        for key, turns, simulations, count in zip(*(columns[name] for name in _OF_POSITIONS), strict=True):
            book._entries[key] = Entry(turns, simulations, tuple(moves[first : first + count]))
            first += count
        return book


def _backed_up(stored: Stored, values: Mapping[int, Value]) -> Value:
    """The value of a move, from `values` if they have the position after it."""
    after = values.get(stored.key)
    return stored.value if after is None else after.for_opponent()


_OF_POSITIONS, _OF_MOVES = ("keys", "turns", "simulations", "counts"), ("moves", "shares", "scores", "next_keys")


def _fit_together(arrays: Mapping[str, NDArray[np.integer]]) -> bool:
    """Whether the arrays are those of `FIELDS`, belong together, and have only sizes and points that exist."""
    if not arrays.keys() >= FIELDS.keys():
        return False
    starts, counts, moves = arrays["starts"], arrays["counts"], arrays["moves"]
    shapes: dict[str, tuple[int, ...]] = {"starts": (len(starts), 2)}
    shapes |= dict.fromkeys(_OF_POSITIONS, (len(counts),)) | dict.fromkeys(_OF_MOVES, (int(counts.sum()),))
    if any(arrays[name].shape != shapes[name] or arrays[name].dtype != FIELDS[name] for name in FIELDS):
        return False
    sizes = starts[:, 0]
    return bool(
        (counts > 0).all()
        and ((sizes >= MIN_SIZE) & (sizes <= MAX_SIZE)).all()
        and (moves >= PASS).all()
        and (moves < sizes.max(initial=0) ** 2).all()
        and (arrays["shares"] <= SHARE).all()
    )


def book_named(name: str | os.PathLike[str]) -> Book:
    """The book that a player's option names: "shipped", "none", or that of a file.

    A file is read again once it was written. If it cannot be used, a line on stderr says why, once, and the book is
    empty.
    """
    if name == "none":
        return Book()
    path = SHIPPED if name == "shipped" else Path(name)
    try:
        found = path.stat()
    except (OSError, ValueError):
        return _book_at(path, 0, 0)
    return _book_at(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=8)
def _book_at(path: Path, changed: int, size: int) -> Book:
    try:
        return Book.read(path)
    except BookFileError as error:
        print(f"foogo: play goes on without the book: {error}", file=sys.stderr)
        return Book()
