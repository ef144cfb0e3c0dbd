"""A rule set as players agree on it: the `Rules`, White's points for handicap, and what becomes of dead stones."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from foogo.errors import RulesError
from foogo.game.game import Game
from foogo.game.rules import PRESETS, Rules, preset_key
from foogo.player.handicap import handicap_of

BONUSES = ("0", "N-1", "N")  # points that White gets for N handicap stones


@dataclass(frozen=True)
class Ruleset:
    """The rules of play, White's points for handicap, and what becomes of dead stones.

    If dead stones are not removed by agreement at the end, every stone counts as alive, so a player captures dead
    stones before passing.

    References
    ----------
    KataGo's whiteHandicapBonus and friendlyPassOk; docs/reference/rules.md has a row for each preset.
    """

    name: str = "tromp-taylor"  # the preset, or "custom"
    rules: Rules = field(default_factory=Rules)
    handicap_bonus: str = "0"  # one of `BONUSES`
    dead_removed: bool = False

    def __post_init__(self) -> None:
        if self.handicap_bonus not in BONUSES:
            raise RulesError(f"handicap bonus {self.handicap_bonus!r} does not exist: choose {', '.join(BONUSES)}")

    @classmethod
    def from_name(cls, name: str) -> Ruleset:
        """The rule set of that name, a preset or one of its aliases; raises RulesError if it is unknown."""
        key = preset_key(name, aliases=True)
        rules = Rules.from_name(key)
        return cls(key, rules, PRESETS[key].handicap_bonus, PRESETS[key].dead_removed)

    @classmethod
    def of(cls, value: Ruleset | Rules | str) -> Ruleset:
        """`value` as a rule set: unchanged, a preset by name, or `Rules` under which dead stones are not removed."""
        if isinstance(value, Ruleset):
            return value
        if isinstance(value, str) and "=" not in value:
            return cls.from_name(value)
        return cls("custom", Rules.parse(value))

    def with_rules(self, **changes: object) -> Ruleset:
        """A copy with some fields of `Rules`, `handicap_bonus` or `dead_removed` changed."""
        own = {key: changes.pop(key) for key in ("handicap_bonus", "dead_removed") if key in changes}
        return replace(self, name="custom", rules=replace(self.rules, **changes), **own)  # type: ignore[arg-type]

    def compensation(self, game: Game) -> int:
        """Points that White gets for the handicap of `game`."""
        stones = handicap_of(game)
        return {"0": 0, "N-1": max(0, stones - 1), "N": stones}[self.handicap_bonus]
