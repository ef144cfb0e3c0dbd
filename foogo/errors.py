"""The errors of foogo: each is a `FoogoError`, and also a `ValueError` if a value was wrong."""

from __future__ import annotations

import copyreg
import errno
import os
from typing import Any

LONGEST_MESSAGE = 480  # characters of an error on the command line and over GTP


class FoogoError(Exception):
    """The root of every error that foogo raises on purpose."""


class ArgumentError(FoogoError, ValueError):
    """An argument is out of range or of the wrong kind; the message says what would be right."""


class SizeError(ArgumentError):
    """A board size outside 2 to 19."""


class VertexError(ArgumentError):
    """A text or a number that is not a point of the board."""


class PositionError(ArgumentError):
    """An impossible position: a ragged diagram, a string without a liberty, a ko that cannot be."""


class IllegalMoveError(ArgumentError):
    """A move that the rules forbid; the board is unchanged."""


class CardError(ArgumentError):
    """A text or a number that is not a playing card, or a card that occurs more often than the deck has it."""


class DealError(FoogoError, ValueError):
    """Deals that do not exist, or that were not found within the number of tries allowed."""


class RulesError(ArgumentError):
    """An unknown rule set, or a rule value that does not exist."""


class SgfError(FoogoError, ValueError):
    """A file that is not an SGF record of Go, or that cannot be replayed."""


class SgfWarning(UserWarning):
    """An SGF file is played by other rules than it says; the message names them."""


class PolicyError(ArgumentError):
    """A playout policy that cannot be used, or that fails a check; the message names the file and the line."""


class FormulaError(ArgumentError):
    """A selection formula that cannot be used; the message names the file and the line."""


class EvaluatorError(FoogoError):
    """An evaluator that raised an exception, or whose answer cannot be used; the message says what is wrong."""


class NetworkFileError(FoogoError, ValueError):
    """A file that has no weights of a network, or weights of another version or board size."""


class BookFileError(FoogoError, ValueError):
    """A file that has no opening book, or a book of another version."""


class BackendError(FoogoError):
    """A playout backend that does not exist, or that cannot run on this machine."""


class PlotError(FoogoError):
    """A picture that cannot be drawn: matplotlib is missing, or the file cannot be written."""


class StoreError(FoogoError):
    """A study store that cannot be read or written, or that this version of foogo must not extend."""


class ClusterError(FoogoError):
    """A cluster that cannot be reached, that was lost, or whose workers play different playouts."""


class MissingPackageError(FoogoError, ImportError):
    """An optional package that is not installed; the message says how to install it."""


class MatchError(FoogoError):
    """A match that cannot start or continue: an engine does not start, or the results belong to another match."""


class GtpError(FoogoError):
    """A GTP command that fails; the message is the response to the controller."""


def reader_is_gone(error: OSError, system: str = os.name) -> bool:
    """Whether an error of writing says that the other end of a pipe is closed; on Windows it is no BrokenPipeError.

    Examples
    --------
    >>> reader_is_gone(OSError(errno.EINVAL, "Invalid argument"), "nt")
    True
    """
    is_windows_own = system == "nt" and error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError) or is_windows_own


def shortened(message: str) -> str:
    """`message` without its middle if it is long: the input that it quotes may have a megabyte.

    Examples
    --------
    >>> len(shortened("komi is '" + "9" * 10**6 + "': it must be a number"))
    480
    """
    if len(message) <= LONGEST_MESSAGE:
        return message
    half = LONGEST_MESSAGE // 2
    return f"{message[: half - 3]} ... {message[2 - half :]}"


class WithResults(BaseException):
    """An exception that is made from more than a message. Pickling keeps all of it, as pools of processes need."""

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]
