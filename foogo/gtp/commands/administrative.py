"""Commands that do not concern the game."""

from __future__ import annotations

import time
from dataclasses import replace

from foogo import __version__
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session

NAME = "foogo"


def protocol_version(session: Session, call: Call) -> str:
    """The version of GTP."""
    return "2"


def name(session: Session, call: Call) -> str:
    """The name of the program."""
    return NAME


def version(session: Session, call: Call) -> str:
    """The version of the program."""
    return __version__


def known_command(session: Session, call: Call) -> str:
    """Whether a command exists."""
    from foogo.gtp.command_table import COMMANDS

    (wanted,) = call.expect(1)
    return "true" if wanted in COMMANDS else "false"


def list_commands(session: Session, call: Call) -> str:
    """The names of all commands, one per line."""
    from foogo.gtp.command_table import COMMANDS

    return "\n".join(COMMANDS)


def help(session: Session, call: Call) -> str:
    """All commands with their arguments and a summary."""
    from foogo.gtp.command_table import COMMANDS

    return "\n".join(f"{row.usage}: {row.summary}" for row in COMMANDS.values())


def quit(session: Session, call: Call) -> str:
    """End the session."""
    call.is_last = True
    return ""


def echo(session: Session, call: Call) -> str:
    """The text after the command."""
    return call.command.text


def stop(session: Session, call: Call) -> str:
    """Stop pondering."""
    session.player.stop_pondering()
    return ""


def clear_cache(session: Session, call: Call) -> str:
    """Forget the search tree."""
    session.player.forget()
    return ""


def cputime(session: Session, call: Call) -> str:
    """Processor seconds used by the process, summed over threads."""
    return f"{time.process_time():.3f}"


def get_random_seed(session: Session, call: Call) -> str:
    """The seed."""
    return str(session.player.options.seed)


def set_random_seed(session: Session, call: Call) -> str:
    """Set the seed; the tree is forgotten."""
    (word,) = call.expect(1)
    seed = parsing.whole("seed", word, 0, 2**64 - 1)
    session.player.options = replace(session.player.options, seed=seed)
    return ""
