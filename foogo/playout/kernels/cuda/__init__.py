"""The playout on a graphics card: the source of `foogo.playout.kernels.lockstep`, one game in each thread.

Without numba-cuda only `layout`, `arithmetic`, the operations in `sets`, `words` and `vicinity`, and `plain` may be
imported. docs/explanation/gpu.md says how it all maps onto a card.
"""
