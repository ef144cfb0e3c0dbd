"""Where the network of the search comes from: games of the search against itself, and a fit to them.

    python -m bench.learn_network games/ --games 11479 --epochs 10 --output first.npz

plays 11,479 games, stores them in a folder, where earlier ones may lie, and fits a network to all of them in 10 passes
over their positions. The fit needs JAX (`pip install -e '.[learn]'`). The network learns three things of a position:
how often a search played each move, on top of what the learned features of moves say; who won in the end, mixed with
the value that the search found; and who owned each point at the end, which is only a help. On 13x13 and larger boards
most players begin with the corners and the open sides, since short searches cannot tell where to open. Every twentieth
game is held out, and shows how good the fit is. `--plot FILE.png` draws that (bench/results/network-fit.md).

    python -m bench.learn_network games/ --epochs 5 --start first.npz --output foogo/search/network-9x9.npz

fits on from a network, of any size of board, instead of random weights.

    python -m bench.learn_network games/ --test foogo/search/network-9x9.npz

shows how good a network is at the games held out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from bench.network_games import play_game, write_games
from bench.network_positions import Positions, read_games
from bench.network_report import Moment, Tenth, calibration, draw
from foogo.errors import FoogoError
from foogo.search.network import largest_share, read_weights, write_weights
from foogo.study.report.style import check_plot_path

GAMES_A_FILE = 250


def play(folder: Path, size: int, count: int, seed: int, factor: float) -> None:
    """Play games and store them in files of their own."""
    rng = np.random.default_rng(seed)
    for first in range(0, count, GAMES_A_FILE):
        games = [play_game(size, rng, factor) for _ in range(min(GAMES_A_FILE, count - first))]
        positions = write_games(folder / f"{size}x{size}-{seed}-{first // GAMES_A_FILE:04}.npz", size, games)
        print(f"{first + len(games)} games, {positions} more positions", flush=True)


def fit(folder: Path, size: int, epochs: float, seed: int, start: Path | None, output: Path, plot: Path | None) -> None:
    """Fit a network to all games in the folder, store its weights and test them."""
    from bench.network_model import answers_of, losses, whole_numbers
    from bench.network_model import fit as fit_model

    first = read_weights(start, size) if start else None
    used, apart = read_games(folder, size)
    sample = used.take(np.arange(len(apart.komi)) * (len(used.komi) // len(apart.komi)))
    moments = []
    for passed, weights in fit_model(used, first, epochs, seed):
        fitted, held_out = (losses(answers_of(weights, positions), positions) for positions in (sample, apart))
        moments.append(Moment(passed, fitted, held_out))
        print(moments[-1], flush=True)
    table = whole_numbers(weights)
    print(f"largest number: {largest_share(table, size):.3f} of what it may be")
    write_weights(output, size, table)
    tenths = test(output, size, apart)
    if plot:
        draw(moments, tenths, plot)


def test(path: Path, size: int, apart: Positions) -> list[Tenth]:
    """Print how good a network is at positions, and by tenths of its values how often they were won."""
    from bench.network_model import answers_of, fractions, losses

    said = answers_of(fractions(read_weights(path, size)), apart)
    moves, value, _ = losses(said, apart)
    print(f"{path}: {len(apart.komi)} positions held out, moves {moves:.4f} nats, value {value:.4f}")
    tenths = calibration(1 / (1 + 2.0**-said.value), apart.won, apart.game)
    print(*tenths, sep="\n")
    return tenths


def main() -> None:
    """Play, fit, or both; or test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the games")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=0, metavar="N", help="to play")
    parser.add_argument("--epochs", type=float, default=0.0, metavar="N", help="of the fit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--factor", type=float, default=1.0, help="of the simulations of a search")
    parser.add_argument("--start", type=Path, metavar="FILE", help="a network, for the fit")
    parser.add_argument("--test", type=Path, metavar="FILE", help="a network")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="of the fit")
    arguments = parser.parse_args()
    if arguments.epochs and arguments.output is None:
        parser.error("--epochs needs --output, the file of the weights")
    if arguments.output and (arguments.output.suffix != ".npz" or not arguments.output.parent.is_dir()):
        parser.error(f"--output is {arguments.output}: name a file in a folder that exists, ending in .npz")
    for name in ("start", "plot"):
        if getattr(arguments, name) and not arguments.epochs:
            parser.error(f"--{name} needs --epochs")
    try:
        run(arguments)
    except FoogoError as error:
        sys.exit(f"learn_network: {error}")


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.plot:
        check_plot_path(arguments.plot)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.games:
        play(arguments.folder, arguments.size, arguments.games, arguments.seed, arguments.factor)
    if arguments.epochs:
        fit(
            arguments.folder, arguments.size, arguments.epochs, arguments.seed,
            arguments.start, arguments.output, arguments.plot,
        )  # fmt: skip
    if arguments.test:
        test(arguments.test, arguments.size, read_games(arguments.folder, arguments.size)[1])


if __name__ == "__main__":
    main()
