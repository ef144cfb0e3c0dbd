"""Compilation: one decorator, and a disk cache that detects every edit.

Numba's own cache does not detect changes in functions that are imported from another file. It raises an error if the
package and the home folder are read-only. Here all compiled code of one version lies in one folder, named by a hash of
every kernel source. If no folder can be used, each process compiles anew, after one line on stderr.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import stat
import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import llvmlite
import numba
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler import Compiler
from platformdirs import user_cache_dir

from foogo.core.compiling import WATCH, Compilation
from foogo.core.shipped import ShippedKernels

CACHE_VARIABLE = "FOOGO_CACHE_DIR"
"""The environment variable that moves the cache of compiled kernels; an empty value disables the cache."""

PROBE_BYTES = 4096
"""The size of the file that tests the cache: an empty file can be made even on a full disk."""

COMPILER_VARIABLE = "FOOGO_COMPILER"
"""The environment variable that, set to ``plain``, has kernels compiled by Numba alone."""

TESTED = ((0, 61), (0, 69))
"""The first version of Numba with which `foogo.core.linking` is tested, and the first with which it is not."""


def _find_linking() -> Any:
    """`foogo.core.linking`, or None where it cannot be used: kernels are then slower to compile, and just as fast."""
    version = tuple(int(part) for part in numba.__version__.split(".")[:2])
    if os.environ.get(COMPILER_VARIABLE) == "plain" or not TESTED[0] <= version < TESTED[1]:
        return None
    try:
        from foogo.core import linking
    except (ImportError, AttributeError):  # a private name of Numba's is gone
        return None
    return linking


LINKING = _find_linking()


@cache
def kernel_signature() -> str:
    """Twelve hexadecimal digits that change with any kernel source and with the versions of Numba and llvmlite."""
    versions = f"numba {numba.__version__} llvmlite {llvmlite.__version__} linked {LINKING is not None}"
    digest = hashlib.sha256(versions.encode())
    package = Path(__file__).parent.parent
    # Kernels take constants from game/geometry.py and cards/card.py, which are compiled into them.
    shared = [*package.glob("core/*.py"), package / "game" / "geometry.py", package / "cards" / "card.py"]
    for source in sorted([*shared, *package.glob("**/kernels/*.py")]):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


SHIPPED = ShippedKernels(Path(__file__).parent.parent / "compiled", kernel_signature)
"""The kernels of this installation's wheel."""


def cache_folder() -> Path | None:
    """The folder of compiled kernels, created if need be; it may be read-only. None if none can be used."""
    return _cache_folder()[0]


def cache_problem() -> str:
    """Why compiled kernels cannot be kept, or were not; empty if they can, or are not to be kept."""
    return _cache_folder()[1] or _KernelCache.save_problem


@cache
def _cache_folder() -> tuple[Path | None, str]:
    """The folder, and what is wrong with it: it cannot be written, or others can write to it."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen == "":
        return None, ""
    folder = root = Path(chosen or user_cache_dir("foogo", appauthor=False))
    try:
        root = Path(os.path.realpath(root))  # so that the folder that is checked is the one that is used
        folder = root / f"kernels-{kernel_signature()}"
        root.parent.mkdir(parents=True, exist_ok=True)
        for part in (root, folder):
            part.mkdir(mode=0o700, exist_ok=True)
            if part == root and not chosen:
                with contextlib.suppress(OSError):  # it may be read-only
                    root.chmod(0o700)  # earlier versions left that to the umask
            if _others_can_write(part):
                return None, f"others can write to {part}, and what they write would be executed"
    except OSError as error:
        return None, f"{folder} cannot be made ({error.strerror or error})"
    probe = folder / f"writable-{os.getpid()}"
    try:
        try:
            probe.write_bytes(bytes(PROBE_BYTES))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return folder, _unwritable(folder, error)
    return folder, ""


def _unwritable(folder: str | Path, error: OSError) -> str:
    return f"{folder} cannot be written ({error.strerror or error})"


def _others_can_write(folder: Path) -> bool:
    if os.name == "nt":
        return False  # the mode says nothing there
    found = folder.stat()
    return found.st_uid not in (os.getuid(), 0) or bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _note() -> str:
    """What users should know before a long compilation; empty if all is as usual."""
    if SHIPPED.problem:
        return f"the wheel's compiled kernels are not used: {SHIPPED.problem}"
    if problem := cache_problem():
        return f"each process compiles anew: {problem}; set {CACHE_VARIABLE} to a private folder"
    return ""


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Where Numba stores one function: in `cache_folder`, whose name is already the stamp of foogo's own sources."""

    def __init__(self, line: int, other_source: Path | None) -> None:
        self._line = line
        self._other_source = other_source

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        if self._other_source is None:
            return kernel_signature()
        try:
            return hashlib.sha256(kernel_signature().encode() + self._other_source.read_bytes()).hexdigest()
        except OSError:  # as of a function that was typed in
            return kernel_signature()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__code__.co_firstlineno, None if py_func.__module__.startswith("foogo.") else Path(py_file))


