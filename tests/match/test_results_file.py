"""The results file of a match: it survives being cut anywhere, and rejects other matches and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foogo.errors import MatchError
from foogo.match.results_file import GameResult, ResultsFile
from tests.marks import posix

pytestmark = posix

CONFIG = {"komi": 7.0, "sizes": (9,), "engines": {"A": "a 1", "B": "b 1"}}


def result(number: int) -> GameResult:
    return GameResult(number, number // 2, 9, "A", "B", "W+R", "resignation", ("E5", "pass"), scores={"A": "W+1"})


def write(folder: Path, count: int = 3) -> bytes:
    with ResultsFile(folder, CONFIG) as results:
        for number in range(count):
            results.add(result(number))
    return results.path.read_bytes()


def test_games_are_read_again(tmp_path: Path) -> None:
    write(tmp_path / "new" / "folder")
    with ResultsFile(tmp_path / "new" / "folder", CONFIG) as results:
        assert results.games == {number: result(number) for number in range(3)}
    assert result(0).points == 0


def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    whole = write(tmp_path)
    path = tmp_path / "results.jsonl"
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        with ResultsFile(tmp_path, CONFIG) as results:
            assert sorted(results.games) == list(range(max(0, whole[:cut].count(b"\n") - 1)))
            results.add(result(7))
        with ResultsFile(tmp_path, CONFIG) as results:
            assert 7 in results.games
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"komi": 6.5}, "komi was 7.0, now 6.5; give the same configuration, or name another folder"),
        ({"sizes": (9, 13)}, r"sizes was \[9\], now \[9, 13\]"),
        ({"engines": {"A": "a 2", "B": "b 1"}}, "engines was"),
        ({"new": 1}, "new was None, now 1"),
    ],
)
def test_another_configuration_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    before = write(tmp_path)
    with pytest.raises(MatchError, match=message):
        ResultsFile(tmp_path, {**CONFIG, **change})
    assert (tmp_path / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello\n", "line 1 of .* is not a match result"),
        (b"[" * 100_000 + b"\n", "line 1 of .* is not a match result"),
        (b"hello", "does not hold match results"),
        (b"[1]\n", "line 1"),
        (b'{"komi": 7}\n', "does not hold match results"),
        (b'{"foogo_match": 99}\n', "format 99"),
    ],
)
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    with pytest.raises(MatchError, match=message):
        ResultsFile(tmp_path, CONFIG)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"number": 1}\n', b'{"moves": []}\n', b"3\n"])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    before = write(tmp_path) + line
    (tmp_path / "results.jsonl").write_bytes(before)
    with pytest.raises(MatchError, match=r"line 5 of .* is not a match result"):
        ResultsFile(tmp_path, CONFIG)
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_two_may_not_write_at_once(tmp_path: Path) -> None:
    with ResultsFile(tmp_path, CONFIG), pytest.raises(MatchError, match="another foogo match is writing"):
        ResultsFile(tmp_path, CONFIG)
    with ResultsFile(tmp_path, CONFIG):
        pass


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MatchError, match="cannot write to"):
        ResultsFile(tmp_path / "file" / "folder", CONFIG)
