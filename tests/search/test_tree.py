"""The search tree's array: where its fields lie, and what is done to sixteen entries at once, against plain Python."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers
from foogo.game.geometry import PASS
from foogo.search.kernels import backup, selection, tiles
from foogo.search.kernels import tree as t
from foogo.search.kernels.selection import Formula
from foogo.search.kernels.tiles import TreeArrays
from foogo.search.kernels.tree import Children

FIELDS = ("visits", "wins", "rave_visits", "rave_wins", "move", "lead", "first", "count", "prior_visits", "prior_wins")


@kernel
def fill(memory, entry, values):
    """Write the fields of an entry, in the order of `FIELDS`."""
    tree, wide = numbers(memory), longs(memory)
    for field in (tiles.VISITS, tiles.WINS, tiles.RAVE_VISITS, tiles.RAVE_WINS, tiles.MOVE):
        tree[tiles.at(field, entry)] = np.int32(values[field])
    wide[tiles.lead_at(entry)] = values[5]
    for field in (tiles.FIRST, tiles.COUNT, tiles.PRIOR_VISITS, tiles.PRIOR_WINS):
        tree[tiles.at(field, entry)] = np.int32(values[6 + field - tiles.FIRST])


@kernel
def select(memory, first, count, formula, more_wins, visits, salt):
    return selection.select(numbers(memory), first, count, formula, more_wins, visits, salt)


@kernel
def add_amaf(memory, first, count, counts):
    backup.add_amaf(numbers(memory), tiles.at(tiles.VISITS, first), tiles.tiles_of(count), numbers(counts))


@kernel
def count_up(memory, entry, amount):
    longs(memory)[tiles.visits_and_wins_at(entry)] += amount


@kernel
def write_tiles(memory, first, children):
    count = len(children.moves) // tiles.TILE
    t.write_tiles(numbers(memory), tiles.at(tiles.VISITS, first), count, t.pointers_to(children))


@kernel
def grow_root(arrays, count, children):
    tree = tiles.open_tree(arrays)
    t.begin_growing(tree.entries, t.ROOT)
    first = t.allocate(tree, t.ROOT, count)
    t.write_block(tree.entries, first, count, tiles.tiles_of(count), t.pointers_to(children))
    t.publish(tree, t.ROOT, first, count, tiles.NO_KEY)
    return first


def new_block(arrays: TreeArrays, count: int) -> int:
    """Children of the root, without priors; the first."""
    cells, visits, wins = np.zeros((3, count + tiles.TILE), np.int32)
    moves = np.arange(count + tiles.TILE, dtype=np.int32)
    return int(grow_root(arrays, count, Children(cells, moves, visits, wins)))


def planted(count: int) -> tuple[TreeArrays, int]:
    """A tree of a root and its children, and the first child."""
    arrays = t.new_arrays(tiles.new_memory(1024))
    arrays.memory[:] = -1
    t.plant(arrays)
    return arrays, new_block(arrays, count)


def random_children(count: int, seed: int, least: int = 0) -> tuple[NDArray[np.int64], int, list[dict[str, int]]]:
    """Children with at least so many visits: the tree's memory, the first of them and what is known of each."""
    random, (arrays, first) = Random(seed), planted(count)
    memory = arrays.memory
    facts = []
    for child in range(count):
        visits, others = (random.choice([0, 1, random.randrange(2000)]) for _ in range(2))
        visits = max(visits, least)
        wins, gains = random.randint(0, 2 * visits), random.randint(0, 2 * others)
        facts.append(dict(zip(FIELDS, (visits, wins, others, gains, child, 0, t.LEAF, 0, 0, 0), strict=True)))
        fill(memory, first + child, np.array(list(facts[-1].values())))
    return memory, first, facts


def value(
    child: dict[str, int], log_visits: float, exploration: float, urgency: float, equivalence: float, more_wins: float
) -> float:
    """What `select` compares."""
    n, w = child["visits"], (child["wins"] + more_wins) / 2
    rn, rw = (child["rave_visits"], child["rave_wins"] / 2) if equivalence else (0, 0.0)
    if n + rn == 0:
        return urgency
    beta = rn / (n + rn + n * rn / equivalence) if equivalence else 0.0
    own = w / n + exploration * math.sqrt(log_visits / n) if n else 0.0
    return (1 - beta) * own + (beta * rw / rn if rn else 0.0)


def test_every_field_has_a_place_of_its_own() -> None:
    memory, entries = tiles.new_memory(64), np.zeros(64, tiles.ENTRY)
    assert memory.ctypes.data % 64 == 0
    assert memory.nbytes == 64 * tiles.ENTRY_BYTES
    for number, entry in enumerate(entries):
        for place, name in enumerate(FIELDS):
            entry[name] = number + 1 if name == "count" else 1000 * (number + 1) + place
        fill(memory, number, np.array([int(entry[name]) for name in FIELDS]))
    assert (tiles.read(memory, 0, 64) == entries).all()
    assert (tiles.read(memory, 32, 20) == entries[32:52]).all()
    assert (tiles.read(memory, 21, 1) == entries[21]).all()
    assert np.unique(memory.view(np.int32)).size == 64 * len(FIELDS) + 1  # and a zero, the upper half of leads


