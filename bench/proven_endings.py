"""How many endings a search proves, by the points that are not certain yet.

    python -m bench.proven_endings games/

takes positions from the games in a folder (`bench.learn_network` plays them), sets the komi half a point beside the
certain lead, so that the undecided points decide, and searches each position.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, WHITE
from foogo.search.search import Search

POINTS, GROUPS = 4, 5
"""Undecided points in a group of positions, and the number of groups."""


def endings(folder: Path) -> Iterator[tuple[int, Game]]:
    """Positions in random order, each with the number of its group."""
    rng = np.random.default_rng(1)
    for path in rng.permutation(sorted(folder.glob("*.npz"))):
        with np.load(path) as stored:
            size, columns = int(stored["size"]), [stored[name] for name in ("stones", "to_play")]
        for number in rng.permutation(len(columns[0])):
            stones, to_play = (column[number] for column in columns)
            board = Board.from_colors(size, stones.tolist(), to_play=int(to_play))
            black, white = (board.certain_area(color).count() for color in (BLACK, WHITE))
            undecided = size * size - black - white
            if 0 < undecided <= GROUPS * POINTS:
                yield (undecided - 1) // POINTS, Game(board, "chinese", black - white + float(rng.choice((-0.5, 0.5))))


def main() -> None:
    """Search positions until there are enough of each group, and print the shares that are proven."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the games")
    parser.add_argument("--positions", type=int, default=100, metavar="N", help="of each group")
    parser.add_argument("--simulations", type=int, default=10_000, metavar="N")
    arguments = parser.parse_args()
    if not any(arguments.folder.glob("*.npz")):
        parser.error(f"there are no games in {arguments.folder}: play some with bench.learn_network")
    proven: list[list[bool]] = [[] for _ in range(GROUPS)]
    for group, game in endings(arguments.folder):
        if len(proven[group]) < arguments.positions:
            result = Search(game, seed=1).run(simulations=arguments.simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            proven[group].append(result.proven)
        elif all(len(found) == arguments.positions for found in proven):
            break
    for group, found in enumerate(proven):
        print(f"{POINTS * group + 1} to {POINTS * (group + 1)} points: {sum(found)} of {len(found)}")


if __name__ == "__main__":
    main()
