"""One server for the tests of this folder, which need websockets."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foogo.study.config import Config
from foogo.study.run.runner import run_study
from foogo.study.store.store import Store

if TYPE_CHECKING:
    from tests.web.client import Client

POLICY = f"{Path(__file__).parents[1] / 'playout' / 'written_policies.py'}:captures_first"

collect_ignore_glob = [] if find_spec("websockets") else ["test_*.py", "client.py"]  # all are searched for doctests


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("web") / "first.sqlite"
    with Store(path, create=True) as study:
        run_study(study, study.ask(Config(5, seed=1), n=2000, openings="classes"))
        run_study(study, study.ask(Config(3), n=500))
    return path


@pytest.fixture(scope="session")
def server(store: Path) -> Iterator[tuple[str, int]]:
    """The address of `foogo web` and its process number."""
    from tests.web.client import running_server

    options = ["--port", "0", "--size", "5", "--threads", "1", "--store", str(store), "--policy", POLICY]
    with running_server(*options) as (address, process):
        yield address, process.pid


@pytest.fixture(scope="session")
def address(server: tuple[str, int]) -> str:
    return server[0]


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    from tests.web.client import Client

    with Client(address) as client:
        yield client
