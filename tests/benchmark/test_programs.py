"""The programs of bench/: what each refuses, and what they compute at small sizes."""

from __future__ import annotations

import sys

import pytest

from bench import random_stream, strength


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_random_streams_are_those_of_playouts(seed: int) -> None:
    random_stream.check(seed, 8)


def test_random_streams_that_differ_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_stream, "WARM_UP_ROUNDS", 14)
    with pytest.raises(SystemExit, match="playout 0 differs"):
        random_stream.check(0, 8)


def test_ctrl_c_ends_the_processes_of_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that only reported it would begin the next game, and the program would play on."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(strength, "match", stopped)
    monkeypatch.setattr("os._exit", sys.exit)
    row = strength.Row("stopped", "simulations=10", "simulations=10", 1, 3)
    with pytest.raises(SystemExit, match="130"):
        strength.play(row, 0, None)
