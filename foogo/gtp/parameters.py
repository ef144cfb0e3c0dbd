"""The parameters of play by name: those of `PlayerOptions` and of `SearchParameters`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from foogo.errors import ArgumentError, GtpError
from foogo.gtp import parsing
from foogo.player.options import PlayerOptions
from foogo.search.parameters import SearchParameters
from foogo.search.written.formula import SelectionFormula

PLAYER_PARAMETERS = tuple(field.name for field in fields(PlayerOptions) if field.name != "parameters")
"""Fields of `PlayerOptions`."""

SEARCH_PARAMETERS = tuple(field.name for field in fields(SearchParameters))  # fields of `SearchParameters`

_TYPES = {field.name: str(field.type) for field in (*fields(PlayerOptions), *fields(SearchParameters))}


def all_parameters(options: PlayerOptions) -> dict[str, str]:
    """The values of all parameters as text, by name."""
    return {name: parameter(options, name) for name in (*PLAYER_PARAMETERS, *SEARCH_PARAMETERS)}


def parameter(options: PlayerOptions, name: str) -> str:
    """The value of a parameter as text; raises GtpError if there is no parameter of that name."""
    if name not in PLAYER_PARAMETERS and name not in SEARCH_PARAMETERS:
        names = ", ".join((*PLAYER_PARAMETERS, *SEARCH_PARAMETERS))
        raise GtpError(f"parameter {parsing.quoted(name)} is unknown: give {names}")
    value = getattr(_holder(options, name), name)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, SelectionFormula):
        return value.label
    return f"{value:g}" if isinstance(value, float) else str(value)


def with_parameter(options: PlayerOptions, name: str, word: str) -> PlayerOptions:
    """The options with a parameter changed; raises GtpError if the name or the value is invalid."""
    now = parameter(options, name)
    holder: Any = _holder(options, name)
    value = _read(name, word)
    try:
        changed = replace(holder, **{name: value})
    except ArgumentError as error:
        raise GtpError(f"{error}; it stays {now}") from None
    return changed if name in PLAYER_PARAMETERS else replace(options, parameters=changed)


def _holder(options: PlayerOptions, name: str) -> PlayerOptions | SearchParameters:
    """The object that has the parameter."""
    return options if name in PLAYER_PARAMETERS else options.parameters or SearchParameters()


def _read(name: str, word: str) -> Any:
    """The value that a word gives, of the type that the parameter has."""
    kind = _TYPES[name]
    if kind.endswith("None") and word.lower() == "none":
        return None
    if kind == "bool":
        return parsing.truth(name, word)
    if kind.startswith("str"):
        return word if name == "book" else word[:80]
    if kind.startswith("int"):
        return parsing.whole(name, word, 0, 2**64 - 1)
    return float("inf") if word.lower() == "inf" else parsing.number(name, word)
