"""Leaves modules out of the search for doctests that need a missing package, or what Windows does not have."""

from __future__ import annotations

from importlib.util import find_spec

NEEDS = {
    "numba_cuda": "foogo/playout/kernels/cuda/*.py",
    "mypy": "foogo/mypy_plugin.py",
    "pettingzoo": "foogo/env/pettingzoo.py",
    "websockets": "foogo/web/se[rs]*.py",
    "fcntl": "foogo/gtp/client.py",  # Windows has no such module, and cannot drive engines
}

collect_ignore_glob = [pattern for package, pattern in NEEDS.items() if not find_spec(package)]
