"""A slow check of a saved proof, with rules of its own: `foogo.solver.proof_checker_rules`.

It knows nothing of the solver, its bounds or unconditional life. Every line is followed to its two passes or to a
repetition. With superko a repetition is illegal. Replies may be by position after some moves. Then play may not go
round, and no reply may bring back stones of a line that leads to it.

With `migos` and `draw` the positions that the prover may reach form a graph. A prover who claims more than 0 must gain
on every cycle; one who claims less must not lose on any. With `migos` the gain is the stones captured minus the stones
lost; with `draw` it is always 0. Symmetric positions are the same node. So a cycle may return to an image of its first
position. Repeated until the image is the position again, it is a cycle of play, with a multiple of its gain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from foogo.errors import ArgumentError
from foogo.solver.proof_checker_rules import EMPTY, PASS, SlowRules, State

FORMAT = "foogo solution 3"
"""The format that a file declares."""

BY_POSITION = ("foogo solution 1", "foogo solution 2")
"""Older formats, which can still be read: they have a reply to every position, not just to its least image."""

POSITIONS_PER_REPORT = 1000

_T = TypeVar("_T")

_KINDS: dict[type, str] = {
    int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "an object"
}  # fmt: skip


def check_document(document: dict[str, Any], progress: Callable[[int], None] | None = None) -> dict[str, Any]:
    """What the document proves, with the number of positions visited; ArgumentError names the first fault."""
    rows, cols, value = (_field(document, name, int) for name in ("rows", "cols", "value"))
    rules, suicide = _field(document, "rules", str), _field(document, "suicide", bool)
    moves = _field({"moves": [], **document}, "moves", list)
    proofs = {True: _field(document, "black", dict), False: _field(document, "white", dict)}
    if rules not in ("migos", "draw", "positional", "situational") or min(rows, cols) < 1 or rows * cols > 30:
        raise ArgumentError(f"the saved solution has an impossible board or rules: {rows}x{cols}, {rules}")
    if suicide and rules not in ("positional", "situational"):
        raise ArgumentError(f"the saved solution allows suicide with rules {rules}: only superko rules have it")
    for move in moves:
        if type(move) is not int:
            raise ArgumentError(f"the saved solution has the move {move!r}: it must be a whole number")
    positions = 0

    def count() -> None:
        nonlocal positions
        positions += 1
        if progress is not None and positions % POSITIONS_PER_REPORT == 0:
            progress(positions)

    board = SlowRules(rows, cols, rules, suicide)
    images = not board.superko and document.get("format") not in BY_POSITION
    for black, replies in proofs.items():
        if value == (-rows * cols if black else rows * cols):
            continue  # a player cannot lose more
        Checker(board, value if black else -value, black, replies, board.superko, images, count).run(moves)
    proven = {"rows": rows, "cols": cols, "rules": rules, "suicide": suicide, "moves": moves, "value": value}
    return {**proven, "positions": positions}


def _field(document: dict[str, Any], name: str, kind: type[_T]) -> _T:
    """A field of a document, of exactly that type: True is no whole number."""
    if name not in document:
        raise ArgumentError(f"the saved solution has no {name!r}")
    value = document[name]
    if type(value) is not kind:
        raise ArgumentError(f"{name!r} of the saved solution is {value!r:.80}: it must be {_KINDS[kind]}")
    return value


@dataclass(frozen=True)
class Checker:
    """One proof: that a player gets at least `claim`, whatever the other player does."""

    board: SlowRules
    claim: int
    black: bool
    replies: dict[str, Any]
    by_line: bool
    """Whether replies are by the moves since the start, not by position."""
    images: bool = False
    """Whether symmetric positions have one name."""
    count: Callable[[], object] = lambda: None
    """Called for every position."""

    def run(self, moves: list[int]) -> None:
        """Follow every line that starts with these moves."""
        states = [EMPTY]
        for move in moves:
            following = None if move == PASS and states[-1].passed else self.board.after(states[-1], move, states)
            if following is None:
                raise ArgumentError(f"the moves {moves} lead to no position: {move} is illegal or ends the game")
            states.append(following)
        if self.by_line:
            self._walk_tree(states)
        else:
            self.walk_graph(states[-1], [])

    def _walk_tree(self, before: list[State]) -> None:
        """Follow every line with its history, up to where replies are by position."""
        todo: list[tuple[list[State], tuple[int, ...]]] = [(before, ())]
        while todo:
            path, line = todo.pop()
            state = path[-1]
            replies = self.replies.get(self.name(state, line))
            if isinstance(replies, dict):
                replace(self, replies=replies, by_line=False).walk_graph(state, path)
                continue
            self.count()
            for move in self._moves(state, line):
                following = self._follow(state, move, line, path)
                if following is not None:
                    todo.append(([*path, following], (*line, move)))

    def check_returns(self, states: list[State], edges: list[list[int]]) -> None:
        """Check that no reply recreates the stones of a position in a line that leads to it."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order

        alike: dict[tuple[int, int], list[int]] = {}
        for number, state in enumerate(states):
            alike.setdefault(state.stones, []).append(number)
        ends = np.array([(node, to) for node, row in enumerate(edges) for to in row], dtype=np.int64).reshape(-1, 2).T
        graph = csr_array((np.ones(ends.shape[1]), ends), shape=(len(states), len(states)))
        for number, state in enumerate(states):
            others = [
                other
                for other in alike[state.stones]
                if other != number and (self.board.rules == "positional" or states[other].black_to_move != self.black)
            ]
            if state.black_to_move == self.black or state.passed or not others:
                continue  # no reply led here, or it was a pass, or there is nothing to bring back
            if any(number in breadth_first_order(graph, other, return_predecessors=False) for other in others):
                raise ArgumentError(f"a reply brings back the stones of {self.name(state, ())!r}")

    def walk_graph(self, start: State, past: list[State]) -> None:
        """Visit every position once, then check the cycles: with superko there may be none.

        With superko the other player may bring back any position except those of `past`.
        """
        start = self.board.least(start) if self.images else start
        numbers, states = {start: 0}, [start]
        edges: list[list[tuple[int, int]]] = []
        for state in states:  # the list grows during the loop
            self.count()
            edges.append([])
            for move in self._moves(state, ()):
                following = self._follow(state, move, (), past)
                if following is None:
                    continue
                gain = self._gain(state, following)
                if self.images:
                    following = self.board.least(following)
                number = numbers.setdefault(following, len(states))
                if number == len(states):
                    states.append(following)
                edges[-1].append((number, gain))
        worst = cycle_without_gain(edges, strict=self.board.superko or self.claim > 0)
        if worst is not None:
            raise ArgumentError(
                f"play goes round at {self.name(states[worst], ())!r}, which is worth less than claimed"
            )
        if self.board.superko:
            self.check_returns(states, [[to for to, _ in row] for row in edges])

    def _follow(self, state: State, move: int, line: tuple[int, ...], history: list[State]) -> State | None:
        """The state after a move; None if the other player may not make it, or if it ends the game well enough."""
        following = self.board.after(state, move, history)
        if following is None and state.black_to_move == self.black:
            raise ArgumentError(f"the reply {move} after {self.name(state, line)!r} is illegal")
        if not (move == PASS and state.passed):
            return following
        score = self.board.score(state)
        if (score if self.black else -score) < self.claim:
            raise ArgumentError(f"the game ends at {self.name(state, line)!r} with {score}, less than is claimed")
        return None

    def _gain(self, before: State, after: State) -> int:
        """Stones that the prover has captured with a move; negative if stones were lost."""
        if self.board.rules != "migos":
            return 0
        by_black = before.black_to_move
        left, kept = (before.white, after.white) if by_black else (before.black, after.black)
        return (left.bit_count() - kept.bit_count()) * (1 if by_black == self.black else -1)

    def name(self, state: State, line: tuple[int, ...]) -> str:
        """The name of a position in the file."""
        if self.by_line:
            return " ".join(map(str, line))
        return " ".join(str(int(part)) for part in state)

    def _moves(self, state: State, line: tuple[int, ...]) -> list[int]:
        """The prover's reply, or every move of the other player."""
        if state.black_to_move != self.black:
            return [PASS, *range(self.board.points)]
        name = self.name(state, line)
        if name not in self.replies:
            raise ArgumentError(f"there is no reply to the position {name!r}")
        reply = self.replies[name]
        if type(reply) is not int:  # a bool is no move
            raise ArgumentError(f"the reply to the position {name!r} is {reply!r}: it must be a whole number")
        return [reply]


def cycle_without_gain(edges: list[list[tuple[int, int]]], strict: bool) -> int | None:
    """A node near a cycle with a negative sum of gains, or a sum of 0 if `strict`; None if no such cycle exists.

    ``edges[node]`` are pairs of a following node and the gain of going there. This is Bellman-Ford within the strongly
    connected parts. If `strict`, each edge costs 1, and gains are scaled by more than the length of any cycle. Then
    exactly the cycles without a gain become negative.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    nodes, rows = len(edges), [(node, to, gain) for node, row in enumerate(edges) for to, gain in row]
    start, end, gains = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    graph = csr_array((np.ones(len(rows)), (start, end)), shape=(nodes, nodes))
    part = connected_components(graph, connection="strong")[1]
    inside = part[start] == part[end]
    start, end, costs = start[inside], end[inside], gains[inside] * (nodes + 1) - strict
    debt = np.zeros(nodes, dtype=np.int64)
    for _ in range(np.bincount(part).max() + 1):
        before = debt.copy()
        np.minimum.at(debt, end, before[start] + costs)
        lowered = np.flatnonzero(debt < before)
        if not len(lowered):
            return None
    return int(lowered[0])
