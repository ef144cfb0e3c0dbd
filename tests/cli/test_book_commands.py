"""`foogo book` from the command line."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foogo.book import SHIPPED, Book, grow
from foogo.book.book import Entry, Stored, Value
from foogo.book.position_key import form_of
from foogo.game.game import Game
from tests import command_line
from tests.command_line import FOOGO, Said
from tests.marks import posix

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compiling writes to stderr, where tests expect nothing."""
    book = Book()
    grow(book, 5, positions=1, simulations=100)
    assert book.moves(Game(5))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(capfd: pytest.CaptureFixture[str], line: str) -> Said:
    return command_line.told(capfd, *shlex.split(line))


def write_small_book() -> None:
    """A book of two positions with values that no search made."""
    book, start = Book(), Game(5, komi=7)
    center = start.copy()
    center.play("C3")
    answer = center.copy()
    answer.play("C4")
    book.starts.append((5, 7.0))
    moves = Stored(12, Value(7000, 20), form_of(center).key), Stored(7, Value(6512, 13), 1)
    book.add(form_of(start).key, Entry(0, 300_000, moves))
    book.add(form_of(center).key, Entry(1, 1_200_000, (Stored(7, Value(3321, -48), form_of(answer).key),)))
    book.write(Path("small.npz"))


SHOWN = """\
5x5, komi 7: 2 positions, 1,500,000 simulations

   A B C D E
 5 . . . . .  5
 4 . . . . .  4
 3 . . + . .  3
 2 . . . . .  2
 1 . . . . .  1
   A B C D E

black to play: C3, 66.8 %, +4.8 points

move  win %  points  positions  simulations
----  -----  ------  ---------  -----------
C3     66.8    +4.8          1    1,200,000
C2     65.1    +1.3

principal line: C3 C2
a move without positions has the lower bound of the search's estimate
"""


def test_a_book_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    write_small_book()
    assert told(capfd, "book show --size 5 --file small.npz") == (0, SHOWN, "")
    code, out, _ = told(capfd, "book show c3 --size 5 --komi 7 --file small.npz --json")
    assert code == 0
    assert json.loads(out) == {
        "command": "book show", "file": "small.npz", "moves": ["c3"], "size": 5, "komi": 7.0,
        "positions": 1, "simulations": 1_200_000, "line": ["C2"],
        "known": [
            {"points": ["C2", "B3", "D3", "C4"], "win_share": 0.3321, "score": -4.8, "positions": 0, "simulations": 0}
        ],
    }  # fmt: skip


def test_the_guide_shows_positions_of_the_shipped_book(capfd: pytest.CaptureFixture[str]) -> None:
    guide = (ROOT / "docs/how-to/use-an-opening-book.md").read_text(encoding="utf-8")
    lines = re.findall(r"^foogo (book show[^#\n]*)", guide, re.MULTILINE)
    assert len(lines) == 2
    assert [told(capfd, line)[0] for line in lines] == [0, 0]


def test_what_is_shown_fits_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    book = Book.read(SHIPPED)
    for size, komi in book.starts:
        code, out, _ = told(capfd, f"book show --size {size} --komi {komi}")
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80


def test_a_book_grows_and_is_continued(capfd: pytest.CaptureFixture[str]) -> None:
    line = "book grow --size 5 --komi 6.5 --komi 7 --positions 3 --simulations 200 --empty"
    code, out, err = told(capfd, line)
    assert (code, err) == (0, "")
    assert out.splitlines()[2:] == [
        "5x5 komi 6.5          3          600",
        "5x5 komi 7            3          600",
    ]
    code, out, _ = told(capfd, f"{line} --json")
    starts = json.loads(out)["starts"]
    assert [(one["komi"], one["positions"]) for one in starts] == [(6.5, 6), (7.0, 6)]
    assert len(Book.read(Path("book.npz"))) == 12


@pytest.mark.parametrize("wrong", ["--output no/book.npz", "--komi 7 --komi 6.7"])
def test_a_wrong_option_is_an_error_before_the_first_search(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setattr("foogo.book.growth.Search", None)  # a search would raise a TypeError
    assert told(capfd, f"book grow --size 5 --positions 1 {wrong}")[0] == 2
    assert not Path("book.npz").exists()


def test_a_new_file_begins_with_the_shipped_book(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, "book grow --size 5 --positions 1 --simulations 200 --output more.npz")[0] == 0
    assert len(Book.read(Path("more.npz"))) == len(Book.read(SHIPPED)) + 1


WRONG = [
    ("book show A1 B1 C1 D1 E1 --file small.npz --size 5", "does not have this position; it begins with 5x5 komi 7"),
    ("book show --file small.npz --size 5 --komi 6.5", "does not have this position"),
    ("book show C3 C3 --file small.npz --size 5", "occupied"),
    ("book show --file none.npz", "none.npz cannot be read as a book (No such file or directory)"),
    ("book show --file text.txt", "text.txt cannot be read as a book"),
    ("book show --file text.txt", "(it is not a NumPy archive of numbers, .npz)"),
    ("book grow --output text.txt --positions 1", "text.txt cannot be read as a book"),
    ("book grow --output no/book.npz --size 5 --positions 1 --simulations 100", "cannot write 'no/book.npz'"),
    (f"book grow --output {'a' * 300} --positions 1", "cannot read 'aaa"),
    (
        "book grow --komi 6.7 --positions 1",
        "komi 6.7 is not possible in a book of 9x9: give a multiple of half a point",
    ),
    ("book grow --komi 7 --komi 6.7 --size 5 --positions 1 --simulations 100", "komi 6.7 is not possible in a book"),
    ("book grow --simulations 5 --positions 1", "simulations is 5"),
    ("book grow --komi 7 --komi 7.5", "without --positions or --seconds the first komi never ends"),
]


@pytest.mark.parametrize(("line", "words"), WRONG, ids=[line for line, _ in WRONG])
def test_an_error_is_one_line(capfd: pytest.CaptureFixture[str], line: str, words: str) -> None:
    write_small_book()
    Path("text.txt").write_text("no book")
    code, out, err = told(capfd, line)
    assert (code, out) == (2, "")
    assert err.startswith("foogo: error: ")
    assert words in err
    assert err.count("\n") == 1


def test_ctrl_c_while_the_file_is_written_waits(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, begun, ended = Book.write, list[int](), list[int]()

    def pressed(self: Book, path: Path) -> None:
        begun.append(len(self))
        if begun == [1, 2]:
            signal.raise_signal(signal.SIGINT)
        write(self, path)
        ended.append(len(self))

    monkeypatch.setattr(Book, "write", pressed)
    code, out, err = told(capfd, "book grow --size 5 --positions 5 --simulations 200 --empty")
    assert code == 130
    assert out.splitlines()[-1].split()[-2:] == ["2", "400"]
    assert err == "foogo: interrupted: book.npz has every finished position; the same command continues\n"
    assert begun == ended == [1, 2, 2]
    assert len(Book.read(Path("book.npz"))) == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@posix
def test_a_killed_command_is_continued() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    line = [*FOOGO, *shlex.split("book grow --empty --size 5 --simulations 200")]
    found = 0
    for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
        process = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and len(_book_so_far()) < found + 20:
            time.sleep(0.02)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == code, said
        assert len(_book_so_far()) >= found + 20
        found = len(_book_so_far())
    assert said.splitlines() == [
        "foogo: Ctrl-C ends it",
        "foogo: interrupted: book.npz has every finished position; the same command continues",
    ]


def _book_so_far() -> Book:
    path = Path("book.npz")
    return Book.read(path) if path.exists() else Book()
