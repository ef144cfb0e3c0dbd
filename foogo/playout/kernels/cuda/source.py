"""The playout of `foogo.playout.kernels.lockstep`, bound to the operations of a thread: one source for every backend.

The functions keep their code and get other globals: the modules `bitboard`, `floods`, `simd` and `windows` that they
call are those of this folder. Names that only the processor has must not be reached from them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from numba import cuda
from numba.cuda import config

from foogo.playout.kernels import lockstep, patterns, tactics
from foogo.playout.kernels.cuda import bitboard, floods, simd, windows
from foogo.playout.kernels.cuda.arithmetic import Operation


def is_simulated() -> bool:
    """Whether numba-cuda only simulates a GPU (NUMBA_ENABLE_CUDASIM=1)."""
    return bool(config.ENABLE_CUDASIM)


@cache
def bound() -> dict[str, ModuleType]:
    """The modules of operations, and `patterns`, `tactics` and `lockstep` bound to them, by name."""
    modules = {_name(source): _module(_name(source), source.OPERATIONS) for source in (bitboard, floods, simd, windows)}
    for source in (patterns, tactics, lockstep):
        modules[_name(source)] = ModuleType(f"foogo.playout.kernels.cuda.{_name(source)}")
        _rebind(source, modules)
    return modules


def _name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def on_device(function: Callable[..., Any]) -> Any:
    """The function as kernels may call it."""
    return function if is_simulated() else cuda.jit(device=True, forceinline=True)(function)


def with_globals(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    """The same code, with these globals before its own."""
    return _with_globals(function, {**function.__globals__, **names})


def _module(name: str, found: dict[str, Operation]) -> ModuleType:
    module = ModuleType(f"foogo.playout.kernels.cuda.{name}")
    if is_simulated():
        from foogo.playout.kernels.cuda import simulated

        for each, operation in found.items():
            setattr(module, each, simulated.callable_of(operation))
    else:
        from foogo.playout.kernels.cuda import compiled

        for each, operation in found.items():
            setattr(module, each, compiled.callable_of(operation, each))
    return module


def _rebind(source: ModuleType, modules: dict[str, ModuleType]) -> None:
    """Bind every compiled function of a module of the CPU's kernels."""
    target = modules[_name(source)]
    names = {**vars(source), **modules}
    for name, dispatcher in vars(source).items():
        if hasattr(dispatcher, "py_func") and dispatcher.py_func.__module__ == source.__name__:
            names[name] = on_device(_with_globals(dispatcher.py_func, names))
            setattr(target, name, names[name])


def _with_globals(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)
