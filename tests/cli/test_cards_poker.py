"""`foogo cards rank` and `foogo cards equity`."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from foogo.cards.poker import Equity
from foogo.cli import run
from foogo.cli.cards_equity import _report
from foogo.stats.estimates import Estimate
from tests.command_line import FOOGO


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str]):
    """What a command that succeeds prints."""

    def of(*arguments: str) -> str:
        assert run(["cards", *arguments]) == 0
        return capfd.readouterr().out

    return of


def test_rank_as_text(printed) -> None:
    assert [line.split() for line in printed("rank", "9c Tc 6c 9d 5d", "2c3c4c5c6cKhAs").splitlines()[2:]] == [
        "9c Tc 6c 9d 5d 4601 pair of nines 9c Tc 6c 9d 5d".split(),
        "2c3c4c5c6cKhAs 9 six-high straight flush 2c 3c 4c 5c 6c".split(),
    ]


def test_rank_as_json(printed) -> None:
    document = json.loads(printed("rank", "--json", "9c Tc 6c 9d 5d"))
    row = {"hand": "9c Tc 6c 9d 5d", "rank": 4601, "category": "pair", "description": "pair of nines"}
    assert document == {"command": "cards rank", "hands": [row | {"best_five": "9c Tc 6c 9d 5d"}]}


def test_equity_as_text(printed) -> None:
    assert printed("equity", "AsAh", "KdKc", "--board", "2s 3s 4d 9h").splitlines() == [
        "hand   equity      win     tie",
        "----  -------  -------  ------",
        "AsAh  95.45 %  95.45 %  0.00 %",
        "KdKc   4.55 %   4.55 %  0.00 %",
        "",
        "all 44 deals",
    ]


def test_a_small_error_has_its_digits() -> None:
    shares = (Estimate(0.46, 0.459981, 0.460019), Estimate(0.54, 0.539981, 0.540019))
    result = Equity(("AA", "KK"), shares, (0.45, 0.53), (0.02, 0.02), 10**9, exact=False)
    assert _report(result).splitlines()[2].split() == ["AA", "46.000", "%", "±0.002", "45.000", "%", "2.000", "%"]


def test_a_sample_has_intervals(printed) -> None:
    lines = printed("equity", "AsAh", "random", "--sample", "--error", "0.01", "--seed", "3").splitlines()
    assert "95 %" in lines[0]
    assert "±" in lines[2]
    assert lines[-1].startswith("a sample of ")


def test_a_long_range_fits_into_80_columns(printed) -> None:
    terms = "22+, A2s+, K9s+, QTs+, JTs, T9s, 98s, 87s, A9o+, KTo+, QJo"
    for text in (terms, terms.replace(" ", "")):
        lines = printed("equity", text, "random", "--sample", "--error", "0.05").splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[2].startswith(text[:30])
        assert ", ...  " in lines[2]


def test_output_without_the_symbols() -> None:
    """A terminal whose encoding lacks ± and ♠ shows question marks in their place."""
    arguments = ["equity", "A♠K♠", "QQ", "--sample", "--error", "0.01"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*FOOGO, "cards", *arguments], capture_output=True, env=environment, text=True, check=True)
    assert done.stdout.splitlines()[2].startswith("A?K?  46.")
    assert "  ?0." in done.stdout


def test_equity_as_json(printed) -> None:
    document = json.loads(printed("equity", "Ks Kh Kd", "2c 3c 4c 5c", "--game", "draw", "--dead", "9h", "--json"))
    assert (document["command"], document["game"], document["dead"]) == ("cards equity", "draw", "9h")
    assert (document["deals"], document["exact"]) == (44 * 43 * 42 // 2, True)
    assert sum(row["equity"]["value"] for row in document["hands"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "2c 2c 3c 4c 5c"], "foogo: error: 2c occurs 2 times"),
        (["rank", "2c"], "foogo: error: a hand has 1 card"),
        (
            ["rank", "2c", "3c"],
            "foogo: error: each hand has 1 card: write the cards of a hand in quotes, such as '2c 3c'",
        ),
        (["equity", "AA", "AA", "AA"], "foogo: error: one deck cannot deal"),
        (["equity", "AA", "KK", "--board", "2x"], "foogo: error: '2x' is not a card"),
    ],
)
def test_errors_are_one_line(capfd: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run(["cards", *arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(message)
    assert err.count("\n") == 1
