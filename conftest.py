"""Leaves modules whose optional package is not installed out of the search for doctests."""

from __future__ import annotations

from importlib.util import find_spec

NEEDS = {
    "numba_cuda": "foogo/playout/kernels/cuda/*.py",
    "mypy": "foogo/mypy_plugin.py",
    "pettingzoo": "foogo/env/pettingzoo.py",
}

collect_ignore_glob = [pattern for package, pattern in NEEDS.items() if not find_spec(package)]
