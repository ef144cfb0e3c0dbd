"""Fixtures of several tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from foogo.gtp.session import SessionOptions
from foogo.player.options import PlayerOptions
from tests.gtp_talk import Talk

OPTIONS = SessionOptions(size=5, player=PlayerOptions(simulations=500, seed=1, status_simulations=2000))

# The same examples in every run. No deadline: a machine may be slow, or busy.
settings.register_profile("foogo", deadline=None, derandomize=True)
settings.load_profile("foogo")


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """SIGINT ends what tests interrupt, also where a shell started them in the background and has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def gtp_session() -> Iterator[Talk]:
    with Talk(OPTIONS) as talk:
        yield talk


@pytest.fixture
def talk(gtp_session: Talk) -> Talk:
    """A session on an empty 5x5 board, as it begins."""
    gtp_session.setup(
        "boardsize 5", "clear_board", "komi 7", "kata-set-rules tromp-taylor", "kata-time_settings none",
        "foogo-param simulations 500", "foogo-param resign 0", "set_random_seed 1", "cgos-opponent_name",
    )  # fmt: skip
    return gtp_session
