"""Sabaki's own library drives foogo: `npm install @sabaki/gtp`, with NODE_PATH naming where."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import foogo
from foogo.gtp.command_table import COMMANDS
from tests.gtp_talk import FOOGO_GTP

SCRIPT = Path(__file__).parents[1] / "sabaki_client.cjs"

VERTEX = r"[A-HJ][1-9]|pass"


def has_library() -> bool:
    """Whether node finds Sabaki's library."""
    node = shutil.which("node")
    if node is None:
        return False
    found = subprocess.run([node, "-e", "require.resolve('@sabaki/gtp')"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.client
@pytest.mark.skipif(not has_library(), reason="needs node and @sabaki/gtp: npm install @sabaki/gtp, and NODE_PATH")
def test_sabaki_drives_foogo() -> None:
    command = ["node", str(SCRIPT), *FOOGO_GTP, "--seconds", "0.5", "--seed", "1"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    done = json.loads(result.stdout)
    assert done["hello"] == ["foogo", foogo.__version__, "2"]
    assert done["commands"] == list(COMMANDS)
    assert done["synced"] == ["C3 G7", "E5", "6.5"]
    assert done["resynced"] == ["C3 G7", "D4"]
    assert done["illegal"] == "? illegal move"
    assert done["surplus"] == "1"
    assert re.fullmatch(VERTEX, done["genmove"])
    analysis = done["analysis"]
    assert analysis["lines"] >= 3
    assert analysis["error"] is False
    assert analysis["interrupt"] == "2"
    assert re.match(r"info move \w+ visits \d+ winrate \d+ ", analysis["last"])
    first, *lines, play, end = done["genmoveAnalyze"]
    assert (first, end) == ("=", "")
    assert lines
    assert all(line.startswith("info move ") for line in lines)
    assert re.fullmatch(f"play ({VERTEX})", play)
    assert done["history"][:3] == [["set_free_handicap", "C3", "G7"], ["play", "W", "D4"], ["play", "B", "PASS"]]
    assert done["history"][-1] == ["play", "B", play.split()[1].upper()]
    assert len(done["history"]) == 5
    assert play.split()[1] in done["stones"][0].split() or play == "play pass"
