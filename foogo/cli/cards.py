"""`foogo cards`: playing cards."""

from __future__ import annotations

import typer

cards = typer.Typer(
    help="Playing cards: poker, bridge deals, rummy.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
