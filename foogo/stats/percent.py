"""Shares as text."""

from __future__ import annotations


def percent(share: float, digits: int = 1) -> str:
    """A share of one as a percentage.

    Examples
    --------
    >>> percent(0.5), percent(0.12345, 2)
    ('50.0 %', '12.35 %')
    """
    return f"{100 * share:.{digits}f} %"
