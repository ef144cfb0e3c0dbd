"""`foogo cards`: playing cards."""

from __future__ import annotations

import typer

from foogo.cli.cards_deal import deal
from foogo.cli.cards_equity import equity
from foogo.cli.cards_melds import melds
from foogo.cli.cards_rank import rank
from foogo.cli.cards_tricks import tricks
from foogo.cli.console import interruptible

cards = typer.Typer(
    help="Playing cards: poker, bridge, rummy.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cards.command()(interruptible(deal))
cards.command()(interruptible(equity))
cards.command()(interruptible(melds))
cards.command()(interruptible(rank))
cards.command()(interruptible(tricks))
