"""The network of `foogo.search.kernels.network` in PyTorch, with fractions, and its fit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as f
from numpy.typing import NDArray
from torch import Tensor, nn

from bench.network_games import FORMAT, NO_MOVE
from bench.network_inputs import Extractor
from foogo.errors import NetworkFileError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, PASS
from foogo.game.position import cell_of
from foogo.search.kernels import features, position_notes
from foogo.search.kernels import network_layout as n
from foogo.search.kernels.moves import MoveContext
from foogo.search.learned_prior import feature_weights

HIGHEST = n.MOST / n.ONE
"""The largest activation."""

RESULT_SHARE = 0.6
"""The part of a position's target value that is the result of its game; the rest is the value that its search found."""
SHORT_WEIGHT, LEAST_PLAYOUTS = 0.35, 100
"""What the visits of a short search count, and the fewest playouts that count."""
VALUE_WEIGHT, OWNER_WEIGHT = 1.5, 0.5
BATCH, LEARNING_RATE, WARMING, DECAY, AVERAGED = 256, 4e-3, 100, 0.01, 0.005


class Positions(NamedTuple):
    """Many positions, as the player to move sees them."""

    kinds: NDArray[np.uint8]
    rows: NDArray[np.uint8]
    logarithms: NDArray[np.float32]
    shares: NDArray[np.float32]
    """(positions, points + 1): of the playouts of a search, by move; all 0 if there were too few."""
    certainty: NDArray[np.float32]
    """What a position's shares count."""
    komi: NDArray[np.float32]
    value: NDArray[np.float32]
    """The target: of the game's result and the search's value."""
    won: NDArray[np.float32]
    owner: NDArray[np.float32]

    def take(self, which: Any) -> Positions:
        """Some of them."""
        return Positions(*(column[which] for column in self))


def read_games(paths: list[Path], size: int) -> tuple[Positions, Positions]:
    """The positions of all games in the files but every twentieth, and those of the others."""
    used, apart = [], []
    for path in paths:
        with np.load(path) as stored:
            data = {name: stored[name] for name in stored.files}
        if data.get("format") != FORMAT or data["size"] != size:
            raise NetworkFileError(f"{path} has no {size}x{size} games of format {FORMAT}")
        positions = _positions(data, size)
        is_apart = data["game"] % 20 == 0
        used.append(positions.take(~is_apart))
        apart.append(positions.take(is_apart))
    return tuple(Positions(*map(np.concatenate, zip(*parts, strict=True))) for parts in (used, apart))  # type: ignore[return-value]


def _positions(data: dict[str, Any], size: int) -> Positions:
    extractor, inputs = Extractor(size), []
    for stones, *context in zip(*(data[name] for name in ("stones", "to_play", "ko", "last", "before")), strict=True):
        color, *moves = (int(number) for number in context)
        ko, last, before = (cell_of(size, None if move == NO_MOVE else move) for move in moves)
        state = Board.from_colors(size, stones.tolist()).state
        inputs.append(extractor.inputs(state, MoveContext(color, ko, last, before, np.uint64(0), 0)))
    kinds, rows, logarithms = (np.array(column) for column in zip(*inputs, strict=True))
    is_black, visits = data["to_play"] == BLACK, data["visits"].astype(np.float32)
    visits[:, :-1][np.isinf(logarithms)] = 0.0
    total = visits.sum(axis=1, keepdims=True)
    counts = (total[:, 0] >= LEAST_PLAYOUTS) & (data["last"] != PASS)
    return Positions(
        kinds, rows, logarithms, visits / np.maximum(total, 1.0),
        np.where(data["is_long"], 1.0, SHORT_WEIGHT).astype(np.float32) * counts,
        np.where(is_black, data["komi"], -data["komi"]).astype(np.float32),
        (RESULT_SHARE * data["won"] + (1 - RESULT_SHARE) * data["value"]).astype(np.float32),
        data["won"].astype(np.float32),
        np.where(is_black[:, None], 0.01, -0.01).astype(np.float32) * data["owner"],
    )  # fmt: skip


