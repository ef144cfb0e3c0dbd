"""The messages of a page: their fields, and the validation of what arrives.

docs/reference/web.md defines the messages. `REQUESTS` lists them; a request with an unknown field is refused, so that a
misspelt name does not silently mean the default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from foogo.arguments import is_number, whole_number
from foogo.errors import FoogoError

MOST_CHARACTERS = 1 << 22
"""The longest message."""

MOST_OF_FILE = 1 << 20
"""The characters of the longest SGF file that is read."""

MOST_MOVES = 2000
"""The most moves of a game in a message."""

MOST_NODES = 20_000
"""The most nodes of a game tree."""

MOST_SIMULATIONS = 10**9
MOST_SECONDS = 24 * 3600
MOST_PLAYOUTS = 10**12
"""The largest limits of a job; playouts are per start."""


class ProtocolError(FoogoError):
    """A message that cannot be answered; the text goes to the page, with the message's `id` if it has a valid one."""

    def __init__(self, reason: str, id: int | None = None) -> None:
        super().__init__(reason)
        self.id = id


Check = Callable[[str, Any], Any]
"""Returns a valid value, or raises ProtocolError with the name of the field."""


@dataclass(frozen=True)
class Field:
    """A field of a message: how it is checked, and its default. A field without a default is required."""

    check: Check
    default: Any = ...


@dataclass(frozen=True)
class Request:
    """A valid message: its number, which every reply repeats, its type and its fields."""

    id: int
    type: str
    fields: Mapping[str, Any]

    def as_json(self) -> str:
        """The request as one line of JSON."""
        return json.dumps({"id": self.id, "type": self.type, **self.fields})


def integer(low: int, high: int) -> Check:
    """A whole number from `low` to `high`."""

    def check(name: str, value: Any) -> int:
        number = whole_number(value)
        if number is None or not low <= number <= high:
            raise ProtocolError(f"{name} is {_shown(value)}: it must be a whole number from {low} to {high}")
        return number

    return check


def number(low: float, high: float) -> Check:
    """A finite number from `low` to `high`."""

    def check(name: str, value: Any) -> float:
        if not is_number(value) or not low <= value <= high:
            raise ProtocolError(f"{name} is {_shown(value)}: it must be a number from {low:g} to {high:g}")
        return float(value)

    return check


def text(longest: int) -> Check:
    """A text of at most `longest` characters."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise ProtocolError(f"{name} is {_shown(value)}: it must be a text of at most {longest} characters")
        return value

    return check


def choice(*choices: str) -> Check:
    """One of several texts."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ProtocolError(f"{name} is {_shown(value)}: choose {', '.join(choices)}")
        return value

    return check


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ProtocolError(f"{name} is {_shown(value)}: it must be true or false")
    return value


def optional(check: Check) -> Check:
    """A value that `check` accepts, or null."""
    return lambda name, value: None if value is None else check(name, value)


