"""What analysis commands ask for and how their lines are written: Leela Zero's, KataGo's and CGOS's formats.

Everything is from the side of the player whose move is looked for; ownership goes row by row from the top left.

References
----------
KataGo, GTP_Extensions.md; Sabaki, engine-analysis-integration.md; zakki/cgos, gtp.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import GtpError
from foogo.game.geometry import BLACK, geometry
from foogo.gtp import arguments
from foogo.gtp.session import Session
from foogo.search.restrictions import FOR_EVER, Avoid, all_but
from foogo.search.result import SearchResult
from foogo.search.root import lower_bound

DEFAULT_INTERVAL = 1.0
"""Seconds between lines where a controller gives none."""

SHORTEST_INTERVAL = 0.01

UNITS = 10_000
"""What Leela Zero's format multiplies shares by."""

FLAGS = ("ownership", "movesOwnership", "pvVisits", "rootInfo")

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""CGOS's digits for an ownership: the first is -1, the last but one 1."""


@dataclass
class Request:
    """What an analysis command asks for.

    Attributes
    ----------
    color
        Whose move to look for; None for the player to move.
    interval
        Seconds between lines.
    least, most
        Moves to tell of: at least so many if there are, at most so many.
    avoid
        Moves to leave out.
    flags
        Which of `FLAGS` are on.
    """

    color: int | None = None
    interval: float = DEFAULT_INTERVAL
    least: int = 0
    most: int | None = None
    avoid: tuple[Avoid, ...] = ()
    flags: dict[str, bool] = field(default_factory=dict)


def read_request(session: Session, words: Sequence[str], usage: str) -> Request:
    """The request of ``[COLOR] [INTERVAL] [KEY VALUE]...``, its parts in any order.

    Raises
    ------
    GtpError
        If a word is none of them, or a value is not as it should be.
    """
    request = Request()
    left = list(words)
    named: list[tuple[str, Avoid]] = []
    while left:
        word = left.pop(0)
        if word.lower() in arguments.COLORS:
            request.color = arguments.color(word)
        elif word[:1].isdigit():
            request.interval = _interval(word)
        elif word == "interval":
            request.interval = _interval(_value(word, left))
        elif word == "minmoves":
            request.least = arguments.whole(word, _value(word, left), 0, 1000)
        elif word == "maxmoves":
            request.most = arguments.whole(word, _value(word, left), 0, 1000)
        elif word in FLAGS:
            request.flags[word] = arguments.truth(word, _value(word, left))
        elif word in ("avoid", "allow"):
            color, points = _value(word, left), _value(word, left)
            depth = min(FOR_EVER, arguments.whole("depth", _value(word, left), 1, 2**31))
            chosen = frozenset(arguments.move(session, vertex) for vertex in points.split(",") if vertex)
            named.append((word, Avoid(arguments.color(color), chosen, depth)))
        else:
            keys = ", ".join(["interval", "minmoves", "maxmoves", "avoid", "allow", *FLAGS])
            raise GtpError(f"{arguments.shown(word)} is no color, interval or key: give {usage} with keys {keys}")
    request.avoid = _avoided(session.player.size, named)
    return request


def shown_moves(result: SearchResult, request: Request) -> list[int]:
    """Which rows of the result to tell of, the best first."""
    visits = result.moves["visits"]
    count = max(int((visits > 0).sum()), min(request.least, len(visits)))
    return list(range(count if request.most is None else min(count, request.most)))


def has_news(result: SearchResult) -> bool:
    """Whether there is anything to tell: on a busy machine a search may not have begun when a line is due."""
    return bool(result.moves["visits"].any())


def leela_line(result: SearchResult, request: Request) -> str:
    """A line of ``lz-analyze``: shares in ten-thousandths."""
    vertex = geometry(result.size).vertex
    parts = []
    for order in shown_moves(result, request):
        row, variation = result.moves[order], result.variations[order]
        share = _share(row["win_share"], result.value)
        visits = int(row["visits"])
        numbers = (
            f"visits {visits} winrate {_ten_thousandths(share)} prior {_ten_thousandths(_share(row['prior']))} "
            f"lcb {_ten_thousandths(lower_bound(share, visits))}"
        )
        parts.append(f"info move {vertex(row['move'])} {numbers} order {order} pv {_moves(result, variation)}")
    if request.flags.get("ownership"):
        parts.append(f"ownership {_floats(ownership(result))}")
    return " ".join(parts)


