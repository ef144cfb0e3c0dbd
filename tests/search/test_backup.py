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
from tests.marks import slow
from tests.oracle import BLACK, EMPTY, PASS, Position, opponent
from tests.oracle_playouts import playout
from tests.search.test_search import Entries

SEED = 2


class Tree(Entries):
    """The entries of a search, by number."""

    def visited_since(self, before: Tree | None) -> list[int]:
        """The entries with more visits than before, the root first: a child's number is higher than its parent's."""
        more = self.visits.copy()
        if before is not None:
            more[: len(before.visits)] -= before.visits
        return [int(entry) for entry in np.flatnonzero(more)]

    def children(self, entry: int) -> dict[int, int]:
        """The number of each child, by its move."""
        first = int(self.first[entry])
        numbers = range(first, first + int(self.count[entry])) if first > tree.LEAF else range(0)
        return {int(self.moves[number]): number for number in numbers}


def half_wins(color: int, lead: int, komi: float) -> int:
    """What a game that ended with this lead of Black's, before komi, is worth to `color`."""
    black = 1 + int(np.sign(lead - komi))
    return black if color == BLACK else 2 - black


@pytest.mark.parametrize(("size", "komi", "suicide"), [(3, 9.0, True), (4, 16.0, False), (5, 1.0, True)])
@pytest.mark.parametrize("policy", [slow("uniform"), "patterns"])
@pytest.mark.parametrize("selection", ["rave", "ucb1"])
def test_every_simulation_is_counted_where_it_belongs(
    size: int, komi: float, suicide: bool, policy: str, selection: str
) -> None:
    rules = f"superko=simple suicide={'yes' if suicide else 'no'}"
    parameters = SearchParameters(selection=selection, playouts=1, expand_at=2, value_weight=0, certainty=False)
    search = Search(Game(size, rules=rules, komi=komi), seed=SEED, policy=policy, parameters=parameters)
    chosen = policy_of(policy)
    wanted: defaultdict[int, np.ndarray] = defaultdict(lambda: np.zeros(5, np.int64))
    deepest = ended = drawn = 0
    before: Tree | None = None
    for number in range(400):
        search.run(simulations=1)
        now = Tree(search)
        entries = now.visited_since(before)
        children = [now.children(entry) for entry in entries]
        path = [int(now.moves[entry]) for entry in entries[1:]]
        assert entries == [tree.ROOT, *(moves[move] for moves, move in zip(children, path, strict=False))]
        positions = [Position(size, frozenset(), frozenset(), BLACK, None)]
        for move in path:
            positions.append(oracle.after(positions[-1], move, suicide))
        leaf = positions[-1]
        if path[-2:] == [PASS, PASS]:
            lead, first_player = oracle.area_score(leaf), [EMPTY] * size**2
            ended += 1
        else:
            last = path[-1] if path and path[-1] != PASS else None
            shares = chosen.shares if isinstance(chosen, Policy) else None
            at = leaf.black, leaf.white, size, leaf.to_play, leaf.ko
            record = playout(*at, SEED, number, suicide, shares, last)
            lead, first_player = record.score, list(record.first_player)
        for depth in range(len(path), -1, -1):
            color = positions[depth].to_play
            if depth < len(path) and path[depth] != PASS:
                first_player[path[depth]] = color
            wanted[entries[depth]] += (1, half_wins(opponent(color), lead, komi), 0, 0, lead)
            for point, child in children[depth].items() if selection == "rave" else ():
                if point != PASS and first_player[point] == color:
                    wanted[child] += (0, 0, 1, half_wins(color, lead, komi), 0)
        deepest, drawn, before = max(deepest, len(path)), drawn + (lead == komi), now
    assert before is not None
    fields = before.visits, before.wins, before.rave_visits, before.rave_wins, before.leads
    counts = np.stack(fields, axis=1)
    found = {entry: tuple(counts[entry]) for entry in np.flatnonzero(counts.any(axis=1)).tolist()}
    assert {entry: tuple(row) for entry, row in wanted.items()} == found
    assert deepest >= 6
    assert drawn >= 3
    assert ended >= 1 or size == 5
