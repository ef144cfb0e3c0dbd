"""Playout policies that users write: `playout_policy` turns a function into a `PlayoutPolicy`."""

from __future__ import annotations

import importlib.util
import stat
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foogo.arguments import mode_of
from foogo.errors import PolicyError
from foogo.playout.written.interpreter import Points, View, operations
from foogo.playout.written.slow_game import SlowGame, SlowStream
from foogo.playout.written.source import NOTED, PolicySource, read_source, refusing_depth
from foogo.playout.written.written_function import WrittenFunction

if TYPE_CHECKING:
    from foogo.game.board import Board
    from foogo.game.game import Game
    from foogo.game.point_set import PointSet
    from foogo.playout.kernels.narrowing import Written
    from foogo.playout.written.explanation import Explanation

TRIAL_SIZE, TRIAL_TURNS, TRIAL_SEED = 5, 40, 1
"""The interpreted game in which every new policy is tried."""

Note = tuple[int, str, Points]
"""A set that a policy assigned or returned: the line, the name, the points."""


class PlayoutPolicy(WrittenFunction):
    """A playout policy that a user wrote; `playout_policy` makes it.

    It can be used wherever the name of a policy can: in `foogo.simulate`, `foogo.play_games`, `foogo.Search`,
    `foogo.first_move` and studies. Call it with weights for the same policy with other weights: these are arguments of
    the compiled code, which is not compiled again.

    Attributes
    ----------
    name
        The function's name.
    weights : dict[str, float | tuple[float, ...]]
        Its weights by name.
    label
        The name, the weights that are not the defaults, and a digest of the function: what studies keep. Two policies
        with equal labels play the same games.
    place
        Where the function was defined: the file and the line.

    Raises
    ------
    PolicyError
        If the function or a weight cannot be used; the message names the file and the line.
    """

    kind, constant, error = "playout policy", "weight", PolicyError
    _source: PolicySource

    def __init__(self, source: PolicySource, weights: dict[str, Any]) -> None:
        super().__init__(source, weights)
        self._try()
        _BY_LABEL[self.label] = self

    @property
    def weights(self) -> dict[str, Any]:
        """Its weights by name: a copy."""
        return dict(self._values)

    def __call__(self, **weights: float | tuple[float, ...]) -> PlayoutPolicy:
        """The policy with other weights; those that are not given stay as they are.

        Raises
        ------
        PolicyError
            If there is no such weight, its value is not a number, or the policy fails with it.
        """
        return PlayoutPolicy(self._source, self._changed(weights))

    def for_kernels(self) -> Written:
        """The policy as kernels take it."""
        return self._source.for_kernels(self.weights)

    def interpret(self, view: View, note: Callable[[Note], object] | None = None) -> Points:
        """The points that the policy returns for one position, computed slowly, over Python's sets.

        `note` is called with each set that the function assigns or returns.

        Raises
        ------
        PolicyError
            If the function fails, or returns anything but a set of candidates; the message names the line.
        """
        return self._interpreted(view, note or (lambda noted: None))

    @cached_property
    def _interpreted(self) -> Callable[[View, Callable[[Note], object]], Points]:
        source, weights, calls = self._source, tuple(self.weights.values()), _Calls()

        def noted(line: int, name: str, value: Any) -> Any:
            view, note = calls.running[-1]
            if name == "return":
                self._check_returned(line, value, view)
            if isinstance(value, Points):
                note((line, name, value))
            return value

        function = source.noting_function({**operations(source.arities, source.patterns), NOTED: noted})

        def interpreted(view: View, note: Callable[[Note], object]) -> Points:
            calls.running.append((view, note))
            try:
                result: Points = function(view.own.size, view, weights)
                return result
            except PolicyError:
                raise
            except Exception as error:
                raise PolicyError(f"{source.place_of(error)}: {type(error).__name__}: {error}") from error
            finally:
                calls.running.pop()

        return interpreted

    def _check_returned(self, line: int, value: Any, view: View) -> None:
        place = f"{self._source.file}:{line}"
        if not isinstance(value, Points):
            raise PolicyError(f"{place}: the policy returned {value!r}: return a set of points")
        outside = value.points - view.candidates.points
        if outside:
            wrong = Points(value.size, [min(outside)])
            raise PolicyError(
                f"{place}: the policy returned {wrong}, which is not a candidate: return `see.candidates & ...`, or "
                "what `pick` returns"
            )

    def _try(self) -> None:
        """Play a few interpreted turns, to find what fails."""
        game, stream = SlowGame(TRIAL_SIZE), SlowStream(TRIAL_SEED, 0)
        for _ in range(TRIAL_TURNS):
            game, _move = game.turn(self.interpret, stream, suicide=True)

    def explain(self, board: Board) -> Explanation:
        """What the policy sees on a board, set by set, and how often it draws each point.

        Parameters
        ----------
        board
            The position. Its player to move and its last move are what the policy sees.

        Returns
        -------
        Explanation
            Prints as diagrams.

        Raises
        ------
        ArgumentError
            If `board` is not a Board.

        Examples
        --------
        >>> from foogo import Board, playout_policy
        >>> @playout_policy
        ... def near(see, pick):
        ...     beside = see.candidates & see.beside(see.last_move)
        ...     return pick.often(0.9, beside) or see.candidates
        >>> board = Board(5)
        >>> board.play("C3")
        >>> 0.15 < near.explain(board).shares["C4"] < 0.3
        True
        """
        from foogo.playout.written.explanation import explain

        return explain(self, board)

    def sets(self, game: Game) -> dict[str, PointSet]:
        """The sets that the function assigns in a position, by name, such as the classes of a weighted policy.

        Computed slowly, by the interpreter. A name that is assigned more than once has its last set.

        Parameters
        ----------
        game
            The position, and the last two moves that led to it.

        Returns
        -------
        dict[str, PointSet]

        Raises
        ------
        ArgumentError
            If `game` is not a Game.

        Examples
        --------
        >>> from foogo import Game, playout_policy
        >>> @playout_policy
        ... def near(see, pick):
        ...     beside = see.candidates & see.beside(see.last_move)
        ...     return pick.often(0.9, beside) or see.candidates
        >>> game = Game(3)
        >>> game.play("B2")
        >>> near.sets(game)["beside"].count()
        4
        """
        from foogo.playout.written.explanation import sets_of

        return sets_of(self, game)


