"""Playing and generating moves, and looking at the board."""

from __future__ import annotations

from foogo.errors import ArgumentError, GtpError, IllegalMoveError
from foogo.game.geometry import WHITE, geometry
from foogo.game.notation import counted, result_text
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session
from foogo.player.decision import RESIGN


def play(session: Session, call: Call) -> str:
    """Play a move for either colour, in turn or not."""
    words = call.expect(2)
    color, move = parsing.color(words[0]), parsing.move(session, words[1])
    try:
        session.player.play(move, color)
    except IllegalMoveError:
        raise GtpError("illegal move") from None
    session.result = ""  # of a resignation, or of a server: the game continues
    return ""


def genmove(session: Session, call: Call) -> str:
    """Choose a move and play it."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, parsing.color(word)))


def reg_genmove(session: Session, call: Call) -> str:
    """Choose a move without playing it."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, parsing.color(word), play=False))


def undo(session: Session, call: Call) -> str:
    """Undo the last move."""
    _undo(session, 1)
    return ""


def gg_undo(session: Session, call: Call) -> str:
    """Undo a number of moves, by default one."""
    words = call.expect(0, 1)
    _undo(session, parsing.whole("moves", words[0], 0, 2**31) if words else 1)
    return ""


def showboard(session: Session, call: Call) -> str:
    """The board and the state of the game; its result is that of ``final_score``."""
    game, text = session.player.game, str(session.player.game)
    if game.is_over:
        text = text.removesuffix(game.result()) + result_text(session.player.final_score())
    return f"\n{text}"


def is_legal(session: Session, call: Call) -> str:
    """1 if a move is legal, else 0."""
    words = call.expect(2)
    color, move = parsing.color(words[0]), parsing.move(session, words[1])
    return str(int(session.player.open_game().is_legal(move, color)))


def all_legal(session: Session, call: Call) -> str:
    """All points that a colour may play."""
    (word,) = call.expect(1)
    return parsing.vertices(session, list(session.player.open_game().legal(parsing.color(word)).search(1)))


def list_stones(session: Session, call: Call) -> str:
    """All stones of a colour."""
    (word,) = call.expect(1)
    return parsing.vertices(session, list(session.player.game.board.stones(parsing.color(word)).search(1)))


def think(session: Session, call: Call, color: int, *, play: bool = True, clean_up: bool = False) -> int:
    """Have the player choose a move; the controller may interrupt the search."""
    move = session.player.genmove(color, play=play, clean_up=clean_up, interrupted=call.is_interrupted)
    if play:
        note_result(session, color, move)
    return move


def note_result(session: Session, color: int, move: int) -> None:
    """Note the result if the player resigned."""
    session.result = ("B+R" if color == WHITE else "W+R") if move == RESIGN else ""


def move_text(session: Session, move: int) -> str:
    """A move in the format of the protocol."""
    return "resign" if move == RESIGN else geometry(session.player.size).vertex(move)


def _undo(session: Session, moves: int) -> None:
    if not moves:
        return
    try:
        session.player.undo(moves)
    except ArgumentError:
        played = len(session.player.game.turns)
        raise GtpError(f"cannot undo: {counted(played, 'move')} to take back") from None
    session.result = ""
