"""`foogo perft`: counts of legal move sequences."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from foogo.cli.console import INTERRUPTED, JsonOption, print_json, say, text_table


def perft(
    size: Annotated[int, typer.Argument(help="Points on a side, 2 to 19.", show_default=False)],
    depth: Annotated[int, typer.Argument(help="Moves in the longest sequences, 1 to 1000.", show_default=False)],
    passes: Annotated[bool, typer.Option("--passes", help="A pass is a move; two in a row end a sequence.")] = False,
    superko: Annotated[str, typer.Option(help="simple, positional or situational.")] = "simple",
    suicide: Annotated[bool, typer.Option("--suicide", help="Allow suicide of two or more stones.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the legal move sequences from the empty board, to compare the rules with those of other programs."""
    from foogo.core.compiling import working_clock
    from foogo.errors import ArgumentError
    from foogo.game.perft import MAX_DEPTH
    from foogo.game.perft import perft as count_sequences

    if not 1 <= depth <= MAX_DEPTH:
        raise ArgumentError(f"depth {depth} is not possible: give a whole number from 1 to {MAX_DEPTH}")
    counts: list[int] = []
    seconds: list[float] = []
    with suppress(KeyboardInterrupt):
        count_sequences(size, 0, passes=passes, superko=superko, suicide=suicide)  # loads the kernels
        for moves in range(1, depth + 1):
            started = working_clock()
            counts.append(count_sequences(size, moves, passes=passes, superko=superko, suicide=suicide))
            seconds.append(working_clock() - started)
    if as_json:
        rules = {"passes": passes, "superko": superko, "suicide": suicide}
        print_json({"command": "perft", "size": size, **rules, "counts": counts, "seconds": seconds})
    else:
        rows = [[str(i + 1), f"{count:,}", f"{seconds[i]:.2f}"] for i, count in enumerate(counts)]
        print(text_table(["depth", "sequences", "seconds"], rows))
    if len(counts) < depth:
        say(f"interrupted: depths to {len(counts)} of {depth} are counted")
        raise typer.Exit(INTERRUPTED)
