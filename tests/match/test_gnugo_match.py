"""Matches against GNU Go 3.8: every move is legal, and both programs agree on the score."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from foogo.game.clock import TimeSettings
from foogo.game.sgf import read_game
from foogo.gtp.client import parse_score
from foogo.match.config import MatchConfig
from foogo.match.referee import FORFEITS
from foogo.match.tournament import Match
from tests.marks import slow

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"]))
FOOGO = shlex.join([sys.executable, "-c", "from foogo.cli import main; main()", "gtp", "--seed", "1", "--resign", "0"])
RULES = {
    "chinese": "--chinese-rules --positional-superko --forbid-suicide",
    "tromp-taylor": "--chinese-rules --positional-superko --allow-suicide --capture-all-dead",
}

pytestmark = [pytest.mark.client, pytest.mark.skipif(GNUGO is None, reason="GNU Go (gnugo) is not installed")]


def gnugo(rules: str, level: int = 1) -> str:
    levels = f"--level {level} --max-level {level}"  # on a clock, its moves would else take up to 10 s
    return f"{GNUGO} --mode gtp {levels} --seed 1 --never-resign {RULES[rules]}"


def played(folder: Path, config: MatchConfig, games: int = 10) -> list[dict[str, Any]]:
    """The records of a match, after checking that every game is legal and its SGF file complete."""
    Match(config, folder, games=games).run()
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()[1:]]
    assert len(rows) == games
    for row in rows:
        assert row["reason"] not in FORFEITS, row["detail"]
        data = (folder / row["sgf"]).read_bytes()
        assert sgf.Sgf_game.from_bytes(data).get_root().get("RE") == row["result"]
        game = read_game(data)
        assert game.is_over
        assert len(game.moves) == len(row["moves"])
    return rows


def scores(row: dict[str, Any]) -> list[float | None]:
    return [parse_score(row["scores"][who]) for who in ("A", "B", "referee")]


def test_ten_games_under_chinese_rules(tmp_path: Path) -> None:
    """Dead stones stay on the board, and both programs agree on which stones are dead, or play on until they do."""
    config = MatchConfig(f"{FOOGO} --simulations 300 --rules chinese", gnugo("chinese"), rules="chinese")
    rows = played(tmp_path, config)
    for row in rows:
        ours, theirs, _ = scores(row)
        assert ours == theirs == parse_score(row["result"])
    # in one game GNU Go judges a stone in a ko as dead
    assert [row["reason"] for row in rows].count("agreement") >= 9


@pytest.mark.slow
def test_ten_games_under_tromp_taylor_rules(tmp_path: Path) -> None:
    """Dead stones are captured, and both programs agree with the referee's count."""
    config = MatchConfig(f"{FOOGO} --simulations 300", gnugo("tromp-taylor"), scoring="area", sizes=(7,), komi=9.0)
    for row in played(tmp_path, config):
        assert len(set(scores(row))) == 1


def test_gnu_go_against_itself_is_played_out(tmp_path: Path) -> None:
    config = MatchConfig(gnugo("chinese", 1), gnugo("chinese", 2), scoring="playout", rules="chinese", sizes=(7,))
    for row in played(tmp_path, config, games=6):
        assert row["reason"] == "played out"
        assert len(set(scores(row))) == 1


@pytest.mark.parametrize("settings", [slow("absolute 20"), "canadian 0 5 10"])
def test_games_on_the_clock(tmp_path: Path, settings: str) -> None:
    time = TimeSettings.parse(settings)
    config = MatchConfig(f"{FOOGO} --rules chinese", gnugo("chinese"), rules="chinese", sizes=(7,), time=time)
    for row in played(tmp_path, config, games=2):
        for player, seconds in row["seconds"].items():
            periods = -(-len(row["moves"][player != row["black"] :: 2]) // 10)
            assert 0 < seconds < (5 * periods if settings.startswith("canadian") else 20)
