"""The end of a game: who won, and which stones are dead."""

from __future__ import annotations

from foogo.errors import GtpError
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.gtp import arguments
from foogo.gtp.engine import Call
from foogo.gtp.session import Session

STRINGS = ("alive", "seki", "dead")

POINTS = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}


def final_score(session: Session, call: Call) -> str:
    """The result, dead stones taken off, after komi and compensation."""
    call.expect(0)
    return result_text(session.player.final_score())


def final_status_list(session: Session, call: Call) -> str:
    """Strings or points of a status: a string on a line, or points on one."""
    (word,) = call.expect(1)
    status = session.player.status() if word in STRINGS or word in POINTS else None
    if status is None:
        raise GtpError(f"status {arguments.shown(word)} is unknown: give {', '.join([*STRINGS, *POINTS])}")
    if word in POINTS:
        return arguments.vertices(session, status.territory(POINTS[word]))
    return "\n".join(arguments.vertices(session, string) for _, string in getattr(status, word))


def result_text(lead: float) -> str:
    """A result as the protocol writes it, of Black's lead.

    Examples
    --------
    >>> result_text(2.5), result_text(-1.0), result_text(0.0)
    ('B+2.5', 'W+1', '0')
    """
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):.10g}"
