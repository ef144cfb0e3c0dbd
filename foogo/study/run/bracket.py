"""Which komis to play for to find the one at which a search is even, and the playing of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.playout.totals import Tally
from foogo.stats.crossing import Wins, even_komi, fitted_shares
from foogo.stats.estimates import fair_komi, win_share
from foogo.study.config import ANY, OPENING_STRIDE, Config
from foogo.study.run.runner import Progress, run_study
from foogo.study.run.workers import Workers
from foogo.study.store.store import Run, Store

Begun = Callable[[Run], Progress | None]


def bracket_fair_komi(
    store: Store, config: Config, n: int, *, workers: Workers, begun: Begun = lambda run: None
) -> list[Run]:
    """Play a search for komi after komi until the one at which it is even is enclosed, `n` games each.

    Which komis are played is a function of the totals in the store, so that a stopped search for the komi goes on
    where it was.

    Parameters
    ----------
    store
        Where the runs are kept, one for each komi.
    config
        The search; its komi is the first to be played for.
    n
        Games of each komi.
    workers
        Where to play.
    begun
        Called with each run before it is played; what it returns is the run's progress.

    Returns
    -------
    list of Run
        The runs of this search and seed, by komi in rising order.

    Raises
    ------
    ArgumentError
        If the policy is not a search, as other players do not look at the komi, or `n` is below 1.
    StoreError
        If a run of this search has another signature, or the store cannot be written.
    """
    whole("n", n, 1, OPENING_STRIDE)
    if not config.simulations:
        raise ArgumentError(f"a fair komi to be found for {config.policy} players: one run tells it, ask for that")
    while True:
        family = [run for run in store.runs() if run.config.equal_but_komi(config)]
        for run in family:
            store.check_signature(run)
        short = next((run for run in family if store.missing(run)), None)
        if short is None:
            totals = {_komi(run): store.totals(run, ANY)[0] for run in family}
            komi = next_komi(totals, n, _komi_of(config), float(config.size**2))
            if komi is None:
                return sorted(family, key=_komi)
            short = store.ask(replace(config, komi=komi), n=n)
        run_study(store, short, workers=workers, progress=begun(short))


def next_komi(totals: Mapping[float, Tally], n: int, first: float, largest: float) -> float | None:
    """The komi to play for next, or None if the even one is enclosed as well as it can be.

    The komis are half-integers but for the first: at these no game is tied, and between them lies nothing else.

    Parameters
    ----------
    totals
        What was played, by komi.
    n
        Games wanted of each komi.
    first
        The komi to begin with.
    largest
        The largest score there is.

    Examples
    --------
    >>> next_komi({}, 100, 7.0, 25.0)
    7.0
    """
    played = {komi: tally for komi, tally in totals.items() if tally.n}
    if first not in played or played[first].n < n:
        return first
    results = {komi: wins_at(tally, komi) for komi, tally in played.items()}
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


def wins_at(tally: Tally, komi: float) -> Wins:
    """What Black won of games at a komi, a tie as half a win."""
    return Wins(win_share(tally.scores, komi).value * tally.n, tally.n)


def _beyond(edge: float, side: int, guess: float, largest: float) -> float | None:
    """A half-integer further out than the last komi on a side, near the guess if that is; None at the end."""
    end = largest + 0.5
    if side * edge >= end:
        return None
    half = math.floor(edge) + 0.5
    nearest = half - 1 if side < 0 else half if half > edge else half + 1
    return side * min(end, max(side * nearest, side * (math.floor(guess) + 0.5)))


def _between(results: Mapping[float, Wins], value: float) -> float | None:
    """The half-integer nearest to the crossing that is not played, within the line or lines that cross."""
    fit = fitted_shares(results)
    left = max((komi for komi, share in fit.items() if share > 0.5), default=min(fit))
    right = min((komi for komi, share in fit.items() if share < 0.5), default=max(fit))
    inside = [half + 0.5 for half in range(math.floor(left), math.ceil(right)) if left < half + 0.5 < right]
    open_ = [komi for komi in inside if komi not in results]
    return min(open_, key=lambda komi: (abs(komi - value), komi), default=None)


def _is_near(komi: float, results: Mapping[float, Wins], low: float, high: float) -> bool:
    """Whether a komi lies in an interval, or is the next to it on either side."""
    before = max((one for one in results if one <= low), default=low)
    behind = min((one for one in results if one >= high), default=high)
    return before <= komi <= behind


def _komi(run: Run) -> float:
    return _komi_of(run.config)


def _komi_of(config: Config) -> float:
    assert config.komi is not None
    return config.komi
