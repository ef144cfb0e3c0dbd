"""Game records in SGF: games read from files, games written, and comments added to files.

sgfmill does the parsing; docs/reference/sgf.md says which properties are read and written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, SupportsIndex

from sgfmill import sgf

from foogo import __version__
from foogo.arguments import whole_number
from foogo.errors import ArgumentError, IllegalMoveError, PositionError, SgfError, VertexError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, geometry, opponent
from foogo.game.notation import counted, number_text
from foogo.game.rules import PRESETS, Rules
from foogo.game.sgf_source import (
    SGF_COLORS,
    Source,
    add_comment,
    by_turns,
    check_text,
    is_misread,
    komi_of,
    move_of,
    nodes_with_moves,
    parse,
    preset_of,
    property_text,
    rules_of,
    warn_of_notes,
    write_text,
)


def read_game(data: Source, until: str | SupportsIndex | None = None, *, rules: Rules | str | None = None) -> Game:
    """The game on the main line of an SGF file.

    Stones that are set up (AB, AW, AE) before the first move make the start position. If they come later, the game
    restarts from there. KM is the komi, 0 if it is missing. Play may continue after two passes.

    Parameters
    ----------
    data
        The contents of the file, bytes or text, or its path. If it has several games, the first is read.
    until
        Stop before this move: its number, from 1, or a vertex for the first move there. By default all moves are
        played.
    rules
        The rules to play by, instead of those that RU names. If RU is missing or unknown, they are Tromp-Taylor.

    Raises
    ------
    SgfError
        If the file cannot be read or is not an SGF record of Go. If a size or position is impossible, a move is
        illegal, or `until` does not exist.
    RulesError
        If there are no such `rules`.
    ArgumentError
        If `until` is neither a whole number nor a vertex.

    Warns
    -----
    SgfWarning
        If RU names rules that score territory, such as Japanese ones: the game is scored by area.

    References
    ----------
    A. Hollosi, SGF FF[4], https://www.red-bean.com/sgf/

    Examples
    --------
    >>> game = read_game(b"(;GM[1]SZ[9]KM[6.5]RU[Chinese];B[ee];W[cc];B[])", until=3)
    >>> game.komi, game.rules == Rules.from_name("chinese")
    (6.5, True)
    >>> [geometry(9).vertex(move) for move in game.moves]
    ['E5', 'C7']
    """
    file = parse(data)
    if rules is None:
        warn_of_notes(file.get_root())
    return _replay(file.get_main_sequence(), until, rules).game


def write_game(
    game: Game,
    *,
    black: str = "",
    white: str = "",
    result: str = "",
    comments: Mapping[int, str] | None = None,
    date: str = "",
    event: str = "",
) -> bytes:
    """A game as an SGF file, in UTF-8.

    Parameters
    ----------
    game
        Its start is written as set-up stones, with HA if all are black and White moves first.
    black, white
        Names of the players.
    result
        As in RE: "B+3.5", "W+R", "0"; left out if empty.
    comments
        Texts by the number of turns before them; 0 is the start.
    date, event
        As in DT and EV; left out if empty.

    Raises
    ------
    ArgumentError
        If a comment comes after more turns than the game has, or the game or a text is of another type.

    Examples
    --------
    >>> game = Game(9, komi=6.5)
    >>> game.play("E5")
    >>> again = read_game(write_game(game, black="foogo", comments={1: "centre"}))
    >>> again.moves == game.moves, again.komi, again.rules == game.rules
    (True, 6.5, True)
    """
    if not isinstance(game, Game):
        raise ArgumentError(f"an SGF file needs a Game, not {type(game).__name__}: Game(board) makes one of a board")
    file = sgf.Sgf_game(game.size)
    root = file.get_root()
    root.set("AP", ("foogo", __version__))
    root.set_raw("KM", number_text(game.komi + 0.0).encode())  # sgfmill writes small numbers as 0
    root.set("RU", _rules_text(game.rules))
    for name, value in {"PB": black, "PW": white, "RE": result, "DT": date, "EV": event}.items():
        if value:
            write_text(root, name, value)
    _write_start(root, game)
    nodes = [root]
    for turn in game.turns:
        nodes.append(file.extend_main_sequence())
        nodes[-1].set_move("b" if turn.color == BLACK else "w", _place(game.size, turn.move))
    if game.turns and game.to_play == game.turns[-1].color:  # the turn was changed after the last move
        file.extend_main_sequence().set("PL", "b" if game.to_play == BLACK else "w")
    _write_comments(nodes, by_turns("comments", comments))
    return bytes(file.serialise())


def annotate_game(
    data: Source,
    *,
    comments: Mapping[int, str] | None = None,
    variations: Mapping[int, Sequence[int]] | None = None,
    bad_moves: Iterable[int] = (),
    rules: Rules | str | None = None,
) -> bytes:
    r"""An SGF file with comments and variations added to its main line, and the rest unchanged.

    A file becomes UTF-8 if its character set does not have every character of the comments. So does one in Big5, GBK or
    Shift_JIS whose characters have the bytes of brackets or backslashes in them.

    Parameters
    ----------
    data
        The file, as for `read_game`.
    comments
        Texts by the number of turns before them, counted as `read_game` does. A text follows an existing comment.
    variations
        Other continuations by the number of turns before them: points and PASS, the player to move first.
    bad_moves
        Numbers of moves, from 1, to mark as bad (BM).
    rules
        As for `read_game`.

    Raises
    ------
    SgfError
        As for `read_game`.
    ArgumentError
        If a number of turns exceeds that of the game, there is no move to mark, a variation leaves the board, or a
        comment is no text.

    Examples
    --------
    >>> annotate_game(b"(;SZ[9];B[ee])", comments={1: "the centre"}).split(b";")[-1]
    b'B[ee]C[the centre])\n'
    """
    comments, variations = by_turns("comments", comments), by_turns("variations", variations)
    file = _with_room_for(comments.values(), parse(data))
    record = _replay(file.get_main_sequence(), None, rules)
    _write_comments(record.nodes, comments)
    count = len(record.nodes) - 1
    if not isinstance(bad_moves, Iterable):
        raise ArgumentError(f"bad_moves are {bad_moves!r}: give the numbers of moves, from 1")
    for number in bad_moves:
        if whole_number(number) is None or not 1 <= number <= count:
            raise ArgumentError(f"there is no move {number} to mark as bad: the game has {counted(count, 'move')}")
        record.nodes[number].set("BM", 1)
    colors = [turn.color for turn in record.game.turns] + [record.game.to_play]
    for turns, moves in variations.items():
        _check_turns("variation", turns, record.nodes)
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise ArgumentError(f"the variation after {turns} turns is {moves!r}: give points, as [40, 24]")
        _write_variation(record.nodes[turns], colors[turns], [geometry(file.get_size()).check_move(at) for at in moves])
    return bytes(file.serialise())


class Contents(NamedTuple):
    """What an SGF file has."""

    moves: int
    """The number of moves on the main line, with passes."""
    names_komi: bool
    names_rules: bool
    preset: str | None
    """The preset that RU names, or None."""


def contents_of(data: Source) -> Contents:
    """What an SGF file has; an SgfError as for `read_game`."""
    file = parse(data)
    root, moves = file.get_root(), len(nodes_with_moves(file.get_main_sequence()))
    names_komi, names_rules = (bool(property_text(root, name).strip()) for name in ("KM", "RU"))
    return Contents(moves, names_komi, names_rules, preset_of(root))


def player_names(data: Source) -> tuple[str, str]:
    """The names of Black and White in an SGF file; "" if a name is missing, an SgfError as for `read_game`."""
    root = parse(data).get_root()
    return property_text(root, "PB"), property_text(root, "PW")


@dataclass
class _Record:
    """A game, and the node of the file after each number of turns."""

    game: Game
    nodes: list[Any]


def replay_nodes(nodes: Sequence[Any], later: Sequence[Any], rules: Rules | str | None) -> Game:
    """The game that a line of sgfmill's nodes from the root plays; errors as for `read_game`.

    The nodes `later` on the line are not played: they say who moves first if no earlier one does.
    """
    return _replay(nodes, None, rules, later).game


def _replay(
    nodes: Sequence[Any], until: str | SupportsIndex | None, rules: Rules | str | None, later: Sequence[Any] = ()
) -> _Record:
    root, size = nodes[0], nodes[0].get_size()
    stop = _stop(nodes, size, until)
    start = Board(size)
    start.to_play = _first_player([*nodes, *later])
    played_by = rules_of(root) if rules is None else Rules.parse(rules)
    record = _Record(Game(start, played_by, komi_of(root)), [root])
    number = 0
    for index, node in enumerate(nodes):
        color, move = move_of(node, number + 1)
        if color is not None and number + 1 == stop:
            break
        _set_up(record, node, chain(islice(nodes, index, None), later))
        if color is not None:
            number += 1
            _play(record, node, color, move, number)
    return record


def _play(record: _Record, node: Any, color: int, move: int, number: int) -> None:
    game = record.game
    if game.is_over:
        game.resume()
    try:
        game.play(move, color)
    except IllegalMoveError as error:
        raise SgfError(f"move {number} of the SGF file is illegal: {error}") from None
    record.nodes.append(node)


def _set_up(record: _Record, node: Any, following: Iterable[Any]) -> None:
    """Set the turn if a node names it, and restart the game if the node adds or removes stones.

    The restarted game begins with the first mover of `following`, the nodes from this one on, if no PL names the turn.
    """
    game, size = record.game, record.game.size
    turn = SGF_COLORS.get(property_text(node, "PL")[:1].lower())
    if not node.has_setup_stones():
        game.to_play = turn or game.to_play
        return
    if turn is None and game.turns:
        movers = (one.get_raw_move()[0] for one in following)
        turn = next((SGF_COLORS[mover] for mover in movers if mover is not None), None)
    colors = game.board.to_array().ravel().tolist()
    try:
        for color, places in zip((BLACK, WHITE, EMPTY), node.get_setup_stones(), strict=True):
            for row, col in places:
                colors[row * size + col] = color
        board = Board.from_colors(size, colors, turn or game.to_play)
    except PositionError as error:
        raise SgfError(f"the position that the SGF file sets up cannot be: {error}") from None
    except ValueError:
        raise SgfError(
            f"the position that the SGF file sets up cannot be: {_set_up_text(node)!r} has something "
            "other than points of the board, such as cc, and rectangles of them, such as cc:ee"
        ) from None
    record.game, record.nodes = Game(board, game.rules, game.komi), [node]


def _set_up_text(node: Any) -> str:
    """AB, AW and AE as the file has them."""
    given = [(name, raw) for name in ("AB", "AW", "AE") if node.has_property(name) for raw in node.get_raw_list(name)]
    return " ".join(f"{name}[{raw.decode('ascii', 'replace')}]" for name, raw in given)[:80]


def _stop(nodes: Sequence[Any], size: int, until: str | SupportsIndex | None) -> int | None:
    """The number of the move to stop before, or None."""
    if until is None:
        return None
    played = nodes_with_moves(nodes)
    count = len(played)
    if isinstance(until, str) and not re.fullmatch(r"\s*\d{1,9}\s*", until):
        try:
            wanted = geometry(size).point(until.strip()[:80])
        except VertexError as error:
            raise SgfError(f"no move to stop before: {error}") from None
        for number, node in enumerate(played, 1):
            if move_of(node, number)[1] == wanted:
                return number
        raise SgfError(
            f"no move at {geometry(size).vertex(wanted)} in the SGF file, which has {counted(count, 'move')}"
        )
    stop = int(until) if isinstance(until, str) else whole_number(until)
    if stop is None:
        raise ArgumentError(f"until is {until!r}: it must be the number of a move, from 1, or a vertex such as E5")
    if not 1 <= stop <= count + 1:
        raise SgfError(
            f"move number {stop} is not in the SGF file, which has {counted(count, 'move')}: "
            f"1 stops before the first, {count + 1} after the last"
        )
    return stop


def _first_player(nodes: Sequence[Any]) -> int:
    """The first player: from PL, else from the first move, else White after a handicap and Black without."""
    for color in (property_text(nodes[0], "PL")[:1].lower(), *(node.get_raw_move()[0] for node in nodes)):
        if color in SGF_COLORS:
            return SGF_COLORS[color]
    handicap = property_text(nodes[0], "HA")
    return WHITE if handicap.isdecimal() and float(handicap) >= 2 else BLACK


def _rules_text(rules: Rules) -> str:
    return next((preset.sgf_name for preset in PRESETS.values() if preset.rules == rules), str(rules))


def _write_start(root: Any, game: Game) -> None:
    start, first = game.start, game.turns[0].color if game.turns else BLACK
    black, white = ({divmod(point, start.size) for point in start.stones(color).search(1)} for color in (BLACK, WHITE))
    root.set_setup_stones(black, white)
    if len(black) >= 2 and not white and start.to_play == WHITE:
        root.set("HA", len(black))
    if black or white or WHITE in (start.to_play, first):  # without PL, a reader takes it from the first move
        root.set("PL", "b" if start.to_play == BLACK else "w")


def _with_room_for(texts: Iterable[str], file: Any) -> Any:
    """The file, in UTF-8 if its encoding lacks a character of the texts, or one would hide a sign of SGF."""
    encoding = file.get_root().get_encoding()
    try:
        fits = not is_misread("".join(map(check_text, texts)).encode(encoding), encoding)
    except UnicodeEncodeError:
        fits = False
    return file if fits else parse(file.serialise().decode(encoding, "replace"))


def _write_comments(nodes: Sequence[Any], comments: Mapping[int, str]) -> None:
    for turns, text in comments.items():
        _check_turns("comment", turns, nodes)
        add_comment(nodes[turns], text)


def _write_variation(node: Any, color: int, moves: Iterable[int]) -> None:
    for move in moves:
        node = node.new_child()
        node.set_move("b" if color == BLACK else "w", _place(node.get_size(), move))
        color = opponent(color)


def _check_turns(what: str, turns: int, nodes: Sequence[Any]) -> None:
    if whole_number(turns) is None or not 0 <= turns < len(nodes):
        raise ArgumentError(f"a {what} after {turns!r} turns: the game has {len(nodes) - 1}")


def _place(size: int, move: int) -> tuple[int, int] | None:
    return None if move == PASS else divmod(move, size)
