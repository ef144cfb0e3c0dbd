"""The fair komi of players who play for the komi: the estimate, its interval, and the komis that are played."""

from __future__ import annotations

import math
from math import inf, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from foogo.errors import ArgumentError, StoreError
from foogo.playout.totals import Totals
from foogo.stats.estimates import fair_komi
from foogo.stats.even_komi import Wins, even_komi, fitted_shares
from foogo.study.config import ANY, Config
from foogo.study.run.komi_search import find_even_komi, next_komi
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import Task, play, signature
from foogo.study.run.workers import Threads
from foogo.study.store.store import Store
from foogo.study.strengths import Setting, Strength, by_size, by_strength, table_of_strengths
from foogo.study.summary import summaries
from tests.marks import slow


def shares(table: dict[float, float], n: int = 1000) -> dict[float, Wins]:
    return {komi: Wins(share * n, n) for komi, share in table.items()}


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ({5.5: 0.6, 6.5: 0.4}, 6.0),
        ({5.5: 0.6, 6.5: 0.55, 7.5: 0.4}, 6.5 + 1 / 3),
        ({24.5: 1.0, 25.5: 0.0}, 25.0),
        ({5.5: 0.7, 6.5: 0.5, 7.5: 0.3}, 6.5),
        ({5.5: 0.7, 6.5: 0.5, 7.5: 0.5, 8.5: 0.3}, 7.0),
        ({5.5: 0.6, 6.5: 0.7, 7.5: 0.3}, 6.5 + 3 / 7),  # the first two pooled at 0.65
        ({5.5: 0.6}, inf),
        ({5.5: 0.6, 6.5: 0.7}, inf),
        ({5.5: 0.4, 6.5: 0.3}, -inf),
    ],
)
def test_the_crossing_is_read_off_the_joined_fit(table: dict[float, float], value: float) -> None:
    estimate = even_komi(shares(table))
    assert estimate.value == pytest.approx(value)
    assert estimate.low <= estimate.value <= estimate.high


def test_of_players_who_do_not_look_at_the_komi_it_is_the_fair_komi() -> None:
    rng = np.random.default_rng(3)
    scores = rng.multinomial(4000, np.exp(-(((np.arange(51) - 27) / 9) ** 2)) / 15.95)
    halves = np.arange(-25, 26) + 0.5
    results = {float(komi): Wins(int(scores[np.arange(-25, 26) > komi].sum()), 4000) for komi in halves}
    assert even_komi(results).value == pytest.approx(fair_komi(scores).value)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), min_size=1, max_size=6))
def test_the_fit_is_decreasing_and_the_likeliest(pairs: list[tuple[int, int]]) -> None:
    results = {float(i): Wins(min(won, games), games) for i, (won, games) in enumerate(pairs)}
    fit = np.array(list(fitted_shares(results).values()))
    assert (np.diff(fit) <= 1e-12).all()
    won, games = (np.array([getattr(one, name) for one in results.values()], float) for name in ("won", "games"))

    def loss(p: np.ndarray) -> float:
        inside = np.clip(p, 1e-9, 1 - 1e-9)
        return -float(won @ np.log(inside) + (games - won) @ np.log(1 - inside))

    falling = [{"type": "ineq", "fun": lambda p, i=i: p[i] - p[i + 1]} for i in range(len(fit) - 1)]
    other = minimize(loss, np.full(len(fit), 0.5), bounds=[(0, 1)] * len(fit), constraints=falling)
    assert loss(fit) <= other.fun + 1e-4


@pytest.mark.parametrize(
    ("komis", "truth", "n"),
    [
        ([5.5, 6.5, 7.5, 8.5], [0.62, 0.55, 0.46, 0.40], 200),
        ([6.5, 7.5], [0.7, 0.35], 100),
        slow([24.5, 25.5], [0.9, 0.0], 200),
        slow([-1, 3.5, 4.5, 5.5, 15], [0.56, 0.53, 0.515, 0.495, 0.40], 400),
    ],
)
def test_the_interval_holds_the_truth_as_often_as_it_says(komis: list[float], truth: list[float], n: int) -> None:
    rng, runs = np.random.default_rng(17), 400
    fair = even_komi({komi: Wins(share * 1e9, 10**9) for komi, share in zip(komis, truth, strict=True)}).value
    hits = 0
    for won in rng.binomial(n, truth, size=(runs, len(komis))):
        found = even_komi({komi: Wins(int(w), n) for komi, w in zip(komis, won, strict=True)})
        hits += found.low <= fair <= found.high
    assert hits / runs > 0.95 - 4 * sqrt(0.95 * 0.05 / runs)
    assert hits / runs < 1


def test_an_interval_without_evidence_on_a_side_has_no_end_there() -> None:
    assert even_komi({5.0: Wins(50, 100)}).as_dict() == {"value": 5.0, "low": None, "high": None}
    above = even_komi({5.0: Wins(90, 100)})
    assert (above.value, above.low, above.high) == (inf, 5.0, inf)
    open_below = even_komi({24.5: Wins(55, 100), 25.5: Wins(0, 100)})
    assert open_below.low == -inf
    assert 24.5 < open_below.value < open_below.high < 25.5


