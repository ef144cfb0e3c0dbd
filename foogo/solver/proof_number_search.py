"""What a side can force, by proof-number search: values of larger boards that do not depend on repetition."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from foogo.solver.kernels import proof_table
from foogo.solver.kernels.life import certain
from foogo.solver.kernels.ntuple_network import GAME_POSITION, NO_NETWORK, Lesson, Network, new_network
from foogo.solver.kernels.positions import PASS_MOVE, influence, neighbors_of
from foogo.solver.kernels.proof_memory import FRAME
from foogo.solver.parallel_search import ParallelSearch
from foogo.solver.small_board import Position
from foogo.solver.solver import OutOfNodes, Solver

NODES_PER_CALL = 100_000
"""Nodes of a thread between two checks for Ctrl-C: about a third of a second."""

GAMES_PER_CALL = 5_000
"""Teaching games between two checks."""

FIRST_LESSON, BETWEEN_LESSONS = 2_000_000, 8
"""Nodes after which the search of a question is interrupted for a lesson, and the growth until the next one."""

NODES_PER_GAME, MOST_GAMES = 4, 4_000_000
"""A lesson has one game for this many nodes of the question so far, at most this many games.

A lesson that reaches the maximum is the last one, since more games teach little."""

MOST_ROOTS = 200_000
"""Positions of the search where games of a lesson begin."""

FIRST_TURN = 100_000
"""Nodes of one side's search before the other side's, at first; the number doubles each time.

