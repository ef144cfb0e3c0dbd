"""Who owns each point of a position at the end of random playouts.

    python examples/ownership.py
    python examples/ownership.py --playouts 200
    python examples/ownership.py --diagram position.txt

The file has a line per row, top row first: X for a black stone, O for a white one, a dot for an empty point.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import foogo

POSITION = """
. . . X O . . . .
. . . X O . . . .
. . X . O . . . .
. . X O O . . . .
. X X X O O . . .
. . . X X O O . .
. . . . X X O . .
. . . O . X O . .
. . . . . X O . .
"""


def black_ownership(board: foogo.Board, playouts: int, seed: int) -> NDArray[np.float64]:
    """Shape (size, size), row 0 at the bottom: 1 if Black owns the point in every playout, -1 if White does."""
    games = foogo.play_games([board], playouts, seed=seed, sets=True)
    black, white = games.owner_masks(board.size).mean(axis=0)
    return np.asarray(black - white)


def main() -> None:
    """Print the position, then the ownership of each point in percent."""
    parser = argparse.ArgumentParser(description="Ownership of each point of a position.")
    parser.add_argument("--diagram", type=Path, help="file with the position")
    parser.add_argument("--white", action="store_true", help="White plays first")
    parser.add_argument("--playouts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    diagram = options.diagram.read_text(encoding="utf-8-sig") if options.diagram else POSITION
    board = foogo.Board.from_diagram(diagram, foogo.WHITE if options.white else foogo.BLACK)
    owned = black_ownership(board, options.playouts, options.seed)
    print(board)
    print("\nownership in percent: 100 is always Black's, -100 always White's\n")
    for row in reversed(owned):
        print("".join(f"{100 * share:5.0f}" for share in row))
    print(f"\nBlack's mean area minus White's: {owned.sum():+.1f} points")


if __name__ == "__main__":
    main()
