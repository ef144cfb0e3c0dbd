"""Finds the even komi of a search: chooses komis and plays games at each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.playout.totals import Totals
from foogo.stats.estimates import fair_komi
from foogo.stats.even_komi import Wins, even_komi, fitted_shares
from foogo.study.config import ANY, OPENING_STRIDE, Config
from foogo.study.run.runner import Progress, run_study
from foogo.study.run.workers import Workers
from foogo.study.store.runs import Run
from foogo.study.store.store import Store

Begun = Callable[[Run], Progress | None]


def find_even_komi(
    store: Store, config: Config, n: int, *, workers: Workers, begun: Begun = lambda run: None
) -> list[Run]:
    """Play `n` games at one komi after another until the even komi is enclosed; returns the runs by rising komi.

    The komi of `config` is tried first. The next komi is a function of the totals in the store, so repeating an
    interrupted call continues it. `begun` is called with each run before it is played, and returns the progress
    function of that run. ArgumentError if the policy is not a search: other players ignore the komi.
    """
    whole("n", n, 1, OPENING_STRIDE)
    if not config.simulations:
        raise ArgumentError(f"no komi to search for: {config.players} ignore it, so one run yields the fair komi")
    while True:
        family = [run for run in store.runs() if run.config.equal_but_komi(config)]
        for run in family:
            store.check_signature(run)
        short = next((run for run in family if store.missing(run)), None)
        if short is None:
            totals = {_komi(run.config): store.totals(run, ANY)[0] for run in family}
            komi = next_komi(totals, n, _komi(config), float(config.size**2))
            if komi is None:
                return sorted(family, key=lambda run: _komi(run.config))
            short = store.ask(replace(config, komi=komi), n=n)
        run_study(store, short, workers=workers, progress=begun(short))


def next_komi(totals: Mapping[float, Totals], n: int, first: float, largest: float) -> float | None:
    """The komi to play for next, or None if the even komi is enclosed as well as possible.

    `totals` has the games played by komi, and `n` are wanted for each. `first` is the first komi, `largest` the largest
    possible score. All komis but the first are half-integers, where no game is tied. Scores are whole, so a komi
    between adjacent half-integers would add no information.
    """
    played = {komi: one for komi, one in totals.items() if one.n}
    if first not in played or played[first].n < n:
        return first
    results = {komi: Wins.at(one.scores, komi) for komi, one in played.items()}
    even = even_komi(results)
    low, high = min(results), max(results)
    if even.value == math.inf or even.value == -math.inf:
        side, edge = (1, high) if even.value > 0 else (-1, low)
        return _beyond(edge, side, fair_komi(played[edge].scores).value, largest)
    inside = _between(results, even.value)
    if inside is not None:
        return inside
    for side, edge, bound in ((-1, low, even.low), (1, high, even.high)):
        if bound == side * math.inf:
            outside = _beyond(edge, side, even.value + 2 * (edge - even.value), largest)
            if outside is not None:
                return outside
    enclosing = [komi for komi in sorted(results) if _is_near(komi, results, even.low, even.high)]
    return next((komi for komi in enclosing if results[komi].games < n), None)


def _beyond(edge: float, side: int, guess: float, largest: float) -> float | None:
    """A half-integer beyond the outermost komi on one side, as near to `guess` as possible; None at the end."""
    end = largest + 0.5
    if side * edge >= end:
        return None
    half = math.floor(edge) + 0.5
    nearest = half - 1 if side < 0 else half if half > edge else half + 1
    return side * min(end, max(side * nearest, side * (math.floor(guess) + 0.5)))


def _between(results: Mapping[float, Wins], value: float) -> float | None:
    """The unplayed half-integer nearest to the crossing, between the komis that enclose it."""
    fit = fitted_shares(results)
    left = max((komi for komi, share in fit.items() if share > 0.5), default=min(fit))
    right = min((komi for komi, share in fit.items() if share < 0.5), default=max(fit))
    inside = [half + 0.5 for half in range(math.floor(left), math.ceil(right)) if left < half + 0.5 < right]
    open_ = [komi for komi in inside if komi not in results]
    return min(open_, key=lambda komi: (abs(komi - value), komi), default=None)


def _is_near(komi: float, results: Mapping[float, Wins], low: float, high: float) -> bool:
    """Whether a komi lies in an interval, or is the nearest komi played on either side of it."""
    before = max((one for one in results if one <= low), default=low)
    behind = min((one for one in results if one >= high), default=high)
    return before <= komi <= behind


def _komi(config: Config) -> float:
    assert config.komi is not None
    return config.komi
