"""Time settings and clocks: what they read, and that no plan ever loses on time."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from typing import Any

import numpy as np
import pytest

from foogo.errors import ArgumentError
from foogo.game.clock import FORMS, Clock, TimeSettings

READ = [
    ("none", TimeSettings()),
    ("absolute 10", TimeSettings("absolute", 10.0)),
    ("ABSOLUTE 0.5", TimeSettings("absolute", 0.5)),
    ("byoyomi 60 10 3", TimeSettings("byoyomi", 60.0, 10.0, 3)),
    ("byo-yomi 60 10 3", TimeSettings("byoyomi", 60.0, 10.0, 3)),
    ("japanese 0 5 1", TimeSettings("byoyomi", 0.0, 5.0, 1)),
    ("canadian 60 300 25", TimeSettings("canadian", 60.0, 300.0, 25)),
    ("canadian 60 300 0", TimeSettings("absolute", 60.0)),
    ("fischer 60 1.5", TimeSettings("fischer", 60.0, 1.5)),
    ("fischer-capped 60 1 90 20", TimeSettings("fischer-capped", 60.0, 1.0, 0, 90.0, 20.0)),
    ("fischer-capped 60 1 -1 -1", TimeSettings("fischer-capped", 60.0, 1.0)),
]


@pytest.mark.parametrize(("text", "settings"), READ, ids=[text for text, _ in READ])
def test_settings_are_read_in_words(text: str, settings: TimeSettings) -> None:
    assert TimeSettings.parse(text) == settings
    assert TimeSettings.parse(str(settings)) == settings


@pytest.mark.parametrize(
    "text", ["absolute 1234567.5", "absolute 1000000", "canadian 90.5 0.1234567 25", "fischer-capped 60 1.25 -1 20"]
)
def test_settings_are_written_exactly(text: str) -> None:
    assert str(TimeSettings.parse(text)) == text


def test_settings_are_numbers_of_python() -> None:
    settings = TimeSettings("byoyomi", np.int8(100), np.float32(30), np.int8(5))
    assert settings == TimeSettings("byoyomi", 100.0, 30.0, 5)
    assert repr(settings) == repr(TimeSettings("byoyomi", 100.0, 30.0, 5))
    assert json.loads(json.dumps(dataclasses.asdict(settings)))["main"] == 100


def test_settings_of_gtp_are_numbers() -> None:
    with pytest.raises(ArgumentError, match="main is '300': it must be a number"):
        TimeSettings.from_gtp(*"300 30 5".split())  # type: ignore[arg-type]


def test_a_full_fischer_clock_is_not_taken_for_lag() -> None:
    clock, left = Clock(TimeSettings.parse("fischer-capped 60 10 60 -1")), 60.0
    for _ in range(5):
        clock.report(left)
        clock.spend(0.1, 0.1)
        left = min(left - 0.1 + 10, 60.0)
    clock.report(left)
    assert clock.plan(30).aim > 9


def test_lag_is_seen_below_the_cap() -> None:
    clock, left = Clock(TimeSettings.parse("fischer-capped 30 1 60 -1")), 30.0
    for _ in range(5):
        clock.report(left)
        clock.spend(1.5, 1.5)
        left += 1 - 1.5 - 0.7  # a lag
    clock.report(left)
    assert clock._lags.mean == pytest.approx(0.7, abs=0.01)


WRONG = [
    ("", "time system"),
    ("hourglass 10", "hourglass"),
    ("absolute", "absolute MAIN"),
    ("absolute 10 1", "2 numbers"),
    ("absolute ten", "'ten'"),
    ("absolute -1", "'-1'"),
    ("absolute nan", "'nan'"),
    ("absolute inf", "'inf'"),
    ("absolute 6_0", "'6_0'"),
    ("byoyomi 60 10 2.5", "whole number"),
    ("byoyomi 60 0 3", "0 seconds"),
    ("fischer 60", "fischer MAIN INCREMENT"),
]


@pytest.mark.parametrize(("text", "word"), WRONG, ids=[repr(text) for text, _ in WRONG])
def test_wrong_settings_are_refused(text: str, word: str) -> None:
    with pytest.raises(ArgumentError, match=word.replace("'", ".")):
        TimeSettings.parse(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hourglass", 10.0), "time system 'hourglass' is unknown: give none, absolute"),
        (("absolute", -1.0), "main is -1.0: it must be a number of seconds from 0 on"),
        (("fischer", 60.0, float("inf")), "period is inf"),
        (("fischer-capped", 60.0, 1.0, 0, float("nan")), "longest_main is nan"),
        (("canadian", 60.0, 300.0), "count is 0: canadian needs one or more"),
        (("byoyomi", 60.0, 10.0, 2.5), "count is 2.5: it must be a whole number"),
    ],
)
def test_settings_that_make_no_clock_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        TimeSettings(*arguments)
    with pytest.raises(ArgumentError, match="time settings are 5: give a text"):
        TimeSettings.parse(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("numbers", "settings"),
    [
        ((600, 0, 0), TimeSettings("absolute", 600)),
        ((0, 0, 0), TimeSettings("absolute", 0)),
        ((600, 30, 10), TimeSettings("canadian", 600, 30, 10)),
        ((0, 1, 0), TimeSettings("none")),
    ],
)
def test_gtp_says_it_in_three_numbers(numbers: tuple[float, float, int], settings: TimeSettings) -> None:
    assert TimeSettings.from_gtp(*numbers) == settings


SPENT = [
    # settings, seconds of each move, whether the last was in time, then left, in overtime, count
    ("absolute 10", (4, 5), True, 1, False, 0),
    ("absolute 10", (4, 7), False, 0, False, 0),
    ("fischer 10 2", (4, 5), True, 5, False, 0),
    ("fischer 10 2", (10, 3), False, 2, False, 0),
    ("fischer-capped 10 5 11 -1", (1, 1), True, 11, False, 0),
    ("fischer-capped 100 5 -1 3", (4,), False, 101, False, 0),
    ("byoyomi 10 5 3", (11,), True, 5, True, 3),
    ("byoyomi 10 5 3", (16,), True, 5, True, 2),
    ("byoyomi 10 5 3", (12, 4, 4, 4), True, 5, True, 3),
    ("byoyomi 10 5 3", (24,), True, 5, True, 1),
    ("byoyomi 10 5 3", (26,), False, 5, True, 1),
    ("byoyomi 0 5 1", (4, 5), True, 5, True, 1),
    ("canadian 10 20 3", (12, 4), True, 14, True, 1),
    ("canadian 10 20 3", (12, 4, 13), True, 20, True, 3),
    ("canadian 10 20 3", (12, 4, 15), False, 20, True, 3),
    ("canadian 0 20 2", (19, 1, 19), True, 1, True, 1),
    ("none", (1e9,), True, 0, False, 0),
]


@pytest.mark.parametrize(("text", "moves", "in_time", "left", "overtime", "count"), SPENT)
def test_a_clock_runs_as_its_system_says(
    text: str, moves: tuple[float, ...], in_time: bool, left: float, overtime: bool, count: int
) -> None:
    clock = Clock(TimeSettings.parse(text))
    answers = [clock.spend(seconds) for seconds in moves]
    assert answers == [True] * (len(moves) - 1) + [in_time]
    assert (clock.left, clock.in_overtime, clock.count) == (left, overtime, count)


@pytest.mark.parametrize("text", ["byoyomi 0 5 1", "canadian 0 5 1", "canadian 0 20 4", "fischer 20 5"])
def test_one_late_move_does_not_end_all_thinking(text: str) -> None:
    """A controller without reports that plays on, as GoGui's twogtp after a move that was late."""
    clock = Clock(TimeSettings.parse(text))
    clock.plan(20)
    assert not clock.spend(25, 4)
    for _ in range(30):
        aim = clock.plan(20).aim
        clock.spend(aim, aim)
    assert clock.plan(20).aim > 3


