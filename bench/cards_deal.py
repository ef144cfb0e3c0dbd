"""`Dealer` beside the programs "Deal" and "dealer": `python bench/cards.py deal`.

    apt-get install deal dealer

South gets a balanced hand of 20 or 21 points: from a stack, or by random tries of which one in 187 is accepted. Deal
does not count its tries: they are the deals over the probability. Its rates include its start, half a second.
Programs that are missing are installed, which needs root.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from foogo.cards.deal import Dealer, balanced, hcp

DEAL, DEALER = "/usr/games/deal", "/usr/games/dealer"

SOUTH = balanced & hcp(20, 21)
PROBABILITY = 3_393_199_716 / 635_013_559_600

QUIET = "source /usr/share/deal/format/none\nshapecond flat {$s*$s+$h*$h+$d*$d+$c*$c <= 47}\n"
STACKED_DEAL = QUIET + "deal::input smartstack south flat hcp 20 21\nmain { accept }\n"
LAZY_DEAL = QUIET + "main { reject if {[hcp south]<20} {[hcp south]>21}; reject unless {[flat south]}; accept }\n"
LAZY_DEALER = (
    "condition hcp(south) >= 20 and hcp(south) <= 21 and shape(south, any 4333 + any 4432 + any 5332)\n"
    "action printoneline\n"
)


def comparisons() -> dict[str, dict[str, Callable[[], int]]]:
    """Full deals with a stacked hand, and random tries."""
    if not (Path(DEAL).exists() and Path(DEALER).exists()):
        subprocess.run(["apt-get", "install", "-y", "deal", "dealer"], check=True)
    lazy = Dealer(south=SOUTH, stack=None)
    return {
        "stacked deals": {
            "foogo": partial(stacked, Dealer(south=SOUTH), 2_000_000),
            "Deal": partial(finished, [DEAL, "-i", script(STACKED_DEAL), "200000"], 200_000),
        },
        "lazy tries": {
            "foogo": lambda: lazy.sample(100_000, threads=1).tries,
            "dealer": partial(finished, [DEALER, "-g", "2000000", "-p", "2000000", script(LAZY_DEALER)], 2_000_000),
            "Deal": partial(finished, [DEAL, "-i", script(LAZY_DEAL), "10000"], round(10_000 / PROBABILITY)),
        },
    }


def stacked(dealer: Dealer, count: int) -> int:
    """Deal on one core."""
    return len(dealer.deals(count, threads=1))


def script(text: str) -> str:
    """The path of a file with this text."""
    path = Path(tempfile.mkdtemp()) / "script"
    path.write_text(text, encoding="utf-8")
    return str(path)


def finished(command: list[str], done: int) -> int:
    """Run a program that does `done` items."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done
