"""Tables of results: as HTML for notebooks, and as data frames of pandas, which is optional."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from foogo.errors import MissingPackageError

if TYPE_CHECKING:
    from pandas import DataFrame

RIGHT = ' style="text-align:right"'


def html_table(caption: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in HTML: the first column is left-aligned, the rest right-aligned.

    Examples
    --------
    >>> html_table("a < b", ["n"], [[1]])
    '<table><caption>a &lt; b</caption><tr><th>n</th></tr><tr><td>1</td></tr></table>'
    """
    lines = [_row("th", header), *(_row("td", row) for row in rows)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    parts = (f"<{tag}{RIGHT if i else ''}>{escape(str(cell))}</{tag}>" for i, cell in enumerate(cells))
    return f"<tr>{''.join(parts)}</tr>" if any(cells) else ""


def data_frame(columns: Mapping[str, Any]) -> DataFrame:
    """A data frame with these columns, all of one length; a MissingPackageError if pandas is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        message = "a data frame needs pandas, which is not installed: pip install 'foogo[frame]'"
        raise MissingPackageError(message) from None
    return DataFrame(columns)
