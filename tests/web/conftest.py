"""One server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("websockets")

from foogo.study.config import Config  # noqa: E402
from foogo.study.run.runner import run_study  # noqa: E402
from foogo.study.store.store import Store  # noqa: E402
from tests.web.client import Client, running_server  # noqa: E402


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
    with running_server("--port", "0", "--size", "5", "--threads", "1", "--store", str(store)) as (address, process):
        yield address, process.pid


@pytest.fixture(scope="session")
def address(server: tuple[str, int]) -> str:
    return server[0]


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with Client(address) as client:
        yield client
