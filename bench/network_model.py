"""The network of `foogo.search.kernels.network` in JAX, with fractions, and its fit."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, isqrt, log
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from bench.network_positions import Positions, symmetries, turned
from foogo.search.kernels import features, position_notes
from foogo.search.kernels import network_layout as n
from foogo.search.learned_prior import feature_weights
from foogo.search.network import parts_of

VALUE_WEIGHT, OWNER_WEIGHT = 1.5, 0.5
BATCH, WARMING, DECAY, AVERAGED = 256, 100, 0.01, 0.005
LEARNING_RATE, CONTINUED_RATE = 4e-3, 1.5e-3
"""The largest one of a fit from nothing, and of one that starts from a network."""
REPORTS = 20
"""How often a fit says how far it is."""

LN2 = log(2)

RULE = optax.chain(optax.scale_by_adam(b2=0.99), optax.add_decayed_weights(DECAY))
"""AdamW (Loshchilov and Hutter 2019) for a learning rate of 1."""

SPREADS = {"kinds": 0.12, "moves": 0.12, "spread": 0.25, "mix": 0.15, "board": 0.05, "hidden": 0.08}
"""Standard deviations of the random weights that a fit starts from."""
SCALES = {name: n.ONE * n.ONE_WEIGHT if name.endswith("bias") else n.ONE_WEIGHT for name in n.SIZES}
SCALES |= dict.fromkeys(("places", "kinds", "moves"), n.ONE)
"""What stands for 1 in each part of the table of weights."""
BLOCK_PARTS = ("spread", "spread_bias", "mix", "mix_bias", "board")

Weights = dict[str, Any]
"""The parts of the network, as `foogo.search.network.parts_of` has them; and `owner`, for the fit alone."""


def random_weights(seed: int) -> Weights:
    """The weights that a fit from nothing starts from."""
    rng = np.random.default_rng(seed)
    table = [rng.normal(0.0, SPREADS.get(name, 0.0), count) for name, count in n.SIZES.items()]
    weights = parts_of(np.concatenate(table).astype(np.float32))
    weights["places"] += 0.1
    weights["spread_bias"] += 0.1
    weights["outputs_bias"][1] = -0.2
    return weights | {"owner": rng.normal(0.0, 0.1, n.CHANNELS).astype(np.float32)}


def whole_numbers(weights: Weights) -> NDArray[np.int32]:
    """The table of weights of `foogo.search.kernels.network_layout`."""
    parts = [np.rint(np.asarray(weights[name], np.float64) * scale).ravel() for name, scale in SCALES.items()]
    return np.concatenate(parts).astype(np.int32)


def rounded(weights: Weights) -> Weights:
    """The weights as their whole numbers give them; gradients pass through (Bengio et al. 2013)."""
    parts = {name: jnp.rint(weights[name] * scale) / scale for name, scale in SCALES.items()}
    passed = {name: weights[name] + jax.lax.stop_gradient(part - weights[name]) for name, part in parts.items()}
    return weights | passed


def fractions(table: NDArray[np.int32]) -> Weights:
    """The weights of a table of whole numbers, which says nothing of owners."""
    parts = {name: np.float32(part / SCALES[name]) for name, part in parts_of(table).items()}
    return parts | {"owner": np.zeros(n.CHANNELS, np.float32)}


class Answers(NamedTuple):
    """What the network says of many positions."""

    added: Any
    """(positions, points): to the logarithm of each move's probability."""
    value: Any
    """The logarithm of the odds to win; as all of them to the base 2."""
    passing: Any
    """Added to the logarithm of a pass's probability."""
    owner: Any


