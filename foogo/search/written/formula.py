"""Selection formulas that users write: `selection_formula` makes a `SelectionFormula` of a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.errors import FormulaError
from foogo.playout.written.source import NOTED, Source, read_definition, refusing_depth
from foogo.playout.written.written_function import WrittenFunction
from foogo.search.written import arithmetic
from foogo.search.written.arithmetic import Lanes
from foogo.search.written.translator import ARITHMETIC, INPUTS, FormulaTranslator

if TYPE_CHECKING:
    from foogo.search.kernels.choice import Written

TRIAL_CHILDREN, TRIAL_SEED = 64, 1
TRIAL_VISITS = (2, 100, 20_000)
TRIAL_CHANCES = (0.0, 0.5, 0.999)
"""The children and the parents that every formula is tried on when it is made."""

AMAF = {"amaf_visits", "amaf_wins"}


@dataclass(frozen=True)
class FormulaSource(Source):
    """The translated source of a formula: ``name(seen, constants)``.

    Attributes
    ----------
    inputs
        What it sees.
    """

    inputs: tuple[str, ...]


class SelectionFormula(WrittenFunction):
    """A selection formula that a user wrote; `selection_formula` makes it.

    It is given as ``SearchParameters(selection=formula)``. Call it with constants for the same formula with other
    constants: these are arguments of the compiled code, which is not compiled again.

    Attributes
    ----------
    name
        The function's name.
    constants : dict[str, float | tuple[float, ...]]
        Its constants by name.
    label
        The name, the constants that are not the defaults, and a digest of the function. Two formulas with equal labels
        choose the same children.
    place
        Where the function was defined: the file and the line.

    Raises
    ------
    FormulaError
        If the function or a constant cannot be used; the message names the file and the line.
    """

    kind, constant, error = "selection formula", "constant", FormulaError
    _source: FormulaSource

    def __init__(self, source: FormulaSource, constants: dict[str, Any]) -> None:
        super().__init__(source, constants)
        self._try()

    @property
    def constants(self) -> dict[str, Any]:
        """Its constants by name: a copy."""
        return dict(self._values)

    @property
    def has_amaf(self) -> bool:
        """Whether it uses AMAF, which is only counted then."""
        return not AMAF.isdisjoint(self._source.inputs)

    def __call__(self, **constants: float | tuple[float, ...]) -> SelectionFormula:
        """The formula with other constants; those that are not given stay as they are.

        Raises
        ------
        FormulaError
            If there is no such constant, it is not a number, or the formula fails with it.
        """
        return SelectionFormula(self._source, self._changed(constants))

    def for_kernels(self) -> Written:
        """The formula as kernels take it."""
        from foogo.core import lane_arithmetic
        from foogo.core.jit import kernel
        from foogo.search.kernels import choice

        source = self._source
        if source.digest not in choice.FUNCTIONS:
            compiled: Any = kernel(inline=True)(source.function({ARITHMETIC: lane_arithmetic}))
            compiled.get_call_template = source.naming_lines(compiled.get_call_template, FormulaError)
            choice.FUNCTIONS[source.digest] = compiled
        return choice.Written(choice.Rule(source.digest, "prior" in source.inputs), tuple(self._values.values()))

    def values(self, **seen: ArrayLike) -> NDArray[np.float32]:
        """The value of each child, computed slowly by NumPy.

        Parameters
        ----------
        seen
            What the formula sees: an array with a number for each child, or one number, by name.

        Returns
        -------
        NDArray[np.float32]
            (children,), in float32 as in the search.

        Raises
        ------
        FormulaError
            If something that the formula sees is missing or not numbers for the same children, it fails, or a value is
            not a number; the message names the line.

        Examples
        --------
        >>> import foogo
        >>> @foogo.selection_formula
        ... def mean(visits, wins, unvisited=1.0):
        ...     return np.where(visits > 0, wins / visits, unvisited)
        >>> mean.values(visits=[4, 0], wins=[3, 0]).tolist()
        [0.75, 1.0]
        """
        source, inputs = self._source, self._source.inputs
        if set(seen) != set(inputs):
            raise FormulaError(f"{self.name} sees {', '.join(inputs)}: give all of them, and nothing else")
        names = [name for name in inputs if INPUTS[name]]
        try:
            arrays = np.broadcast_arrays(*(np.asarray(seen[name], np.float32) for name in names))
            shared = {name: float(np.asarray(seen[name])) for name in inputs if not INPUTS[name]}
        except (TypeError, ValueError) as error:
            raise FormulaError(f"{self.name} sees a number for each child, or one number, by name: {error}") from None
        values: dict[str, Any] = {name: Lanes(np.atleast_1d(array)) for name, array in zip(names, arrays, strict=True)}
        values |= shared

        def noted(line: int, name: str, value: Any) -> Any:
            if name == "return":
                self._check_returned(line, value, values)
            return value

        function = source.noting_function({ARITHMETIC: arithmetic, NOTED: noted})
        try:
            with np.errstate(all="ignore"):
                result: Lanes = function(_Seen(values), tuple(self._values.values()))
        except FormulaError:
            raise
        except Exception as error:
            raise FormulaError(f"{source.place_of(error)}: {type(error).__name__}: {error}") from error
        return result.values

    def _check_returned(self, line: int, value: Any, seen: dict[str, Any]) -> None:
        place = f"{self._source.file}:{line}"
        if not isinstance(value, Lanes):
            described = "a condition" if isinstance(value, arithmetic.Condition) else repr(value)
            raise FormulaError(f"{place}: the formula returned {described}: return a value for each child")
        wrong = np.flatnonzero(np.isnan(value.values))
        if len(wrong):
            found = {name: one.values[wrong[0]] if isinstance(one, Lanes) else one for name, one in seen.items()}
            given = ", ".join(f"{name}={number:g}" for name, number in found.items())
            raise FormulaError(
                f"{place}: the value of a child is not a number where {given}: use np.where(condition, a, b) to give "
                "it another value there"
            )

    def _try(self) -> None:
        """Compute the values of some children, to find what fails."""
        random = np.random.default_rng(TRIAL_SEED)
        for parent_visits in TRIAL_VISITS:
            for chance in TRIAL_CHANCES:
                trial = _trial(random, parent_visits, chance)
                self.values(**{name: trial[name] for name in self._source.inputs})


def _trial(random: np.random.Generator, parent_visits: int, chance: float) -> dict[str, ArrayLike]:
    """Children as they occur, half of them without visits, AMAF or priors."""
    count = TRIAL_CHILDREN

    def some(most: NDArray[np.int64] | int) -> NDArray[np.int64]:
        return random.integers(0, most, count, endpoint=True) * random.integers(0, 2, count)

    played, amaf_visits, prior_visits = some(parent_visits), some(3 * parent_visits), some(200)
    prior_wins = random.integers(0, prior_visits, endpoint=True)
    shares = prior_visits / max(1, prior_visits.sum())
    return {
        "visits": played + prior_visits,
        "wins": random.integers(0, played, endpoint=True) + prior_wins,
        "amaf_visits": amaf_visits,
        "amaf_wins": random.integers(0, amaf_visits, endpoint=True),
        "prior_visits": prior_visits,
        "prior_wins": prior_wins,
        "prior": shares,
        "parent_visits": parent_visits,
        "parent_wins": 0.4 * parent_visits,
        "parent_prior_visits": min(parent_visits, 20),
        "chance": chance,
    }


class _Seen:
    """What a formula sees, as attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


