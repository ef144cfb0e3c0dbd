"""A match between foogo and another GTP engine.

    python examples/match_against_engine.py
    python examples/match_against_engine.py --games 2 --size 5 --simulations 50 --folder small
    python examples/match_against_engine.py --folder gnugo "gnugo --mode gtp --chinese-rules --positional-superko"

The opponent is any command that speaks GTP; the default is foogo itself with a fifth of the simulations. The referee
is `foogo match`, which also reports Elo. The same command continues a match that was stopped; another match needs a
folder of its own.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys

FOOGO = [sys.executable, "-m", "foogo"]


def main() -> None:
    """Play the match, then print the score and its interval."""
    parser = argparse.ArgumentParser(description="A match between foogo and another GTP engine.")
    parser.add_argument("opponent", nargs="?", help="command line of the other engine")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--simulations", type=int, default=1000, help="foogo's simulations per move")
    parser.add_argument("--folder", default="match", help="where results and game records are kept")
    options = parser.parse_args()

    player = [*FOOGO, "gtp", "--simulations", str(options.simulations)]
    weaker = [*FOOGO, "gtp", "--simulations", str(max(1, options.simulations // 5))]
    command = [*FOOGO, "match", shlex.join(player), options.opponent or shlex.join(weaker), "--json"]
    command += ["--games", str(options.games), "--size", str(options.size), "--rules", "chinese"]
    command += ["--folder", options.folder]
    finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # progress goes to stderr
    if finished.returncode:
        sys.exit(finished.returncode)

    match = json.loads(finished.stdout)
    print(f"foogo against {match['engines']['B']}, {match['games']} games")
    print(f"won {match['wins']}, drew {match['draws']}, lost {match['losses']}")
    if match["share"]:  # None if no game has a result
        print("share of points {value:.2f}, 95 % interval {low:.2f} to {high:.2f}".format(**match["share"]))
    print(f"games are in {options.folder}")


if __name__ == "__main__":
    main()
