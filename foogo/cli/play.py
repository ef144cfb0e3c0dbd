"""`foogo play`: play against foogo in the terminal."""

from __future__ import annotations

import io
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from foogo.cli.book_option import BookOption
from foogo.cli.console import file_errors
from foogo.cli.policy_option import FROM_FILE, chosen_policy
from foogo.game.rules import PRESET_CHOICES
from foogo.playout.policies import POLICY_CHOICES, STRONGEST


def play(
    size: Annotated[int, typer.Option(help="Points on a side, 2 to 19.")] = 9,
    komi: Annotated[float, typer.Option(help="Points that White gets.")] = 7.0,
    rules: Annotated[str, typer.Option(help=f"{PRESET_CHOICES}.")] = "chinese",
    color: Annotated[str, typer.Option(help="Your colour: black, white or random.")] = "black",
    handicap: Annotated[int, typer.Option(help="Handicap stones for Black; White moves first.")] = 0,
    simulations: Annotated[
        int | None, typer.Option(help="foogo's level: simulations per move, such as 100 or 100000.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="foogo's seconds per move. [default: 1 without --simulations]")
    ] = None,
    threads: Annotated[int, typer.Option(help="Search threads.")] = 1,
    policy: Annotated[str, typer.Option(help=f"Playout policy: {POLICY_CHOICES}, {FROM_FILE}.")] = STRONGEST,
    resign: Annotated[
        float, typer.Option(help="foogo resigns after three moves below this win share; 0: never.")
    ] = 0.05,
    seed: Annotated[int | None, typer.Option(help="Seed of the search. [default: a new one each time]")] = None,
    book: BookOption = "none",
    save: Annotated[Path | None, typer.Option(help="Write the game to this SGF file at the end.")] = None,
) -> None:
    """Play a game against foogo. Type moves such as E5, or help. Ctrl-C makes foogo move at once."""
    from rich.console import Console

    from foogo.arguments import probe_file
    from foogo.errors import ArgumentError
    from foogo.game.board import Board
    from foogo.game.geometry import BLACK, WHITE
    from foogo.player.handicap import fixed_handicap
    from foogo.player.options import PlayerOptions
    from foogo.player.player import Player
    from foogo.terminal import TerminalGame
    from foogo.warmup import warm_search

    policy = chosen_policy(policy)
    colors = {"black": BLACK, "white": WHITE, "random": random.choice([BLACK, WHITE])}
    if color.lower() not in colors:
        raise ArgumentError(f"--color is {color!r}: it must be black, white or random")
    options = PlayerOptions(
        threads=threads, policy=policy, simulations=simulations, seconds=seconds, resign=resign, book=book,
        seed=random.getrandbits(32) if seed is None else seed,
    )  # fmt: skip
    player = Player(size, rules, komi, options)
    if handicap:
        player.set_position(Board.from_stones(size, fixed_handicap(size, handicap), (), WHITE))
    if save is not None:
        with file_errors("write", save):
            probe_file(save)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):  # Windows has none
            import readline  # noqa: F401  # prompts then show what was typed ahead, and lines can be edited
    warm_search(size, policy)  # nothing is compiled while a prompt waits
    TerminalGame(player, colors[color.lower()], Console(), input, save).run()
