"""Validation of arguments, and writing of files, shared by all modules."""

from __future__ import annotations

import errno
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from numbers import Real
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foogo.errors import ArgumentError, FoogoError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def is_boolean(value: Any) -> bool:
    """Whether `value` is True or False, of Python or NumPy."""
    numpy = sys.modules.get("numpy")  # not imported here: unless it is loaded, `value` is not a NumPy boolean
    return isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_))


def whole_number(value: Any) -> int | None:
    """`value` as an int if it is a whole number and not a boolean, else None: 7 for 7, None for 7.0 and True."""
    if is_boolean(value):
        return None
    try:
        return index(value)
    except TypeError:
        return None


SMALLEST_UNWRITTEN = 10**4300
"""The smallest whole number that Python refuses to write, unless it is told otherwise."""


def quoted(value: Any) -> str:
    """The `repr` of a value, for an error message; for an int that is too long for it, a description.

    Examples
    --------
    >>> quoted("no"), quoted(10**5000)
    ("'no'", 'a number of more than 4300 digits')
    """
    is_written = not isinstance(value, int) or abs(value) < SMALLEST_UNWRITTEN
    return repr(value) if is_written else "a number of more than 4300 digits"


def whole(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int, if it is a whole number from `low` to `high` and not a boolean.

    Raises an ArgumentError that names the argument and says what would be right.

    Examples
    --------
    >>> whole("n", -1, 0, 10)
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: n is -1: it must be a whole number from 0 to 10
    """
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise ArgumentError(f"{name} is {quoted(value)}: it must be a whole number from {low} to {high}")
    return number


@contextmanager
def enough_memory(name: str, value: int) -> Iterator[None]:
    """Turn a MemoryError into an ArgumentError that names the argument.

    Examples
    --------
    >>> with enough_memory("table_mb", 4096):
    ...     raise MemoryError
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: table_mb is 4096: this machine does not have that much memory; choose less
    """
    try:
        yield
    except MemoryError:
        message = f"{name} is {value}: this machine does not have that much memory; choose less"
        raise ArgumentError(message) from None


def truth(name: str, value: Any) -> bool:
    """`value` as a bool; raises ArgumentError unless it is True, False, 0 or 1, of Python or NumPy: "no" is neither.

    Examples
    --------
    >>> truth("suicide", "no")
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: suicide is 'no': it must be True or False
    """
    if is_boolean(value):
        return bool(value)
    number = whole_number(value)
    if number not in (0, 1):
        raise ArgumentError(f"{name} is {quoted(value)}: it must be True or False")
    return bool(number)


def positive(name: str, value: Any) -> float:
    """`value` as a float; raises ArgumentError unless it is a finite number above 0 and not a boolean."""
    if not is_number(value) or value <= 0:
        raise ArgumentError(f"{name} is {quoted(value)}: it must be a number above 0, and finite")
    return float(value)


def check_komi(value: Any) -> float:
    """`value` as a float, not -0.0; raises ArgumentError unless it is a finite number of points."""
    if not is_number(value):
        raise ArgumentError(f"komi {quoted(value)} is not possible: give a finite number of points, such as 6.5")
    return float(value) + 0.0


def file_path(name: str, value: Any) -> Path:
    """`value` as a Path; raises ArgumentError unless it is a text or a path."""
    if not isinstance(value, (str, os.PathLike)):
        raise ArgumentError(f"{name} is {value!r}: give the path of a file")
    return Path(value)


def is_number(value: Any) -> bool:
    """Whether `value` is a finite real number that a float can hold, and not a boolean."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def are_texts(array: NDArray[Any]) -> bool:
    """Whether an array is of texts: NumPy's, or Python's as in a column of pandas. An empty one of objects is not."""
    return array.dtype.kind == "U" or (
        array.dtype.kind == "O" and array.size > 0 and all(isinstance(one, str) for one in array.flat)
    )


def array_of(value: Any, error: type[FoogoError], message: str) -> NDArray[Any]:
    """`value` as an array; raises an error with this message if its rows differ in length."""
    import numpy as np  # here, as `import foogo` needs none of it

    try:
        return np.asarray(value)
    except ValueError:
        raise error(message) from None


def check_progress(value: Any) -> None:
    """Raise an ArgumentError unless `value` can be called with what is done so far and the total, or is None.

    Examples
    --------
    >>> check_progress(3)
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: progress is 3: it must be a function of what is done and the total, or None
    """
    if value is not None and not callable(value):
        raise ArgumentError(f"progress is {value!r}: it must be a function of what is done and the total, or None")


def mode_of(path: Path) -> int:
    """The mode of the file or folder at a path, 0 if there is none; raises OSError if this user may not know.

    `Path.exists` and the like return False instead of raising OSError since Python 3.14.
    """
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return 0


def probe_file(path: Path) -> None:
    """Raise OSError if a file cannot be written at `path`; change nothing, not even a link to a missing file."""
    existed = path.exists()
    with path.open("ab"):
        pass
    if not existed:
        os.unlink(os.path.realpath(path))


IN_PLACE = (errno.ENAMETOOLONG, errno.EROFS, errno.EBUSY)
"""Besides missing permission, the errors after which `replace_file` writes in place."""


def replace_file(path: Path, data: bytes) -> None:
    """Write a file; a program that is killed leaves the old file or the new one. Raises what `Path.write_bytes` does.

    Some files are written in place: a device such as /dev/stdout, a file in a folder that takes no new files, one that
    is mounted by itself, and one whose name is nearly too long.
    """
    import shutil  # here, as `import foogo` needs none of it

    if "\0" in str(path):
        raise ValueError("embedded null byte")  # `realpath` would say it in other words on Python 3.13
    target = Path(os.path.realpath(path))  # a link stays a link
    if target.is_symlink():
        target.stat()  # raises the system's error for a loop of links
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.unfinished")  # another process may write too
    is_device = path.exists() and not target.is_file() or Path("/dev") in path.absolute().parents
    if is_device:
        path.write_bytes(data)
        return
    try:
        unfinished.write_bytes(data)
        if target.exists():
            shutil.copymode(target, unfinished)
        os.replace(unfinished, target)
    except OSError as error:
        if not isinstance(error, PermissionError) and error.errno not in IN_PLACE:
            raise
        path.write_bytes(data)
    finally:
        with suppress(OSError):
            unfinished.unlink()
