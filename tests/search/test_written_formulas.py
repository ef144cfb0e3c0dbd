"""Selection formulas that users write: compiled and by NumPy, in the search, and the errors of bad ones."""

from __future__ import annotations

import hashlib
import pickle
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foogo
from foogo import FormulaError, Game, Search, SearchParameters, selection_formula
from foogo.core.compiling import WATCH
from foogo.core.jit import kernel
from foogo.core.pointers import numbers
from foogo.gtp.parameters import parameter, with_parameter
from foogo.player.options import PlayerOptions
from foogo.search.kernels import choice
from foogo.search.kernels import tree as t
from foogo.search.kernels.selection import SALT_BITS, SHARE_BITS
from tests.search.test_tree import FIELDS, fill, planted

EXAMPLES = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "selection_formulas.py"))
ucb1, rave, puct = (EXAMPLES[name] for name in ("ucb1", "rave", "puct"))

DEFAULTS = {"rave": "e364d2c76565ed3c", "ucb1": "c31b3746768e1bc6"}
"""Of 4,000 simulations on 9x9 with seed 1: if one changes, the built-in formulas choose other children."""

SCALES = (0.5, 2.0)


@selection_formula
def everything(
    visits, wins, amaf_visits, amaf_wins, prior_visits, prior_wins, prior, parent_visits, parent_wins,
    parent_prior_visits, chance, weights=(0.3, 0.2, 0.1), c=0.4,
):  # fmt: skip
    """Whatever a formula can use."""
    spread = c * np.sqrt(np.log(parent_visits))
    value = wins / np.maximum(visits, 1) + 0
    for i in range(3):
        value += weights[i] * prior
        value -= 0.01 * i
    if chance < 0.3 and not parent_visits > 1000:
        value = value * SCALES[0]
    elif chance < 0.6 or parent_prior_visits == 3 and parent_wins > 0.4 * parent_visits:
        value /= -SCALES[1]
    often = (visits >= 10) & (amaf_visits > 5) | ~(prior_visits != 0)
    rare = (amaf_visits <= 2) | (wins == prior_wins) & (visits < 100)
    value = np.where(often, np.minimum(value, 1 - spread / visits), np.where(rare, 0.5, -value))
    return value + (1 if chance > 0.9 else 0) * amaf_wins / (1 + amaf_visits) + (2 - prior) * 0.001


@selection_formula
def contrary(visits, wins):
    """The children that win least, with values beyond the largest."""
    return 1e6 - 2 * wins - 3000 * visits


ROOT_HALF_WINS = 300
"""Of the opponent of the player who chooses."""

FORMULAS = [ucb1, rave, puct, everything, contrary]

by_formula = pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)


@kernel
def choose_child(memory, first, count, selection, visits, number):
    entries = numbers(memory)
    return choice.choose_child(selection, selection.written, entries, t.ROOT, first, count, visits, number)


def random_children(count: int, seed: int) -> tuple[NDArray[np.int64], int, dict[str, NDArray[np.int64]]]:
    """Children of the root in a tree, and what a formula sees of them, in half wins; the first has visits."""
    random, (arrays, first) = np.random.default_rng(seed), planted(count)
    memory = arrays.memory
    prior_visits = random.integers(0, 100, count) * random.integers(0, 2, count) * (seed % 3 > 0)
    prior_wins = random.integers(0, 2 * prior_visits, endpoint=True)
    played, amaf_visits = (random.integers(0, 3000, count) * random.integers(0, 2, count) for _ in range(2))
    played[0] += 1
    seen = {
        "visits": played + prior_visits,
        "wins": random.integers(0, 2 * played, endpoint=True) + prior_wins,
        "rave_visits": amaf_visits,
        "rave_wins": random.integers(0, 2 * amaf_visits, endpoint=True),
        "prior_visits": prior_visits,
        "prior_wins": prior_wins,
    }
    zeros = np.zeros(count, np.int64)
    for child in range(count):
        fill(memory, first + child, np.array([seen.get(name, zeros)[child] for name in FIELDS]))
    facts = {"prior_visits": 3, "wins": ROOT_HALF_WINS}
    fill(memory, t.ROOT, np.array([facts.get(name, 0) for name in FIELDS]))
    return memory, first, seen


