"""Pictures of a deal: text and SVG."""

from __future__ import annotations

from numpy.typing import ArrayLike

from foogo.cards.deal.pbn import SEATS, holding_text, masks_of
from foogo.errors import DealError

SYMBOLS = "♣♦♥♠"
"""The suits, by number."""

_COLUMN = 13
"""The width of West's hand, at least, and of the space before North's and South's."""

_WIDTH, _HEIGHT, _LINE = 480, 350, 22
_PLACES = ((165, 35), (315, 140), (165, 245), (15, 140))
"""The size of an SVG, the height of a line, and the upper left corners of the hands of north, east, south, west."""


def picture(deal: ArrayLike) -> str:
    """A deal as text: North above, West and East beside each other, South below.

    Examples
    --------
    >>> from foogo.cards.deal import from_pbn
    >>> print(picture(from_pbn("N:AKQJ.T98.765.432 T987.AKQ.JT9.765 6543.65.AKQ.AKQJ 2.J7432.8432.T98")))
                 ♠ AKQJ
                 ♥ T98
                 ♦ 765
                 ♣ 432
    ♠ 2                       ♠ T987
    ♥ J7432         N         ♥ AKQ
    ♦ 8432        W   E       ♦ JT9
    ♣ T98           S         ♣ 765
                 ♠ 6543
                 ♥ 65
                 ♦ AKQ
                 ♣ AKQJ
    """
    north, east, south, west = _lines(deal)
    width = max(_COLUMN, 1 + max(map(len, west)))
    indent = " " * width
    compass = ("", "N", "W   E", "S")
    middle = [
        left.ljust(width) + mark.center(7).ljust(_COLUMN) + right
        for left, mark, right in zip(west, compass, east, strict=True)
    ]
    return "\n".join([*(indent + line for line in north), *middle, *(indent + line for line in south)])


def svg(deal: ArrayLike) -> str:
    """A deal as the text of an SVG picture.

    Examples
    --------
    >>> from foogo.cards.deal import from_pbn
    >>> svg(from_pbn("N:AKQJ.T98.765.432 T987.AKQ.JT9.765 6543.65.AKQ.AKQJ 2.J7432.8432.T98"))[:4]
    '<svg'
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        'font-family="sans-serif" font-size="17">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        '<rect x="165" y="125" width="120" height="90" rx="6" fill="#276749"/>',
    ]
    for letter, x, y in zip(SEATS, (225, 273, 225, 177), (144, 176, 208, 176), strict=True):
        parts.append(f'<text x="{x}" y="{y}" text-anchor="middle" fill="#fff" font-size="14">{letter}</text>')
    for (x, y), lines in zip(_PLACES, _lines(deal), strict=True):
        for row, line in enumerate(lines):
            color = "#c0262d" if line[0] in "♥♦" else "#1a1a1a"
            symbol = f'<tspan fill="{color}">{line[0]}</tspan>'
            parts.append(f'<text x="{x}" y="{y + _LINE * row}">{symbol}{line[1:]}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _lines(deal: ArrayLike) -> list[list[str]]:
    """The four lines of each hand, spades first."""
    hands = masks_of(deal)
    if hands.shape != (4,):
        raise DealError(f"a picture shows one deal of the shape (4,), not {hands.shape}")
    return [[f"{SYMBOLS[suit]} {holding_text(int(hand), suit) or '-'}" for suit in (3, 2, 1, 0)] for hand in hands]
