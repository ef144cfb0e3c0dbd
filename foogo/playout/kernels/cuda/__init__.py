"""The playout on a GPU: the source of `foogo.playout.kernels.lockstep`, one game in each thread.

Without numba-cuda only `strip`, `arithmetic`, the operations (`bitboard`, `floods`, `simd`, `windows`) and `simulated`
can be imported. docs/explanation/gpu.md says how it all maps onto a GPU.
"""
