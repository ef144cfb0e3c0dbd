"""The real `foogo gtp`: its start, its end, its output, and the transcripts of docs/reference/gtp.md."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import foogo
from tests.gtp_talk import FOOGO_GTP, Process
from tests.marks import posix

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "gtp.md"

FAST = ["--simulations", "200", "--seed", "1"]

LIGHT = {
    "foogo", "typer", "click", "shellingham", "annotated_doc",
    "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection",
}  # fmt: skip
"""Packages that the first answers may need: the command line and what it imports."""


# --- the start ---------------------------------------------------------------------------------------------


def test_the_first_answers_need_the_command_line_alone() -> None:
    code = (
        "import sys\n"
        "def packages(): return {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names\n"
        f"allowed = packages() | {LIGHT}\n"
        "from foogo.cli import run\n"
        "import foogo.gtp.channel as c\n"
        "write = c.Output.write\n"
        "def watched(self, data):\n"
        "    others = sorted(name for name in packages() - allowed if not name.startswith('_'))\n"
        "    write(self, f'{data.decode().strip()} {others}\\n'.encode())\n"
        "c.Output.write = watched\n"
        "run(['gtp'])\n"
    )
    commands = "name\nversion\nprotocol_version\nlist_commands\nknown_command play\nhelp\nquit\n"
    result = subprocess.run([FOOGO_GTP[0], "-c", code], input=commands, capture_output=True, text=True, check=True)
    assert result.stdout.count("[]") == 7
    assert "['" not in result.stdout


# --- the end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("commands", [b"name\nquit\n", b"name\n", b"name", b"quit\nname\n"])
def test_it_ends_quietly(commands: bytes) -> None:
    with Process(*FAST) as foogo_gtp:
        foogo_gtp.send(commands)
        code, out, errors = foogo_gtp.end()
    assert code == 0
    assert out in ("= foogo\n\n= \n\n", "= foogo\n\n", "= \n\n")
    assert errors == ""


def test_it_ends_without_collecting_garbage() -> None:
    """Collecting what Numba made takes most of a second, for which a match program would wait after each game."""
    code = (
        "import atexit, gc, sys\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 1000, file=sys.stderr))\n"  # after the others
        "from foogo.cli import run\n"
        "run(['gtp'])\n"
    )
    commands = "name\nquit\n"
    result = subprocess.run([FOOGO_GTP[0], "-c", code], input=commands, capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("= foogo\n\n= \n\n", "True\n")


def test_it_ends_during_a_search() -> None:
    with Process("--seed", "1") as foogo_gtp:
        foogo_gtp.ask("genmove b")
        foogo_gtp.send(b"lz-analyze 10\n")
        foogo_gtp.read_until(b"info")
        code, _, errors = foogo_gtp.end()
    assert code == 0
    assert [line for line in errors.splitlines() if "compiling" not in line] == []


@posix
def test_it_ends_when_nobody_reads() -> None:
    command = " ".join(f"'{word}'" for word in FOOGO_GTP)
    script = f"(for i in $(seq 2000); do echo list_commands; done) | {command} | head -1; exit ${{PIPESTATUS[1]}}"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 141
    assert result.stdout == "= protocol_version\n"
    assert "Traceback" not in result.stderr


@posix
@pytest.mark.parametrize(("closed", "code", "out"), [("<&-", 0, ""), (">&-", 2, ""), ("2>&-", 0, "= foogo\n\n= \n\n")])
def test_it_copes_without_one_of_its_ends(closed: str, code: int, out: str) -> None:
    command = " ".join(f"'{word}'" for word in FOOGO_GTP)
    script = f"printf 'name\\nquit\\n' | {command} {closed}; exit $?"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (code, out)
    assert "Traceback" not in result.stderr


@posix
def test_ctrl_c_ends_it() -> None:
    with Process(*FAST) as foogo_gtp:
        foogo_gtp.ask("genmove b")
        foogo_gtp.process.send_signal(signal.SIGINT)
        code, out, errors = foogo_gtp.end()
    assert (code, out) == (130, "")
    assert errors.splitlines()[-1] == "foogo: interrupted"  # after messages about compiling, if any


@posix
def test_ctrl_c_during_a_move_ends_it() -> None:
    """A search answers Ctrl-C with its best move so far; the program ends after it."""
    with Process("--seconds", "60") as foogo_gtp:
        foogo_gtp.send(b"lz-genmove_analyze b 10\nname\n")
        foogo_gtp.read_until(b"info")
        foogo_gtp.process.send_signal(signal.SIGINT)
        code, out, errors = foogo_gtp.end()
    assert code == 130
    assert re.search(r"\nplay [A-J]\d\n\n$", out)
    assert errors.splitlines()[-1] == "foogo: interrupted"


# --- its output --------------------------------------------------------------------------------------------


def test_stray_output_goes_to_stderr() -> None:
    code = (
        "import os, sys\n"
        "import foogo.gtp.commands.administrative as a\n"
        "def name(session, call):\n"
        "    print('a stray print'); os.write(1, b'a stray write\\n'); os.system('echo a stray child')\n"
        "    sys.stdout.flush()\n"
        "    return 'foogo'\n"
        "a.name = name\n"
        "from foogo.cli import main\n"
        "sys.argv = ['foogo', 'gtp']\n"
        "main()\n"
    )
    result = subprocess.run(
        [FOOGO_GTP[0], "-c", code], input="name\nquit\n", capture_output=True, text=True, check=True
    )
    assert result.stdout == "= foogo\n\n= \n\n"
    for stray in ("a stray print", "a stray write", "a stray child"):
        assert stray in result.stderr


WRONG = [
    (["--size", "20"], "board size 20"),
    (["--size", "nine"], "--size"),
    (["--komi", "nan"], "komi"),
    (["--rules", "blitz"], "unknown rules 'blitz'"),
    (["--simulations", "0"], "simulations"),
    (["--seconds", "0"], "seconds"),
    (["--threads", "0"], "threads"),
    (["--seed", "-1"], "seed"),
    (["--policy", "wild"], "wild"),
    (["--resign", "0.9"], "resign"),
    (["--lag", "-1"], "lag"),
    (["--param", "speed=1"], "parameter 'speed' is unknown"),
    (["--param", "playouts"], "playouts"),
    (["--loud"], "--loud"),
    (["extra"], "extra"),
]


@pytest.mark.parametrize(("options", "word"), WRONG, ids=[" ".join(options) for options, _ in WRONG])
def test_a_wrong_option_is_one_line_and_exit_code_2(options: list[str], word: str) -> None:
    result = subprocess.run([*FOOGO_GTP, *options], input="name\n", capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"foogo: error: [^\n]+\n", result.stderr)
    assert word in result.stderr


def test_options_are_taken() -> None:
    with Process(
        "--size", "7", "--komi", "3.5", "--rules", "aga", "--param", "playouts=8", "--param", "seconds=2", *FAST
    ) as foogo_gtp:
        assert foogo_gtp.ask("showboard").endswith("0 moves, komi 3.5, black to play")
        assert foogo_gtp.ask("foogo-param playouts") == "= 8"
        assert foogo_gtp.ask("foogo-param seconds") == "= 2"
        assert '"whiteHandicapBonus":"N-1"' in foogo_gtp.ask("kata-get-rules")


def test_each_process_has_a_seed_of_its_own() -> None:
    def seed() -> str:
        with Process() as foogo_gtp:
            return foogo_gtp.ask("get_random_seed")

    assert seed() != seed()


# --- working while lines arrive ----------------------------------------------------------------------------


def test_a_running_genmove_is_interrupted() -> None:
    with Process("--seconds", "100", "--seed", "1") as foogo_gtp:
        foogo_gtp.send(b"foogo-param simulations 100\ngenmove b\nfoogo-param simulations none\nundo\n")
        for _ in range(4):
            foogo_gtp.read_answer()
        began = time.perf_counter()
        foogo_gtp.send(b"7 genmove b\n")
        time.sleep(0.5)
        foogo_gtp.send(b"# interrupt\n")
        assert re.fullmatch(r"=7 [A-HJ][1-9]", foogo_gtp.read_answer())
        assert time.perf_counter() - began < 30
        foogo_gtp.send(b"8 genmove w\n# interrupt\n9 name\n")
        assert re.fullmatch(r"=8 [A-HJ][1-9]", foogo_gtp.read_answer())
        assert foogo_gtp.read_answer() == "=9 foogo"
        assert time.perf_counter() - began < 60


def test_an_analysis_is_ended_by_the_next_command() -> None:
    with Process("--seed", "1") as foogo_gtp:
        foogo_gtp.ask("genmove b")
        foogo_gtp.send(b"1 kata-analyze w 5 ownership true\n")
        foogo_gtp.read_until(b"ownership ")
        began = time.perf_counter()
        foogo_gtp.send(b"2 play w c3\n")
        assert foogo_gtp.read_until(b"\n\n").endswith(b"\n\n")
        assert foogo_gtp.read_answer() == "=2 "
        assert time.perf_counter() - began < 60
        assert foogo_gtp.ask("list_stones w") == "= C3"


# --- transcripts -------------------------------------------------------------------------------------------

BLANKS = {
    "VERTEX": r"(?:[A-HJ-T]\d{1,2}|pass|resign)",
    "NUMBER": r"-?\d+(?:\.\d+)?",
    "RESULT": r"(?:[BW]\+\d+(?:\.\d+)?|0)",
    "\n...": r"(?:\n(?:.|\n)*)?",
    "...": r".*",
}


def transcripts() -> dict[str, list[tuple[str, str]]]:
    """The commands and answers of each transcript of docs/reference/gtp.md."""
    found: dict[str, list[tuple[str, str]]] = {}
    title, inside = "", False
    for line in DOCS.read_text(encoding="utf-8").replace("0.2.0", foogo.__version__).split("\n"):
        if line.startswith("### "):
            title = line[4:]
        elif line.startswith("```"):
            inside = line == "```gtp"
        elif inside and line.startswith("> "):
            found.setdefault(title, []).append((line[2:], ""))
        elif inside:
            command, answer = found[title][-1]
            found[title][-1] = command, f"{answer}{line}\n"
    return found


def pattern_of(answer: str) -> str:
    parts = re.split(f"({'|'.join(map(re.escape, BLANKS))})", answer.strip("\n"))
    return "".join(BLANKS.get(part, re.escape(part)) for part in parts)


def test_there_are_four_transcripts() -> None:
    assert list(transcripts()) == ["Sabaki", "GoGui twogtp", "kgsGtp", "CGOS"]


@pytest.mark.parametrize("title", ["Sabaki", "GoGui twogtp", "kgsGtp", "CGOS"])
def test_a_transcript_replays(title: str) -> None:
    exchanges = transcripts()[title]
    assert len(exchanges) > 8
    with Process("--seconds", "0.3", "--seed", "1") as foogo_gtp:
        assert foogo_gtp.ask("final_score").startswith("= ")  # waits until the search is compiled
        for i, (command, answer) in enumerate(exchanges):
            foogo_gtp.send(command.encode() + b"\n")
            if "analyze" in command and "genmove" not in command:
                foogo_gtp.send(exchanges[i + 1][0].encode() + b"\n")
            elif i and "analyze" in exchanges[i - 1][0] and "genmove" not in exchanges[i - 1][0]:
                foogo_gtp.read_answer()
            said = "\n".join(line.rstrip() for line in foogo_gtp.read_answer().split("\n"))
            assert re.fullmatch(pattern_of(answer), said), (command, said)
        code, out, errors = foogo_gtp.end()
    assert (code, out) == (0, "")
    assert "Traceback" not in errors


def test_numbers_come_back_in_order() -> None:
    with Process(*FAST) as foogo_gtp:
        foogo_gtp.send(b"".join(f"{i} known_command play\n".encode() for i in range(100)))
        for i in range(100):
            assert foogo_gtp.read_answer() == f"={i} true"
