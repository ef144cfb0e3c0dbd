"""A slow check of a saved proof, with rules of its own: sets of points, one stone at a time.

It knows nothing of the solver, of its bounds or of unconditional life. Every line is followed to its two passes or to
a repetition. That is illegal with superko. There replies may be by position after some moves: then play may not go
round, and no reply may bring back stones of a line that leads to it. With `migos` and `draw` the positions that the
prover may come to form a graph: who claims more than 0 must be better off after every cycle of it, who claims less
must not be worse off. Better off means, with `migos`, more stones captured than lost; with `draw` no cycle makes a
difference.
"""

from __future__ import annotations

from typing import Any

from foogo.errors import ArgumentError

Stones = frozenset[int]
State = tuple[Stones, Stones, int | None, bool, bool]
"""Black's and White's stones, the ko point, whether Black is to move, whether a pass came last."""

EMPTY: State = (frozenset(), frozenset(), None, True, False)


def check_document(document: dict[str, Any]) -> dict[str, Any]:
    """What the document proves: rows, cols, rules, suicide, the moves before, value, positions.

    Raises
    ------
    ArgumentError
        If a reply or a move before is missing or illegal, or a line ends with less than is claimed.
    """
    try:
        rows, cols, value = int(document["rows"]), int(document["cols"]), int(document["value"])
        rules, suicide = str(document["rules"]), bool(document["suicide"])
        moves = [int(move) for move in document.get("moves", [])]
        proofs = {True: dict(document["black"]), False: dict(document["white"])}
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentError(f"the saved solution is incomplete: {error}") from None
    if rules not in ("migos", "draw", "positional", "situational") or min(rows, cols) < 1 or rows * cols > 30:
        raise ArgumentError(f"the saved solution is of no board or rules that can be: {rows}x{cols}, {rules}")
    positions = 0
    for black, replies in proofs.items():
        if value == (-rows * cols if black else rows * cols):
            continue  # nobody can lose more
        checker = _Checker(rows, cols, rules, suicide, value if black else -value, black, replies)
        positions += checker.run(moves)
    proven = {"rows": rows, "cols": cols, "rules": rules, "suicide": suicide, "moves": moves, "value": value}
    return {**proven, "positions": positions}


