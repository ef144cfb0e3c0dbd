"""Exactly one answer per command, even after an internal error. Contains no Go."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

from foogo.errors import FoogoError, GtpError, shortened
from foogo.gtp import protocol
from foogo.gtp.channel import Line, Lines, Output
from foogo.gtp.protocol import LONGEST, Command


class Call:
    """A command being carried out, and the means to answer it, at once or line by line."""

    def __init__(self, command: Command, line: Line, lines: Lines, output: Output) -> None:
        self.command = command
        self.usage = command.name  # with its arguments, once it is found
        self.is_last = False  # whether to stop after this command
        self._line, self._lines, self._output = line, lines, output
        self._begun = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the name."""
        return self.command.arguments

    def expect(self, least: int, most: int | None = None) -> tuple[str, ...]:
        """The first `most` arguments, by default `least`; further ones are ignored, as by GNU Go.

        Raises GtpError if there are fewer than `least`.
        """
        words = self.arguments
        if len(words) < least:
            raise GtpError(f"syntax error: give {self.usage}")
        return words[: least if most is None else most]

    def write(self, text: str) -> None:
        """Send a line of the answer at once."""
        if not self._begun:
            self._begun = True
            self._output.write(protocol.answer_begin(self.command.id))
        if text:
            self._output.write(protocol.answer_line(text))

    def is_overtaken(self) -> bool:
        """Whether another line or the end of the input has arrived since."""
        return self._lines.is_overtaken(self._line)

    def is_interrupted(self) -> bool:
        """Whether the controller has asked to answer at once."""
        return self._lines.is_interrupted(self._line)

    def succeed(self, text: str) -> None:
        """Send the answer, or the rest of one that was begun line by line."""
        if not self._begun:
            self._output.write(protocol.answer(self.command.id, text))
            return
        if text:
            self._output.write(protocol.answer_line(text))
        self._output.write(protocol.ANSWER_END)

    def fail(self, text: str) -> None:
        """Send an error; if the answer has already begun, end it, and write the error to stderr."""
        if self._begun:
            print(f"foogo: error: {protocol.printable(text)}", file=sys.stderr, flush=True)
            self._output.write(protocol.ANSWER_END)
        else:
            self._output.write(protocol.answer(self.command.id, text, failed=True))


Handler = Callable[[Call], str]
Find = Callable[[str], "tuple[Handler, str] | None"]
"""Maps a command's name to its handler and usage."""

Checkpoint = Callable[[], Callable[[], None]]
"""Called before each command; returns a function that restores the present state after an internal error."""


class Dispatcher:
    """Reads commands and answers them until ``quit`` or the end of the input.

    `checkpoint` is called before each command. It returns a function that restores the state after an internal error.
    """

    def __init__(self, find: Find, lines: Lines, output: Output, checkpoint: Checkpoint) -> None:
        self._find, self._lines, self._output, self._checkpoint = find, lines, output, checkpoint

    def run(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Answer all commands, or until `stopped` after one; raises BrokenPipeError if the output is closed."""
        while not stopped():
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
            call.fail(shortened(str(error)))
            return
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            restore()
            call.fail(shortened(f"internal error: {type(error).__name__}: {error}".rstrip(": ")))
            return
        call.succeed(text)
