"""`foogo cards deal`: random bridge deals that satisfy constraints."""

from __future__ import annotations

import time
from math import isnan
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import JsonOption, print_cards, print_json, progress_bar, say

if TYPE_CHECKING:
    from foogo.cards.deal import Sample
    from foogo.cards.deal.dealer import Progress

FORMATS = ("picture", "line", "pbn", "svg")

PATIENCE = 10.0
"""Seconds without a deal after which one line says how the tries are limited."""


def deal(
    n: Annotated[int, typer.Argument(help="Number of deals.")] = 1,
    north: Annotated[str, typer.Option(help="Constraint, such as 'balanced & hcp(15, 17)'.")] = "",
    east: Annotated[str, typer.Option(help="Constraint, such as 'shape(\"5+Hxxx\") & (hcp >= 12)'.")] = "",
    south: Annotated[str, typer.Option(help="Constraint, such as 'suit(\"S\").length >= 5'.")] = "",
    west: Annotated[str, typer.Option(help="Constraint, such as 'losers <= 5'.")] = "",
    where: Annotated[
        list[str] | None, typer.Option(help="Condition on hands: 'north.hcp + south.hcp >= 25'; may be repeated.")
    ] = None,
    predeal: Annotated[
        list[str] | None, typer.Option(help="Cards of a seat: 'north=AS KS' or 'north=AK2..J3.'; once per seat.")
    ] = None,
    stack: Annotated[str, typer.Option(help="Seat to stack: north, east, south, west, auto or none.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 0,
    max_tries: Annotated[
        int | None, typer.Option(help="Give up after this many tries. [default: a billion without any deal]")
    ] = None,
    threads: Annotated[int | None, typer.Option(help="Threads. [default: all cores]")] = None,
    estimate: Annotated[
        str, typer.Option(help="Estimate the mean of an expression, such as 'south.hcp == 20', and print no deals.")
    ] = "",
    form: Annotated[str, typer.Option("--format", help=f"{', '.join(FORMATS[:-1])}, or {FORMATS[-1]}.")] = FORMATS[0],
    as_json: JsonOption = False,
) -> None:
    """Deal bridge hands that satisfy constraints."""
    from foogo.cards.deal import Dealer
    from foogo.cards.deal.pbn import SEAT_NAMES, seat_number
    from foogo.cards.deal.predeal import by_seat
    from foogo.errors import ArgumentError

    if stack not in ("auto", "none") and seat_number(stack) is None:
        raise ArgumentError(f"stack {stack!r} does not exist: choose {', '.join(SEAT_NAMES)}, auto, none")
    if form not in FORMATS:
        raise ArgumentError(f"format {form!r} does not exist: choose {', '.join(FORMATS)}")
    if form == "svg" and n > 1 and not (estimate or as_json):
        raise ArgumentError(f"an SVG picture shows 1 deal, not {n}: omit the number, or choose another format")
    if estimate and form != FORMATS[0]:
        raise ArgumentError(f"an estimate shows no deals: omit --format {form}")
    if estimate and n < 2:
        raise ArgumentError(f"an estimate needs 2 deals or more, not {n}: give their number, such as cards deal 10000")
    cards = by_seat(map(_seat_and_cards, predeal or ()))
    constraints = dict(zip(SEAT_NAMES, (north or None, east or None, south or None, west or None), strict=True))
    dealer = Dealer(
        **constraints, where=where or [], predeal=cards, stack=None if stack == "none" else stack, seed=seed
    )
    about = {
        "command": "cards deal", **constraints, "where": where or [],
        "predeal": {SEAT_NAMES[seat]: text for seat, text in cards.items()},
        "seed": seed, "stacked": dealer.stacked, "n": n,
    }  # fmt: skip
    with progress_bar("dealing", "deals") as bar:
        progress = bar if max_tries is not None else _with_hint(bar)
        if estimate:
            found = dealer.estimate(estimate, n, max_tries=max_tries, threads=threads, progress=progress)
        else:
            sample = dealer.sample(n, max_tries=max_tries, threads=threads, progress=progress)
    if estimate:
        if as_json:
            print_json({**about, "estimate": {"function": estimate, **found.as_dict()}})
        else:
            print(f"{estimate}: {found.plus_minus()} in {n:,} deals, 95 % interval")
        return
    if as_json:
        print_json({**about, **_document(sample)})
        return
    _print_deals(sample, form)
    chance = sample.probability if sample.probability.half_width else f"{sample.probability.value:g}, exact"
    if isnan(sample.probability.value):
        chance = "unknown"
    say(f"tries: {sample.tries:,}; stacked: {dealer.stacked or 'no seat'}; probability of the constraints: {chance}")


def _with_hint(progress: Progress | None) -> Progress:
    """`progress`, and a line on stderr if no deal is found in `PATIENCE` seconds."""
    from foogo.cards.deal.dealer import MOST_WITHOUT_DEAL

    began, is_due = time.monotonic(), True

    def tell(found: int, n: int) -> None:
        nonlocal is_due
        if is_due and (found or time.monotonic() - began > PATIENCE):
            is_due = False
            if not found:
                say(
                    "no deal found yet: --max-tries N stops after N tries, if the constraints exclude each other; "
                    f"without it, foogo stops after {MOST_WITHOUT_DEAL:,} tries without a deal"
                )
        if progress is not None:
            progress(found, n)

    return tell


def _seat_and_cards(text: str) -> tuple[str, str]:
    from foogo.errors import ArgumentError

    seat, equals, cards = text.partition("=")
    if not equals:
        raise ArgumentError(f"predeal {text!r} is not a seat and its cards: write north=AS KS")
    return seat.strip(), cards


def _document(sample: Sample) -> dict[str, object]:
    from foogo.cards.deal import to_pbn

    probability = sample.probability.as_dict()
    acceptance = sample.acceptance if sample.tries else None
    deals = [to_pbn(one) for one in sample.deals]
    return {
        "tries": sample.tries, "drawn": sample.drawn, "acceptance": acceptance, "probability": probability,
        "deals": deals,
    }  # fmt: skip


def _print_deals(sample: Sample, form: str) -> None:
    from foogo.cards.deal import picture, svg, to_pbn

    if form == "pbn":
        print(to_pbn(sample.deals))
        return
    draw = picture if form == "picture" else svg if form == "svg" else to_pbn
    print_cards(("\n\n" if form == "picture" else "\n").join(draw(one) for one in sample.deals))
