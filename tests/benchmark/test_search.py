"""`foogo bench --search`: its numbers hang together, as a table and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from foogo.benchmark.search import SearchMeasurement, measure_search, middle_game
from foogo.cli import run
from foogo.errors import ArgumentError
from foogo.game.geometry import geometry
from foogo.search.search import Search


def test_measurement() -> None:
    assert measure_search(5, simulations=500).simulations == 500
    one = measure_search(5, seconds=0.1)
    assert one.rate > 0
    assert one.selection + one.playouts + one.backup == pytest.approx(1.0)
    assert one.tree_bytes > 0
    assert one.as_dict()["simulations_per_second"] == one.rate


def test_an_interrupted_search_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Search.run
    monkeypatch.setattr(Search, "run", lambda *args, **limits: replace(run(*args, **limits), interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        measure_search(5, simulations=500)


def test_middle_game_is_the_same_each_time() -> None:
    game = middle_game(5)
    assert game.moves == middle_game(5).moves
    assert not game.is_over
    moves = "C5 B4 B5 B6 C7 C8 D7 E7 E8 D8 E6 F7 G7 F8 G8 F9 G9 E9 F6 G6"
    assert " ".join(map(geometry(9).vertex, middle_game(9).moves)) == moves


@pytest.mark.parametrize("threads", [0, 1025])
def test_bad_effort(threads: int) -> None:
    with pytest.raises(ArgumentError, match=f"threads is {threads}: it must be a whole number from 1 to 1024"):
        measure_search(5, threads=threads)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["bench", "--search", "--size", "5", "--threads", "1", "--seconds", "0.1", "--policy", "uniform"]
    assert run([*options, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "bench --search"
    assert [row["policy"] for row in document["measurements"]] == ["uniform"]
    assert run(options) == 0
    assert "simulations/s" in capsys.readouterr().out


def test_what_is_measured_until_ctrl_c_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = [[measure_search(5, simulations=100)]]

    def compared(*_: object) -> list[SearchMeasurement]:
        if not measured:
            raise KeyboardInterrupt
        return measured.pop()

    monkeypatch.setattr("foogo.benchmark.search.compare_threads", compared)
    assert run(["bench", "--search", "--size", "5", "--size", "7", "--threads", "1", "--json"]) == 130
    said = capsys.readouterr()
    assert len(json.loads(said.out)["measurements"]) == 1
    assert said.err == "foogo: interrupted: 1 of 2 rows are measured\n"


def test_threads_are_compared_over_as_many_simulations(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--size", "5", "--threads", "1", "--threads", "2", "--seconds", "0.1", "--policy", "uniform"]
    assert run(["bench", "--search", *options, "--json"]) == 0
    one, two = json.loads(capsys.readouterr().out)["measurements"]
    assert (one["ratio"], one["simulations"]) == (1.0, two["simulations"])
    assert two["ratio"] == two["simulations_per_second"] / one["simulations_per_second"]


def test_options_of_the_playouts_are_not_taken_silently(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--backend", "strings"], ["--no-suicide"]):
        assert run(["bench", "--search", "--size", "5", "--seconds", "0.1", *options]) == 2
        assert "leave them out with --search" in capsys.readouterr().err


def test_unknown_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--search", "--size", "5", "--seconds", "0.1", "--policy", "genius"]) == 2
    assert "policy 'genius' is unknown" in capsys.readouterr().err
