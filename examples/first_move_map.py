"""What each first move is worth to Black when both sides play at random, as a board.

    python examples/first_move_map.py
    python examples/first_move_map.py --size 5 --playouts 1000
    python examples/first_move_map.py --plot heat.png          (needs pip install 'foogo[plot]')

`foogo first-move --by-point` prints the same with intervals, and `foogo study` keeps long runs in a file.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import foogo


def letters(size: int) -> list[str]:
    """The letters of the columns."""
    return [foogo.vertex(point, size)[0] for point in range(size)]


def draw(values: NDArray[np.float64]) -> str:
    """The values as a board, row 1 at the bottom."""
    size = len(values)
    header = "   " + "".join(f"{letter:>6}" for letter in letters(size))
    rows = [f"{row + 1:2} " + "".join(f"{value:6.2f}" for value in values[row]) for row in reversed(range(size))]
    return "\n".join([header, *rows])


def plot(values: NDArray[np.float64], path: str) -> None:
    """Save the values as a heat map; the suffix of `path` selects PNG, SVG or PDF."""
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    image = axes.imshow(values, origin="lower", cmap="coolwarm")
    axes.set_xticks(range(len(values)), letters(len(values)))
    axes.set_yticks(range(len(values)), [str(row + 1) for row in range(len(values))])
    figure.colorbar(image, label="Black's mean score in points")
    figure.savefig(path)


def main() -> None:
    """Print the board and the best first move."""
    parser = argparse.ArgumentParser(description="Black's mean score by first move.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--playouts", type=int, default=20_000, help="playouts per first move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="also save a heat map to this .png, .svg or .pdf file")
    options = parser.parse_args()

    result = foogo.first_move(options.size, options.playouts, seed=options.seed, by_point=True)
    print(draw(result.mean_scores()))
    best = max(result.openings, key=lambda opening: opening.playouts.mean_score)
    score, error = best.playouts.mean_score, 1.96 * best.playouts.se_score
    print(f"\nbest first move: {best.vertex}, Black leads by {score:.2f} ± {error:.2f} points on average")
    if options.plot:
        plot(result.mean_scores(), options.plot)


if __name__ == "__main__":
    main()
