"""The speed of the search on this machine, and where its time goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median_low
from typing import Any

from foogo.benchmark.timing import REPEATS, check_effort, in_turns
from foogo.game.game import Game
from foogo.game.geometry import check_size
from foogo.playout.policies import STRONGEST
from foogo.search.parameters import MAX_THREADS, SearchParameters
from foogo.search.search import Search

SEED = 1

MIDDLE_GAMES = {
    9: "C5 B4 B5 B6 C7 C8 D7 E7 E8 D8 E6 F7 G7 F8 G8 F9 G9 E9 F6 G6",
    13: "J11 J12 K12 J13 E11 D10 D11 E12 F12 F11 G11 G12 H12 F13 F10 E10 F9 G10 H11 K11 L12 M11 M12 N11 N12 L11 K10 "
    "J10 H10 G9 H9 G8 F8 F7 H8 G7 H7 J7 J9 F12 H13 E7",
    19: "P3 Q2 R2 R1 S1 S2 R3 Q4 Q3 R4 S4 G3 F2 F3 Q1 P2 O3 N3 N4 M3 L3 K3 K2 L1 K1 L2 L4 K4 L5 M5 L6 M6 M7 N7 O6 P7 "
    "J17 L7 M8 N8 M9 N9 N10 O10 P10 O9 P8 P9 Q9 R10 S9 S10 R9 Q10 P11 O12 N11 O11 N12 O13 C15 R17 S16 S17 T16 T17 N6 "
    "O7 P6 O5 Q6 R6 S7 S6 R7 Q7 Q8 J10 G2 G1 H1 H3 G4 H5 F1 N17 M16 M15 N16 O17",
}
"""The moves before the measured position of each board size, fixed so that versions can be compared."""


@dataclass(frozen=True)
class SearchMeasurement:
    """The measurement of one board size, thread count and policy, from a middle-game position."""

    size: int
    threads: int
    policy: str
    simulations: int
    rate: float  # simulations per second of wall time
    selection: float  # a share of the threads' time, as the next two
    playouts: float
    backup: float
    tree_bytes: int
    tree_full: bool  # whether it reached its cap

    def as_dict(self) -> dict[str, Any]:
        """Everything measured, for JSON; rates are simulations per second."""
        return {"simulations_per_second" if name == "rate" else name: value for name, value in asdict(self).items()}


def measure_search(
    size: int,
    *,
    threads: int = 1,
    seconds: float = 2.0,
    simulations: int | None = None,
    policy: str = STRONGEST,
    parameters: SearchParameters | None = None,
) -> SearchMeasurement:
    """The speed of a search from the position of `middle_game`, for a time or for a number of simulations.

    A larger tree is slower to search, so compare numbers of threads over the same number of simulations.
    """
    check_effort(threads, seconds, MAX_THREADS)
    search = Search(middle_game(check_size(size)), threads=threads, seed=SEED, policy=policy, parameters=parameters)
    result = search.run(seconds=seconds) if simulations is None else search.run(simulations)
    if result.interrupted:
        raise KeyboardInterrupt
    times = result.times
    return SearchMeasurement(
        size, threads, policy, result.simulations, result.per_second, times["selection"], times["playouts"],
        times["backup"], search.tree_bytes, result.tree_full,
    )  # fmt: skip


def compare_threads(size: int, threads: Sequence[int], seconds: float, policy: str) -> list[SearchMeasurement]:
    """For each number of threads the search with the median speed, measured in alternation.

    The first number of threads searches for `seconds` in all, in `REPEATS` searches. The rest run as many simulations
    as it does, so that the trees are of one size.
    """
    if len(threads) == 1:
        return [measure_search(size, threads=threads[0], seconds=seconds, policy=policy)]
    simulations = measure_search(size, threads=threads[0], seconds=seconds / REPEATS, policy=policy).simulations
    searches = [partial(measure_search, size, threads=one, simulations=simulations, policy=policy) for one in threads]
    return [
        next(one for one in found if one.rate == median_low(other.rate for other in found))
        for found in in_turns(searches)
    ]


def middle_game(size: int) -> Game:
    """A game after size*size // 4 moves, the same in every version: of `MIDDLE_GAMES`, else of short plain searches."""
    game = Game(size)
    if size in MIDDLE_GAMES:
        for vertex in MIDDLE_GAMES[size].split():
            game.play(vertex)
        return game
    search = Search(game, seed=SEED, policy="uniform", parameters=SearchParameters.plain())
    for _ in range(size * size // 4):
        move = search.run(simulations=64).best
        search.play(move)
        game.play(move)
        if game.is_over:
            game.undo()
            break
    return game
