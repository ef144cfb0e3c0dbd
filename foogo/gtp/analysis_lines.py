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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.game.geometry import BLACK, geometry
from foogo.gtp.analysis_request import AnalysisRequest
from foogo.gtp.session import Session
from foogo.search.result import SearchResult
from foogo.search.root import lower_bound

UNITS = 10_000
"""Leela Zero's format writes shares as integers in these units."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""CGOS's digits for ownership, from -1 for the first to 1 for the last but one."""


def shown_moves(result: SearchResult, request: AnalysisRequest) -> list[int]:
    """The rows of the result to write, best first."""
    visits = result.moves["visits"]
    count = max(int((visits > 0).sum()), min(request.least, len(visits)))
    return list(range(count if request.most is None else min(count, request.most)))


def has_news(result: SearchResult) -> bool:
    """Whether any move was visited: on a busy machine the search may not have begun when a line is due."""
    return bool(result.moves["visits"].any())


def leela_line(result: SearchResult, request: AnalysisRequest) -> str:
    """A line of ``lz-analyze``, with shares in ten-thousandths."""
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


def kata_line(result: SearchResult, request: AnalysisRequest, session: Session) -> str:
    """A line of ``kata-analyze``, with shares as floats and the fields whose flags are on."""
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


def cgos_document(result: SearchResult, color: int, reason: str) -> str:
    """The JSON line of ``cgos-genmove_analyze``."""
    vertex = geometry(result.size).vertex
    moves = []
    for order in shown_moves(result, AnalysisRequest()):
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
    """Ownership from the perspective of the player to move, row by row from the top left."""
    return _of_player(result.ownership, result.to_play)


def moves_ownership(session: Session, result: SearchResult, rows: Sequence[int]) -> dict[int, list[float]]:
    """Ownership after each of the moves, from playouts at the end of its variation."""
    owned = session.player.ownership_after([result.variations[order] for order in rows], result.to_play)
    return {order: _of_player(one, result.to_play) for order, one in zip(rows, owned, strict=True)}


def _share(value: Any, otherwise: float = 0.0) -> float:
    """`value` as a float; if it is NaN, `otherwise`; if both are, 0."""
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
