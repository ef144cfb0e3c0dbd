"""Words of commands as colours, points and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from foogo.errors import GtpError

if TYPE_CHECKING:
    from foogo.gtp.session import Session

COLORS = {"b": 1, "black": 1, "w": 2, "white": 2}
"""The words for `foogo.game.geometry.BLACK` and `WHITE`, which it would take NumPy to import."""


def shown(word: str) -> str:
    """A word as a message quotes it: not more than its beginning."""
    return repr(word if len(word) <= 40 else f"{word[:37]}...")


def color(word: str) -> int:
    """The colour that a word says.

    Examples
    --------
    >>> color("W"), color("black")
    (2, 1)
    """
    found = COLORS.get(word.lower())
    if found is None:
        raise GtpError(f"invalid color {shown(word)}: give black, b, white or w")
    return found


def whole(name: str, word: str, low: int, high: int) -> int:
    """A whole number in a range."""
    number = int(word) if word.isascii() and word.lstrip("+-").isdigit() and len(word) <= 20 else None
    if number is None or not low <= number <= high:
        raise GtpError(f"{name} is {shown(word)}: it must be a whole number from {low} to {high}")
    return number


def number(name: str, word: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite number in a range."""
    try:
        value = float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or not low <= value <= high:
        limits = "" if low == -math.inf else f" from {low:g} on" if high == math.inf else f" from {low:g} to {high:g}"
        raise GtpError(f"{name} is {shown(word)}: it must be a number{limits}")
    return value


def truth(name: str, word: str) -> bool:
    """True or false."""
    if word.lower() not in ("true", "false", "1", "0"):
        raise GtpError(f"{name} is {shown(word)}: give true or false")
    return word.lower() in ("true", "1")


def move(session: Session, word: str) -> int:
    """The point of a vertex, or PASS."""
    from foogo.errors import VertexError
    from foogo.game.geometry import geometry

    try:
        return geometry(session.player.size).point(word[:80])
    except VertexError as error:
        raise GtpError(f"invalid coordinate: {error}") from None


def point(session: Session, word: str) -> int:
    """The point of a vertex that is no pass."""
    found = move(session, word)
    if found < 0:
        raise GtpError(f"invalid coordinate {shown(word)}: a pass is no point of the board")
    return found


def pairs(session: Session, words: Sequence[str], *, passes: bool) -> list[tuple[int, int]]:
    """Colours and points in turn, passes allowed or not."""
    if len(words) % 2:
        raise GtpError("syntax error: give colors and vertices in turn")
    read = move if passes else point
    return [(color(words[i]), read(session, words[i + 1])) for i in range(0, len(words), 2)]


def vertices(session: Session, points: Sequence[int]) -> str:
    """Points as text, apart by spaces."""
    from foogo.game.geometry import geometry

    return " ".join(map(geometry(session.player.size).vertex, points))
