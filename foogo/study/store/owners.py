"""Which processes are at work on a store, and whether one that claimed games still lives."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import uuid
from pathlib import Path

LEASE_SECONDS = 120.0
"""A process on another machine counts as dead when it has been silent for so long."""


class Owner:
    """One that claims games: this process, or a part of it."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        """A name that no other has."""

    def beat(self, connection: sqlite3.Connection) -> None:
        """Say in the store that this owner lives."""
        row = (self.id, socket.gethostname(), _process(os.getpid()), time.time())
        connection.execute(
            "INSERT INTO owner VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat", row
        )

    def bury_dead(self, connection: sqlite3.Connection) -> None:
        """Forget the other owners that are dead, and their claims with them."""
        for name, host, process, beat in connection.execute("SELECT * FROM owner").fetchall():
            if name != self.id and not _lives(host, process, beat):
                connection.execute("DELETE FROM owner WHERE id = ?", (name,))

    def leave(self, connection: sqlite3.Connection) -> None:
        """Give up every claim."""
        connection.execute("DELETE FROM owner WHERE id = ?", (self.id,))


def _lives(host: str, process: str, beat: float) -> bool:
    """Whether the owner lives: by its process on this machine, elsewhere by its last sign of life."""
    if host != socket.gethostname():
        return time.time() - beat < LEASE_SECONDS
    pid = json.loads(process)["pid"]
    if _process(pid) != process:  # gone, another machine start, or the number was given to another process
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except OSError:  # Windows, where signal 0 is not asked for
        return time.time() - beat < LEASE_SECONDS
    return True


def _process(pid: int) -> str:
    """A process so that no later one is mistaken for it: its number, its start, and the machine's."""
    start = boot = ""
    try:
        # Fields after the command's name, which is in brackets and may hold blanks: state is 3, start time 22.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        start = "" if fields[0] in ("Z", "X") else fields[19]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, IndexError):
        pass
    return json.dumps({"pid": pid, "start": start, "boot": boot})
