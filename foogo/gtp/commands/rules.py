"""Commands of KataGo and KGS that read and set the rules."""

from __future__ import annotations

import json
from typing import Any

from foogo.errors import FoogoError, GtpError, RulesError
from foogo.game.rules import KGS_NAMES, SUPERKO_RULES, Rules
from foogo.gtp import parsing
from foogo.gtp.dispatcher import Call
from foogo.gtp.katago_rules import rules_object
from foogo.gtp.session import Session
from foogo.player.ruleset import BONUSES, Ruleset

_KO = tuple(superko.upper() for superko in SUPERKO_RULES)


def kata_get_rules(session: Session, call: Call) -> str:
    """The rules as a JSON object with KataGo's names."""
    return rules_object(session.player.ruleset)


def kata_set_rules(session: Session, call: Call) -> str:
    """Set the rules: a preset, or a JSON object."""
    text = call.command.text
    if not text:
        raise GtpError(f"syntax error: give {call.usage}")
    if text.startswith("{"):
        try:
            wanted = json.loads(text)
        except (ValueError, RecursionError):
            raise GtpError(f"rules {parsing.quoted(text)} are not a JSON object") from None
        ruleset = session.player.ruleset
        for key, value in wanted.items():
            ruleset = _changed(ruleset, key, value)
    else:
        ruleset = _named(text)
    return _set(session, ruleset)


def kata_set_rule(session: Session, call: Call) -> str:
    """Set one of the rules."""
    key, word = call.expect(2)
    value = {"true": True, "false": False}.get(word.lower(), word)
    return _set(session, _changed(session.player.ruleset, key, value))


def kgs_rules(session: Session, call: Call) -> str:
    """Set the rules by their KGS name."""
    (word,) = call.expect(1)
    if word.lower() not in KGS_NAMES:
        names = ", ".join(KGS_NAMES)
        raise GtpError(f"rules {parsing.quoted(word)} are unknown or do not count area: give {names}")
    return _set(session, Ruleset.from_name(KGS_NAMES[word.lower()]))


def _named(text: str) -> Ruleset:
    """The rule set with this name, which may have blanks; or with its first word, as other commands ignore the rest."""
    for name in (text, text.split()[0]):
        try:
            return Ruleset.from_name(name[:80])
        except RulesError:
            pass
    raise GtpError(f"unknown rules {parsing.quoted(text)}: give {', '.join(Rules.names())}, or a JSON object")


def _set(session: Session, ruleset: Ruleset) -> str:
    try:
        session.player.ruleset = ruleset
    except FoogoError as error:
        raise GtpError(f"the game so far violates these rules: {error}") from None
    return ""


def _changed(ruleset: Ruleset, key: str, value: Any) -> Ruleset:
    """The rule set with one of KataGo's rules changed."""
    fixed = {"scoring": "AREA", "tax": "NONE", "hasButton": False}
    if key in fixed:
        _one_of(key, value, (fixed[key],))
        return ruleset
    if key == "ko":
        return ruleset.with_rules(superko=str(_one_of(key, value, _KO)).lower())
    if key == "suicide":
        return ruleset.with_rules(suicide=_one_of(key, value, (True, False)))
    if key == "whiteHandicapBonus":
        return ruleset.with_rules(handicap_bonus=_one_of(key, str(value), BONUSES))
    if key == "friendlyPassOk":
        return ruleset.with_rules(dead_removed=_one_of(key, value, (True, False)))
    names = ", ".join(["ko", "suicide", "whiteHandicapBonus", "friendlyPassOk", *fixed])
    raise GtpError(f"rule {parsing.quoted(str(key))} is unknown: give {names}")


def _one_of(key: str, value: Any, choices: tuple[Any, ...]) -> Any:
    wanted = value.upper() if isinstance(value, str) and key in ("ko", "scoring", "tax") else value
    for choice in choices:
        if wanted == choice and isinstance(wanted, bool) == isinstance(choice, bool):
            return choice
    accepted = ", ".join(json.dumps(choice).strip('"') for choice in choices)
    raise GtpError(f"{key} is {parsing.quoted(str(value))}: foogo supports {accepted}")
