"""What playout policies and selection formulas that users write have in common: constants, labels, pickling."""

from __future__ import annotations

from typing import Any, ClassVar

from foogo.errors import ArgumentError
from foogo.playout.written.function_translator import checked_constant
from foogo.playout.written.source import Source


class WrittenFunction:
    """A function that a user wrote, with values for its constants.

    Attributes
    ----------
    name
        The function's name.
    """

    kind: ClassVar[str]
    """What it is, in its `repr`."""
    constant: ClassVar[str]
    """What messages call a parameter with a default."""
    error: ClassVar[type[ArgumentError]]

    def __init__(self, source: Source, values: dict[str, Any]) -> None:
        self._source, self.name, self._values = source, source.name, values

    @property
    def label(self) -> str:
        """The name, the constants that are not the defaults, and a digest of the function: what studies keep.

        Two functions with equal labels play the same games.
        """
        defaults = self._source.weights
        changed = [f"{name}={_text(value)}" for name, value in self._values.items() if value != defaults[name]]
        given = f"({','.join(changed)})" if changed else ""
        return f"{self.name}{given}@{self._source.full_digest}"

    @property
    def place(self) -> str:
        """Where the function was defined: the file and the line."""
        return f"{self._source.file}:{self._source.line}"

    def _changed(self, given: dict[str, Any]) -> dict[str, Any]:
        """The constants with those that are given; an error if there is no such constant, or it is not a number."""
        changed, constant = dict(self._values), self.constant
        for name, value in given.items():
            if name not in changed:
                known = ", ".join(changed) or "none"
                raise self.error(f"{self.name} has no {constant} {name!r}: it has {known}")
            changed[name] = checked_constant(self.error, f"{constant} {name!r}", value)
            before = self._values[name]
            if isinstance(changed[name], tuple) != isinstance(before, tuple) or (
                isinstance(before, tuple) and len(changed[name]) != len(before)
            ):
                raise self.error(f"{constant} {name!r} is {value!r}: give as many numbers as {before!r} has")
        return changed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.label == other.label

    def __hash__(self) -> int:
        return hash(self.label)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._source, self._values)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={_text(value)}" for name, value in self._values.items())
        return f"<{self.kind} {self.name}({given})>"


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({','.join(map(_text, value))})"
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
