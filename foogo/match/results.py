"""The games of a match, in a file that grows by one line for each and survives being killed.

The first line is the configuration, every other one a game, all JSON. A line counts once it has its end; what a
killed process left behind it is cut off.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from foogo.errors import MatchError

FORMAT = 1
"""The version of the file's form."""

NAME = "results.jsonl"

HEAD = b'{"foogo_match"'
"""How such a file begins."""


@dataclass(frozen=True)
class Result:
    """A finished game.

    Attributes
    ----------
    number
        Counted from 0.
    opening
        The number of its opening; two games have each.
    size
        Points on a side.
    black
        Who had Black: "A" or "B".
    winner
        "A", "B", "draw", or None if the game has no result.
    result
        As in an SGF file.
    reason, detail
        How it was decided, and what went wrong.
    moves
        Vertices, those of the opening included.
    seconds, longest
        All time of each player, and that of its slowest move.
    scores
        What "A", "B" and "referee" say of the final position, as far as they do.
    sgf, transcript
        Files in the folder of the match; the transcript is "" if it was not kept.
    """

    number: int
    opening: int
    size: int
    black: str
    winner: str | None
    result: str
    reason: str
    moves: tuple[str, ...]
    detail: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    longest: dict[str, float] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    sgf: str = ""
    transcript: str = ""

    @property
    def points(self) -> float | None:
        """What A got: 1, 0.5 or 0; None without a result."""
        return {"A": 1.0, "draw": 0.5, "B": 0.0}.get(self.winner or "")


class Ledger:
    """The results of a match, open for writing by this process alone. It is a context manager.

    Parameters
    ----------
    folder
        Where the match is kept; made if need be.
    config
        What its games depend on.

    Raises
    ------
    MatchError
        If the folder holds another match, a file that is none, or another process is writing to it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger(Path(folder), {"komi": 7.0}) as ledger:
    ...         ledger.add(Result(0, 0, 9, "A", "B", "W+R", "resignation", ("E5",)))
    ...     with Ledger(Path(folder), {"komi": 7.0}) as ledger:
    ...         print(ledger.games[0].winner)
    B
    """

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        self.folder, self.path = folder, folder / NAME
        self.games: dict[int, Result] = {}
        wanted = {"foogo_match": FORMAT, **json.loads(json.dumps(config))}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise MatchError(f"cannot write to '{self.path}': {error.strerror or error}; name another folder") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise MatchError(f"another foogo match is writing to '{self.path}': wait, or name another folder") from None
        try:
            self._read(wanted)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, result: Result) -> None:
        """Write a game; it is kept once this returns."""
        self._write(asdict(result))
        self.games[result.number] = result

    def close(self) -> None:
        """Close the file, and let others write to it."""
        self._file.close()

    def _read(self, wanted: Mapping[str, Any]) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if not lines:
            if not data.startswith(HEAD[: len(data)]):
                raise MatchError(f"'{self.path}' holds no results of a match: name another folder")
            self._file.truncate(0)
            self._write(wanted)
            return
        _check_same(self.path, _parse(self.path, 1, lines[0]), wanted)
        for number, line in enumerate(lines[1:], 2):
            result = _result(self.path, number, line)
            self.games[result.number] = result
        self._file.truncate(whole)

    def _write(self, document: Mapping[str, Any]) -> None:
        try:
            self._file.write(json.dumps(document, allow_nan=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise MatchError(f"cannot write to '{self.path}': {error.strerror or error}") from None


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise MatchError(f"line {number} of '{path}' is no result of a match: restore a copy, or name another folder")
    return document


def _result(path: Path, number: int, line: bytes) -> Result:
    document = _parse(path, number, line)
    try:
        return Result(**{**document, "moves": tuple(document["moves"])})
    except (TypeError, KeyError):
        raise MatchError(
            f"line {number} of '{path}' is no result of a match: restore a copy, or name another folder"
        ) from None


def _check_same(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to add to a match with another configuration, and say what differs."""
    if "foogo_match" not in found:
        raise MatchError(f"'{path}' holds no results of a match: name another folder")
    if found["foogo_match"] != FORMAT:
        raise MatchError(
            f"'{path}' has form {found['foogo_match']}, this foogo writes form {FORMAT}: name another folder"
        )
    names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
    if names:
        differences = "; ".join(f"{name} was {found.get(name)!r}, now {wanted.get(name)!r}" for name in names)
        raise MatchError(
            f"'{path}' holds a match of another configuration: {differences}; ask for the same, or name another folder"
        )