@pytest.mark.parametrize(("text", "stall"), [("absolute 600", 60), ("byoyomi 0 10 5", 12), ("fischer 60 5", 15)])
def test_a_stall_of_the_machine_does_not_end_all_thinking(text: str, stall: float) -> None:
    clock, aims = Clock(TimeSettings.parse(text)), []
    for move in range(20):
        aims.append(clock.plan(20).aim)
        seconds = aims[-1] + (stall if move == 3 else 0)
        clock.spend(seconds, seconds)
    assert min(aims) > aims[3] / 20
    assert aims[-1] > aims[3] / 2


def test_the_controller_is_right() -> None:
    clock = Clock(TimeSettings.parse("canadian 60 30 10"))
    clock.report(12)
    assert (clock.left, clock.in_overtime) == (12, False)
    clock.report(20, 4)
    assert (clock.left, clock.in_overtime, clock.count) == (20, True, 4)
    clock.report(0)
    assert (clock.left, clock.in_overtime, clock.count) == (30, True, 10)
    wrong: Any
    for wrong in ((float("nan"),), ("60",), (60, 1.5), (60, -1)):
        with pytest.raises(ArgumentError, match="time is|count is"):
            clock.report(*wrong)
    assert (clock.left, clock.in_overtime, clock.count) == (30, True, 10)


