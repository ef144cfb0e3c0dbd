"""What each simulation adds to every entry of the tree, AMAF included: the oracle's playouts, counted plainly."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from foogo.game.game import Game
from foogo.playout.policies import Policy, policy_of
from foogo.search.kernels import tree
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search
from tests import oracle
from tests.oracle import BLACK, EMPTY, PASS, Position, opponent
from tests.oracle_playouts import playout
from tests.search.test_search import Entries

SEED = 2

Line = tuple[int, ...]
"""The moves from the root to an entry."""

Counts = tuple[int, ...]
"""Of an entry: visits, half wins of the player who moved there, both by AMAF, and the sum of Black's leads."""


def counted(search: Search) -> dict[Line, Counts]:
    """What every entry of the tree counts, without its prior."""
    entries = Entries(search)
    lines: dict[int, Line] = {tree.ROOT: ()}
    for parent, children in entries.parents():
        for child in range(children.start, children.stop):
            lines[child] = (*lines[parent], int(entries.moves[child]))
    fields = entries.visits, entries.wins, entries.rave_visits, entries.rave_wins, entries.leads
    counts = np.stack(fields, axis=1).tolist()
    return {line: tuple(counts[entry]) for entry, line in lines.items()}


def half_wins(color: int, lead: int, komi: float) -> int:
    """What a game that ended with this lead of Black's, before komi, is worth to `color`."""
    black = 1 + int(np.sign(lead - komi))
    return black if color == BLACK else 2 - black


@pytest.mark.parametrize(("size", "komi", "suicide"), [(3, 9.0, True), (4, 16.0, False), (5, 1.0, True)])
@pytest.mark.parametrize("policy", ["uniform", "patterns"])
@pytest.mark.parametrize("selection", ["rave", "ucb1"])
def test_every_simulation_is_counted_where_it_belongs(
    size: int, komi: float, suicide: bool, policy: str, selection: str
) -> None:
    rules = f"superko=simple suicide={'yes' if suicide else 'no'}"
    parameters = SearchParameters(selection=selection, playouts=1, expand_at=2, value_weight=0, certainty=False)
    search = Search(Game(size, rules=rules, komi=komi), seed=SEED, policy=policy, parameters=parameters)
    chosen = policy_of(policy)
    wanted: defaultdict[Line, np.ndarray] = defaultdict(lambda: np.zeros(5, np.int64))
    deepest = ended = drawn = 0
    before: dict[Line, Counts] = {}
    for number in range(400):
        search.run(simulations=1)
        found = counted(search)
        path = max((line for line in found if found[line][0] > before.get(line, (0,))[0]), key=len)
        positions = [Position(size, frozenset(), frozenset(), BLACK, None)]
        for move in path:
            positions.append(oracle.after(positions[-1], move, suicide))
        leaf = positions[-1]
        if path[-2:] == (PASS, PASS):
            lead, first_player = oracle.area_score(leaf), [EMPTY] * size**2
            ended += 1
        else:
            last = path[-1] if path and path[-1] != PASS else None
            shares = chosen.shares if isinstance(chosen, Policy) else None
            at = leaf.black, leaf.white, size, leaf.to_play, leaf.ko
            record = playout(*at, SEED, number, suicide, shares, last)
            lead, first_player = record.score, list(record.first_player)
        for depth in range(len(path), -1, -1):
            line, color = path[:depth], positions[depth].to_play
            if depth < len(path) and path[depth] != PASS:
                first_player[path[depth]] = color
            wanted[line] += (1, half_wins(opponent(color), lead, komi), 0, 0, lead)
            for point in range(size**2) if selection == "rave" else ():
                child = (*line, point)
                if first_player[point] == color and child in found:
                    wanted[child] += (0, 0, 1, half_wins(color, lead, komi), 0)
        deepest, drawn, before = max(deepest, len(path)), drawn + (lead == komi), found
    assert {line: tuple(counts.tolist()) for line, counts in wanted.items()} == {
        line: counts for line, counts in before.items() if any(counts)
    }
    assert deepest >= 6
    assert drawn >= 3
    assert ended >= 1 or size == 5