def answers(weights: Weights, kinds: Any, rows: Any, komi: Any) -> Answers:
    """What the network says."""
    size = isqrt(kinds.shape[1])
    lines = [sorted(min(x, size - 1 - x, n.LINES - 1) for x in divmod(point, size)) for point in range(size**2)]
    places = np.array([far * (far + 1) // 2 + near for near, far in lines])
    line = np.eye(n.LINES, dtype=np.float32)[[near for near, _ in lines]]
    cells = kinds.astype(np.int32).reshape(-1, size, size)
    cells = jnp.pad(cells, ((0, 0), (1, 1), (1, 1)), constant_values=position_notes.EDGE_KIND)
    near_kinds = jnp.stack(_around(cells, size), 3) + n.KINDS * np.arange(n.TAPS)
    seen = weights["kinds"][near_kinds].sum(3)
    of_moves = jnp.pad(weights["moves"], ((0, 1), (0, 0)))[rows.astype(np.int32)].sum(2) + weights["places"][places]
    here = _clip(seen + of_moves.reshape(seen.shape))
    blocks = (weights[name].reshape(n.BLOCKS, -1, n.CHANNELS) for name in BLOCK_PARTS)
    for taps, spread_bias, mix, mix_bias, board in zip(*blocks, strict=True):
        common = here.sum((1, 2)) / (1 << n.SUM_BITS) @ board + mix_bias
        padded = jnp.pad(here, ((0, 0), (1, 1), (1, 1), (0, 0)))
        # nine products, which take half the time of a convolution by channel
        spread = sum(tap * part for tap, part in zip(taps, _around(padded, size), strict=True))
        here = _clip(here + _clip(spread + spread_bias) @ mix + common[:, None, None])
    flat = here.reshape(-1, size**2, n.CHANNELS)
    of_lines = jnp.einsum("npc,pl->nlc", flat, line).reshape(len(flat), -1) / (1 << n.LINE_BITS)
    hidden = _clip(of_lines @ weights["hidden"] + weights["hidden_bias"])
    fixed, of_komi, passing = (hidden @ weights["outputs"].T + weights["outputs_bias"]).T
    return Answers(flat @ weights["policy"][0], fixed + of_komi * komi, passing, flat @ weights["owner"])


def _around(board: Any, size: int) -> list[Any]:
    """For each of the three by three points around a point: a board with that neighbour of every point."""
    return [board[:, row : row + size, column : column + size] for row in range(3) for column in range(3)]


def _clip(numbers: Any) -> Any:
    """From 0 to the largest activation."""
    return jnp.clip(numbers, 0.0, n.MOST / n.ONE)


def losses(said: Answers, positions: Positions) -> Any:
    """The cross entropy of the moves and of the value, nats, and the mean square of what the owners are wrong by."""
    passing = said.passing + feature_weights()[features.START[features.PASSING]]
    logarithms = jnp.concatenate([said.added + positions.logarithms, passing[:, None]], 1)
    chances = jax.nn.log_softmax(LN2 * logarithms)
    chances = jnp.where(positions.shares == 0, 0.0, chances)  # some are -inf, but there the share is 0
    certainty = positions.certainty
    moves = -(certainty @ (positions.shares * chances).sum(1)) / jnp.maximum(certainty.sum(), 1e-6)
    values = optax.sigmoid_binary_cross_entropy(LN2 * said.value, positions.value).mean()
    return jnp.stack([moves, values, ((jnp.tanh(said.owner) - positions.owner) ** 2).mean()])


def _loss(weights: Weights, positions: Positions) -> Any:
    said = answers(rounded(weights), positions.kinds, positions.rows, positions.komi)
    return losses(said, positions) @ np.array([1.0, VALUE_WEIGHT, OWNER_WEIGHT], np.float32)


def _step(weights: Weights, mean: Weights, state: Any, positions: Positions, rate: float, share: float) -> Any:
    """A step down the gradient, and `share` of the way of the mean towards the new weights."""
    changes, state = RULE.update(jax.grad(_loss)(weights, positions), state, weights)
    weights = {name: part - rate * changes[name] for name, part in weights.items()}
    return weights, optax.incremental_update(weights, mean, share), state


def fit(
    positions: Positions, table: NDArray[np.int32] | None, epochs: float, seed: int
) -> Iterator[tuple[float, Weights]]:
    """Fit a network that often to all positions; yields the epochs so far and the mean of late weights.

    It starts from a table of whole numbers, or from nothing. The first weights are those that it starts from. All are
    rounded as in the table.
    """
    highest, weights = (LEARNING_RATE, random_weights(seed)) if table is None else (CONTINUED_RATE, fractions(table))
    rng, count, compiled_step = np.random.default_rng(seed), len(positions.komi), jax.jit(_step)
    orders, batch = symmetries(isqrt(positions.kinds.shape[1])), min(BATCH, count)
    steps = ceil(epochs * count / batch)
    mean, state = weights, RULE.init(weights)
    yield 0.0, rounded(weights)
    for step in range(steps):
        rate = highest * min(1.0, (step + 1) / WARMING) * (1.0 - step / steps)
        drawn = turned(positions.take(rng.integers(count, size=batch)), orders[rng.integers(len(orders))])
        weights, mean, state = compiled_step(weights, mean, state, drawn, rate, max(AVERAGED, 1 / (step + 1)))
        if (step + 1) * REPORTS // steps > step * REPORTS // steps:
            yield (step + 1) * batch / count, rounded(mean)


def answers_of(weights: Weights, positions: Positions) -> Answers:
    """What the network says of any number of positions."""
    inputs = positions.kinds, positions.rows, positions.komi
    parts = [
        _compiled_answers(weights, *(column[start : start + BATCH] for column in inputs))
        for start in range(0, len(positions.komi), BATCH)
    ]
    return Answers(*map(np.concatenate, zip(*parts, strict=True)))


_compiled_answers = jax.jit(answers)