The side that asks for more than 0 gets four times as many as the other one."""


@dataclass
class Question:
    """The search effort on "can the attacker force this much?" from one root, and the network taught for it."""

    root: int = -1
    """The key of the root."""
    nodes: int = 0
    next_lesson: int = field(default_factory=lambda: FIRST_LESSON)
    games: int = 0
    network: Network = NO_NETWORK


@dataclass
class ProofNumberSearch(Solver):
    """A table of what either side can force, by ``"draw"`` and ``"migos"``.

    With ``"draw"`` it finds every value. With ``"migos"`` a value is exact if one side forces it as a lower and the
    other as an upper bound. If cycling play decides, the bounds stay apart, and it raises `OutOfNodes`.
    """

    method = "force"

    table_mb: int = 64
    threads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parallel = ParallelSearch(self.shape, self.images, self.table_mb, self.threads)
        self.table = self.parallel.table
        self.questions = dict[int, Question]()
        """The amounts asked for, and the search effort on each."""
        self._asking = self.lower, self.upper, self.points
        """The bounds and the amount that progress reports show."""
        self._unfinished = set[int]()
        """The questions of interrupted searches: the table may not know what their refutations rely on."""
        self._last = 0, 0
        """Key and question of the last search, whose moves are in the first row of the answering thread."""
        self._is_first = True

    def value(self, path: Sequence[Position]) -> int:
        """As in `Solver`; the whole board is tried first for either side, then bisection."""
        low, high, is_first = -self.points, self.points, self._is_first
        self._is_first = False
        is_ahead = influence(self.shape, *path[-1][:2]) >= 0
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
        """As in `Solver`."""
        if not -self.points < asked <= self.points:
            return asked <= self.points
        return self._decide(path[-1], asked, asked - 1, asked)

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves known to keep `asked` for the mover, who has it, with the shortest way to an end first.

        With ``"draw"`` 0 or less need not be forced: then they are all moves after which it is held.
        """
        position = path[-1]
        if asked <= -self.points:
            yield from sorted(self._moves(position), key=self.rank, reverse=True)
        elif self.rule == "draw" and asked <= 0:
            yield from super().keeping(path, asked)
        elif self._at_once(position, asked, 1) and (moves := self.forcing(position, asked)):
            yield from moves
        elif self.search(position, asked, 1, None, look=False):
            yield from self.forcing(position, asked)
        else:
            yield from super().keeping(path, asked)

    def forcing(self, position: Position, asked: int) -> list[int]:
        """The moves after which the mover is known to force `asked`, including the move of the last search."""
        answering = self.parallel.answering
        children = answering.children[0, : int(answering.frames["count"][0])]
        found = set()
        if self._last == (self.key(position, 1), asked):
            found = set(children["move"][children["proof"] == 0].tolist())
        ranked = []
        for move in self._moves(position):
            after = self.play(position, move)
            assert after is not None
            liberties = self._liberties_of_other(after)
            if self._at_once(after, asked, 0):
                ranked.append((-1, move == PASS_MOVE and after.own != 0, liberties, -self.rank(move), move))
                continue
            work = int(proof_table.work_at(self.table.entries, self.key(after, 0), asked))
            if work >= 0 or move in found:
                ranked.append((work if work >= 0 else proof_table.MOST_WORK, False, liberties, -self.rank(move), move))
        return [move for *_, move in sorted(ranked)]

    def key(self, position: Position, attacks: int) -> int:
        """The key of a position in the table; `attacks` says whether its mover is the attacker."""
        return int(proof_table.key_for(self.images, *position[:3], position.passed, attacks))

    def _moves(self, position: Position) -> list[int]:
        """The legal moves that do not end the game."""
        moves = [*range(self.points)] if position.passed else self.moves
        return [move for move in moves if self.play(position, move) is not None]

    def _liberties_of_other(self, after: Position) -> int:
        """Stones and liberties of the player to move, stones doubled: fewer of them are nearer to the end."""
        empty = self.shape.full & ~(after.own | after.other)
        liberties = int(neighbors_of(self.shape, after.own)) & empty
        return int(2 * int(after.own).bit_count() + liberties.bit_count())

    def _at_once(self, position: Position, asked: int, attacks: int) -> bool | None:
        """Whether the attacker forces `asked`; None if that takes a search."""
        life = self.parallel.answering.life
        answer = int(certain(self.shape, *position[:2], position.passed, attacks, asked, life))
        return None if answer < 0 else answer == 1

    def _decide(self, position: Position, asked: int, low: int, high: int) -> bool:
        """Whether the value for the mover is at least `asked`."""
        self._asking = low, high, asked
        if self.rule == "draw":
            # a claim of more than 0 is met at an end of the game or not at all
            proven = self.search(position, max(asked, 1 - asked), int(asked > 0), None)
            return proven is (asked > 0)
        # both sides look for an end, in turns: it is worth the same whatever a cycle is worth
        likely = int(asked > 0)
        turn, sides = FIRST_TURN, [likely, 1 - likely]
        while sides:
            for attacks in tuple(sides):
                part = turn if attacks == likely else turn // 4
                answer = self.search(position, asked if attacks else 1 - asked, attacks, part)
                if answer:
                    return attacks == 1
                if answer is False:
                    sides.remove(attacks)
            turn *= 2
        raise OutOfNodes

    def search(
        self, position: Position, asked: int, attacks: int, budget: int | None, look: bool = True
    ) -> bool | None:
        """Whether the attacker, who is to move if `attacks`, forces `asked`; None if that takes more nodes.

        Without `look` the position is searched even if it is certain without a search.
        """
        answer = self._at_once(position, asked, attacks) if look else None
        while answer is None:
            answer = self.run(position, asked, attacks, budget)
            if answer is False and not self.is_refuted(asked):
                proof_table.forget_refutations(self.table.entries, asked)
                self.table.doubts[asked + proof_table.OFFSET] = 0
                answer = None
            if budget is not None:
                break
        return answer

    def is_refuted(self, asked: int) -> bool:
        """Whether a refutation just found holds; with ``"draw"`` everything that it relies on is decided first."""
        at, has_searched = 0, False
        while not self.table.doubts[asked + proof_table.OFFSET]:
            at = int(proof_table.next_open(self.table.entries, asked, at)) if self.rule == "draw" else -1
            if at < 0:
                if not has_searched:
                    return True
                at, has_searched = 0, False  # these searches may rely on more positions
                continue
            has_searched = True
            *position, attacks = map(int, proof_table.position_of(proof_table.key_in(*self.table.entries[at])))
            self.run(Position(*position), asked, attacks, None, teach=False)
        return False

    def run(self, position: Position, asked: int, attacks: int, budget: int | None, teach: bool = True) -> bool | None:
        """One search, with lessons if it is long and `teach`; a refutation may still rely on unrefuted positions."""
        parallel, question = self.parallel, self.questions.setdefault(asked, Question())
        root = self.key(position, attacks)
        if teach and root != question.root:
            # What was learnt from another root might help. If it did not, the network is taught for this one.
            question.root, question.nodes, question.next_lesson = root, 0, FIRST_LESSON
        self._start(position, asked, attacks)
        first = before = parallel.nodes
        while not parallel.search(question.network, asked, self._next_nodes(question if teach else None)):
            question.nodes += parallel.nodes - before
            before = self._count("forcing", before)
            if budget is not None and before - first >= budget:
                return None
            if teach and question.nodes >= question.next_lesson:
                self._teach(position, asked, attacks)
                self._start(position, asked, attacks)
        question.nodes += parallel.nodes - before
        self._count("forcing", before)
        self._unfinished.discard(asked)
        return parallel.answer(asked)

    def _next_nodes(self, taught: Question | None) -> int:
        """Nodes up to the next check for Ctrl-C, the next lesson of a question, or the end of `max_nodes`."""
        ends = [NODES_PER_CALL * self.threads]
        if taught is not None:
            ends.append(taught.next_lesson - taught.nodes)
        if self.max_nodes is not None:
            ends.append(max(1, self.max_nodes - self.nodes))
        return min(ends)

    def _start(self, position: Position, asked: int, attacks: int) -> None:
        """Prepare a search from that position."""
        key = self.key(position, attacks)
        root = np.zeros((), dtype=FRAME)
        root["own"], root["other"], root["ko"], root["passed"] = position
        root["attacks"], root["key"] = attacks, key
        root["proof_limit"] = root["disproof_limit"] = proof_table.INFINITE
        if asked in self._unfinished:
            self.table.doubts[asked + proof_table.OFFSET] = 1
        self._unfinished.add(asked)
        self.parallel.start(root)
        self._last = key, asked

    def _teach(self, position: Position, asked: int, attacks: int) -> None:
        """A lesson on that question, from that position and those that its search has reached.

        Afterwards everything that was not proven is evaluated anew.
        """
        question = self.questions[asked]
        games = min(MOST_GAMES, question.nodes // NODES_PER_GAME)
        if not question.games:
            question.network = new_network(self.rows, self.cols)
        own, other = position[:2] if attacks else position[1::-1]
        roots = np.empty(1 + MOST_ROOTS, dtype=GAME_POSITION)
        roots[0] = own, other, position.ko, position.passed, attacks
        roots = roots[: 1 + int(proof_table.open_positions(self.table.entries, asked, roots[1:]))]
        step = GAMES_PER_CALL * self.threads
        for done in range(0, games, step):
            lesson = Lesson(asked, min(step, games - done), asked + self.points, question.games + done)
            self.parallel.teach(question.network, roots, lesson)
            self._count("learning", self.parallel.nodes)
        question.games += games
        question.next_lesson = BETWEEN_LESSONS * question.nodes if games < MOST_GAMES else sys.maxsize
        self.parallel.freed += int(proof_table.keep_proofs(self.table.entries, asked))
        self.table.doubts[asked + proof_table.OFFSET] = 0
        self._unfinished.discard(asked)

    def _count(self, stage: str, before: int) -> int:
        """Add and report the nodes since `count`; returns the current count."""
        now = self.parallel.nodes
        self.nodes += now - before
        self.deepest = max(self.deepest, self.parallel.deepest)
        low, high, asked = self._asking
        self.tell(stage, (low, high), asked, self.parallel.load)
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise OutOfNodes
        return now
