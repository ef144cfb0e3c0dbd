"""Build a wheel that carries compiled kernels, so that foogo need not compile at its first use.

    python tools/build_wheel.py

compiles the kernels for every family of processors that this platform has, and writes the wheel to ``dist``. It fits
the Python, Numba and llvmlite that run this script; `foogo.core.shipped` says what happens elsewhere. Nothing compiled
for another family is executed, so any machine of the platform will do.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from numba.core import event, types
from numba.core.serialize import dumps
from numba.core.types.containers import NamedTuple

from foogo.core.compiling import WATCH
from foogo.core.cpu import FAMILIES, host_features
from foogo.core.jit import CACHE_VARIABLE, SHIPPED, cache_folder
from foogo.core.shipped import platform
from foogo.playout.kernels.batch import Memory
from foogo.playout.kernels.layout import LayoutType, simd_layout
from foogo.playout.policies import POLICIES, for_kernels
from foogo.warmup import USUAL_SIZES, groups

ROOT = Path(__file__).resolve().parent.parent

Call = tuple[str, str, tuple[Any, ...]]
"""The module and the name of a kernel that Python called, and the Numba types of its arguments."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the wheel [dist]")
    parser.add_argument(
        "--family",
        action="append",
        choices=list(FAMILIES),
        help="processor family; repeat for several [all of this platform]",
    )
    parser.add_argument("--group", action="append", help="group of kernels of `foogo warm`; repeat for several [all]")
    parser.add_argument("--compile", nargs=2, metavar=("FAMILY", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    wanted = groups(USUAL_SIZES)
    names = arguments.group or list(wanted)
    if unknown := [name for name in names if name not in wanted]:
        parser.error(f"group {unknown[0]!r} does not exist: choose {'; '.join(wanted)}")
    if arguments.compile:
        family, folder = arguments.compile
        compile_family(family, Path(folder), names)
        return
    if SHIPPED.folder.resolve().parent.parent != ROOT:
        raise SystemExit("build_wheel: this Python imports another foogo: run `pip install -e .` here first")
    is_arm = "x86_64" not in platform()
    families = arguments.family or [name for name in FAMILIES if (name == "generic") == is_arm]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        # The first family records which kernels are called with which types, so this processor must execute it.
        for family in sorted(families, key=lambda name: not can_execute(name)):
            print(f"compiling for {family}", flush=True)
            command = [sys.executable, __file__, "--compile", family, str(folder)]
            command += [part for name in names for part in ("--group", name)]
            subprocess.run(command, check=True, env=os.environ | settings(family, folder))
        print(add_kernels(pure_wheel(folder), sorted(folder.glob("*.bin")), arguments.out))


def can_execute(family: str) -> bool:
    """Whether this processor has all features of a family."""
    return FAMILIES[family].needs <= host_features()


def settings(family: str, folder: Path) -> dict[str, str]:
    """The environment in which Numba compiles for a family."""
    features = [f"+{name}" for name in sorted(FAMILIES[family].needs)] or ["+neon"]
    if FAMILIES[family].vector_bits == 512:
        features.append("-prefer-256-bit")
    return {
        "NUMBA_CPU_NAME": FAMILIES[family].processor,
        "NUMBA_CPU_FEATURES": ",".join(features),
        "NUMBA_DISABLE_INTEL_SVML": "1",  # a library that users need not have
        CACHE_VARIABLE: str(folder / family),
        "PYTHONPATH": str(ROOT),
    }


def compile_family(family: str, folder: Path, names: Sequence[str]) -> None:
    """Compile groups of kernels for the family that Numba is set to, and pack them into ``folder / FAMILY.bin``."""
    record = folder / "calls"
    if record.exists():
        for policy in POLICIES.values():
            for_kernels(policy)  # the recorded types name its function by a digest, which this makes known
        for module, name, arguments in pickle.loads(record.read_bytes()):
            getattr(import_module(module), name).compile(for_family(family, arguments))
    else:
        if not can_execute(family):
            raise SystemExit(f"build_wheel: this processor cannot execute {family} code: build an older family first")
        record.write_bytes(dumps(_calls(names)))
    compiled = cache_folder()
    assert compiled is not None
    SHIPPED.pack(compiled, folder / f"{family}.bin")


def _calls(names: Sequence[str]) -> list[Call]:
    """The kernels that the groups call from Python."""
    wanted = groups(USUAL_SIZES)
    with event.install_recorder("numba:compile") as recorder:
        for name in names:
            before, functions = WATCH.seconds, WATCH.functions
            wanted[name]()
            print(f"  {name}: {WATCH.functions - functions} functions, {WATCH.seconds - before:.0f} s", flush=True)
    calls: list[Call] = []
    depth = 0
    for _, compilation in recorder.buffer:
        if compilation.is_start and depth == 0:
            function = compilation.data["dispatcher"].py_func
            calls.append((function.__module__, function.__qualname__, tuple(compilation.data["args"])))
        depth += 1 if compilation.is_start else -1
    return calls


def for_family(family: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same types of arguments, with the layout of the family's vectors and the memory for it."""
    layouts = [kind.layout for kind in arguments if isinstance(kind, LayoutType) and kind.layout.lanes > 1]
    if not layouts:
        return arguments
    layout = simd_layout(layouts[0].size, FAMILIES[family].vector_bits)
    word = types.Integer.from_bitwidth(layout.bits, signed=False)

    def translated(kind: Any) -> Any:
        if isinstance(kind, LayoutType):
            return layout.numba_type
        if not isinstance(kind, NamedTuple):
            return kind
        parts = [translated(part) for part in kind.types]
        if kind.instance_class is Memory:
            parts[Memory._fields.index("words")] = parts[Memory._fields.index("words")].copy(dtype=word)
        return NamedTuple(parts, kind.instance_class)

    return tuple(map(translated, arguments))


def pure_wheel(folder: Path) -> Path:
    """The wheel without compiled kernels."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(pip, check=True)
    return next(folder.glob("*.whl"))


def add_kernels(wheel: Path, files: Sequence[Path], out: Path) -> Path:
    """A copy of a wheel with the compiled kernels, for the platforms that Numba's own wheel is for."""
    numbas = distribution("numba").read_text("WHEEL") or ""
    tags = [line for line in numbas.splitlines() if line.startswith("Tag: ")]
    name, version, *_ = wheel.name.split("-")
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"{name}-{version}-{tags[0].removeprefix('Tag: ')}.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        contents = {entry: source.read(entry) for entry in source.namelist() if entry != f"{info}/RECORD"}
        about = contents[f"{info}/WHEEL"].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
        contents[f"{info}/WHEEL"] = about.replace("Tag: py3-none-any", tags[0]).encode()
        contents |= {f"foogo/{SHIPPED.folder.name}/{file.name}": file.read_bytes() for file in files}
        rows = [f"{entry},{_digest(content)},{len(content)}\n" for entry, content in contents.items()]
        for entry, content in {**contents, f"{info}/RECORD": "".join([*rows, f"{info}/RECORD,,\n"]).encode()}.items():
            copy.writestr(entry, content)
    return target


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
