"""The rules, as KataGo's and KGS's commands say them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from foogo.errors import FoogoError, GtpError, RulesError
from foogo.game.rules import KGS_NAMES, SUPERKO_RULES, Rules
from foogo.gtp import arguments
from foogo.gtp.engine import Call
from foogo.gtp.session import Session
from foogo.player.conventions import BONUSES, Conventions

_KO = tuple(superko.upper() for superko in SUPERKO_RULES)

Change = Callable[[Conventions, Any], Conventions]


def kata_get_rules(session: Session, call: Call) -> str:
    """The rules as a JSON object, in KataGo's words."""
    call.expect(0)
    now = session.player.conventions
    rules = {
        "hasButton": False,
        "ko": now.rules.superko.upper(),
        "scoring": now.rules.scoring.upper(),
        "suicide": now.rules.suicide,
        "tax": "NONE",
        "whiteHandicapBonus": now.handicap_bonus,
        "friendlyPassOk": now.dead_removed,
    }
    return json.dumps(rules, separators=(",", ":"))


def kata_set_rules(session: Session, call: Call) -> str:
    """Set the rules: a preset, or a JSON object."""
    text = call.command.text
    if not text:
        raise GtpError(f"syntax error: give {call.usage}")
    if text.startswith("{"):
        try:
            wanted = json.loads(text)
        except (ValueError, RecursionError):
            raise GtpError(f"rules {arguments.shown(text)} are no JSON object") from None
        conventions = session.player.conventions
        for key, value in wanted.items():
            conventions = _changed(conventions, key, value)
    else:
        try:
            conventions = Conventions.from_name(text[:80])
        except RulesError:
            names = ", ".join(Rules.names())
            raise GtpError(f"unknown rules {arguments.shown(text)}: give {names}, or a JSON object") from None
    return _set(session, conventions)


def kata_set_rule(session: Session, call: Call) -> str:
    """Set one of the rules."""
    key, word = call.expect(2)
    value = {"true": True, "false": False}.get(word.lower(), word)
    return _set(session, _changed(session.player.conventions, key, value))


def kgs_rules(session: Session, call: Call) -> str:
    """Set the rules by the name that KGS has for them."""
    (word,) = call.expect(1)
    if word.lower() not in KGS_NAMES:
        names = ", ".join(KGS_NAMES)
        raise GtpError(f"rules {arguments.shown(word)} are unknown or do not count area: give {names}")
    return _set(session, Conventions.from_name(KGS_NAMES[word.lower()]))


def _set(session: Session, conventions: Conventions) -> str:
    try:
        session.player.conventions = conventions
    except FoogoError as error:
        raise GtpError(f"the game so far breaks these rules: {error}") from None
    return ""


def _changed(conventions: Conventions, key: str, value: Any) -> Conventions:
    """The conventions with one of KataGo's rules changed."""
    fixed = {"scoring": "AREA", "tax": "NONE", "hasButton": False}
    if key in fixed:
        _choose(key, value, (fixed[key],))
        return conventions
    if key == "ko":
        return conventions.with_rules(superko=str(_choose(key, value, _KO)).lower())
    if key == "suicide":
        return conventions.with_rules(suicide=_choose(key, value, (True, False)))
    if key == "whiteHandicapBonus":
        return conventions.with_rules(handicap_bonus=_choose(key, str(value), BONUSES))
    if key == "friendlyPassOk":
        return conventions.with_rules(dead_removed=_choose(key, value, (True, False)))
    names = ", ".join(["ko", "suicide", "whiteHandicapBonus", "friendlyPassOk", *fixed])
    raise GtpError(f"rule {arguments.shown(str(key))} is unknown: give {names}")


def _choose(key: str, value: Any, choices: tuple[Any, ...]) -> Any:
    wanted = value.upper() if isinstance(value, str) and key in ("ko", "scoring", "tax") else value
    for choice in choices:
        if wanted == choice and isinstance(wanted, bool) == isinstance(choice, bool):
            return choice
    accepted = ", ".join(json.dumps(choice).strip('"') for choice in choices)
    raise GtpError(f"{key} is {arguments.shown(str(value))}: foogo has {accepted}")
