"""The validation of messages, and game trees in SGF."""

from __future__ import annotations

import json
import random
import re
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foogo.errors import SgfError, VertexError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, WHITE
from foogo.study.config import Config
from foogo.study.store.store import Store
from foogo.web.control import Control
from foogo.web.games import counted, position, read_sgf, score, write_sgf
from foogo.web.jobs import Jobs, Updates
from foogo.web.laboratory import Laboratory
from foogo.web.move_tree import MoveNode, MoveTree, read_moves, write_moves
from foogo.web.protocol import GAME, MOST_CHARACTERS, REQUESTS, ProtocolError, parse


def refusal(message: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        parse(message if isinstance(message, (str, bytes)) else json.dumps(message))
    return str(caught.value)


def test_a_store_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    whole, gone = tmp_path / "a.sqlite", tmp_path / "gone.sqlite"
    with Store(whole, create=True) as store:
        store.ask(Config(3), n=100)
    first, second = Jobs(1, [str(whole), str(gone)]).studies({}, Control(), Updates(lambda _: None))["stores"]
    assert (len(first["runs"]), first["error"]) == (1, "")
    assert second["runs"] == []
    assert "gone.sqlite" in second["error"]


def test_a_request_gets_its_defaults() -> None:
    request = parse('{"id": 3, "type": "position", "game": {"size": 9, "moves": [["B", "E5"]]}}')
    assert (request.id, request.type) == (3, "position")
    assert request.fields["game"] == {
        "size": 9, "komi": 7.0, "rules": "chinese", "stones": [], "to_play": None, "moves": [["B", "E5"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"{}", "a message is a text with one JSON object, not binary data"),
        ("{", "the message is not JSON: Expecting property name"),
        ("[]", "a message is one JSON object with id and type"),
        ("[" * 100_000, "the message is not JSON: "),
        (
            "x" * (MOST_CHARACTERS + 1),
            f"the message has {MOST_CHARACTERS + 1} characters: at most {MOST_CHARACTERS} are allowed",
        ),
        ({"type": "hello"}, "id is null: it must be a whole number from 0 to"),
        ({"id": 1}, "type is null: choose hello, position"),
        ({"id": 1, "type": ["hello"]}, "type is a list of 1: choose"),
        ({"id": 1, "type": "hello", "colour": 1}, 'unknown field "colour": known are id, type'),
        ({"id": 1, "type": "dead", "board": 1}, 'unknown field "board": known are id, type, game'),
        ({"id": 1, "type": "dead", "game": {"board": 1}}, 'unknown field "game.board": known are size, komi, rules'),
        ({"id": 1, "type": "position"}, "game is missing"),
        (
            {"id": 1, "type": "position", "game": {"size": 20}},
            "game.size is 20: it must be",
        ),
        ({"id": 1, "type": "position", "game": {"size": 9, "komi": "7"}}, 'game.komi is "7": it must be'),
        ({"id": 1, "type": "position", "game": {"size": 9, "moves": [["B"]]}}, "game.moves[0] is a list of 1"),
        (
            {"id": 1, "type": "position", "game": {"size": 9, "moves": [["X", "A1"]]}},
            'game.moves[0] is "X": choose',
        ),
        ('{"id": 1, "type": "position", "game": {"size": 9, "komi": NaN}}', "game.komi is NaN: it must be a number"),
        ({"id": 1, "type": "playouts", "game": {"size": 9}, "playouts": 9, "policy": 5}, "policy is 5"),
        ({"id": 1, "type": "playouts", "game": {"size": 9}, "playouts": 9, "policy": {}}, "policy.urgent is missing"),
        (
            {"id": 1, "type": "playouts", "game": {"size": 9}, "playouts": 9, "by_point": 1},
            "by_point is 1: it",
        ),
    ],
)
def test_a_bad_message_is_refused_with_a_reason(message: Any, reason: str) -> None:
    assert refusal(message).startswith(reason)


def mutated(rng: random.Random) -> str:
    """A message that is nearly right, or not at all."""
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        1e308,
        9,
        "",
        "E5",
        "B",
        [],
        {},
        [["B", "E5"]],
        {"size": 9},
        "\ud800",
        2**70,
    ]
    message: dict[str, Any] = {"id": rng.choice([1, 2, *values]), "type": rng.choice([*REQUESTS, *("", None)])}
    names = ["game", "playouts", "policy", "job", "sgf", "nodes", "simulations", "seconds", "size", "stones", "dead"]
    for name in rng.sample(names, rng.randrange(5)):
        message[name] = rng.choice(values)
    text = json.dumps(message)
    if rng.random() < 0.3:
        cut = rng.randrange(len(text))
        text = text[:cut] + rng.choice(string.printable) + text[cut + rng.randrange(3) :]
    return text


