"""Games as the messages write them: played from their start, and described for the board of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, geometry
from foogo.game.notation import result_text
from foogo.game.regions import area_owners
from foogo.player.game_state import GameState
from foogo.player.handicap import fixed_handicap
from foogo.player.life_and_death import strings_of
from foogo.player.ruleset import Ruleset
from foogo.web.move_tree import MoveNode, MoveTree, read_moves, write_moves
from foogo.web.protocol import GAME, MOST_MOVES, MOST_NODES, ProtocolError

COLORS = {"B": BLACK, "W": WHITE}
LETTERS = {color: letter for letter, color in COLORS.items()}

SIGNS = ".XO"
"""The sign of each colour in the texts `stones` and `owners`, which have one sign per point."""


def start_of(fields: Mapping[str, Any]) -> Game:
    """The start of a game of a message, before its moves; an ArgumentError if there is no such start."""
    size, stones = fields["size"], fields["stones"]
    to_play = COLORS[fields["to_play"] or "B"]
    points = {
        color: [geometry(size).check_vertex(vertex) for letter, vertex in stones if COLORS[letter] == color]
        for color in (BLACK, WHITE)
    }
    board = Board.from_stones(size, points[BLACK], points[WHITE], to_play)
    return Game(board, ruleset_of(fields).rules, fields["komi"])


def ruleset_of(fields: Mapping[str, Any]) -> Ruleset:
    """The rules of a game of a message; under those without a name, as of files, dead stones are removed."""
    found = Ruleset.of(fields["rules"])
    return found.with_rules(dead_removed=True) if found.name == "custom" else found


def game_of(fields: Mapping[str, Any]) -> Game:
    """A game of a message; an ArgumentError if its start or a move is impossible.

    A move after two passes resumes the game.
    """
    game = start_of(fields)
    for letter, vertex in fields["moves"]:
        if game.is_over:
            game.resume()
        game.play(vertex, COLORS[letter])
    return game


def total_komi(fields: Mapping[str, Any], game: Game) -> float:
    """Komi plus White's compensation for handicap."""
    return game.komi + ruleset_of(fields).compensation(game)


def load(state: GameState, fields: Mapping[str, Any]) -> None:
    """Make `state` continue a game of a message."""
    state.load(game_of(fields))
    state.ruleset = ruleset_of(fields)


def position(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The position at the end of a game."""
    game = game_of(fields)
    board, size = game.board, game.size
    colors = board.to_array().ravel().tolist()
    placed = {color: sum(turn.color == color and turn.move != PASS for turn in game.turns) for color in LETTERS}
    start = game.start
    komi = total_komi(fields, game)
    return {
        "stones": stones_of(board),
        "to_play": LETTERS[game.to_play],
        "ko": None if board.ko is None else geometry(size).vertex(board.ko),
        "over": game.is_over,
        "captures": {
            LETTERS[BLACK + WHITE - color]: start.stones(color).count() + placed[color] - colors.count(color)
            for color in LETTERS
        },
        "komi": komi,
        "score": board.area_score() - komi,
        "dead_removed": ruleset_of(fields).dead_removed,
    }


def stones_of(board: Board) -> str:
    """The stones of a board as text: a sign of `SIGNS` per point, from A1 along the rows."""
    return "".join(SIGNS[color] for color in board.to_array().ravel().tolist())


def handicap(size: int, stones: int) -> list[str]:
    """The vertices of a fixed handicap; an ArgumentError if the board has none of this size."""
    return [geometry(size).vertex(point) for point in fixed_handicap(size, stones)]


def score(fields: Mapping[str, Any], dead: list[str]) -> dict[str, Any]:
    """The result of a game when the strings with stones on the vertices `dead` are removed."""
    game = game_of(fields)
    wanted = {geometry(game.size).check_vertex(vertex) for vertex in dead}
    colors = game.board.to_array().ravel().tolist()
    for string in strings_of(game.board):
        if wanted.intersection(string.points):
            for point in string.points:
                colors[point] = EMPTY
    return counted(area_owners(game.size, colors), total_komi(fields, game))


def counted(owners: list[int], komi: float) -> dict[str, Any]:
    """The owner of each point as text, Black's lead after komi, and the result as in SGF."""
    lead = owners.count(BLACK) - owners.count(WHITE) - komi
    return {
        "owners": "".join(SIGNS[color] for color in owners),
        "score": lead,
        "result": result_text(lead),
    }


def read_sgf(text: str) -> dict[str, Any]:
    """An SGF file as the start of a game and the nodes of its tree.

    An SgfError if it is not SGF, a ProtocolError if its start cannot be the game of a message.
    """
    data = text.encode(errors="replace")  # the page has decoded it, whatever CA says
    tree = read_moves(data, encoding="UTF-8", most_nodes=MOST_NODES, most_moves=MOST_MOVES)
    start, vertex = tree.start, geometry(tree.start.size).vertex
    stones = [[LETTERS[color], vertex(point)] for color in LETTERS for point in start.start.stones(color).search(1)]
    game = {
        "size": start.size, "komi": start.komi, "rules": tree.preset or str(start.rules), "stones": stones,
        "to_play": LETTERS[start.to_play], "moves": [],
    }  # fmt: skip
    return {
        "game": GAME("the game of the file", game),
        "nodes": [
            {"parent": node.parent, "move": [LETTERS[node.color], vertex(node.move)], "comment": node.comment}
            for node in tree.nodes
        ],
        "comment": tree.comment, "black": tree.black, "white": tree.white, "result": tree.result,
        "left_out": tree.left_out,
    }  # fmt: skip


def write_sgf(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The SGF file of a game tree; a ProtocolError if a node comes before its parent."""
    start = start_of(fields["game"])
    nodes = []
    for number, node in enumerate(fields["nodes"], 1):
        if node["parent"] >= number:
            raise ProtocolError(f"nodes[{number - 1}].parent is {node['parent']}: it must be below {number}")
        letter, vertex = node["move"]
        nodes.append(MoveNode(node["parent"], COLORS[letter], geometry(start.size).check_move(vertex), node["comment"]))
    names = {name: fields[name] for name in ("comment", "black", "white", "result")}
    rules = ruleset_of(fields["game"]).name
    tree = MoveTree(start, tuple(nodes), **names, preset=None if rules == "custom" else rules)
    return {"sgf": write_moves(tree).decode()}
