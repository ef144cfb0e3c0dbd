"""Parses lines into commands and formats answers, by GTP version 2, draft 2. Contains no Go.

References
----------
Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002), sections 2 and 3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 1 << 22  # maximum bytes of a line; a longer one is answered with an error
INTERRUPT = "interrupt"  # the comment by which GoGui asks a running command to answer at once

_CONTROLS = bytes([*range(9), *range(11, 32), 127])
_TO_SPACE = bytes.maketrans(b"\t", b" ")
_ID = re.compile(r"[0-9]{1,10}(?= |$)")
_UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_BLANK_LINES = re.compile(r"\n[ \n]*\n")

ENCODING, ERRORS = "utf-8", "surrogateescape"  # bytes that are not UTF-8 are returned unchanged


@dataclass(frozen=True)
class Command:
    """One command: its number as text or "", its name, and everything after the name, its spaces kept."""

    id: str
    name: str
    text: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of `text`."""
        return tuple(word for word in self.text.split(" ") if word)


def parse(line: bytes) -> Command | None:
    """The command in a line, or None if the line is empty or a comment.

    Control characters are dropped, tabs become spaces, and ``#`` begins a comment.
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
    """A complete answer: a sign, the command's number, the result or error, and an empty line.

    Empty lines inside the text are removed; an error is put on one line.
    """
    body = printable(text)
    if failed:
        body = body.replace("\n", " ")
    return f"{'?' if failed else '='}{number} {body}\n\n".encode(ENCODING, ERRORS)


def answer_begin(number: str) -> bytes:
    """The first line of an answer that is written line by line."""
    return f"={number}\n".encode(ENCODING, ERRORS)


def answer_line(text: str) -> bytes:
    """A further line of such an answer."""
    return f"{printable(text)}\n".encode(ENCODING, ERRORS)


ANSWER_END = b"\n"  # the end of such an answer


def printable(text: str) -> str:
    """A text without control characters except line ends, without empty lines, and without trailing space."""
    return _BLANK_LINES.sub("\n", _UNSEEN.sub("", text.replace("\t", " "))).rstrip(" \n")


def _clean(line: bytes) -> bytes:
    return line.translate(_TO_SPACE, _CONTROLS).replace(b"\n", b"")