def selection_formula(function: Callable[..., Any]) -> SelectionFormula:
    """A selection formula of a Python function: the decorator ``@foogo.selection_formula``.

    The function takes what it sees of the children of a position, by name, and any constants with their defaults. It
    returns a value for each child; the search descends to the child with the highest one. docs/reference/search.md
    lists what it can see and use.

    Parameters
    ----------
    function
        ``def name(visits, wins, parent_visits, ..., constant=0.5, ...)``. It is compiled for sixteen children at once,
        so it works with NumPy's functions on values, and with ``if`` only on what all children share.

    Returns
    -------
    SelectionFormula

    Raises
    ------
    FormulaError
        If the function uses what cannot be compiled, fails, or returns a value that is not a number. The message names
        the file and the line.

    Examples
    --------
    >>> import foogo
    >>> @foogo.selection_formula
    ... def ucb1(visits, wins, parent_visits, exploration=0.5):
    ...     bonus = exploration * np.sqrt(np.log(parent_visits) / visits)
    ...     return np.where(visits > 0, wins / visits + bonus, 1000)
    >>> parameters = foogo.SearchParameters(selection=ucb1(exploration=0.7))
    >>> foogo.Search(foogo.Game(5), seed=1, parameters=parameters).run(simulations=200).simulations
    200
    """
    usage = "`@foogo.selection_formula` above `def name(visits, wins, ...): ...`"
    with refusing_depth(function, FormulaError):
        defined, tree, file = read_definition(function, "formula", usage, FormulaError)
        translator = FormulaTranslator(defined, tree, file)
        translated = translator.translated()
        source = FormulaSource(tree.name, file, tree.lineno, translator.weights, translated, translator.inputs)
        return SelectionFormula(source, dict(source.weights))
