"""Board size, komi, handicap, positions and SGF files."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from foogo.arguments import mode_of, replace_file
from foogo.errors import FoogoError, GtpError, PositionError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from foogo.game.notation import number_text, result_text
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session
from foogo.player.handicap import fixed_handicap as fixed_points
from foogo.player.handicap import free_handicap

CANNOT_LOAD = "cannot load file"


def boardsize(session: Session, call: Call) -> str:
    """Start a game on an empty board of this size."""
    word, *second = call.expect(1, 2)
    rectangular = second and second[0].isdigit() and second[0] != word  # as programs for such boards send them
    if rectangular or not word.isascii() or not word.isdigit() or len(word) > 4:
        raise GtpError("unacceptable size")
    if not MIN_SIZE <= int(word) <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.player.new_game(int(word))
    session.begin_game()
    return ""


def clear_board(session: Session, call: Call) -> str:
    """Start a game on an empty board of the same size."""
    session.player.new_game()
    session.begin_game()
    return ""


def komi(session: Session, call: Call) -> str:
    """Set komi."""
    (word,) = call.expect(1)
    session.player.komi = parsing.number("komi", word)
    return ""


def get_komi(session: Session, call: Call) -> str:
    """Komi."""
    return number_text(session.player.komi)


def fixed_handicap(session: Session, call: Call) -> str:
    """Place handicap stones on the points of a fixed handicap."""
    return _place(session, fixed_points(session.player.size, _handicap_stones(call)))


def place_free_handicap(session: Session, call: Call) -> str:
    """Place handicap stones of foogo's choice."""
    return _place(session, free_handicap(session.player.size, _handicap_stones(call)))


def set_free_handicap(session: Session, call: Call) -> str:
    """Place handicap stones of the controller's choice."""
    words = call.expect(1, MAX_SIZE * MAX_SIZE)
    try:
        points = [parsing.point(session, word) for word in words]
    except GtpError as error:
        raise GtpError(f"bad vertex list: {error}") from None
    area = session.player.size**2
    if not 2 <= len(points) < area or len(set(points)) < len(points):
        raise GtpError(f"bad vertex list: give 2 to {area - 1} points, each once")
    _place(session, points)
    return ""


def set_position(session: Session, call: Call) -> str:
    """Set up a position without history, Black to play."""
    pairs = parsing.pairs(session, call.arguments, passes=False)
    stones = {color: [point for owner, point in pairs if owner == color] for color in (BLACK, WHITE)}
    start_from(session, stones[BLACK], stones[WHITE])
    return ""


def loadsgf(session: Session, call: Call) -> str:
    """Load the main line of an SGF file, up to but not including a move; all of it if it has fewer moves."""
    from foogo.game.sgf import contents_of, read_game

    name, until = _file_and_place(call)
    player = session.player
    try:
        mode = mode_of(Path(name))
        if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a pipe or a device may never end
            raise GtpError(f"{CANNOT_LOAD} {parsing.quoted(name)}: it is not a regular file")
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise GtpError(f"{CANNOT_LOAD} {parsing.quoted(name)}: {_reason(error)}") from None
    try:
        contents = contents_of(data)
        if isinstance(until, int):
            until = min(until, contents.moves + 1)
        game = read_game(data, until=until, rules=None if contents.names_rules else player.ruleset.rules)
    except FoogoError as error:
        raise GtpError(f"{CANNOT_LOAD} {parsing.quoted(name)}: {error}") from None
    if not contents.names_komi:
        game.komi = player.komi
    player.load(game, contents.preset)
    player.forget()  # so that a search, as of a regression test, depends on its position alone
    session.begin_game()
    session.file_name = Path(name).name
    return ""


def printsgf(session: Session, call: Call) -> str:
    """The game as SGF, with its result and comments on foogo's moves; written to a file if one is named."""
    from foogo.game.sgf import write_game

    player = session.player
    names = {color: "foogo" for color in player.colors_played}
    if len(names) == 1 and session.opponent_name:
        names[BLACK + WHITE - next(iter(names))] = session.opponent_name
    data = write_game(
        player.game,
        black=names.get(BLACK, ""),
        white=names.get(WHITE, ""),
        result=session.result or (result_text(player.final_score()) if player.game.is_over else ""),
        comments=player.comments,
    )
    target = _unquoted(call.command.text)
    if target in ("", "-"):
        return data.decode()
    try:
        replace_file(Path(target), data)
    except (OSError, ValueError) as error:
        raise GtpError(f"cannot write {parsing.quoted(target)}: {_reason(error)}") from None
    return ""


def start_from(
    session: Session, black: Sequence[int], white: Sequence[int], to_play: int = BLACK, wrong: str = "bad position"
) -> None:
    """Start a game from a position without history; an error message begins with `wrong`."""
    try:
        board = Board.from_stones(session.player.size, black, white, to_play)
    except PositionError as error:
        raise GtpError(f"{wrong}: {error}") from None
    session.player.set_position(board)
    session.begin_game()


def _handicap_stones(call: Call) -> int:
    (word,) = call.expect(1)
    try:
        return parsing.whole("stones", word, 0, MAX_SIZE * MAX_SIZE)
    except GtpError as error:
        raise GtpError(f"invalid number of stones: {error}") from None


def _place(session: Session, points: Sequence[int]) -> str:
    """Start a game with these handicap stones, White to play; the answer lists them."""
    board = session.player.game.board
    if board.empty.count() < board.size**2:
        raise GtpError("board not empty")
    start_from(session, points, [], WHITE, "bad vertex list")
    return parsing.vertices(session, points)


def _file_and_place(call: Call) -> tuple[str, int | str | None]:
    """The arguments of ``loadsgf``: a file name, which may have spaces or quotes, and a move number or vertex.

    Without quotes, the name is the longest that a file has, or else every word before the last.
    """
    text = call.command.text
    if not text:
        raise GtpError(f"syntax error: give {call.usage}")
    if text.startswith('"') and '"' in text[1:]:
        name, _, rest = text[1:].partition('"')
    else:
        name, _, rest = text.partition(" ")
        head, _, last = text.rpartition(" ")
        if rest and _is_file(text):
            name, rest = text, ""
        elif _is_file(head) or not _is_file(name):
            name, rest = (head, last) if head else (text, "")
    place = (rest.split() or [""])[0]
    if place.isascii() and place.isdigit() and len(place) < 10:
        return name, int(place)
    return name, place or None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _reason(error: OSError | ValueError) -> str:
    """Why a file could not be read or written."""
    return getattr(error, "strerror", None) or str(error)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
