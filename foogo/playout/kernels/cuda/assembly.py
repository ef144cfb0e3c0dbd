"""Kernels in PTX, and the registers they take, without a card: what numba-cuda's compilers alone can tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import SimpleNamespace
from unittest import mock

from numba import cuda

from foogo.playout.kernels.cuda.program import Use, pattern, signature


@dataclass(frozen=True)
class Resources:
    """What a thread of a kernel takes.

    Attributes
    ----------
    registers
        32-bit registers.
    local
        Bytes of local memory: spilled registers and arrays, both slow.
    shared
        Bytes of shared memory, of a block.
    """

    registers: int
    local: int
    shared: int


def ptx(use: Use, capability: tuple[int, int] = (9, 0)) -> str:
    """The kernel of a use in PTX, for cards of a compute capability.

    Raises
    ------
    ImportError
        If numba-cuda's compiler is not installed.
    """
    # numba-cuda asks the present card for its capability when it compiles a function that a kernel calls
    device = SimpleNamespace(compute_capability=capability)
    present = mock.patch("numba.cuda.dispatcher.get_current_device", return_value=device)
    with present:
        text, _ = cuda.compile(pattern(use), signature(), cc=capability, device=False, abi="numba", output="ptx")
    return str(text)


def resources(text: str, capability: tuple[int, int] = (9, 0), registers: int | None = None) -> Resources:
    """What the assembler says of a kernel in PTX.

    Raises
    ------
    ImportError
        If nvJitLink is not installed.
    """
    from cuda.bindings import nvjitlink

    options = [f"-arch=sm_{capability[0]}{capability[1]}", "-verbose"]
    if registers:
        options.append(f"-maxrregcount={registers}")
    handle = nvjitlink.create(len(options), options)
    try:
        data = text.encode() + b"\0"
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, data, len(data), "playout")
        nvjitlink.complete(handle)
        log = bytearray(nvjitlink.get_info_log_size(handle))
        nvjitlink.get_info_log(handle, log)
    finally:
        nvjitlink.destroy(handle)
    return _read(log.decode())


def _read(log: str) -> Resources:
    def number(expression: str) -> int:
        return sum(int(found) for found in re.findall(expression, log))

    return Resources(number(r"Used (\d+) registers"), number(r"(\d+) bytes stack frame"), number(r"(\d+) bytes smem"))