def values_of(formula: Any, seen: dict[str, NDArray[np.int64]], visits: int, number: int) -> NDArray[np.float32]:
    """The values of the children by NumPy."""
    half, prior_visits = np.float32(0.5), seen["prior_visits"]
    total, count = int(prior_visits.sum()), len(prior_visits)
    added = 0 if total else 1
    known = {
        "visits": seen["visits"],
        "wins": half * seen["wins"].astype(np.float32),
        "amaf_visits": seen["rave_visits"],
        "amaf_wins": half * seen["rave_wins"].astype(np.float32),
        "prior_visits": prior_visits,
        "prior_wins": half * seen["prior_wins"].astype(np.float32),
        "prior": (prior_visits + added).astype(np.float32) * np.float32(1 / (total + added * count)),
        "parent_visits": max(visits, 2),
        "parent_wins": visits - 0.5 * ROOT_HALF_WINS,
        "parent_prior_visits": 3,
        "chance": (number >> SALT_BITS) / 2**SHARE_BITS,
    }
    values: NDArray[np.float32] = formula.values(**{name: known[name] for name in formula._source.inputs})
    return values


@by_formula
def test_the_child_with_the_highest_value_is_chosen(formula):
    selection = SearchParameters(selection=formula).to_selection()
    assert selection.has_amaf == (formula in (rave, everything))
    for count in (1, 2, 15, 16, 17, 33, 82, 362):
        for seed in range(9):
            memory, first, seen = random_children(count, seed)
            random = np.random.default_rng(seed)
            visits, number = int(random.choice([0, 5, 500, 20_000])), int(random.integers(2**32))
            if visits == 20_000:
                number %= 2**29  # so that `rave` uses UCB1 now and then
            values = values_of(formula, seen, visits, number)
            salt = number & ((1 << SALT_BITS) - 1)
            scaled = (np.clip(values, -1000, 1000).astype(np.float32) * np.float32(2**20)).astype(np.int32)
            keys = [(int(value) << SALT_BITS) | (child ^ salt) for child, value in enumerate(scaled)]
            chosen = int(choose_child(memory, first, count, selection, visits, number)) - first
            assert chosen == int(np.argmax(keys)), (count, seed)


def searched(parameters: SearchParameters, simulations: int = 12_000, size: int = 9) -> Any:
    return Search(Game(size), seed=1, parameters=parameters).run(simulations=simulations)


@pytest.mark.parametrize(
    ("formula", "built_in"),
    [
        (rave, SearchParameters()),
        (rave(equivalence=50), SearchParameters(rave_equivalence=50, learnt=20)),
        (ucb1, SearchParameters(selection="ucb1", exploration=0.5)),
    ],
)
def test_the_built_in_formulas_can_be_written(formula, built_in):
    written, known = searched(replace(built_in, selection=formula)), searched(built_in)
    same = [name for name in known.moves.dtype.names if name != "rave"]
    assert repr(written.moves[same].tolist()) == repr(known.moves[same].tolist())  # NaN included
    assert (np.isnan(written.moves["rave"]).all()) == (formula is ucb1)
    assert written.value == known.value


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_is_unchanged(name):
    # Only if all leaves are played to the end first, the tree does not depend on the number of lanes.
    moves = searched(SearchParameters(selection=name, refill=False), 4000).moves
    counts = [(int(move), int(visits)) for move, visits in zip(moves["move"], moves["visits"], strict=True)]
    assert hashlib.sha256(repr(counts).encode()).hexdigest()[:16] == DEFAULTS[name]


def test_other_constants_are_not_compiled_again():
    searched(SearchParameters(selection=puct), 50, 5)
    before = WATCH.functions
    sweep = [searched(SearchParameters(selection=puct(exploration=c)), 2000, 5) for c in (0.0, 0.3, 3.0)]
    assert WATCH.functions == before
    assert len({one.moves["visits"].tobytes() for one in sweep}) == 3


def test_a_formula_is_known_by_its_source_and_constants():
    assert ucb1(exploration=0.5) == ucb1 != ucb1(exploration=0.4)
    assert ucb1(exploration=0.4).label.startswith("ucb1(exploration=0.4)@")
    ucb1.constants["exploration"] = 0.0  # of a copy
    assert ucb1.constants == {"exploration": 0.5}
    assert "selection_formulas.py" in ucb1.place
    assert len({SearchParameters(selection=formula) for formula in (ucb1, ucb1(exploration=0.5), puct)}) == 2
    other = pickle.loads(pickle.dumps(SearchParameters(selection=ucb1(exploration=0.3))))
    assert other == SearchParameters(selection=ucb1(exploration=0.3))
    assert other.selection.values(visits=[1], wins=[1], parent_visits=1).tolist() == [1.0]
    options = PlayerOptions(parameters=other)
    assert parameter(options, "selection") == other.selection.label
    assert parameter(with_parameter(options, "selection", "ucb1"), "selection") == "ucb1"


def seen_wrongly(visits, winz):
    return visits


def nothing_of_a_child(parent_visits):
    return parent_visits