class Model(nn.Module):  # type: ignore[misc]
    """The layers, with the names of `foogo.search.kernels.network_layout.SIZES`."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, channels, blocks = size, n.CHANNELS, n.BLOCKS

        def normal(spread: float, *shape: int) -> nn.Parameter:
            return nn.Parameter(spread * torch.randn(*shape))

        self.places = nn.Parameter(torch.full((n.PLACES, channels), 0.1))
        self.kinds = normal(0.12, channels, n.KINDS, 3, 3)
        self.moves = normal(0.12, n.MOVE_ROWS, channels)
        self.spread = normal(0.25, blocks, channels, 1, 3, 3)
        self.spread_bias = nn.Parameter(torch.full((blocks, channels), 0.1))
        self.mix = normal(0.15, blocks, channels, channels)
        self.mix_bias = nn.Parameter(torch.zeros(blocks, channels))
        self.board = normal(0.05, blocks, channels, channels)
        self.policy = nn.Parameter(torch.zeros(channels))
        self.hidden = normal(0.08, n.LINES * channels, channels)
        self.hidden_bias = nn.Parameter(torch.zeros(channels))
        self.outputs = nn.Parameter(torch.zeros(n.OUTPUTS, channels))
        self.outputs_bias = nn.Parameter(torch.tensor([0.0, -0.2, 0.0]))
        self.owner = normal(0.1, channels)  # for the fit alone
        lines = [sorted(min(x, size - 1 - x, n.LINES - 1) for x in divmod(point, size)) for point in range(size**2)]
        self._place = torch.tensor([far * (far + 1) // 2 + near for near, far in lines])
        self._line = f.one_hot(torch.tensor([near for near, _ in lines]), n.LINES).float()
        edge = torch.zeros(1, n.KINDS, size + 2, size + 2)
        edge[0, position_notes.EDGE_KIND] = 1.0
        edge[0, position_notes.EDGE_KIND, 1:-1, 1:-1] = 0.0
        self._edge = edge

    def forward(self, kinds: Tensor, rows: Tensor, komi: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What is added for each point, the value, what is added for a pass, and each point's owner."""
        count, size, channels = len(kinds), self.size, n.CHANNELS
        one = f.one_hot(kinds.long(), n.KINDS).float().view(count, size, size, n.KINDS).permute(0, 3, 1, 2)
        seen = f.conv2d(f.pad(one, (1, 1, 1, 1)) + self._edge, self.kinds)
        many = torch.zeros(count * size**2, n.MOVE_ROWS + 1).scatter_(1, rows.long().reshape(-1, len(n.GROUPS)), 1.0)
        of_moves = (many[:, :-1] @ self.moves).view(count, size, size, channels).permute(0, 3, 1, 2)
        here = clip(seen + of_moves + self.places[self._place].T.reshape(1, channels, size, size))
        for block in range(n.BLOCKS):
            common = here.sum((2, 3)) / (1 << n.SUM_BITS) @ self.board[block] + self.mix_bias[block]
            spread = clip(f.conv2d(here, self.spread[block], self.spread_bias[block], padding=1, groups=channels))
            mixed = f.conv2d(spread, self.mix[block].T.reshape(channels, channels, 1, 1))
            here = clip(here + mixed + common.view(count, channels, 1, 1))
        flat = here.reshape(count, channels, size**2)
        lines = torch.einsum("ncp,pl->nlc", flat, self._line).reshape(count, -1) / (1 << n.LINE_BITS)
        ends = clip(lines @ self.hidden + self.hidden_bias) @ self.outputs.T + self.outputs_bias
        moves, owner = torch.einsum("ncp,c->np", flat, self.policy), torch.einsum("ncp,c->np", flat, self.owner)
        return moves, ends[:, 0] + ends[:, 1] * komi, ends[:, 2], owner

    def weights(self) -> NDArray[np.int32]:
        """The table of weights, as whole numbers."""
        rows = {name: part.detach().double().numpy() for name, part in self.named_parameters()}
        rows["kinds"] = rows["kinds"].transpose(2, 3, 1, 0)
        rows["spread"] = rows["spread"][:, :, 0].transpose(0, 2, 3, 1)
        scales = {
            name: n.ONE * n.ONE_WEIGHT if name.endswith("bias") else n.ONE_WEIGHT for name in n.SIZES
        } | dict.fromkeys(("places", "kinds", "moves"), n.ONE)
        return np.concatenate([np.rint(rows[name] * scale).astype(np.int32).ravel() for name, scale in scales.items()])


