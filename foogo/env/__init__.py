"""Environments for learning: many games at once as arrays, and one game for PettingZoo.

`VectorEnvironment` plays a batch of games on compiled kernels. `foogo.env.pettingzoo` needs the extra of that name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foogo.env.vector import Step, VectorEnvironment

__all__ = ["Step", "VectorEnvironment"]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name != "pettingzoo":
            raise AttributeError(f"module 'foogo.env' has no attribute {name!r}")
        return import_module("foogo.env.pettingzoo")
