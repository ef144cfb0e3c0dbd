"""Formulas of your own for the choice of a child, and how strong each is against the built-in one.

    python examples/selection_formulas.py
    python examples/selection_formulas.py --size 9 --games 200 --simulations 1000

docs/how-to/change-the-search.md explains them, docs/reference/search.md lists all that a formula can see.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import foogo


@foogo.selection_formula
def ucb1(visits: Any, wins: Any, parent_visits: Any, exploration: float = 0.5) -> Any:
    """Each child once, then the highest upper confidence bound (Auer, Cesa-Bianchi and Fischer 2002)."""
    value = (wins + exploration * np.sqrt(np.log(parent_visits)) * np.sqrt(visits)) / visits
    return np.where(visits > 0, value, 1000)


@foogo.selection_formula
def rave(
    visits: Any,
    wins: Any,
    amaf_visits: Any,
    amaf_wins: Any,
    parent_visits: Any,
    parent_wins: Any,
    chance: Any,
    equivalence: float = 300.0,
    share: float = 1 / 16,
    exploration: float = 0.05,
    even: float = 10.0,
) -> Any:
    """The built-in formula: win shares and AMAF by the minimum-MSE schedule (Silver 2009), with UCB1 now and then.

    For UCB1, the even visits of a prior are won as often as the parent's visits, not half of them.
    """
    if parent_visits >= 256 and chance < share:
        total = visits
        more_wins = even * (parent_wins / parent_visits - 0.5)
        value = (wins + more_wins + exploration * np.sqrt(np.log(parent_visits)) * np.sqrt(visits)) / total
    else:
        trust = 1 + amaf_visits * (1 / equivalence)
        total = visits * trust + amaf_visits
        value = (wins * trust + amaf_wins) / total
    return np.where(total > 0, value, 1000)


@foogo.selection_formula
def puct(
    visits: Any,
    wins: Any,
    prior_visits: Any,
    prior_wins: Any,
    prior: Any,
    parent_visits: Any,
    parent_prior_visits: Any,
    exploration: float = 1.0,
    unvisited: float = 0.5,
) -> Any:
    """PUCT (Silver et al. 2017): exploration in proportion to the prior, whose visits do not count as playouts."""
    played = visits - prior_visits
    mean = np.where(played > 0, (wins - prior_wins) / played, unvisited)
    parent_played = np.maximum(parent_visits - parent_prior_visits, 1)
    return mean + exploration * np.sqrt(parent_played) * prior / (1 + played)


def games_won(parameters: foogo.SearchParameters, size: int, games: int, simulations: int) -> float:
    """Games that a search with these parameters wins against the default, each side being Black in half of them."""
    won = 0.0
    for seed in range(games):
        game, own = foogo.Game(size, komi=7), foogo.WHITE if seed % 2 else foogo.BLACK
        while not game.is_over and len(game.moves) < 3 * size * size:
            chosen = parameters if game.to_play == own else None
            result = foogo.Search(game, seed=seed // 2, parameters=chosen).run(simulations=simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            game.play(result.best)
        lead = game.score() if own == foogo.BLACK else -game.score()
        won += 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return won


def main() -> None:
    """Print a row for each formula."""
    parser = argparse.ArgumentParser(description="Selection formulas against the built-in one.")
    parser.add_argument("--size", type=int, default=7, help="points on a side")
    parser.add_argument("--games", type=int, default=20, help="games of each formula")
    parser.add_argument("--simulations", type=int, default=200, help="playouts of each move")
    options = parser.parse_args()

    sharp = {"even": 0.0, "passing": 1.0, "learnt": 1000.0, "sharpness": 1.0}
    rows: list[tuple[foogo.SelectionFormula, dict[str, float]]] = [(rave, {})]
    rows += [(rave(equivalence=visits), {}) for visits in (30, 3000)]
    rows += [(ucb1(exploration=c), {}) for c in (0.1, 0.3)]
    rows += [(puct(exploration=c), sharp) for c in (0.5, 1.0)]
    for formula, priors in rows:
        parameters = foogo.SearchParameters(selection=formula, **priors)  # type: ignore[arg-type]
        won = games_won(parameters, options.size, options.games, options.simulations)
        print(f"{formula.label:>40} {won / options.games:7.1%}")


if __name__ == "__main__":
    main()
