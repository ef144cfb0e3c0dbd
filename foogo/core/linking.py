"""Kernels whose code is generated once: Numba compiles a function again for every function that calls it.

Numba links the LLVM code of all that a function calls into the function's own module. There it is optimized and turned
into machine code again, at every level of the calls. Here

- an *inline* kernel only has LLVM code, which goes into the modules of its callers;
- any other kernel has one module with machine code, and its callers call it by its *symbol*. A small one is linked into
  its callers as well, as Numba does it;
- a kernel can be called from Python only if Python called it first. Otherwise it is compiled once more, as an *entry*:
  the code that converts Python's arguments takes longer to compile than many kernels.

All this builds on private classes of Numba. `foogo.core.jit` uses it only with tested versions of Numba, and otherwise
falls back to Numba alone.

LLVM ends the process if machine code calls a symbol that does not exist. So `KernelLibrary` checks every symbol before
LLVM sees the code. Code from the disk names the kernels that it calls. They are loaded or compiled before it, and it is
compiled anew if one of them does not have the expected symbol.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import sigutils, types
from numba.core.caching import CompileResultCacheImpl
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.funcdesc import default_mangler
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from foogo.core.frontend import remembered_operators, shortened
from foogo.core.libraries import Dependency, InlineLibrary, KernelLibrary, exists


class _Compilation:
    """The depth of nested compilations: how many kernels are being compiled, each for the one before.

    Numba's lock protects it.
    """

    depth = 0

    @classmethod
    @contextmanager
    def at(cls, depth: int) -> Iterator[None]:
        """Compile at that depth: 0 for Python's calls."""
        before, cls.depth = cls.depth, depth
        was_collecting = gc.isenabled()
        gc.disable()  # it would find little, and take a tenth of the time
        try:
            with nullcontext() if before else remembered_operators():
                yield
        finally:
            cls.depth = before
            if was_collecting:
                gc.enable()


class _Symbol:
    """Stands in for the Python function of a kernel that only kernels can call."""


# --- compiling --------------------------------------------------------------------------------------

_OWNERS: dict[str, Any] = {}
"""The function behind each symbol."""


def _new_symbol(function: Any, args: tuple[Any, ...], is_entry: bool, codegen: Any) -> tuple[str, str]:
    """The end of a kernel's names in LLVM, and its symbol: the same in every process, and new in this one."""
    name, attempt = f"{function.__module__}.{function.__qualname__}", 0
    while True:
        meaning = repr((name, [str(arg) for arg in args], is_entry, attempt))
        end = "k" + hashlib.sha256(meaning.encode()).hexdigest()[:16]
        symbol = default_mangler(f"{name}.{end}", ())
        if _OWNERS.setdefault(symbol, function) is function and not codegen._engine.is_symbol_defined(symbol):
            return end, symbol
        attempt += 1  # a function of the same name, or code from a disk cache that could not be used


class _Pipeline(Compiler):  # type: ignore[misc]
    """Numba's pipeline, with the library for this kind of kernel."""

    def compile_extra(self, func: Any) -> Any:
        with _Compilation.at(_Compilation.depth + 1):
            return super().compile_extra(func)

    def define_pipelines(self) -> Any:
        state = self.state
        function, args, is_entry = state.func_id.func, tuple(state.args), _Compilation.depth == 1
        context, codegen = state.targetctx, state.targetctx.codegen()
        end, symbol = _new_symbol(function, args, is_entry, codegen)
        kind = InlineLibrary if state.flags.forceinline and not is_entry else KernelLibrary
        state.library = kind(codegen, state.func_id.func_qualname)
        state.library.dependency = Dependency(function.__module__, function.__qualname__, args, is_entry, symbol)
        state.library.enable_object_caching()
        state.flags.no_cfunc_wrapper = True
        # The context is this compilation's own.
        context.mangler = lambda name, *_, **__: default_mangler(f"{name}.{end}", ())
        if not is_entry:
            state.flags.no_cpython_wrapper = True
            context.get_executable = _finish
        return shortened(super().define_pipelines(), function)


def _finish(library: Any, _fndesc: Any, _environment: Any) -> _Symbol:
    """Replaces the step of Numba that makes a function for Python."""
    library.finalize()
    return _Symbol()