def test_new_entries_have_their_moves_and_priors_and_nothing_else() -> None:
    memory, random = tiles.new_memory(64), np.random.default_rng(1)
    memory[:] = -1
    cells, moves, visits, wins = random.integers(-5, 1000, (4, 32), np.int32)
    write_tiles(memory, 16, Children(cells, moves, visits, wins))
    wanted = np.zeros(32, tiles.ENTRY)
    wanted["move"] = moves
    wanted["visits"] = wanted["prior_visits"] = visits
    wanted["wins"] = wanted["prior_wins"] = wins
    assert (tiles.read(memory, 16, 32) == wanted).all()
    assert (memory[: len(memory) // 4] == -1).all()
    assert (memory[-len(memory) // 4 :] == -1).all()


def test_visits_and_wins_are_one_number() -> None:
    (memory, *_), first = planted(20)
    for child, (visits, wins) in enumerate([(5, 3), (1, 0), (7, 14)]):
        for _ in range(2):
            count_up(memory, first + 15 + child, visits + tiles.HALF_WIN * wins)
    counted = tiles.read(memory, first, 20)[15:18]
    assert counted[["visits", "wins"]].tolist() == [(10, 6), (2, 0), (14, 28)]


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33, 82, 362])
@pytest.mark.parametrize(
    "choice", [(0.0, 1000.0, 300.0), (0.0, 0.3, 3000.0), (0.7, 1000.0, 0.0), (0.1, 0.5, 300.0), (1e9, 1000.0, 0.0)]
)
def test_the_best_child_is_selected(count: int, choice: tuple[float, float, float]) -> None:
    exploration, urgency, equivalence = choice
    for seed in range(20):
        more_wins = (0.0, -7.5, 4.0)[seed % 3]
        memory, first, facts = random_children(count, seed, 5 if more_wins else 0)
        total = 2 + sum(child["visits"] for child in facts)
        log_visits, salt = math.log(total), Random(seed).randrange(512)
        formula = Formula(exploration, equivalence, urgency)
        chosen = int(select(memory, first, count, formula, more_wins, total, salt)) - first
        assert 0 <= chosen < count
        bound = min(exploration, selection.MOST_SPREAD / math.sqrt(log_visits))
        values = [value(child, log_visits, bound, urgency, equivalence, more_wins) for child in facts]
        assert values[chosen] >= max(values) - 3e-6 * max(1, max(values))


def test_salt_decides_among_equals() -> None:
    (memory, *_), first = planted(40)
    formula = Formula(exploration=0.0, equivalence=300.0, urgency=1000.0)
    chosen = {int(select(memory, first, 40, formula, 0.0, 3, salt)) - first for salt in range(512)}
    assert chosen == set(range(40))


@pytest.mark.parametrize("count", [1, 16, 50])
def test_amaf_counts_are_added_to_the_children_of_their_points(count: int) -> None:
    memory, first, facts = random_children(count, 3)
    random, padding = Random(4), first + count
    counts = np.zeros(backup.BEFORE_POINTS + count, np.int32)
    added = [(visits := random.randrange(64), random.randint(0, 2 * visits)) for _ in range(count)]
    for point, (visits, half_wins) in enumerate(added):
        counts[backup.BEFORE_POINTS + point] = visits + backup.AMAF_HALF_WIN * half_wins
    before = tiles.read(memory, first, -(-count // tiles.TILE) * tiles.TILE)
    add_amaf(memory, first, count, counts)
    after = tiles.read(memory, first, len(before))
    wanted: Any = before.copy()
    wanted["rave_visits"][:count] += [visits for visits, _ in added]
    wanted["rave_wins"][:count] += [half_wins for _, half_wins in added]
    assert (after == wanted).all()
    assert (after["move"][padding - first :] == PASS).all()


def test_beside_the_root_there_is_padding() -> None:
    (memory, *_), _first = planted(1)
    root, *padding = tiles.read(memory, t.ROOT, tiles.TILE)[["move", "visits", "wins", "count"]].tolist()
    assert root == (PASS, 0, 0, 1)
    assert padding == [(PASS, t.PADDING_VISITS, t.HOPELESS, 0)] * (tiles.TILE - 1)


def test_a_subtree_is_kept_and_the_rest_given_back() -> None:
    arrays, first = planted(30)
    shared = arrays.shared
    assert shared[[t.USED, t.MOVES]].tolist() == [48, 31]
    t.keep(arrays, first + 7)
    assert shared[[t.USED, t.MOVES]].tolist() == [16, 1]
    assert tiles.read(arrays.memory, t.ROOT, 1)[0]["move"] == 7
    assert new_block(arrays, 1024) == t.LEAF
    assert shared[t.FULL]
    assert shared[t.USED] == 16
    assert new_block(arrays, 1000) == 16