@pytest.mark.parametrize(("count", "aim"), [(0, 1.0), (5, 2.0)])
def test_a_clock_nobody_set_believes_the_controller(count: int, aim: float) -> None:
    clock = Clock()
    clock.report(11, count)
    assert clock.is_limited
    assert clock.plan(10).aim == pytest.approx(aim, rel=0.2)


@pytest.mark.parametrize("text", ["absolute 300", "fischer 300 5"])
def test_stones_do_not_make_overtime_of_main_time(text: str) -> None:
    """Otherwise one move would take all the time left."""
    clock, plain = Clock(TimeSettings.parse(text)), Clock(TimeSettings.parse(text))
    clock.report(200, 1)
    plain.report(200)
    assert clock.plan(20) == plain.plan(20)
    assert (clock.in_overtime, clock.count) == (False, 0)


def test_stones_after_a_report_of_main_time() -> None:
    clock = Clock()
    clock.report(100)
    clock.report(30, 5)  # whose settings were never given
    assert 0 < clock.plan(20).most <= 30 / 5


@pytest.mark.parametrize(
    ("text", "seconds", "same"),
    [
        ("fischer 0 5", 5.0, "fischer 5 5"),
        ("absolute 0", 300.0, "absolute 300"),
        ("absolute 60", 300.0, "absolute 300"),
    ],
)
def test_more_time_than_was_set_is_saved_as_if_it_had_been_set(text: str, seconds: float, same: str) -> None:
    clock = Clock(TimeSettings.parse(text))
    clock.report(seconds)
    assert clock.plan(20) == Clock(TimeSettings.parse(same)).plan(20)
    assert clock.plan(20).most < seconds - 0.2


def test_no_time_on_a_clock_nobody_set_is_no_limit() -> None:
    clock = Clock()
    clock.report(0)
    assert not clock.is_limited
    clock.report(20)
    clock.report(0)
    assert clock.plan(20).most == 0


def test_without_a_clock_there_is_no_end() -> None:
    plan = Clock().plan(20)
    assert plan.aim == plan.most == math.inf


def test_a_plan_grows_with_the_time_and_shrinks_with_the_moves() -> None:
    aims = {
        (seconds, moves): Clock(TimeSettings("absolute", seconds)).plan(moves).aim
        for seconds in (10.0, 60.0)
        for moves in (10.0, 30.0)
    }
    assert aims[10, 30] < aims[10, 10] < aims[60, 10]
    assert aims[10, 30] < aims[60, 30] < aims[60, 10]
    for aim in aims.values():
        assert 0 < aim < 60 / 10


def test_overtime_is_used_up() -> None:
    japanese = Clock(TimeSettings.parse("byoyomi 0 5 3"), lag=0.3).plan(20)
    assert japanese.aim == japanese.most == pytest.approx(4.7)
    last_stone = Clock(TimeSettings.parse("canadian 0 5 1"), lag=0.3).plan(20)
    assert last_stone.aim == last_stone.most == pytest.approx(4.7)
    canadian = Clock(TimeSettings.parse("canadian 0 30 10"), lag=0.3).plan(20)
    assert 2.5 < canadian.aim < 3 < canadian.most < 30


def test_fischer_spends_what_comes_again() -> None:
    assert Clock(TimeSettings.parse("fischer 60 5")).plan(20).aim > 5
    assert Clock(TimeSettings.parse("fischer-capped 600 5 -1 3"), lag=0.5).plan(5).most == pytest.approx(2.5)


@pytest.mark.parametrize("whole", [False, True])
def test_lag_is_learnt_from_the_controller(whole: bool) -> None:
    clock, left = Clock(TimeSettings("absolute", 300.0)), 300.5
    for _ in range(40):
        clock.report(math.floor(left) if whole else left)
        clock.plan(20)
        clock.spend(1.0)
        left -= 1.4
    clock.report(left)
    exact = Clock(TimeSettings("absolute", left))
    assert clock.plan(20).aim == pytest.approx(exact.plan(20).aim - 0.4 * (1 + 100 / 20), abs=0.3)


def test_reports_in_whole_seconds_are_not_taken_for_lag() -> None:
    clock, left = Clock(TimeSettings("absolute", 300.0)), 300.5
    for _ in range(100):
        clock.report(math.floor(left))
        clock.plan(30)
        clock.spend(1.3)
        left -= 1.3
        exact = Clock(TimeSettings("absolute", clock.left))
        assert clock.plan(30).aim == pytest.approx(exact.plan(30).aim, rel=0.02)


