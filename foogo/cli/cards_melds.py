"""`foogo cards melds`: the best melds of a rummy hand."""

from __future__ import annotations

from typing import Annotated

import typer

from foogo.cli.console import JsonOption, print_json


def melds(
    cards: Annotated[list[str], typer.Argument(help="The hand, such as 2H 3H 11C JK; JK is a joker.")],
    decks: Annotated[int, typer.Option(help="Decks in play, 1 or 2.")] = 1,
    values: Annotated[str, typer.Option(help="Which leftovers to minimize: points or cards.")] = "points",
    ace: Annotated[str, typer.Option(help="Where runs have the ace: low, high, both or corner.")] = "low",
    jokers: Annotated[int, typer.Option(help="Jokers besides those in the hand.")] = 0,
    joker_value: Annotated[int, typer.Option(help="Points of a joker left over.")] = 15,
    every: Annotated[bool, typer.Option("--all", help="Print all maximal meldings, the best first.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also print islands and control points.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Lay out a rummy hand in runs and sets so that the cards left over have the least value."""
    from foogo.cards.card import format_cards
    from foogo.cards.rummy import Melding, best_melds, combos, control_points, islands
    from foogo.cards.rummy.hands import name_of

    text = " ".join(cards)
    rules = {"values": values, "ace": ace, "jokers": jokers, "joker_value": joker_value}
    if every:
        meldings = combos(text, decks, values=values, ace=ace, jokers=jokers, joker_value=joker_value)
    else:
        meldings = [best_melds(text, decks, values=values, ace=ace, jokers=jokers, joker_value=joker_value)]
    whole_hand = text + " JK" * jokers  # the hand may have jokers only
    groups = islands(whole_hand, decks, ace=ace) if explain or as_json else []
    points = control_points(whole_hand, decks, ace=ace) if explain or as_json else []

    def as_dict(melding: Melding) -> dict[str, object]:
        laid_out = [{"kind": meld.kind, "cards": list(map(name_of, meld.cards))} for meld in melding.melds]
        return {"melds": laid_out, "left": list(map(name_of, melding.left)), "deadwood": melding.deadwood}

    if as_json:
        document = {"command": "cards melds", "hand": text, "decks": decks, **rules, **as_dict(meldings[0])}
        if every:
            document["all"] = [as_dict(melding) for melding in meldings]
        document["islands"] = [format_cards(island).split() for island in groups]
        document["control_points"] = [
            {"card": name_of(point.card), "copies": point.copies, "uses": list(point.uses)} for point in points
        ]
        print_json(document)
        return
    for melding in meldings:
        print(melding)
    if explain:
        print("islands:", ", ".join(map(format_cards, groups)) or "none")
        print("control points:", "; ".join(map(str, points)) or "none")
