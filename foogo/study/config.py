"""The configuration of a run: board, players, komi and seed, and the start positions of its games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from foogo.arguments import check_komi, truth, whole
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, EMPTY, WHITE, check_size, geometry
from foogo.game.notation import number_text
from foogo.playout.policies import ALIASES, POLICIES, POLICY_CHOICES, UNIFORM

ANY = -1
"""The start without a fixed first move."""

OPENING_STRIDE = 1 << 40
"""Playout numbers reserved for each start, so that no two starts share a random stream."""

OPENINGS = ("none", "classes", "all")
"""The first moves that a run fixes: none, one per class of symmetric points, or all. Each includes the previous one."""

USUAL_KOMIS = (0.0, 5.5, 6.5, 7.0, 7.5)
"""The komis reported by default, in points."""

UNIFORM_IN_STORES = "random"
"""The name that stores have for the policy "uniform"."""

LABEL = re.compile(r"[^\W\d]\w*(\(.*\))?@[0-9a-f]{12}")
"""The labels of policies that users wrote (`foogo.PlayoutPolicy.label`); their games are playouts, too."""

SELF_PLAY_KOMI = 7.0
"""The default komi of search: the usual one under Tromp-Taylor rules."""


@dataclass(frozen=True)
class Config:
    """The configuration of a run. Runs with equal configurations play the same games.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    stones, to_play, ko
        The start position: its rows, top row first, joined by "/", "" for the empty board; "black" or "white"; the
        vertex that simple ko forbids to the player to move, or None. Any diagram of `foogo.Board.from_diagram` is
        stored in the same form.
    suicide
        Whether strings of two or more stones may take their own last liberty.
    policy
        How both sides play: "uniform" (also as "random"), another playout policy such as "knowledge", the label of a
        policy that a user wrote, or "search:N" (N simulations per move).
    komi
        The komi that search plays for, in points. Playouts ignore the komi; for them it must be None.
    seed
        0 to 2**64 - 1.

    Examples
    --------
    >>> Config(9, seed=1).describe()
    '9x9, uniform players, suicide allowed, seed 1'
    >>> Config(5, policy="search:100").komi
    7.0
    """

    size: int
    stones: str = ""
    to_play: str = "black"
    ko: str | None = None
    suicide: bool = True
    policy: str = UNIFORM
    komi: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", check_size(self.size))
        if isinstance(self.policy, str):
            object.__setattr__(self, "policy", ALIASES.get(self.policy, self.policy))
        object.__setattr__(self, "suicide", truth("suicide", self.suicide))
        object.__setattr__(self, "seed", whole("seed", self.seed, 0, 2**64 - 1))
        if self.simulations == 0 and self.komi is not None:
            raise ArgumentError(f"komi {self.komi!r} for {self.policy} players: they ignore komi; leave it out")
        if self.simulations:
            object.__setattr__(self, "komi", check_komi(SELF_PLAY_KOMI if self.komi is None else self.komi))
        if self.to_play not in ("black", "white"):
            raise ArgumentError(f"to_play is {self.to_play!r}: it must be 'black' or 'white'")
        if not isinstance(self.stones, str):
            raise ArgumentError(f"stones are {self.stones!r}: give the rows as one text, such as '.X./.../...'")
        if self.ko is not None and not self.stones:
            raise ArgumentError(f"ko is {self.ko!r} on an empty board: give the stones that make it")
        if not self.is_empty:
            self._normalize(self.board())

    @property
    def simulations(self) -> int:
        """The simulations per move; 0 for a playout policy."""
        return simulations_of(self.policy)

    def equal_but_komi(self, other: Config) -> bool:
        """Whether the other configuration is equal, ignoring komi."""
        return self.as_dict() | {"komi": None} == other.as_dict() | {"komi": None}

    @property
    def is_empty(self) -> bool:
        """Whether the games start from the empty board, Black to play."""
        return not self.stones and self.to_play == "black"

    @property
    def players(self) -> str:
        """The players, in words."""
        return f"both sides {self.policy}" if self.simulations else f"{self.policy} players"

    @classmethod
    def of_board(cls, board: Board, **options: Any) -> Config:
        """The configuration that starts from a position; `options` are the other fields."""
        to_play = "black" if board.to_play == BLACK else "white"
        return cls(board.size, _rows_of(board, board.last_move), to_play, _ko_of(board), **options)

    @classmethod
    def from_json(cls, text: str) -> Config:
        """The configuration that `as_json` wrote."""
        return cls(**json.loads(text))

    def as_json(self) -> str:
        """The configuration as JSON, identical for equal configurations, with the name of the policy in stores.

        Examples
        --------
        >>> Config(9).policy, '"policy": "random"' in Config(9).as_json()
        ('uniform', True)
        """
        policy = UNIFORM_IN_STORES if self.policy == UNIFORM else self.policy
        return json.dumps(self.as_dict() | {"policy": policy}, sort_keys=True)

    def as_dict(self) -> dict[str, Any]:
        """Every field by its name, for JSON."""
        return asdict(self)

    def describe(self) -> str:
        """A description of the configuration on one line."""
        parts = [f"{self.size}x{self.size}", self.players]
        if self.komi is not None:
            parts.append(f"komi {number_text(self.komi)}")
        parts.append(f"suicide {'allowed' if self.suicide else 'forbidden'}")
        if not self.is_empty:
            parts.append(f"from a position, {self.to_play} to play")
        return ", ".join([*parts, f"seed {self.seed}"])

    def board(self, start: int = ANY) -> Board:
        """The position from which a start's games are played: the run's own, or the position after a first move."""
        if self.stones:
            color = BLACK if self.to_play == "black" else WHITE
            board = Board.from_diagram(self.stones.replace("/", "\n"), color, self.ko)
        else:
            board = Board(self.size)
            board.to_play = BLACK if self.to_play == "black" else WHITE
        if board.size != self.size:
            raise ArgumentError(f"the position is {board.size}x{board.size}, the size {self.size}")
        if start != ANY:
            board.play(start)
        return board

    def playout_start(self, start: int = ANY) -> Board | int:
        """The same position for `foogo.simulate`, which takes a size for an empty board."""
        return self.size if start == ANY and self.is_empty else self.board(start)

    def starts(self, openings: str) -> tuple[int, ...]:
        """The starts of a run: `ANY`, then the points of the first moves that `openings` names."""
        if openings not in OPENINGS:
            raise ArgumentError(f"openings {openings!r} do not exist: use {', '.join(OPENINGS)}")
        if openings == "none":
            return (ANY,)
        points = (group[0] for group in self.classes) if openings == "classes" else self._legal()
        return (ANY, *points)

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The legal first moves, grouped into classes that symmetries of the position map onto themselves.

        Examples
        --------
        >>> Config(3).classes
        ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
        >>> Config(3, ".../.../X..", "white").classes
        ((1, 3), (2, 6), (4,), (5, 7), (8,))
        """
        if not self.stones:
            return geometry(self.size).orbits
        board, images = self.board(), geometry(self.size).symmetries
        colors = board.to_array().ravel()
        keeping = [s for s in images if (colors[s] == colors).all() and (board.ko is None or s[board.ko] == board.ko)]
        legal = self._legal()
        groups = {tuple(sorted({int(s[point]) for s in keeping})) for point in legal}
        return tuple(sorted(groups))

    def first_number(self, start: int) -> int:
        """The playout number of a start's game 0."""
        return (start + 1) * OPENING_STRIDE

    def name_of(self, start: int) -> str:
        """The vertex of a start's first move, or "any"."""
        return "any" if start == ANY else geometry(self.size).vertex(start)

    def _legal(self) -> tuple[int, ...]:
        if not self.stones:
            return tuple(range(self.size**2))
        board = self.board()
        legal = board.legal(suicide=self.suicide).search(1)
        return tuple(int(point) for point in legal if board.color_at(point) == EMPTY)

    def _normalize(self, board: Board) -> None:
        """Write the position in the one form that all its diagrams share, with the last move if one is marked."""
        if self.stones:
            object.__setattr__(self, "stones", _rows_of(board, board.last_move))
        object.__setattr__(self, "ko", _ko_of(board))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "classes"}


