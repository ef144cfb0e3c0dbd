"""The end of the game: the score, and which stones are dead."""

from __future__ import annotations

from foogo.errors import GtpError
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.notation import result_text
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session

STRINGS = ("alive", "seki", "dead")

POINTS = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}


def final_score(session: Session, call: Call) -> str:
    """The result after komi and compensation, without dead stones."""
    return result_text(session.player.final_score())


def final_status(session: Session, call: Call) -> str:
    """The status of a point, in the words of ``final_status_list``."""
    point, status = parsing.point(session, call.expect(1)[0]), session.player.status()
    for word in STRINGS:
        if any(point in string.points for string in getattr(status, word)):
            return word
    return next(word for word, color in POINTS.items() if status.owners[point] == color)


def final_status_list(session: Session, call: Call) -> str:
    """The strings of a status, one per line, or the points of a territory on one line."""
    (word,) = call.expect(1)
    status = session.player.status() if word in STRINGS or word in POINTS else None
    if status is None:
        raise GtpError(f"status {parsing.quoted(word)} is unknown: give {', '.join([*STRINGS, *POINTS])}")
    if word in POINTS:
        return parsing.vertices(session, status.territory(POINTS[word]))
    return "\n".join(parsing.vertices(session, string.points) for string in getattr(status, word))
