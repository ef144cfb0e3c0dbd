"""The Go Text Protocol: `foogo gtp`, and `Client` for any engine. docs/reference/gtp.md lists every command.

From the bottom up: `protocol` and `channel` read lines and write answers. `dispatcher` answers each command once.
`session` is what commands share. `command_table` names the function in `commands` that carries each command out.

`client` is the other side, on an `engine_process`. It is imported when it is first used, as it needs Numba, for which
an engine does not wait when it starts.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foogo.gtp.client import Client
    from foogo.gtp.engine_process import EngineFailure

__all__ = ["Client", "EngineFailure"]

_HOME = {"Client": "client", "EngineFailure": "engine_process"}


if not TYPE_CHECKING:  # so that a type checker still finds a misspelt name

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'foogo.gtp' has no attribute {name!r}")
        return getattr(import_module(f"foogo.gtp.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    loaded = (name for name in globals() if name.startswith("__") or f"foogo.gtp.{name}" in sys.modules)
    return sorted({*__all__, *loaded})
