"""The opening book's answer to a request for a move."""

from __future__ import annotations

import math
import random

import numpy as np

from foogo.book.book import book_named
from foogo.game.clock import Plan
from foogo.game.game import Game
from foogo.player.options import PlayerOptions
from foogo.search.result import MOVE_FIELDS, SearchResult

MARGIN = 0.01
"""Moves whose win share is this near to that of the best are played too."""

PER_SECOND = 400_000
"""Simulations of one thread in a second that a search is assumed to make."""


def book_choice(game: Game, options: PlayerOptions, plan: Plan) -> SearchResult | None:
    """The book's move at a game's position, as the result of a search without simulations; None to search.

    The book answers only if its searches from there on are larger than the search would be. Among moves that it has
    followed and that are nearly as good as the best, the seed chooses, and among symmetric points. The ownership of the
    result is 0 everywhere.
    """
    book = book_named(options.book)
    if not book:
        return None
    moves = [one for one in book.moves(game) if one.positions and game.is_legal(one.points[0])]
    expected = min(options.simulations or math.inf, PER_SECOND * options.threads * plan.aim)
    if not moves or book.simulations(game) < expected:
        return None
    near = [one for one in moves if one.win_share >= moves[0].win_share - MARGIN]
    chance = random.Random(f"{options.seed} {len(game.turns)}")
    chosen = chance.choice(near)
    point = chance.choice(chosen.points)
    rows = np.full(len(moves), np.array((0, 0, *[math.nan] * 4), MOVE_FIELDS))
    lines = []
    for row, one in zip(rows, sorted(moves, key=lambda one: one is not chosen), strict=True):
        row["move"] = point if one is chosen else one.points[0]
        row["visits"], row["win_share"], row["score"] = one.simulations, one.win_share, one.score
        after = game.copy()
        after.play(int(row["move"]))
        lines.append((int(row["move"]), *book.line(after)))
    return SearchResult(
        best=point,
        moves=rows,
        variations=tuple(lines),
        variation_visits=tuple((0,) * len(line) for line in lines),
        value=chosen.win_share,
        score=chosen.score,
        ownership=np.zeros((game.size, game.size)),
        simulations=0,
        seconds=0.0,
        size=game.size,
        to_play=game.to_play,
        colors=game.board.to_array(),
        tree_size=0,
        tree_full=False,
        times={},
    )
