"""The compiled kernels that a wheel carries, one file per family of processors.

``tools/build_wheel.py`` writes the files. A file is used only if everything matches: Python, Numba, llvmlite, the
platform, the sources of the kernels, the processor and the file's checksum. Otherwise the kernels are compiled as if
there were no file.

The first line of a file is JSON: what it was compiled with, and the SHA-256 of the rest. The rest is a pickled
dictionary of compressed items: for each function an index of its signatures, and the compiled code of each.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
import zlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba.core import config
from numba.core.serialize import dumps

from foogo.core.cpu import host_family


class ShippedKernels:
    """The kernels in a folder of a wheel.

    Parameters
    ----------
    folder
        The folder; only wheels with compiled kernels have it.
    sources
        Returns a hash of the kernels' sources.
    """

    def __init__(self, folder: Path, sources: Callable[[], str]) -> None:
        self.folder, self._sources = folder, sources

    def load(self, function: str, key: tuple[Any, ...]) -> Any | None:
        """What Numba saved for a kernel, or None if it was not shipped or does not match.

        Parameters
        ----------
        function
            Numba's name for the kernel's files.
        key
            Numba's key for the types of the arguments.
        """
        items, _ = self._found
        index = items.get(function)
        if index is None:
            return None
        name = pickle.loads(zlib.decompress(index)).get(_without_target(key))
        return None if name is None else pickle.loads(zlib.decompress(items[name]))

    @property
    def file_name(self) -> str:
        """The name of the file whose kernels are used; empty without such a file."""
        return f"{host_family()}.bin" if self._found[0] else ""

    @property
    def problem(self) -> str:
        """Why shipped kernels are not used; empty if they are, or if there are none."""
        return self._found[1]

    def pack(self, cache_folder: Path, file: Path) -> None:
        """Write the kernels that this process's settings compiled into a cache folder to a file of shipped kernels."""
        items: dict[str, bytes] = {}
        for path in sorted(cache_folder.glob("*.nbi")):
            with path.open("rb") as stream:
                pickle.load(stream)  # Numba's version
                _, overloads = pickle.loads(stream.read())
            items[path.stem] = zlib.compress(dumps({_without_target(key): name for key, name in overloads.items()}))
            items |= {name: zlib.compress((cache_folder / name).read_bytes(), 9) for name in overloads.values()}
        body = pickle.dumps(items)
        header = {**self._built_with(), "sha256": hashlib.sha256(body).hexdigest()}
        file.write_bytes(json.dumps(header).encode() + b"\n" + body)

    def _built_with(self) -> dict[str, str]:
        """Everything, except the processor, that must be the same as when the kernels were compiled."""
        return {
            "Python": sys.implementation.cache_tag,
            "Numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "platform": platform(),
            "kernels": self._sources(),
        }

    @cached_property
    def _found(self) -> tuple[dict[str, bytes], str]:
        """The items of the file for this process, and why there are none; "" if there are, or if none were shipped."""
        if config.CPU_NAME or config.CPU_FEATURES or not self.folder.is_dir():
            return {}, ""  # a processor was chosen, or the wheel carries none
        family = host_family()
        if family is None:
            return {}, "none are for this processor"
        file = self.folder / f"{family}.bin"
        if not file.exists():
            return {}, f"{file.name} is missing: install the wheel again"
        try:
            first, _, body = file.read_bytes().partition(b"\n")
            header = dict(json.loads(first))
        except OSError as error:
            return {}, f"{file.name} cannot be read ({error.strerror or error})"
        except (ValueError, TypeError):
            return {}, f"{file.name} is damaged"
        for name, value in self._built_with().items():
            if header.get(name) != value:
                return {}, f"they are for {name} {header.get(name)}, not {value}"
        if hashlib.sha256(body).hexdigest() != header.get("sha256"):
            return {}, f"{file.name} is damaged"
        items: dict[str, bytes] = pickle.loads(body)
        return items, ""


def platform() -> str:
    """LLVM's name for the processor's architecture and the operating system, without a version such as Darwin's."""
    return str(llvm.get_process_triple()).rstrip("0123456789.")


def _without_target(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numba's key without the processor that it compiles for, which comes second."""
    return key[:1] + key[2:]
