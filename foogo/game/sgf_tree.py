"""SGF files with all their variations: `read_tree`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from foogo.game.game import Game
from foogo.game.geometry import COLOR_NAMES, geometry
from foogo.game.rules import Rules
from foogo.game.sgf import replay_nodes
from foogo.game.sgf_source import Source, comment_of, move_of, notes_of, parse, property_text, rules_of


@dataclass(frozen=True, eq=False, repr=False)
class Node:
    """A node of a game tree.

    A deep copy or a pickle of a node has its whole tree, as that of a `GameTree` has.

    Attributes
    ----------
    color, move
        Who moves, BLACK or WHITE, and the point or PASS; both None in a node without a move.
    comment
        The text of C, or "".
    parent
        The node before it; None for the root.
    children
        The continuations, the main line first.
    source
        The node as sgfmill has it.
    """

    color: int | None
    move: int | None
    comment: str
    parent: Node | None
    children: list[Node]
    source: Any
    _tree: GameTree | None = None
    """The tree of a root."""

    @property
    def properties(self) -> Mapping[str, tuple[str, ...]]:
        """Every property of the node, with its values as the file writes them."""
        encoding = self.source.get_encoding()
        found = self.source.get_raw_property_map().items()
        return {name: tuple(value.decode(encoding, "replace") for value in values) for name, values in found}

    @property
    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def game(self, *, rules: Rules | str | None = None) -> Game:
        """The game up to this node, as `foogo.sgf.read_game` plays it; an SgfError if a move is illegal.

        `rules` replace those of the file.
        """
        return replay_nodes([node.source for node in self.path], [node.source for node in _line(self)[1:]], rules)

    def __reduce__(self) -> tuple[Any, ...]:
        tree = self.path[0]._tree
        assert tree is not None
        return _node_of, (tree, next(number for number, node in enumerate(tree.nodes()) if node is self))

    def __repr__(self) -> str:
        vertex = geometry(self.source.get_size()).vertex
        played = "no move" if self.move is None else f"{COLOR_NAMES[self.color or 0]} {vertex(self.move)}"
        return f"<Node: {played}, {len(self.children)} {'child' if len(self.children) == 1 else 'children'}>"


@dataclass(frozen=True, eq=False)
class GameTree:
    """An SGF file with its variations.

    A copy or a pickle is read anew from the file, which sgfmill writes.

    Attributes
    ----------
    size
        Points on a side.
    rules
        As `foogo.sgf.read_game` reads them.
    black, white, result
        PB, PW and RE, or "".
    notes
        What is played differently here than the file says, a sentence each: Japanese rules, for example.
    root
        The first node.
    """

    size: int
    rules: Rules
    black: str
    white: str
    result: str
    notes: tuple[str, ...]
    root: Node = field(repr=False)

    def nodes(self) -> Iterator[Node]:
        """Every node: each before its continuations, the main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    @property
    def main_line(self) -> list[Node]:
        """The nodes of the main line, from the root to its end."""
        return _line(self.root)

    @property
    def leaves(self) -> list[Node]:
        """The last node of each line, that of the main line first."""
        return [node for node in self.nodes() if not node.children]

    def __reduce__(self) -> tuple[Any, ...]:
        return read_tree, (self.root.source.owner.serialise(),)


def read_tree(source: Source) -> GameTree:
    """The first game of an SGF file, with all its variations and comments.

    The moves are only replayed by `Node.game`, so a variation may contain illegal moves.

    Parameters
    ----------
    source
        The contents of the file, bytes or text, or its path.

    Raises
    ------
    SgfError
        If the file is not an SGF record of Go, or a move is not on the board.

    Examples
    --------
    >>> tree = read_tree("(;SZ[9]RU[Japanese];B[ee](;W[cc];B[gg])(;W[gc]C[or here]))")
    >>> [leaf.game().moves[-1] for leaf in tree.leaves]
    [24, 60]
    >>> tree.leaves[1], tree.leaves[1].comment
    (<Node: white G7, 0 children>, 'or here')
    """
    file = parse(source)
    root = file.get_root()
    first = _node(root, None, 0)
    waiting = [(first, 0)]
    while waiting:
        node, number = waiting.pop()
        number += node.move is not None
        node.children.extend(_node(child, node, number) for child in node.source)
        waiting += [(child, number) for child in node.children]
    black, white, result = (property_text(root, name) for name in ("PB", "PW", "RE"))
    tree = GameTree(file.get_size(), rules_of(root), black, white, result, notes_of(root), first)
    object.__setattr__(first, "_tree", tree)  # each refers to the other, and both are frozen
    return tree


def _line(node: Node) -> list[Node]:
    """The node and its main continuation, to the end."""
    nodes = [node]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes


def _node_of(tree: GameTree, number: int) -> Node:
    """A node by its number in `GameTree.nodes`."""
    return next(islice(tree.nodes(), number, None))


def _node(source: Any, parent: Node | None, number: int) -> Node:
    color, move = move_of(source, number + 1)
    return Node(color, None if color is None else move, comment_of(source), parent, [], source)
