"""The lines that analysis commands write, in the formats of Leela Zero, KataGo and CGOS.

Every value is from the perspective of the player whose move is searched; ownership goes row by row from the top left.

References
----------
KataGo, GTP_Extensions.md; zakki/cgos, gtp.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, geometry
from foogo.gtp.analysis_request import AnalysisRequest
from foogo.gtp.session import Session
from foogo.player.ownership import ownership_after
from foogo.search.result import SearchResult

UNITS = 10_000  # Leela Zero's format writes shares as integers in these units

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""CGOS's digits for ownership, from -1 for the first to 1 for the last but one."""


class ShownMove(NamedTuple):
    """A move as the lines show it; the prior is a share, `lcb` the lower confidence bound of the win share."""

    order: int
    vertex: str
    visits: int
    share: float
    lead: float
    prior: float
    lcb: float
    variation: str


def shown_moves(result: SearchResult, request: AnalysisRequest) -> list[ShownMove]:
    """The moves to write, best first."""
    tried = int((result.moves["visits"] > 0).sum())
    count = max(tried, min(max(request.least, 1), len(result.moves)))  # the move of a solved position has no visits
    vertex, bounds, shown = geometry(result.size).vertex, result.lower_bounds.tolist(), []
    for order in range(count if request.most is None else min(count, request.most)):
        row, variation = result.moves[order], " ".join(map(vertex, result.variations[order]))
        share, visits = _share(row["win_share"], result.value), int(row["visits"])
        lead, prior = _share(row["score"], result.score), _share(row["prior"])
        shown.append(ShownMove(order, vertex(row["move"]), visits, share, lead, prior, bounds[order], variation))
    return shown


def has_news(result: SearchResult) -> bool:
    """Whether any move was visited: on a busy machine the search may not have begun when a line is due."""
    return bool(result.moves["visits"].any())


def leela_line(result: SearchResult, request: AnalysisRequest, *, leads: bool = False) -> str:
    """A line of ``lz-analyze``, with shares in ten-thousandths; with `leads`, of ``analyze``, which has leads too."""
    parts = [
        f"info move {one.vertex} visits {one.visits} winrate {_ten_thousandths(one.share)} "
        + (f"scoreLead {one.lead:.4f} " if leads else "")
        + f"prior {_ten_thousandths(one.prior)} lcb {_ten_thousandths(one.lcb)} order {one.order} pv {one.variation}"
        for one in shown_moves(result, request)
    ]
    if request.flags.get("ownership"):
        parts.append(f"ownership {_floats(ownership(result))}")
    return " ".join(parts)


def kata_line(result: SearchResult, request: AnalysisRequest, session: Session) -> str:
    """A line of ``kata-analyze``, with shares as floats and the fields whose flags are on."""
    flags, shown = request.flags, shown_moves(result, request)
    owned = moves_ownership(session, result, len(shown)) if flags.get("movesOwnership") else []
    parts = []
    for one in shown:
        part = (
            f"info move {one.vertex} visits {one.visits} edgeVisits {one.visits} winrate {one.share:.6f} "
            f"scoreMean {one.lead:.4f} scoreLead {one.lead:.4f} prior {one.prior:.6f} "
            f"lcb {one.lcb:.6f} order {one.order} pv {one.variation}"
        )
        if flags.get("pvVisits"):
            part += f" pvVisits {' '.join(map(str, result.variation_visits[one.order]))}"
        if owned:
            part += f" movesOwnership {_floats(owned[one.order])}"
        parts.append(part)
    if flags.get("rootInfo"):
        value, score = _share(result.value), _share(result.score)
        visits = int(result.moves["visits"].sum())
        parts.append(f"rootInfo visits {visits} winrate {value:.6f} scoreMean {score:.4f} scoreLead {score:.4f}")
    if flags.get("ownership"):
        parts.append(f"ownership {_floats(ownership(result))}")
    return " ".join(parts)


def cgos_document(result: SearchResult, reason: str) -> str:
    """The JSON line of ``cgos-genmove_analyze``."""
    moves = [
        {
            "move": one.vertex,
            "visits": one.visits,
            "winrate": round(one.share, 6),
            "score": round(one.lead, 4),
            "prior": round(one.prior, 6),
            "pv": one.variation.partition(" ")[2],
        }
        for one in shown_moves(result, AnalysisRequest())
    ]
    document: dict[str, Any] = {
        "winrate": round(_share(result.value), 6),
        "score": round(_share(result.score), 4),
        "visits": int(result.moves["visits"].sum()),
        "moves": moves,
        "ownership": "".join(LETTERS[round((one + 1) / 2 * 62)] for one in ownership(result)),
    }
    if reason:
        document["comment"] = reason
    return json.dumps(document, separators=(",", ":"), allow_nan=False)


def ownership(result: SearchResult) -> list[float]:
    """Ownership from the perspective of the player to move, row by row from the top left."""
    return _of_player(result.ownership, result.to_play)


def moves_ownership(session: Session, result: SearchResult, count: int) -> list[list[float]]:
    """Ownership after each of the first `count` moves, from playouts at the end of its variation."""
    position = Board.from_colors(result.size, result.colors.ravel().tolist(), result.to_play)
    game = Game(position, session.player.ruleset.rules)  # not the player's game: its move may already be played
    owned = ownership_after(game, result.variations[:count], session.player.options)
    return [_of_player(one, result.to_play) for one in owned]


def _share(value: Any, otherwise: float = 0.0) -> float:
    """`value` as a float; if it is NaN, `otherwise`; if both are, 0."""
    number = float(value)
    return otherwise if math.isnan(number) and not math.isnan(otherwise) else 0.0 if math.isnan(number) else number


def _ten_thousandths(share: float) -> int:
    return round(UNITS * min(1.0, max(0.0, share)))


def _of_player(black: NDArray[np.float64], to_play: int) -> list[float]:
    signed = black if to_play == BLACK else -black
    flat: list[float] = signed[::-1].ravel().tolist()
    return flat


def _floats(values: Sequence[float]) -> str:
    return " ".join(f"{value + 0.0:.4f}" for value in values)
