"""Scores of duplicate bridge, and par: the result if both sides bid perfectly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

from numpy.typing import ArrayLike

from foogo.arguments import truth, whole
from foogo.cards.bridge.positions import NOTRUMP, STRAINS, deal_of, strain_of
from foogo.cards.bridge.solving import Tricks, table
from foogo.cards.deal.pbn import array_of_masks, seat_of
from foogo.errors import ArgumentError, DealError

SIDES = ("NS", "EW")

VULNERABILITIES: dict[str, tuple[int, ...]] = {"none": (), "ns": (0,), "ew": (1,), "both": (0, 1), "all": (0, 1)}
"""The vulnerable sides by name."""

BIDS = [(level, strain) for level in range(1, 8) for strain in range(len(STRAINS))]
"""All bids, the lowest first."""


@dataclass(frozen=True)
class Par:
    """The result of perfect bidding and play.

    Attributes
    ----------
    score
        For north and south.
    contracts
        The contracts that reach it, such as "4S NS +1" or "5Dx EW -2"; "pass" if nobody can make anything.
    """

    score: int
    contracts: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.score:+d} for NS: {', '.join(self.contracts)}"


def score(
    level: SupportsIndex,
    trump: str | SupportsIndex,
    tricks: SupportsIndex,
    *,
    vulnerable: bool = False,
    doubled: SupportsIndex = 0,
) -> int:
    """The declarer's score for a contract.

    Parameters
    ----------
    level
        1 to 7.
    trump
        "C", "D", "H", "S", "NT", or 0 to 4.
    tricks
        The declarer's tricks, 0 to 13.
    vulnerable
        Whether the declarer is vulnerable.
    doubled
        0, 1 (doubled) or 2 (redoubled).

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    References
    ----------
    Laws of Duplicate Bridge 2017, law 77.

    Examples
    --------
    >>> score(4, "S", 10, vulnerable=True), score(3, "NT", 8), score(2, "H", 8, doubled=1)
    (620, -50, 470)
    """
    strain, times = strain_of(trump), whole("doubled", doubled, 0, 2)
    vulnerable = truth("vulnerable", vulnerable)
    tricks, level = whole("tricks", tricks, 0, 13), whole("level", level, 1, 7)
    over = tricks - 6 - level
    if over < 0:
        return -_penalty(-over, vulnerable, times)
    per_trick = 20 if strain < 2 else 30
    points = (per_trick * level + (10 if strain == NOTRUMP else 0)) << times
    bonus = (500 if vulnerable else 300) if points >= 100 else 50
    if level >= 6:
        bonus += (750 if vulnerable else 500) * (2 if level == 7 else 1)
    extra = (100 << times - 1) * (2 if vulnerable else 1) if times else per_trick
    return points + bonus + 50 * times + over * extra


def _penalty(down: int, vulnerable: bool, times: int) -> int:
    if times == 0:
        return down * (100 if vulnerable else 50)
    single = 300 * down - 100 if vulnerable else (100, 300, 500)[down - 1] if down <= 3 else 300 * down - 400
    return single * times


def par(deal: str | ArrayLike, vulnerability: str = "none", *, dealer: str | SupportsIndex = "N") -> Par:
    """The score if both sides know all cards and bid and play as well as possible.

    Each side bids on while that improves its result, and contracts that fail are doubled.

    Parameters
    ----------
    deal
        As in `table`, with 13 cards per hand; or the result of `table`, shape (5, 4).
    vulnerability
        "none", "NS", "EW" or "both", in either case.
    dealer
        The seat that bids first. It matters only if both sides can make the same contract.

    Raises
    ------
    ArgumentError, CardError, DealError
        If an argument is wrong, or the hands do not have 13 cards each.

    Examples
    --------
    >>> suits = [0x1FFF << 13 * suit for suit in (3, 2, 1, 0)]
    >>> print(par(suits, "both"))
    +2210 for NS: 7S NS
    """
    vulnerable, first = vulnerable_sides(vulnerability), seat_of(dealer, "dealer") % 2
    won = _table_of(deal)
    tricks = [[int(max(won[strain, side], won[strain, side + 2])) for strain in range(5)] for side in (0, 1)]

    def result(side: int, level: int, strain: int) -> int:
        """The score of north and south if a side plays a contract."""
        made = tricks[side][strain]
        points = score(level, strain, made, vulnerable=side in vulnerable, doubled=int(made < 6 + level))
        return -points if side else points

    # The outcome of each bid if both sides then do their best, from the highest bid down. `best[side]` is the best that
    # the side reaches with a higher bid. North and south want high scores, east and west low ones.
    signs, worst = (1, -1), 10**6
    best = [-worst, worst]
    final: dict[tuple[int, int, int], int] = {}
    for level, strain in reversed(BIDS):
        values = [
            signs[side] * min(signs[side] * result(side, level, strain), signs[side] * best[1 - side])
            for side in (0, 1)
        ]
        for side in (0, 1):
            final[side, level, strain] = values[side]
            best[side] = signs[side] * max(signs[side] * best[side], signs[side] * values[side])
    passed = signs[1 - first] * max(0, signs[1 - first] * best[1 - first])
    outcome = signs[first] * max(signs[first] * passed, signs[first] * best[first])
    if outcome == 0:
        return Par(0, ("pass",))
    contracts = []
    for side in (0, 1):
        for strain in range(5):
            for level in range(1, 8):
                if result(side, level, strain) == outcome == final[side, level, strain]:
                    contracts.append(_name(side, level, strain, tricks[side][strain]))
                    break
    return Par(outcome, tuple(contracts))


def vulnerable_sides(vulnerability: str) -> tuple[int, ...]:
    """The numbers of the vulnerable sides: 0 for north and south, 1 for east and west.

    Examples
    --------
    >>> vulnerable_sides("both")
    (0, 1)
    """
    if not isinstance(vulnerability, str) or vulnerability.lower() not in VULNERABILITIES:
        raise ArgumentError(f"vulnerability is {vulnerability!r}: it must be none, NS, EW or both")
    return VULNERABILITIES[vulnerability.lower()]


def _table_of(deal: str | ArrayLike) -> Tricks:
    """The table of a full deal, or a checked table."""
    won = array_of_masks(deal)
    if won.shape != (5, 4):
        masks = deal_of(deal)
        if (held := int(masks[0]).bit_count()) != 13:
            raise DealError(f"a hand has {held} card{'s' * (held != 1)}: par is that of a full deal, 13 cards per hand")
        return table(masks)
    if won.dtype.kind not in "iu" or won.min() < 0 or won.max() > 13:
        raise ArgumentError("a table has whole numbers of tricks from 0 to 13")
    return won


def _name(side: int, level: int, strain: int, made: int) -> str:
    over = made - 6 - level
    return f"{level}{STRAINS[strain]}{'x' if over < 0 else ''} {SIDES[side]}{f' {over:+d}' if over else ''}"
