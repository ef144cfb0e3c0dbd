"""The code of one kernel between Numba and LLVM, for `foogo.core.linking`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.environment import lookup_environment

SMALL = 250
"""The most instructions of a kernel that is linked into its callers. With 80 the search is 3 % slower."""

_ENVIRONMENT = "_ZN08NumbaEnv"
"""The beginning of the name of a global variable that points to a function's `Environment`."""


class LinkError(RuntimeError):
    """Code calls a symbol that does not exist."""


class Dependency(NamedTuple):
    """A kernel that another calls by its symbol."""

    module: str
    name: str
    args: tuple[Any, ...]
    """The types of its arguments."""
    is_entry: bool
    symbol: str


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel."""

    dependency: Dependency

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave the functions to the passes of the modules that they are linked into."""
        ll_module.data_layout = self._codegen._data_layout


class InlineLibrary(_Library):
    """The LLVM code of an inline kernel, without that of the kernels that it calls."""

    def finalize(self) -> None:
        """Let the code be linked several times, and be dropped once it is inlined."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True


class KernelLibrary(_Library):
    """The machine code of a kernel.

    Attributes
    ----------
    called
        The libraries of the kernels that it calls by their symbols.
    is_small
        Whether its callers link it.
    defined
        The symbols of its machine code.
    """

    called: dict[str, KernelLibrary]
    is_small = False
    defined: list[str]

    def finalize(self) -> None:
        """Link, optimize and emit.

        Raises
        ------
        LinkError
            If the code calls a symbol that does not exist.
        """
        self._raise_if_finalized()
        self._codegen._check_llvm_bugs()
        self.called = {}
        inline: dict[str, InlineLibrary] = {}
        self._link(self._linking_libraries, set(), inline)
        # LLVM drops code that nothing calls when it is linked, and what calls it may be linked later.
        while dropped := [inline[name] for name in self.undefined() if name in inline]:
            for library in dropped:
                self._final_module.link_in(library._final_module, preserve=True)
        passes = self._codegen._module_pass_manager()
        manager, *builder = passes if isinstance(passes, tuple) else (passes,)
        manager.run(self._final_module, *builder)
        self._final_module.verify()
        missing = [name for name in self.undefined() if not exists(self._codegen, name)]
        if missing:
            raise LinkError(f"{self.name} calls {', '.join(missing)}, which is not in memory")
        self.defined = [one.name for one in _globals_of(self._final_module) if not one.is_declaration]
        self.is_small = self._has_at_most(SMALL)
        self._finalize_final_module()

    def undefined(self) -> list[str]:
        """The symbols that the code uses and does not define."""
        names = (one.name for one in _globals_of(self._final_module) if one.is_declaration)
        return [name for name in names if not name.startswith(("llvm.", RuntimeLinker.PREFIX))]

    def _link(self, libraries: list[Any], seen: set[int], inline: dict[str, InlineLibrary]) -> None:
        """Link what is inlined into this module, and note it by its symbol; note what is called by its symbol."""
        for library in libraries:
            if id(library) in seen:
                continue
            seen.add(id(library))
            if isinstance(library, KernelLibrary):
                if not library.is_small:
                    self.called[library.dependency.symbol] = library
                    continue
                self.called.update(library.called)
            self._final_module.link_in(
                library._final_module if isinstance(library, InlineLibrary) else library._get_module_for_linking(),
                preserve=True,
            )
            if isinstance(library, InlineLibrary):
                inline[library.dependency.symbol] = library
                self._link(library._linking_libraries, seen, inline)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        self.set_environments(self._final_module)

    def set_environments(self, module: Any) -> None:
        """Point the module's variables to the environments of the functions that it was linked from."""
        for variable in module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)

    def _has_at_most(self, most: int) -> bool:
        count = 0
        for function in self._final_module.functions:
            if function.name.startswith(("_ZN7cpython", "cfunc.")):
                continue
            for block in function.blocks:
                count += sum(1 for _ in block.instructions)
                if count > most:
                    return False
        return True


def _globals_of(module: Any) -> Iterator[Any]:
    yield from module.functions
    yield from module.global_variables


def exists(codegen: Any, symbol: str) -> bool:
    """Whether machine code may use the symbol."""
    return codegen._engine.is_symbol_defined(symbol) or llvm.address_of_symbol(symbol) is not None