class _Store(LINKING.LinkedStore if LINKING else CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: an index, and the code for each signature.

    Numba numbers the files of code. Two processes that save at once would choose the same number.
    """

    def _data_name(self, number: int) -> str:
        name, _, ending = super()._data_name(number).rpartition(".")
        return f"{name}-{uuid.uuid4().hex[:8]}.{ending}"


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's disk cache in foogo's folder. It notifies the user when a long compilation starts."""

    _impl_class = _Store
    save_problem: ClassVar[str] = ""
    """Why a kernel could not be saved, at the first failure of this process."""

    def __init__(self, py_func: Any, announce: Compilation | None) -> None:
        super().__init__(py_func)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())
        self._announce = announce
        if cache_folder() is None:
            self.disable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if LINKING:
            LINKING.prepare_to_load(target_context)
        else:
            target_context.refresh()
        data = SHIPPED.load(self._impl.filename_base, self._index_key(sig, target_context.codegen()))
        found = None if data is None else self._impl.rebuild(target_context, data)
        with contextlib.suppress(Exception):  # whatever a damaged file leads to
            found = found or self._load_overload(sig, target_context)
        if found is None and self._announce:
            WATCH.announce(self._announce, self._size_in(sig), _note())
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            try:
                super().save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # whatever a damaged index leads to
                self.flush()
                super().save_overload(sig, data)
        except OSError as error:
            _KernelCache.save_problem = _KernelCache.save_problem or _unwritable(self._cache_path, error)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), LINKING is None or LINKING.is_called_from_python()

    @staticmethod
    def _size_in(sig: Any) -> str:
        sizes = [arg.layout.size for arg in sig if hasattr(getattr(arg, "layout", None), "size")]
        return f" for {sizes[0]}x{sizes[0]}" if sizes else ""


class _Pipeline(Compiler):  # type: ignore[misc]
    """Numba's pipeline without garbage collection, which would find little and takes a tenth of the time."""

    def compile_extra(self, func: Any) -> Any:
        if not gc.isenabled():  # or within the compilation of a caller
            return super().compile_extra(func)
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            gc.enable()


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    inline: bool = False,
    allocates: bool = False,
    announce: Compilation | None = None,
) -> Callable[..., Any]:
    """Compile `function` with Numba on its first call with given types.

    Parameters
    ----------
    inline
        Force the function into its callers. Without it, calls on a hot path spill registers.
    allocates
        Whether the function creates arrays. Other functions use the arrays of their callers and return none, so Numba
        does not count references in them. Counting takes a tenth of the time of a search.
    announce
        What to show on stderr when a long compilation begins; None to show nothing.

    Returns
    -------
    callable
        Releases the GIL while it runs and does not check for division by zero. Cached on disk unless `inline`.
    """

    def wrap(python_function: Callable[..., Any]) -> Callable[..., Any]:
        # An option that is not given is inherited from the caller that is being compiled.
        options = {"forceinline": inline, "nogil": not inline, "error_model": "numpy", "_nrt": allocates}
        compiled: Any
        if LINKING:
            compiled = LINKING.KernelDispatcher(python_function, targetoptions=options)
        else:
            compiled = njit(pipeline_class=_Pipeline, **options)(python_function)
        if not inline:
            compiled._cache = _KernelCache(python_function, announce)
        result: Callable[..., Any] = compiled
        return result

    return wrap if function is None else wrap(function)
