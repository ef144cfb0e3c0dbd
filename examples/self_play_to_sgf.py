"""A game that foogo's search plays against itself, saved as an SGF file.

    python examples/self_play_to_sgf.py
    python examples/self_play_to_sgf.py --size 5 --simulations 200 --output small.sgf

Every move carries a comment with the search's value, so an SGF editor shows who was ahead.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import foogo
from foogo.sgf import write_game


def main() -> None:
    """Play, save the game, and print its last position."""
    parser = argparse.ArgumentParser(description="One game of self-play, as SGF.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--komi", type=float, default=7.0)
    parser.add_argument("--simulations", type=int, default=5000, help="simulations per move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("self-play.sgf"))
    options = parser.parse_args()

    search = foogo.Search(foogo.Game(options.size, komi=options.komi), seed=options.seed)
    comments = {}
    while not search.game.is_over:
        result = search.run(simulations=options.simulations)
        if result.interrupted:  # Ctrl-C ends a search, not the loop
            raise KeyboardInterrupt
        player = "Black" if result.to_play == foogo.BLACK else "White"
        search.play(result.best)  # keeps the part of the tree below this move
        number = len(search.game.moves)
        comments[number] = f"{player} expects to win {100 * result.value:.1f} % of the playouts."
        print(f"{number:3}. {str(result).splitlines()[0]}")

    game = search.game
    names = {"black": "foogo", "white": "foogo"}
    options.output.write_bytes(write_game(game, **names, result=game.result(), comments=comments))
    print(game)
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
