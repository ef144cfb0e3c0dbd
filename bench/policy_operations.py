"""What each operation of playout policies costs in ns per move, on one core.

    python bench/policy_operations.py --size 9 --rounds 15

Each row is a policy that computes one operation, and hardly ever draws otherwise than the policy `nothing`. All are
played in turns; the cost is the difference of their times for a move.
"""

from __future__ import annotations

import argparse
import statistics
import time

import foogo


@foogo.playout_policy
def nothing(see, pick):
    """All candidates but a point that is hardly ever one."""
    return see.candidates & ~(see.own & see.before_last)


@foogo.playout_policy
def beside(see, pick):
    """One set of neighbours."""
    return see.candidates & ~(see.beside(see.last_move) & see.before_last)


@foogo.playout_policy
def around(see, pick):
    """One set of surroundings."""
    return see.candidates & ~(see.around(see.last_move) & see.before_last)


@foogo.playout_policy
def beside_two(see, pick):
    """Points beside two."""
    return see.candidates & ~(see.beside_two(see.own) & see.before_last)


@foogo.playout_policy
def short(see, pick):
    """Short strings: a second flood."""
    return see.candidates & ~(see.short & see.before_last)


@foogo.playout_policy
def strings(see, pick):
    """A flood on demand."""
    return see.candidates & ~(see.strings(see.last_move) & see.before_last)


@foogo.playout_policy
def in_atari(see, pick):
    """A flood for each digit."""
    return see.candidates & ~(see.in_atari & see.before_last)


@foogo.playout_policy
def vital(see, pick):
    """Vital points."""
    return see.candidates & ~(see.vital & see.before_last)


@foogo.playout_policy
def shaped(see, pick):
    """MoGo's patterns."""
    return see.candidates & ~(see.shaped & see.before_last)


@foogo.playout_policy
def fits(see, pick):
    """One pattern in eight orientations."""
    return see.candidates & ~(see.fits("XO? ... ?.?") & see.before_last)


@foogo.playout_policy
def often(see, pick, chance=0.5):
    """One decision."""
    return pick.often(chance, see.candidates) or see.candidates


@foogo.playout_policy
def weighted_2(see, pick, a=1.0, b=1.0):
    """Two classes."""
    return pick.weighted((a, see.candidates & see.odd), (b, see.candidates & ~see.odd))


@foogo.playout_policy
def weighted_8(see, pick, a=1.0):
    """Eight classes."""
    return pick.weighted(
        (a, see.line(1) & see.odd), (a, see.line(1) & ~see.odd), (a, see.line(2) & see.odd),
        (a, see.line(2) & ~see.odd), (a, see.line(3) & see.odd), (a, see.line(3) & ~see.odd),
        (a, see.line(4) & see.odd), (a, see.candidates),
    )  # fmt: skip


OPERATIONS = (
    beside, around, beside_two, short, strings, in_atari, vital, shaped, fits, often, weighted_2, weighted_8,
)  # fmt: skip


def ns_per_move(policy: foogo.PlayoutPolicy, size: int, playouts: int) -> float:
    """The time of a move, in ns of one core."""
    began = time.process_time()
    run = foogo.simulate(size, playouts, seed=1, threads=1, policy=policy)
    return 1e9 * (time.process_time() - began) / run.moves


def main() -> None:
    """Print a row for each operation."""
    parser = argparse.ArgumentParser(description="What each operation of playout policies costs.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--rounds", type=int, default=15, help="repeats")
    parser.add_argument("--playouts", type=int, default=4000, help="playouts of each repeat")
    options = parser.parse_args()

    for policy in (nothing, *OPERATIONS):
        foogo.simulate(options.size, 100, threads=1, policy=policy)
    names = [policy.name for policy in OPERATIONS]
    costs: dict[str, list[float]] = {name: [] for name in names}
    plain: list[float] = []
    for _ in range(options.rounds):
        base = ns_per_move(nothing, options.size, options.playouts)
        plain.append(base)
        for policy in OPERATIONS:
            costs[policy.name].append(ns_per_move(policy, options.size, options.playouts) - base)
    print(f"{options.size}x{options.size}: {statistics.median(plain):.1f} ns a move without an operation")
    for name in names:
        print(f"{name:>12} {statistics.median(costs[name]):6.1f} ns")


if __name__ == "__main__":
    main()
