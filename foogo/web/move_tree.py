"""Trees of moves that can all be played, read from SGF files and written as such."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from sgfmill import sgf

from foogo.errors import IllegalMoveError, SgfError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS
from foogo.game.rules import PRESETS
from foogo.game.sgf import replay_nodes, write_game
from foogo.game.sgf_source import add_comment, comment_of, move_of, parse, preset_of, property_text

VALUE = re.compile(rb"\[[^\]\\]*(?:\\(?:.|\Z)[^\]\\]*)*(?:\]|\Z)", re.DOTALL)
"""A value of a property. Its end may be missing, so any text takes only one pass."""


class MoveNode(NamedTuple):
    """A move of a game tree, and the comment on it; `parent` is the number of the node before it."""

    parent: int
    color: int
    move: int  # a point or PASS
    comment: str


@dataclass(frozen=True)
class MoveTree:
    """A game with variations.

    Attributes
    ----------
    start
        The game before any move.
    nodes
        The moves, numbered from 1, each after its parent; node 0 is the start. The first child of a node continues the
        main line.
    comment
        On the start.
    black, white, result
        As in PB, PW and RE; "" if missing.
    preset
        The name of the rules; None if they have none, or RU is missing.
    left_out
        How many branches of the file were left out: they begin with an illegal move, with set-up stones or before those
        of the start, or are too long.
    """

    start: Game
    nodes: tuple[MoveNode, ...]
    comment: str = ""
    black: str = ""
    white: str = ""
    result: str = ""
    preset: str | None = None
    left_out: int = 0


def read_moves(
    data: bytes, *, encoding: str | None = None, most_nodes: int = 100_000, most_moves: int = 10_000
) -> MoveTree:
    """The game tree of an SGF file, in `encoding` or else in that of CA.

    Set-up stones before the first move make the start. A branch with set-up stones further on is left out, as are a
    branch without those of the start, one that begins with an illegal move, and what comes after `most_moves` moves.

    Raises
    ------
    SgfError
        If the file is not an SGF record of Go, cannot be played, or has more than `most_nodes` nodes.

    Examples
    --------
    >>> tree = read_moves(b"(;SZ[9];B[ee](;W[cc])(;W[gg]C[better]))")
    >>> [(node.parent, node.move, node.comment) for node in tree.nodes]
    [(0, 40, ''), (1, 56, ''), (1, 24, 'better')]
    """
    if VALUE.sub(b"", data).count(b";") > most_nodes:
        raise SgfError(f"the SGF file has more than {most_nodes} nodes")
    file = parse(data, encoding)
    root, line = file.get_root(), file.get_main_sequence()
    before = list(takewhile(lambda node: move_of(node, 1)[0] is None, line))
    start = replay_nodes(before, line[len(before) :], None)
    unfinished = max((i for i, node in enumerate(before) if node.has_setup_stones()), default=0)  # nodes of the start
    game, nodes, start_comments, left_out = start.copy(), list[MoveNode](), list[str](), 0
    stack = [(root, 0, 0, True)]
    while stack:
        node, parent, depth, is_start = stack.pop()
        _undo_to(game, depth)
        color, move = move_of(node, depth + 1)
        comment = comment_of(node)
        if color is None and (is_start or not node.has_setup_stones()):
            if parent == 0:
                start_comments.append(comment)
            elif comment:
                nodes[parent - 1] = _with_comment(nodes[parent - 1], comment)
        elif color is None or depth >= most_moves or not _play(game, color, move):
            left_out += 1
            continue
        else:
            nodes.append(MoveNode(parent, color, move, comment))
            parent, depth, is_start = len(nodes), depth + 1, False
        main, *others = list(node) or [None]
        if is_start and unfinished:
            unfinished -= 1
            left_out += len(others)
            others = []
        for child in reversed(others):
            stack.append((child, parent, depth, False))
        if main is not None:
            stack.append((main, parent, depth, is_start))
    names = {name: property_text(root, name) for name in ("PB", "PW", "RE")}
    comment = "\n".join(filter(None, start_comments))
    preset = preset_of(root)
    return MoveTree(start, tuple(nodes), comment, names["PB"], names["PW"], names["RE"], preset, left_out)


def write_moves(tree: MoveTree) -> bytes:
    """A game tree as an SGF file, in UTF-8.

    Examples
    --------
    >>> tree = MoveTree(Game(9), (MoveNode(0, BLACK, 40, ""), MoveNode(0, BLACK, 30, "instead")))
    >>> read_moves(write_moves(tree)).nodes == tree.nodes
    True
    """
    start = {0: tree.comment} if tree.comment else {}
    data = write_game(tree.start, black=tree.black, white=tree.white, result=tree.result, comments=start)
    file = sgf.Sgf_game.from_bytes(data)
    file.get_root().set("RU", PRESETS[tree.preset].sgf_name if tree.preset else str(tree.start.rules))
    written = [file.get_root()]
    for node in tree.nodes:
        child = written[node.parent].new_child()
        place = None if node.move == PASS else divmod(node.move, tree.start.size)
        child.set_move("b" if node.color == BLACK else "w", place)
        if node.comment:
            add_comment(child, node.comment)
        written.append(child)
    return bytes(file.serialise())


def _undo_to(game: Game, turns: int) -> None:
    while len(game.turns) > turns:
        game.undo()


def _play(game: Game, color: int, move: int) -> bool:
    """Play a move; False if it is illegal."""
    if game.is_over:
        game.resume()
    try:
        game.play(move, color)
    except IllegalMoveError:
        return False
    return True


def _with_comment(node: MoveNode, comment: str) -> MoveNode:
    return node._replace(comment="\n".join(filter(None, [node.comment, comment])))
