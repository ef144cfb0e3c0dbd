"""Classes with a subclass per board size: ``Board[9]`` is the class of 9x9 boards."""

from __future__ import annotations

import copyreg
import sys
from operator import getitem
from typing import Any, SupportsIndex, TypeVar

from foogo.errors import SizeError
from foogo.game.geometry import check_size
from foogo.game.position import FrozenPosition, Position

T = TypeVar("T")


class SizedType(type):
    """The metaclass of a class whose subclass for a size has the attribute `size`."""

    def __getitem__(cls: type[T], size: SupportsIndex) -> type[T]:
        base: Any = cls
        number, own = size_for(size), getattr(cls, "size", None)
        if own is None:
            made: type[T] = _class_of_size(base, number)
            return made
        if own != number:
            wanted = f"use {cls.__bases__[0].__name__}[{number}] for {number}x{number}"
            raise SizeError(f"{cls.__name__} is the class of {own}x{own} boards: {wanted}")
        return cls


def size_for(size: SupportsIndex) -> int:
    """`check_size`, with messages for what `Board.from_array` and `Board.from_position` make a board of.

    Examples
    --------
    >>> from foogo import Board
    >>> size_for(Board(5).freeze())
    Traceback (most recent call last):
    ...
    foogo.errors.SizeError: a frozen position is no board: Board.from_position makes one of it
    """
    given: Any = size
    if getattr(given, "ndim", 0):
        raise SizeError(f"an array of shape {given.shape} is no board: Board.from_array makes one of it")
    if isinstance(given, FrozenPosition):
        raise SizeError("a frozen position is no board: Board.from_position makes one of it")
    if isinstance(given, Position):
        raise SizeError(f"a board is no size: its `copy` copies it, and its size is {given.size}")
    return check_size(size)


_CLASSES: dict[tuple[Any, int], Any] = {}


def _class_of_size(base: Any, size: int) -> Any:
    if (base, size) not in _CLASSES:
        name = f"{base.__name__}[{size}]"
        members = {"size": size, "__slots__": (), "__module__": base.__module__, "__doc__": base.__doc__}
        # Threads that make it at once all get the first.
        made = _CLASSES.setdefault((base, size), type(base)(name, (base,), members))
        # cloudpickle copies a class, methods and all, unless it finds it in its module; found, it is pickled by
        # `_reduce`.
        setattr(sys.modules[base.__module__], name, made)
    return _CLASSES[base, size]


def _reduce(cls: SizedType) -> str | tuple[Any, ...]:
    """A class is pickled by its name, or as its base indexed by a size."""
    size = getattr(cls, "size", None)
    return cls.__qualname__ if size is None else (getitem, (cls.__bases__[0], size))


copyreg.pickle(SizedType, _reduce)
