"""The command `foogo`."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from foogo import __version__
from foogo.cli.analyze import analyze
from foogo.cli.bench import bench
from foogo.cli.book import book
from foogo.cli.cards import cards
from foogo.cli.console import INTERRUPTED, interruptible, say
from foogo.cli.first_move import first_move
from foogo.cli.gtp import gtp
from foogo.cli.match import match
from foogo.cli.perft import perft
from foogo.cli.play import play
from foogo.cli.solve import solve
from foogo.cli.study import study
from foogo.cli.warm import warm
from foogo.cli.web import web
from foogo.errors import FoogoError, reader_is_gone, shortened

READER_GONE = 141
"""The exit code if the reader of stdout went away, as for a program that SIGPIPE ends."""

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[2]
"""ClickException: what typer raises for a wrong command line. Typer moved it between versions."""


class _Commands(TyperGroup):
    """The command group, whose help ends with the address of the documentation."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        address = documentation_url()
        if address:
            formatter.write_paragraph()
            formatter.write_text(f"Documentation: {address}")


app = typer.Typer(
    name="foogo",
    cls=_Commands,
    help="Random games of Go, very fast, and what they say about the first move.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(interruptible(analyze))
app.command()(interruptible(bench))
app.command("first-move")(interruptible(first_move))
app.command()(interruptible(gtp))
app.command()(interruptible(match))
app.command()(interruptible(perft))
app.command()(interruptible(play))
app.command()(interruptible(solve))
app.command()(interruptible(warm))
app.command()(interruptible(web))
app.add_typer(book, name="book")
app.add_typer(cards, name="cards")
app.add_typer(study, name="study")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"foogo {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Random games of Go, very fast, and what they say about the first move."""


def documentation_url() -> str:
    """The address of the documentation, from the metadata of the installed package; "" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        labelled = metadata("foogo").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    addresses: dict[str, str] = dict(line.split(", ", 1) for line in labelled)
    return addresses.get("Documentation", "")


def _say_compile_time(arguments: list[str]) -> None:
    """Say how long this process compiled, if it did; loads nothing."""
    if arguments[:1] == ["warm"]:
        return  # its table has these times
    compiling = sys.modules.get("foogo.core.compiling")
    if compiling is not None and compiling.WATCH.seconds >= 1:
        say(f"compiling took {compiling.WATCH.seconds:.0f} s, which no time above includes")


def _where_to_look(error: Exception, arguments: list[str]) -> str:
    """Where to find the help of the command whose arguments were wrong."""
    context = getattr(error, "ctx", None)
    path = _path_of_command(arguments) if context is None else context.command_path
    return f"{' See' if str(error).endswith('?') else '; see'} {path} --help"


def _path_of_command(arguments: list[str]) -> str:
    """The words that name the command, such as "foogo study run"; typer does not tell if an option lacks its value."""
    command: Any = typer.main.get_command(app)
    words = ["foogo"]
    for argument in arguments:
        command = getattr(command, "commands", {}).get(argument)
        if command is None:
            break
        words.append(argument)
    return " ".join(words)


def main() -> NoReturn:
    """Run the command line and exit: 0, 1 for a wrong signature, 2 for an error, 130 after Ctrl-C."""
    _open_closed_streams()
    if sys.stdout is None:
        say("error: stdout is closed, and results need it: send it to a file or to the null device")
        sys.exit(2)
    warnings.showwarning = lambda message, *_: say(str(message))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may have no ±
    code = run()
    if code == 0:
        _say_compile_time(sys.argv[1:])
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open stdin and stderr as the null device if they are closed (`2>&-`)."""
    for number, name, mode in ((0, "stdin", "r"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code. Every error that is not a bug is one line on stderr."""
    try:
        code = app(args=arguments, prog_name="foogo", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except FoogoError as error:
        say(f"error: {shortened(str(error))}")
        return 2
    except USAGE_ERROR as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help
            print(message)
            return 0
        if message:
            where = _where_to_look(error, sys.argv[1:] if arguments is None else arguments)
            say(f"error: {shortened(message[:1].lower() + message[1:].removesuffix('.'))}{where}")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        return INTERRUPTED
    except SystemExit as stop:  # by typer, for the same reason
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        _discard_output()
        return READER_GONE
    except OSError as error:
        if reader_is_gone(error):  # of stdout, as `head` does
            _discard_output()
            return READER_GONE
        if error.errno != errno.ENOSPC:
            raise
        _discard_output()
        say("error: cannot write the output: no space left on device")
        return 2


def _discard_output() -> None:
    """Send what is still to be written to stdout nowhere: Python writes it as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
