"""Kernels as PTX, and the registers that they take: all that numba-cuda's compilers can tell without a GPU."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import SimpleNamespace
from unittest import mock

from numba import cuda

from foogo.playout.kernels.cuda.program import KernelSpec, python_kernel, signature


@dataclass(frozen=True)
class Resources:
    """What a thread of a kernel needs.

    Attributes
    ----------
    registers
        32-bit registers.
    local
        Bytes of local memory: spilled registers and arrays, both slow.
    shared
        Bytes of shared memory of a block.
    """

    registers: int
    local: int
    shared: int


def ptx(spec: KernelSpec, capability: tuple[int, int] = (9, 0)) -> str:
    """The kernel of a spec as PTX, for GPUs of a compute capability.

    Raises
    ------
    ImportError
        If numba-cuda's compiler is not installed.
    """
    # numba-cuda asks the present GPU for its capability when it compiles a function that a kernel calls
    device = SimpleNamespace(compute_capability=capability)
    present = mock.patch("numba.cuda.dispatcher.get_current_device", return_value=device)
    with present:
        text, _ = cuda.compile(python_kernel(spec), signature(), cc=capability, device=False, abi="numba", output="ptx")
    return str(text)


def resources(text: str, capability: tuple[int, int] = (9, 0)) -> Resources:
    """What the assembler says of a kernel as PTX.

    Raises
    ------
    ImportError
        If nvJitLink is not installed.
    """
    from cuda.bindings import nvjitlink

    options = [f"-arch=sm_{capability[0]}{capability[1]}", "-verbose"]
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