def test_any_text_is_a_request_or_a_protocol_error() -> None:
    rng = random.Random(1)
    for _ in range(5000):
        try:
            parse(mutated(rng))
        except ProtocolError as error:
            json.dumps(str(error))


def test_a_tree_is_written_and_read_again() -> None:
    nodes = (
        MoveNode(0, BLACK, 40, "centre"), MoveNode(1, WHITE, 30, ""), MoveNode(1, WHITE, 31, "or here"),
        MoveNode(0, BLACK, -1, ""), MoveNode(4, WHITE, 0, ""),
    )  # fmt: skip
    tree = MoveTree(Game(9, "chinese", 6.5), nodes, "start", "Ann", "Bo", "B+2.5")
    again = read_moves(write_moves(tree))
    assert set(again.nodes) == set(nodes[:4]) | {MoveNode(4, WHITE, 0, "")}
    assert (again.comment, again.black, again.white, again.result) == ("start", "Ann", "Bo", "B+2.5")
    assert (again.start.komi, again.left_out) == (6.5, 0)


@pytest.mark.parametrize(
    ("sgf", "nodes", "left_out"),
    [
        (b"(;SZ[9]AB[aa][bb]AW[cc]PL[W];W[dd])", 1, 0),
        (b"(;SZ[9];B[aa];W[aa];B[bb])", 1, 1),  # what follows an illegal move goes with it
        (b"(;SZ[9];B[aa](;W[aa])(;W[bb]))", 2, 1),
        (b"(;SZ[9];B[aa];AB[cc];W[dd])", 1, 1),
        (b"(;SZ[9]C[a];C[b];B[aa];C[c])", 1, 0),
        (b"(;SZ[9](;AB[cc];W[dd])(;B[ee]))", 1, 1),  # the second branch begins without the stone
        (b"(;SZ[9](;AB[cc](;W[dd])(;W[ee])))", 2, 0),
        (b"(;SZ[9];B[];W[];B[aa])", 3, 0),  # play goes on after two passes
    ],
)
def test_branches_that_cannot_be_played_are_left_out(sgf: bytes, nodes: int, left_out: int) -> None:
    tree = read_moves(sgf)
    assert (len(tree.nodes), tree.left_out) == (nodes, left_out)


@pytest.mark.parametrize(
    ("sgf", "reason"),
    [
        (b"\x00\xff" * 1000, "this is not an SGF file"),
        (b"(;" * 10_000, "this is not an SGF file"),
        (b"(;" * 100_000 + b")" * 100_000, "the SGF file has more than 50000 nodes"),
        (b"(;SZ[99])", "board size 99 is not possible"),
        (b"(;SZ[9];B[zz])", "not on the board"),
    ],
)
def test_a_hostile_file_is_refused(sgf: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason):
        read_moves(sgf, most_nodes=50_000)


def test_an_sgf_file_goes_through_messages() -> None:
    found = read_sgf("(;CA[GB2312]SZ[9]RU[AGA]HA[2]AB[cc][gg]C[a handicap game];W[ee]C[中](;B[])(;B[gc]))")
    assert found["game"]["rules"] == "aga"
    assert found["game"]["to_play"] == "W"
    fields = {name: found[name] for name in ("game", "nodes", "comment", "black", "white", "result")}
    again = read_sgf(write_sgf(fields)["sgf"])
    assert again == found
    assert found["comment"] == "a handicap game"
    assert found["nodes"][0]["comment"] == "中"
    with pytest.raises(ProtocolError, match="must be below 1"):
        write_sgf(fields | {"nodes": [{"parent": 1, "move": ["B", "A1"], "comment": ""}]})


