"""The command line: what it prints where, its exit codes, and Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

import foogo
from foogo.benchmark.gpu import GpuMeasurement
from foogo.benchmark.playouts import EXPECTED_SIGNATURES, Measurement, Signature, measure
from foogo.cli import run
from foogo.cli.console import TableStream, folded_table, text_table
from foogo.cli.number_board import board_of_numbers, print_board_of_numbers
from foogo.core.compiling import WATCH
from foogo.playout.totals import Totals
from foogo.study.summary import whole_board_note
from tests.command_line import FOOGO, told
from tests.marks import posix


def assert_fits(text: str) -> None:
    assert [line for line in text.splitlines() if len(line) > 80] == []


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    def isatty(self) -> bool:
        return True


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "--version")
    assert (said.code, said.out, said.err) == (0, f"foogo {foogo.__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["bench", "--help"], ["first-move", "-h"]])
def test_help(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    said = told(capfd, *arguments)
    assert said.code == 0
    assert "Usage: foogo" in said.out


def test_warm_shows_what_is_there(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def two(sizes: list[int], policies: Iterable[str]) -> dict[str, Callable[[], object]]:
        asked.append((list(sizes), list(policies)))
        return {"board": lambda: None, "perft": compile_something}

    def compile_something() -> None:
        WATCH.functions += 1
        WATCH._clock = None, WATCH.seconds + 0.5

    monkeypatch.setattr("foogo.warmup.groups", two)
    monkeypatch.setattr(WATCH, "_clock", (None, 0.0))
    monkeypatch.setattr(WATCH, "functions", 0)
    said = told(capfd, "warm", "--size", "9", "--size", "5")
    assert (said.code, said.err) == (0, "")
    assert re.search(r"^board +there$", said.out, re.MULTILINE)
    assert re.search(r"^perft +compiled in 0.5 s$", said.out, re.MULTILINE)
    assert "From the wheel: " in said.out
    told(capfd, "warm", "--all")
    assert asked == [([9, 5], ["uniform", "patterns"]), ([9, 13, 19], ["uniform", "knowledge", "patterns"])]
    assert told(capfd, "warm", "--size", "25").code == 2


SUBCOMMANDS = [
    (["bench", "--loud"], "; see foogo bench --help"),
    (["first-move", "--size", "nine"], "; see foogo first-move --help"),
    (["study", "run", "--loud"], "; see foogo study run --help"),
    (["study", "sow"], " See foogo study --help"),
    (["perft", "5"], "; see foogo perft --help"),
    (["plai"], " See foogo --help"),
    (["cards", "rank"], "; see foogo cards rank --help"),
    (["bench", "--size"], "; see foogo bench --help"),
    (["study", "show", "--store"], "; see foogo study show --help"),
]


@pytest.mark.parametrize(("arguments", "end"), SUBCOMMANDS, ids=[" ".join(words) for words, _ in SUBCOMMANDS])
def test_a_wrong_word_points_to_the_help_of_its_command(
    capfd: pytest.CaptureFixture[str], arguments: list[str], end: str
) -> None:
    assert told(capfd, *arguments).err.endswith(f"{end}\n")


@pytest.mark.parametrize("arguments", [[], ["study"], ["cards"]])
def test_a_command_alone_prints_its_help(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    said = told(capfd, *arguments)
    assert (said.code, said.err) == (0, "")
    assert f"Usage: {' '.join(['foogo', *arguments])} [OPTIONS] COMMAND" in said.out


WRONG = [
    (["first-move", "--size", "25"], "25"),
    (["first-move", "--size", "nine"], "--size"),
    (["first-move", "--size", "3", "-n", "0"], "playouts is 0"),
    (["first-move", "--size", "3", "-n", "-5"], "playouts is -5"),
    (["first-move", "--size", "3", "-n", "10", "--seed", "-1"], "seed"),
    (["first-move", "--size", "3", "-n", "10", "--threads", "0"], "threads"),
    (["first-move", "--size", "3", "-n", "10", "--backend", "abacus"], "abacus"),
    (["first-move", "--size", "3", "-n", "10", "--policy", "search:9"], "use uniform, knowledge, patterns here"),
    (["first-move", "--size", "3", "--plot", "heat.gif"], ".png, .svg or .pdf"),
    (["first-move", "--size", "3", "--plot", "no/such/folder/heat.png"], "no such file"),
    (["first-move", "--size", "3", "--size", "5", "--plot", ""], ".png, .svg or .pdf"),
    (["bench", "--size", "1"], "1"),
    (["bench", "--size", "3", "--seconds", "0"], "seconds"),
    (["bench", "--size", "3", "--backend", "abacus"], "abacus"),
    (["bench", "--size", "3", "--threads", "0"], "threads"),
    (["bench", "--size", "3", "--threads", "100000"], "threads is 100000: it must be a whole number from 1 to 4096"),
    (["bench", "--size", "3", "--threads", "1", "--threads", "2000", "--search"], "from 1 to 1024"),
    (["perft", "5", "0"], "depth"),
    (["perft", "2", "1001"], "depth 1001 is not possible: give a whole number from 1 to 1000"),
    (["perft", "20", "2"], "20"),
    (["perft", "5", "2", "--superko", "none"], "none"),
    (["perft", "5"], "DEPTH"),
    (["plai"], "plai"),
    (["bench", "--loud"], "--loud"),
]


@pytest.mark.parametrize(("arguments", "word"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_an_error_is_one_line_and_exit_code_2(
    capfd: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    said = told(capfd, *arguments)
    assert said.code == 2
    assert said.out == ""
    assert re.fullmatch(r"foogo: error: [^\n]+\n", said.err)
    assert word.lower() in said.err.lower()


def test_an_error_does_not_repeat_all_of_a_very_long_value(capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capfd, "match", "a", "b", "--rules", "x" * 100_000)
    assert (code, err.count("\n")) == (2, 1)
    assert len(err) < 2_000
    assert err.startswith("foogo: error: unknown rules 'xxx")
    assert err.endswith("choose tromp-taylor, chinese, cgos, new-zealand or aga\n")


def test_first_move_prints_a_row_for_each_size(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["first-move", "--size", "3", "--size", "5", "-n", "2_000", "--seed", "4", "--komi", "6.5"]
    said = told(capfd, *arguments)
    assert said.code == 0
    playouts = foogo.simulate(5, 2000, seed=4)
    row = next(line for line in said.out.splitlines() if line.startswith("5x5"))
    assert "2,000" in row
    assert f"{playouts.mean_score:.2f} ±{1.96 * playouts.se_score:.2f}" in row
    assert f"{100 * playouts.win_share(6.5):.2f} %" in row
    assert "3x3" in said.out
    assert "\x1b" not in said.out + said.err


def test_first_move_fits_a_terminal_and_prints_each_row_as_it_is_played(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, play = [], foogo.first_move

    def played(size: int, n: int, **options: object) -> object:
        seen.append(capfd.readouterr().out)
        return play(size, n)

    monkeypatch.setattr(sys.modules["foogo.study.first_move"], "first_move", played)
    assert run(["first-move", "--size", "9", "--size", "5", "-n", "3000"]) == 0
    rest = capfd.readouterr().out
    assert_fits(seen[1] + rest)
    assert re.search(r"^9x9 +3,000 .*\d$", seen[1], re.MULTILINE)
    header, row = (next(line for line in rest.splitlines()[1:] if line.startswith(word)) for word in ("board", "9x9"))
    assert header.split() == "board komi 0 komi 5.5, 6.5 komi 7 komi 7.5".split()
    assert row.split()[1:4:2] == [f"{100 * foogo.simulate(9, 3000).win_share(komi):.2f}" for komi in (0, 5.5)]
    assert "On odd boards\nnearly all scores are odd" in rest


def test_a_fair_komi_near_the_whole_board_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "first-move", "--size", "3", "--size", "9", "-n", "500")
    scores = foogo.simulate(3, 500).scores
    share = f"{100 * (scores[0] + scores[-1]) / 500:.0f} %"
    assert f"Fair komi near the whole board: 3x3.\nThere one side owns it all in {share} of games" in said.out


def test_a_fair_komi_near_the_whole_board_without_whole_boards_has_no_note() -> None:
    scores = np.zeros(51, np.int64)
    scores[25 + 24] = 4
    assert whole_board_note([("5x5", Totals(0, 0, scores))]) == ""
    scores[25 + 25] = 3
    assert whole_board_note([("5x5", Totals(0, 0, scores))]) == ""
    scores[25 + 25] = 4
    assert "There one side owns it all in 50 % of games" in whole_board_note([("5x5", Totals(0, 0, scores))])


@pytest.mark.parametrize("size", [9, 13, 19])
def test_first_moves_fit_a_terminal(capfd: pytest.CaptureFixture[str], size: int) -> None:
    assert_fits(told(capfd, "first-move", "--size", str(size), "-n", "40", "--by-point").out)


def test_first_move_json_is_one_document(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "first-move", "--size", "3", "-n", "500", "--by-point", "--no-suicide", "--json")
    document = json.loads(said.out)
    (study,) = document["studies"]
    playouts = foogo.simulate(3, 500, suicide=False)
    assert study["suicide"] is False
    assert study["mean_score"]["value"] == pytest.approx(playouts.mean_score)
    assert study["moves_per_playout"] == playouts.moves / 500
    assert [opening["vertex"] for opening in study["openings"]] == ["A1", "B1", "B2"]
    shares = {share["komi"]: share["value"] for share in study["win_share"]}
    assert shares[7.0] == pytest.approx(playouts.win_share(7))


def test_first_move_says_by_which_policy_both_sides_play(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "first-move", "--size", "3", "-n", "200", "--policy", "knowledge")
    assert "both sides playing by the policy knowledge" in said.out
    assert f"{foogo.simulate(3, 200, policy='knowledge').mean_score:.3f}"[:4] in said.out


def test_first_move_by_point_draws_a_board_and_ranks_the_openings(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "first-move", "--size", "5", "-n", "2000", "--by-point", "--seed", "1")
    study = foogo.first_move(5, 2000, seed=1, by_point=True)
    assert board_of_numbers(study.mean_scores()) in said.out
    ranking = [line.split()[0] for line in said.out.splitlines() if re.match(r"[A-E][1-5] ", line)]
    assert ranking[0] == "C3"
    assert sorted(ranking) == ["A1", "B1", "B2", "C1", "C2", "C3"]


def test_first_move_plots_each_size_to_its_own_file(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = str(tmp_path / "heat.svg")
    assert told(capfd, "first-move", "--size", "3", "-n", "50", "--plot", path).code == 0
    assert told(capfd, "first-move", "--size", "3", "--size", "5", "-n", "50", "--plot", path).code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["heat-3x3.svg", "heat-5x5.svg", "heat.svg"]


def test_without_matplotlib_the_extra_is_named(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = told(capfd, "first-move", "--size", "3", "--plot", str(tmp_path / "heat.png"))
    assert said.code == 2
    assert said.out == ""
    assert "pip install 'foogo[plot]'" in said.err


def test_bench_prints_a_row_for_each_size(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--size", "9", "--size", "3", "--threads", "1", "--threads", "2", "--seconds", "0.02"]
    said = told(capfd, "bench", *arguments)
    assert said.code == 0
    rows = [line.split() for line in said.out.splitlines() if re.match(r"[39]x[39] ", line)]
    assert [row[:2] for row in rows] == [["9x9", "1"], ["9x9", "2"], ["3x3", "1"], ["3x3", "2"]]
    signature = EXPECTED_SIGNATURES["uniform", 9, True]
    assert rows[0][-2:] == [signature, "ok"]
    assert rows[2][-2:] == ["no", "record"]
    assert said.out.count(signature) == 1
    assert "\nno record: foogo knows no hash of these games" in said.out
    assert_fits(said.out)


def test_bench_finds_the_signature_of_a_policy_by_its_alias(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "bench", "--size", "9", "--threads", "1", "--seconds", "0.02", "--policy", "random")
    assert said.code == 0
    assert f"9x9 uniform {EXPECTED_SIGNATURES['uniform', 9, True]} ok" in " ".join(said.out.split())


def test_bench_prints_each_row_as_it_is_measured(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def measured(size: int, **rules: object) -> Measurement:
        seen.append(capfd.readouterr().out)
        return measure(size, seconds=0.02)

    monkeypatch.setattr("foogo.benchmark.playouts.measure", measured)
    assert run(["bench", "--size", "3", "--size", "5", "--threads", "1"]) == 0
    assert "playouts/s" in seen[0]
    assert seen[1].startswith("3x3 ")


def test_bench_compares_the_policies(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "bench", "--size", "9", "--threads", "1", "--seconds", "0.05", "--policies")
    assert said.code == 0
    rows = [line.split() for line in said.out.splitlines() if line.startswith("9x9  ")]
    assert [row[1] for row in rows] == ["uniform", "knowledge", "patterns"]
    assert [row[-1] == "-" for row in rows] == [False, True, True]
    assert rows[0][-2] == "1.00x"
    assert all(float(row[-2].rstrip("x")) > 0 for row in rows)
    for policy in ("uniform", "knowledge", "patterns"):
        assert re.search(rf"Signatures: .*9x9 {policy} [0-9a-f]{{16}} ok[;.]", said.out), policy
    assert_fits(said.out.partition("Signatures")[0])


def test_bench_leaves_out_what_a_backend_does_not_play(capfd: pytest.CaptureFixture[str]) -> None:
    few = ["--size", "3", "--threads", "1", "--seconds", "0.02", "--backend", "strings"]
    said = told(capfd, "bench", *few, "--policies")
    assert said.code == 0
    assert "3x3 patterns is left out: backend 'strings' plays only the policy uniform" in said.err
    assert [line.split()[1] for line in said.out.splitlines() if line.startswith("3x3  ")] == ["uniform"]
    asked = told(capfd, "bench", *few, "--policy", "patterns")
    assert (asked.code, asked.out) == (2, "")
    assert "backend 'strings' plays only the policy uniform" in asked.err
    both = told(capfd, "bench", *few, "--policies", "--policy", "patterns")
    assert both.code == 2
    assert "foogo: error: backend 'strings' plays only the policy uniform" in both.err


def test_bench_json_is_one_document(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--size", "3", "--size", "5", "--threads", "1", "--threads", "2", "--seconds", "0.02"]
    said = told(capfd, "bench", *arguments, "--policy", "knowledge", "--no-suicide", "--json")
    document = json.loads(said.out)
    rows = document["measurements"]
    assert [(row["size"], row["threads"]) for row in rows] == [(3, 1), (3, 2), (5, 1), (5, 2)]
    assert {row["policy"] for row in rows} == {"knowledge"}
    assert all(row["over_uniform"] > 0 and row["over_scalar_board"] is None for row in rows)
    assert all(row["playouts_per_second"] > 0 and row["suicide"] is False for row in rows)
    assert [one["size"] for one in document["signatures"]] == [3, 5]
    assert document["machine"]["foogo"] == foogo.__version__


def test_bench_of_gpus_has_the_same_signatures_in_json(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = GpuMeasurement(3, True, "uniform", (), (2.0,), (1.0,), None, foogo.simulate(3, 10))
    found = Signature(3, True, "0123456789abcdef", None)
    monkeypatch.setattr("foogo.playout.gpu.gpus", lambda: ())
    monkeypatch.setattr("foogo.benchmark.playouts.signature", lambda size, **rules: found)
    monkeypatch.setattr("foogo.benchmark.gpu.measure_gpus", lambda size, **options: measured)
    said = told(capfd, "bench", "--backend", "cuda", "--size", "3", "--json")
    assert json.loads(said.out)["signatures"] == [found.as_dict()]


def test_bench_fails_on_a_wrong_signature(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.benchmark.playouts.EXPECTED_SIGNATURES", {("uniform", 3, True): "0123456789abcdef"})
    said = told(capfd, "bench", "--size", "3", "--threads", "1", "--seconds", "0.02")
    assert said.code == 1
    assert "WRONG" in said.out
    assert "not 0123456789abcdef" in said.err


def test_perft_prints_the_known_counts(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "perft", "5", "3")
    assert [line.split()[:2] for line in said.out.splitlines()[2:]] == [
        ["1", "25"],
        ["2", "600"],
        ["3", "13,800"],
    ]


def test_perft_json(capfd: pytest.CaptureFixture[str]) -> None:
    said = told(capfd, "perft", "3", "4", "--passes", "--json")
    document = json.loads(said.out)
    assert document["counts"] == [10, 91, 738, 5281]
    assert len(document["seconds"]) == 4


@pytest.mark.parametrize("command", ["bench", "first-move"])
def test_ctrl_c_before_anything_is_done_is_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stop(size: int) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("foogo.game.geometry.check_size", stop)
    said = told(capfd, command, "--size", "3")
    assert (said.code, said.out, said.err) == (130, "", "foogo: interrupted\n")


def test_ctrl_c_in_perft_keeps_what_is_counted(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(size: int, depth: int, **rules: object) -> int:
        if depth == 3:
            raise KeyboardInterrupt
        return depth

    monkeypatch.setattr(sys.modules["foogo.game.perft"], "perft", stop)
    said = told(capfd, "perft", "5", "9", "--json")
    assert said.code == 130
    assert json.loads(said.out)["counts"] == [1, 2]
    assert said.err == "foogo: interrupted: depths to 2 of 9 are counted\n"


@posix
@pytest.mark.parametrize("arguments", [["perft", "2", "2"], ["cards", "deal", "2000", "--format", "line"], ["--help"]])
def test_output_may_be_cut_off_by_its_reader(arguments: list[str]) -> None:
    command = " ".join(f"'{word}'" for word in [*FOOGO, *arguments])
    result = subprocess.run(
        ["bash", "-c", f"{command} | true; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr
    assert result.returncode in (0, 141)


@posix
@pytest.mark.parametrize(
    ("closed", "code", "error"),
    [
        (">&-", 2, "foogo: error: stdout is closed, and results need it: send it to a file or to the null device\n"),
        (">&- 2>&-", 2, ""),
        ("2>&-", 130, ""),
        ("<&- 2>&-", 130, ""),
        ("<&-", 130, "foogo: interrupted: depths to 0 of 2 are counted\n"),
    ],
)
def test_a_closed_stream_ends_in_no_traceback(closed: str, code: int, error: str) -> None:
    raiser = "import foogo.game.perft as p; p.perft = lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt)"
    command = " ".join(f'"{word}"' for word in [FOOGO[0], "-c", f"{raiser}; {FOOGO[2]}", "perft", "2", "2"])
    result = subprocess.run(["bash", "-c", f"{command} {closed}"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (code, error)
    assert "interrupted" not in result.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["perft", "2", "2"], ["cards", "deal", "2000", "--format", "line"]])
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run([*FOOGO, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    (line,) = [line for line in result.stderr.splitlines() if "compiling" not in line]
    assert line == "foogo: error: cannot write the output: no space left on device"


def test_ctrl_c_tells_how_far_it_came() -> None:
    foogo.simulate(5, 10)  # compiled and on disk: Numba may swallow a Ctrl-C while it compiles
    command = OnTerminal("first-move", "--size", "5", "-n", "1_000_000_000", "--threads", "1", "--json")
    command.wait_for(b"/s")  # the rate is drawn once playouts are done
    command.interrupt()
    sent = time.monotonic()
    code, out, drawn = command.end()
    assert code == 130
    assert time.monotonic() - sent < 15
    assert "Traceback" not in drawn
    found = re.search(r"foogo: interrupted: ([\d,]+) of 1,000,000,000 playouts", drawn)
    assert found is not None
    assert json.loads(out)["studies"][0]["playouts"] == int(found[1].replace(",", "")) > 0


def test_the_board_of_first_moves_has_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.array([[1.0, -2.5], [np.nan, 10.0]])
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    print_board_of_numbers(values)
    painted = terminal.getvalue()
    assert "48;2;240;140;40m 10.0" in painted.replace("38;2;0;0;0;", "")
    assert "orange: above the mean of the points, 2.8; purple: below" in painted
    for name, value in (("TERM", "linux"), ("NO_COLOR", "1")):  # linux has 16 colours
        monkeypatch.setenv(name, value)
        monkeypatch.delenv("COLORTERM", raising=False)
        monkeypatch.setattr(sys, "stdout", terminal := Terminal())
        print_board_of_numbers(values)
        assert terminal.getvalue() == f"{board_of_numbers(values)}\n"


def test_a_long_policy_name_fits_a_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    lines = ["import foogo", "@foogo.playout_policy", "def captures_first(see, pick):", "    return see.candidates"]
    file.write_text("\n".join(lines))
    monkeypatch.setattr("foogo.cli.console.width_of_output", lambda: 80)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    out = told(capfd, "first-move", "--size", "2", "-n", "10", "--policy", f"{file}:captures_first").out
    assert "captures_first@" in out
    assert_fits(out)


def test_a_large_board_of_numbers_has_whole_numbers() -> None:
    values = np.full((19, 19), -12.3)
    values[0, 0] = -0.4
    assert_fits(board_of_numbers(values))
    assert board_of_numbers(values).splitlines()[-2].split()[:3] == ["1", "0", "-12"]


def test_a_progress_bar_is_drawn_on_a_terminal() -> None:
    code, out, drawn = OnTerminal("first-move", "--size", "5", "-n", "20000", "--by-point", "--json").end()
    assert code == 0
    assert "5x5" in drawn
    assert "of 140,000 playouts" in drawn
    assert json.loads(out)["studies"][0]["playouts"] == 20000


class OnTerminal:
    """A running foogo whose stderr is a terminal."""

    def __init__(self, *arguments: str) -> None:
        pty = pytest.importorskip("pty")  # POSIX only
        self._leader, follower = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
        self._process = subprocess.Popen(
            [*FOOGO, *arguments], stdout=subprocess.PIPE, stderr=follower, text=True, env=environment
        )
        os.close(follower)
        self._drawn = bytearray()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_for(self, text: bytes) -> None:
        """Wait until `text` was drawn."""
        deadline = time.monotonic() + 60
        while text not in self._drawn and time.monotonic() < deadline:
            time.sleep(0.02)

    def interrupt(self) -> None:
        """What the terminal does on Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Wait for the end: exit code, stdout, and all that was drawn."""
        try:
            out, _ = self._process.communicate(timeout=60)
        finally:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            os.close(self._leader)
        return self._process.returncode, out, self._drawn.decode()

    def _read(self) -> None:
        while True:
            try:
                chunk = os.read(self._leader, 65536)
            except OSError:  # the other end is closed
                return
            if not chunk:
                return
            self._drawn += chunk


def test_a_board_of_numbers_has_row_1_at_the_bottom() -> None:
    values = np.arange(9.0).reshape(3, 3)
    values[0, 0] = np.nan
    assert board_of_numbers(values) == "\n".join(
        [
            "      A   B   C",
            " 3  6.0 7.0 8.0  3",
            " 2  3.0 4.0 5.0  2",
            " 1    . 1.0 2.0  1",
            "      A   B   C",
        ]
    )


@pytest.mark.parametrize("columns", [[3, 40, 40], [3, 20, 60], [3, 90, 5], [3, 30, 20, 30, 50]])
def test_a_table_that_does_not_fit_is_folded(columns: list[int]) -> None:
    header, row = ["n", *("h" * width for width in columns[1:])], [str(i) for i in range(len(columns))]
    parts = folded_table(header, [row, row]).split("\n\n")
    assert len(parts) > 1
    assert [word for part in parts for word in part.splitlines()[2].split()[1:]] == row[1:]
    assert all(part.splitlines()[2].startswith("0") for part in parts)
    assert all(len(line) <= 80 or "h" * 81 in line or "-" * 81 in line or columns[1] > 80 for line in parts[0].split())


def test_rows_follow_one_another_under_a_title(capsys: pytest.CaptureFixture[str]) -> None:
    table = TableStream("a title", ["a", "bb"], ["long", ""])
    assert capsys.readouterr().out == ""
    table.add(["x", "1"])
    table.add(["longer", "12345"])
    assert capsys.readouterr().out.splitlines() == ["a title", "", "a     bb", "----  --", "x      1", "longer  12345"]


def test_a_long_label_is_cut_in_a_table_of_rows(capsys: pytest.CaptureFixture[str]) -> None:
    label = f"{'x' * 70}@c9d2ff50b71a"
    table = TableStream("title", ["board", "policy", "playouts/s"], ["9x9", label, "99,999,999"])
    table.add(["9x9", label, "123,456,789"])  # numbers are never cut
    table.add(["9x9", "uniform", "1"])
    *_, rule, row, short = capsys.readouterr().out.splitlines()
    assert len(rule) == 80
    assert row.split() == ["9x9", f"{'x' * 58}...", "123,456,789"]
    assert short.split() == ["9x9", "uniform", "1"]


def test_a_table_has_aligned_columns() -> None:
    assert text_table(["a", "bb"], [["long", "1"], ["x", "123"]]).splitlines() == [
        "a      bb",
        "----  ---",
        "long    1",
        "x     123",
    ]
