"""Kernels that call each other by symbol: in one process, from the disk, in threads, and with something missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import pytest

import foogo
from foogo.core import jit
from tests.marks import posix, slow

SOURCE = """
import sys, threading
import numpy as np
from foogo.core import jit
from foogo.core.jit import kernel

@kernel(inline=True)
def twice(x):
    return x + x

@kernel(inline=True)
def mix(x, i):
    REPEATED
    return x

@kernel
def small(x):
    return twice(x) + 1

@kernel
def large(numbers, x):
    total = x
    for i in range(len(numbers)):
        numbers[i] = numbers[i] * total + small(i) if numbers[i] & 1 else numbers[i] // 3 - total
        total += numbers[i] * numbers[i] % 7
        numbers[i] ^= total * 5 + numbers[i] // 7 % 11
        total -= numbers[i] // 13 + total // 17 * (numbers[i] % 19)
        if total > 1000:
            total -= numbers[i] ^ total
        elif total < -1000:
            total += small(total)
        total = MIXED
    return total

@kernel
def middle(numbers):
    return large(numbers, 3) + large(numbers, small(2))

@kernel
def top(numbers):
    return middle(numbers) + large(numbers, 4) + small(1)

def plainly(numbers, x):
    total = x
    for i in range(len(numbers)):
        numbers[i] = numbers[i] * total + 2 * i + 1 if numbers[i] & 1 else numbers[i] // 3 - total
        total += numbers[i] * numbers[i] % 7
        numbers[i] ^= total * 5 + numbers[i] // 7 % 11
        total -= numbers[i] // 13 + total // 17 * (numbers[i] % 19)
        if total > 1000:
            total -= numbers[i] ^ total
        elif total < -1000:
            total += 2 * total + 1
        for _ in range(50):
            total = total * 7 % 1009 - i
    return total

def expected():
    n = list(range(9))
    return plainly(n, 3) + plainly(n, 5) + plainly(n, 4) + 3

def found():
    return top(np.arange(9))

def hits(function):
    return sum(function.stats.cache_hits.values())
