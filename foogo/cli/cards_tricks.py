"""`foogo cards tricks`: double-dummy results of a bridge deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import JsonOption, print_cards, print_json, text_table

if TYPE_CHECKING:
    from foogo.cards.bridge import Solution


def tricks(
    deal: Annotated[
        str, typer.Argument(help="In PBN, such as 'N:AK2.QJ3.K432.Q32 ...'; without it, a random deal.")
    ] = "",
    trump: Annotated[str, typer.Option(help="Strain: C, D, H, S or NT. With it, solve one position.")] = "",
    leader: Annotated[str, typer.Option(help="Seat that leads the first trick: N, E, S or W.")] = "",
    played: Annotated[str, typer.Option(help="Cards played since, in order, such as '4s Ks 2s 3s'.")] = "",
    vulnerable: Annotated[str | None, typer.Option(help="For par: none, NS, EW or both. [default: none]")] = None,
    dealer: Annotated[str | None, typer.Option(help="For par: the seat that bids first. [default: N]")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random deal. [default: 0]")] = None,
    table_mb: Annotated[int, typer.Option(help="Megabytes of the search's table.")] = 64,
    as_json: JsonOption = False,
) -> None:
    """Count the tricks that each declarer takes in each strain if everybody sees all cards."""
    from foogo.cards.bridge import STRAINS, par, solve, table
    from foogo.cards.bridge.positions import deal_of
    from foogo.cards.bridge.scoring import vulnerable_sides
    from foogo.cards.deal import Dealer, picture, to_pbn
    from foogo.cards.deal.pbn import SEATS, seat_of
    from foogo.errors import ArgumentError

    if bool(trump) != bool(leader) or (played and not trump):
        raise ArgumentError("one position needs both --trump and --leader")
    if deal and seed is not None:
        raise ArgumentError("--seed is that of a random deal: omit it, or the deal")
    hands = deal_of(deal) if deal else Dealer(seed=seed or 0).deals(1)[0]
    is_full = int(hands[0]).bit_count() == 13
    has_par = is_full and not trump
    if not has_par and (vulnerable is not None or dealer is not None):
        reason = "one position has" if trump else "hands of fewer than 13 cards have"
        raise ArgumentError(f"--vulnerable and --dealer are for par: {reason} none")
    sides, first = "none" if vulnerable is None else vulnerable, "N" if dealer is None else dealer
    vulnerable_sides(sides), seat_of(first, "dealer")  # their errors come before the search
    about: dict[str, Any] = {"command": "cards tricks", "deal": to_pbn(hands), "seed": None if deal else seed or 0}
    if trump:
        about |= {"trump": trump, "leader": leader, "played": played}
        solution = solve(hands, trump, leader, played=played, table_mb=table_mb)
        if not deal and not as_json:
            print_cards(f"{picture(hands)}\n")
        _show_solution(solution, about, as_json)
        return
    found = table(hands, table_mb=table_mb)
    best = par(found, sides, dealer=first) if has_par else None
    if as_json:
        won = {strain: dict(zip(SEATS, row, strict=True)) for strain, row in zip(STRAINS, found.tolist(), strict=True)}
        about |= {"vulnerable": sides, "dealer": first} if best else {}
        print_json({**about, "tricks": won, "par": best and {"score": best.score, "contracts": list(best.contracts)}})
        return
    print_cards(f"{picture(hands)}\n")
    rows = [[strain, *map(str, row)] for strain, row in zip(STRAINS, found.tolist(), strict=True)]
    print(text_table(["declarer", *SEATS], rows))
    if best:
        print(f"par: {best}")


def _show_solution(solution: Solution, about: dict[str, Any], as_json: bool) -> None:
    from foogo.cards.card import format_card
    from foogo.cards.deal.pbn import SEATS

    cards = {format_card(card): won for card, won in solution.cards.items()}
    if as_json:
        print_json({**about, "seat": SEATS[solution.seat], "tricks": solution.tricks, "cards": cards})
    else:
        print(solution)
