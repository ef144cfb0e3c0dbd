"""`foogo cards deal`."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ElementTree

import pytest

from foogo.cards.deal import Dealer, balanced, from_pbn, hcp, picture
from foogo.cli import run
from tests import command_line
from tests.command_line import Said

STRONG = ["--south", "balanced & hcp(20, 21)"]


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> Said:
    return command_line.told(capfd, "cards", "deal", *arguments)


def test_pictures(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capfd, "2", *STRONG, "--seed", "4")
    one, two = Dealer(south=balanced & hcp(20, 21), seed=4).deals(2)
    assert (code, out) == (0, f"{picture(one)}\n\n{picture(two)}\n")
    assert "tries: 2; stacked: south; probability of the constraints: 0.00534351, exact\n" in err


def test_pbn_and_lines(capfd: pytest.CaptureFixture[str]) -> None:
    expected = Dealer(south=balanced & hcp(20, 21)).deals(3).tolist()
    assert from_pbn(told(capfd, "3", *STRONG, "--format", "pbn")[1]).tolist() == expected
    lines = told(capfd, "3", *STRONG, "--format", "line")[1].splitlines()
    assert [from_pbn(line).tolist() for line in lines] == expected
    assert ElementTree.fromstring(told(capfd, "1", *STRONG, "--format", "svg")[1]).tag.endswith("svg")


def test_letters_where_there_are_no_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", out)
    assert run(["cards", "deal"]) == 0
    out.seek(0)
    assert [line.strip()[:2] for line in out.read().splitlines()[:4]] == ["S ", "H ", "D ", "C "]


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["--predeal", "N=AS KS", "--where", "north.hcp < 12", "--where", "east.has('AH')", "--stack", "none"]
    code, out, _ = told(capfd, "5", "--south", "hcp >= 12", *asked, "--json")
    document = json.loads(out)
    assert (code, document["command"], document["stacked"], document["n"]) == (0, "cards deal", None, 5)
    assert [document[seat] for seat in ("north", "east", "south", "west")] == [None, None, "hcp >= 12", None]
    assert document["where"] == ["north.hcp < 12", "east.has('AH')"]
    assert document["predeal"] == {"north": "AS KS"}
    assert document["tries"] > 5
    assert document["acceptance"] == 5 / document["tries"]
    assert document["probability"]["low"] < document["acceptance"] < document["probability"]["high"]
    for text in document["deals"]:
        north, east, south, _ = from_pbn(text).tolist()
        assert north >> 50 == 3
        assert hcp.of(north) < 12 <= hcp.of(south)
        assert east >> 38 & 1


def test_estimate(capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["20000", *STRONG, "--estimate", "south.hcp == 20"]
    code, out, _ = told(capfd, *asked)
    assert code == 0
    assert out.startswith("south.hcp == 20: 0.62")
    estimate = json.loads(told(capfd, *asked, "--json")[1])["estimate"]
    assert estimate["low"] < 0.6240 < estimate["high"]
    assert estimate["function"] == "south.hcp == 20"


def test_the_probability_of_no_deals(capfd: pytest.CaptureFixture[str]) -> None:
    assert "probability of the constraints: 0.00534351, exact" in told(capfd, "0", *STRONG)[2]
    assert "probability of the constraints: unknown" in told(capfd, "0", *STRONG, "--stack", "none")[2]
    assert "stacked: south;" in told(capfd, "--stack", "S")[2]


def test_a_run_without_a_deal_names_the_limit(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foogo.cli.cards_deal.PATIENCE", 0.0)
    rare = ["--south", "hcp >= 25", "--stack", "none"]
    assert told(capfd, *rare)[2].count("no deal found yet: --max-tries N stops") == 1
    assert "yet" not in told(capfd, *rare, "--max-tries", "100000")[2]
    assert "yet" not in told(capfd)[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "3"], "no such option"),
        (["--format", "gif"], "format 'gif' does not exist"),
        (["--stack", "foo"], "stack 'foo' does not exist: choose north, east, south, west, auto, none"),
        (["10", "--estimate", "south"], "south is Hand("),
        (["20", "--estimate", "south.hcp", "--format", "svg"], "an estimate shows no deals: omit --format svg"),
        (["--estimate", "south.hcp"], "an estimate needs 2 deals or more, not 1: give their number"),
        (["--where", "north"], "north is Hand("),
        (["--where", "9**north.hcp > 3"], "has '**', which may not occur"),
        (["--south", "hcp(38)"], "no hand of south"),
        (["--south", "hcp(38"], "is not an expression"),
        (["--predeal", "AS KS"], "write north=AS KS"),
        (["--predeal", "up=AS KS"], "seat 'up'"),
        (["--predeal", "north=AS", "--predeal", "N=KS"], "predeal has north twice: write all its cards at once"),
        (["2", "--format", "svg"], "an SVG picture shows 1 deal, not 2"),
        (["--south", "hcp >= 30", "--stack", "none", "--max-tries", "50"], "0 of 1 deals found in 50 tries"),
        (["--south", "hcp >= 30", "--stack", "none", "--max-tries", "1"], "0 of 1 deals found in 1 try ("),
    ],
)
def test_errors_are_one_line(capfd: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = told(capfd, *arguments)
    assert (code, out) == (2, "")
    (line,) = [line for line in err.splitlines() if "compiling" not in line]
    assert message in line
