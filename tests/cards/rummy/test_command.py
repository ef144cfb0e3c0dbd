"""`foogo cards melds` and the example program, run as a user would."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from tests import command_line
from tests.command_line import Said

CONFLICT = "2H3H4H5H4H5H6H3C3C3D3D4D"


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> Said:
    return command_line.told(capfd, "cards", "melds", *arguments)


def test_the_best_melds(capfd: pytest.CaptureFixture[str]) -> None:
    expected = "2h 3h 4h 5h | 4h 5h 6h | deadwood 16 3c 3c 3d 3d 4d\n"
    assert told(capfd, CONFLICT, "--decks", "2")[:2] == (0, expected)
    assert told(capfd, "2H", "3H", "JK")[1] == "JK 2h 3h | deadwood 0\n"
    assert told(capfd, "QS KS AS 2S", "--ace", "corner", "--values", "cards")[1] == "Qs Ks As 2s | deadwood 0\n"


def test_all_and_why(capfd: pytest.CaptureFixture[str]) -> None:
    lines = told(capfd, CONFLICT, "--decks", "2", "--all", "--explain")[1].splitlines()
    assert [line.split("deadwood ")[1].split()[0] for line in lines[:6]] == ["16", "18", "21", "21", "25", "27"]
    assert lines[6:] == ["islands: 3c 3c 3d 3d 4d 2h 3h 4h 4h 5h 5h 6h", "control points: 3h once: run, set"]


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(told(capfd, "2H 3H 4H KH 3C 3D", "--all", "--json")[1])
    assert document["deadwood"] == 16
    assert document["melds"] == [{"kind": "run", "cards": ["2h", "3h", "4h"]}]
    assert document["left"] == ["3c", "3d", "Kh"]
    assert [melding["deadwood"] for melding in document["all"]] == [16, 16]
    assert document["islands"] == [["3c", "3d", "2h", "3h", "4h"], ["Kh"]]
    assert document["control_points"] == [{"card": "3h", "copies": 1, "uses": ["run", "set"]}]
    document = json.loads(told(capfd, "", "--jokers", "2", "--json")[1])
    assert (document["deadwood"], document["left"], document["islands"]) == (30, ["JK", "JK"], [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["3C 3C"], "3c occurs 2 times in the hand"),
        (["3C 3X"], "'3X' is not a card"),
        ([" "], "the hand is empty"),
        (["3C", "--ace", "up"], "ace is 'up'"),
        (["3C", "--decks", "3"], "decks is 3"),
    ],
)
def test_errors_are_one_line(capfd: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = told(capfd, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"foogo: error: {message}")
    assert err.count("\n") == 1


def test_the_example(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = Path(__file__).parents[3] / "examples" / "cards_rummy.py"
    monkeypatch.setattr(sys, "argv", [program.name, "--hands", "2000"])
    runpy.run_path(str(program), run_name="__main__")
    mean, gin, knock, best = capfd.readouterr().out.splitlines()
    assert 54 < float(mean.split()[2]) < 59
    assert gin.startswith("gin")
    assert 0 <= float(knock.split()[2].rstrip("%")) < 1
    assert "deadwood" in best
