"""Files of arrays, which may be damaged."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a NumPy archive (.npz), by name; a ValueError says why, whatever is wrong with the file."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except Exception as error:  # zipfile and NumPy raise anything from KeyError to NotImplementedError
        why = getattr(error, "strerror", None) or " ".join(map(str, error.args)) or type(error).__name__
        raise ValueError(why) from None
