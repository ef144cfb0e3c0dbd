"""The finished games of a match, in a file that survives a killed process.

The first line is the configuration, every other line a game, all as JSON. A last line without a line end is what a
killed process left; it is cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from foogo.errors import MatchError

FORMAT = 1  # the version of the file format
NAME = "results.jsonl"  # the name of the file in the folder of the match
HEAD = b'{"foogo_match"'  # the first bytes of the file


@dataclass(frozen=True)
class GameResult:
    """A finished game. The engines are "A" and "B"; two games are played from each opening.

    Attributes
    ----------
    number, opening
        Counted from 0.
    size
        Points on a side.
    black
        "A" or "B".
    winner
        "A", "B", "draw", or None if the game has no result.
    result
        As in an SGF file.
    reason, detail
        What decided the game, and more about it or "".
    moves
        Vertices, including those of the opening.
    seconds, longest
        The total time of each engine, and that of its slowest move.
    scores
        By "A", "B" and "referee", as far as they gave one.
    sgf, transcript
        Files in the folder of the match; "" if no transcript was kept.
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
        """A's points: 1, 0.5 or 0; None if the game has no result."""
        return {"A": 1.0, "draw": 0.5, "B": 0.0}.get(self.winner or "")


class ResultsFile:
    """The results of a match, opened for writing by a single process. A context manager.

    Raises MatchError if the folder holds a different match or another kind of file, or another process is writing to
    it.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        self.folder, self.path = folder, folder / NAME
        self.games: dict[int, GameResult] = {}
        wanted = {"foogo_match": FORMAT, **json.loads(json.dumps(config))}
        try:
            import fcntl  # here, as Windows has none, and results can be read there
        except ImportError:
            raise MatchError("matches need Linux, macOS or WSL: Windows cannot lock their results") from None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise MatchError(f"cannot write to '{self.path}': {error.strerror or error}; name another folder") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            if not isinstance(error, BlockingIOError):
                reason = error.strerror or error
                raise MatchError(f"cannot lock '{self.path}': {reason}; name a folder on a local disk") from None
            raise MatchError(f"another foogo match is writing to '{self.path}': wait, or name another folder") from None
        try:
            self._read(wanted)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, result: GameResult) -> None:
        """Write a game to disk."""
        self._write(asdict(result))
        self.games[result.number] = result

    def close(self) -> None:
        """Close the file, so that another process can write to it."""
        self._file.close()

    def _read(self, wanted: Mapping[str, Any]) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if not lines:
            if not data.startswith(HEAD[: len(data)]):
                raise MatchError(f"'{self.path}' does not hold match results: name another folder")
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
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise _bad_line(path, number)
    return document


def _result(path: Path, number: int, line: bytes) -> GameResult:
    document = _parse(path, number, line)
    try:
        return GameResult(**{**document, "moves": tuple(document["moves"])})
    except (TypeError, KeyError):
        raise _bad_line(path, number) from None


def _bad_line(path: Path, number: int) -> MatchError:
    return MatchError(f"line {number} of '{path}' is not a match result: restore a copy, or name another folder")


def _check_same(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise unless both configurations are equal."""
    if "foogo_match" not in found:
        raise MatchError(f"'{path}' does not hold match results: name another folder")
    if found["foogo_match"] != FORMAT:
        raise MatchError(
            f"'{path}' has format {found['foogo_match']}, this foogo writes format {FORMAT}: name another folder"
        )
    names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
    if names:
        differences = "; ".join(f"{name} was {found.get(name)!r}, now {wanted.get(name)!r}" for name in names)
        raise MatchError(
            f"'{path}' holds a match with another configuration: {differences}; "
            "give the same configuration, or name another folder"
        )
