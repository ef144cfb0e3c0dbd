"""Rule sets: which repetition is forbidden, whether suicide is allowed, how the end is scored.

`PRESETS` has all rule sets with a name. docs/reference/rules.md has a row for each of them and for each rule, with its
source. Komi is not a rule but an agreement between two players. It belongs to `foogo.game.game.Game`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from foogo.arguments import is_boolean
from foogo.errors import RulesError

SUPERKO_RULES = ("simple", "positional", "situational")
SCORING_RULES = ("area",)


@dataclass(frozen=True)
class Rules:
    """The rules of a game that players can choose.

    Parameters
    ----------
    superko
        ``"simple"``: a single stone may not retake at once the single stone that took its neighbour.
        ``"positional"``: no move may bring back the stones of any earlier position. ``"situational"``: no
        move may bring them back with the same player to move. A pass is always allowed.
    suicide
        Whether a move may take its own string of two or more stones off the board. Suicide of a single stone is
        always forbidden: it would leave the board as it was, like a pass.
    scoring
        ``"area"``: stones, and empty regions that reach only one colour. Every stone counts as alive.

    Raises
    ------
    RulesError
        If a value is not in this list.

    Examples
    --------
    >>> Rules()
    Rules(superko='positional', suicide=True, scoring='area')
    >>> Rules.from_name("new-zealand").superko
    'situational'
    >>> Rules(superko="triple")
    Traceback (most recent call last):
    foogo.errors.RulesError: superko 'triple' does not exist: choose simple, positional or situational
    """

    superko: str = "positional"
    suicide: bool = True
    scoring: str = "area"

    def __post_init__(self) -> None:
        _check_choice("superko", self.superko, SUPERKO_RULES)
        _check_choice("scoring", self.scoring, SCORING_RULES)
        if not is_boolean(self.suicide):
            raise RulesError(f"suicide is {self.suicide!r}: give True or False")
        object.__setattr__(self, "suicide", bool(self.suicide))

    @classmethod
    def from_name(cls, name: str) -> Rules:
        """The rule set of that name, one of `names()` or an alias; upper case, spaces and underscores do not matter.

        Raises
        ------
        RulesError
            If no rule set has that name.

        Examples
        --------
        >>> Rules.from_name("Tromp Taylor") == Rules.from_name("tromp-taylor")
        True
        >>> Rules.from_name("blitz")
        Traceback (most recent call last):
        foogo.errors.RulesError: unknown rules 'blitz': choose tromp-taylor, chinese, cgos, new-zealand or aga
        """
        key = preset_key(name, aliases=True) if isinstance(name, str) else ""
        if key not in PRESETS:
            raise RulesError(f"unknown rules {name!r}: choose {PRESET_CHOICES}")
        return PRESETS[key].rules

    @classmethod
    def parse(cls, value: Rules | str) -> Rules:
        """The rules that `value` describes.

        Parameters
        ----------
        value
            Rules, the name of a preset, or a text of choices such as ``str(rules)`` gives. A choice left out
            is as in Tromp-Taylor rules.

        Raises
        ------
        RulesError
            If the text names no rule set, or a choice in it does not exist.

        Examples
        --------
        >>> Rules.parse("superko=simple suicide=no")
        Rules(superko='simple', suicide=False, scoring='area')
        """
        if isinstance(value, Rules):
            return value
        if not isinstance(value, str):
            raise RulesError(f"unknown rules {value!r}: give Rules or {PRESET_CHOICES}")
        if "=" not in value:
            return cls.from_name(value)
        choices = dict(_parse_choice(part) for part in value.replace(",", " ").split())
        suicide = choices.get("suicide", "yes")
        _check_choice("suicide", suicide, ("yes", "no"))
        return cls(choices.get("superko", "positional"), suicide == "yes", choices.get("scoring", "area"))

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the presets."""
        return tuple(PRESETS)

    def __str__(self) -> str:
        return f"superko={self.superko} suicide={'yes' if self.suicide else 'no'} scoring={self.scoring}"


def _check_choice(rule: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise RulesError(f"{rule} {value!r} does not exist: choose {_alternatives(choices)}")


def _parse_choice(part: str) -> tuple[str, str]:
    rule, _, value = part.partition("=")
    if rule not in ("superko", "suicide", "scoring"):
        raise RulesError(f"{part!r} is not a rule: rules are superko=, suicide= and scoring=")
    return rule, value


def _alternatives(names: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


class Preset(NamedTuple):
    """A named rule set, with the conventions that go with it."""

    rules: Rules
    handicap_bonus: str
    """Points that White gets for N handicap stones: "0", "N-1" or "N"."""
    dead_removed: bool
    """Whether dead stones are taken off by agreement at the end."""
    sgf_name: str
    """The value of RU in an SGF file."""
    aliases: tuple[str, ...] = ()
    """Other names, as GTP controllers send them."""


# The sources of each row are in docs/reference/rules.md.
PRESETS = {
    "tromp-taylor": Preset(Rules("positional", True), "0", False, "Tromp-Taylor", ("tromptaylor", "tt")),
    "chinese": Preset(Rules("positional", False), "N", True, "Chinese", ("chinese-ogs", "chinese-kgs")),
    "cgos": Preset(Rules("positional", False), "0", False, "Chinese"),
    "new-zealand": Preset(Rules("situational", True), "0", True, "NZ", ("newzealand", "nz")),
    "aga": Preset(Rules("situational", False), "N-1", True, "AGA", ("bga",)),
}

KGS_NAMES = {"chinese": "chinese", "aga": "aga", "new_zealand": "new-zealand"}
"""The preset for each KGS rule set with area scoring."""

PRESET_CHOICES = _alternatives(tuple(PRESETS))


def preset_key(name: str, *, aliases: bool = False) -> str:
    """`name` in the form of the keys of `PRESETS`; with `aliases`, an alias becomes the name of its preset."""
    key = "-".join(name.replace("_", " ").replace("-", " ").lower().split())
    if aliases:
        return next((known for known, preset in PRESETS.items() if key in preset.aliases), key)
    return key