def default_of_an_input(visits, wins=1.0):
    return visits


def a_mean(visits, wins):
    mean = wins
    return mean / visits


def a_branch(visits, wins):
    if visits > 3:
        return wins
    return visits


def a_power(visits):
    return visits**2


def an_exponential(visits):
    return np.exp(visits)


def a_shadowed_function(visits, np=1.0):
    return np.sqrt(visits)


def a_number(visits):
    return 1.0


def a_condition(visits):
    return visits > 1


def a_factor(visits):
    return visits * (visits > 3)


def a_logarithm(visits):
    return np.log(visits)


def an_and(visits, wins):
    both = visits and wins
    return both


def a_common_condition(visits, chance):
    return np.where(chance < 0.5, visits, 0)


def no_return(visits, chance):
    if chance < 0.5:
        return visits


def two_types(visits, chance):
    value = 0.0
    if chance < 2:
        value = visits
    return value + visits


def an_infinity(visits, wins):
    return np.where(visits > 0, wins, np.inf)


BAD = [
    (an_infinity, 1, "Attribute is not supported in a selection formula: for a constant, write `name = np.inf` above"),
    (seen_wrongly, 0, "'winz' is nothing that a formula sees: did you mean 'wins'?"),
    (nothing_of_a_child, 0, "a formula sees something of each child"),
    (default_of_an_input, 0, "'wins' is what a formula sees: it takes no default"),
    (a_mean, 2, "the value of a child is not a number where visits=0, wins=0"),
    (a_branch, 1, "a condition differs from child to child: use np.where(condition, a, b)"),
    (a_power, 1, "Pow is not supported: use + - * /"),
    (an_exponential, 1, "np.exp(...) cannot be called in a selection formula: use np.sqrt"),
    (a_shadowed_function, 1, "np.sqrt(...) cannot be called"),
    (a_number, 1, "the formula returned 1.0: return a value for each child"),
    (a_condition, 1, "the formula returned a condition"),
    (a_factor, 1, "* of values and a condition: both must be values, or numbers"),
    (a_logarithm, 1, "np.log takes a number that all children share"),
    (an_and, 1, "`and` and `or` are for `if`"),
    (a_common_condition, 1, "all children share it, so write `a if condition else b`"),
    (no_return, 1, "the function may end without `return`: return a value for each child at its end"),
]


@pytest.mark.parametrize(("function", "line", "message"), BAD, ids=lambda one: getattr(one, "__name__", ""))
def test_an_error_names_the_line(function, line, message):
    with pytest.raises(FormulaError) as raised:
        selection_formula(function)
    assert str(raised.value).startswith(f"{__file__}:{function.__code__.co_firstlineno + line}: ")
    assert message in str(raised.value)


def test_constants_of_numpy():
    def made(constant):
        @selection_formula
        def mine(visits, wins):
            return np.where(visits > 0, wins / visits, constant)

        return mine

    assert made(np.float64(0.5)) == made(np.float32(0.5)) == made(0.5)
    assert made(np.int64(2)) == made(2)


def test_what_only_the_compiler_finds_names_the_line():
    formula = selection_formula(two_types)
    with pytest.raises(FormulaError, match=r"test_written_formulas.py:\d+: this cannot be compiled"):
        searched(SearchParameters(selection=formula), 50, 5)


def test_bad_uses():
    with pytest.raises(FormulaError, match="ucb1 has no constant 'c': it has exploration"):
        ucb1(c=1)
    with pytest.raises(FormulaError, match="constant 'exploration' is 'much': give a finite number"):
        ucb1(exploration="much")
    with pytest.raises(FormulaError, match="constant 'weights' is 1.0: give as many numbers as"):
        everything(weights=1.0)
    with pytest.raises(FormulaError, match="ZeroDivisionError"):
        rave(equivalence=0)
    with pytest.raises(FormulaError, match="ucb1 sees visits, wins, parent_visits: give all of them"):
        ucb1.values(visits=[1])
    for wrong in ({"wins": [1, 2, 3]}, {"wins": ["one", "two"]}, {"parent_visits": [1, 2]}):
        with pytest.raises(FormulaError, match="ucb1 sees a number for each child, or one number, by name"):
            ucb1.values(**({"visits": [1, 2], "wins": [1, 2], "parent_visits": 3} | wrong))
    with pytest.raises(FormulaError, match="3 is not a function: write `@foogo.selection_formula` above"):
        selection_formula(3)  # type: ignore[arg-type]
    with pytest.raises(foogo.ArgumentError, match="write @foogo.selection_formula above a formula of your own"):
        SearchParameters(selection=a_mean)  # type: ignore[arg-type]