@pytest.mark.parametrize(
    ("rules", "named", "removed"),
    [
        ("RU[Chinese]", "chinese", True),
        ("RU[Tromp-Taylor]", "tromp-taylor", False),
        ("RU[Japanese]", "superko=simple suicide=no scoring=area", True),
        ("", "superko=positional suicide=yes scoring=area", True),
    ],
)
def test_dead_stones_are_removed_unless_the_file_says_otherwise(rules: str, named: str, removed: bool) -> None:
    found = read_sgf(f"(;SZ[9]{rules};B[ee])")["game"]
    assert (found["rules"], position(found)["dead_removed"]) == (named, removed)


def test_an_sgf_text_is_decoded_whatever_it_says() -> None:
    found = read_sgf("(;SZ[9]PB[木谷]C[é 日本 \ud800];B[ee]C[see FCA[x\\] y])")
    assert (found["black"], found["comment"], found["nodes"][0]["comment"]) == ("木谷", "é 日本 ?", "see FCA[x] y")
    nodes = [{"parent": 0, "move": ["B", "E5"], "comment": "\ud800"}]
    fields = {"comment": "", "black": "\ud800", "white": "", "result": ""}
    written = write_sgf({"game": found["game"], "nodes": nodes} | fields)
    assert (read_sgf(written["sgf"])["black"], read_sgf(written["sgf"])["nodes"][0]["comment"]) == ("?", "?")


def test_an_sgf_text_is_never_a_path(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(b"(;SZ[9])")
    with pytest.raises(SgfError, match="not an SGF file"):
        read_sgf(str(tmp_path / "game.sgf"))


def test_an_sgf_file_that_no_request_can_have_is_refused() -> None:
    with pytest.raises(ProtocolError, match="the game of the file.komi is 650.0: it must be a number from -400 to 400"):
        read_sgf("(;SZ[9]KM[650];B[ee])")


def test_every_request_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "web.md").read_text(encoding="utf-8")
    rows = "\n".join(line for line in page.splitlines() if line.startswith("| `"))
    for kind in REQUESTS:
        assert re.search(rf"^\|.*`{kind}`.*\|", rows, re.MULTILINE), kind


def test_a_count_has_the_exact_result() -> None:
    assert counted([BLACK] * 9, 6.123456)["result"] == "B+2.876544"


def test_a_pass_is_no_dead_stone() -> None:
    with pytest.raises(VertexError, match="'pass' is not a point of the board"):
        score(GAME("game", {"size": 5, "moves": [["B", "C3"]]}), ["pass"])


def test_a_laboratory_without_games_has_no_command() -> None:
    laboratory, control = Laboratory(Board(3), seed=2), Control()
    assert laboratory.as_dict()["command"] == ""
    laboratory.play(2000, control, lambda: control.apply("stop"))  # not all starts have games
    assert laboratory.as_dict()["games"] < 8000
    assert laboratory.as_dict()["command"] == ""
    laboratory.play(1, Control(), lambda: None)
    assert laboratory.as_dict()["command"] == "foogo first-move --size 3 --playouts 1 --seed 2 --by-point"


def test_a_stopped_job_cannot_be_paused() -> None:
    control = Control()
    for kind in ("pause", "stop", "pause"):
        control.apply(kind)
    assert control.stopped
    assert not control.paused
    assert not control.proceed()


def test_a_search_for_dead_stones_stops() -> None:
    jobs, control = Jobs(1, []), Control()
    jobs._player.options = replace(jobs._player.options, status_simulations=10**9)
    control.apply("stop")
    fields = parse(json.dumps({"id": 1, "type": "dead", "game": {"size": 5, "moves": [["B", "C3"]]}})).fields
    assert jobs.answer({"type": "dead", **fields}, control, lambda _: None)["dead"] == []