class _Calls(threading.local):
    """The calls of an interpreted policy that run in this thread, the innermost last: what it sees, and who is told."""

    def __init__(self) -> None:
        self.running: list[tuple[View, Callable[[Note], object]]] = []


def playout_policy(function: Callable[..., Any]) -> PlayoutPolicy:
    """A playout policy from a Python function: the decorator ``@foogo.playout_policy``.

    The function takes what it sees, how it picks, and any weights with their defaults. It returns the set of points
    from which the move is drawn. docs/reference/policies.md lists what it can use.

    Parameters
    ----------
    function
        ``def name(see, pick, weight=0.5, ...)``. It is compiled for all games at once, so it works with sets and
        numbers only.

    Returns
    -------
    PlayoutPolicy

    Raises
    ------
    PolicyError
        If the function uses what cannot be compiled, fails, or returns points that are not candidates. The message
        names the file and the line.

    Examples
    --------
    >>> import foogo
    >>> @foogo.playout_policy
    ... def captures_first(see, pick, capture=0.8):
    ...     taking = see.beside(see.opponent & see.short)
    ...     return pick.often(capture, taking) or see.candidates
    >>> captures_first
    <playout policy captures_first(capture=0.8)>
    >>> foogo.simulate(5, 1000, seed=1, policy=captures_first(capture=0.5)).n
    1000
    """
    with refusing_depth(function, PolicyError):
        source = read_source(function)
        return PlayoutPolicy(source, dict(source.weights))


_BY_LABEL: dict[str, PlayoutPolicy] = {}


def labelled_policy(label: str) -> PlayoutPolicy | None:
    """The policy of this process with that label, or None."""
    return _BY_LABEL.get(label)


def load_policy(text: str) -> PlayoutPolicy:
    """The policy ``name`` of ``file.py:name``. The file is executed.

    Raises
    ------
    PolicyError
        If the file cannot be read, fails, or has no such policy.
    """
    if not is_file_policy(text):
        raise PolicyError(f"policy {text!r} is not in a file: write FILE.py:NAME, such as mine.py:captures_first")
    file, _, name = text.rpartition(":")
    path = Path(file)
    try:
        if not stat.S_ISREG(mode_of(path)):
            raise PolicyError(f"policy {text!r}: there is no file {file!r}")
    except OSError as error:  # a folder that this user may not enter, or a name that is too long
        raise PolicyError(f"policy {text!r}: cannot read {file!r}: {(error.strerror or str(error)).lower()}") from None
    spec = importlib.util.spec_from_file_location(f"foogo_policies_of_{path.stem}", path)
    assert spec is not None
    assert spec.origin is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        # Not by the loader: if a file of the same length was written within the same second, it takes the old bytecode.
        with _beside(path), redirect_stdout(sys.stderr):  # stdout is for results
            exec(compile(path.read_bytes(), spec.origin, "exec", dont_inherit=True), vars(module))
    except PolicyError:
        raise
    except (Exception, SystemExit) as error:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == spec.origin]
        line = f":{frames[-1].lineno}" if frames else ""
        raise PolicyError(f"{file}{line}: {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if not isinstance(found, PlayoutPolicy):
        names = ", ".join(key for key, value in vars(module).items() if isinstance(value, PlayoutPolicy)) or "none"
        raise PolicyError(f"{file} has no playout policy {name!r}: it has {names}")
    return found


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Let a file import the modules beside it, as `python FILE` does. Other files import theirs anew."""
    folder = path.resolve().parent
    sys.path.insert(0, str(folder))
    loaded = set(sys.modules)
    try:
        yield
    finally:
        with suppress(ValueError):  # the file may have removed it
            sys.path.remove(str(folder))
        for name in set(sys.modules) - loaded:
            if Path(getattr(sys.modules[name], "__file__", None) or "").parent == folder:
                del sys.modules[name]


def is_file_policy(text: str) -> bool:
    """Whether the text names a policy in a file: ``file.py:name``."""
    file, _, name = text.rpartition(":")
    return file.endswith(".py") and name.isidentifier()