def kata_line(result: SearchResult, request: Request, session: Session) -> str:
    """A line of ``kata-analyze``: shares as floats, and whatever the request turns on."""
    vertex = geometry(result.size).vertex
    rows = shown_moves(result, request)
    flags = request.flags
    visited = result.variation_visits if flags.get("pvVisits") else ()
    owned = moves_ownership(session, result, rows) if flags.get("movesOwnership") else {}
    parts = []
    for order in rows:
        row = result.moves[order]
        share, visits = _share(row["win_share"], result.value), int(row["visits"])
        lead = _share(row["score"], result.score)
        part = (
            f"info move {vertex(row['move'])} visits {visits} edgeVisits {visits} winrate {share:.6f} "
            f"scoreMean {lead:.4f} scoreLead {lead:.4f} prior {_share(row['prior']):.6f} "
            f"lcb {lower_bound(share, visits):.6f} order {order} pv {_moves(result, result.variations[order])}"
        )
        if visited:
            part += f" pvVisits {' '.join(map(str, visited[order]))}"
        if order in owned:
            part += f" movesOwnership {_floats(owned[order])}"
        parts.append(part)
    if flags.get("rootInfo"):
        value, score = _share(result.value), _share(result.score, 0.0)
        visits = int(result.moves["visits"].sum())
        parts.append(f"rootInfo visits {visits} winrate {value:.6f} scoreMean {score:.4f} scoreLead {score:.4f}")
    if flags.get("ownership"):
        parts.append(f"ownership {_floats(ownership(result))}")
    return " ".join(parts)


def cgos_document(result: SearchResult | None, color: int, reason: str) -> str:
    """The JSON line of ``cgos-genmove_analyze``."""
    if result is None:
        return json.dumps({"visits": 0, "moves": [], "comment": reason}, separators=(",", ":"))
    vertex = geometry(result.size).vertex
    moves = []
    for order in shown_moves(result, Request()):
        row = result.moves[order]
        pv = " ".join(map(vertex, result.variations[order][1:]))
        moves.append(
            {
                "move": vertex(row["move"]),
                "visits": int(row["visits"]),
                "winrate": round(_share(row["win_share"], result.value), 6),
                "score": round(_share(row["score"], result.score), 4),
                "prior": round(_share(row["prior"]), 6),
                "pv": pv,
            }
        )
    document: dict[str, Any] = {
        "winrate": round(_share(result.value), 6),
        "score": round(_share(result.score, 0.0), 4),
        "visits": int(result.moves["visits"].sum()),
        "moves": moves,
        "ownership": "".join(LETTERS[round((one + 1) / 2 * 62)] for one in ownership(result)),
    }
    if reason:
        document["comment"] = reason
    return json.dumps(document, separators=(",", ":"), allow_nan=False)


def ownership(result: SearchResult) -> list[float]:
    """Ownership from the side of the player to move, row by row from the top left."""
    return _of_player(result.ownership, result.to_play)


def moves_ownership(session: Session, result: SearchResult, rows: Sequence[int]) -> dict[int, list[float]]:
    """Ownership after each of the moves: from playouts at the end of its variation."""
    owned = session.player.ownership_after([result.variations[order] for order in rows], result.to_play)
    return {order: _of_player(one, result.to_play) for order, one in zip(rows, owned, strict=True)}


def _interval(word: str) -> float:
    """Seconds of an interval in hundredths."""
    return max(SHORTEST_INTERVAL, arguments.number("interval", word, 0, 1e9) / 100)


def _value(key: str, left: list[str]) -> str:
    if not left:
        raise GtpError(f"{key} has no value: give one after it")
    return left.pop(0)


def _avoided(size: int, named: Sequence[tuple[str, Avoid]]) -> tuple[Avoid, ...]:
    """What ``avoid`` and ``allow`` leave out."""
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


def _share(value: Any, otherwise: float = 0.0) -> float:
    """A number, or another where it is nan."""
    number = float(value)
    return otherwise if math.isnan(number) and not math.isnan(otherwise) else 0.0 if math.isnan(number) else number


def _ten_thousandths(share: float) -> int:
    return round(UNITS * min(1.0, max(0.0, share)))


def _moves(result: SearchResult, moves: Sequence[int]) -> str:
    return " ".join(map(geometry(result.size).vertex, moves))


def _of_player(black: NDArray[np.float64], to_play: int) -> list[float]:
    signed = black if to_play == BLACK else -black
    flat: list[float] = signed[::-1].ravel().tolist()
    return flat


def _floats(values: Sequence[float]) -> str:
    return " ".join(f"{value + 0.0:.4f}" for value in values)
