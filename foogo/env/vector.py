"""`VectorEnvironment`: a batch of games, played move by move with arrays in and out."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import array_of, enough_memory, whole
from foogo.env.kernels.games import EnvironmentRules, new_games, play_moves, start_games
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.kernels.planes import PLANES
from foogo.game.kernels.positions import new_area_scratch
from foogo.game.kernels.strings import HEADER, TO_PLAY
from foogo.game.notation import number_text
from foogo.game.rules import SUPERKO_RULES, Rules

TURNS_PER_POINT = 3
"""The default limit of a game, in turns per point of the board."""


class Step(NamedTuple):
    """What follows a turn in every game. The arrays are read-only, and the next step overwrites them.

    Attributes
    ----------
    planes
        (games, 4, size, size) bool: as `foogo.Board.planes`, for the player to move.
    legal
        (games, size * size + 1) bool: the legal points and, last, the pass; all False in a game that is over.
    rewards
        (games,) float32: 1 if this turn ended the game and Black won it, -1 if White did, otherwise 0.
    over
        (games,) bool: whether the game has ended.
    """

    planes: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]


class VectorEnvironment:
    """A batch of games under one set of rules, on one core.

    A move is a point, or `PASS` (-1), for which the number of points is accepted too. Two passes end a game, and so
    does its turn limit; it is then scored by area. A game that is over stays as it is until `reset`.

    Superko goes by the 64-bit hash of the stones.

    Parameters
    ----------
    size_or_board
        Points on a side, 2 to 19, or the position that every game starts from.
    games
        The number of games, from 1.
    rules, komi
        As for `foogo.Game`.
    turn_limit
        The turns after which a game ends, passes included; three for each point if None. Under superko a game takes 16
        to 32 bytes per turn.

    Raises
    ------
    SizeError, RulesError, ArgumentError
        If an argument is out of range.

    Examples
    --------
    >>> env = VectorEnvironment(9, 4, komi=7)
    >>> step = env.reset()
    >>> step.planes.shape, step.legal.shape
    ((4, 4, 9, 9), (4, 82))
    >>> step = env.step([40, 40, 0, PASS])
    >>> step.legal[:, 40].tolist()
    [False, False, True, True]
    >>> step = env.step([PASS] * 4)
    >>> step.over.tolist(), step.rewards.tolist()
    ([False, False, False, True], [0.0, 0.0, 0.0, -1.0])
    """

    def __init__(
        self,
        size_or_board: SupportsIndex | Board = 9,
        games: SupportsIndex = 1024,
        *,
        rules: Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        turn_limit: SupportsIndex | None = None,
    ) -> None:
        first = Game(size_or_board, rules, komi)
        size, rule_set = first.size, first.rules
        limit = TURNS_PER_POINT * size**2 if turn_limit is None else whole("turn_limit", turn_limit, 1, 1 << 20)
        self.size, self.rules, self.komi = size, rule_set, first.komi
        self._start = first.start.state
        self._rules = EnvironmentRules(size, rule_set.suicide, SUPERKO_RULES.index(rule_set.superko), limit)
        count = whole("games", games, 1, 1 << 24)
        with enough_memory("games", count):
            self._games = new_games(count, self._rules, PLANES)
        self._scratch = new_area_scratch(size)
        self.reset()

    def __len__(self) -> int:
        return len(self._games.over)

    def __repr__(self) -> str:
        games = f"{len(self):,} game{'' if len(self) == 1 else 's'}"
        return f"<VectorEnvironment of {games}, {self.size}x{self.size}, {self.rules}, komi {number_text(self.komi)}>"

    def __copy__(self) -> VectorEnvironment:
        """An environment with games of its own, as `copy.deepcopy` makes it."""
        return deepcopy(self)

    @property
    def to_play(self) -> NDArray[np.int8]:
        """(games,) int8: BLACK or WHITE, the player to move in each game."""
        return self._games.states[:, TO_PLAY - HEADER].astype(np.int8)

    @property
    def turns(self) -> NDArray[np.int64]:
        """(games,) int64: the turns played in each game, passes included."""
        turns: NDArray[np.int64] = self._games.turns.copy()
        return turns

    @property
    def scores(self) -> NDArray[np.float64]:
        """(games,) float64: Black's area minus White's and minus komi, in points; NaN until the game is over."""
        return np.where(self._games.over, self._games.leads - self.komi, np.nan)

    def board(self, game: SupportsIndex) -> Board:
        """The position of one game: a copy."""
        board = Board(self.size)
        board.state[:] = self._games.states[whole("game", game, 0, len(self) - 1)]
        return board

    def reset(self, games: ArrayLike | None = None) -> Step:
        """Restart the games that a mask, bool (games,), marks, such as the `over` of a step; all games by default.

        An ArgumentError is raised if `games` is not such a mask.
        """
        chosen = np.ones(len(self), np.bool_) if games is None else _array("games", games).copy()
        if chosen.dtype != np.bool_ or chosen.shape != (len(self),):
            raise ArgumentError(f"games are {_described(chosen)}: give a mask, bool of shape ({len(self)},)")
        start_games(self._games, chosen, self._start, self._rules)
        return self._step(np.zeros(len(self), np.float32))

    def step(self, moves: ArrayLike) -> Step:
        """Play one move in every game. In a game that is over the move is ignored.

        Parameters
        ----------
        moves
            (games,) integers: a point for each game, or PASS.

        Raises
        ------
        ArgumentError
            If the moves are not such an array, or one of them is illegal: no game has then moved.
        """
        wanted = _array("moves", moves)
        if wanted.dtype.kind not in "iu" or wanted.shape != (len(self),):
            raise ArgumentError(f"moves are {_described(wanted)}: give integers of shape ({len(self)},)")
        area, running = self.size**2, ~self._games.over
        known = (wanted >= PASS) & (wanted <= area)
        chosen = np.where(known & running, wanted.astype(np.int64), area)
        allowed = known & self._games.legal[np.arange(len(self)), chosen]
        refused = np.flatnonzero(running & ~allowed)
        if len(refused):
            raise ArgumentError(self._refusal(int(refused[0]), int(wanted[refused[0]])))
        chosen[chosen == PASS] = area
        play_moves(self._games, chosen, self._rules, self._scratch)
        ended = running & self._games.over
        return self._step(np.where(ended, np.sign(self._games.leads - self.komi), 0).astype(np.float32))

    def random_moves(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """(games,) int64: for each game a legal point, drawn uniformly, or PASS if no point is legal.

        An ArgumentError is raised if `rng` is not a NumPy generator.
        """
        if not isinstance(rng, np.random.Generator):
            raise ArgumentError(f"rng is {rng!r}: give a generator, such as numpy.random.default_rng(1)")
        points = self._games.legal[:, :-1]
        drawn = np.where(points, rng.random(points.shape, np.float32), -1)
        best = drawn.argmax(axis=1)
        return np.where(points[np.arange(len(self)), best], best, PASS)

    def _step(self, rewards: NDArray[np.float32]) -> Step:
        planes = self._games.planes.reshape(len(self), PLANES, self.size, self.size)
        step = Step(planes.view(), self._games.legal.view(), rewards, self._games.over.view())
        for array in step:
            array.flags.writeable = False
        return step

    def _refusal(self, game: int, move: int) -> str:
        area = self.size**2
        if not PASS <= move <= area:
            return f"move {move} of game {game} is not a point: points are 0-{area - 1}, a pass is -1 or {area}"
        player = {BLACK: "black", WHITE: "white"}[int(self.to_play[game])]
        vertex = geometry(self.size).vertex(move)
        return f"{player} cannot play {vertex} in game {game}: `legal` of the last step has the legal moves"


def _array(name: str, given: ArrayLike) -> NDArray[Any]:
    return array_of(given, ArgumentError, f"{name} are no array: the rows differ in length")


def _described(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"
