"""How the referee applies a player's clock."""

from __future__ import annotations

from foogo.game.clock import Clock

ROUNDING = 1e-9  # seconds that absorb rounding errors in sums of times


def seconds_left(clock: Clock) -> float:
    """Seconds after which the next move is late: 210 at the start of byoyomi 60 30 5."""
    if not clock.settings.has_overtime:
        return min(clock.left, clock.settings.longest_move)
    periods = clock.count - 1 if clock.in_overtime else clock.settings.count
    if clock.settings.system == "canadian":
        periods = 0 if clock.in_overtime else 1
    return clock.left + clock.settings.period * periods


def charge(clock: Clock, seconds: float, lag: float) -> bool:
    """Take the time of a move off a clock; False if the move was late by more than `lag` seconds.

    A move that was late by less counts as made at the last moment. Afterwards absolute time is at 0, a Fischer clock at
    its increment, byoyomi at the start of its last period.
    """
    left = seconds_left(clock)
    return seconds <= left + lag and clock.spend(min(seconds, max(0.0, left - ROUNDING)))
