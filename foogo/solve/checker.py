"""A slow check of a saved proof, with rules of its own: sets of points, one stone at a time.

It knows nothing of the search, of its bounds or of unconditional life: every line is followed to its two passes,
or to a repetition, which counts 0 with `migos` and is illegal with superko.
"""

from __future__ import annotations

from typing import Any

from foogo.errors import ArgumentError

Stones = frozenset[int]
State = tuple[Stones, Stones, int | None, bool, bool]
"""Black's and White's stones, the ko point, whether Black is to move, whether a pass came last."""

START: State = (frozenset(), frozenset(), None, True, False)


def check_document(document: dict[str, Any]) -> dict[str, Any]:
    """What the document proves: rows, cols, rules, suicide, value, positions.

    Raises
    ------
    ArgumentError
        If a reply is missing or illegal, or a line ends with less than is claimed.
    """
    try:
        rows, cols, value = int(document["rows"]), int(document["cols"]), int(document["value"])
        rules, suicide = str(document["rules"]), bool(document["suicide"])
        proofs = {True: dict(document["black"]), False: dict(document["white"])}
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentError(f"the saved solution is incomplete: {error}") from None
    if rules not in ("migos", "positional", "situational") or min(rows, cols) < 1 or rows * cols > 30:
        raise ArgumentError(f"the saved solution is of no board or rules that can be: {rows}x{cols}, {rules}")
    positions = 0
    for black, replies in proofs.items():
        checker = _Checker(rows, cols, rules, suicide, value if black else -value, black, replies)
        positions += checker.run()
    return {"rows": rows, "cols": cols, "rules": rules, "suicide": suicide, "value": value, "positions": positions}


class _Checker:
    """One proof: that a player has at least `claim`, whatever the other does."""

    def __init__(
        self, rows: int, cols: int, rules: str, suicide: bool, claim: int, black: bool, replies: dict[str, int]
    ) -> None:
        self.rows, self.cols, self.rules, self.suicide = rows, cols, rules, suicide
        self.claim, self.black, self.replies = claim, black, replies
        self.superko = rules != "migos"
        self.near = [self._neighbors(point) for point in range(rows * cols)]

    def run(self) -> int:
        """Follow every line; how many positions there are.

        A stack of (state, moves so far, moves left to follow). With `migos` a finished position is not followed
        again; one still on the stack is a repetition.
        """
        finished: set[State] = set()
        on_path: set[State] = {START}
        stack: list[tuple[State, tuple[int, ...], list[int]]] = [(START, (), self._moves(START, ()))]
        positions = 1
        while stack:
            state, line, todo = stack[-1]
            if not todo:
                stack.pop()
                on_path.discard(state)
                finished.add(state)
                continue
            move = todo.pop()
            following = self.after(state, move, [item[0] for item in stack] if self.superko else [])
            if following is None:
                if state[3] == self.black:
                    raise ArgumentError(f"the reply {move} after {self.name(state, line)!r} is illegal")
                continue
            if move == -1 and state[4]:
                self._check_end(state, line)
                continue
            if not self.superko:
                if following in on_path:
                    if self.claim > 0:
                        raise ArgumentError(f"play goes round at {self.name(following, line)!r}, which is worth 0")
                    continue
                if following in finished:
                    continue
            on_path.add(following)
            longer = (*line, move) if self.superko else ()
            stack.append((following, longer, self._moves(following, longer)))
            positions += 1
        return positions

    def name(self, state: State, line: tuple[int, ...]) -> str:
        """The name of a position in the file."""
        if self.superko:
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
        if len(captured) == 1 and not self.near[move] & own:
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
