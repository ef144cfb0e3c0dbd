"""Time settings, and what the controller's clocks show."""

from __future__ import annotations

from foogo.errors import GtpError
from foogo.game.clock import FORMS, TimeSettings
from foogo.gtp import arguments
from foogo.gtp.engine import Call
from foogo.gtp.session import Session

KGS = ("none", "absolute", "byoyomi", "canadian")
"""The systems of KGS."""

LONGEST = 2.0**40


def time_settings(session: Session, call: Call) -> str:
    """Absolute or Canadian time."""
    words = call.expect(3)
    main = arguments.number("main time", words[0], 0, LONGEST)
    period = arguments.number("period", words[1], 0, LONGEST)
    stones = arguments.whole("stones", words[2], 0, 2**31)
    session.player.set_time(TimeSettings.from_gtp(main, period, stones))
    return ""


def time_left(session: Session, call: Call) -> str:
    """What a clock shows."""
    words = call.expect(3)
    color = arguments.color(words[0])
    seconds = arguments.number("time", words[1], -LONGEST, LONGEST)
    session.player.time_left(color, seconds, arguments.whole("stones", words[2], 0, 2**31))
    return ""


def kgs_time_settings(session: Session, call: Call) -> str:
    """Time as on KGS."""
    return _set(session, call, KGS)


def kata_time_settings(session: Session, call: Call) -> str:
    """Any time system."""
    return _set(session, call, tuple(FORMS))


def kata_list_time_settings(session: Session, call: Call) -> str:
    """The time systems."""
    call.expect(0)
    return " ".join(FORMS)


def _set(session: Session, call: Call, systems: tuple[str, ...]) -> str:
    words = call.expect(1, 5)
    system = words[0].lower().replace("byo-yomi", "byoyomi")
    if system not in systems:
        raise GtpError(f"time system {arguments.shown(words[0])} is unknown: give {', '.join(systems)}")
    session.player.set_time(TimeSettings.parse([system, *words[1:]]))
    return ""
