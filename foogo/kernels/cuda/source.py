"""The playout of `foogo.kernels.lockstep`, bound to the operations of a thread: one source for every backend.

The functions keep their code and get other globals: what they call `sets`, `words` and `knowledge` is the card's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from numba import cuda
from numba.cuda import config

from foogo.kernels import knowledge, lockstep
from foogo.kernels.cuda import operations


def simulated() -> bool:
    """Whether numba-cuda only simulates a card (NUMBA_ENABLE_CUDASIM=1)."""
    return bool(config.ENABLE_CUDASIM)


@cache
def bound() -> dict[str, ModuleType]:
    """The modules `sets`, `words`, `knowledge` and `lockstep` as a thread of a card sees them."""
    modules = {
        "sets": _module("sets", operations.SETS),
        "words": _module("words", operations.WORDS),
        "knowledge": ModuleType("foogo.kernels.cuda.knowledge"),
        "lockstep": ModuleType("foogo.kernels.cuda.lockstep"),
    }
    _rebind(knowledge, modules)
    _rebind(lockstep, modules)
    return modules


def on_device(function: Callable[..., Any]) -> Any:
    """The function as kernels may call it."""
    return function if simulated() else cuda.jit(device=True, forceinline=True)(function)


def with_globals(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    """The same code, with these globals before its own."""
    return _with_globals(function, {**function.__globals__, **names})


def _module(name: str, found: dict[str, operations.Operation]) -> ModuleType:
    module = ModuleType(f"foogo.kernels.cuda.{name}")
    if simulated():
        from foogo.kernels.cuda import plain

        for each, operation in found.items():
            setattr(module, each, plain.callable_of(operation))
    else:
        from foogo.kernels.cuda import typed

        for each, operation in found.items():
            setattr(module, each, typed.callable_of(operation, each))
    return module


def _rebind(source: ModuleType, modules: dict[str, ModuleType]) -> None:
    """Bind every compiled function of a module of the CPU's kernels."""
    target = modules[source.__name__.rpartition(".")[2]]
    names = {**vars(source), **modules}
    for name, dispatcher in vars(source).items():
        if hasattr(dispatcher, "py_func") and dispatcher.py_func.__module__ == source.__name__:
            names[name] = on_device(_with_globals(dispatcher.py_func, names))
            setattr(target, name, names[name])


def _with_globals(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)
