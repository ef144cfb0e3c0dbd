"""What players agree on beside the `Rules`: handicap, its compensation, and what becomes of dead stones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import takewhile

from foogo.errors import ArgumentError, RulesError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.rules import PRESETS, Rules, preset_key

BONUSES = ("0", "N-1", "N")
"""Points that White gets for N handicap stones."""

MOST_HANDICAP_MOVES = 9
"""The most moves of Black in a row, at the start of a game, that count as handicap."""


@dataclass(frozen=True)
class Conventions:
    """Rules, and what goes with them.

    Attributes
    ----------
    name
        The preset they come from.
    rules
        The rules of play.
    handicap_bonus
        Points that White gets for N handicap stones: one of `BONUSES`.
    dead_removed
        Whether dead stones are taken off by agreement at the end. Where they are not, all stones count as alive, and
        a player captures what is dead before passing.

    Raises
    ------
    RulesError
        If the bonus does not exist.

    Examples
    --------
    >>> Conventions.from_name("cgos").dead_removed, Conventions.from_name("aga").handicap_bonus
    (False, 'N-1')

    References
    ----------
    KataGo's whiteHandicapBonus and friendlyPassOk; docs/reference/rules.md has a row for each preset.
    """

    name: str = "tromp-taylor"
    rules: Rules = field(default_factory=Rules)
    handicap_bonus: str = "0"
    dead_removed: bool = False

    def __post_init__(self) -> None:
        if self.handicap_bonus not in BONUSES:
            raise RulesError(f"handicap bonus {self.handicap_bonus!r} does not exist: choose {', '.join(BONUSES)}")

    @classmethod
    def from_name(cls, name: str) -> Conventions:
        """The conventions of a preset, by its name or an alias of `foogo.game.rules.PRESETS`.

        Raises
        ------
        RulesError
            If there is no such preset.
        """
        key = preset_key(name, aliases=True)
        rules = Rules.from_name(key)
        return cls(key, rules, PRESETS[key].handicap_bonus, PRESETS[key].dead_removed)

    @classmethod
    def of(cls, value: Conventions | Rules | str) -> Conventions:
        """The conventions that `value` says: themselves, a preset, or rules whose dead stones stay on the board."""
        if isinstance(value, Conventions):
            return value
        if isinstance(value, str) and "=" not in value:
            return cls.from_name(value)
        return cls("custom", Rules.parse(value))

    def with_rules(self, **changes: object) -> Conventions:
        """The same with other choices of `Rules`, `handicap_bonus` or `dead_removed`."""
        own = {key: changes.pop(key) for key in ("handicap_bonus", "dead_removed") if key in changes}
        return replace(self, name="custom", rules=replace(self.rules, **changes), **own)  # type: ignore[arg-type]

    def compensation(self, game: Game) -> int:
        """Points that White gets for the handicap of `game`.

        Examples
        --------
        >>> game = Game(9)
        >>> game.play("C3")
        >>> game.play("G7", BLACK)
        >>> Conventions.from_name("chinese").compensation(game)
        2
        """
        stones = handicap_of(game)
        return {"0": 0, "N-1": max(0, stones - 1), "N": stones}[self.handicap_bonus]


def handicap_of(game: Game) -> int:
    """Handicap stones of a game: Black's in a start position without White's, or Black's first moves in a row.

    Fewer than two stones are no handicap. More than nine moves in a row are none either: they set up a position.

    References
    ----------
    KataGo also counts moves in a row (assumeMultipleStartingBlackMovesAreHandicap).

    Examples
    --------
    >>> game = Game(9)
    >>> for vertex in ("C3", "G7", "C7"):
    ...     game.play(vertex, BLACK)
    >>> handicap_of(game)
    3
    """
    start = game.start
    if start.stones(WHITE).any():
        return 0
    stones = start.stones(BLACK).count()
    if stones:
        return stones if stones >= 2 else 0
    moves = len(list(takewhile(lambda turn: turn.color == BLACK and turn.move != PASS, game.turns)))
    return moves if 2 <= moves <= MOST_HANDICAP_MOVES else 0


def most_fixed(size: int) -> int:
    """The largest fixed handicap: 9 on odd boards from 9x9 on, 4 on even ones and 7x7, none below.

    References
    ----------
    Farneback, Specification of the Go Text Protocol, version 2, draft 2, 4.1.1.
    """
    return 0 if size < 7 else 9 if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> tuple[int, ...]:
    """The points of a fixed handicap, in the order of the Go Text Protocol.

    Raises
    ------
    ArgumentError
        If that board has no such handicap.

    Examples
    --------
    >>> fixed_handicap(9, 3)
    (20, 60, 56)
    """
    most = most_fixed(size)
    if not 2 <= stones <= most:
        allowed = f"2 to {most} stones" if most else "no fixed handicap"
        raise ArgumentError(f"invalid number of stones: a {size}x{size} board has {allowed}")
    low = 3 if size >= 13 else 2
    lines = {"0": low, "1": size // 2, "2": size - 1 - low}
    order = ["00", "22", "20", "02", "10", "12", "01", "21"][: stones if stones in (2, 3, 4, 6, 8) else stones - 1]
    if stones in (5, 7, 9):
        order.append("11")
    return tuple(lines[place[0]] * size + lines[place[1]] for place in order)


def free_handicap(size: int, stones: int) -> tuple[int, ...]:
    """Points for so many handicap stones of the player's own choice: star points first, then far from all others.

    Fewer than asked for where one more would leave a stone without a liberty, as the protocol allows.

    Raises
    ------
    ArgumentError
        If there are fewer than two, or more than the board has points for.

    Examples
    --------
    >>> len(free_handicap(9, 13))
    13
    """
    area = size * size
    if not 2 <= stones < area:
        raise ArgumentError(f"invalid number of stones: give 2 to {area - 1}")
    chosen = list(fixed_handicap(size, min(stones, most_fixed(size)))) if most_fixed(size) else []
    while len(chosen) < min(stones, area // 2):
        chosen.append(max((p for p in range(area) if p not in chosen), key=lambda p: _loneliness(size, chosen, p)))
    return tuple(chosen)


def _loneliness(size: int, chosen: Iterable[int], point: int) -> tuple[int, int, int]:
    """How far a point is from the nearest chosen one, then from the edge; the first such in point order."""
    row, col = divmod(point, size)
    near = min((abs(row - other // size) + abs(col - other % size) for other in chosen), default=2 * size)
    return near, min(row, col, size - 1 - row, size - 1 - col, 3), -point
