"""The example program, run as a user would."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from foogo.cards.deal import from_pbn, hcp, suit

PROGRAM = Path(__file__).parents[3] / "examples" / "cards_deal.py"


def test_cards_deal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "game.pbn"
    monkeypatch.setattr(sys, "argv", [PROGRAM.name, "--deals", "2000", "--pbn", str(file)])
    runpy.run_path(str(PROGRAM), run_name="__main__")
    printed = capfd.readouterr().out
    assert "South opens 1NT with 4.08 % of all hands." in printed
    deals = from_pbn(file.read_text(encoding="utf-8"))
    assert (hcp.of(deals[:, 0]) + hcp.of(deals[:, 2]) >= 25).all()
    assert (suit("S").length.of(deals[:, 0]) >= 5).all()


def test_the_seed_decides_every_deal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = []
    for seed in ("1", "2", "2"):
        monkeypatch.setattr(sys, "argv", [PROGRAM.name, "--deals", "10", "--seed", seed])
        runpy.run_path(str(PROGRAM), run_name="__main__")
        pictures.append(capfd.readouterr().out.partition("One with")[2])
    assert pictures[0] != pictures[1] == pictures[2]
