"""`Game`: a position with the history that superko, undo, the end and the result need.

`Game.play` validates everything. Programs that need speed play on a copy of `Game.board`.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import check_komi, whole
from foogo.errors import ArgumentError, IllegalMoveError, SizeError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, COLOR_NAMES, PASS, check_color, geometry, opponent
from foogo.game.notation import counted, number_text, result_text
from foogo.game.point_set import PointSet
from foogo.game.position import FrozenPosition, hashes_after, legal_flags
from foogo.game.rules import Rules


class Turn(NamedTuple):
    """One move of one player: BLACK or WHITE, and a point or PASS."""

    color: int
    move: int


class FrozenGame(NamedTuple):
    """The record of a game, which can be hashed. Records are equal if their games are."""

    start: FrozenPosition
    turns: tuple[Turn, ...]
    rules: Rules
    komi: float
    to_play: int
    """The player to move, who may have been changed without a move."""
    resumed: int
    """How many turns were played when play was last resumed after two passes."""


class Game:
    """A game of Go from the empty board, or from a position.

    Two games are equal if start, turns, rules, komi and player to move are. `freeze` returns what can be hashed.

    Parameters
    ----------
    size_or_board
        Points on a side, 2 to 19; or a position to start from, which is copied. Its player to move starts, and its ko
        holds. Earlier passes do not count.
    rules
        Rules, the name of a rule set, or a text that `Rules.parse` reads.
    komi
        Points that White gets: any finite number.

    Raises
    ------
    SizeError, RulesError, ArgumentError
        If there is no board of that size, there are no such rules, or `komi` is not a finite number.

    Examples
    --------
    >>> game = Game(9, rules="tromp-taylor", komi=7.0)
    >>> game.play("E5")
    >>> game.play("pass")
    >>> game.play("pass")
    >>> game.is_over, game.score(), game.result()
    (True, 74.0, 'B+74')
    >>> game.undo()
    Turn(color=1, move=-1)
    """

    def __init__(
        self, size_or_board: SupportsIndex | Board, rules: Rules | str = "tromp-taylor", komi: SupportsFloat = 7.0
    ) -> None:
        if isinstance(size_or_board, Game):
            raise SizeError("a game is no board: its `copy` copies it, and Game(game.board) starts from its position")
        start = size_or_board.copy() if isinstance(size_or_board, Board) else Board(size_or_board)
        self._rules = Rules.parse(rules)
        self._komi = check_komi(komi)
        # The position before each turn and the current one. They are never played on.
        self._boards = [start]
        self._turns: list[Turn] = []
        self._seen = {start.hash: [0]}
        self._resumed = [0]
        """How many turns were played at the start, and each time that play was resumed after two passes."""

    @property
    def size(self) -> int:
        """Points on a side."""
        return self._boards[-1].size

    @property
    def rules(self) -> Rules:
        """The rules of the game, fixed from its start."""
        return self._rules

    @property
    def komi(self) -> float:
        """Points that White gets; may be set at any time."""
        return self._komi

    @komi.setter
    def komi(self, komi: SupportsFloat) -> None:
        self._komi = check_komi(komi)

    @property
    def board(self) -> Board:
        """The current position: a copy."""
        return self._boards[-1].copy()

    @property
    def start(self) -> Board:
        """The position that the game started from: a copy."""
        return self._boards[0].copy()

    @property
    def to_play(self) -> int:
        """The colour whose turn it is. Setting it changes the turn without a move."""
        return self._boards[-1].to_play

    @to_play.setter
    def to_play(self, color: SupportsIndex) -> None:
        if check_color(color) != self.to_play:
            board = self._boards[-1].copy()
            board.to_play = color
            self._boards[-1] = board

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The moves so far with their colours, in the order of play."""
        return tuple(self._turns)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves so far, points and PASS, in the order of play."""
        return tuple(turn.move for turn in self._turns)

    @property
    def situations(self) -> tuple[tuple[int, int], ...]:
        """The history for superko: the stones' hash and the colour to play, at the start and after each turn."""
        return tuple((board.hash, board.to_play) for board in self._boards)

    @property
    def passes(self) -> int:
        """Consecutive passes up to now, since the start or since play was resumed. Two end the game."""
        return len(list(takewhile(lambda turn: turn.move == PASS, reversed(self._turns[self._resumed[-1] :]))))

    @property
    def is_over(self) -> bool:
        """Whether the last two turns were passes, and play was not resumed after them."""
        return self.passes == 2

    def resume(self) -> None:
        """Resume play after two passes, for example to settle which stones are dead. Two more passes end the game.

        An ArgumentError is raised if the game is not over.
        """
        if not self.is_over:
            raise ArgumentError("nothing to resume: the game is not over; play on")
        self._resumed.append(len(self._turns))

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None) -> None:
        """Play a move, or raise and leave the game unchanged.

        Parameters
        ----------
        move
            A vertex ("E5", "pass"), a point or PASS.
        color
            Whose move it is, by default the player to move. The opponent is then to move, also after a move out
            of turn such as a handicap stone.

        Raises
        ------
        IllegalMoveError
            If the rules forbid the move, or the game is over.
        VertexError
            If `move` is not on the board.

        Examples
        --------
        >>> game = Game(9)
        >>> game.play("E5")
        >>> game.play("E5")
        Traceback (most recent call last):
        foogo.errors.IllegalMoveError: white cannot play E5: the point is occupied; play on an empty one
        """
        point, mover, board = self._next(move, color)
        self._boards.append(board)
        self._turns.append(Turn(mover, point))
        self._seen.setdefault(board.hash, []).append(len(self._turns))

    def undo(self) -> Turn:
        """Undo the last turn, and return it; an ArgumentError if nothing was played yet."""
        if not self._turns:
            raise ArgumentError("nothing to undo: the game is at its start")
        board = self._boards.pop()
        self._seen[board.hash].pop()
        if not self._seen[board.hash]:
            del self._seen[board.hash]
        turn = self._turns.pop()
        if self._resumed[-1] > len(self._turns):
            self._resumed.pop()
        return turn

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None) -> bool:
        """Whether `play` would accept the move; a VertexError if it is not on the board."""
        try:
            self._next(move, color)
        except IllegalMoveError:
            return False
        return True

    def legal(self, color: SupportsIndex | None = None) -> PointSet:
        """The points that `color` may play, by default the player to move; none once the game is over.

        One bit per point, index = point. It leaves out the pass, which is legal until the game is over.

        Examples
        --------
        >>> game = Game(2)
        >>> game.play("A1")
        >>> list(game.legal().search(1))
        [1, 2, 3]
        """
        board, mover = self._boards[-1], self.to_play if color is None else check_color(color)
        points = legal_flags(board, mover, self._rules.suicide)
        if self.is_over:
            points[:] = 0
        elif self._rules.superko != "simple":
            candidates = np.flatnonzero(points)
            after = hashes_after(board, mover, points)[candidates].tolist()
            if not self._seen.keys().isdisjoint(after):
                for point, stones in zip(candidates.tolist(), after, strict=True):
                    points[point] = stones not in self._seen or self.is_legal(point, mover)
        return PointSet.of_flags(points)

    def planes(self, history: SupportsIndex = 8) -> NDArray[np.bool_]:
        """The latest positions as feature planes, from the point of view of the player to move.

        Parameters
        ----------
        history
            The number of positions, 1 or more.

        Returns
        -------
        ndarray, shape (2 * history + 1, size, size), bool
            Index [plane, row, column], row 0 at the bottom. Planes 0 and 1: own stones and the opponent's. 2 and 3: the
            same one turn earlier, and so on; all False before the start. The last plane: all True if Black is to move.

        References
        ----------
        D. Silver et al., Mastering the game of Go without human knowledge, Nature 550 (2017), with 8 positions.

        Examples
        --------
        >>> game = Game(9)
        >>> game.play("E5")
        >>> game.planes(2).sum(axis=(1, 2)).tolist()
        [0, 1, 0, 0, 0]
        """
        count, own = whole("history", history, 1, 1 << 16), self.to_play
        planes = np.zeros((2 * count + 1, self.size, self.size), np.bool_)
        for age, board in enumerate(self._boards[: -count - 1 : -1]):
            colors = board.to_array()
            planes[2 * age], planes[2 * age + 1] = colors == own, colors == opponent(own)
        planes[-1] = own == BLACK
        return planes

    def score(self) -> float:
        """Black's area minus White's and minus komi, in points, as the board stands: positive if Black is ahead.

        Every stone counts as alive; exact once both players have nothing left to gain.
        """
        return self._boards[-1].area_score() - self._komi

    def result(self) -> str:
        """The result as the board stands, written as in an SGF file: "B+3.5", "W+0.5" or "0" for a draw."""
        return result_text(self.score())

    def copy(self) -> Game:
        """An independent game with the same history."""
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied._boards, copied._turns = self._boards.copy(), self._turns.copy()
        copied._seen = {key: turns.copy() for key, turns in self._seen.items()}
        copied._resumed = self._resumed.copy()
        return copied

    def __copy__(self) -> Game:
        return self.copy()

    def freeze(self) -> FrozenGame:
        """The record of the game, which can be hashed: a key of a dict or a member of a set.

        Examples
        --------
        >>> games = {Game(9).freeze(): "empty"}
        >>> games[Game(9).freeze()]
        'empty'
        """
        return FrozenGame(
            self._boards[0].freeze(), self.turns, self._rules, self._komi, self.to_play, self._resumed[-1]
        )

    def __eq__(self, other: object) -> bool:
        return self.freeze() == other.freeze() if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _repr_svg_(self) -> str:
        return self._boards[-1]._repr_svg_()

    def __str__(self) -> str:
        state = f"over, {self.result()}" if self.is_over else f"{COLOR_NAMES[self.to_play]} to play"
        return f"{self._boards[-1]}\n{self._length}, komi {number_text(self._komi)}, {state}"

    def __repr__(self) -> str:
        return f"<Game {self.size}x{self.size}, {self._length}, {self._rules}, komi {number_text(self._komi)}>"

    @property
    def _length(self) -> str:
        return counted(len(self._turns), "move")

    def _next(self, move: str | SupportsIndex, color: SupportsIndex | None) -> tuple[int, int, Board]:
        """The point, the colour and the position after a move; raises if the move is illegal."""
        board = self._boards[-1].copy()
        board.play(move, color, suicide=self._rules.suicide)
        point = geometry(board.size).check_move(move)
        mover = opponent(board.to_play)
        refusal = f"{COLOR_NAMES[mover]} cannot play {geometry(board.size).vertex(point)}:"
        if self.is_over:
            raise IllegalMoveError(f"{refusal} two passes ended the game; undo() takes one back, resume() goes on")
        repeated = None if point == PASS else self._same_position(board)
        if repeated is not None:
            raise IllegalMoveError(
                f"{refusal} it repeats the position after {counted(repeated, 'move')}, which {self._rules.superko} "
                "superko forbids; play elsewhere or pass"
            )
        return point, mover, board

    def _same_position(self, board: Board) -> int | None:
        """The turn after which this position last occurred, if superko forbids repeating it; otherwise None."""
        if self._rules.superko == "simple":
            return None
        for turns in self._seen.get(board.hash, ()):
            earlier = self._boards[turns]
            same_turn = earlier.to_play == board.to_play or self._rules.superko == "positional"
            if same_turn and np.array_equal(earlier.to_array(), board.to_array()):
                return turns
        return None
