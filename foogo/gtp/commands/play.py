"""Moves, and what is on the board."""

from __future__ import annotations

from foogo.errors import ArgumentError, GtpError, IllegalMoveError
from foogo.game.geometry import WHITE, geometry
from foogo.gtp import arguments
from foogo.gtp.engine import Call
from foogo.gtp.session import Session
from foogo.player import RESIGN


def play(session: Session, call: Call) -> str:
    """Play a move for either colour, in turn or not."""
    words = call.expect(2)
    color, move = arguments.color(words[0]), arguments.move(session, words[1])
    try:
        session.player.play(move, color)
    except IllegalMoveError:
        raise GtpError("illegal move") from None
    return ""


def genmove(session: Session, call: Call) -> str:
    """Find a move and play it."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, arguments.color(word)))


def reg_genmove(session: Session, call: Call) -> str:
    """Find a move."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, arguments.color(word), play=False))


def undo(session: Session, call: Call) -> str:
    """Take the last move back."""
    call.expect(0)
    _undo(session, 1)
    return ""


def gg_undo(session: Session, call: Call) -> str:
    """Take moves back, one if no number is given."""
    words = call.expect(0, 1)
    _undo(session, arguments.whole("moves", words[0], 0, 2**31) if words else 1)
    return ""


def showboard(session: Session, call: Call) -> str:
    """The board, and where the game stands."""
    call.expect(0)
    return f"\n{session.player.game}"


def is_legal(session: Session, call: Call) -> str:
    """1 if a move is legal, else 0."""
    words = call.expect(2)
    color, move = arguments.color(words[0]), arguments.move(session, words[1])
    return str(int(session.player.open_game().is_legal(move, color)))


def all_legal(session: Session, call: Call) -> str:
    """All points that a colour may play."""
    (word,) = call.expect(1)
    return arguments.vertices(session, list(session.player.open_game().legal(arguments.color(word)).search(1)))


def list_stones(session: Session, call: Call) -> str:
    """All stones of a colour."""
    (word,) = call.expect(1)
    return arguments.vertices(session, list(session.player.game.board.stones(arguments.color(word)).search(1)))


def think(session: Session, call: Call, color: int, *, play: bool = True, clean_up: bool = False) -> int:
    """A move of the player, which the controller may ask for at once by an interrupt."""
    move = session.player.genmove(color, play=play, clean_up=clean_up, interrupted=call.is_interrupted)
    if play:
        note_result(session, color, move)
    return move


def note_result(session: Session, color: int, move: int) -> None:
    """Keep who won, if a player gave up."""
    session.result = ("B+R" if color == WHITE else "W+R") if move == RESIGN else ""


def move_text(session: Session, move: int) -> str:
    """A move as the protocol writes it."""
    return "resign" if move == RESIGN else geometry(session.player.size).vertex(move)


def _undo(session: Session, moves: int) -> None:
    if not moves:
        return
    try:
        session.player.undo(moves)
    except ArgumentError:
        played = len(session.player.game.turns)
        raise GtpError(f"cannot undo: {played} move{'' if played == 1 else 's'} to take back") from None
    session.result = ""
