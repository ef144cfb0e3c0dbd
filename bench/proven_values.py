"""The search against positions with proven values: how often the sign of its value is right.

``sample`` plays random moves and solves what they lead to: 3x3 under positional superko with suicide, 4x4 and 5x5 by
``migos``, whose values superko might change where they rest on play that goes round. ``search`` searches each position
twice, at a komi half a point below and above its value, and counts right signs and moves that keep the result.

    python -m bench.proven_values sample bench/results/proven-values.json
    python -m bench.proven_values search bench/results/proven-values.json --simulations 1000000
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from bench.search_match import parameter
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, geometry
from foogo.game.rules import Rules
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search
from foogo.solver.best_play import path_after
from foogo.solver.small_board import vertex_of
from foogo.solver.solution import Unsolved, solve, solver_of
from foogo.solver.solver import Solver

MOST_NODES = 400_000
"""Of a position on 5x5; what takes more is left out."""

POSITIONS = {3: 24, 4: 24, 5: 16}
MOST_MOVES = {3: 6, 4: 9, 5: 14}
LEAST_MOVES = {3: 0, 4: 0, 5: 6}


def rules_of(size: int) -> Rules:
    """Positional superko; suicide as in the solver."""
    return Rules(suicide=size == 3)


def random_game(size: int, moves: int, chance: random.Random) -> Game:
    """A game of that many moves: every second one at random, the others by short searches."""
    game = Game(size, rules_of(size))
    for number in range(moves):
        if number % 2:
            result = Search(game, seed=chance.randrange(1 << 30)).run(simulations=200)
            if result.interrupted:
                raise KeyboardInterrupt
            move = result.best
        else:
            legal = [point for point in range(size * size) if game.is_legal(point)]
            move = chance.choice(legal) if legal else PASS
        if game.passes and move == PASS:
            break
        game.play(move)
    return game


def keepers(solver: Solver, moves: list[str], value: int) -> list[str]:
    """The moves that keep the value."""
    path = path_after(solver, moves)
    worth = value if len(moves) % 2 == 0 else -value
    return [vertex_of(solver.cols, move) for move in solver.moves if solver.keeps(path, move, worth)]


def sample(seed: int) -> list[dict[str, Any]]:
    """Positions: size, moves, value for Black, and the moves that keep it (not on 5x5)."""
    found: list[dict[str, Any]] = []
    chance = random.Random(seed)
    for size, wanted in POSITIONS.items():
        seen: set[tuple[str, ...]] = set()
        solver = solver_of("enumerate", 4, 4, "migos") if size == 4 else None
        while len(seen) < wanted:
            game = random_game(size, chance.randint(LEAST_MOVES[size], MOST_MOVES[size]) if seen else 0, chance)
            moves = [geometry(size).vertex(turn.move) for turn in game.turns]
            if tuple(moves) in seen or (size == 5 and not moves and seen):
                continue
            kept = None
            if size == 5:
                try:
                    value = 25 if not moves else solve(5, 5, moves=moves, max_nodes=MOST_NODES).value
                except Unsolved:
                    continue
            else:
                solver = solver if size == 4 else solver_of("enumerate", 3, 3, "positional", True)
                assert solver is not None
                value = solver.value(path_after(solver, moves)) * (1 if len(moves) % 2 == 0 else -1)
                kept = keepers(solver, moves, value)
            seen.add(tuple(moves))
            found.append({"size": size, "moves": moves, "value": value, "keep": kept})
            print(found[-1], flush=True)
    return found


def search(positions: list[dict[str, Any]], simulations: int, settings: dict[str, str]) -> None:
    """Search each position at both komis, and print counts by size."""
    parameters = SearchParameters(**{name: parameter(name, text) for name, text in settings.items()})
    for size in sorted({position["size"] for position in positions}):
        signs = total = moves_kept = asked = proven = 0
        began, wrong = time.perf_counter(), []
        for position in positions:
            if position["size"] != size:
                continue
            for komi in (position["value"] - 0.5, position["value"] + 0.5):
                game = Game(size, rules_of(size), komi)
                for vertex in position["moves"]:
                    game.play(vertex)
                result = Search(game, seed=1, parameters=parameters).run(simulations=simulations)
                if result.interrupted:
                    raise KeyboardInterrupt
                wins = (game.to_play == BLACK) == (komi < position["value"])
                total += 1
                is_right = (result.value > 0.5) == wins
                signs += is_right
                proven += getattr(result, "proven", False)
                if not is_right:
                    wrong.append(f"{' '.join(position['moves']) or 'empty'} at {komi}: {result.value:.3f}")
                if wins and position["keep"] is not None:
                    asked += 1
                    moves_kept += result.best_vertex in position["keep"]
        seconds = time.perf_counter() - began
        print(
            f"{size}x{size}: {signs} of {total} signs right, {moves_kept} of {asked} moves, {proven} proven, "
            f"{seconds / total:.2f} s a search",
            flush=True,
        )
        print(*wrong, sep="\n", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("sample", "search"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--simulations", type=int, default=1_000_000)
    parser.add_argument("--settings", default="", help="parameters of the search, as network=no,playouts=8")
    given = parser.parse_args()
    if given.what == "sample":
        lines = ",\n".join(json.dumps(position) for position in sample(given.seed))
        given.file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    else:
        settings = dict(one.split("=") for one in given.settings.split(",") if one)
        search(json.loads(given.file.read_text(encoding="utf-8")), given.simulations, settings)


if __name__ == "__main__":
    main()
