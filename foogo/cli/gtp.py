"""`foogo gtp`: a GTP engine."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.book_option import BookOption
from foogo.cli.console import INTERRUPTED, losing_no_ctrl_c, say
from foogo.cli.policy_option import FROM_FILE, chosen_policy
from foogo.game.rules import PRESET_CHOICES
from foogo.playout.policies import POLICY_CHOICES, STRONGEST

if TYPE_CHECKING:
    from foogo.gtp.session import SessionOptions
    from foogo.player.options import PlayerOptions

BROKEN_PIPE = 141
"""The exit code if stdout is closed, as for a program that SIGPIPE ends."""


def gtp(
    size: Annotated[int, typer.Option(help="Board size of the first game, 2 to 19.")] = 9,
    komi: Annotated[float, typer.Option(help="Komi of the first game.")] = 7.0,
    rules: Annotated[str, typer.Option(help=f"{PRESET_CHOICES}.")] = "tromp-taylor",
    simulations: Annotated[int | None, typer.Option(help="Maximum simulations per move.")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Maximum seconds per move; 1 if neither a clock nor --simulations limits it.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Search threads.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the search. [default: a new one each time]")] = None,
    policy: Annotated[str, typer.Option(help=f"Playout policy: {POLICY_CHOICES}, {FROM_FILE}.")] = STRONGEST,
    resign: Annotated[
        float, typer.Option(help="Resign if the win share is below this for three moves in a row; 0: never.")
    ] = 0.05,
    ponder: Annotated[bool, typer.Option("--ponder", help="Search while the opponent thinks.")] = False,
    lag: Annotated[float, typer.Option(help="Seconds per move reserved for transmission.")] = 0.25,
    book: BookOption = "none",
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set a parameter of foogo-param; may be repeated.")
    ] = None,
) -> None:
    """Speak the Go Text Protocol on stdin and stdout, for Sabaki, GoGui, KGS, CGOS and match programs.

    docs/reference/gtp.md lists the commands. Only answers are written to stdout.
    """
    from foogo.gtp.session import SessionOptions
    from foogo.player.options import PlayerOptions

    atexit.register(gc.freeze)  # so that Python does not collect Numba's objects, for up to a second, before it ends
    options = PlayerOptions(
        threads=threads,
        seed=int.from_bytes(os.urandom(4), "little") if seed is None else seed,
        policy=chosen_policy(policy),
        simulations=simulations,
        seconds=seconds,
        lag=lag,
        resign=resign,
        ponder=ponder,
        book=book,
    )
    session = SessionOptions(size, komi, rules, _with_parameters(options, param or []))
    serve(session, 0, _take_stdout())


def serve(options: SessionOptions, source: int, target: int) -> None:
    """Answer the commands from file descriptor `source` on `target` until the end."""
    from foogo.gtp.channel import Lines, Output
    from foogo.gtp.command_table import COMMANDS
    from foogo.gtp.dispatcher import Dispatcher, Handler
    from foogo.gtp.session import Session

    session = Session(options)

    def find(name: str) -> tuple[Handler, str] | None:
        row = COMMANDS.get(name)
        return None if row is None else (partial(row.run, session), row.usage)

    dispatcher = Dispatcher(find, Lines(source), Output(target), session.checkpoint)
    code = 0
    try:
        with losing_no_ctrl_c() as was_pressed:
            dispatcher.run(was_pressed)
            session.end()
    except BrokenPipeError:
        code = BROKEN_PIPE
    except KeyboardInterrupt:
        say("interrupted")
        code = INTERRUPTED
    if code:
        raise typer.Exit(code)


def _with_parameters(options: PlayerOptions, texts: list[str]) -> PlayerOptions:
    """The options with parameters set by ``NAME=VALUE``."""
    if texts:
        from foogo.gtp.parameters import with_parameter

        for text in texts:
            name, _, value = text.partition("=")
            options = with_parameter(options, name.strip(), value.strip())
    return options


def _take_stdout() -> int:
    """A file descriptor for the answers; everything else written to stdout goes to stderr from now on."""
    answers = os.dup(1)
    sys.stdout.flush()
    os.dup2(2, 1)
    return answers
