"""A GTP engine that behaves as its command line says, rightly or wrongly, and needs only Python.

It plays the points of --moves that are empty, in order, and then passes. Options make its n-th move go wrong.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time

PARSER = argparse.ArgumentParser()
PARSER.add_argument("--moves", default="")
PARSER.add_argument("--exact", action="store_true", help="play all of --moves, occupied or not")
PARSER.add_argument("--name", default="script")
PARSER.add_argument("--version", default="1")
PARSER.add_argument("--sizes", default="2 3 4 5 6 7 8 9 13 19")
PARSER.add_argument("--score", default="", help="the answer to final_score; none: it is refused")
PARSER.add_argument("--extra", default="", help="more commands to list")
PARSER.add_argument("--at", type=int, default=1, help="the move that goes wrong, 1 for the first of a game")
PARSER.add_argument("--wrong", default="", help="what goes wrong")
PARSER.add_argument("--slow", type=float, default=0.0, help="seconds for each move")
PARSER.add_argument("--start", type=float, default=0.0, help="seconds before anything is read")
PARSER.add_argument("--log", default="", help="a file that gets every command")
OPTIONS = PARSER.parse_args(None if __name__ == "__main__" else [])

KNOWN = "name version list_commands boardsize clear_board komi play genmove quit time_settings time_left".split()


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def go_wrong() -> None:
    """Do what OPTIONS.wrong says."""
    wrong = OPTIONS.wrong
    if wrong == "crash":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(3)
    elif wrong == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif wrong == "hang":
        time.sleep(3600)
    elif wrong == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    elif wrong == "garbage":
        say("my move is E5\n\n")
    elif wrong == "huge":
        say("= " + "x" * (1 << 21) + "\n\n")
    elif wrong == "flood":
        while True:
            say("=\n" * 1000 + "info\n" * 1000)
    elif wrong == "silent":
        os.close(1)
        time.sleep(3600)
    elif wrong == "orphan":  # a child keeps stdout open
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        os._exit(4)
    elif wrong in ("resign", "occupied", "nowhere"):
        say(f"= {TAKEN[-1] if wrong == 'occupied' else {'resign': 'resign', 'nowhere': 'Z99'}[wrong]}\n\n")
    elif wrong == "refuse":
        say("? cannot think\n\n")


TAKEN: list[str] = []


def main() -> None:
    time.sleep(OPTIONS.start)
    todo: list[str] = []
    asked = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if OPTIONS.log:
            with open(OPTIONS.log, "a", encoding="utf-8") as log:
                log.write(line)
        command = words[0]
        if command == "quit":
            say("=\n\n")
            return
        if command == "name":
            say(f"= {OPTIONS.name}\n\n")
        elif command == "version":
            say(f"= {OPTIONS.version}\n\n")
        elif command == "list_commands":
            say("= " + "\n".join(KNOWN + OPTIONS.extra.split()) + "\n\n")
        elif command == "boardsize" and words[1] not in OPTIONS.sizes.split():
            say("? unacceptable size\n\n")
        elif command == "clear_board":
            todo, asked = OPTIONS.moves.upper().split(), 0
            TAKEN.clear()
            say("=\n\n")
        elif command == "play":
            if OPTIONS.wrong == "reject" and len(TAKEN) + 1 == OPTIONS.at:
                say("? illegal move\n\n")
                continue
            TAKEN.append(words[2].upper())
            say("=\r\n\r\n")
        elif command in ("genmove", "kgs-genmove_cleanup"):
            asked += 1
            time.sleep(OPTIONS.slow)
            if OPTIONS.wrong and OPTIONS.wrong != "reject" and asked == OPTIONS.at:
                go_wrong()
                continue
            while todo and todo[0] in TAKEN and todo[0] != "PASS" and not OPTIONS.exact:
                todo.pop(0)
            move = todo.pop(0) if todo else "PASS"
            TAKEN.append(move)
            say(f"= {move.lower() if move == 'PASS' else move}\n\n")
        elif command == "final_score" and OPTIONS.score == "hang":
            time.sleep(3600)
        elif command == "final_score" and OPTIONS.score:
            say(f"= {OPTIONS.score}\n\n")
        elif command in KNOWN or command in OPTIONS.extra.split():
            say("= \n\n")
        else:
            say("? unknown command\n\n")


if __name__ == "__main__":
    main()
