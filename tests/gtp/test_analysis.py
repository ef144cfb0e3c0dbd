"""Analysis commands: their lines, keys, perspective, and how they end."""

from __future__ import annotations

import json
import os
import re
import time

import numpy as np
import pytest

from foogo.gtp.analysis_lines import LETTERS
from foogo.search.result import lower_bounds
from tests.endgames import DEAD_WHITE
from tests.gtp_talk import Talk, position

# --- analysis ----------------------------------------------------------------------------------------------

LEELA = re.compile(
    r"info move (\w+) visits (\d+) winrate (\d+) (?:scoreLead -?\d+\.\d+ )?prior (\d+) lcb (\d+) order (\d+) "
    r"pv ((?:[A-HJ-T]\d+|pass)(?: [A-HJ-T]\d+| pass)*)"
)
KATA = re.compile(
    r"info move (\w+) visits (\d+) edgeVisits (\d+) winrate (\S+) scoreMean (\S+) scoreLead (\S+) prior (\S+) "
    r"lcb (\S+) order (\d+) pv ((?:[A-HJ-T]\d+|pass)(?: [A-HJ-T]\d+| pass)*)"
)


def analyze(talk: Talk, command: str) -> list[str]:
    """The lines of an analysis that another command ends, unless it ends by itself."""
    talk.send(f"{command}\n".encode())
    found = bytearray()
    deadline = time.monotonic() + 300
    while found.count(b"\n") < 3 and b"\n\n" not in found and time.monotonic() < deadline:
        found += os.read(talk.answers_from, 1 << 16)
    talk.send(b"11 name\n")
    while b"=11 foogo\n\n" not in found:
        found += os.read(talk.answers_from, 1 << 16)
    text, _, rest = found.decode().partition("\n\n")
    assert rest == "=11 foogo\n\n"
    first, *lines = text.split("\n")
    assert first == "="
    return lines


@pytest.mark.parametrize("command", ["analyze", "lz-analyze"])
def test_leela_lines(talk: Talk, command: str) -> None:
    talk.setup("play b c3")
    lines = analyze(talk, f"{command} w 2")
    for line in lines:
        infos = LEELA.findall(line)
        assert "".join(match[0] for match in LEELA.finditer(line)) == line.replace(" info", "info")
        assert [int(info[5]) for info in infos] == list(range(len(infos)))
        visits = [int(info[1]) for info in infos]
        assert visits[1:] == sorted(visits[1:], reverse=True)
        assert visits[0] >= 0.2 * max(visits)
        assert visits[-1] > 0
        for move, _, winrate, prior, lcb, _, pv in infos:
            assert 0 <= int(lcb) <= int(winrate) <= 10_000
            assert 0 <= int(prior) <= 10_000
            assert pv.split()[0] == move
    assert len(lines) >= 2
    assert ("scoreLead" in lines[0]) == command.startswith("analyze")
    assert ("." in lines[0]) == ("scoreLead" in lines[0])


def test_kata_lines(talk: Talk) -> None:
    talk.setup("play b c3")
    for line in analyze(talk, "kata-analyze w 2 maxmoves 3 ownership true rootInfo true pvVisits true"):
        infos = KATA.findall(line)
        assert len(infos) == 3
        for info in infos:
            assert 0 <= float(info[7]) <= float(info[3]) <= 1
            assert info[4] == info[5]
            assert abs(float(info[4])) <= 32
        root = re.search(r"rootInfo visits (\d+) winrate (\S+) scoreMean (\S+) scoreLead (\S+) ownership ", line)
        assert root is not None
        assert float(root[2]) < 0.5
        owned = [float(word) for word in line.partition("ownership ")[2].split()]
        assert len(owned) == 25
        assert -1 <= min(owned) <= max(owned) <= 1
        assert np.mean(owned) < 0
        visits = re.findall(r"pv ([A-EP\d a-s]+?) pvVisits ([\d ]+?)(?= info| rootInfo)", line)
        assert [len(pv.split()) for pv, _ in visits] == [len(counts.split()) for _, counts in visits]


def test_ownership_begins_at_the_top_left_and_is_the_players(talk: Talk) -> None:
    talk.setup("boardsize 7", position(DEAD_WHITE))
    for color, sign in (("b", 1), ("w", -1)):
        line = analyze(talk, f"kata-analyze {color} 1 ownership true movesOwnership true")[0]
        owned = [float(word) for word in line.rpartition(" ownership ")[2].split()]
        assert owned[0] * sign > 0.9
        assert owned[6] * sign < -0.9
        after = re.search(r"movesOwnership ((?:\S+ ){48}\S+)", line)
        assert after is not None
        assert float(after[1].split()[0]) * sign > 0.9


def test_analysis_looks_only_where_it_may(talk: Talk) -> None:
    first = analyze(talk, "lz-analyze b allow b a1,b2 5 interval 2 minmoves 9")[-1]
    assert {info[0] for info in LEELA.findall(first)} == {"A1", "B2", "pass"}
    second = analyze(talk, "lz-analyze 2 avoid b c3,pass 1 minmoves 99")[-1]
    assert len(LEELA.findall(second)) == 24
    assert "move C3 " not in second
    assert "move pass " not in second
    third = analyze(talk, "lz-analyze 2 avoid w c3 1")[-1]
    assert "move C3 " in third
    assert {info[6].split()[1] for info in LEELA.findall(third) if " " in info[6]} & {"C3"}
    fourth = analyze(talk, "lz-analyze 2 avoid w c3 2")[-1]
    answers = {info[6].split()[1] for info in LEELA.findall(fourth) if " " in info[6]}
    assert answers
    assert "C3" not in answers
    fifth = analyze(talk, "lz-analyze b 2 allow b a1 1 allow b e5 1 minmoves 9")[-1]
    assert {info[0] for info in LEELA.findall(fifth)} == {"A1", "E5", "pass"}
    most = analyze(talk, "lz-analyze 2 maxmoves 1")[-1]
    assert len(LEELA.findall(most)) == 1


