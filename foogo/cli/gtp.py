"""`foogo gtp`: an engine for other programs."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import INTERRUPTED, say
from foogo.errors import GtpError
from foogo.game.rules import PRESET_CHOICES
from foogo.playout.policies import STRONGEST

if TYPE_CHECKING:
    from foogo.gtp.session import SessionOptions
    from foogo.player.options import PlayerOptions

BROKEN_PIPE = 141
"""The exit code when nobody reads the answers any more, as of a program that SIGPIPE ends."""


def gtp(
    size: Annotated[int, typer.Option(help="Board size of the first game, 2 to 19.")] = 9,
    komi: Annotated[float, typer.Option(help="Komi of the first game.")] = 7.0,
    rules: Annotated[str, typer.Option(help=f"{PRESET_CHOICES}.")] = "tromp-taylor",
    simulations: Annotated[int | None, typer.Option(help="Playouts for a move, at most.")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Time for a move, at most; 1 where no clock or number of playouts limits it.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Search threads.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the playouts; by default another one each time.")] = None,
    policy: Annotated[str, typer.Option(help="Playout policy: uniform, knowledge or patterns.")] = STRONGEST,
    resign: Annotated[float, typer.Option(help="Resign below this win share, three moves in a row; 0: never.")] = 0.05,
    ponder: Annotated[bool, typer.Option("--ponder", help="Think while the opponent does.")] = False,
    lag: Annotated[float, typer.Option(help="Seconds kept back on the clock for the way to the controller.")] = 0.25,
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A parameter of foogo-param; may be repeated.")
    ] = None,
) -> None:
    """Speak the Go Text Protocol on stdin and stdout, for Sabaki, GoGui, KGS, CGOS and match programs.

    docs/reference/gtp.md lists the commands. Nothing but answers is written to stdout.
    """
    from foogo.gtp.session import SessionOptions
    from foogo.player.options import PlayerOptions

    options = PlayerOptions(
        threads=threads,
        seed=int.from_bytes(os.urandom(4), "little") if seed is None else seed,
        policy=policy,
        simulations=simulations,
        seconds=seconds,
        lag=lag,
        resign=resign,
        ponder=ponder,
    )
    session = SessionOptions(size, komi, rules, _with_parameters(options, param or []))
    serve(session, 0, _take_stdout())


def serve(options: SessionOptions, source: int, target: int) -> None:
    """Answer the commands of one file descriptor on another until the end, and compile meanwhile."""
    from foogo.gtp.channel import Lines, Output
    from foogo.gtp.engine import Engine, Handler
    from foogo.gtp.session import Session
    from foogo.gtp.table import COMMANDS

    session = Session(options)

    def find(name: str) -> tuple[Handler, str] | None:
        row = COMMANDS.get(name)
        return None if row is None else (partial(row.run, session), row.usage)

    engine = Engine(find, Lines(source), Output(target), session.checkpoint, partial(_warm_up, options))
    code = 0
    try:
        engine.run()
        session.end()
    except BrokenPipeError:
        code = BROKEN_PIPE
    except KeyboardInterrupt:
        say("interrupted")
        code = INTERRUPTED
    if _compiles():
        sys.stderr.flush()
        os._exit(code)  # a compiler that is at work cannot be asked to stop
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
    """A descriptor for answers alone: what else writes to stdout goes to stderr from now on."""
    _open_stderr()
    try:
        answers = os.dup(1)
    except OSError:
        raise GtpError("stdout is closed: it is where the answers go") from None
    sys.stdout.flush()
    os.dup2(2, 1)
    return answers


def _open_stderr() -> None:
    """Have a stderr, if need be one that leads nowhere."""
    try:
        os.fstat(2)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != 2:
            os.dup2(nowhere, 2)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


def _warm_up(options: SessionOptions) -> None:
    """Import what plays, here and not in a thread, for two threads must not import Numba; compile it in a thread."""
    from foogo.player.warmup import WARMUP

    WARMUP.want(options.size, options.player.policy)


def _compiles() -> bool:
    """Whether a thread compiles."""
    warmup = sys.modules.get("foogo.player.warmup")
    return warmup is not None and bool(warmup.WARMUP.is_busy)
