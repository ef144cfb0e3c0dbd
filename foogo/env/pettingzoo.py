"""One game for PettingZoo's agent-environment cycle: `env` and `GoEnvironment`.

It needs PettingZoo: ``pip install 'foogo[pettingzoo]'``. Without it, the import is a `foogo.MissingPackageError`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import quoted, whole
from foogo.env.vector import TURNS_PER_POINT
from foogo.errors import ArgumentError, MissingPackageError, VertexError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.rules import Rules

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ImportError:
    raise MissingPackageError(
        "foogo.env.pettingzoo needs PettingZoo, which is not installed: pip install 'foogo[pettingzoo]'"
    ) from None

AGENTS = {"black_0": BLACK, "white_0": WHITE}
"""The colours of the agents."""

HISTORY = 8
"""The positions in an observation."""

RENDER_MODES = ("human", "ansi")


class GoEnvironment(AECEnv):  # type: ignore[misc]
    """A game of Go between the agents "black_0" and "white_0", exact under superko.

    An action is a point, ``row * size + column``, or ``size * size`` for a pass. An observation is a dict:
    "observation", the planes of `foogo.Game.planes` with the plane as the last index, (size, size, 17) bool; and
    "action_mask", (size * size + 1,) int8, 1 for each legal action. Two passes end the game, with a reward of 1 for the
    winner and -1 for the loser by area and komi, or 0 for a draw. The turn limit truncates it, with the same rewards.

    Parameters
    ----------
    size_or_board, rules, komi
        As for `foogo.Game`.
    turn_limit
        The turns after which a game is truncated, passes included; three for each point if None.
    render_mode
        "human" to print the board after each turn, "ansi" for `render` to return it as text, or None.

    Raises
    ------
    SizeError, RulesError, ArgumentError
        If an argument is out of range.
    """

    metadata = {"name": "foogo_go_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}

    def __init__(
        self,
        size_or_board: SupportsIndex | Board = 9,
        *,
        rules: Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        turn_limit: SupportsIndex | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._first = Game(size_or_board, rules, komi)
        size = self._first.size
        area = size**2
        if render_mode not in (None, *RENDER_MODES):
            raise ArgumentError(f"render_mode is {render_mode!r}: use {', '.join(RENDER_MODES)} or None")
        self.turn_limit = TURNS_PER_POINT * area if turn_limit is None else whole("turn_limit", turn_limit, 1, 1 << 20)
        self.render_mode = render_mode
        self.game = self._first.copy()
        self.possible_agents = list(AGENTS)
        planes = Box(0, 1, (size, size, 2 * HISTORY + 1), np.bool_)
        spaces = {"observation": planes, "action_mask": Box(0, 1, (area + 1,), np.int8)}
        self._observations: dict[str, Space[Any]] = {agent: Dict(dict(spaces)) for agent in AGENTS}
        self._actions: dict[str, Space[Any]] = {agent: Discrete(area + 1) for agent in AGENTS}

    def __copy__(self) -> GoEnvironment:
        """An environment with a game of its own, as `copy.deepcopy` makes it."""
        return deepcopy(self)

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The game involves no chance, so `seed` and `options` change nothing."""
        self.game = self._first.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The observation of an agent; it has no legal action while the other agent is to move."""
        game = self.game
        mask = np.zeros(game.size**2 + 1, np.int8)
        if agent == self._to_move() and not self._is_over():
            mask[:-1], mask[-1] = np.asarray(game.legal()), 1
        if agent != self._to_move():
            game = game.copy()
            game.to_play = AGENTS[agent]
        return {"observation": np.moveaxis(game.planes(HISTORY), 0, -1), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; an IllegalMoveError or a VertexError if it cannot be played."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        game, agent = self.game, self.agent_selection
        area = game.size**2
        if not self.action_space(agent).contains(action):  # -1 and "pass" are moves of a Game
            raise VertexError(f"action {quoted(action)} does not exist: points are 0-{area - 1}, a pass is {area}")
        game.play(PASS if action == area else action)  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0
        self.agent_selection = self._to_move()
        self.rewards = dict.fromkeys(self.agents, 0)
        if self._is_over():
            won = int(np.sign(game.score()))
            self.rewards = {agent: won if color == BLACK else -won for agent, color in AGENTS.items()}
            ended = self.terminations if game.is_over else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Print the board, or return it as text, by the render mode."""
        if self.render_mode == "human":
            print(self.game)
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _to_move(self) -> str:
        return next(agent for agent, color in AGENTS.items() if color == self.game.to_play)

    def _is_over(self) -> bool:
        return self.game.is_over or len(self.game.turns) >= self.turn_limit


def env(size_or_board: SupportsIndex | Board = 9, **options: Any) -> AECEnv:
    """A `GoEnvironment` in PettingZoo's usual wrappers: an illegal action loses the game instead of raising an error.

    Examples
    --------
    >>> go = env(5, komi=0.5)
    >>> go.reset()
    >>> go.step(12)
    >>> observation, reward, termination, truncation, info = go.last()
    >>> int(observation["action_mask"].sum()), go.agent_selection
    (25, 'white_0')
    """
    illegal_loses = TerminateIllegalWrapper(GoEnvironment(size_or_board, **options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(illegal_loses))