class Referee:
    """A player's time as a server counts it, written apart from `Clock`."""

    def __init__(self, settings: TimeSettings) -> None:
        self.settings = settings
        self.bank, self.period, self.count = settings.main, settings.period, settings.count

    def deduct(self, seconds: float) -> bool:
        """Take a move's time; whether the player is still in time."""
        if self.settings.system in ("absolute", "fischer", "fischer-capped"):
            self.bank -= seconds
            fell = self.bank < 0 or seconds > self.settings.longest_move
            if self.settings.system != "absolute":
                self.bank = min(self.bank + self.settings.period, self.settings.longest_main)
            return not fell
        if seconds < self.bank:
            self.bank -= seconds
            return True
        over, self.bank = seconds - self.bank, 0.0
        if self.settings.system == "canadian":
            self.period -= over
            self.count -= 1
            if self.period < 0:
                return False
            if self.count == 0:
                self.period, self.count = self.settings.period, self.settings.count
            return True
        self.count -= math.ceil(over / self.settings.period) - 1 if over > 0 else 0
        return self.count > 0

    def report(self) -> tuple[float, int]:
        """What ``time_left`` says."""
        return (self.bank, 0) if self.bank > 0 or not self.settings.has_overtime else (self.period, self.count)


def play_game(settings: TimeSettings, *, lag: float, noise: float, reports: bool, greed: float, seed: int) -> bool:
    """Whether a player that follows its plans through a game of up to 120 moves of its own is never out of time."""
    rng = random.Random(seed)
    clock, referee = Clock(settings), Referee(settings)
    for move in range(rng.randint(25, 120)):
        if reports:
            clock.report(*referee.report())
        plan = clock.plan(max(10.0, 30.0 - move))
        thought = plan.aim + (plan.most - plan.aim) * rng.random() if rng.random() < greed else plan.aim * rng.random()
        spent = thought + 0.002 + noise * rng.random()
        clock.spend(spent, thought)
        if not referee.deduct(spent + lag * rng.uniform(0.8, 1.2)):
            return False
    return True


SYSTEMS = [
    "absolute 10",
    "absolute 60",
    "absolute 1800",
    "byoyomi 10 2 3",
    "byoyomi 0 1 1",
    "byoyomi 600 30 5",
    "canadian 10 5 5",
    "canadian 0 10 25",
    "canadian 300 300 25",
    "fischer 10 1",
    "fischer 2 0.5",
    "fischer-capped 30 2 40 5",
]


@pytest.mark.parametrize("text", SYSTEMS)
@pytest.mark.parametrize(("lag", "noise"), [(0.0, 0.0), (0.01, 0.01), (0.0, 0.03), (0.03, 0.02)])
@pytest.mark.parametrize("greed", [0.3, 1.0])
def test_nobody_loses_on_time(text: str, lag: float, noise: float, greed: float) -> None:
    settings = TimeSettings.parse(text)
    games = [
        play_game(settings, lag=lag, noise=noise, reports=reports, greed=greed, seed=seed)
        for seed in range(10)
        for reports in (True, False)
        if reports or not lag
    ]
    assert all(games)


@pytest.mark.parametrize(
    "text", ["byoyomi 60 10 3", "byoyomi 0 10 4", "canadian 60 30 5", "canadian 0 60 10", "fischer 30 3"]
)
@pytest.mark.parametrize("lag", [0.35, 0.7, 1.2])
@pytest.mark.parametrize("whole", [False, True])
def test_reports_show_a_slow_network(text: str, lag: float, whole: bool) -> None:
    """Answers arrive later than the reserve allows for."""
    settings = TimeSettings.parse(text)
    clock, referee, thought = Clock(settings), Referee(settings), 0.0
    for move in range(80):
        seconds, count = referee.report()
        clock.report(math.floor(seconds) if whole else seconds, count)
        thought = clock.plan(max(10.0, 30.0 - move)).aim
        clock.spend(thought + 0.02, thought)
        assert referee.deduct(thought + 0.02 + lag), move
    assert thought > 0.4 * settings.period / (settings.count if settings.system == "canadian" else 1)


def test_a_lost_period_shows_lag() -> None:
    clock, aims = Clock(TimeSettings.parse("byoyomi 0 10 5"), lag=0.25), []
    clock.report(10, 5)
    for spent, count in ((9.7, 5), (9.7, 4), (0.1, 4), (9.1, 4), (0.1, 6)):
        aims.append(clock.plan(20).aim)
        clock.spend(spent)
        clock.report(10, count)
    # From the second move on: 9.7 s took 10 s or more.
    assert aims == pytest.approx([9.75, 9.75, *[9.75 - 0.3 - 0.25] * 3])
    assert clock.plan(20).aim == pytest.approx(9.2)


def test_the_referee_catches_who_spends_too_much() -> None:
    for text in SYSTEMS:
        referee = Referee(TimeSettings.parse(text))
        assert not all(referee.deduct(3601) for _ in range(10)), text


def test_every_system_is_tried() -> None:
    assert {text.split()[0] for text in SYSTEMS} == set(FORMS) - {"none"}
