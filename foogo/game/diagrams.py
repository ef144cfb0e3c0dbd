"""Positions as text and as pictures, and positions read from text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foogo.errors import PositionError
from foogo.game.geometry import BLACK, COLOR_NAMES, COLUMN_LETTERS, EMPTY, MAX_SIZE, MIN_SIZE, PASS, WHITE, geometry

SYMBOLS = {
    "." : EMPTY, "+": EMPTY,
    "X": BLACK, "x": BLACK, "#": BLACK,
    "O": WHITE, "o": WHITE,
}  # fmt: skip

WORD = re.compile("[^\\W\\dXxOo_]{3}")
"""What no row of a diagram has, but the lines around one do: three letters, none of them a stone."""

RING = {EMPTY: "#b02020", BLACK: "#f5f5f5", WHITE: "#111111"}
"""The colour of the ring around the last move, by the colour of the stone there now."""

PIXELS = 24
"""The distance between two lines of a picture."""


def draw_text(size: int, colors: Sequence[int], last_move: int | None) -> str:
    """The board as text: the top row first, with coordinates, and the last move in brackets.

    `colors` has the colour of each point; `last_move` is a point, PASS or None.
    """
    stars = geometry(size).star_points
    letters = "   " + " ".join(COLUMN_LETTERS[:size])
    lines = [letters]
    for row in reversed(range(size)):
        line = f"{row + 1:2d} "
        for point in range(row * size, (row + 1) * size):
            sign = "+" if colors[point] == EMPTY and point in stars else ".XO"[colors[point]]
            line += sign + ("(" if point + 1 == last_move and (point + 1) % size else " ")
            if point == last_move:
                opening = len(line) - 3
                line = f"{line[:opening]}({sign})"
        lines.append(f"{line} {row + 1}")
    return "\n".join([*lines, letters])


def heat_color(share: float, cold: tuple[int, int, int], hot: tuple[int, int, int]) -> str:
    """The colour on the line from `cold` for 0 to `hot` for 1, as "#rrggbb"."""
    mixed = (round(low * (1 - share) + high * share) for low, high in zip(cold, hot, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def read_text(text: str) -> tuple[int, list[int], int | None]:
    """The size, the colour of each point, and the bracketed point or None; coordinates and blanks are optional.

    Raises
    ------
    PositionError
        If a character is unknown, the rows are not a square of 2 to 19, or a coordinate is out of place.
    """
    if not isinstance(text, str):
        raise PositionError(f"a diagram is text, not {type(text).__name__}")
    rows, labels, last_move = [], [], None
    for line in text.splitlines():
        bare = "".join(line.split())
        if bare and not (bare[0] == "A" and COLUMN_LETTERS.startswith(bare)):
            if WORD.search(bare):
                raise PositionError(f"{line.strip()[:80]!r} is not a row of the diagram: give only the board's rows")
            match = re.fullmatch(r"(\d*)([^\d]*)(\d*)", bare)
            rows.append(match[2] if match else bare)
            labels.append((match[1], match[3]) if match else ("", ""))
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise PositionError(f"the diagram has {size} rows: a board has {MIN_SIZE} to {MAX_SIZE}")
    colors = [EMPTY] * (size * size)
    for line_number, (signs, row_labels) in enumerate(zip(rows, labels, strict=True)):
        row = size - 1 - line_number
        for label in row_labels:
            if label and int(label) != row + 1:
                raise PositionError(f"row {row + 1} of the diagram is labelled {label}: the top row is {size}")
        plain, marked = _without_brackets(signs, row + 1)
        if len(plain) != size:
            raise PositionError(
                f"row {row + 1} of the diagram has {len(plain)} points: with {size} rows each needs {size}"
            )
        for col, sign in enumerate(plain):
            if sign not in SYMBOLS:
                raise PositionError(
                    f"character {sign!r} in row {row + 1} of the diagram: points are . or + (empty), "
                    "X, x or # (black), O or o (white)"
                )
            colors[row * size + col] = SYMBOLS[sign]
        if marked is not None:
            if last_move is not None:
                raise _bad_brackets(row + 1)
            last_move = row * size + marked
    return size, colors, last_move


def _without_brackets(signs: str, row_number: int) -> tuple[str, int | None]:
    """The signs of a row, and the index of the sign in brackets."""
    parts = re.fullmatch(r"([^()]*)\(([^()])\)([^()]*)", signs)
    if parts:
        return parts[1] + parts[2] + parts[3], len(parts[1])
    if "(" in signs or ")" in signs:
        raise _bad_brackets(row_number)
    return signs, None


def _bad_brackets(row_number: int) -> PositionError:
    return PositionError(f"brackets in row {row_number} of the diagram: they mark one point, the last move")


def draw_svg(size: int, colors: Sequence[int], last_move: int | None) -> str:
    """The board as an SVG picture; the arguments are as for `draw_text`."""
    width = (size + 2) * PIXELS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 2} {size + 2}" '
        f'width="{width}" height="{width}" role="img" aria-label="{_label(size, colors, last_move)}">',
        "<defs>"
        '<radialGradient id="foogo-black" cx="0.35" cy="0.3" r="0.8">'
        '<stop offset="0" stop-color="#6a6a6a"/><stop offset="1" stop-color="#0c0c0c"/></radialGradient>'
        '<radialGradient id="foogo-white" cx="0.35" cy="0.3" r="0.8">'
        '<stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#cfcac0"/></radialGradient>'
        "</defs>",
        f'<rect width="{size + 2}" height="{size + 2}" rx="0.2" fill="#dcb35c"/>',
        _grid(size),
        _coordinates(size),
    ]
    for point in geometry(size).star_points:
        parts.append(f'<circle {_center(size, point)} r="0.1" fill="#3a2a10"/>')
    for point, color in enumerate(colors):
        if color != EMPTY:
            fill = f'fill="url(#foogo-{COLOR_NAMES[color]})" stroke="#2a2a2a" stroke-width="0.02"'
            parts.append(f'<circle {_center(size, point)} r="0.47" {fill}/>')
    if last_move is not None and last_move != PASS:
        ring = f'fill="none" stroke="{RING[colors[last_move]]}" stroke-width="0.07"'
        parts.append(f'<circle {_center(size, last_move)} r="0.24" {ring}/>')
    return "".join([*parts, "</svg>"])


def _center(size: int, point: int) -> str:
    """The centre of a circle on a point, in lines from the left and upper edges."""
    row, col = divmod(point, size)
    return f'cx="{col + 1.5}" cy="{size - row + 0.5}"'


def _label(size: int, colors: Sequence[int], last_move: int | None) -> str:
    """The picture in words, for screen readers."""
    black, white = (list(colors).count(color) for color in (BLACK, WHITE))
    last = "" if last_move is None else f", last move {geometry(size).vertex(last_move)}"
    return f"{size}x{size} Go board, {black} black and {white} white stones{last}"


def _grid(size: int) -> str:
    low, high = 1.5, size + 0.5
    lines = "".join(f"M{low} {low + i}H{high}M{low + i} {low}V{high}" for i in range(size))
    return f'<path d="{lines}" stroke="#3a2a10" stroke-width="0.04" stroke-linecap="square" fill="none"/>'


def _coordinates(size: int) -> str:
    texts = []
    for i in range(size):
        for y in (0.5, size + 1.5):
            texts.append(f'<text x="{i + 1.5}" y="{y}">{COLUMN_LETTERS[i]}</text>')
        for x in (0.5, size + 1.5):
            texts.append(f'<text x="{x}" y="{size - i + 0.5}">{i + 1}</text>')
    return (
        '<g font-family="sans-serif" font-size="0.45" fill="#3a2a10" text-anchor="middle" '
        f'dominant-baseline="central">{"".join(texts)}</g>'
    )