@pytest.mark.parametrize("wins", [{}, {5.0: Wins(3, 2)}, {5.0: Wins(-1, 2)}, {5.0: Wins(0, 0)}])
def test_impossible_wins_are_refused(wins: dict[float, Wins]) -> None:
    with pytest.raises(ArgumentError, match="an even komi"):
        even_komi(wins)


def made_up(komi: float, mean: float, spread: float, n: int, size: int, rng: np.random.Generator | None) -> Totals:
    """Games whose scores are normal about a mean, whole, of the parity of the board."""
    area = size**2
    values = np.arange(-area, area + 1)
    weights = np.exp(-(((values - mean) / spread) ** 2) / 2) * ((values + area) % 2 == 0)
    weights = weights / weights.sum()
    counts = np.round(weights * n) if rng is None else rng.multinomial(n, weights)
    return Totals(0, 0, counts.astype(np.int64))


@pytest.mark.parametrize(("mean", "spread"), [(25.0, 0.4), (9.0, 1.0), (2.7, 20.0), (-30.0, 3.0), (48.0, 2.0)])
@pytest.mark.parametrize("n", [60, 500])
def test_the_komis_played_enclose_the_fair_one(mean: float, spread: float, n: int) -> None:
    rng = np.random.default_rng(int(mean) + 100)
    totals: dict[float, Totals] = {}
    while (komi := next_komi(totals, n, 7.0, 49.0)) is not None:
        assert komi == 7.0 or komi % 1 == 0.5
        assert abs(komi) <= 49.5
        assert komi not in totals
        totals[komi] = made_up(komi, mean, spread, n, 7, rng)
        assert len(totals) < 20
    found = even_komi({k: Wins(float(t.scores[np.arange(-49, 50) > k].sum()), t.n) for k, t in totals.items()})
    assert math.isfinite(found.low)
    assert math.isfinite(found.high)
    truth = fair_komi(made_up(0, mean, spread, 10**9, 7, None).scores).value
    assert found.low - 1 <= truth <= found.high + 1


def test_intervals_hold_although_the_komis_are_chosen_by_the_games() -> None:
    rng, hits, runs = np.random.default_rng(7), 0, 150
    truth = fair_komi(made_up(0, 4.0, 15.0, 10**9, 7, None).scores).value
    for _ in range(runs):
        totals: dict[float, Totals] = {}
        while (komi := next_komi(totals, 200, 7.0, 49.0)) is not None:
            totals[komi] = made_up(komi, 4.0, 15.0, 200, 7, rng)
        found = even_komi({k: Wins(float(t.scores[np.arange(-49, 50) > k].sum()), t.n) for k, t in totals.items()})
        hits += found.low <= truth <= found.high
    assert hits / runs > 0.95 - 4 * sqrt(0.95 * 0.05 / runs)


def test_more_games_are_played_where_they_matter() -> None:
    totals = {komi: made_up(komi, 9.0, 1.0, 100, 7, None) for komi in (7.0, 8.5, 9.5, 20.5)}
    assert next_komi(totals, 100, 7.0, 49.0) is None
    assert next_komi(totals, 300, 7.0, 49.0) == 7.0
    totals[7.0] = made_up(7.0, 9.0, 1.0, 300, 7, None)
    assert next_komi(totals, 300, 7.0, 49.0) == 8.5
    totals[8.5] = made_up(8.5, 9.0, 1.0, 300, 7, None)
    totals[9.5] = made_up(9.5, 9.0, 1.0, 300, 7, None)
    assert next_komi(totals, 300, 7.0, 49.0) is None  # 20.5 tells nothing


def test_a_real_search_is_even_at_the_value_of_the_board(tmp_path: Path) -> None:
    """On 3x3 Black takes all nine points, and a search of a few hundred simulations knows."""
    config = Config(3, policy="search:300", seed=1)
    with Store(tmp_path / "a.sqlite", create=True) as store, Threads(2) as threads:
        runs = find_even_komi(store, config, 30, workers=threads)
        assert [run.config.komi for run in runs] == [7.0, 8.5, 9.5]
        for run in runs:
            assert store.totals(run, ANY)[0] == play(Task(run.config, ANY, 0, 30, signature(config)))[0]
        again = find_even_komi(store, config, 30, workers=threads)
        assert [run.id for run in again] == [run.id for run in runs]
        store.ask(Config(3), n=0)
        (line,) = by_strength(summaries(store)).values()
    assert line[0].fair.value == pytest.approx(9.0, abs=0.1)
    assert line[0].fair.low > 8.5
    assert line[0].fair.high < 9.5
    assert line[0].mean_komi == 8.5