_KERNELS: dict[tuple[str, str], KernelDispatcher] = {}
"""All kernels, by module and name."""


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel. It is not compiled again for each integer constant among its arguments."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None) -> None:
        options = dict(targetoptions, nopython=True, boundscheck=None)
        super().__init__(py_func, locals or {}, options, pipeline_class=_Pipeline)
        self._is_inline = options["forceinline"]
        self._compiled: dict[tuple[tuple[Any, ...], bool], Any] = {}
        _KERNELS[py_func.__module__, py_func.__qualname__] = self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The template with which Numba types a call."""
        if _Compilation.depth == 0:  # Numba would link code that may have been machine code from the start
            raise TypingError(f"only kernels call kernels: give the caller of {self.__name__} `foogo.core.jit.kernel`")
        return super().get_call_template([_without_value(arg) for arg in args], kws)

    def compile(self, sig: Any) -> Any:
        """Compile for argument types, or load from disk. The caller is the kernel being compiled, or else Python."""
        with global_compiler_lock:
            args, is_entry = tuple(sigutils.normalize_signature(sig)[0]), _Compilation.depth == 0
            if not is_entry and args in self.overloads:
                return self.overloads[args].entry_point
            return self._code_for(sig, args, is_entry).entry_point

    def _code_for(self, sig: Any, args: tuple[Any, ...], is_entry: bool) -> Any:
        if (args, is_entry) not in self._compiled:
            linked = self.overloads.pop(args, None)  # else Numba would not compile again
            try:
                super().compile(sig)
            finally:
                if linked is not None:
                    self.overloads[args] = linked
        return self._compiled[args, is_entry]

    def add_overload(self, cres: Any) -> None:
        """Record compiled code: for callers to link, for Python to call, or for both."""
        args, is_entry = tuple(cres.signature.args), not isinstance(cres.entry_point, _Symbol)
        self._compiled[args, is_entry] = cres
        if is_entry:
            self._insert([arg._code for arg in args], cres.entry_point, cres.objectmode)
        if not (is_entry and self._is_inline):
            self.overloads[args] = cres

    def library_of(self, dependency: Dependency) -> Any:
        """The library of a dependency, loaded or compiled if necessary."""
        with _Compilation.at(0 if dependency.is_entry else max(1, _Compilation.depth)):
            return self._code_for(dependency.args, dependency.args, dependency.is_entry).library


def _without_value(arg: Any) -> Any:
    return arg.literal_type if isinstance(arg, types.IntegerLiteral | types.BooleanLiteral) else arg


def is_called_from_python() -> bool:
    """Whether what is about to be compiled or loaded is called from Python, and not from a kernel."""
    return _Compilation.depth == 0


# --- the disk ---------------------------------------------------------------------------------------


class _Stored(NamedTuple):
    """A kernel on disk."""

    dependency: Dependency
    called: list[Dependency]
    undefined: list[str]
    """The symbols that must exist."""
    defined: list[str]
    machine_code: bytes
    linkable: bytes | None
    """LLVM's bitcode, if callers link the kernel."""
    descriptor: Any
    environment: Any
    signature: Any
    environments: tuple[Any, ...]
    """Of all functions in the machine code."""


def prepare_to_load(target_context: Any) -> None:
    """Define what machine code calls, without all that Numba needs to compile: its import takes half a second."""
    rtsys.initialize(target_context)


class LinkedStore(CompileResultCacheImpl):  # type: ignore[misc]
    """What Numba's disk cache writes and reads of a kernel."""

    def reduce(self, cres: Any) -> Any:
        """A pickled `_Stored` and its SHA-256, without which a flipped bit in machine code would go unnoticed."""
        library, descriptor = cres.library, cres.fndesc
        descriptor.typemap = descriptor.calltypes = None
        stored = _Stored(
            library.dependency,
            [called.dependency for called in library.called.values()],
            library.undefined(),
            library.defined,
            library._get_compiled_object(),
            library._get_module_for_linking().as_bitcode() if library.is_small else None,
            descriptor,
            cres.environment,
            cres.signature,
            tuple(cres._find_referenced_environments()),
        )
        data = dumps(stored)
        return hashlib.sha256(data).digest(), data

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """The compiled code, or None if it is damaged or something that it calls is not as it was."""
        digest, data = payload
        if hashlib.sha256(data).digest() != digest:
            return None
        stored, codegen = pickle.loads(data), target_context.codegen()
        called = {}
        for dependency in stored.called:
            importlib.import_module(dependency.module)
            library = _KERNELS[dependency.module, dependency.name].library_of(dependency)
            if library.dependency.symbol != dependency.symbol or library.is_small:
                return None
            called[dependency.symbol] = library
        if codegen._engine.is_symbol_defined(stored.dependency.symbol):
            return None
        if not all(exists(codegen, symbol) for symbol in stored.undefined):
            return None
        library = KernelLibrary(codegen, stored.descriptor.qualname)
        library.dependency, library.called, library.defined = stored.dependency, called, stored.defined
        library.enable_object_caching()
        library._set_compiled_object(stored.machine_code)
        if stored.linkable is not None:
            library.is_small, library._shared_module = True, llvm.parse_bitcode(stored.linkable)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(stored.defined)
        for environment in stored.environments:
            codegen.set_env(environment.env_name, environment)
        is_entry = stored.dependency.is_entry
        found = (library, stored.descriptor, stored.environment)
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            library=library,
            environment=stored.environment,
            entry_point=target_context.get_executable(*found) if is_entry else _Symbol(),
            fndesc=stored.descriptor,
            signature=stored.signature,
            objectmode=False,
            lifted=(),
            typing_error=None,
            reload_init=(),
            referenced_envs=stored.environments,
        )
