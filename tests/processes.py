"""The processes of this machine, from /proc or, where there is none, from ``ps``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple


class Listed(NamedTuple):
    """A process: its number, its parent's, its state (Z if it has ended), and its memory in bytes."""

    pid: int
    parent: int
    state: str
    resident: int


def processes() -> list[Listed]:
    """All processes."""
    if Path("/proc/self/stat").exists():
        found = (_in_proc(path) for path in Path("/proc").glob("[0-9]*"))
        return [one for one in found if one is not None]
    command = ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "stat=", "-o", "rss="]
    rows = map(str.split, subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    return [Listed(int(pid), int(parent), state[0], 1024 * int(kilobytes)) for pid, parent, state, kilobytes in rows]


def children(parent: int) -> list[int]:
    """The numbers of the processes that a process started."""
    return [one.pid for one in processes() if one.parent == parent]


def _in_proc(folder: Path) -> Listed | None:
    """A process; None if it has just ended."""
    try:
        fields = (folder / "stat").read_bytes().rpartition(b")")[2].decode().split()
    except OSError:
        return None
    return Listed(int(folder.name), int(fields[1]), fields[0], int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))