class _Checker:
    """One proof: that a player has at least `claim`, whatever the other does."""

    def __init__(
        self,
        rows: int,
        cols: int,
        rules: str,
        suicide: bool,
        claim: int,
        black: bool,
        replies: dict[str, Any],
        by_position: bool = False,
    ) -> None:
        self.rows, self.cols, self.rules, self.suicide = rows, cols, rules, suicide
        self.claim, self.black, self.replies = claim, black, replies
        self.superko = rules in ("positional", "situational")
        self.by_line = self.superko and not by_position
        self.near = [self._neighbors(point) for point in range(rows * cols)]

    def run(self, moves: list[int]) -> int:
        """Follow every line that begins after these moves; how many positions there are."""
        states = [EMPTY]
        for move in moves:
            following = None if move == -1 and states[-1][4] else self.after(states[-1], move, states)
            if following is None:
                raise ArgumentError(f"the moves {moves} lead to no position: {move} is illegal or ends the game")
            states.append(following)
        return self._walk_tree(states) if self.by_line else self.walk_graph(states[-1], [])

    def _walk_tree(self, before: list[State]) -> int:
        """Follow every line with its history: a stack of (state, moves since the start, moves left to follow)."""
        start = before[-1]
        stack: list[tuple[State, tuple[int, ...], list[int]]] = [(start, (), [])]
        positions = self._enter(stack, before[:-1])
        while stack:
            state, line, todo = stack[-1]
            if not todo:
                stack.pop()
                continue
            move = todo.pop()
            following = self._follow(state, move, line, [*before[:-1], *(item[0] for item in stack)])
            if following is not None:
                stack.append((following, (*line, move), []))
                positions += self._enter(stack, before[:-1])
        return positions

    def _enter(self, stack: list[tuple[State, tuple[int, ...], list[int]]], before: list[State]) -> int:
        """Fill in the moves of the state on top, or check the replies by position from there on; how many positions."""
        state, line, todo = stack[-1]
        replies = self.replies.get(self.name(state, line))
        if not isinstance(replies, dict):
            todo += self._moves(state, line)
            return 1
        past = [*before, *(item[0] for item in stack)]
        positional = _Checker(
            self.rows, self.cols, self.rules, self.suicide, self.claim, self.black, replies, by_position=True
        )
        return positional.walk_graph(state, past)

    def _check_returns(self, states: list[State], edges: list[list[int]]) -> None:
        """That no reply brings back stones of a line that leads to it."""
        alike: dict[tuple[Stones, Stones], list[int]] = {}
        for number, state in enumerate(states):
            alike.setdefault(state[:2], []).append(number)
        for number, state in enumerate(states):
            to_play = state[3]
            others = [
                other
                for other in alike[state[:2]]
                if other != number and (self.rules == "positional" or states[other][3] != self.black)
            ]
            if to_play == self.black or state[4] or not others:
                continue  # it is no reply that led here, or a pass, or there is nothing to bring back
            if any(_leads_to(edges, other, number) for other in others):
                raise ArgumentError(f"a reply brings back the stones of {self.name(state, ())!r}")

    def walk_graph(self, start: State, past: list[State]) -> int:
        """Visit every position once, and then look at the cycles: with superko there may be none.

        With superko the other may bring back any position but those of `past`.
        """
        numbers, states = {start: 0}, [start]
        edges: list[list[tuple[int, int]]] = []
        for state in states:  # which grows
            edges.append([])
            for move in self._moves(state, ()):
                following = self._follow(state, move, (), past)
                if following is None:
                    continue
                if following not in numbers:
                    numbers[following] = len(states)
                    states.append(following)
                edges[-1].append((numbers[following], self._gain(state, following)))
        worst = cycle_without_gain(edges, strict=self.superko or self.claim > 0)
        if worst is not None:
            raise ArgumentError(
                f"play goes round at {self.name(states[worst], ())!r}, which is worth less than claimed"
            )
        if self.superko:
            self._check_returns(states, [[to for to, _ in row] for row in edges])
        return len(states)

    def _follow(self, state: State, move: int, line: tuple[int, ...], history: list[State]) -> State | None:
        """The state after a move; None if it is illegal for the other, or ends the game for enough."""
        following = self.after(state, move, history)
        if following is None and state[3] == self.black:
            raise ArgumentError(f"the reply {move} after {self.name(state, line)!r} is illegal")
        if move == -1 and state[4]:
            self._check_end(state, line)
            return None
        return following

    def _gain(self, before: State, after: State) -> int:
        """Stones that the prover has captured with a move, or lost, which is negative."""
        if self.rules != "migos":
            return 0
        by_black = before[3]
        lost = len(before[1] if by_black else before[0]) - len(after[1] if by_black else after[0])
        return lost if by_black == self.black else -lost

    def name(self, state: State, line: tuple[int, ...]) -> str:
        """The name of a position in the file."""
        if self.by_line:
            return " ".join(map(str, line))
        black, white, ko, to_play, passed = state
        words = [sum(1 << point for point in stones) for stones in (black, white)]
        return f"{words[0]} {words[1]} {0 if ko is None else 1 << ko} {int(to_play)} {int(passed)}"

    def _moves(self, state: State, line: tuple[int, ...]) -> list[int]:
        """The prover's one reply, or all that the other could try."""
        if state[3] != self.black:
            return [-1, *range(self.rows * self.cols)]
        name = self.name(state, line)
        if name not in self.replies:
            raise ArgumentError(f"there is no reply to the position {name!r}")
        return [int(self.replies[name])]

    def _check_end(self, state: State, line: tuple[int, ...]) -> None:
        score = self.score(state[0], state[1])
        if (score if self.black else -score) < self.claim:
            raise ArgumentError(f"the game ends at {self.name(state, line)!r} with {score}, less than is claimed")

    def after(self, state: State, move: int, history: list[State]) -> State | None:
        """The state after that move, None if it is illegal."""
        black, white, ko, to_play, _ = state
        if move == -1:
            return black, white, None, not to_play, True
        if move in black or move in white or move == ko or not 0 <= move < self.rows * self.cols:
            return None
        own, other = (black, white) if to_play else (white, black)
        own |= {move}
        captured: set[int] = set()
        for point in self.near[move] & other:
            captured |= self._dead(point, other, own)
        other -= captured
        lost = self._dead(move, own, other)
        if lost and (len(lost) == 1 or not self.suicide):
            return None
        own -= lost
        new_ko = None
        if not self.superko and len(captured) == 1 and not self.near[move] & own:
            free = self.near[move] - other
            new_ko = next(iter(free)) if free == captured else None
        black, white = (own, other) if to_play else (other, own)
        for earlier in history if self.superko else ():
            if earlier[:2] == (black, white) and (self.rules == "positional" or earlier[3] != to_play):
                return None
        return black, white, new_ko, not to_play, False

    def score(self, black: Stones, white: Stones) -> int:
        """Black's area less White's."""
        total, seen = len(black) - len(white), set(black | white)
        for start in range(self.rows * self.cols):
            if start not in seen:
                region, beside = self._region(start, frozenset(range(self.rows * self.cols)) - black - white)
                seen |= region
                total += len(region) * (bool(beside & black) - bool(beside & white))
        return total

    def _dead(self, point: int, own: Stones, other: Stones) -> set[int]:
        """The string at `point` if it has no liberty, else nothing."""
        string, beside = self._region(point, own)
        return set() if beside - other else string

    def _region(self, start: int, inside: Stones) -> tuple[set[int], set[int]]:
        """The connected points of `inside`, and the points beside them."""
        found, todo, beside = {start}, [start], set()
        while todo:
            for point in self.near[todo.pop()]:
                if point not in inside:
                    beside.add(point)
                elif point not in found:
                    found.add(point)
                    todo.append(point)
        return found, beside

    def _neighbors(self, point: int) -> Stones:
        row, col = divmod(point, self.cols)
        steps = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return frozenset(y * self.cols + x for y, x in steps if 0 <= y < self.rows and 0 <= x < self.cols)


