"""Kernels that a wheel carries: used if everything fits, and otherwise compiled as if there were none."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foogo.core import cpu, jit
from foogo.core.atomics import has_no_clock
from foogo.core.compiling import WATCH
from foogo.core.jit import cache_folder, kernel, kernel_signature
from foogo.core.shipped import ShippedKernels


def triple(number):
    return 3 * number


@pytest.fixture
def file(chosen: Path, tmp_path: Path) -> Path:
    """A file of this processor's family, with the kernel `triple`, in a folder of its own."""
    kernel(triple)(1)
    here = cache_folder()
    if cpu.host_family() is None or here is None:
        pytest.skip("there is no family for this processor, or no cache")
    packed = tmp_path / "compiled" / f"{cpu.host_family()}.bin"
    packed.parent.mkdir()
    jit.SHIPPED.pack(here, packed)
    return packed


def load(file: Path) -> tuple[Any, str]:
    """What a process that starts now finds for `triple`, and why it finds nothing."""
    compiled: Any = kernel(triple)
    cache, found = compiled._cache, ShippedKernels(file.parent, kernel_signature)
    (key,) = cache._cache_file._load_index()
    return found.load(cache._impl.filename_base, key), found.problem


def test_a_shipped_kernel_is_not_compiled(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda: None)
    monkeypatch.setattr(jit, "SHIPPED", ShippedKernels(file.parent, kernel_signature))
    compiled, functions = kernel(triple), WATCH.functions
    assert compiled(7) == 21
    assert WATCH.functions == functions
    assert jit.SHIPPED.file_name == file.name


def test_no_changed_byte_is_overlooked(file: Path) -> None:
    content, rng = file.read_bytes(), random.Random(1)
    header = content.index(b"\n") + 1
    for place in [*range(0, header, 7), *rng.sample(range(header, len(content)), 100), len(content) - 1]:
        changed = bytearray(content)
        changed[place] ^= 1 << rng.randrange(8)
        file.write_bytes(changed)
        found, problem = load(file)
        # a blank of the header may become another one
        assert (found is None and problem) or json.loads(changed[:header]) == json.loads(content[:header]), place


def test_a_truncated_file_is_not_used(file: Path) -> None:
    content = file.read_bytes()
    for length in (0, 1, 100, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:length])
        found, problem = load(file)
        assert found is None
        assert "damaged" in problem or "they are for" in problem


@pytest.mark.parametrize("name", ["Python", "Numba", "llvmlite", "platform", "kernels"])
def test_a_foreign_file_is_not_used(file: Path, name: str) -> None:
    first, _, body = file.read_bytes().partition(b"\n")
    file.write_bytes(json.dumps({**json.loads(first), name: "0.0"}).encode() + b"\n" + body)
    found, problem = load(file)
    assert found is None
    assert problem.startswith(f"they are for {name} 0.0, not ")


def test_a_missing_or_unreadable_file_is_not_used(file: Path) -> None:
    file.unlink()
    assert load(file) == (None, f"{file.name} is missing: install the wheel again")
    file.mkdir()
    found, problem = load(file)
    assert found is None
    assert "cannot be read" in problem


def test_a_processor_without_a_family_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.core.shipped.host_family", lambda: None)
    assert load(file) == (None, "none are for this processor")


def test_another_processor_may_be_chosen(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.core.shipped.config.CPU_NAME", "generic")
    assert load(file) == (None, "")


X86 = {name: family for name, family in cpu.FAMILIES.items() if family.needs}


@pytest.mark.parametrize("name", X86)
def test_an_older_processor_never_gets_the_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family = X86[name]
    monkeypatch.setattr(cpu, "vector_bits", cpu.vector_bits.__wrapped__)
    monkeypatch.setattr(cpu, "has_fast_deposit", lambda: True)
    monkeypatch.setattr(cpu, "host_features", lambda: family.needs)
    assert cpu.host_family() == name
    for missing in family.needs:
        monkeypatch.setattr(cpu, "host_features", lambda left=family.needs - {missing}: left)
        assert cpu.host_family() != name


def test_a_processor_whose_deposit_is_slow_compiles_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu, "vector_bits", cpu.vector_bits.__wrapped__)
    monkeypatch.setattr(cpu, "host_features", lambda: X86["x86-64-v3"].needs)
    monkeypatch.setattr("foogo.core.cpu.llvm.get_host_cpu_name", lambda: "znver2")
    assert cpu.host_family() is None


posix = pytest.mark.skipif(os.name == "nt", reason="modes say nothing on Windows")


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder chosen for the cache."""
    monkeypatch.setenv(jit.CACHE_VARIABLE, str(tmp_path / "chosen"))
    jit._cache_folder.cache_clear()
    yield tmp_path / "chosen"
    monkeypatch.undo()
    jit._cache_folder.cache_clear()


def test_an_edit_outside_the_package_is_compiled(chosen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "edited.py"
    found = []
    for factor in (2.5, 10.25):
        file.write_text(f"from foogo.core.jit import kernel\n\n@kernel\ndef times(x):\n    return x * {factor}\n")
        spec = importlib.util.spec_from_file_location("edited", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "edited", module)  # Numba imports it
        spec.loader.exec_module(module)
        found.append((module.times._cache._cache_file._load_index(), module.times(2.0)))
    assert found == [({}, 5.0), ({}, 20.5)]


@posix
def test_the_cache_is_the_folder_that_was_checked(
    chosen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(jit.CACHE_VARIABLE, "link")
    monkeypatch.chdir(tmp_path)
    chosen.mkdir(0o700)
    Path("link").symlink_to(chosen)
    assert cache_folder() == chosen / f"kernels-{kernel_signature()}"


def test_the_first_failure_to_save_is_told(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(files: Any, key: Any, data: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jit._KernelCache, "save_problem", "")
    assert jit.cache_problem() == ""
    monkeypatch.setattr(jit._Files, "save", fail)
    assert kernel(triple)(2) == 6
    assert jit.cache_problem() == f"{cache_folder()} cannot be written (No space left on device)"


@posix
def test_the_cache_is_private(chosen: Path) -> None:
    found = cache_folder()
    assert found is not None
    assert [path.stat().st_mode & 0o777 for path in (found, found.parent)] == [0o700, 0o700]


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_cache_that_others_can_write_to_is_not_used(chosen: Path, mode: int) -> None:
    chosen.mkdir()
    chosen.chmod(mode)
    assert cache_folder() is None
    assert jit._note() == (
        f"each process compiles anew: others can write to {chosen}, and what they write would be executed; "
        "set FOOGO_CACHE_DIR to a private folder"
    )


@pytest.mark.parametrize(
    ("triple", "version", "expected"),
    [
        ("arm64-apple-darwin22.6.0", 15, True),
        ("aarch64-unknown-linux-gnu", 15, True),
        ("aarch64-unknown-linux-gnu", 20, False),
        ("x86_64-unknown-linux-gnu", 15, False),
    ],
)
def test_the_cycle_counter_of_arm_is_not_read(triple: str, version: int, expected: bool) -> None:
    assert has_no_clock(triple, version) == expected
