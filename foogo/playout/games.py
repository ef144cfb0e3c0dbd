"""Playouts with individual results: `play_games`, from a batch of start positions.

`foogo.playout.simulate` adds the results up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import enough_memory, truth, whole
from foogo.errors import ArgumentError, BackendError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, check_size
from foogo.game.notation import counted
from foogo.game.sized import size_for
from foogo.playout.gpu import GpuPlayouts, gpus, kernel_spec, weights_of
from foogo.playout.kernels.batch import PARTS, Batch, PlayoutRules, PointSets, Results, run, working_memory
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.kernels.layout import Layout, simd_layout
from foogo.playout.policies import AnyPolicy, for_kernels, policy_of
from foogo.tables import data_frame, html_table

if TYPE_CHECKING:
    from pandas import DataFrame

MOVES_PER_POINT = 3
"""A playout is cut after this many moves for each point of the board."""

GPU_PIECE = 1 << 28
"""The size of one launch on a GPU, in games times points of the board. Ctrl-C does not interrupt a launch."""

PIECE = 1 << 26
"""The size of one call of the kernel on the processor, in games times points: a second or less, for Ctrl-C."""


class Starts:
    """Start positions packed for the kernel, to be used any number of times.

    Parameters
    ----------
    boards
        Positions of one size, at least one.
    layout
        The kernel's layout; the fastest on this machine if None.

    Attributes
    ----------
    rows
        (positions, `PARTS`, size) uint32: the rows of each set, from the bottom; bit = column.
    turns
        (positions,) int64: 0 where Black moves, 1 where White does.

    Raises
    ------
    ArgumentError
        If there is no board, boards of several sizes or of another size than the layout's, or something else.

    Examples
    --------
    >>> from foogo import Board
    >>> boards = [Board(9), Board(9)]
    >>> boards[1].play("E5")
    >>> Starts(boards)
    Starts(2 positions, 9x9)
    """

    def __init__(self, boards: Iterable[Board], layout: Layout | None = None) -> None:
        boards = list(boards) if isinstance(boards, Iterable) else [boards]
        for board in boards:
            if not isinstance(board, Board):
                name = f"the class {board.__name__}" if isinstance(board, type) else type(board).__name__
                hint = ": give game.board, and suicide=game.rules.suicide" if isinstance(board, Game) else ""
                raise ArgumentError(f"a start position is a foogo.Board, not {name}{hint}")
        sizes = {board.size for board in boards}
        if len(sizes) != 1:
            named = ", ".join(f"{size}x{size}" for size in sorted(sizes)) or "none"
            raise ArgumentError(f"boards are of sizes {named}: give one or more boards of one size")
        size = sizes.pop()
        if not isinstance(layout, Layout | None):
            raise ArgumentError(f"layout is {layout!r}: give a layout, or None for this processor's")
        if layout is not None and layout.size != size:
            raise ArgumentError(f"the layout is for {layout.size}x{layout.size}: the boards are {size}x{size}")
        self._clear(layout or simd_layout(size), len(boards))
        for i, board in enumerate(boards):
            self.turns[i] = board.to_play == WHITE
        for entry, board in zip(self.rows, boards, strict=True):
            own, other = (WHITE, BLACK) if board.to_play == WHITE else (BLACK, WHITE)
            forbidden = [] if board.ko is None else [board.ko]
            last = [board.last_move] if board.last_move not in (None, PASS) else []
            parts = board.stones(own).search(1), board.stones(other).search(1), forbidden, last
            for part, points in zip(entry, parts, strict=True):
                for point in points:
                    part[point // self.size] |= np.uint32(1 << point % self.size)

    @classmethod
    def empty(cls, layout: Layout) -> Starts:
        """The empty board with Black to move. No `Board` is made, which would have to be compiled."""
        self = cls.__new__(cls)
        self._clear(layout, 1)
        return self

    def _clear(self, layout: Layout, count: int) -> None:
        self.size, self.layout = layout.size, layout
        self.rows = np.zeros((count, PARTS, layout.size), np.uint32)
        self.turns = np.zeros(count, np.int64)
        self.move_limit = MOVES_PER_POINT * layout.size**2

    def packed(self, strip: Strip) -> NDArray[np.uint32]:
        """The positions as a GPU's kernel takes them: (positions, `PARTS`, words) uint32."""
        words = np.zeros((*self.rows.shape[:2], strip.words), np.uint32)
        for point in range(self.size * self.size):
            word, bit = strip.bit(point)
            there = self.rows[:, :, point // self.size] >> np.uint32(point % self.size) & np.uint32(1)
            words[:, :, word] |= there << np.uint32(bit)
        return words

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Starts({counted(len(self), 'position')}, {self.size}x{self.size})"


class Games(NamedTuple):
    """One entry for each game of `play_games`, in the order of their playout numbers.

    They are equal if all arrays are.

    Attributes
    ----------
    scores
        (games,) int16, Black minus White in points, before komi.
    moves
        (games,) int16, stones placed.
    cut
        (games,) bool, cut at ``3 * size * size`` moves.
    owners
        (games, 2, words) uint64 or None: the points of Black's and White's area at the end; point p is bit
        ``p % 64`` of word ``p // 64``.
    first_players
        (games, 2, words) uint64 or None: the points on which Black, and White, was the first to place a stone.
    """

    scores: NDArray[np.int16]
    moves: NDArray[np.int16]
    cut: NDArray[np.bool_]
    owners: NDArray[np.uint64] | None
    first_players: NDArray[np.uint64] | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Games):
            return False
        return all(np.array_equal(np.asarray(one), np.asarray(two)) for one, two in zip(self, other, strict=True))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each game, and the columns `score`, `moves` and `cut`.

        A MissingPackageError is raised if pandas is not installed.
        """
        return data_frame({"score": self.scores, "moves": self.moves, "cut": self.cut})

    def __str__(self) -> str:
        return "\n".join(f"{label}: {value}" for label, value in self._rows())

    def _repr_html_(self) -> str:
        return html_table("", [], self._rows())

    def _rows(self) -> list[tuple[str, str]]:
        """What to show of the games, with labels."""
        count = len(self.scores)
        rows = [("games", f"{count:,}")]
        if count:
            rows.append(("Black's mean score", f"{self.scores.mean():.2f} points"))
            rows.append(("moves per game", f"{self.moves.mean():.1f}"))
        return rows


class GamesWithSets(Games):
    """The `Games` of ``play_games(..., sets=True)``, which have both kinds of sets.

    Attributes
    ----------
    owners, first_players
        As for `Games`, and never None.
    """

    owners: NDArray[np.uint64]
    first_players: NDArray[np.uint64]

    def owner_masks(self, size: SupportsIndex) -> NDArray[np.bool_]:
        """`owners` unpacked: (games, 2, size, size) bool, whether Black, and White, owned each point at the end.

        `size` is that of the board; row 0 is at the bottom. An ArgumentError is raised if the sets are of another size.

        Examples
        --------
        >>> from foogo import Board
        >>> games = play_games([Board(9)], 5, seed=1, sets=True)
        >>> lead = games.owner_masks(9).sum(axis=(2, 3)) @ [1, -1]
        >>> bool((lead == games.scores).all())
        True
        """
        return self._unpacked(self.owners, size)

    def first_player_masks(self, size: SupportsIndex) -> NDArray[np.bool_]:
        """`first_players` unpacked: (games, 2, size, size) bool, as for `owner_masks`."""
        return self._unpacked(self.first_players, size)

    def _unpacked(self, sets: NDArray[np.uint64], size: SupportsIndex) -> NDArray[np.bool_]:
        side = check_size(size)
        area, words = side**2, -(-(side**2) // 64)
        owned = _bits(np.bitwise_or.reduce(self.owners, axis=(0, 1)))
        is_larger = sets.shape[-1] > words or owned[area:].any()
        # A game does not end while the last row and column that a smaller board lacks are empty.
        is_smaller = sets.shape[-1] < words or (not self.cut.all() and not owned[(side - 1) ** 2 :].any())
        if is_larger or is_smaller:
            kind = "larger" if is_larger else "smaller"
            raise ArgumentError(f"size is {size}: these games were played on a {kind} board")
        return _bits(sets)[..., :area].reshape(*sets.shape[:-1], side, side)


def _bits(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """The bits of the words, least significant first: (..., words) becomes (..., 64 * words)."""
    packed = np.ascontiguousarray(words).astype("<u8").view(np.uint8)
    return np.unpackbits(packed, axis=-1, bitorder="little").astype(np.bool_)


@overload
def play_games(
    starts: Starts | Iterable[Board] | Board | SupportsIndex,
    n: SupportsIndex | None = None,
    *,
    seed: SupportsIndex = 0,
    first: SupportsIndex = 0,
    suicide: bool = True,
    sets: Literal[True],
    policy: str | AnyPolicy | None = None,
    backend: str = "simd",
) -> GamesWithSets: ...


@overload
def play_games(
    starts: Starts | Iterable[Board] | Board | SupportsIndex,
    n: SupportsIndex | None = None,
    *,
    seed: SupportsIndex = 0,
    first: SupportsIndex = 0,
    suicide: bool = True,
    sets: bool = False,
    policy: str | AnyPolicy | None = None,
    backend: str = "simd",
) -> Games: ...


def play_games(
    starts: Starts | Iterable[Board] | Board | SupportsIndex,
    n: SupportsIndex | None = None,
    *,
    seed: SupportsIndex = 0,
    first: SupportsIndex = 0,
    suicide: bool = True,
    sets: bool = False,
    policy: str | AnyPolicy | None = None,
    backend: str = "simd",
) -> Games:
    """The result of each of `n` playouts, from a batch of start positions, on one core or one GPU.

    Game j has playout number ``first + j`` and starts from position ``j // (n // len(starts))``.

    Parameters
    ----------
    starts
        The start positions, of one size, or one position, or a size for the empty board. Pack positions as `Starts` to
        use them several times.
    n
        The number of games, a multiple of the number of positions; one from each if None.
    seed, first
        As for `simulate`.
    suicide
        Whether suicide of two or more stones is allowed.
    policy
        How moves are chosen: a name of `foogo.playout.policies.POLICIES`, a `foogo.Policy`, a policy that
        `foogo.playout_policy` made, or None for uniform.
    sets
        Also return who owned, and who first played, each point.
    backend
        "simd" for the processor, in the layout of the positions; "cuda" for the first GPU.

    Returns
    -------
    Games
        `GamesWithSets` if `sets` is True, with `owner_masks` and `first_player_masks`.

    Raises
    ------
    ArgumentError
        If an argument is out of range, or `n` is not a multiple of the number of positions.
    BackendError
        If there is no such backend, or no GPU for it.
    KeyboardInterrupt
        On Ctrl-C, within about a second.

    Examples
    --------
    >>> games = play_games(9, 5, seed=1, sets=True)
    >>> games.scores.shape, games.owners.shape
    ((5,), (5, 2, 2))
    """
    batch = starts if isinstance(starts, Starts) else _starts(starts)
    count = len(batch) if n is None else whole("n", n, 0, 2**40)
    if count % len(batch):
        raise ArgumentError(f"n is {count}: it must be a multiple of the {len(batch)} start positions")
    seed, first = whole("seed", seed, 0, 2**64 - 1), whole("first", first, 0, 2**63 - 1)
    if first + count > 2**63:
        raise ArgumentError(f"first + n is {first + count}: playout numbers end at {2**63 - 1}")
    if backend not in ("simd", "cuda"):
        raise BackendError(f"backend {backend!r} does not return single games: use simd or cuda")
    chosen, may_suicide = policy_of(policy), truth("suicide", suicide)
    has_sets = truth("sets", sets)
    with enough_memory("n", count):
        results = Results(np.empty(count, np.int16), np.empty(count, np.int16), np.empty(count, np.bool_))
        point_sets = _no_points(count, batch.size) if has_sets else None
    if count and backend == "cuda":
        _play_on_gpu(batch, results, point_sets, (seed, first), suicide=may_suicide, policy=chosen)
    elif count:
        layout = batch.layout
        rules = PlayoutRules(batch.size, layout.words, layout.lanes, batch.move_limit, may_suicide)
        kernel_policy, memory = for_kernels(chosen), working_memory(layout)
        for starts_of, games in _pieces(len(batch), count // len(batch), PIECE // batch.size**2):
            todo = Batch(batch.rows[starts_of], batch.turns[starts_of], np.uint64(seed), np.uint64(first + games.start))
            found = Results(results.scores[games], results.moves[games], results.cut[games])
            found_sets = None if point_sets is None else PointSets(*(array[games] for array in point_sets))
            run(layout, rules, kernel_policy, todo, found, found_sets, memory, None)
    return Games(*results, None, None) if point_sets is None else GamesWithSets(*results, *point_sets)


def _pieces(positions: int, repeats: int, most: int) -> Iterator[tuple[slice, slice]]:
    """Slices of positions and of their games: at most `most` games, of whole positions or of one position.

    Examples
    --------
    >>> [(games.start, games.stop) for _, games in _pieces(3, 2, 4)], [games.stop for _, games in _pieces(1, 5, 2)]
    ([(0, 4), (4, 6)], [2, 4, 5])
    """
    step = max(1, most // repeats)
    for start in range(0, positions, step):
        stop = min(start + step, positions)
        for begin in range(start * repeats, stop * repeats, most):
            yield slice(start, stop), slice(begin, min(begin + most, stop * repeats))


def _starts(starts: Iterable[Board] | Board | SupportsIndex) -> Starts:
    if isinstance(starts, (Board, Game, type)):
        return Starts([starts])  # raises ArgumentError unless it is a Board
    if isinstance(starts, Iterable) and not isinstance(starts, np.ndarray):
        return Starts(starts)
    return Starts.empty(simd_layout(size_for(starts)))


def _no_points(games: int, size: int) -> PointSets:
    shape = games, 2, -(-(size**2) // 64)
    return PointSets(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))


def _play_on_gpu(
    batch: Starts,
    results: Results,
    point_sets: PointSets | None,
    numbers: tuple[int, int],
    *,
    suicide: bool,
    policy: AnyPolicy | None,
) -> None:
    """Fill the arrays on the first GPU, piece by piece; `numbers` are the seed and the first playout number."""
    spec = kernel_spec(batch.size, policy, per_game=True, sets=point_sets is not None)
    words, (seed, first) = batch.packed(spec.layout), numbers
    rules: dict[str, Any] = {"seed": seed, "suicide": suicide, "limit": batch.move_limit}
    gpu = GpuPlayouts(gpus()[0], spec, words, batch.turns, **rules, weights=weights_of(policy))
    count, piece = len(results.scores), GPU_PIECE // batch.size**2
    arrays = [*results, *(point_sets or ())]
    for begin in range(0, count, piece):
        end = min(count, begin + piece)
        found = gpu.each(first + begin, end - begin, count // len(batch), begin)
        for array, values in zip(arrays, found, strict=False):
            array[begin:end] = values.view(array.dtype).reshape(array[begin:end].shape)