def test_an_analysis_ends_when_any_line_arrives(talk: Talk) -> None:
    for line in (b"\n", b"# a comment\n", b"\r\n"):
        talk.send(b"3 kata-analyze b 100000\n")
        time.sleep(0.1)
        talk.send(line)
        assert talk.read_answer() == "=3"
    talk.send(b"lz-analyze 1\nlz-analyze 1\n5 name\n")
    assert talk.read_answer().startswith("=")
    assert talk.read_answer().startswith("=")
    assert talk.read_answer() == "=5 foogo"


def test_genmove_analyze_tells_and_plays(talk: Talk) -> None:
    for command, pattern in (
        ("genmove_analyze b 100", LEELA),
        ("lz-genmove_analyze w 1", LEELA),
        ("kata-genmove_analyze b 100000 ownership true", KATA),
    ):
        first, *lines, last = talk.ask(command).split("\n")
        assert first == "="
        assert lines
        assert all(pattern.match(line) for line in lines)
        found = pattern.findall(lines[-1])
        assert last == f"play {found[0][0]}"
    answer = talk.ask("kata-genmove_analyze b allow b a5,e1 1")
    assert answer.split("\n")[-1] in ("play A5", "play E1")


@pytest.mark.parametrize("color", ["b", "w"])
def test_genmove_analyze_owns_points_after_each_move_of_the_position_before(talk: Talk, color: str) -> None:
    talk.setup("play b c3", "play w d3")
    command = f"kata-genmove_analyze {color} 100000 movesOwnership true maxmoves 3"
    _, line, last = talk.ask(command).split("\n")
    assert line.count("movesOwnership") == 3
    assert last == f"play {KATA.findall(line)[0][0]}"
    owned = re.findall(r"movesOwnership ((?:\S+ ){24}\S+)", line)
    assert all(np.abs(np.array(one.split(), float)).max() > 0.1 for one in owned)


@pytest.mark.parametrize("command", ["lz-genmove_analyze b", "kata-genmove_analyze b", "cgos-genmove_analyze b"])
def test_a_move_without_a_search_is_told(talk: Talk, command: str) -> None:
    talk.setup("boardsize 2", "komi 0")
    _, line, last = talk.ask(command).split("\n")
    if command.startswith("cgos"):
        (best,) = json.loads(line)["moves"]
        assert (best["visits"], best["winrate"], last) == (0, 1.0, f"play {best['move']}")
    else:
        pattern, won = (LEELA, "10000") if command.startswith("lz") else (KATA, "1.000000")
        ((move, visits, *rest),) = pattern.findall(line)
        assert (visits, last) == ("0", f"play {move}")
        assert won in rest


@pytest.mark.parametrize("command", ["lz-analyze b", "lz-genmove_analyze b", "kata-genmove_analyze b"])
def test_an_analysis_that_cannot_begin_is_an_error(talk: Talk, command: str) -> None:
    talk.setup("foogo-param memory 2000")
    assert talk.ask(command).startswith("? memory is 2000")
    talk.setup("foogo-param memory 1000000")
    assert talk.ask("genmove b").startswith("= ")


def test_cgos_gets_its_json(talk: Talk) -> None:
    talk.setup("play b c3")
    first, line, last = talk.ask("cgos-genmove_analyze w").split("\n")
    assert first == "="
    document = json.loads(line)
    assert ", " not in line
    assert ": " not in line
    assert list(document) == ["winrate", "score", "visits", "moves", "ownership"]
    assert 0 < document["winrate"] < 1
    assert document["score"] == pytest.approx(-32, abs=60)
    assert document["visits"] == 500
    assert len(document["ownership"]) == 25
    assert set(document["ownership"]) <= set(LETTERS)
    best = document["moves"][0]
    assert list(best) == ["move", "visits", "winrate", "score", "prior", "pv"]
    assert last == f"play {best['move']}"
    assert not best["pv"].startswith(best["move"])
    assert sum(move["visits"] for move in document["moves"]) == 500


def test_cgos_is_told_why_a_move_is_not_the_best(talk: Talk) -> None:
    talk.setup("boardsize 7", position(DEAD_WHITE), "komi -10", "play w pass")
    line = talk.ask("cgos-genmove_analyze b").split("\n")[1]
    assert json.loads(line)["comment"] == "it captures dead stones, which would count as alive"


def test_a_lower_bound_is_below_and_rises() -> None:
    bounds = lower_bounds(np.array([np.nan, 0.6, 0.6, 0.6, 0.6]), np.array([0, 1, 10, 100, 10_000])).tolist()
    assert bounds == sorted(bounds)
    assert bounds[0] == 0
    assert 0.59 < bounds[-1] < 0.6
    assert lower_bounds(np.ones(1), np.array([100]))[0] < 1
