"""`foogo cards rank`: the rank of poker hands."""

from __future__ import annotations

from typing import Annotated

import typer

from foogo.cli.console import JsonOption, print_json, text_table


def rank(
    hands: Annotated[list[str], typer.Argument(help="Hands of 5 to 7 cards, such as '9c Tc 6c 9d 5d'.")],
    as_json: JsonOption = False,
) -> None:
    """Rank poker hands from 1 (royal flush) to 7462, with their names and their best five cards."""
    from foogo.cards import poker
    from foogo.cards.card import parse_cards
    from foogo.errors import ArgumentError

    if len(hands) > 1 and all(len(parse_cards(hand)) == 1 for hand in hands):
        raise ArgumentError(f"each hand has 1 card: write the cards of a hand in quotes, such as '{' '.join(hands)}'")
    ranks = [poker.rank(hand) for hand in hands]
    rows = [
        {
            "hand": hand,
            "rank": number,
            "category": poker.category(number).label,
            "description": poker.describe(number),
            "best_five": poker.best_five(hand),
        }
        for hand, number in zip(hands, ranks, strict=True)
    ]
    if as_json:
        print_json({"command": "cards rank", "hands": rows})
    else:
        cells = [[str(row[key]) for key in ("hand", "rank", "description", "best_five")] for row in rows]
        print(text_table(["hand", "rank", "description", "best five"], cells))
