"""Lowers a translated policy to the operations of kernels: the same points, in fewer instructions.

The translation has a call for every expression that the user wrote. What is known of each set saves some of the work:

- Bits outside the board are cleared only where they could do harm: before a set is moved, or tested for points.
- ``pick.often(...) or b`` is one choice instead of two.
- What is returned is replaced by all candidates only if it can be empty where there is one.
"""

from __future__ import annotations

import ast
import copy
from enum import Flag, auto
from typing import Any

from foogo.playout.written.translator import LAYOUT, PICK, SIGHT, WEIGHTED

MOVED = ("beside", "beside_two", "around", "north", "south", "east", "west")
"""Operations that take a set without bits outside the board, and whose result may have some."""


class Known(Flag):
    """What is known of a set.

    Attributes
    ----------
    ON_BOARD
        It has no bits outside the board. Known of numbers, too: nothing has to be done to them.
    DRAWN
        All its points are candidates.
    COVERS
        It has a point wherever there is a candidate.
    """

    NOTHING = 0
    ON_BOARD = auto()
    DRAWN = auto()
    COVERS = auto()


PICKED = Known.ON_BOARD | Known.DRAWN
FINAL = PICKED | Known.COVERS
"""Of a set from which the move can be drawn as it is."""

_Set = tuple[Any, Known]
"""An expression, and what is known of its value."""


class Lowering:
    """Lowers one policy.

    Parameters
    ----------
    tree
        The function that `foogo.playout.written.translator` returned. It is not changed.
    dropped
        Weights that the function is compiled without: each ``pick.often(weight, ...) or b`` becomes ``b``.
    """

    def __init__(self, tree: ast.FunctionDef, dropped: frozenset[str] = frozenset()) -> None:
        self._tree, self._dropped = copy.deepcopy(tree), dropped
        self._see = tree.args.args[1].arg
        stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        here = [one.targets[0] for one in tree.body if isinstance(one, ast.Assign)]
        # Only of names with one value for the whole function more is known than ON_BOARD.
        self._known: dict[str, Known] = {}
        self._constant = {one.id for one in here if isinstance(one, ast.Name) and stored.count(one.id) == 1}

    def lowered(self) -> ast.FunctionDef:
        """The function of kernels. It returns candidates: at least one in each game that has one."""
        self._lower_body(self._tree.body)
        return ast.fix_missing_locations(self._tree)

    def _lower_body(self, body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Assign):
                self._lower_assignment(node, node.targets[0])
            elif isinstance(node, ast.Return) and node.value is not None:
                points, known = self._lower(node.value)
                if known != FINAL:
                    drawn = self._among_candidates((points, known))
                    points = self._operation(SIGHT, "first_of", drawn, self._candidates())
                node.value = ast.copy_location(points, node.value)
            elif isinstance(node, ast.If | ast.For):
                self._lower_body(node.body)
                self._lower_body(node.orelse)

    def _lower_assignment(self, node: ast.Assign, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple):  # of all weights
            target.elts = [one for one in target.elts if isinstance(one, ast.Name) and one.id not in self._dropped]
        elif isinstance(target, ast.Name) and target.id in self._constant:
            node.value, self._known[target.id] = self._lower(node.value)
        else:
            node.value = self._on_board(self._lower(node.value))

    def _lower(self, node: Any) -> _Set:
        if isinstance(node, ast.Name):
            return node, self._known.get(node.id, Known.ON_BOARD)
        if isinstance(node, ast.Attribute):
            return node, FINAL if node.attr == "candidates" else Known.ON_BOARD
        if isinstance(node, ast.BinOp):
            (node.left, left), (node.right, right) = self._lower(node.left), self._lower(node.right)
            either, both = left | right, left & right
            known = either & PICKED if isinstance(node.op, ast.BitAnd) else both & PICKED
            return node, known | either & Known.COVERS if isinstance(node.op, ast.BitOr) else known
        if isinstance(node, ast.IfExp):
            (node.body, yes), (node.orelse, no) = self._lower(node.body), self._lower(node.orelse)
            return node, yes & no
        if isinstance(node, ast.Call):
            lowered, known = self._lower_call(node)
            return ast.copy_location(lowered, node), known
        return node, Known.ON_BOARD

    def _lower_call(self, node: Any) -> _Set:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        arguments = node.args
        if name.startswith("often"):
            return self._operation(PICK, "some", *self._decision(name, arguments)), PICKED
        if name == "first_of":
            return self._lower_or(*arguments[2:])
        if name == "others":
            return ast.UnaryOp(ast.Invert(), self._lower(arguments[2])[0]), Known.NOTHING
        if name == "where":
            arguments[2] = self._on_board(self._lower(arguments[2]))
            (arguments[3], yes), (arguments[4], no) = self._lower(arguments[3]), self._lower(arguments[4])
            return node, yes & no
        if name in MOVED:
            arguments[2] = self._on_board(self._lower(arguments[2]))
            return node, Known.NOTHING
        node.args = [self._lower(one)[0] for one in arguments]
        if name.startswith(WEIGHTED):
            return node, PICKED
        return node, Known.NOTHING if name == "shaped" else Known.ON_BOARD

    def _lower_or(self, points: Any, instead: Any) -> _Set:
        other, of_other = self._lower(instead)
        name = points.func.attr if isinstance(points, ast.Call) and isinstance(points.func, ast.Attribute) else ""
        if name.startswith("often"):
            chance = points.args[-2]
            if isinstance(chance, ast.Name) and chance.id in self._dropped:
                return other, of_other
            return self._operation(PICK, "some_or", *self._decision(name, points.args), other), of_other
        first, of_first = self._lower(points)
        known = (of_first | Known.ON_BOARD) & of_other & PICKED | (of_first | of_other) & Known.COVERS
        return self._operation(SIGHT, "first_of", self._on_board((first, of_first)), other), known

    def _decision(self, often: str, arguments: list[Any]) -> tuple[ast.expr, ast.expr]:
        """Whether an ``often`` happens, and the candidates that it is about."""
        *decided_by, points = arguments[2:]
        happens = self._operation(PICK, often.replace("often", "happens"), *decided_by)
        return happens, self._among_candidates(self._lower(points))

    def _on_board(self, points: _Set) -> ast.expr:
        """The points of a set that are on the board."""
        node, known = points
        return node if Known.ON_BOARD in known else ast.BinOp(node, ast.BitAnd(), self._operation(SIGHT, "board"))

    def _among_candidates(self, points: _Set) -> ast.expr:
        """The points of a set that are candidates."""
        node, known = points
        return node if Known.DRAWN in known else ast.BinOp(node, ast.BitAnd(), self._candidates())

    def _candidates(self) -> ast.expr:
        return ast.Attribute(ast.Name(self._see, ast.Load()), "candidates", ast.Load())

    def _operation(self, module: str, name: str, *arguments: ast.expr) -> ast.Call:
        function = ast.Attribute(ast.Name(module, ast.Load()), name, ast.Load())
        return ast.Call(function, [ast.Name(LAYOUT, ast.Load()), ast.Name(self._see, ast.Load()), *arguments], [])
