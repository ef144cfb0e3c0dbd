"""The parameters of play by name: those of the player and those of its search."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from foogo.errors import ArgumentError, GtpError
from foogo.gtp import arguments
from foogo.player.options import PlayerOptions
from foogo.search.parameters import SearchParameters

OWN = tuple(one.name for one in fields(PlayerOptions) if one.name != "parameters")
"""The player's."""

SEARCH = tuple(one.name for one in fields(SearchParameters))
"""The search's."""


def all_parameters(options: PlayerOptions) -> dict[str, str]:
    """Every parameter's value as text."""
    return {name: parameter(options, name) for name in (*OWN, *SEARCH)}


def parameter(options: PlayerOptions, name: str) -> str:
    """A parameter's value as text.

    Raises
    ------
    GtpError
        If there is none of that name.
    """
    if name not in OWN and name not in SEARCH:
        raise GtpError(f"parameter {arguments.shown(name)} is unknown: give {', '.join((*OWN, *SEARCH))}")
    value = getattr(_holder(options, name), name)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def with_parameter(options: PlayerOptions, name: str, word: str) -> PlayerOptions:
    """The options with a parameter changed.

    Raises
    ------
    GtpError
        If there is no such parameter, or the value is none for it.
    """
    now = parameter(options, name)
    holder: Any = _holder(options, name)
    value = _read(name, word, getattr(holder, name))
    try:
        changed = replace(holder, **{name: value})
    except ArgumentError as error:
        raise GtpError(f"{error}; it stays {now}") from None
    return changed if name in OWN else replace(options, parameters=changed)


def _holder(options: PlayerOptions, name: str) -> PlayerOptions | SearchParameters:
    """What has the parameter."""
    return options if name in OWN else options.parameters or SearchParameters()


def _read(name: str, word: str, now: Any) -> Any:
    """A value as its parameter has it."""
    if name in ("simulations", "seconds") and word.lower() == "none":
        return None
    if isinstance(now, bool):
        return arguments.truth(name, word)
    if isinstance(now, str):
        return word[:80]
    if name != "seconds" and (isinstance(now, int) or name == "simulations"):
        return arguments.whole(name, word, 0, 2**64 - 1)
    return float("inf") if word.lower() == "inf" else arguments.number(name, word)
