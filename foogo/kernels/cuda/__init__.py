"""The playout on a graphics card: the source of `foogo.kernels.lockstep`, one game in each thread.

Only `layout` and `operations` may be imported without numba-cuda. docs/gpu.md says how it all maps onto a card.
"""
