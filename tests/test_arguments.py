"""The checks of arguments that all modules share."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from foogo import Board, Game, Rules, Search, SearchParameters, perft, play_games, simulate, solve
from foogo.arguments import is_boolean, is_number, positive, probe_file, replace_file, whole, whole_number
from foogo.errors import ArgumentError, FoogoError
from foogo.playout import games
from tests.marks import posix


def test_whole_numbers_are_neither_floats_nor_booleans() -> None:
    assert [whole_number(value) for value in (7, 7.0, True)] == [7, None, None]
    assert whole("n", 7, 0, 10) == 7


def test_switches_may_be_booleans_of_numpy() -> None:
    assert [is_boolean(value) for value in (True, np.False_, 1, "no", None)] == [True, True, False, False, False]
    for rules in Rules(suicide=np.False_), Rules(suicide=False):  # type: ignore[arg-type]
        assert (rules.suicide, repr(rules)) == (False, repr(Rules(suicide=False)))
    assert SearchParameters(network=np.False_) == SearchParameters(network=False)  # type: ignore[arg-type]
    assert type(SearchParameters(certainty=np.True_).certainty) is bool  # type: ignore[arg-type]
    assert perft(2, 2, passes=np.True_, suicide=np.False_) == perft(2, 2, passes=True)  # type: ignore[arg-type]
    assert solve(2, 2, suicide=np.False_).suicide is False  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "call",
    [
        lambda number: Board(number),
        lambda number: Board(9).play(number),
        lambda number: Game(9, komi=number),
        lambda number: perft(5, number),
        lambda number: simulate(9, number),
        lambda number: simulate(9, 0).win_share(number),
        lambda number: Search(Game(3)).run(number),
    ],
)
def test_numbers_that_python_does_not_write_are_refused(call: Callable[[int], object]) -> None:
    with pytest.raises(FoogoError, match="a number of more than 4300 digits"):
        call(10**5000)


def test_more_games_than_the_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def allocate(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(games, "_no_points", allocate)
    with pytest.raises(ArgumentError, match="n is 10: this machine does not have that much memory"):
        play_games(9, 10, sets=True)


def test_numbers_are_finite_and_fit_a_float() -> None:
    assert [is_number(value) for value in (0.5, 10**400, True, "1")] == [True, False, False, False]


def test_positive_is_a_float() -> None:
    assert positive("seconds", 2) == 2.0
    with pytest.raises(ArgumentError, match="seconds is 0: it must be a number above 0"):
        positive("seconds", 0)


@posix
def test_a_look_whether_a_file_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    link, missing = tmp_path / "link", tmp_path / "folder" / "missing"
    link.symlink_to(missing)
    with pytest.raises(OSError, match="No such file"):
        probe_file(link)
    missing.parent.mkdir()
    probe_file(link)
    assert (link.is_symlink(), missing.exists()) == (True, False)


@posix
def test_a_file_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "a", tmp_path / "b"
    replace_file(file, b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    replace_file(link, b"new")
    assert (file.read_bytes(), link.is_symlink(), file.stat().st_mode & 0o777) == (b"new", True, 0o600)

    def fail(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        replace_file(file, b"newer")
    assert file.read_bytes() == b"new"
    assert sorted(tmp_path.iterdir()) == [file, link]


@posix
def test_a_loop_of_links_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match=r"(?i)too many levels"):
        replace_file(tmp_path / "a", b"new")


@posix
@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EBUSY])
def test_a_file_that_cannot_be_replaced_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise OSError(number, "the folder takes no new files, or the file is mounted by itself")

    monkeypatch.setattr(os, "replace", refuse)
    replace_file(file, b"new")
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"new", [file])
    replace_file(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()
    code = "import pathlib; from foogo import arguments; arguments.replace_file(pathlib.Path('/dev/stdout'), b'newer')"
    with file.open("wb") as stdout:
        subprocess.run([sys.executable, "-c", code], stdout=stdout, check=True)
        assert (file.read_bytes(), os.fstat(stdout.fileno()).st_nlink) == (b"newer", 1)


def test_a_file_may_have_the_longest_name_that_is_possible(tmp_path: Path) -> None:
    file = tmp_path / f"{'碁' * 80}.sgf"
    for data in (b"old", b"new"):
        replace_file(file, data)
        assert file.read_bytes() == data
    assert [*tmp_path.iterdir()] == [file]
