"""The random streams of consecutive playouts, end to end, for a random number battery.

As a source, for any tester that reads 32-bit numbers from stdin (`dieharder -g 200`, PractRand's
`RNG_test stdin32`):

    python bench/random_stream.py | dieharder -g 200 -d 15

As a battery, which writes its own record with command, versions, date and CPU:

    python bench/random_stream.py --battery bench/results/random_stream-dieharder.txt

What is tested is what playouts see: the first `--numbers` numbers of playout 0, then of playout 1,
and so on, so that a correlation between the streams of neighbouring playouts shows as well as one
inside a stream. The streams are computed here a second time, in NumPy, and checked at the start
against `foogo.core.stream`.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

NUMBERS_PER_PLAYOUT = 256
PLAYOUTS_PER_BLOCK = 2048
WARM_UP_ROUNDS = 15

LAGS = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31)
"""Lags of `rgb_lagged_sum` it runs; `dieharder -a` runs 0 to 32, nine tenths of all it reads."""

BATTERY: tuple[tuple[int, tuple[int, ...]], ...] = (
    *((test, (0,)) for test in (*range(14), 15, 16, 17, 100, 101, 102)),
    (200, tuple(range(1, 13))),
    (201, tuple(range(2, 6))),
    (202, tuple(range(2, 6))),
    (204, (0,)),
    (205, (0,)),
    (206, (256,)),
    (207, (32,)),
    (208, (0,)),  # does 1 as well; asked for 1, dieharder 3.31.1 crashes whatever the generator
    (209, (12,)),
    (203, LAGS),
)
"""(dieharder test, ntuples) as in `dieharder -a`, but for the lags and test 14, listed as "Do Not Use"."""


def stream_block(first: int, count: int, seed: int, numbers: int) -> npt.NDArray[np.uint32]:
    """The streams of playouts first .. first+count-1.

    Returns
    -------
    ndarray of uint32, shape (count, numbers)
        Row i is the stream of playout `first + i`.
    """
    number = np.arange(count, dtype=np.uint64) + np.uint64(first)
    a = (number & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    b = (number >> np.uint64(32)).astype(np.uint32)
    c = np.full(count, seed & 0xFFFFFFFF, np.uint32)
    counter = np.uint32(seed >> 32)
    one = np.uint32(1)
    out = np.empty((numbers, count), np.uint32)
    result, scratch = np.empty_like(a), np.empty_like(a)
    with np.errstate(over="ignore"):
        for turn in range(-WARM_UP_ROUNDS, numbers):
            np.add(a, b, out=result)
            np.add(result, counter, out=result)
            counter = counter + one
            if turn >= 0:
                out[turn] = result
            np.right_shift(b, np.uint32(9), out=a)
            np.bitwise_xor(a, b, out=a)
            np.left_shift(c, np.uint32(3), out=b)
            np.add(b, c, out=b)
            np.left_shift(c, np.uint32(21), out=scratch)
            np.right_shift(c, np.uint32(11), out=c)
            np.bitwise_or(c, scratch, out=c)
            np.add(c, result, out=c)
    return np.ascontiguousarray(out.T)


def check(seed: int, numbers: int) -> None:
    """Exit with a message unless `stream_block` equals `foogo.core.stream` on some playouts."""
    from foogo.core import stream
    from foogo.core.jit import kernel

    @kernel(allocates=True)
    def reference(seed, number, out):  # type: ignore[no-untyped-def]
        state = np.empty(stream.STATE_WORDS, np.uint32)
        stream.start(state, seed, number)
        for i in range(out.shape[0]):
            out[i] = stream.next_random(state)

    for first in (0, 1, 1_000_003, 2**32 - 2, 2**40 + 7):
        block = stream_block(first, 4, seed, numbers)
        for i in range(4):
            expected = np.empty(numbers, np.uint32)
            reference(np.uint64(seed), np.uint64(first + i), expected)
            if not np.array_equal(block[i], expected):
                sys.exit(f"random_stream: playout {first + i} differs from foogo.core.stream")


def write_streams(seed: int, numbers: int) -> None:
    """Write the streams to stdout, from playout 0, until the reader closes."""
    out = sys.stdout.buffer
    first = 0
    try:
        while True:
            out.write(stream_block(first, PLAYOUTS_PER_BLOCK, seed, numbers).data)
            first += PLAYOUTS_PER_BLOCK
    except BrokenPipeError:
        sys.stderr.close()


def battery(path: Path, seed: int, numbers: int) -> None:
    """Run the battery on one continuous stream and write its table to `path` as it goes."""
    program = shutil.which("dieharder")
    if program is None:
        sys.exit("random_stream: dieharder is not installed; on Debian: apt-get install dieharder")
    command = [sys.executable, __file__, "--seed", str(seed), "--numbers", str(numbers)]
    source = subprocess.Popen(command, stdout=subprocess.PIPE)
    started = time.monotonic()
    columns = ("test_name", "ntuple", "tsamples", "psamples", "pvalues", "assessment")
    output_flags = [word for column in columns for word in ("-D", column)]
    counts = {"PASSED": 0, "WEAK": 0, "FAILED": 0}
    with path.open("w", encoding="utf-8") as record:
        record.write(header(program, seed, numbers))
        for test, ntuples in BATTERY:
            for ntuple in ntuples:
                dieharder = [program, "-g", "200", "-d", str(test), "-n", str(ntuple), *output_flags]
                rows = subprocess.run(dieharder, stdin=source.stdout, capture_output=True, text=True, check=True).stdout
                record.write(rows)
                record.flush()
                for assessment in counts:
                    counts[assessment] += rows.count(assessment)
        minutes = (time.monotonic() - started) / 60
        record.write(f"# {', '.join(f'{n} {name}' for name, n in counts.items())}; {minutes:.0f} minutes\n")
    source.kill()
    source.wait()


def header(program: str, seed: int, numbers: int) -> str:
    """What was run, on what and when, as comment lines."""
    from foogo.benchmark.environment import cpu_name

    listing = subprocess.run([program, "-l"], capture_output=True, text=True, check=True).stdout
    version = listing.partition("version ")[2].split()[0]
    return "\n".join(
        (
            "# Random number battery on the concatenated random streams of consecutive playouts",
            f"# command: python bench/random_stream.py --battery FILE --seed {seed} --numbers {numbers}",
            "# generator: sfc32 keyed by (playout number, seed), 15 numbers discarded",
            f"# {numbers} numbers of 32 bits of playout 0, then of playout 1, ...: one stream, never rewound",
            f"# battery: dieharder {version}, tests of `dieharder -a`, lagged sums at lags {LAGS}",
            "# a p-value below 0.005 or above 0.995 is called WEAK: 1 row in 100 if all is well",
            f"# date: {datetime.date.today().isoformat()}  cpu: {cpu_name()}",
            f"# python {platform.python_version()}, numpy {np.__version__}",
            "# test | ntuple | tsamples | psamples | p-value | assessment",
            "",
        )
    )


def main() -> None:
    """Read the command line; stream to stdout, or run the battery."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--numbers", type=int, default=NUMBERS_PER_PLAYOUT, help="numbers per playout")
    parser.add_argument("--battery", type=Path, metavar="FILE", help="run dieharder, write its table to FILE")
    arguments = parser.parse_args()
    if not 0 <= arguments.seed < 2**64 or arguments.numbers < 1:
        parser.error("a seed is a number from 0 to 2**64 - 1, and --numbers is 1 or more")
    check(arguments.seed, arguments.numbers)
    if arguments.battery is None:
        write_streams(arguments.seed, arguments.numbers)
    else:
        battery(arguments.battery, arguments.seed, arguments.numbers)


if __name__ == "__main__":
    main()
