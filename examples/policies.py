"""Playout policies to start from, and what they do to random games.

    python examples/policies.py
    python examples/policies.py --size 13 --playouts 20000
    foogo bench --size 9 --policy examples/policies.py:classes

docs/tutorials/first-policy.md explains the first of them step by step, docs/reference/policies.md all that a policy can
use.
"""

from __future__ import annotations

import argparse

import foogo


@foogo.playout_policy
def captures_first(see, pick, capture=0.8, near=0.3):
    """Captures if it can, most of the time; now and then plays close to the last move."""
    taking = see.beside(see.opponent & see.short)
    return pick.often(capture, taking) or pick.often(near, see.around(see.last_move)) or see.candidates


@foogo.playout_policy
def classes(see, pick, capture=20.0, escape=8.0, shaped=6.0, near=3.0, first_line=0.3):
    """Every candidate has the weight of its class, as in Coulom (2007); a candidate in two classes has both weights."""
    taking = see.beside(see.opponent & see.short)
    fleeing = see.beside(see.own & see.short) & see.beside_two(see.empty)
    edge = see.line(1)
    return pick.weighted(
        (capture, taking),
        (escape, fleeing),
        (shaped, see.shaped),
        (near, see.around(see.last_move)),
        (first_line, edge),
        (1.0, see.board & ~edge),
    )


@foogo.playout_policy
def knowledge(see, pick, urgent=205 / 256, near=77 / 256):
    """The built-in policy of that name: the same games."""
    captures = see.beside(see.opponent & see.short)
    useful = see.beside_two(see.empty) | see.beside(see.own & ~see.short)
    escapes = useful & see.beside(see.own & see.short)
    sound = see.candidates & (useful | captures) or see.candidates
    following = sound & see.around(see.last_move)
    return pick.often(urgent, captures | escapes, 0) or pick.often(near, following, 1) or sound


def main() -> None:
    """Print a row for each policy."""
    parser = argparse.ArgumentParser(description="What policies do to random games.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--playouts", type=int, default=20_000, help="games of each policy")
    options = parser.parse_args()

    print(f"{'policy':>16} {'moves':>7} {'score':>13}")
    for policy in ("uniform", captures_first, classes, knowledge):
        run = foogo.simulate(options.size, options.playouts, seed=1, policy=policy)
        name = policy if isinstance(policy, str) else policy.name
        print(f"{name:>16} {run.mean_moves:7.1f} {run.mean_score:7.2f} ±{1.96 * run.se_score:.2f}")


if __name__ == "__main__":
    main()
