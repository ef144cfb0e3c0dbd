"""One answer for each command, whatever happens. There is no Go in here."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

from foogo.errors import FoogoError, GtpError
from foogo.gtp import protocol
from foogo.gtp.channel import Line, Lines, Output
from foogo.gtp.protocol import LONGEST, Command

LONGEST_ERROR = 400
"""Characters of an error message; the input it quotes may be a megabyte."""

QUIET = 0.05
"""Seconds without a line after which the controller is taken to wait for nothing."""


class Call:
    """A command that is being carried out: what was asked, and ways to answer bit by bit.

    Attributes
    ----------
    command
        What was asked.
    usage
        Its name and arguments in words, for messages.
    """

    def __init__(self, command: Command, line: Line, lines: Lines, output: Output) -> None:
        self.command = command
        self.usage = command.name
        self.is_last = False
        self._line, self._lines, self._output = line, lines, output
        self._begun = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the name."""
        return self.command.arguments

    def expect(self, least: int, most: int | None = None) -> tuple[str, ...]:
        """The arguments, once they are so many.

        Raises
        ------
        GtpError
            If they are fewer or more.
        """
        words = self.arguments
        if not least <= len(words) <= (least if most is None else most):
            raise GtpError(f"syntax error: give {self.usage}")
        return words

    def write(self, text: str) -> None:
        """Send a line of the answer now."""
        if not self._begun:
            self._begun = True
            self._output.write(protocol.answer_begin(self.command.id))
        if text:
            self._output.write(protocol.answer_line(text))

    def is_overtaken(self) -> bool:
        """Whether another line arrived meanwhile, or the input ended."""
        return self._lines.is_overtaken(self._line)

    def is_interrupted(self) -> bool:
        """Whether the controller wants the answer now."""
        return self._lines.is_interrupted(self._line)

    def succeed(self, text: str) -> None:
        """Send the answer, or what is still to be sent of it."""
        if not self._begun:
            self._output.write(protocol.answer(self.command.id, text))
            return
        if text:
            self._output.write(protocol.answer_line(text))
        self._output.write(protocol.ANSWER_END)

    def fail(self, text: str) -> None:
        """Send what went wrong; of an answer that has begun already, the end."""
        if self._begun:
            self._output.write(protocol.ANSWER_END)
        else:
            self._output.write(protocol.answer(self.command.id, text, failed=True))


Handler = Callable[[Call], str]
Find = Callable[[str], "tuple[Handler, str] | None"]
Checkpoint = Callable[[], Callable[[], None]]


class Engine:
    """Reads commands and answers each, until ``quit`` or the end of the input.

    Parameters
    ----------
    find
        The handler of a command name and its usage in words, or None.
    lines, output
        The wire.
    checkpoint
        Called before each command: what puts things back as they are now, for after an internal error.
    when_quiet
        Called once, when the controller has sent nothing for `QUIET` seconds: what the first answers need not wait for.
    """

    def __init__(
        self, find: Find, lines: Lines, output: Output, checkpoint: Checkpoint, when_quiet: Callable[[], None]
    ) -> None:
        self._find, self._lines, self._output = find, lines, output
        self._checkpoint, self._when_quiet = checkpoint, when_quiet

    def run(self) -> None:
        """Answer all commands.

        Raises
        ------
        BrokenPipeError
            If nobody reads the answers any more.
        """
        was_quiet = False
        while True:
            if not was_quiet and not self._lines.wait(QUIET):
                was_quiet = True
                self._when_quiet()
            line = self._lines.next()
            if line is None:
                return
            command = protocol.parse(line.data)
            if command is None:
                continue
            call = Call(command, line, self._lines, self._output)
            self._answer(call, line)
            if call.is_last:
                return

    def _answer(self, call: Call, line: Line) -> None:
        if len(line.data) > LONGEST:
            call.fail(f"the line is too long: give at most {LONGEST} bytes")
            return
        found = self._find(call.command.name)
        if found is None:
            call.fail("unknown command")
            return
        handler, call.usage = found
        restore = self._checkpoint()
        try:
            text = handler(call)
        except BrokenPipeError:
            raise
        except FoogoError as error:
            call.fail(_short(str(error)))
            return
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            restore()
            call.fail(_short(f"internal error: {type(error).__name__}: {error}".rstrip(": ")))
            return
        call.succeed(text)


def _short(message: str) -> str:
    return message if len(message) <= LONGEST_ERROR else f"{message[: LONGEST_ERROR - 3]}..."
