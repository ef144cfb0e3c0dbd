"""The ``foogo-`` commands: playouts, parameters, and maps for GoGui's dialog."""

from __future__ import annotations

import math
from collections.abc import Sequence

from foogo.game.diagrams import heat_color
from foogo.game.geometry import BLACK, COLOR_NAMES, WHITE, geometry
from foogo.gtp import parsing
from foogo.gtp.commands.administrative import get_random_seed, set_random_seed
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session
from foogo.player.life_and_death import strings_of

MOST_PLAYOUTS = 10**9

FIRST_MOVE_PLAYOUTS = 2000  # playouts per first move if no number is given
BLUE, RED = (0, 64, 255), (255, 64, 0)  # the colours of the worst and of the best move
NOTHING = '""'  # an empty point in GoGui's format


def foogo_playouts(session: Session, call: Call) -> str:
    """Statistics of playouts from the position, with the player's policy and seed."""
    from foogo.playout.simulate import simulate

    words = call.expect(1, 2)
    count = parsing.whole("N", words[0], 1, MOST_PLAYOUTS)
    player = session.player
    options = player.options
    threads = parsing.whole("threads", words[1], 1, 1024) if len(words) > 1 else options.threads
    board, suicide = player.open_game().board, player.ruleset.rules.suicide
    run = simulate(board, count, seed=options.seed, suicide=suicide, threads=threads, policy=options.policy)
    error = 0.0 if math.isnan(run.se_score) else run.se_score
    lines = (
        f"playouts: {run.n}",
        f"mean lead: {run.mean_score:+.3f} +- {error:.3f}",
        f"win share: {run.win_share(player.total_komi):.4f}",
        f"moves: {run.mean_moves:.2f}",
        f"cut: {run.cut}",
    )
    return "\n".join(lines)


def foogo_seed(session: Session, call: Call) -> str:
    """The seed, or set the seed."""
    return set_random_seed(session, call) if call.expect(0, 1) else get_random_seed(session, call)


def foogo_param(session: Session, call: Call) -> str:
    """All parameters, one parameter, or set a parameter."""
    from foogo.gtp.parameters import all_parameters, parameter, with_parameter

    words = call.expect(0, 2)
    player = session.player
    if not words:
        return "\n".join(f"{name} {value}" for name, value in all_parameters(player.options).items())
    if len(words) == 1:
        return parameter(player.options, words[0])
    value = _file_name(call.command.text.partition(" ")[2].strip(" ")) if words[0] == "book" else words[1]
    player.options = with_parameter(player.options, words[0], value)
    return ""


def _file_name(text: str) -> str:
    """The value of `book`: "none", "shipped", or the name of a file, which may have spaces and be in double quotes."""
    if text.startswith('"') and '"' in text[1:]:
        return text[1:].partition('"')[0]
    first = text.partition(" ")[0]
    return first if first in ("none", "shipped") else text


def foogo_win_share(session: Session, call: Call) -> str:
    """Win shares of the moves as colours, from blue for the lowest to red for the highest."""
    result = session.player.look()
    shares = {int(row["move"]): float(row["win_share"]) for row in result.moves if row["visits"] and row["move"] >= 0}
    low, high = min(shares.values(), default=0.0), max(shares.values(), default=1.0)
    span = high - low or 1.0
    size = session.player.size
    colors = {point: heat_color((share - low) / span, BLUE, RED) for point, share in shares.items()}
    return _board(size, [colors.get(point, NOTHING) for point in range(size * size)])


def foogo_visits(session: Session, call: Call) -> str:
    """Visits of the moves, in thousands above 9999."""
    visits = {int(row["move"]): int(row["visits"]) for row in session.player.look().moves if row["visits"]}
    size = session.player.size
    return _board(size, [_short(visits[point]) if point in visits else NOTHING for point in range(size * size)])


def foogo_ownership(session: Session, call: Call) -> str:
    """Ownership of the points, from -1 for White to 1 for Black."""
    owned = session.player.judge().ownership.ravel().tolist()
    return _board(session.player.size, [f"{one + 0.0:.2f}" for one in owned])


def foogo_playable(session: Session, call: Call) -> str:
    """Points that a colour may play in a playout; by default the player to move."""
    words = call.expect(0, 1)
    color = parsing.color(words[0]) if words else session.player.game.to_play
    return parsing.vertices(session, list(session.player.game.board.playable(color).search(1)))


def foogo_first_move(session: Session, call: Call) -> str:
    """Black's mean lead before komi after each first move, from random playouts."""
    from foogo.study.first_move import first_move

    words = call.expect(0, 1)
    count = parsing.whole("playouts", words[0], 2, MOST_PLAYOUTS) if words else FIRST_MOVE_PLAYOUTS
    player = session.player
    options, size = player.options, player.size
    suicide = player.ruleset.rules.suicide
    study = first_move(size, count, seed=options.seed, threads=options.threads, suicide=suicide, by_point=True)
    return _board(size, [f"{lead:.1f}" for lead in study.mean_scores().ravel().tolist()])


def foogo_strings(session: Session, call: Call) -> str:
    """All strings with their colour, stones and liberties, one per line."""
    board, lines = session.player.game.board, []
    for color, stones in strings_of(board):
        liberties = list(board.liberties_at(stones[0]).search(1))
        count = f"{len(liberties)} libert{'y' if len(liberties) == 1 else 'ies'}"
        places = f"{parsing.vertices(session, stones)} ({count}: {parsing.vertices(session, liberties)})"
        lines.append(f"{COLOR_NAMES[color]} {places}")
    return "\n".join(lines)


def foogo_liberties(session: Session, call: Call) -> str:
    """The number of liberties of the string on each point."""
    board = session.player.game.board
    counts = [
        str(board.liberties_at(point).count()) if board.color_at(point) in (BLACK, WHITE) else NOTHING
        for point in range(board.size**2)
    ]
    return _board(board.size, counts)


def _board(size: int, cells: Sequence[str]) -> str:
    """A text per point in GoGui's format, top row first."""
    assert len(cells) == geometry(size).area
    rows = [" ".join(cells[row * size : (row + 1) * size]) for row in reversed(range(size))]
    return "\n" + "\n".join(rows)


def _short(visits: int) -> str:
    return str(visits) if visits < 10_000 else f"{visits // 1000}k"
