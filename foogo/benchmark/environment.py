"""The environment of a measurement: processor, versions, date, peak memory."""

from __future__ import annotations

import platform
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from foogo.core.cpu import usable_cores


def environment() -> dict[str, Any]:
    """The processor, the versions and today's date (UTC), for JSON."""
    import numba
    import numpy as np

    from foogo import __version__

    return {
        "cpu": cpu_name(),
        "cores": usable_cores(),
        "os": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "foogo": __version__,
        "date": datetime.now(timezone.utc).date().isoformat(),
    }


def cpu_name() -> str:
    """The processor's model as the operating system names it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def peak_memory() -> int | None:
    """The peak memory of this process, in bytes; None on Windows, which does not report it."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
