"""The playout of `foogo.playout.kernels.lockstep`, bound to the operations of a thread: one source for every backend.

The functions keep their code and get other globals: the modules `bitboard`, `floods`, `simd`, `products` and `windows`
that they call are those of this folder. Names that only the processor has must not be reached from them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from numba import cuda
from numba.cuda import config, libdevice

from foogo.playout.kernels import liberties, lockstep, narrowing, patterns, picks, sight
from foogo.playout.kernels.cuda import bitboard, floods, products, simd, windows
from foogo.playout.kernels.cuda.arithmetic import Operation
from foogo.playout.kernels.narrowing import Rule


def is_simulated() -> bool:
    """Whether numba-cuda only simulates a GPU (NUMBA_ENABLE_CUDASIM=1)."""
    return bool(config.ENABLE_CUDASIM)


@cache
def bound(rule: Rule | None = None) -> dict[str, ModuleType]:
    """The modules of operations, and those of the playout bound to them, by name; with a rule, its policy plays."""
    operations = bitboard, floods, products, simd, windows
    modules = {_name(source): _module(_name(source), source.OPERATIONS) for source in operations}
    for source in (patterns, liberties, sight):
        _rebind(source, modules, {})
    _rebind(picks, modules, {} if is_simulated() else {"product": _rounded_product})
    _rebind(narrowing, modules, {} if rule is None else _with_rule(rule, modules))
    _rebind(lockstep, modules, {})
    return modules


def _rounded_product(a: Any, b: Any) -> Any:
    return libdevice.dmul_rn(float(a), float(b))


def _with_rule(rule: Rule, modules: dict[str, ModuleType]) -> dict[str, Callable[..., Any]]:
    """What replaces functions of `narrowing` for kernels of a rule; their policy is the weights."""
    python_function, liberties, sight = narrowing.FUNCTIONS[rule.digest].py_func, modules["liberties"], modules["sight"]
    names: dict[str, Any] = dict(python_function.__globals__)
    for name, value in python_function.__globals__.items():
        if isinstance(value, ModuleType):
            names[name] = modules[_name(value)]
        elif hasattr(value, "py_func"):
            names[name] = on_device(_with_globals(value.py_func, {**vars(modules["picks"]), **modules}))
    function = on_device(_with_globals(python_function, names))
    flood = liberties.alive_and_short if rule.sees_short else liberties.only_alive
    older = sight.tracked if rule.sees_before_last else sight.untracked

    def narrow(layout: Any, weights: Any, view: Any) -> Any:
        return function(layout, view, weights)

    def alive_and_short(layout: Any, weights: Any, own: Any, opponent: Any) -> Any:
        return flood(layout, own, opponent)

    def before_last(layout: Any, weights: Any, position: Any, refused: Any, fresh: Any) -> Any:
        return older(layout, position, refused, fresh)

    return {"narrow": narrow, "alive_and_short": alive_and_short, "before_last": before_last}


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


def _rebind(source: ModuleType, modules: dict[str, ModuleType], replaced: dict[str, Callable[..., Any]]) -> None:
    """Bind every compiled function of a module of the CPU's kernels, but those that are replaced."""
    target = modules[_name(source)] = ModuleType(f"foogo.playout.kernels.cuda.{_name(source)}")
    names = {**vars(source), **modules, **{name: on_device(function) for name, function in replaced.items()}}
    for name, dispatcher in vars(source).items():
        if hasattr(dispatcher, "py_func") and dispatcher.py_func.__module__ == source.__name__ and name not in replaced:
            names[name] = on_device(_with_globals(dispatcher.py_func, names))
    vars(target).update({name: names[name] for name in vars(source) if not name.startswith("__")})


def _with_globals(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)
