"""The option of commands that play for an opening book."""

from __future__ import annotations

from typing import Annotated

import typer

BookOption = Annotated[str, typer.Option(help="Opening book: none, shipped, or a file of foogo book grow.")]
