"""The request of an analysis command (KataGo, GTP_Extensions.md; Sabaki, engine-analysis-integration.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from foogo.errors import GtpError
from foogo.gtp import parsing
from foogo.gtp.session import Session
from foogo.search.restrictions import FOR_EVER, Avoid, all_but

DEFAULT_INTERVAL = 1.0  # seconds between lines if the controller gives none

SHORTEST_INTERVAL = 0.01

FLAGS = ("ownership", "movesOwnership", "pvVisits", "rootInfo")


@dataclass
class AnalysisRequest:
    """The arguments of an analysis command."""

    color: int | None = None  # None for the player to move
    interval: float = DEFAULT_INTERVAL  # seconds between lines
    least: int = 0  # moves per line, as far as there are moves
    most: int | None = None
    avoid: tuple[Avoid, ...] = ()
    flags: dict[str, bool] = field(default_factory=dict)  # the values given for `FLAGS`


def read_request(session: Session, words: Sequence[str], usage: str) -> AnalysisRequest:
    """Parse ``[COLOR] [INTERVAL] [KEY VALUE]...``, in any order."""
    request = AnalysisRequest()
    left = list(words)
    named: list[tuple[str, Avoid]] = []
    while left:
        word = left.pop(0)
        if word.lower() in parsing.COLORS:
            if request.color not in (None, parsing.color(word)):
                raise GtpError("both colors are given: give the one whose move is analyzed")
            request.color = parsing.color(word)
        elif word[:1].isdigit():
            request.interval = _interval(word)
        elif word == "interval":
            request.interval = _interval(_value(word, left))
        elif word == "minmoves":
            request.least = parsing.whole(word, _value(word, left), 0, 1000)
        elif word == "maxmoves":
            request.most = parsing.whole(word, _value(word, left), 0, 1000)
        elif word in FLAGS:
            request.flags[word] = parsing.truth(word, _value(word, left))
        elif word in ("avoid", "allow"):
            color, points = _value(word, left), _value(word, left)
            depth = min(FOR_EVER, parsing.whole("depth", _value(word, left), 1, 2**31))
            chosen = frozenset(parsing.move(session, vertex) for vertex in points.split(",") if vertex)
            named.append((word, Avoid(parsing.color(color), chosen, depth)))
        else:
            keys = ", ".join(["interval", "minmoves", "maxmoves", "avoid", "allow", *FLAGS])
            raise GtpError(f"{parsing.quoted(word)} is not a color, interval or key: give {usage} with keys {keys}")
    request.avoid = _avoided(session.player.size, named)
    return request


def _interval(word: str) -> float:
    """An interval in hundredths of a second as seconds."""
    return max(SHORTEST_INTERVAL, parsing.number("interval", word, 0, 1e9) / 100)


def _value(key: str, left: list[str]) -> str:
    if not left:
        raise GtpError(f"{key} has no value: give one after it")
    return left.pop(0)


def _avoided(size: int, named: Sequence[tuple[str, Avoid]]) -> tuple[Avoid, ...]:
    """The moves that ``avoid`` and ``allow`` exclude."""
    kinds = {kind for kind, _ in named}
    if len(kinds) > 1:
        raise GtpError("avoid and allow cannot be given together: give one of them")
    if kinds != {"allow"}:
        return tuple(one for _, one in named)
    found = []
    for color in sorted({one.color for _, one in named}):
        own = [one for _, one in named if one.color == color]
        moves = frozenset[int]().union(*(one.moves for one in own))
        found.append(all_but(size, color, moves, max(one.depth for one in own)))
    return tuple(found)
