"""A wheel with compiled kernels, installed elsewhere: nothing is compiled, and the games are the same.

Building takes minutes of compilation. `python -m pytest -m slow` runs that.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba import typeof
from packaging.requirements import Requirement

from foogo.core.cpu import FAMILIES, host_family
from foogo.core.shipped import ShippedKernels
from foogo.playout.kernels.batch import PlayoutRules, new_memory
from foogo.playout.kernels.layout import scalar_layout, simd_layout
from foogo.search.kernels.loop import LockstepSettings
from tests.marks import posix
from tools.build_wheel import for_family, main

ROOT = Path(__file__).parents[1]

GROUPS = ["board", "9x9 playouts, uniform", "9x9 search, patterns"]

USE = """
import json, sys
from foogo import Board, Game, Search, simulate
from foogo.core.compiling import WATCH
from foogo.core.jit import SHIPPED

board = Board(9)
for vertex in ("E5", "D4", "E4"):
    board.play(vertex)
playouts = simulate(9, 2000, seed=3, threads=1)
result = Search(Game(9), seed=5, policy="patterns").run(simulations=2000)
print(json.dumps({
    "place": str(SHIPPED.folder),
    "loaded": SHIPPED.file_name,
    "compiled": WATCH.functions,
    "games": [board.hash, board.area_score(), playouts.scores.tolist(), result.moves.tolist()],
}))
"""


def use(place: Path, cache: Path, **environment: str) -> tuple[dict[str, object], str]:
    """What the program above prints with the foogo in a folder, and its stderr."""
    settings = os.environ | {"PYTHONPATH": str(place), "FOOGO_CACHE_DIR": str(cache)} | environment
    command = [sys.executable, "-c", USE]
    run = subprocess.run(command, env=settings, cwd=cache.parent, capture_output=True, text=True, check=True)
    return json.loads(run.stdout), run.stderr


@pytest.mark.parametrize("option", ["--family", "--group"])
def test_unknown_families_and_groups_are_refused(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["build_wheel.py", option, "nonsense"])
    with pytest.raises(SystemExit, match="2"):
        main()


@posix
def test_a_checkout_may_be_reached_by_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As /tmp of macOS is."""

    def run(*_: object, **__: object) -> None:
        raise InterruptedError("it compiles")

    (tmp_path / "link").symlink_to(ROOT)
    monkeypatch.setattr("tools.build_wheel.SHIPPED", ShippedKernels(tmp_path / "link" / "foogo" / "compiled", str))
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "argv", ["build_wheel.py", "--group", "board"])
    with pytest.raises(InterruptedError, match="it compiles"):
        main()


@pytest.mark.slow
def test_a_wheel_carries_what_is_needed(tmp_path: Path) -> None:
    family = host_family()
    if family is None:
        pytest.skip("there is no family for this processor")
    build = [sys.executable, str(ROOT / "tools" / "build_wheel.py"), "--out", str(tmp_path), "--family", family]
    build += [part for group in GROUPS for part in ("--group", group)]
    subprocess.run(build, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 25e6
    assert f"-cp{sys.version_info[0]}{sys.version_info[1]}-" in wheel.name
    place = tmp_path / "elsewhere"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place), str(wheel)]
    subprocess.run(pip, check=True)
    (metadata,) = place.glob("foogo-*.dist-info/METADATA")
    relative = re.compile(r'(?:\]\(|src=")(?:docs|examples|bench|[A-Z])')
    assert relative.search((ROOT / "README.md").read_text("utf-8"))
    assert not relative.search(metadata.read_text("utf-8"))

    found, errors = use(place, tmp_path / "empty")
    assert found["place"] == str(place / "foogo" / "compiled")
    assert (found["compiled"], found["loaded"], errors) == (0, f"{family}.bin", "")
    assert not list((tmp_path / "empty").rglob("*.nb?"))

    from_source, _ = use(ROOT, tmp_path / "source")
    assert from_source["compiled"] != 0
    assert from_source["games"] == found["games"]

    file = place / "foogo" / "compiled" / f"{family}.bin"
    file.write_bytes(file.read_bytes()[:-1])
    damaged, errors = use(place, tmp_path / "source")
    assert damaged["games"] == found["games"]
    assert damaged["loaded"] == ""


@pytest.mark.parametrize(
    ("system", "machine", "newest"),
    [("darwin", "x86_64", "0.62.1"), ("darwin", "arm64", "0.68.1"), ("linux", "x86_64", "0.68.1")],
)
def test_the_numba_that_is_installed_has_wheels(system: str, machine: str, newest: str) -> None:
    tomllib: Any = pytest.importorskip("tomllib")  # Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [one for one in map(Requirement, project["dependencies"]) if one.name == "numba"]
    place = {"sys_platform": system, "platform_machine": machine}
    (numba,) = [one for one in wanted if one.marker is None or one.marker.evaluate(place)]
    assert max(numba.specifier.filter(["0.61.0", "0.62.1", "0.63.0b1", "0.63.1", "0.68.1"])) == newest


@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_calls_are_compiled_for_the_vectors_of_another_family(size: int) -> None:
    def call(family: str) -> tuple[object, ...]:
        layout = simd_layout(size, FAMILIES[family].vector_bits)
        rules = PlayoutRules(size, layout.words, layout.lanes, 300, True)
        return typeof(3), layout.numba_type, typeof(LockstepSettings(rules, None, new_memory(layout)))

    for recorded in FAMILIES:
        for family in FAMILIES:
            assert for_family(family, call(recorded)) == call(family)
    one_game = scalar_layout(size).numba_type, typeof(new_memory(scalar_layout(size)))
    assert for_family("x86-64-v4", one_game) == one_game
