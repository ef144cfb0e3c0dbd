"""The random stream: the numbers in the docs, one state a playout."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from foogo.core import stream
from foogo.core.jit import kernel
from tests import oracle_playouts


@kernel(allocates=True)
def first_numbers(seed, number, out):
    state = np.empty(stream.STATE_WORDS, np.uint32)
    stream.start(state, seed, number)
    for i in range(len(out)):
        out[i] = stream.next_random(state)


def numbers(seed: int, number: int, count: int) -> list[int]:
    out = np.empty(count, np.uint32)
    first_numbers(np.uint64(seed), np.uint64(number), out)
    return [int(value) for value in out]


def test_the_numbers_in_the_docs():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "playout.md").read_text()
    printed = re.search(r"first numbers of seed 1, playout 0 are\s+```text\s+((?:[0-9a-f]{8}\s)+)", text)
    assert printed
    assert [f"{value:08x}" for value in numbers(1, 0, 8)] == printed[1].split()


def test_it_is_the_oracles():
    for seed, number in ((0, 0), (1, 0), (0, 1), (2**64 - 1, 2**63 - 1), (2**40 + 3, 2**33 + 5)):
        expected = oracle_playouts.Stream(seed, number)
        assert numbers(seed, number, 20) == [expected.draw() for _ in range(20)]


def test_neighbouring_playouts_do_not_look_alike():
    """Bits of the first numbers of consecutive playouts: balanced, and uncorrelated with the next playout's."""
    first = np.array([numbers(7, i, 4) for i in range(2000)], np.uint32)
    bits = np.unpackbits(first.view(np.uint8), axis=1).astype(float)
    assert abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / 2000**0.5
    agreement = (bits[1:] == bits[:-1]).mean(axis=0)
    assert abs(agreement - 0.5).max() < 5 * 0.5 / 1999**0.5