def _leads_to(edges: list[list[int]], start: int, end: int) -> bool:
    """Whether there is a way from one node to another."""
    todo, seen = [start], {start}
    while todo:
        for following in edges[todo.pop()]:
            if following == end:
                return True
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False


def cycle_without_gain(edges: list[list[tuple[int, int]]], strict: bool) -> int | None:
    """A node on the way to a cycle whose gains sum to less than 0, or to 0 if `strict`; None if there is none.

    ``edges[node]`` are pairs of the node that follows and the gain of going there. Bellman-Ford on what is left when
    nodes without a way on, and without a way in, are taken away. Gains are multiplied so that a cycle without a gain
    stays negative after a loss of 1 for each edge of it, if `strict`.

    Examples
    --------
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=False)
    >>> cycle_without_gain([[(1, 2)], [(0, -2)]], strict=True) is None
    False
    """
    core = _core(edges)
    kept = {node: [(to, gain * (len(core) + 1) - strict) for to, gain in edges[node] if to in core] for node in core}
    debt = dict.fromkeys(core, 0)
    todo = core
    for _ in range(len(core) + 1):
        lowered: set[int] = set()
        for node in todo:
            for to, gain in kept[node]:
                if debt[node] + gain < debt[to]:
                    debt[to] = debt[node] + gain
                    lowered.add(to)
        if not lowered:
            return None
        todo = lowered
    return min(lowered)


def _core(edges: list[list[tuple[int, int]]]) -> set[int]:
    """The nodes that are on a cycle or between two."""
    core = set(range(len(edges)))
    forth = [[to for to, _ in row] for row in edges]
    back: list[list[int]] = [[] for _ in edges]
    for node, row in enumerate(forth):
        for to in row:
            back[to].append(node)
    for before, after in ((back, forth), (forth, back)):
        left = [sum(to in core for to in row) for row in after]
        bare = [node for node in core if not left[node]]
        while bare:
            node = bare.pop()
            core.discard(node)
            for other in before[node]:
                left[other] -= 1
                if not left[other] and other in core:
                    bare.append(other)
    return core
