"""What a side can force by proof-number search: values of larger boards, where no repetition has a part in them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from foogo.solver.board import Board, OutOfNodes, Position
from foogo.solver.kernels import board as words
from foogo.solver.kernels import entries as entries
from foogo.solver.kernels import forcing as kernels
from foogo.solver.kernels.table import MOST_WORK, PASS_MOVE
from foogo.solver.kernels.tuples import NO_TUPLES, POSITION_WORDS, Tuples, tuples_of
from foogo.solver.workers import Crew

NODES_PER_CALL = 100_000
"""Nodes of a thread between two looks at Ctrl-C: about a third of a second."""

GAMES_PER_CALL = 5_000
"""The same for games that teach."""

FIRST_LESSON, BETWEEN_LESSONS = 2_000_000, 8
"""After so many nodes the search of a question is broken off for a lesson; again after so many times as many, and so
on."""

NODES_PER_GAME, MOST_GAMES = 4, 4_000_000
"""Games of a lesson: one for so many nodes of the question so far, and no more than that; a lesson of as many is the
last, since more teach little."""

MOST_ROOTS = 200_000
"""Positions of the search where games of a lesson begin."""

TECHNIQUES = {"threats": kernels.THREATS, "lessons": 0}
"""What can be switched off to see what it is worth."""

FIRST_TURN = 100_000
"""Nodes of one side's search before the other's, at first; twice as many each time. The side that asks for more than 0
has four times as many as the other."""


@dataclass
class Question:
    """How far "can the attacker force so much?" was searched from a root, and what was learnt to answer it."""

    root: int = -1
    nodes: int = 0
    next_lesson: int = field(default_factory=lambda: FIRST_LESSON)
    games: int = 0
    tuples: Tuples = NO_TUPLES


@dataclass
class Forcing(Board):
    """A table of what either side can force, for ``"draw"`` and ``"migos"``.

    With ``"draw"`` every value is found. With ``"migos"`` a value is exact when one side forces it as a lower and the
    other as an upper bound; where play that goes round decides, the bounds stay apart, and `OutOfNodes` says which they
    are.

    Parameters
    ----------
    rows, cols, rule, report
        As of `Board`.
    table_mb
        Memory of the table, MiB, rounded down to a power of two.
    max_nodes
        Stop after about so many positions.
    without
        Names of `TECHNIQUES` to switch off.
    threads
        Threads that search together on one table. More than one do not take the same nodes every time.
    """

    table_mb: int = 64
    max_nodes: int | None = None
    without: Sequence[str] = ()
    threads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lower, self.upper = -self.points, self.points
        features = sum(bit for name, bit in TECHNIQUES.items() if name not in self.without)
        self._crew = Crew(self.shape, self.tables, self.table_mb, self.threads, features)
        self.table = self._crew.table
        self._asked = dict[int, Question]()
        self._question = self.lower, self.upper, self.points
        self._unfinished = set[int]()
        """The questions of searches that were broken off, so that the table may not know what refutations rely on."""
        self._last = 0, 0
        """Key and question of the last search, whose moves are in the first row of the worker that answered."""
        self._is_first = True

    def value(self, path: Sequence[Position]) -> int:
        """The value of the last position of `path` for its mover: whether either side has it all, then bisection."""
        low, high, is_first = -self.points, self.points, self._is_first
        self._is_first = False
        is_ahead = words.nearer(self.shape, *path[-1][:2]) >= 0
        asked = likely = self.points if is_ahead else 1 - self.points
        while low < high:
            if self._decide(path[-1], asked, low, high):
                low = asked
            else:
                high = asked - 1
            if is_first:
                self.lower, self.upper = low, high
            asked = 1 - likely if asked == likely else (low + high + 1) // 2
        return low

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether the value of the last position of `path` for its mover is `asked` or more: a proof."""
        if not -self.points < asked <= self.points:
            return asked <= self.points
        return self._decide(path[-1], asked, asked - 1, asked)

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves that are known to keep `asked` for the mover, who has it, with the shortest way to an end first.

        Where it is certain without a search they are those that leave it certain, if any, captures and threats of it
        first, a pass last. With ``"draw"`` 0 or less need not be forced: they are all moves after which it is held.
        """
        position = path[-1]
        if asked <= -self.points:
            yield from sorted(self._moves(position), key=self.rank, reverse=True)
        elif self.rule == "draw" and asked <= 0:
            yield from super().keeping(path, asked)
        elif self._is_certain(position, asked, 1) and (moves := self._forcing(position, asked)):
            yield from moves
        elif self._search(position, asked, 1, None, look=False):
            yield from self._forcing(position, asked)
        else:
            yield from super().keeping(path, asked)

    def _forcing(self, position: Position, asked: int) -> list[int]:
        """The moves after which `asked` is known to be forced by who made them: that of the last search among them."""
        last = self._crew.first
        children, total = last.children[0], int(last.frames[0, kernels.COUNT])
        found = set()
        if self._last == (self._key(position, 1), asked):
            found = {int(move) for _, proof, _, move in children[:total].tolist() if proof == 0}
        ranked = []
        for move in self._moves(position):
            after = self.play(position, move)
            assert after is not None
            liberties = self._liberties_of_other(after)
            if self._is_certain(after, asked, 0):
                ranked.append((-1, move == PASS_MOVE and after.own != 0, liberties, -self.rank(move), move))
                continue
            work = int(entries.work_at(self.table, self._key(after, 0), asked))
            if work >= 0 or move in found:
                ranked.append((work if work >= 0 else MOST_WORK, False, liberties, -self.rank(move), move))
        return [move for *_, move in sorted(ranked)]

    def _key(self, position: Position, attacks: int) -> int:
        return int(kernels.key_for(self.shape, self.tables, *position[:3], position.passed, attacks))

    def _moves(self, position: Position) -> list[int]:
        """The legal moves that do not end the game."""
        moves = [*range(self.points)] if position.passed else [*range(self.points), PASS_MOVE]
        return [move for move in moves if self.play(position, move) is not None]

    def _liberties_of_other(self, after: Position) -> int:
        """Stones and liberties of the player to move: fewer of them are nearer to the end."""
        empty = self.shape.full & ~(after.own | after.other)
        liberties = int(words.around(self.shape, after.own)) & empty
        return int(2 * int(after.own).bit_count() + liberties.bit_count())

    def _is_certain(self, position: Position, asked: int, attacks: int) -> bool:
        """Whether the attacker, who is to move or not, forces `asked` for a reason that needs no search."""
        return self._at_once(position, asked, attacks) is True

    def _at_once(self, position: Position, asked: int, attacks: int) -> bool | None:
        """Whether the attacker forces `asked`; None if that takes a search."""
        regions = self._crew.first.regions
        answer = int(words.certain(self.shape, *position[:2], position.passed, attacks, asked, regions))
        return None if answer < 0 else answer == 1

    def _decide(self, position: Position, asked: int, low: int, high: int) -> bool:
        """Whether the value for the mover is at least `asked`."""
        self._question = low, high, asked
        if self.rule == "draw":
            # who asks for more than 0 gets it at an end or not at all
            proven = self._search(position, max(asked, 1 - asked), int(asked > 0), None)
            return proven is (asked > 0)
        # both sides look for an end in turns: it is worth the same whatever a cycle is
        likely = int(asked > 0)
        turn, sides = FIRST_TURN, [likely, 1 - likely]
        while sides:
            for attacks in tuple(sides):
                part = turn if attacks == likely else turn // 4
                answer = self._search(position, asked if attacks else 1 - asked, attacks, part)
                if answer:
                    return attacks == 1
                if answer is False:
                    sides.remove(attacks)
            turn *= 2
        raise OutOfNodes(low, high)

    def _search(
        self, position: Position, asked: int, attacks: int, budget: int | None, look: bool = True
    ) -> bool | None:
        """Whether the attacker, who is to move or not, forces `asked`; None if that takes more nodes.

        Without `look` it does not matter that the position may be certain without a search.
        """
        answer = self._at_once(position, asked, attacks) if look else None
        while answer is None:
            answer = self._run(position, asked, attacks, budget)
            if answer is False and not self._is_refuted(asked):
                entries.forget_refutations(self.table, asked)
                self._crew.doubt(asked, False)
                answer = None
            if budget is not None:
                break
        return answer

    def _is_refuted(self, asked: int) -> bool:
        """Whether a refutation just found holds; with ``"draw"`` all that refutations rely on is decided for that."""
        at, has_searched = 0, False
        while not self._crew.is_doubtful(asked):
            at = int(entries.next_open(self.table, asked, at)) if self.rule == "draw" else -1
            if at < 0:
                if not has_searched:
                    return True
                at, has_searched = 0, False  # what was searched may rely on more
                continue
            has_searched = True
            *position, attacks = map(int, kernels.position_of(entries.key_in(*self.table[at])))
            self._run(Position(*position), asked, attacks, None, teach=False)
        return False

    def _run(self, position: Position, asked: int, attacks: int, budget: int | None, teach: bool = True) -> bool | None:
        """The same by one search, with lessons if it is long; a refutation may yet rely on what is not refuted."""
        crew, question = self._crew, self._asked.setdefault(asked, Question())
        root, teach = self._key(position, attacks), teach and "lessons" not in self.without
        if teach and root != question.root:  # what was learnt elsewhere may help; if not, it is learnt here
            question.root, question.nodes, question.next_lesson = root, 0, FIRST_LESSON
        self._start(position, asked, attacks)
        most = NODES_PER_CALL * self.threads
        first = before = crew.nodes
        while not crew.search(
            question.tuples, asked, min(most, question.next_lesson - question.nodes) if teach else most
        ):
            question.nodes += crew.nodes - before
            before = self._count("forcing", before)
            if budget is not None and before - first >= budget:
                return None
            if teach and question.nodes >= question.next_lesson:
                self._teach(position, asked, attacks)
                self._start(position, asked, attacks)
        question.nodes += crew.nodes - before
        self._count("forcing", before)
        self._unfinished.discard(asked)
        return crew.answer(asked)

    def _start(self, position: Position, asked: int, attacks: int) -> None:
        """Make the crew begin a search."""
        root = np.zeros(kernels.FRAME_WORDS, dtype=np.int64)
        root[kernels.OWN : kernels.PASSED + 1] = position
        root[kernels.ATTACKS] = attacks
        root[kernels.POSITION] = self._key(position, attacks)
        root[kernels.PROOF_LIMIT] = root[kernels.DISPROOF_LIMIT] = entries.INFINITE
        if asked in self._unfinished:
            self._crew.doubt(asked, True)
        self._unfinished.add(asked)
        self._crew.start(root)
        self._last = self._key(position, attacks), asked

    def _teach(self, position: Position, asked: int, attacks: int) -> None:
        """A lesson on that question, from that position and those that its search has come to.

        What was not proven is judged anew after it.
        """
        question = self._asked[asked]
        games = min(MOST_GAMES, question.nodes // NODES_PER_GAME)
        if not question.games:
            question.tuples = tuples_of(self.rows, self.cols)
        own, other = position[:2] if attacks else position[1::-1]
        roots = np.empty((1 + MOST_ROOTS, POSITION_WORDS), dtype=np.int64)
        roots[0] = own, other, position.ko, position.passed, attacks
        roots = roots[: 1 + int(kernels.open_positions(self.table, asked, roots[1:]))]
        step = GAMES_PER_CALL * self.threads
        for done in range(0, games, step):
            some = min(step, games - done)
            self._crew.teach(question.tuples, roots, asked, some, asked + self.points, question.games + done)
            self._count("learning", self._crew.nodes)
        question.games += games
        question.next_lesson = BETWEEN_LESSONS * question.nodes if games < MOST_GAMES else sys.maxsize
        self._crew.freed += int(entries.keep_proofs(self.table, asked))
        self._crew.doubt(asked, False)
        self._unfinished.discard(asked)

    def _count(self, stage: str, before: int) -> int:
        """Note and report the nodes since that count; the count now."""
        now = self._crew.nodes
        self.nodes += now - before
        self.deepest = max(self.deepest, self._crew.deepest)
        low, high, asked = self._question
        self.tell(stage, low, high, asked, self._crew.load)
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise OutOfNodes(low, high)
        return now
