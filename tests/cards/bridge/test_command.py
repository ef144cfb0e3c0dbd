"""`foogo cards tricks` and the example program, run as a user would."""

from __future__ import annotations

import io
import json
import runpy
import sys
from pathlib import Path

import pytest

from foogo.cli import run
from tests import command_line
from tests.command_line import Said

SLAM = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
ENDING = "N:AQ... .32.. K2... .54.."


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> Said:
    return command_line.told(capfd, "cards", "tricks", *arguments)


def test_a_table(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capfd, SLAM, "--vulnerable", "both")
    assert code == 0
    assert "♠ AKQJT98765432" in out
    assert out.splitlines()[-9:] == [
        "",
        "declarer   N   E   S   W",
        "--------  --  --  --  --",
        "C          0  13   0  13",
        "D         13   0  13   0",
        "H          0  13   0  13",
        "S         13   0  13   0",
        "NT         0   0   0   0",
        "par: +2210 for NS: 7S NS",
    ]


def test_a_position(capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--trump", "nt", "--leader", "S", "--played", "2s 4h"]
    assert told(capfd, ENDING, *options)[:2] == (0, "N to play, 2 tricks: Qs 2, As 2\n")
    document = json.loads(told(capfd, ENDING, *options, "--json")[1])
    assert document == {
        "command": "cards tricks",
        "deal": ENDING,
        "seed": None,
        "trump": "nt",
        "leader": "S",
        "played": "2s 4h",
        "seat": "N",
        "tricks": 2,
        "cards": {"Qs": 2, "As": 2},
    }


def test_a_position_of_a_random_deal_is_drawn(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capfd, "--trump", "S", "--leader", "N", "--seed", "3")
    assert code == 0
    assert "♠" in out
    assert out.splitlines()[-1].startswith("N to play, ")


def test_json_of_a_table(capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(told(capfd, SLAM, "--dealer", "E", "--json")[1])
    assert document["tricks"]["S"] == {"N": 13, "E": 0, "S": 13, "W": 0}
    assert (document["vulnerable"], document["dealer"]) == ("none", "E")
    assert document["par"] == {"score": 1510, "contracts": ["7S NS"]}
    assert json.loads(told(capfd, ENDING, "--json")[1])["par"] is None


def test_json_of_a_random_deal_has_its_seed(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--trump", "♠", "--leader", "north", "--json"]
    documents = [json.loads(told(capfd, *arguments, *seed)[1]) for seed in ([], ["--seed", "0"])]
    assert documents[0] == documents[1]
    assert documents[0]["seed"] == 0


def test_a_random_deal(capfd: pytest.CaptureFixture[str]) -> None:
    first, again = (told(capfd, "--seed", "3")[1] for _ in range(2))
    assert first == again
    assert "par: " in first


def test_letters_where_there_are_no_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", out)
    assert run(["cards", "tricks", ENDING]) == 0
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    assert b"S AQ" in out.buffer.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([ENDING, "--trump", "S"], "one position needs both --trump and --leader"),
        ([ENDING, "--played", "2s"], "one position needs both --trump and --leader"),
        ([ENDING, "--trump", "X", "--leader", "N"], "trump is 'X': it must be C, D, H, S or NT"),
        ([ENDING, "--trump", "S", "--leader", "N", "--played", "2s"], "2s is played by north, but south has it"),
        (["N:AQ... .32.. K2... .5.."], "west has 1 card and north 2"),
        ([SLAM, "--vulnerable", "us"], "vulnerability is 'us'"),
        ([SLAM, "--dealer", "us"], "dealer is 'us'"),
        ([SLAM, "--seed", "3"], "--seed is that of a random deal: omit it, or the deal"),
        (
            ["--trump", "S", "--leader", "N", "--vulnerable", "none"],
            "--vulnerable and --dealer are for par: one position has none",
        ),
        ([ENDING, "--dealer", "E"], "--vulnerable and --dealer are for par: hands of fewer than 13 cards have none"),
    ],
)
def test_errors_are_one_line(capfd: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = told(capfd, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"foogo: error: {message}")
    assert err.count("\n") == 1


def test_the_example(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = Path(__file__).parents[3] / "examples" / "cards_bridge.py"
    monkeypatch.setattr(sys, "argv", [program.name, "--deals", "4"])
    runpy.run_path(str(program), run_name="__main__")
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("4S makes")
    assert len(lines) == 5
