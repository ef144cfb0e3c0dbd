"""Time settings, and the times that the controller reports."""

from __future__ import annotations

from foogo.errors import GtpError
from foogo.game.clock import FORMS, TimeSettings
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session

KGS = ("none", "absolute", "byoyomi", "canadian")  # the time systems of KGS
LONGEST = 2.0**40  # largest accepted time, in seconds


def time_settings(session: Session, call: Call) -> str:
    """Set absolute or Canadian time."""
    words = call.expect(3)
    main = parsing.number("main time", words[0], 0, LONGEST)
    period = parsing.number("period", words[1], 0, LONGEST)
    stones = parsing.whole("stones", words[2], 0, 2**31)
    session.player.set_time(TimeSettings.from_gtp(main, period, stones))
    return ""


def time_left(session: Session, call: Call) -> str:
    """Set a clock to the time that the controller reports."""
    words = call.expect(3)
    color = parsing.color(words[0])
    seconds = parsing.number("time", words[1], -LONGEST, LONGEST)
    session.player.time_left(color, seconds, parsing.whole("stones", words[2], 0, 2**31))
    return ""


def kgs_time_settings(session: Session, call: Call) -> str:
    """Set one of KGS's time systems."""
    return _set(session, call, KGS)


def kata_time_settings(session: Session, call: Call) -> str:
    """Set any time system."""
    return _set(session, call, tuple(FORMS))


def kata_list_time_settings(session: Session, call: Call) -> str:
    """The names of the time systems."""
    return " ".join(FORMS)


def _set(session: Session, call: Call, systems: tuple[str, ...]) -> str:
    words = call.expect(1, 5)
    system = words[0].lower().replace("byo-yomi", "byoyomi")
    if system not in systems:
        raise GtpError(f"time system {parsing.quoted(words[0])} is unknown: give {', '.join(systems)}")
    numbers = words[1 : len(FORMS[system].split())]
    session.player.set_time(TimeSettings.parse([system, *numbers]))
    return ""
