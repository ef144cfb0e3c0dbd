"""The lease under which a process claims games of a store. It ends when the process dies."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import uuid
from pathlib import Path

LEASE_SECONDS = 120.0
"""A lease of a process on another machine expires if it is not renewed for this long."""


class Lease:
    """The lease of this process, or of a part of it. It is a row of the table `owner`.

    Attributes
    ----------
    id
        A name that no other lease has.
    """

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex

    def renew(self, connection: sqlite3.Connection) -> None:
        """Record in the store that this process is alive."""
        row = (self.id, socket.gethostname(), _process(os.getpid()), time.time())
        connection.execute(
            "INSERT INTO owner VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat", row
        )

    def end_expired(self, connection: sqlite3.Connection) -> None:
        """End the leases of dead processes, and with them their claims."""
        for name, host, process, beat in connection.execute("SELECT * FROM owner").fetchall():
            if name != self.id and not _lives(host, process, beat):
                connection.execute("DELETE FROM owner WHERE id = ?", (name,))

    def end(self, connection: sqlite3.Connection) -> None:
        """End this lease and release its claims."""
        connection.execute("DELETE FROM owner WHERE id = ?", (self.id,))


def _lives(host: str, process: str, beat: float) -> bool:
    """Whether the process is alive: checked directly on this machine, inferred from its last renewal on another."""
    if host != socket.gethostname():
        return time.time() - beat < LEASE_SECONDS
    pid = json.loads(process)["pid"]
    if _process(pid) != process:  # it ended, the machine restarted, or another process has its number
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except OSError:  # Windows, which has no signal 0
        return time.time() - beat < LEASE_SECONDS
    return True


def _process(pid: int) -> str:
    """A unique identifier of a process: its number, its start time, and the boot of the machine."""
    start = boot = ""
    try:
        # Fields after the command's name, which is in brackets and may hold blanks: state is 3, start time 22.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        start = "" if fields[0] in ("Z", "X") else fields[19]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, IndexError):
        pass
    return json.dumps({"pid": pid, "start": start, "boot": boot})
