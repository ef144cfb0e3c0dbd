"""Rules as KataGo's commands write them."""

from __future__ import annotations

import json

from foogo.game.rules import PRESETS, Rules, preset_key
from foogo.player.ruleset import Ruleset


def rules_object(ruleset: Ruleset) -> str:
    """A rule set as a JSON object with KataGo's names, on one line."""
    rules = {
        "hasButton": False,
        "ko": ruleset.rules.superko.upper(),
        "scoring": ruleset.rules.scoring.upper(),
        "suicide": ruleset.rules.suicide,
        "tax": "NONE",
        "whiteHandicapBonus": ruleset.handicap_bonus,
        "friendlyPassOk": ruleset.dead_removed,
    }
    return json.dumps(rules, separators=(",", ":"))


SAME_NAMES = ("tromp-taylor", "new-zealand", "aga")
"""The presets whose name stands for the same rules in KataGo: its chinese has simple ko, and it has no cgos."""


def rules_argument(rules: Rules | str) -> str:
    """The argument of ``kata-set-rules``: the key of a preset, an object for other rules, another name as it is.

    A preset becomes an object if its name is not in `SAME_NAMES`. `Rules` become an object even if a preset has them:
    several presets may, with different conventions.
    """
    key = preset_key(rules, aliases=True) if isinstance(rules, str) else ""
    if key in SAME_NAMES:
        return key
    if not isinstance(rules, str) or key in PRESETS or "=" in rules:
        return rules_object(Ruleset.of(rules))
    return rules
