"""200,000 lines of every kind through the real process: exactly one answer per command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gtp_fuzz import is_command, lines, run
from tests.marks import posix, slow

LOADING, STEADY = 128 << 20, 32 << 20
"""Bytes by which the process may grow during the last four fifths of the lines: while boards of further sizes load, or
compile, their kernels; and once they have."""


@posix
@pytest.mark.parametrize(("count", "growth"), [(5_000, LOADING), slow(200_000, STEADY)])
def test_every_command_gets_one_answer(tmp_path: Path, count: int, growth: int) -> None:
    outcome = run(tmp_path, 1, count)
    assert outcome.lines == count
    assert outcome.answers > 0.85 * count
    assert 0.3 * outcome.answers < outcome.failures < 0.7 * outcome.answers
    assert outcome.memory_late - outcome.memory_early < growth


def test_the_lines_are_of_every_kind_and_always_the_same() -> None:
    some = list(lines(1, 40_000))
    assert some == list(lines(1, 40_000))
    assert some != list(lines(2, 40_000))
    assert max(map(len, some)) > 1_000_000
    assert any(b"\0" in line for line in some)
    assert any(not line.isascii() for line in some)
    assert sum(not is_command(line) for line in some) > 1000
    assert not any(line.split()[-1:] == [b"quit"] for line in some)