def clip(numbers: Tensor) -> Tensor:
    """From 0 to the largest activation."""
    return f.hardtanh(numbers, 0.0, HIGHEST)


def losses(model: Model, positions: Positions) -> Tensor:
    """The cross entropy of the moves and of the value, nats, and the mean square of what the owners are wrong by."""
    komi, base = torch.from_numpy(positions.komi), torch.from_numpy(positions.logarithms)
    added, value, passing, owner = model(torch.from_numpy(positions.kinds), torch.from_numpy(positions.rows), komi)
    passing = passing + float(feature_weights()[features.START[features.PASSING]])
    chances = f.log_softmax(np.log(2) * torch.cat([added + base, passing[:, None]], 1), 1)
    certainty, shares = torch.from_numpy(positions.certainty), torch.from_numpy(positions.shares)
    chances = chances.masked_fill(shares == 0, 0.0)  # some are -inf, but there the share is 0
    moves = -(certainty[:, None] * shares * chances).sum() / certainty.sum().clamp(min=1e-6)
    values = f.binary_cross_entropy_with_logits(np.log(2) * value, torch.from_numpy(positions.value))
    return torch.stack([moves, values, f.mse_loss(torch.tanh(owner), torch.from_numpy(positions.owner))])


def symmetries(size: int) -> list[NDArray[np.int64]]:
    """The eight ways to turn and mirror a board, as orders of its points."""
    square = np.arange(size**2).reshape(size, size)
    return [np.ascontiguousarray(np.rot90(one, turn)).ravel() for one in (square, square.T) for turn in range(4)]


def turned(positions: Positions, order: NDArray[np.int64]) -> Positions:
    """The positions turned or mirrored."""
    shares = np.concatenate([positions.shares[:, order], positions.shares[:, -1:]], axis=1)
    by_point = {name: getattr(positions, name)[:, order] for name in ("kinds", "rows", "logarithms", "owner")}
    return positions._replace(shares=shares, **by_point)


def fit(model: Model, positions: Positions, seconds: float, seed: int, most_steps: float = np.inf) -> Iterator[str]:
    """Fit for a time, or at most that many steps, and leave the mean of late weights in the model; yields progress."""
    rng, orders = np.random.default_rng(seed), symmetries(model.size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=DECAY, betas=(0.9, 0.99))
    mean = [parameter.detach().clone() for parameter in model.parameters()]
    began, step, count, total = time.monotonic(), 0, len(positions.komi), np.zeros(3)
    while (spent := max((time.monotonic() - began) / seconds, step / most_steps)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1.0, (step + 1) / WARMING) * (1.0 - spent)
        which = rng.integers(count, size=min(BATCH, count))
        found = losses(model, turned(positions.take(which), orders[rng.integers(len(orders))]))
        loss = found[0] + VALUE_WEIGHT * found[1] + OWNER_WEIGHT * found[2]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step, total = step + 1, total + found.detach().numpy()
        share = max(AVERAGED, 1 / step)
        for kept, parameter in zip(mean, model.parameters(), strict=True):
            kept.lerp_(parameter.detach(), share)
        if step % 500 == 0:
            moves, value, owner = total / 500
            total[:] = 0.0
            yield f"{step * BATCH / count:.1f} epochs: moves {moves:.4f}, value {value:.4f}, owner {owner:.4f}"
    with torch.no_grad():
        for kept, parameter in zip(mean, model.parameters(), strict=True):
            parameter.copy_(kept)


def values_of(model: Model, positions: Positions) -> NDArray[np.float64]:
    """The win shares that the model gives the players to move."""
    with torch.no_grad():
        _, value, _, _ = model(*(torch.from_numpy(part) for part in (positions.kinds, positions.rows, positions.komi)))
    return np.asarray(1 / (1 + 2.0 ** -value.double().numpy()))
