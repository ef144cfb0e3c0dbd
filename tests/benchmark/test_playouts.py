"""The benchmark: what it computes from what it timed, and the signatures of the playouts."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import pairwise, product

import pytest

from foogo.benchmark.environment import environment, peak_memory
from foogo.benchmark.playouts import (
    EXPECTED_SIGNATURES,
    SIGNATURE_PLAYOUTS,
    SIGNATURE_SEED,
    Measurement,
    digest,
    measure,
    signature,
)
from foogo.benchmark.timing import REPEATS, TimedRuns
from foogo.errors import ArgumentError, BackendError, SizeError
from foogo.playout.backends import available_backends
from foogo.playout.policies import POLICIES
from foogo.playout.simulate import simulate


@pytest.mark.parametrize("backend", available_backends())
@pytest.mark.parametrize(("policy", "size", "suicide"), EXPECTED_SIGNATURES)
def test_every_backend_has_the_expected_signature(policy: str, size: int, suicide: bool, backend: str) -> None:
    if policy != "uniform" and (backend != "simd" or size > 13):
        pytest.skip("the backends are compared with the oracle; here one size too many to compile")
    one = signature(size, suicide=suicide, backend=backend, policy=policy)
    assert one.value == EXPECTED_SIGNATURES[policy, size, suicide]
    assert not one.is_wrong
    assert one.as_dict()["ok"] is True
    assert one.as_dict()["policy"] == policy


def test_the_usual_sizes_have_an_expected_signature() -> None:
    usual = product(POLICIES, (9, 13, 19), (True, False))
    assert set(usual) <= set(EXPECTED_SIGNATURES)
    assert len(set(EXPECTED_SIGNATURES.values())) == len(EXPECTED_SIGNATURES)


def test_the_signature_sees_a_single_playout() -> None:
    whole = simulate(5, 200, seed=SIGNATURE_SEED)
    parts = simulate(5, 77, seed=SIGNATURE_SEED) + simulate(5, 123, seed=SIGNATURE_SEED, first=77)
    other = simulate(5, 200, seed=SIGNATURE_SEED, first=1)
    assert digest(whole) == digest(parts)
    assert digest(whole) != digest(other)
    assert SIGNATURE_PLAYOUTS >= 1000


def test_a_wrong_signature_is_told_from_an_unknown_one() -> None:
    one = signature(3)
    assert one.expected is None
    assert not one.is_wrong
    assert one.as_dict()["ok"] is None
    wrong = replace(one, expected="0" * 16)
    assert wrong.is_wrong
    assert wrong.as_dict()["ok"] is False


def test_a_measurement_counts_what_it_timed() -> None:
    seen: list[tuple[int, int]] = []
    one = measure(5, seconds=0.05, progress=lambda done, total: seen.append((done, total)))
    assert len(one.rates) == len(one.other_rates) == REPEATS
    assert seen == [(i + 1, REPEATS) for i in range(REPEATS)]
    assert min(one.rates) > 0
    assert one.playouts.n % REPEATS == 0
    assert 25 < one.playouts.mean_moves < 75
    json.dumps(one.as_dict(), allow_nan=False)


def test_the_derived_numbers_follow_from_the_rates() -> None:
    playouts = simulate(9, 100)
    one = Measurement(9, 2, "auto", True, "test", (90.0, 100.0, 130.0), (50.0, 20.0, 25.0), playouts)
    assert one.rate == 100
    assert one.spread == pytest.approx(0.2)
    assert one.over_scalar_board == pytest.approx(4.0)
    assert one.ns_per_move == pytest.approx(2e9 / (100 * playouts.moves / 100))
    assert one.over_uniform == 1


def test_the_scalar_board_is_not_measured_against_itself() -> None:
    one = measure(3, seconds=0.02, backend="strings")
    assert one.rates == one.other_rates
    assert one.over_scalar_board == 1


def test_a_policy_is_measured_against_uniform_playouts() -> None:
    one = measure(5, seconds=0.05, policy="knowledge")
    assert one.playouts.policy == "knowledge"
    assert one.rates != one.other_rates
    assert one.over_scalar_board is None
    assert one.over_uniform > 0
    assert replace(one, rates=(10.0,), other_rates=(20.0,)).over_uniform == pytest.approx(0.5)
    assert one.as_dict()["policy"] == "knowledge"
    assert one.as_dict()["scalar_board_playouts_per_second"] is None
    json.dumps(one.as_dict(), allow_nan=False)


@pytest.mark.parametrize("seconds", [0, -1, 5e-324, float("nan"), float("inf")])
def test_a_wrong_time_is_refused(seconds: float) -> None:
    with pytest.raises(ArgumentError, match="a number above 0"):
        measure(9, seconds=seconds)


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(SizeError):
        measure(1)
    with pytest.raises((ArgumentError, BackendError)):
        measure(5, backend="abacus")
    with pytest.raises(ArgumentError):
        measure(5, threads=0)


def test_runs_are_of_consecutive_numbers_and_about_as_long_as_asked() -> None:
    played: list[tuple[int, int]] = []

    def play(first: int, n: int) -> int:
        played.append((first, n))
        time.sleep(n * 1e-5)
        return n

    runs = TimedRuns(play, 0.05)
    assert runs.total is None
    assert all(first + n == later for (first, n), (later, _) in pairwise(played))
    calibration = len(played)
    rate = runs.rate()
    assert len(played) == calibration + 1
    assert runs.total == played[-1][1]
    assert 100 < rate <= 1e5
    runs.rate()
    assert runs.total == played[-1][1] + played[-2][1]
    assert played[-1][1] == played[-2][1]


def test_the_environment_is_named() -> None:
    here = environment()
    assert here["cpu"]
    assert here["cores"] >= 1
    assert set(here) == {"cpu", "cores", "os", "python", "numpy", "numba", "foogo", "date"}


def test_peak_memory_is_in_bytes() -> None:
    peak = peak_memory()
    assert peak is None or 20e6 < peak < 20e9
