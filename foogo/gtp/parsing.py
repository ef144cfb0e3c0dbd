"""Arguments of commands as colours, points and numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from foogo.errors import GtpError, VertexError
from foogo.game.geometry import BLACK, WHITE, geometry

if TYPE_CHECKING:
    from foogo.gtp.session import Session

COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
"""The words for `foogo.game.geometry.BLACK` and `WHITE`."""


def quoted(word: str) -> str:
    """A word in quotes for a message, truncated if it is long."""
    return repr(word if len(word) <= 40 else f"{word[:37]}...")


def color(word: str) -> int:
    """The colour that a word names."""
    found = COLORS.get(word.lower())
    if found is None:
        raise GtpError(f"invalid color {quoted(word)}: give black, b, white or w")
    return found


def whole(name: str, word: str, low: int, high: int) -> int:
    """A whole number in a range."""
    number = int(word) if re.fullmatch(r"[+-]?[0-9]{1,20}", word) else None
    if number is None or not low <= number <= high:
        raise GtpError(f"{name} is {quoted(word)}: it must be a whole number from {low} to {high}")
    return number


def number(name: str, word: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite number in a range."""
    try:
        value = float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or not low <= value <= high:
        limits = "" if low == -math.inf else f" from {low:g} to {high:g}"
        raise GtpError(f"{name} is {quoted(word)}: it must be a number{limits}")
    return value


def truth(name: str, word: str) -> bool:
    """A boolean: true, false, 1 or 0."""
    if word.lower() not in ("true", "false", "1", "0"):
        raise GtpError(f"{name} is {quoted(word)}: give true or false")
    return word.lower() in ("true", "1")


def move(session: Session, word: str) -> int:
    """The point that a vertex names, or PASS."""
    try:
        return geometry(session.player.size).point(word[:80])
    except VertexError as error:
        raise GtpError(f"invalid coordinate: {error}") from None


def point(session: Session, word: str) -> int:
    """The point that a vertex other than a pass names."""
    found = move(session, word)
    if found < 0:
        raise GtpError(f"invalid coordinate {quoted(word)}: a pass is not a point on the board")
    return found


def pairs(session: Session, words: Sequence[str], *, passes: bool) -> list[tuple[int, int]]:
    """Alternating colours and vertices; `passes` says whether passes are allowed."""
    if len(words) % 2:
        raise GtpError("syntax error: give alternating colors and vertices")
    read = move if passes else point
    return [(color(words[i]), read(session, words[i + 1])) for i in range(0, len(words), 2)]


def vertices(session: Session, points: Sequence[int]) -> str:
    """Points as text, separated by spaces."""
    return " ".join(map(geometry(session.player.size).vertex, points))
