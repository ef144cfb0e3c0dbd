"""Environments for learning: many games at once as arrays, and one game for PettingZoo.

`VectorEnvironment` plays a batch of games on compiled kernels. `foogo.env.pettingzoo` needs the extra of that name.
"""

from foogo.env.vector import Step, VectorEnvironment

__all__ = ["Step", "VectorEnvironment"]