def array(check: Check, most: int) -> Check:
    """A list of at most `most` values, each of which `check` accepts."""

    def check_all(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise ProtocolError(f"{name} is {_shown(value)}: it must be a list of at most {most}")
        return [check(f"{name}[{i}]", one) for i, one in enumerate(value)]

    return check_all


def pair(name: str, value: Any) -> list[str]:
    """A colour and a vertex, such as ["B", "E5"]; the board checks the vertex."""
    if not isinstance(value, list) or len(value) != 2:
        raise ProtocolError(f'{name} is {_shown(value)}: it must be a colour and a vertex, such as ["B", "E5"]')
    return [choice("B", "W")(name, value[0]), text(8)(name, value[1])]


def record(fields: Mapping[str, Field]) -> Check:
    """An object with these fields."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ProtocolError(f"{name} is {_shown(value)}: it must be an object")
        prefix = f"{name}." if name else ""
        unknown = sorted(set(value) - set(fields))
        if unknown:
            known = ", ".join(fields if name else ["id", "type", *fields])
            raise ProtocolError(f"unknown field {_shown(prefix + unknown[0])}: known are {known}")
        checked = {}
        for key, field in fields.items():
            if key in value:
                checked[key] = field.check(prefix + key, value[key])
            elif field.default is ...:
                raise ProtocolError(f"{prefix}{key} is missing")
            else:
                checked[key] = field.default
        return checked

    return check


def playout_policy(name: str, value: Any) -> Any:
    """The name of a policy, or the four shares of a `foogo.Policy`; the job knows the names."""
    if isinstance(value, dict):
        share = Field(integer(0, 256))
        return record({"urgent": share, "near": share, "pattern": share, "nakade": share})(name, value)
    return text(1000)(name, value)


GAME = record(
    {
        "size": Field(integer(2, 19)),
        "komi": Field(number(-400, 400), 7.0),
        "rules": Field(text(100), "chinese"),
        "stones": Field(array(pair, 361), []),
        "to_play": Field(optional(choice("B", "W")), None),
        "moves": Field(array(pair, MOST_MOVES), []),
    }
)
"""A game from its start; `foogo.web.games.game_of` plays it."""

NODE = record(
    {
        "parent": Field(integer(0, MOST_NODES)),
        "move": Field(pair),
        "comment": Field(text(MOST_OF_FILE), ""),
    }
)
"""A node of a game tree, after its parent; node 0 is the start."""

_game = Field(GAME)
_limits = {
    "simulations": Field(optional(integer(1, MOST_SIMULATIONS)), None),
    "seconds": Field(optional(number(0.01, MOST_SECONDS)), None),
}
_seed = Field(integer(0, 2**53 - 1), 0)

REQUESTS: dict[str, Check] = {
    # answered at once
    "hello": record({}),
    "position": record({"game": _game}),
    "handicap": record({"size": Field(integer(2, 19)), "stones": Field(integer(2, 9))}),
    "score": record({"game": _game, "dead": Field(array(text(8), 361), [])}),
    "pause": record({"job": Field(integer(0, 2**53 - 1))}),
    "resume": record({"job": Field(integer(0, 2**53 - 1))}),
    "stop": record({"job": Field(integer(0, 2**53 - 1))}),
    # jobs
    "search": record({"game": _game, **_limits, "moves": Field(integer(1, 361), 10)}),
    "genmove": record({"game": _game, **_limits, "resign": Field(number(0, 0.5), 0.05), "seed": _seed}),
    "dead": record({"game": _game}),
    "review": record({"game": _game, **_limits, "swings": Field(integer(0, 100), 5)}),
    "playouts": record(
        {
            "game": _game,
            "playouts": Field(integer(1, MOST_PLAYOUTS)),
            "policy": Field(playout_policy, "uniform"),
            "suicide": Field(flag, True),
            "by_point": Field(flag, True),
            "seed": _seed,
        }
    ),
    "read_sgf": record({"sgf": Field(text(MOST_OF_FILE))}),
    "write_sgf": record(
        {
            "game": _game,
            "nodes": Field(array(NODE, MOST_NODES), []),
            "comment": Field(text(MOST_OF_FILE), ""),
            "black": Field(text(MOST_OF_FILE), ""),
            "white": Field(text(MOST_OF_FILE), ""),
            "result": Field(text(MOST_OF_FILE), ""),
        }
    ),
    "studies": record({}),
    "study": record({"store": Field(integer(0, 1000)), "run": Field(integer(1, 2**31))}),
}
"""The types of requests, each with the check of its fields."""

JOBS = ("search", "genmove", "dead", "review", "playouts", "read_sgf", "write_sgf", "studies", "study")
"""The requests that a worker process answers."""

_message_id = integer(0, 2**53 - 1)


def parse(message: str | bytes) -> Request:
    """The request that a page sent; a ProtocolError if it is not valid."""
    value = _decoded(message)
    number = _message_id("id", value.pop("id", None))
    kind = value.pop("type", None)
    if not isinstance(kind, str) or kind not in REQUESTS:
        raise ProtocolError(f"type is {_shown(kind)}: choose {', '.join(REQUESTS)}", number)
    try:
        return Request(number, kind, REQUESTS[kind]("", value))
    except ProtocolError as error:
        raise ProtocolError(str(error), number) from None


def _decoded(message: str | bytes) -> dict[str, Any]:
    if not isinstance(message, str):
        raise ProtocolError("a message is a text with one JSON object, not binary data")
    if len(message) > MOST_CHARACTERS:
        raise ProtocolError(f"the message has {len(message)} characters: at most {MOST_CHARACTERS} are allowed")
    try:
        value = json.loads(message)
    except RecursionError:
        raise ProtocolError("the message is not JSON: it is nested too deeply") from None
    except ValueError as error:
        raise ProtocolError(f"the message is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError("a message is one JSON object with id and type")
    return value


def _shown(value: Any) -> str:
    """A value as messages show it, cut to 40 characters."""
    if isinstance(value, (list, dict)):
        return f"a {'list' if isinstance(value, list) else 'object'} of {len(value)}"
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
