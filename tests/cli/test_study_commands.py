"""`foogo study` and `foogo first-move --store` from the command line."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foogo.playout.simulate import simulate
from foogo.study.config import ANY, Config
from foogo.study.store.store import Store
from tests import command_line
from tests.command_line import FOOGO, Said
from tests.marks import posix


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(capfd: pytest.CaptureFixture[str], line: str) -> Said:
    return command_line.told(capfd, *shlex.split(line))


def test_a_study_from_run_to_report(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    code, out, _ = told(capfd, "study run --size 3 --by-point -n 500 --seed 3 --komi 6.5")
    assert code == 0
    assert "run 1: 3x3, uniform players, suicide allowed, seed 3" in out
    assert [line.split()[0] for line in out.splitlines()[-5:]] == ["any", "A1", "B1", "B2", "By"]
    told(capfd, "study run --store other.sqlite --size 3 --seed 3 --first 500 -n 500 --openings classes")
    assert told(capfd, "study merge other.sqlite")[1].startswith("other.sqlite: 2,000 games added, 0 were here")
    code, out, _ = told(capfd, "study show --json --komi 0")
    (shown,) = json.loads(out)["runs"]
    assert shown["asked"] == [[0, 1000]]
    assert shown["starts"][0]["mean_score"]["value"] == pytest.approx(simulate(3, 1000, seed=3).mean_score)
    code, out, _ = told(capfd, "study list")
    assert re.search(r"classes +4,000 +0$", out.strip())
    assert told(capfd, "study export all.csv")[0] == 0
    assert told(capfd, "study report page")[0] == 0
    assert Path("page/index.html").stat().st_size > 100_000


REFUSED = [
    ("--policy search:5 --backend cuda", "--backend cuda plays no games of search:5: leave it out for them"),
    ("--policy mine.py:mine --cluster local", "--cluster plays no games of mine@"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_what_the_workers_cannot_play_leaves_no_store(
    capfd: pytest.CaptureFixture[str], options: str, message: str
) -> None:
    Path("mine.py").write_text("import foogo\n@foogo.playout_policy\ndef mine(see, pick):\n    return see.candidates\n")
    code, _, said = told(capfd, f"study run --size 3 -n 5 {options}")
    assert (code, message in said) == (2, True)
    assert not Path("study.sqlite").exists()


def test_a_store_is_not_replaced_by_its_export(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, "study run --size 3 -n 5 --store a.json")[0] == 0
    code, _, said = told(capfd, "study export a.json --store a.json")
    assert (code, "is the store itself" in said) == (2, True)
    assert told(capfd, "study report page --store a.json --run 7")[0] == 2
    assert not Path("page").exists()
    assert told(capfd, "study show --store a.json")[0] == 0


def test_a_study_of_strength(capfd: pytest.CaptureFixture[str]) -> None:
    line = "study run --size 3 --policy random --policy knowledge --policy search:100 --fair-komi -n 20"
    code, out, _ = told(capfd, line)
    assert code == 0
    assert "run 3: 3x3, both sides search:100, komi 7, suicide allowed, seed 0" in out
    table = out.partition("\nstrength of play")[2].splitlines()
    assert max(map(len, table)) <= 80
    rows = [text.split() for text in table[3:6]]
    assert [row[1] for row in rows] == ["uniform", "knowledge", "search:100"]
    assert [text.split()[:2] for text in table[9:12]] == [row[:2] for row in rows]  # the mean scores and win shares
    assert float(rows[2][rows[2].index("7") + 3]) == pytest.approx(9, abs=0.6)  # after the komis 7 8.5 9.5
    assert told(capfd, line)[1] == out
    (_, _, search) = json.loads(told(capfd, "study show --json")[1])["strengths"]
    assert search["komis"] == {"7": 20, "8.5": 20, "9.5": 20}
    code, out, _ = told(capfd, "study run --size 3 --policy search:10 --play-komi 3.5 --play-komi 4.5 -n 5 --json")
    assert [run["config"]["komi"] for run in json.loads(out)["runs"]] == [3.5, 4.5]


def test_several_boards_are_set_side_by_side(capfd: pytest.CaptureFixture[str]) -> None:
    out = told(capfd, "study run --size 3 --size 5 -n 300 --seed 2 --komi 0")[1]
    title, _, _, *rows = out.splitlines()[-5:]
    assert title == "random play by board size, suicide allowed"
    share = simulate(5, 300, seed=2).win_share(komi=0)
    assert [row.split()[:2] for row in rows] == [["3x3", "300"], ["5x5", "300"]]
    assert rows[1].endswith(f"{100 * share:.2f} %")


def test_what_is_printed_fits_a_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told(capfd, "study run --size 5 --by-point -n 300")
    told(capfd, "study run --size 5 --policy search:20 --play-komi 24.5 -n 2 --no-suicide")
    Path("start.txt").write_text("...\n.X.\n...\n")
    told(capfd, "study run --position start.txt --to-play white -n 2")
    monkeypatch.setattr("foogo.cli.console.width_of_output", lambda: 80)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    for line in ("study show", "study list"):
        out = told(capfd, line)[1]
        assert [row for row in out.splitlines() if len(row) > 80] == []
    assert re.search(r"^2 +5x5, no suicide +search:20 +24.5 +0 +none +2 +0$", out, re.MULTILINE)


def test_the_openings_are_compared(capfd: pytest.CaptureFixture[str]) -> None:
    out = told(capfd, "study run --size 3 --openings all -n 3000 --seed 3")[1]
    assert out.splitlines()[-1].startswith(
        "By mean score, B2 is best, and clearly better than 2 of the 2 other classes. By win"
    )
    (shown,) = json.loads(told(capfd, "study show --json")[1])["runs"]
    assert [one["better"] for one in shown["differences"]] == ["B2", "B2"]
    assert shown["symmetry"]["p"] > 0.001


def test_the_command_shown_plays_the_run_again(capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, "study run --size 3 --by-point -n 300 --no-suicide --seed 3")
    told(capfd, "study run --size 3 -n 300 --first 1000 --no-suicide --seed 3")
    (shown,) = json.loads(told(capfd, "study show --json")[1])["runs"]
    for line in shown["command"].splitlines():
        assert told(capfd, line.removeprefix("foogo ").replace("study.sqlite", "again.sqlite"))[0] == 0
    (again,) = json.loads(told(capfd, "study show --json --store again.sqlite")[1])["runs"]
    assert again["starts"] == shown["starts"]
    assert again["asked"] == [[0, 300], [1000, 1300]]


@pytest.mark.skipif(shutil.which("sh") is None, reason="the command is for a POSIX shell")
@pytest.mark.parametrize(
    ("diagram", "options"), [(".XO.\nXO.O\n.XO.\n....", "--ko C3"), ("...\n.X.\n...", "--to-play white")]
)
def test_the_command_shown_plays_a_run_from_a_position_again(
    capfd: pytest.CaptureFixture[str], diagram: str, options: str
) -> None:
    Path("start.txt").write_text(diagram)
    told(capfd, f"study run --position start.txt {options} --by-point -n 30 --store 'a study.sqlite'")
    (shown,) = json.loads(told(capfd, "study show --json --store 'a study.sqlite'")[1])["runs"]
    told(capfd, "study export --store 'a study.sqlite' all.json")
    assert json.loads(Path("all.json").read_text())["runs"] == [shown]
    Path("a study.sqlite").unlink()
    script = f'foogo() {{ {shlex.join(FOOGO)} "$@"; }}\n{shown["command"]}'
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(["sh", "-ec", script], env=environment, check=True, capture_output=True)
    (again,) = json.loads(told(capfd, "study show --json --store 'a study.sqlite'")[1])["runs"]
    assert again | {"created": ""} == shown | {"created": ""}


def test_first_move_keeps_its_totals_in_a_store(capfd: pytest.CaptureFixture[str]) -> None:
    plain = told(capfd, "first-move --size 3 --size 5 -n 400 --seed 2 --json")[1]
    assert told(capfd, "first-move --size 3 --size 5 -n 400 --seed 2 --json --store a.sqlite")[1] == plain
    with Store("a.sqlite") as store:
        assert [store.totals(run, ANY)[0].n for run in store.runs()] == [400, 400]


def test_a_run_without_games_has_no_estimates(capfd: pytest.CaptureFixture[str]) -> None:
    with Store(Path("study.sqlite"), create=True) as store:
        store.ask(Config(3), n=100)
    out = told(capfd, "study show")[1]
    assert "100 requested games are missing" in out
    assert "komi:" not in out


def test_a_study_of_a_position(capfd: pytest.CaptureFixture[str]) -> None:
    Path("start.txt").write_text(". . .\n. X .\n. . .\n", encoding="utf-8-sig")
    code, out, _ = told(capfd, "study run --position start.txt --to-play white -n 200 --json")
    (shown,) = json.loads(out)["runs"]
    assert (shown["config"]["stones"], shown["config"]["to_play"]) == (".../.X./...", "white")


def test_the_best_opening_is_the_best_of_the_player_who_moves(capfd: pytest.CaptureFixture[str]) -> None:
    Path("start.txt").write_text(". . .\n. X .\n. . O\n")
    line = "study run --position start.txt --by-point -n 200 --komi 4.5 --to-play"
    best = {}
    for color, choose in (("white", min), ("black", max)):
        (shown,) = json.loads(told(capfd, f"{line} {color} --store {color} --json")[1])["runs"]
        _, *openings = shown["starts"]
        means = {one["first_move"]: one["mean_score"]["value"] for one in openings}
        shares = {one["first_move"]: one["win_share"][0]["value"] for one in openings}
        best[color] = choose(means, key=means.__getitem__), choose(shares, key=shares.__getitem__)
        assert {one["better"] for one in shown["differences"]} == {best[color][0]}
        assert all(one["points"] >= 0 for one in shown["differences"])
        out = told(capfd, f"study show --komi 4.5 --store {color}")[1]
        assert f"By mean score, {best[color][0]} is best" in out
        assert f"By win share at komi 4.5, {best[color][1]} is best" in out
    assert best["white"] != best["black"]


@posix
def test_a_killed_command_is_resumed(capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, "study run --size 9 -n 1000")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    line = "study run --size 9 -n 3000000 --threads 1"
    process = subprocess.Popen([*FOOGO, *shlex.split(line)], env=environment, stderr=subprocess.DEVNULL)
    with Store("study.sqlite") as store:
        run_here, deadline = store.runs()[0], time.monotonic() + 60
        while store.totals(run_here, ANY)[0].n < 20_000 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert 20_000 <= store.totals(run_here, ANY)[0].n < 3_000_000
        store.connection.execute('UPDATE asked SET "end" = 400000')
    assert told(capfd, "study resume")[0] == 0
    with Store("study.sqlite") as store:
        totals, ranges = store.totals(store.runs()[0], ANY)
    assert totals.scores.tolist() == simulate(9, ranges[0][1]).scores.tolist() or len(ranges) > 1


def test_resume_names_the_run_whose_policy_it_does_not_load(capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, "study run --size 3 -n 200")
    with Store("study.sqlite") as store:
        config = store.runs()[0].config.as_json().replace('"random"', '"mine@0123456789ab"')
        store.connection.execute("UPDATE run SET config = ?", (config,))
        store.connection.execute('UPDATE asked SET "end" = 300')
    code, _, err = told(capfd, "study resume")
    assert code == 2
    assert err.startswith("foogo: error: run 1: policy mine@0123456789ab is not defined in this process")
    assert "--run" not in err


@pytest.mark.parametrize("line", ["--size 3", "--size 3 --policy search:5 --fair-komi"])
def test_ctrl_c_names_the_command_that_continues(
    line: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foogo.cli.study_work.run_study", stopped)
    monkeypatch.setattr("foogo.study.run.komi_search.run_study", stopped)
    code, _, err = told(capfd, f"study run --store 'a b.sqlite' {line} -n 5")
    assert code == 130
    # `study resume` would not go on to the next komi, nor load a policy file
    assert err == "foogo: interrupted; finished games are kept: the same command continues\n"


def test_resume_leaves_finished_runs_of_another_signature_alone(capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, "study run --size 3 -n 200 --seed 1")
    told(capfd, "study run --size 3 -n 200 --seed 2")
    with Store("study.sqlite") as store:
        store.connection.execute("UPDATE run SET signature = 'other' WHERE id = 1")
        store.connection.execute('UPDATE asked SET "end" = 500 WHERE run = 2')
    code, out, _ = told(capfd, "study resume --json")
    assert code == 0
    assert [one["played"] for one in json.loads(out)["runs"]] == [{"any": [[0, 200]]}, {"any": [[0, 500]]}]
    with Store("study.sqlite") as store:
        store.connection.execute('UPDATE asked SET "end" = 300 WHERE run = 1')
        store.connection.execute('UPDATE asked SET "end" = 900 WHERE run = 2')
    code, _, err = told(capfd, "study resume")
    assert code == 2
    assert re.search("error: run 1 .* with signature other.*; --run N resumes another run", err)
    with Store("study.sqlite") as store:
        assert [store.totals(run, ANY)[0].n for run in store.runs()] == [200, 500]


WRONG = [
    ("study show", "there is no study store"),
    ("study resume", "starts one"),
    ("study show --store text.txt", "not a study store"),
    ("study run --size 25", "25"),
    ("study run -n 0", "playouts is 0"),
    ("study run -n 10 --first -1", "first"),
    ("study run -n 10 --until-se 0", "cannot be reached"),
    ("study run -n 10 --until-se nan", "cannot be reached"),
    ("study run --first 10 --until-se 1", "--first is for --playouts"),
    ("study run -n 10 --komi nan", "komi nan"),
    ("first-move --size 3 -n 10 --komi nan", "komi nan"),
    ("first-move --size 3 -n 10 --store text.txt", "not a study store"),
    ("first-move --size 3 -n 10 --store study.sqlite --backend simd", "use 'auto' or 'cuda' for a study"),
    ("first-move --size 3 -n 10 --store study.sqlite --threads 0", "threads"),
    ("first-move --size 3 -n 10 --store study.sqlite --seed -1", "seed"),
    ("first-move --size 3 -n 0 --store study.sqlite", "playouts is 0"),
    ("first-move --size 3 -n 10 --store study.sqlite --policy search:9", "plays by search"),
    ("study run -n 10 --policy strong", "search:N"),
    ("study run -n 10 --policy search:10 --play-komi inf", "komi inf"),
    ("study run -n 10 --policy search:10 --fair-komi --first 3", "--first cannot both"),
    ("study run -n 10 --policy search:10 --fair-komi --until-se 3", "--until-se cannot both"),
    ("study run -n 10 --policy search:10 --fair-komi --by-point", "cannot both"),
    ("study run -n 10 --policy search:10 --fair-komi --play-komi 5 --play-komi 6", "begins at one"),
    ("study run -n 10 --openings best", "none, classes, all"),
    ("study run -n 10 --backend simd", "use 'auto' or 'cuda' for a study"),
    ("study run -n 10 --position none.txt", "cannot read"),
    ("study run -n 10 --size 9 --position text.txt", "cannot both"),
    ("study run -n 10 --size 3 --fair-komi", "--fair-komi is for --policy search:N"),
    ("study run -n 10 --size 3 --play-komi 5", "--play-komi is for --policy search:N"),
    ("study run -n 10 --size 3 --to-play white", "--to-play is for a start position"),
    ("study run -n 10 --size 3 --ko A1", "give its diagram with --position"),
    ("study run -n 10 --threads 0", "threads"),
    ("study run -n 10 --workers 2", "--cluster local"),
    ("study run -n 10 --cluster nowhere", "not a scheduler address"),
    ("study run -n 10 --store no/folder/a.sqlite", "no folder"),
    ("study merge none.sqlite", "there is no study store"),
    ("study export a.xls", ".csv, .json or .parquet"),
    ("study report text.txt/page --store good.sqlite", "cannot write a report"),
    ("study show --run 7 --store good.sqlite", "run 7 is not in"),
]


@pytest.mark.parametrize(("line", "words"), WRONG, ids=[line for line, _ in WRONG])
def test_an_error_is_one_line_before_any_work(capfd: pytest.CaptureFixture[str], line: str, words: str) -> None:
    Path("text.txt").write_text("nothing that anybody could take for a database, at any length " * 9)
    if "good" in line:
        told(capfd, "study run --size 3 -n 10 --store good.sqlite")
    code, out, err = told(capfd, line)
    assert code == 2
    assert out == ""
    assert re.fullmatch(r"foogo: error: [^\n]+\n", err)
    assert words.lower() in err.lower()
    assert not Path("study.sqlite").exists()