def _rows_of(board: Board, last_move: int | None = None) -> str:
    """The rows of a position; "" for the empty board."""
    rows = [[".XO"[color] for color in row] for row in board.to_array().tolist()]
    if board.empty.count() == board.size**2:
        return ""
    if last_move is not None and last_move >= 0:
        row, column = divmod(last_move, board.size)
        rows[row][column] = f"({rows[row][column]})"
    return "/".join("".join(row) for row in reversed(rows))


def _ko_of(board: Board) -> str | None:
    return None if board.ko is None else geometry(board.size).vertex(board.ko)


def simulations_of(policy: str) -> int:
    """The simulations per move: N for "search:N", 0 for a playout policy; ArgumentError if there is no such policy."""
    text = policy if isinstance(policy, str) else ""
    if text in POLICIES or LABEL.fullmatch(text):
        return 0
    match = re.fullmatch(r"search:([1-9]\d{0,8})", text)
    if match is None:
        raise ArgumentError(
            f"policy {policy!r} is unknown: use {POLICY_CHOICES}, or search:N with N simulations per move, or a policy "
            "of yours: FILE.py:NAME in a command, the label of one of foogo.playout_policy in Python"
        )
    return int(match[1])


def check_komis(komis: Iterable[float]) -> list[float]:
    """`komis` as floats; ArgumentError if they are not several finite numbers."""
    if not isinstance(komis, Iterable):
        raise ArgumentError(f"komis are {komis!r}: give a sequence of numbers, such as (0, 6.5)")
    return [check_komi(komi) for komi in komis]


def komis_to_report(komis: Iterable[float] | None) -> tuple[float, ...]:
    """The komis as floats, without duplicates; `USUAL_KOMIS` if there are none."""
    return tuple(dict.fromkeys(check_komis(() if komis is None else komis))) or USUAL_KOMIS
