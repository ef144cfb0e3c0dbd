"""Lines into commands and results into answers, as GTP version 2 draft 2 has them. There is no Go in here.

References
----------
Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002), sections 2 and 3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 1 << 22
"""Bytes of a line that are kept; a longer one is answered with an error."""

INTERRUPT = "interrupt"
"""The comment by which a controller asks for the answer now (GoGui)."""

_CONTROLS = bytes([*range(9), *range(11, 32), 127])
_TO_SPACE = bytes.maketrans(b"\t", b" ")
_ID = re.compile(r"[0-9]{1,10}(?= |$)")
_UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_BLANK_LINES = re.compile(r"\n[ \n]*\n")

ENCODING, ERRORS = "utf-8", "surrogateescape"
"""Bytes that are no UTF-8 come back as they were."""


@dataclass(frozen=True)
class Command:
    """One command as it came.

    Attributes
    ----------
    id
        Its number as text, or empty.
    name
        Its name.
    text
        All that follows the name, words separated as they were.
    """

    id: str
    name: str
    text: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of `text`."""
        return tuple(word for word in self.text.split(" ") if word)


def parse(line: bytes) -> Command | None:
    r"""The command of a line, or None of an empty one and a comment.

    Control characters are dropped, tabs are spaces, and what follows ``#`` is a comment.

    Examples
    --------
    >>> parse(b"12 play\tb  E5 # centre\r\n")
    Command(id='12', name='play', text='b  E5')
    >>> parse(b" # only a comment\n") is None
    True
    """
    text = _clean(line).partition(b"#")[0].decode(ENCODING, ERRORS).strip(" ")
    if not text:
        return None
    found = _ID.match(text)
    number = found[0] if found else ""
    name, _, rest = text[len(number) :].lstrip(" ").partition(" ")
    return Command(number, name, rest.strip(" "))


def is_interrupt(line: bytes) -> bool:
    """Whether a line is the comment ``# interrupt``."""
    text = _clean(line[:80]).strip()
    return text.startswith(b"#") and text[1:].strip().decode(ENCODING, ERRORS) == INTERRUPT


def answer(number: str, text: str = "", *, failed: bool = False) -> bytes:
    r"""The whole answer to a command: a sign, its number, the result or what went wrong, and an empty line.

    A text of several lines has no empty one among them; what went wrong is one line.

    Examples
    --------
    >>> answer("7", "E5"), answer("", "illegal move", failed=True)
    (b'=7 E5\n\n', b'? illegal move\n\n')
    """
    body = printable(text)
    if failed:
        body = body.replace("\n", " ")
    return f"{'?' if failed else '='}{number} {body}\n\n".encode(ENCODING, ERRORS)


def answer_begin(number: str) -> bytes:
    """The first line of an answer that goes on line by line."""
    return f"={number}\n".encode(ENCODING, ERRORS)


def answer_line(text: str) -> bytes:
    """A further line of such an answer; it ends with an empty one."""
    return f"{printable(text)}\n".encode(ENCODING, ERRORS)


ANSWER_END = b"\n"
"""What ends an answer that went on line by line."""


def printable(text: str) -> str:
    """A text without control characters but line ends, without empty lines, and without space at its end."""
    return _BLANK_LINES.sub("\n", _UNSEEN.sub("", text.replace("\t", " "))).rstrip(" \n")


def _clean(line: bytes) -> bytes:
    return line.translate(_TO_SPACE, _CONTROLS).replace(b"\n", b"")
