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


def rules_argument(rules: Rules | str) -> str:
    """The argument of ``kata-set-rules``: the key of a preset, another name as it is, or an object for other rules.

    `Rules` become an object even if a preset has them: several presets may, with different conventions.
    """
    if isinstance(rules, Rules) or "=" in rules:
        return rules_object(Ruleset.of(rules))
    key = preset_key(rules)
    return key if key in PRESETS else rules