"""
SOURCE = SOURCE.replace("REPEATED", "x = x * 7 % 1009 - i; " * 5)
SOURCE = SOURCE.replace("total = MIXED", "total = mix(total, i); " * 10)  # `large` is not linked into its callers

pytestmark = pytest.mark.skipif(jit.LINKING is None, reason="kernels are compiled by Numba alone")


def run_in(folder: Path, code: str, **variables: str) -> str:
    """What code prints after `SOURCE`, in a process of its own with its cache in the folder."""
    (folder / "kernels_to_link.py").write_text(SOURCE)
    path = os.pathsep.join([str(folder), str(Path(foogo.__file__).parent.parent)])
    environment = dict(os.environ, PYTHONPATH=path, FOOGO_CACHE_DIR=str(folder / "cache"), **variables)
    before = "import os; exec(os.environ.get('BEFORE', ''))"
    command = [sys.executable, "-c", f"{before}\nfrom kernels_to_link import *\n{code}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def run(tmp_path: Path):
    """`run_in` a folder that the processes of a test share."""
    return partial(run_in, tmp_path)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory):
    """The cache that `found()` leaves, by compiler."""

    @cache
    def of(compiler: str) -> Path:
        folder = tmp_path_factory.mktemp(compiler)
        run_in(folder, "found()", FOOGO_COMPILER=compiler)
        return folder / "cache"

    return of


@pytest.fixture
def fill(tmp_path: Path, compiled):
    """Bring the cache to where `found()` leaves it."""

    def copy(compiler: str = "linked") -> None:
        shutil.copytree(compiled(compiler), tmp_path / "cache")

    return copy


def cached(tmp_path: Path, name: str) -> list[Path]:
    return [*tmp_path.glob(f"cache/*/kernels_to_link.{name}-*.nbc")]


def test_code_is_called_by_its_symbol_and_found_on_disk(run, tmp_path: Path) -> None:
    code = (
        "print(found() == expected(), [hits(f) for f in (top, middle, large)], small.overloads == {},"
        "[library.dependency.name for library in top.overloads.popitem()[1].library.called.values()])"
    )
    assert run(code) == "True [0, 0, 0] False ['large']"
    assert all(cached(tmp_path, name) for name in ("top", "middle", "large", "small"))
    assert run(code) == "True [1, 0, 1] True ['large']"


def test_code_from_the_disk_is_called_without_what_numba_compiles_with(run, fill) -> None:
    fill()
    code = "import numba; print(found() == expected(), hits(top), 'numba.np.linalg' in sys.modules)"
    assert run(code) == "True 1 False"
    assert run(code + "; print(numba.njit(lambda x: x.dot(x))(np.ones(3)))") == "True 1 False\n3.0"


def test_what_is_damaged_on_disk_is_compiled_again(run, fill, tmp_path: Path) -> None:
    fill()
    files = {path: path.read_bytes() for name in ("top", "large") for path in cached(tmp_path, name)}
    assert len(files) == 2
    for path, data in files.items():
        for damage in ("removed", "flipped", "cut"):
            for other in files:
                other.write_bytes(files[other])
            middle = len(data) // 2
            path.unlink()
            if damage != "removed":
                flipped = data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]
                path.write_bytes(flipped if damage == "flipped" else data[:middle])
            assert run("print(found() == expected(), hits(top))") == f"True {int('top' not in path.name)}"
    assert run("print(found() == expected(), hits(top))") == "True 1"


@pytest.mark.parametrize("compiler", ["linked", "plain"])
@pytest.mark.parametrize("length", [slow(0), 60])
def test_a_damaged_index_is_written_again(run, fill, tmp_path: Path, length: int, compiler: str) -> None:
    fill(compiler)
    indices = [*tmp_path.glob("cache/*/kernels_to_link.*.nbi")]
    assert indices
    for path in indices:
        path.write_bytes(path.read_bytes()[:length])
    for hits in (0, 1):
        assert run("print(found() == expected(), hits(top))", FOOGO_COMPILER=compiler) == f"True {hits}"


def test_a_read_only_folder_is_read(run, fill) -> None:
    fill()
    failing = "def fail(*_, **__): raise OSError(30, 'Read-only file system')"
    read_only = f"{failing}\nimport pathlib; pathlib.Path.write_bytes = fail"
    code = "print(found() == expected(), hits(top), jit._note().replace(str(jit.cache_folder()), 'FOLDER'))"
    assert run(code, BEFORE=read_only) == (
        "True 1 each process compiles anew: FOLDER cannot be written (Read-only file system); "
        "set FOOGO_CACHE_DIR to a private folder"
    )


@posix
def test_a_full_disk_is_noticed(run) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))"
    code = "print(jit._note().replace(str(jit.cache_folder()), 'FOLDER'), os.listdir(jit.cache_folder()))"
    assert run(code, BEFORE=full) == (
        "each process compiles anew: FOLDER cannot be written (File too large); "
        "set FOOGO_CACHE_DIR to a private folder []"
    )


def test_processes_that_save_at_once_keep_their_own_code(run, fill, tmp_path: Path) -> None:
    code = "print(int(top(np.arange(9, dtype=np.uint8))), found() == expected())"
    right = run(code)
    shutil.rmtree(tmp_path / "cache")
    fill()
    first = {path: path.read_bytes() for path in cached(tmp_path, "*")}
    empty_index = "from numba.core.caching import IndexDataCacheFile as File\nFile._load_index = lambda _: {}\n"
    run(f"{empty_index}top(np.arange(9, dtype=np.uint8))")  # a process that began before the first one saved
    for path, data in first.items():
        path.write_bytes(data)
    assert run(code) == right


def test_code_whose_symbol_has_changed_is_not_called(run, fill, tmp_path: Path) -> None:
    fill()
    rename = "jit.LINKING._new_symbol.__globals__['hashlib'] = type('', (), {'sha256': staticmethod(lambda text: "
    rename += "__import__('hashlib').sha256(text + b'other'))})\n"
    for path in cached(tmp_path, "large"):
        path.unlink()
    assert run(f"{rename}print(found() == expected(), hits(top))") == "True 0"


def test_a_missing_symbol_is_an_error_and_ends_no_process(run) -> None:
    code = """
