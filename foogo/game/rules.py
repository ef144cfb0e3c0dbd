"""Rule sets: which repetition is forbidden, whether suicide is allowed, how the end is counted.

docs/reference/rules.md has a row for every choice made here, with its source. Komi is not a rule but a bargain
between two players: it belongs to `foogo.game.game.Game`.
"""

from __future__ import annotations

from dataclasses import dataclass

from foogo.errors import RulesError

SUPERKO_RULES = ("simple", "positional", "situational")
"""What may not come back: a stone taken in ko; any earlier stones; those with the same player to move."""

SCORING_RULES = ("area",)
"""How the end of a game is counted."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game that players can choose.

    Parameters
    ----------
    superko
        ``"simple"``: no move may undo the capture of one stone by one stone that was made just before.
        ``"positional"``: no move may bring back the stones of any earlier position. ``"situational"``: no
        move may bring them back with the same player to move. A pass is always allowed.
    suicide
        Whether a move may remove the own string, of two stones or more. Suicide of a single stone is never
        a move: it would leave the board as it was, as a pass does.
    scoring
        ``"area"``: stones, and empty regions that reach only one colour; every stone counts as alive.

    Raises
    ------
    RulesError
        If a value is none of those.

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
        if not isinstance(self.suicide, bool):
            raise RulesError(f"suicide {self.suicide!r} is neither allowed nor forbidden: give True or False")

    @classmethod
    def from_name(cls, name: str) -> Rules:
        """The rule set of that name; upper case, spaces and underscores do not matter.

        Parameters
        ----------
        name
            One of `names()`.

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
        key = "-".join(name.replace("_", " ").replace("-", " ").lower().split())
        if key not in _PRESETS:
            raise RulesError(f"unknown rules {name!r}: choose {_alternatives(cls.names())}")
        return _PRESETS[key]

    @classmethod
    def parse(cls, value: Rules | str) -> Rules:
        """The rules that `value` says, whichever way it says them.

        Parameters
        ----------
        value
            Rules, the name of a preset, or a text of choices such as ``str(rules)`` gives; a choice left out
            is as in Tromp-Taylor rules.

        Raises
        ------
        RulesError
            If the text names no rule set, or a choice in it does not exist.

        Examples
        --------
        >>> Rules.parse("superko=simple suicide=no")
        Rules(superko='simple', suicide=False, scoring='area')
        >>> Rules.parse(str(Rules.from_name("aga"))) == Rules.from_name("aga")
        True
        """
        if isinstance(value, Rules):
            return value
        if not isinstance(value, str):
            raise RulesError(f"unknown rules {value!r}: give Rules or {_alternatives(cls.names())}")
        if "=" not in value:
            return cls.from_name(value)
        choices = dict(_parse_choice(part) for part in value.replace(",", " ").split())
        return cls(
            superko=choices.get("superko", "positional"),
            suicide=_parse_suicide(choices.get("suicide", "yes")),
            scoring=choices.get("scoring", "area"),
        )

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the presets.

        Examples
        --------
        >>> Rules.names()
        ('tromp-taylor', 'chinese', 'cgos', 'new-zealand', 'aga')
        """
        return tuple(_PRESETS)

    def __str__(self) -> str:
        return f"superko={self.superko} suicide={'yes' if self.suicide else 'no'} scoring={self.scoring}"


def _check_choice(rule: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise RulesError(f"{rule} {value!r} does not exist: choose {_alternatives(choices)}")


def _parse_choice(part: str) -> tuple[str, str]:
    rule, _, value = part.partition("=")
    if rule not in ("superko", "suicide", "scoring"):
        raise RulesError(f"{part!r} is no rule: rules are superko=, suicide= and scoring=")
    return rule, value


def _parse_suicide(value: str) -> bool:
    if value not in ("yes", "no"):
        raise RulesError(f"suicide {value!r} does not exist: choose yes or no")
    return value == "yes"


def _alternatives(names: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# The sources of each row are in docs/reference/rules.md.
_PRESETS = {
    "tromp-taylor": Rules(superko="positional", suicide=True),
    "chinese": Rules(superko="positional", suicide=False),
    "cgos": Rules(superko="positional", suicide=False),
    "new-zealand": Rules(superko="situational", suicide=True),
    "aga": Rules(superko="situational", suicide=False),
}
