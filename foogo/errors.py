"""What foogo raises: every error is a `FoogoError`, and a `ValueError` where a value was wrong."""

from __future__ import annotations


class FoogoError(Exception):
    """The root of every error that foogo raises on purpose."""


class ArgumentError(FoogoError, ValueError):
    """An argument is out of range or of the wrong kind; the message says what would be right."""


class SizeError(ArgumentError):
    """A board size outside 2 to 19."""


class VertexError(ArgumentError):
    """A text or a number that names no point of the board."""


class PositionError(ArgumentError):
    """A position that cannot be: a ragged diagram, a string without a liberty, an impossible ko."""


class IllegalMoveError(ArgumentError):
    """A move the rules forbid here; the board is as it was."""


class RulesError(ArgumentError):
    """An unknown rule set, or a rule value that does not exist."""


class SgfError(FoogoError, ValueError):
    """A file that is no SGF record of Go, or one that cannot be replayed."""


class BackendError(FoogoError):
    """A playout backend that does not exist, or that cannot run on this machine."""


class PlotError(FoogoError):
    """A picture that cannot be drawn: matplotlib is missing, or the file cannot be written."""


class StoreError(FoogoError):
    """A study store that cannot be read or written, or that this foogo must not add to."""


class ClusterError(FoogoError):
    """A cluster that cannot be reached, that was lost, or whose workers play other playouts."""


class MatchError(FoogoError):
    """A match that cannot be begun or continued: an engine does not start, or the results are of another match."""


class GtpError(FoogoError):
    """A GTP command that cannot be carried out; the message is what the controller is told."""
