"""The learned weights of the features of moves, a logarithm to the base 2 each.

They were fitted to the visits that searches gave to moves: bench/learn_priors.py plays the games and fits them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@cache
def feature_weights() -> NDArray[np.float32]:
    """The weight of every feature of `foogo.search.kernels.features`."""
    with np.load(Path(__file__).with_name("learned_prior.npz")) as stored:
        return np.asarray(stored["weights"])
