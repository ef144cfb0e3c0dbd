"""How foogo compiles: one decorator, and an on-disk cache that notices every edit.

Numba's own cache does not see that a function called from another file has changed, and raises where the
package and the home are read-only. Here all compiled code of one foogo lies in one folder, whose name is a
hash of every kernel source; where no folder can be written, code is compiled anew in each process, after
one warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from platformdirs import user_cache_dir

CACHE_VARIABLE = "FOOGO_CACHE_DIR"
"""The environment variable that moves the cache of compiled kernels; empty switches it off."""


@cache
def kernel_signature() -> str:
    """Twelve hexadecimal digits that change with any kernel source, Numba or llvmlite."""
    digest = hashlib.sha256(f"numba {numba.__version__} llvmlite {llvmlite.__version__}".encode())
    package = Path(__file__).parent.parent
    for source in sorted([*package.glob("core/*.py"), *package.glob("*/kernels/*.py")]):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


@cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels, made if need be; None if there is nowhere to write one."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen == "":
        return None
    root = Path(chosen) if chosen else Path(user_cache_dir("foogo", appauthor=False))
    folder = root / f"kernels-{kernel_signature()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be kept in {folder} ({error.strerror or error}), so each process compiles "
            f"its own; set {CACHE_VARIABLE} to a folder that can be written",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Where Numba keeps one function: in `cache_folder`, whose name is already its stamp."""

    def __init__(self, line: int) -> None:
        self._line = line

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return kernel_signature()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__code__.co_firstlineno)


class _Store(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's disk cache in foogo's folder, telling a person that a long compilation begins."""

    _impl_class = _Store

    def __init__(self, py_func: Any, announce: str) -> None:
        super().__init__(py_func)
        self._announce = announce
        if cache_folder() is None:
            self.disable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        with contextlib.suppress(OSError, EOFError):
            found = super().load_overload(sig, target_context)
        if found is None and self._announce:
            often = ", once" if self._enabled else ""
            print(f"foogo: compiling {self._name_of(sig)} for this processor, a few seconds{often}", file=sys.stderr)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)

    def _name_of(self, sig: Any) -> str:
        sizes = [arg.layout.size for arg in sig if hasattr(getattr(arg, "layout", None), "size")]
        where = f" for {sizes[0]}x{sizes[0]}" if sizes else ""
        return f"{self._announce}{where}"


def kernel(
    function: Callable[..., Any] | None = None, *, inline: bool = False, announce: str = ""
) -> Callable[..., Any]:
    """Compile `function` with Numba at its first call for given types.

    Parameters
    ----------
    inline
        Force the function into its callers: helpers on a hot path spill registers without it.
    announce
        What to call it on stderr when its compilation begins, for a kernel that takes seconds; empty for silence.

    Returns
    -------
    callable
        Releases the GIL while it runs; division by zero is not checked. Kept on disk unless `inline`.
    """

    def wrap(python_function: Callable[..., Any]) -> Callable[..., Any]:
        if inline:
            inlined: Callable[..., Any] = njit(forceinline=True, error_model="numpy")(python_function)
            return inlined
        compiled: Any = njit(nogil=True, error_model="numpy")(python_function)
        compiled._cache = _KernelCache(python_function, announce)
        result: Callable[..., Any] = compiled
        return result

    return wrap if function is None else wrap(function)
