"""foogo in other processes: functions and results go there and back by cloudpickle, joblib and dask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest

import foogo

ROOT = str(Path(__file__).parent.parent)

CHILD = """
import pickle, sys
function, arguments = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(function(*arguments)))
"""


def in_another_process(function, *arguments):
    """What a function of this module returns in a fresh process, which has never seen this module."""
    sent = cloudpickle.dumps((function, arguments))
    done = subprocess.run([sys.executable, "-c", CHILD], input=sent, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return cloudpickle.loads(done.stdout)


@pytest.fixture(scope="module", autouse=True)
def _by_value():
    """Send functions of this module as in a notebook, where no other process can import them."""
    module = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(module)
    yield
    cloudpickle.unregister_pickle_by_value(module)


def test_the_package_and_all_that_it_exports_can_be_pickled() -> None:
    assert cloudpickle.loads(cloudpickle.dumps(foogo)) is foogo
    for name in foogo.__all__:
        value = getattr(foogo, name)
        assert cloudpickle.loads(cloudpickle.dumps(value)) == value


def test_a_class_of_boards_is_the_same_class_elsewhere() -> None:
    board = foogo.Board[9]()
    board.play("E5")

    def is_of_its_class(sent):
        return isinstance(sent, foogo.Board[9]) and type(sent) is foogo.Board[9], sent

    same, returned = in_another_process(is_of_its_class, board)
    assert same
    assert type(returned) is foogo.Board[9]
    assert returned == board
    assert len(cloudpickle.dumps(foogo.Board[9])) < 200


def test_what_boards_and_games_return_can_be_pickled() -> None:
    game = foogo.Game(5)
    game.play("C3")
    for value in (game, game.freeze(), game.board.freeze(), game.legal(), foogo.simulate(5, 10)):
        returned = cloudpickle.loads(cloudpickle.dumps(value))
        assert returned == value
        assert type(returned) is type(value)


def test_a_function_that_mentions_foogo_runs_in_dask_and_joblib() -> None:
    def part(number):
        return foogo.simulate(5, 100, first=100 * number, threads=1)

    expected = foogo.simulate(5, 300)
    joblib = pytest.importorskip("joblib")
    assert sum(joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(part)(i) for i in range(3))) == expected
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        assert sum(client.gather(client.map(part, range(3)))) == expected
