"""GoGui's extensions."""

from __future__ import annotations

from foogo.errors import GtpError, IllegalMoveError
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.replay import replay
from foogo.gtp import parsing
from foogo.gtp.commands.setup import start_from
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session

ANALYZE = (
    "cboard/Win Share/foogo-win_share",
    "sboard/Visits/foogo-visits",
    "dboard/Ownership/foogo-ownership",
    "plist/Playable Points/foogo-playable %c",
    "sboard/First Move/foogo-first_move",
    "hstring/Strings/foogo-strings",
    "sboard/Liberties/foogo-liberties",
    "hstring/Playouts/foogo-playouts 10000",
    "plist/Legal Points/all_legal %c",
    "string/Final Score/final_score",
    "hpstring/Dead Stones/final_status_list dead",
    "string/Explain Last Move/gomill-explain_last_move",
    "param/Parameters/foogo-param",
)
"""Type, label and command of each entry in GoGui's dialog."""


def gogui_analyze_commands(session: Session, call: Call) -> str:
    """The entries of GoGui's analysis dialog."""
    return "\n".join(ANALYZE)


def gogui_title(session: Session, call: Call) -> str:
    """The loaded file and the opponent; an error if there is neither, as GoGui then shows its own file."""
    against = f"foogo against {session.opponent_name}" if session.opponent_name else ""
    title = ", ".join(part for part in (session.file_name, against) if part)
    if not title:
        raise GtpError("no title: no file was loaded, and no opponent was named")
    return title


def gogui_interrupt(session: Session, call: Call) -> str:
    """Says that the comment ``# interrupt`` stops a search."""
    return ""


def gogui_play_sequence(session: Session, call: Call) -> str:
    """Play moves, all or none."""
    moves = parsing.pairs(session, call.arguments, passes=True)
    player = session.player
    tried = player.game.copy()  # undo would not end a game again that the first move resumes
    try:
        for color, move in moves:
            if tried.is_over:
                tried.resume()
            tried.play(move, color)
    except IllegalMoveError:
        raise GtpError("illegal move") from None
    for color, move in moves:
        player.play(move, color)
    session.result = ""
    return ""


def gogui_setup(session: Session, call: Call) -> str:
    """Put stones on the board or remove them; the resulting position has no history."""
    words = call.arguments
    if len(words) % 2:
        raise GtpError(f"syntax error: give {call.usage}")
    before = session.player.game
    stones = before.board.to_array().ravel().tolist()
    for word, vertex in zip(words[::2], words[1::2], strict=True):
        color = EMPTY if word.lower() in ("e", "empty") else parsing.color(word)
        stones[parsing.point(session, vertex)] = color
    black, white = ([point for point, stone in enumerate(stones) if stone == color] for color in (BLACK, WHITE))
    file_name = session.file_name
    start_from(session, black, white, before.board.to_play)
    session.before_setup, session.file_name = before, file_name
    return ""


def gogui_undo_setup(session: Session, call: Call) -> str:
    """Undo the last ``gogui-setup``; komi and rules stay, as by ``undo``."""
    if session.before_setup is None:
        raise GtpError("cannot undo setup: there was no gogui-setup")
    player = session.player
    try:
        game = replay(session.before_setup, player.ruleset.rules)
    except IllegalMoveError as error:
        raise GtpError(f"cannot undo setup: the game before violates the rules: {error}") from None
    game.komi = player.komi
    player.load(game)
    session.before_setup = None
    return ""


def gogui_setup_player(session: Session, call: Call) -> str:
    """Set the player to move."""
    (word,) = call.expect(1)
    session.player.set_turn(parsing.color(word))
    return ""
