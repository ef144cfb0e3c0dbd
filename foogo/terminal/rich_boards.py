"""Boards and hints for a terminal: in colour if the terminal supports it, else as plain diagrams."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from foogo.game.board import Board
from foogo.game.diagrams import draw_text, heat_color
from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, geometry
from foogo.game.notation import signed
from foogo.search.result import SearchResult
from foogo.stats.percent import percent

NAMES = {BLACK: "Black", WHITE: "White"}
WOOD, LINE = "#dcb35c", "#8a6a2c"  # colours of the board
STONES = {BLACK: "bold #000000", WHITE: "bold #ffffff"}  # styles of the stones
LAST = "bold #b02020"  # style of the brackets around the last move
COLD, HOT = (220, 179, 92), (40, 150, 70)  # colours of a move without visits and of the most visited move
SHOWN_VISITS = 0.01  # a hint is shown if the move has at least this share of the most visited move's visits


def has_colors(console: Console) -> bool:
    """Whether a console shows colours: it is a terminal with colours, and NO_COLOR is not set."""
    return console.color_system is not None and not console.no_color


def legend_text(console: Console) -> Text:
    """What the signs on a board mean."""
    if not has_colors(console):
        return Text("X Black, O White, ( ) the last move")
    text = Text()
    for color, name in ((BLACK, "Black"), (WHITE, "White")):
        text.append(" ● ", f"{STONES[color]} on {WOOD}").append(f" {name}  ")
    return (
        text.append("(", f"{LAST} on {WOOD}")
        .append("●", f"{STONES[WHITE]} on {WOOD}")
        .append(")", f"{LAST} on {WOOD}")
        .append(" the last move")
    )


def board_text(board: Board, console: Console) -> Text:
    """The board with coordinates and the last move in brackets; without colours, as `print(board)` shows it."""
    plain = draw_text(board.size, board.to_array().ravel().tolist(), board.last_move)
    if not has_colors(console):
        return Text(plain)
    lines = plain.splitlines()
    drawn = [Text(lines[0])]
    for line in lines[1:-1]:
        row = Text(line[:2])
        for character in line[2 : 3 + 2 * board.size]:
            row.append(*_painted(character))
        drawn.append(row.append(line[3 + 2 * board.size :]))
    return Text("\n").join([*drawn, Text(lines[-1])])


def _painted(character: str) -> tuple[str, str]:
    """A character of a diagram as shown in colour, and its style."""
    if character in "XO":
        return "●", f"{STONES[BLACK if character == 'X' else WHITE]} on {WOOD}"
    return character, f"{LAST if character in '()' else LINE} on {WOOD}"


def hint_text(result: SearchResult, console: Console) -> Text:
    """The board with the win share of each searched move in percent for the player to move, greener for more visits."""
    size, colors = result.size, result.colors.ravel().tolist()
    shares = {
        int(row["move"]): (float(row["win_share"]), int(row["visits"])) for row in result.moves if row["visits"] > 0
    }
    most = max((visits for _, visits in shares.values()), default=1)
    letters = "   " + " ".join(letter.rjust(2) for letter in geometry(size).letters)
    drawn = [Text(letters)]
    for row in reversed(range(size)):
        line = Text(f"{row + 1:2d} ")
        for point in range(row * size, (row + 1) * size):
            share, visits = shares.get(point, (0.0, 0))
            if colors[point] != EMPTY:
                sign, style = ".XO"[colors[point]].rjust(2), f"on {WOOD}"
                if has_colors(console):
                    sign, style = " ●", f"{STONES[colors[point]]} on {WOOD}"
            elif visits >= SHOWN_VISITS * most:
                color = heat_color((visits / most) ** 0.5, COLD, HOT)
                sign, style = f"{min(99, round(100 * share)):2d}", f"bold #000000 on {color}"
            else:
                sign, style = " .", f"{LINE} on {WOOD}"
            line.append(sign, style).append(" ", f"on {WOOD}")
        drawn.append(line.append(f" {row + 1}"))
    return Text("\n").join([*drawn, Text(letters)])


def hint_legend(result: SearchResult, console: Console) -> str:
    """What the numbers and colours of `hint_text` mean."""
    numbers = f"numbers: {NAMES[result.to_play]}'s win share in % after the move"
    return f"{numbers}; greener: more visits" if has_colors(console) else numbers


def hint_lines(result: SearchResult, count: int = 3) -> list[str]:
    """The best move and the most visited other moves, with the win share, lead and variation of the player to move.

    Only the best move if the result is known without a search.
    """
    searched = result.moves["visits"].any()
    vertex = geometry(result.size).vertex
    rows = list(zip(result.moves, result.variations, strict=True))[: count if searched else 1]
    return [
        f"{vertex(row['move']):4} {percent(row['win_share'], 0):>6}  {signed(row['score']):>5} points  "
        + " ".join(map(vertex, variation[:8]))
        for row, variation in rows
        if row["visits"] > 0 or not searched
    ]


def move_sentence(size: int, color: int, move: int) -> str:
    """A move as a sentence: Black plays E5, White passes."""
    name = NAMES[color]
    return f"{name} passes" if move == PASS else f"{name} plays {geometry(size).vertex(move)}"
