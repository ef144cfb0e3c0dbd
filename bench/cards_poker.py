"""`rank` beside phevaluator and other evaluators: `python bench/cards.py poker`.

    pip install phevaluator eval7

phevaluator's compiled module has the C functions of its library. A loop in C calls them (it needs a C compiler), so
nothing of Python is in its time. The other rows are calls from Python, one hand per call. Evaluators that are not
installed are left out.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.cards.card import format_card
from foogo.cards.poker import rank, shuffled_decks

HANDS, CALLS = 1_000_000, 100_000


def comparisons() -> dict[str, dict[str, Callable[[], int]]]:
    """One for each size of hands."""
    return {f"{size}-card ranks": contestants(size) for size in (5, 6, 7)}


def contestants(size: int) -> dict[str, Callable[[], int]]:
    """foogo, and all evaluators that are installed."""
    hands = shuffled_decks(HANDS, cards=size, seed=1)
    found: dict[str, Callable[[], int]] = {"foogo": partial(ranked, hands)}
    found["foogo, hands of int64"] = partial(ranked, hands.astype(np.int64))
    if find_spec("phevaluator"):
        evaluate = getattr(import_module("phevaluator._pheval"), f"evaluate_{size}cards")
        found["phevaluator, C loop"] = c_loop(hands)
        theirs = (hands[:CALLS] % 13 * 4 + hands[:CALLS] // 13).tolist()
        found["phevaluator, Python calls"] = partial(called, lambda hand: evaluate(*hand), theirs)
    if find_spec("eval7"):
        found["eval7, Python calls"] = eval7(hands[:CALLS])
    return found


def ranked(hands: NDArray[Any]) -> int:
    """Rank all hands in one call."""
    return len(rank(hands))


def called(evaluate: Callable[[Any], Any], hands: list[Any]) -> int:
    """Evaluate hand by hand."""
    for hand in hands:
        evaluate(hand)
    return len(hands)


def c_loop(hands: NDArray[np.uint8]) -> Callable[[], int]:
    """The C function of phevaluator, called in C for every hand; the ranks are compared with foogo's first."""
    size = hands.shape[1]
    library = ctypes.CDLL(import_module("phevaluator._pheval").__file__ or "")
    function = ctypes.cast(library[f"evaluate_{size}cards"], ctypes.c_void_p)
    arguments, kinds = ", ".join(f"h[{card}]" for card in range(size)), ", ".join(["int"] * size)
    source = (
        f"void loop(int (*f)({kinds}), const int *h, long n, short *ranks)"
        f"{{ for (long i = 0; i < n; i++, h += {size}) ranks[i] = f({arguments}); }}"
    )
    folder = Path(tempfile.mkdtemp())
    command = ["cc", "-O3", "-shared", "-fPIC", "-x", "c", "-", "-o", str(folder / "loop.so")]
    subprocess.run(command, input=source, text=True, check=True)
    loop = ctypes.CDLL(str(folder / "loop.so")).loop
    theirs = np.ascontiguousarray(hands % 13 * 4 + hands // 13, np.intc)
    ranks = np.empty(len(hands), np.int16)

    def run() -> int:
        address, target = ctypes.c_void_p(theirs.ctypes.data), ctypes.c_void_p(ranks.ctypes.data)
        loop(function, address, ctypes.c_long(len(theirs)), target)
        return len(theirs)

    run()
    assert (ranks == rank(hands)).all()
    return run


def eval7(hands: NDArray[np.uint8]) -> Callable[[], int]:
    """eval7, with its cards made before."""
    module: Any = import_module("eval7")
    theirs = [[module.Card(format_card(card)) for card in hand] for hand in hands.tolist()]
    return partial(called, module.evaluate, theirs)
