"""Leaves the kernels of graphics cards out of the search for doctests where numba-cuda is not installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("numba_cuda") else ["foogo/playout/kernels/cuda/*.py"]
