"""Files of arrays, which may be damaged."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BEGINNING = b"PK"
"""Of every zip file, which an archive of NumPy is."""

_OTHER_FILE = "it is not a NumPy archive of numbers, .npz"


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a NumPy archive (.npz), by name; a ValueError says why, whatever is wrong with the file."""
    try:
        data = path.read_bytes()
        if not data.startswith(_BEGINNING):
            raise ValueError(_OTHER_FILE)
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except Exception as error:  # zipfile and NumPy raise anything from KeyError to NotImplementedError
        why = getattr(error, "strerror", None) or " ".join(map(str, error.args)) or type(error).__name__
        raise ValueError(_OTHER_FILE if "pickle" in why else why) from None  # NumPy advises to load objects
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):  # a member that is no array is bytes
        raise ValueError(_OTHER_FILE)
    return arrays
