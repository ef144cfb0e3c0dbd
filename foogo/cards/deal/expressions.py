"""Constraints and functions of hands as text, for the command line and for files.

The text is a Python expression of names, numbers, texts, tuples, operators, calls and public attributes, in a
constraint only those of evaluators; nothing else is evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from typing import Any

from foogo.cards.deal.constraints import Constraint, any_of, checked
from foogo.cards.deal.evaluators import controls, hcp, losers, quick_tricks, suit
from foogo.cards.deal.hand import Hand
from foogo.cards.deal.pbn import SEAT_NAMES
from foogo.cards.deal.shapes import balanced, shape
from foogo.errors import ArgumentError, FoogoError

CONSTRAINT_NAMES: dict[str, Any] = {
    "any_of": any_of, "balanced": balanced, "controls": controls, "hcp": hcp, "losers": losers,
    "quick_tricks": quick_tricks, "shape": shape, "suit": suit,
}  # fmt: skip
"""What the text of a constraint may name."""

FUNCTION_NAMES: dict[str, Any] = {"abs": abs, "max": max, "min": min}
"""What the text of a function of hands may name, besides the seats."""

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Name, ast.Attribute, ast.Load,
    ast.boolop, ast.cmpop, ast.unaryop, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitAnd, ast.BitOr, ast.Tuple,
)  # fmt: skip

_PARTS_OF_CONSTRAINTS = frozenset({"controls", "hcp", "length", "losers", "quick_tricks", "within"})
"""The attributes that may occur in the text of a constraint; others could run any code or change files."""

_OTHER_OPERATORS: dict[type[ast.AST], str] = {
    ast.Pow: "**", ast.FloorDiv: "//", ast.Mod: "%", ast.MatMult: "@", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>",
}  # fmt: skip
"""Those that may not occur, which `ast.unparse` writes only with their operands."""


def constraint_of(text: str) -> Constraint:
    """The constraint that a text describes.

    Raises
    ------
    ArgumentError
        If it is not an expression of `CONSTRAINT_NAMES`.

    Examples
    --------
    >>> constraint_of("balanced & hcp(20, 21)").holds(0)
    False
    """
    nodes = _nodes_of(text)
    names = _names(text, nodes, CONSTRAINT_NAMES)
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr not in _PARTS_OF_CONSTRAINTS:
            raise ArgumentError(f"{text!r} has {node.attr!r}, which may not occur in an expression")
    try:
        return checked(eval(text.strip(), {"__builtins__": {}} | {name: CONSTRAINT_NAMES[name] for name in names}))
    except FoogoError:
        raise
    except (MemoryError, RecursionError):
        raise _too_deep(text) from None
    except Exception as error:
        raise ArgumentError(f"constraint {text!r}: {error}") from None


def function_of(text: str) -> Callable[..., Any]:
    """The function of hands that a text describes; its parameters are the seats that the text names.

    It raises ArgumentError for hands for which the text has no value, such as a division by zero.

    Raises
    ------
    ArgumentError
        If it is not an expression of seats and `FUNCTION_NAMES`, names no seat or something that a hand lacks, or has
        ``&`` or ``|`` beside a comparison without parentheses.

    Examples
    --------
    >>> from foogo.cards.deal import Hand
    >>> function_of("abs(north.hcp - south.hcp)")(Hand(0), Hand(1 << 51))
    4
    """
    nodes = _nodes_of(text)
    names = _names(text, nodes, (*SEAT_NAMES, *FUNCTION_NAMES))
    seats = [seat for seat in SEAT_NAMES if seat in names]
    if not seats:
        raise ArgumentError(f"{text!r} looks at no hand: name north, east, south or west")
    for name in _names_of_hands(nodes):
        if not hasattr(Hand, name):
            known = ", ".join(name for name in vars(Hand) if not name.startswith("_"))
            raise ArgumentError(f"{text!r} has {name!r}, which a hand does not have: it has {known}")
    _check_comparisons(text, nodes)
    for node in nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and not isinstance(node.operand, ast.Name):
            # ~True is -2, which counts as true; ~ of a seat is a mask
            raise ArgumentError(f"{text!r} has {ast.unparse(node)!r}: write 'not' for the opposite of a condition")
    source = f"lambda {', '.join(seats)}: ({text}\n)"  # the text may end in a comment
    try:
        function: Callable[..., Any] = eval(source, {"__builtins__": {}} | FUNCTION_NAMES)
    except (MemoryError, RecursionError):  # Python 3.10 parses deeper than it compiles
        raise _too_deep(text) from None

    @wraps(function)
    def value(*hands: Hand) -> Any:
        try:
            return function(*hands)
        except FoogoError:
            raise
        except Exception as error:
            raise ArgumentError(f"{text!r} has no value for {', '.join(map(str, hands))}: {error}") from None

    value.__name__ = text
    return value


def _nodes_of(text: str) -> list[ast.AST]:
    """All nodes of an expression."""
    try:
        return list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError) as error:  # a ValueError of lone surrogates and, before Python 3.12, null bytes
        raise ArgumentError(f"{text!r} is not an expression: {getattr(error, 'msg', error)}") from None
    except (MemoryError, RecursionError):  # the parser has a stack of limited depth
        raise _too_deep(text) from None


def _too_deep(text: str) -> ArgumentError:
    return ArgumentError(f"{text[:40]!r} and so on is nested too deeply: write a shorter expression")


def _names_of_hands(nodes: Iterable[ast.AST]) -> list[str]:
    """The attributes of seats in an expression."""
    return [node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]


def _check_comparisons(text: str, nodes: Iterable[ast.AST]) -> None:
    """Refuse ``north.hcp > 9 & south.hcp > 9``, which Python reads as ``north.hcp > (9 & south.hcp) > 9``."""
    for node in nodes:
        for part in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
            if not isinstance(part, ast.BinOp) or not isinstance(part.op, (ast.BitAnd, ast.BitOr)):
                continue
            if not any(isinstance(side, ast.Name) for side in (part.left, part.right)):  # a seat is a mask
                raise ArgumentError(
                    f"{text!r} compares {ast.unparse(part)!r}: put comparisons beside & and | in parentheses, or write "
                    "'and' and 'or'"
                )


def _names(text: str, nodes: Iterable[ast.AST], known: Collection[str]) -> set[str]:
    """The names in an expression, if it is a harmless one."""
    for node in nodes:
        is_value = isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str))
        is_hidden = isinstance(node, ast.Attribute) and node.attr.startswith(("_", "format"))  # str.format reads "_"
        if is_hidden or not (is_value or isinstance(node, _ALLOWED)):
            part = _OTHER_OPERATORS.get(type(node)) or ast.unparse(node)
            raise ArgumentError(f"{text!r} has {part!r}, which may not occur in an expression")
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    for name in names - set(known):
        raise ArgumentError(f"{text!r} has the unknown name {name!r}: the names are {', '.join(known)}")
    return names