from foogo.core.libraries import LinkError
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

@intrinsic
def nowhere(typingctx, x):
    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.call(ir.Function(builder.module, kind, "is_nowhere"), args)
    return types.int64(types.int64), codegen

@kernel
def lost(x):
    return nowhere(x)

try:
    lost(1)
except LinkError as error:
    print(error)
print(found() == expected())
"""
    assert run(code) == "lost calls is_nowhere, which is not in memory\nTrue"


def test_a_caller_that_is_no_kernel_is_told(run) -> None:
    code = """
import numba
for called in (twice, large):
    numbers = np.arange(9) if called is large else 3
    caller = numba.njit(lambda x: called(x, 3)) if called is large else numba.njit(lambda x: called(x))
    try:
        caller(numbers)
    except numba.core.errors.TypingError as error:
        print("only kernels call kernels: give the caller of " + called.__name__ in str(error))
"""
    assert run(code) == "True\nTrue"


def test_python_may_call_what_kernels_called_first(run) -> None:
    code = (
        "print(found() == expected(), large(np.arange(9), 3) == plainly(list(range(9)), 3), twice(4), small(4))\n"
        "print(top(np.arange(9)) == expected(), middle(np.arange(9)) + 0 == middle(np.arange(9)))"
    )
    assert run(code) == run(code) == "True True 8 9\nTrue True"


def test_kernels_may_call_what_python_called_first(run) -> None:
    code = "print(twice(4), small(4), large(np.arange(9), 3) == plainly(list(range(9)), 3), found() == expected())"
    assert run(code) == run(code) == "8 9 True True"


def test_functions_of_one_name_do_not_meet(run) -> None:
    code = """
def new(amount):
    @kernel(inline=True)
    def inner(x):
        return x + amount
    @kernel
    def outer(x):
        return inner(x) * 2
    return outer
print([new(amount)(1) for amount in (1, 2, 3)])
"""
    assert run(code) == run(code) == "[4, 6, 8]"


def test_threads_compile_and_load(run) -> None:
    code = """
import gc
results = []
threads = [threading.Thread(target=lambda: results.append((found(), large(np.arange(9), 3)))) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(set(results) == {(expected(), plainly(list(range(9)), 3))}, gc.isenabled())
"""
    assert run(code) == run(code) == "True True"


def test_a_constant_argument_compiles_nothing_more(run) -> None:
    assert run("found(); print(len(large.overloads), len(small.overloads))") == "1 1"


def test_a_kernel_travels_to_another_process(run) -> None:
    run("from numba.core.serialize import dumps; open('kernel', 'wb').write(dumps(top))")
    assert run("import pickle; print(pickle.load(open('kernel', 'rb'))(np.arange(9)) == expected())") == "True"


FACTS = "print(found() == expected(), type(top).__name__, jit.LINKING is not None, jit.cache_folder().name)"


def test_numba_alone(run) -> None:
    plain, linked = (run(FACTS, **variables).split() for variables in ({jit.COMPILER_VARIABLE: "plain"}, {}))
    assert plain[:3] == ["True", "CPUDispatcher", "False"]
    assert linked[:3] == ["True", "KernelDispatcher", "True"]
    assert plain[3] != linked[3]


@pytest.mark.parametrize(
    "other", [slow("numba.__version__ = '0.99.0'"), "import numba.core.environment as e; del e.lookup_environment"]
)
def test_numba_alone_where_its_internals_are_others(run, other: str) -> None:
    assert run(FACTS, BEFORE=f"import numba; {other}").split()[:3] == ["True", "CPUDispatcher", "False"]