def test_an_interrupted_search_for_the_komi_continues(tmp_path: Path) -> None:
    config = Config(3, policy="search:20", seed=1)

    class Stopped(Exception):
        pass

    def stop(run: object) -> None:
        begun.append(run)
        if len(begun) == 2:
            raise Stopped

    with Store(tmp_path / "a.sqlite", create=True) as store, Threads(1) as threads:
        begun: list[object] = []
        with pytest.raises(Stopped):
            find_even_komi(store, config, 25, workers=threads, begun=stop)
        runs = find_even_komi(store, config, 25, workers=threads)
    with Store(tmp_path / "b.sqlite", create=True) as store, Threads(1) as threads:
        whole = find_even_komi(store, config, 25, workers=threads)
    assert [run.config for run in runs] == [run.config for run in whole]


def test_only_a_search_has_a_komi_to_find(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store, Threads(1) as threads:
        with pytest.raises(ArgumentError, match="one run yields the fair komi"):
            find_even_komi(store, Config(3, policy="knowledge"), 10, workers=threads)


def test_an_impossible_search_for_the_komi_is_refused(tmp_path: Path) -> None:
    config = Config(3, policy="search:20")
    with Store(tmp_path / "a.sqlite", create=True) as store, Threads(1) as threads:
        with pytest.raises(ArgumentError, match="n is 0"):
            find_even_komi(store, config, 0, workers=threads)
        assert store.runs() == []
        store.ask(config, n=5)
        store.connection.execute("UPDATE run SET signature = 'other'")
        with pytest.raises(StoreError, match="plays other games"):
            find_even_komi(store, config, 5, workers=threads)


def test_strengths_are_in_order_and_pooled_over_seeds(tmp_path: Path) -> None:
    from foogo.study.run.runner import run_study

    with Store(tmp_path / "a.sqlite", create=True) as store:
        for config in (
            Config(3, policy="search:100", komi=8.5), Config(3, policy="search:20", komi=6.5),
            Config(3, policy="knowledge"), Config(3, policy="search:20", komi=6.5, seed=1),
            Config(3, seed=5), Config(3, seed=6), Config(2),
            Config(3, policy="knowledge", suicide=False), Config(3, ".X./.../...", "white"),
        ):  # fmt: skip
            run_study(store, store.ask(config, n=20), threads=1)
        found = summaries(store)
    lines = by_strength(found)
    assert list(lines) == [Setting(3, True), Setting(3, False)]
    assert [one.policy for one in lines[Setting(3, True)]] == ["uniform", "knowledge", "search:20", "search:100"]
    assert [one.games for one in lines[Setting(3, True)]] == [40, 20, 40, 20]
    assert {size: totals.n for size, totals in by_size(found).items()} == {2: 20, 3: 40}
    assert by_size(found, suicide=False) == {}
    header, rows = table_of_strengths(lines)
    assert all(len(row) == len(header) for row in rows)
    assert [row[3] for row in rows] == ["any", "any", "6.5", "8.5", "any"]
    assert lines[Setting(3, True)][3].share(7.0) is None
    lone = Strength("knowledge", 0, {None: Totals(0, 0, np.bincount([9 + 5], minlength=19) * 20)})
    cell = table_of_strengths({Setting(3, True): [lone]})[1][0][-1]
    assert cell == "0.00 [0.00, 16.11] %"  # not 0.00 ±8.06: no win of 20 allows shares up to 16 %
    assert lines[Setting(3, True)][1].share(7.0) is not None


def test_games_of_another_signature_are_not_mixed_in(tmp_path: Path) -> None:
    from foogo.study.run.runner import run_study

    with Store(tmp_path / "a.sqlite", create=True) as store:
        for komi, n in ((6.5, 10), (8.5, 30)):
            run_study(store, store.ask(Config(3, policy="search:20", komi=komi), n=n), threads=1)
        store.connection.execute("UPDATE run SET signature = 'old' WHERE id = 1")
        (line,) = by_strength(summaries(store)).values()
    assert line[0].komis == [8.5]


def test_a_strength_says_what_it_plays_for() -> None:
    scores = np.zeros(19, np.int64)
    scores[[9 + 3, 9 + 9]] = 50
    line = Strength("search:5", 5, {6.5: Totals(0, 0, scores), 8.5: Totals(0, 0, scores[::-1].copy())})
    assert line.mean_komi == 6.5
    document = line.as_dict(6.5)
    assert document["komis"] == {"6.5": 100, "8.5": 100}
    assert document["win_share"]["value"] == 0.5
    assert document["mean_score"]["play_komi"] == 6.5


def test_the_table_has_both_ends_of_a_share_near_one() -> None:
    scores = np.zeros(19, np.int64)
    scores[[0, 18]] = 1, 9
    line = [Strength("search:20", 20, {7.0: Totals(0, 0, scores)})]
    _, [row] = table_of_strengths({Setting(3, True): line})
    assert row[-1] == "90.00 [59.58, 98.21] %"  # ±19.31 would go beyond 100 %


def test_a_search_without_games_is_no_strength(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run_study(store, store.ask(Config(3), n=20), threads=1)
        store.ask(Config(3, policy="search:20"), n=20)
        assert by_strength(summaries(store)) == {}
