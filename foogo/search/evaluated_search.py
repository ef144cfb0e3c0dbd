"""The work of one thread of a search with an evaluator: compiled steps, and the evaluator between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from foogo.playout.kernels.layout import Layout
from foogo.search.evaluator import Evaluator
from foogo.search.kernels.descent import Root, SearchSettings
from foogo.search.kernels.evaluation import Evaluation
from foogo.search.kernels.growth import Growth
from foogo.search.kernels.loop import (
    LockstepSettings,
    Run,
    gather_evaluated,
    open_evaluated,
    play_evaluated,
    publish_evaluated,
)
from foogo.search.kernels.slots import Slots
from foogo.search.kernels.tiles import TreeArrays


class Work(NamedTuple):
    """The arguments of `foogo.search.kernels.loop.search`, in order."""

    layout: Layout
    lockstep: LockstepSettings
    arrays: TreeArrays
    root: Root
    settings: SearchSettings
    growth: Growth
    slots: Slots
    run: Run


def search_evaluated(work: Work, evaluator: Evaluator, evaluation: Evaluation) -> None:
    """Search as `foogo.search.kernels.loop.search` does, with each leaf evaluated before its playouts.

    If the evaluator fails, the playouts of the leaves that wait for it are played and counted first. Their values are
    left out, and they stay leaves.
    """
    layout, lockstep, arrays, root, settings, growth, slots, run = work
    if not run.budget:
        play_evaluated(layout, lockstep, arrays, settings, slots, run, evaluation)  # compiles it
    try:
        open_evaluated(arrays, root, settings, growth, slots, run, evaluation)
        failure = _evaluate(work, evaluator, evaluation)
        while failure is None and gather_evaluated(arrays, root, settings, growth, slots, run, evaluation):
            failure = _evaluate(work, evaluator, evaluation)
            play_evaluated(layout, lockstep, arrays, settings, slots, run, evaluation)
    except BaseException:
        # Ctrl-C between two steps, or while one is compiled: leaves that wait for the evaluator stay leaves.
        publish_evaluated(arrays, growth, slots, run, evaluation, False, False)
        raise
    if failure is not None:
        raise failure


def _evaluate(work: Work, evaluator: Evaluator, evaluation: Evaluation) -> BaseException | None:
    """Evaluate the batch and publish the children; returns the error if the evaluator failed."""
    failure: BaseException | None = None
    answer: Any = None
    count = int(evaluation.used[0])
    evaluation.values[:count] = np.nan
    if count:
        try:
            answer = evaluator.answer(evaluation.planes[:count])
        except BaseException as raised:
            failure = raised
    has_weights = answer is not None and answer.weights is not None
    if has_weights:
        evaluation.weights[:count] = answer.weights
    if answer is not None and answer.values is not None:
        evaluation.values[:count] = answer.values
    publish_evaluated(work.arrays, work.growth, work.slots, work.run, evaluation, failure is None, has_weights)
    return failure
