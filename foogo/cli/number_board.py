"""A board with a number on each point, in colour if stdout is a terminal with at least 256 colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foogo.cli.console import width_of_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOW, MIDDLE, HIGH = (140, 110, 190), (247, 247, 247), (240, 140, 40)
"""Colours of the least value, of the mean and of the greatest: purple, white and orange, as in the heat maps."""


LEFT, RIGHT = 3, 4  # columns of the coordinates beside a board


def board_of_numbers(values: NDArray[np.float64]) -> str:
    """A board with a number on each point, and coordinates around it.

    Where that is too wide for a terminal, the numbers are whole; where it still is, no coordinates are on the right.

    Row 0 is at the bottom; NaN is drawn as a dot.

    Examples
    --------
    >>> import numpy as np
    >>> print(board_of_numbers(np.array([[1.0, -2.5], [np.nan, 10.0]])))
          A    B
     2    .   10.0  2
     1   1.0  -2.5  1
          A    B
    """
    texts = _texts(values)
    names = _letters(texts)
    lines = [f"{row + 1:>2} {''.join(texts[row])}{_right(texts, row)}" for row in reversed(range(len(texts)))]
    return "\n".join([names, *lines, names])


def print_board_of_numbers(values: NDArray[np.float64]) -> None:
    """Print `board_of_numbers`, coloured orange above the mean of the points and purple below.

    Without colours if stdout is not a terminal that has the 256 of xterm: of 16, orange and purple are both grey.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console()
    if console.color_system not in ("256", "truecolor") or console.no_color:
        print(board_of_numbers(values))
        return
    import numpy as np

    from foogo.game.diagrams import heat_color

    texts, mean = _texts(values), float(np.nanmean(values))
    spread = float(np.nanmax(np.abs(values - mean))) or 1.0
    board = Text(_letters(texts))
    for row in reversed(range(len(texts))):
        board.append(f"\n{row + 1:>2} ")
        for text, value in zip(texts[row], values[row].tolist(), strict=True):
            share = (value - mean) / spread
            color = heat_color(abs(share), MIDDLE, HIGH if share > 0 else LOW) if value == value else None
            board.append(text, f"#000000 on {color}" if color else "")
        board.append(_right(texts, row))
    board.append(f"\n{_letters(texts)}\n\norange: above the mean of the points, {mean:.1f}; purple: below")
    console.print(board, highlight=False, soft_wrap=True)


def _texts(values: NDArray[np.float64]) -> list[list[str]]:
    """The number on each point, all of one width, which leaves a space before the longest."""
    size = len(values)
    for decimals in (1, 0):
        texts = [["." if value != value else _shown(value, decimals) for value in row] for row in values.tolist()]
        width = max(len(text) for row in texts for text in row) + 1
        if LEFT + size * width + RIGHT <= width_of_output():
            break
    return [[text.rjust(width) for text in row] for row in texts]


def _shown(value: float, decimals: int) -> str:
    """The number without a sign on zero."""
    text = f"{value:.{decimals}f}"
    return text if text.strip("-0.") else text.lstrip("-")


def _right(texts: list[list[str]], row: int) -> str:
    """The number of a row on the right, if there is room."""
    return f"  {row + 1}" if LEFT + sum(map(len, texts[row])) + RIGHT <= width_of_output() else ""


def _letters(texts: list[list[str]]) -> str:
    """The letters of the columns."""
    from foogo.game.geometry import geometry

    return "   " + "".join(letter.rjust(len(texts[0][0])) for letter in geometry(len(texts)).letters)
