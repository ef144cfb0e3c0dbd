"""Where the network of the search comes from: games of the search against itself, and a fit to them.

    python -m bench.learn_network games/ --play 3600 --fit 1800 --output foogo/search/network-9x9.npz

plays for an hour, stores the games in a folder, where earlier ones may lie, and fits a network to all of them for half
an hour. It needs PyTorch (`pip install -e '.[learn]'`). The network learns three things of a position: how often a
search played each move, on top of what the learned features of moves say; who won in the end, mixed with the value that
the search found; and who owned each point at the end, which is only a help. Every twentieth game is held out, and shows
how good the fit is.

    python -m bench.learn_network --size 19 --scale foogo/search/network-13x13.npz --output network-19x19.npz

makes a network of one for another size, without games: what it sums over the board is scaled by the areas.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from bench.network_games import Rows, play_game, write_games
from foogo.search.network import largest_share, parts_of, read_weights, write_weights

GAMES_A_FILE = 250


def play(folder: Path, size: int, seconds: float, seed: int, factor: float) -> None:
    """Play games for a time and store them in files of their own."""
    rng, began, number = np.random.default_rng(seed), time.monotonic(), 0
    games: list[Rows] = []
    while True:
        is_over = time.monotonic() - began >= seconds
        if games and (is_over or len(games) == GAMES_A_FILE):
            positions = write_games(folder / f"{size}x{size}-{seed}-{number:04}.npz", size, games)
            print(f"{number * GAMES_A_FILE + len(games)} games, {positions} more positions", flush=True)
            number, games = number + 1, []
        if is_over:
            return
        games.append(play_game(size, rng, factor))


def fit(folder: Path, size: int, seconds: float, seed: int, output: Path) -> None:
    """Fit a network to all games in the folder and store its weights."""
    import torch

    from bench.network_model import Model, losses, read_games, values_of
    from bench.network_model import fit as fit_model

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    used, apart = read_games(sorted(folder.glob(f"{size}x{size}-*.npz")), size)
    model = Model(size)
    for line in fit_model(model, used, seconds, seed):
        print(line, flush=True)
    for name, positions in (("fitted", used.take(slice(20_000))), ("apart", apart)):
        with torch.no_grad():
            moves, value, owner = losses(model, positions).tolist()
        print(f"{name}: {len(positions.komi)} positions, moves {moves:.4f} nats, value {value:.4f}, owner {owner:.4f}")
    found, won = values_of(model, apart), apart.won
    for low in np.arange(0.0, 1.0, 0.1):
        here = (found >= low) & (found < low + 0.1)
        if here.any():
            print(f"value {found[here].mean():.3f}: {here.sum()} positions, won {won[here].mean():.3f}")
    weights = model.weights()
    print(f"largest number: {largest_share(weights, size):.3f} of what it may be")
    write_weights(output, size, weights)


def scale(source: Path, size: int, output: Path) -> None:
    """Store the weights of another size's network for this one."""
    with np.load(source) as stored:
        other = int(stored["size"])
    weights = read_weights(source, other).astype(np.int32)
    board = parts_of(weights)["board"]
    board[:] = np.rint(board * (other / size) ** 2)
    write_weights(output, size, weights)


def main() -> None:
    """Play, fit, or both; or scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="of the games")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--play", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--fit", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--factor", type=float, default=1.0, help="of the simulations of a search")
    parser.add_argument("--scale", type=Path, metavar="FILE", help="of another size's network")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if (arguments.fit or arguments.scale) and arguments.output is None:
        parser.error("--fit and --scale need --output, the file of the weights")
    if arguments.scale:
        scale(arguments.scale, arguments.size, arguments.output)
        return
    if arguments.folder is None:
        parser.error("--play and --fit need the folder of the games")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.play:
        play(arguments.folder, arguments.size, arguments.play, arguments.seed, arguments.factor)
    if arguments.fit:
        fit(arguments.folder, arguments.size, arguments.fit, arguments.seed, arguments.output)


if __name__ == "__main__":
    main()
