"""SGF files as sgfmill reads them, from a path, text or bytes; and what their properties mean here."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any, TypeAlias

from sgfmill import sgf, sgf_grammar

from foogo.errors import ArgumentError, RulesError, SgfError, SgfWarning, SizeError
from foogo.game.geometry import BLACK, COLOR_NAMES, PASS, WHITE, check_size
from foogo.game.rules import PRESETS, Rules

Source: TypeAlias = "bytes | bytearray | str | os.PathLike[str]"
"""An SGF file: its contents as bytes or text, or its path. A text without "(;" is a path."""

SGF_COLORS = {"b": BLACK, "w": WHITE}

TERRITORY_RULES = ("japanese", "korean")
"""Rule sets in RU that score territory. They are played with simple ko and without suicide, and scored by area."""

OTHER_GAMES = {
    "2": "Othello", "3": "chess", "4": "Gomoku or Renju", "5": "Nine Men's Morris", "6": "backgammon",
    "7": "Chinese chess", "8": "Shogi", "9": "Lines of Action", "10": "Ataxx", "11": "Hex", "18": "Amazons",
}  # fmt: skip
"""Games that GM names besides Go, which is 1 (A. Hollosi, SGF FF[4])."""


def parse(source: Source) -> Any:
    """The first game of a file, as sgfmill has it.

    Raises
    ------
    SgfError
        If the file cannot be read, is not SGF, is not of Go, or its board is not square from 2x2 to 19x19.
    ArgumentError
        If `source` is of another type.
    """
    data = _contents(source)
    try:
        coarse = sgf_grammar.parse_sgf_game(data)
        first = {name: values[0] for name, values in coarse.sequence[0].items()}
        _check_game(first.get("GM", b"1").decode("ascii", "replace").strip())
        _check_square(first.get("SZ", b"19").decode("ascii", "replace"))
        file = sgf.Sgf_game.from_coarse_game_tree(coarse, "UTF-8" if isinstance(source, str) else None)
    except SgfError:
        raise
    except (ValueError, LookupError) as error:
        raise SgfError(f"this is not an SGF file: {error}") from None
    try:
        check_size(file.get_size())
    except SizeError as error:
        raise SgfError(f"the SGF file cannot be played: {error}") from None
    return file


def _contents(source: Source) -> bytes:
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if isinstance(source, str) and re.search(r"\(\s*;", source):
        return source.encode()
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError(f"an SGF file is bytes, text or a path, not {type(source).__name__}")
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise SgfError(f"cannot read the SGF file '{os.fspath(source)[:200]}': {reason}") from None


def _check_game(kind: str) -> None:
    if kind not in ("", "1"):
        name = f", {OTHER_GAMES[kind]}" if kind in OTHER_GAMES else ""
        raise SgfError(f"the SGF file is not a game of Go: GM is {kind!r}{name}, and Go is 1")


def _check_square(size: str) -> None:
    sides = [part.strip() for part in size.split(":")]
    if len(sides) == 2 and all(side.isdecimal() for side in sides) and int(sides[0]) != int(sides[1]):
        raise SgfError(f"the SGF file has a board of {sides[0]}x{sides[1]} (SZ): only square boards can be played")


def property_text(node: Any, name: str) -> str:
    """A property of a node, "" if it is missing."""
    if not node.has_property(name):
        return ""
    return str(node.get_raw(name).decode(node.get_encoding(), "replace")).strip()


def move_of(node: Any, number: int) -> tuple[int | None, int]:
    """The colour and the move of a node, which is move `number` of the file; the colour is None without a move."""
    try:
        color, place = node.get_move()
    except ValueError:
        colour, raw = node.get_raw_move()
        where = f"{COLOR_NAMES[SGF_COLORS[colour]]} at {raw.decode('ascii', 'replace')!r}"
        raise SgfError(f"move {number} of the SGF file is not on the board: {where}") from None
    if color is None:
        return None, PASS
    return SGF_COLORS[color], PASS if place is None else place[0] * node.get_size() + place[1]


def rules_of(root: Any) -> Rules:
    """The rules that RU names, or Tromp-Taylor."""
    text = property_text(root, "RU")
    words = " ".join(text.replace("_", " ").lower().split())
    katago = re.match(r"ko(simple|positional|situational)score[a-z]+tax[a-z]+sui([01])", words)
    if katago:
        return Rules(superko=katago[1], suicide=katago[2] == "1")
    if words in TERRITORY_RULES:
        return Rules("simple", suicide=False)
    for preset in PRESETS.values():
        if words == preset.sgf_name.lower():
            return preset.rules
    try:
        return Rules.parse(text)
    except RulesError:
        return Rules()


def notes_of(root: Any) -> tuple[str, ...]:
    """What is played differently here than the file says, a sentence each."""
    text = property_text(root, "RU")
    if text.lower() not in TERRITORY_RULES:
        return ()
    return (f"{text.capitalize()} rules score territory: here the game has simple ko, no suicide and area scoring",)


def warn_of_notes(root: Any) -> None:
    """Issue a `SgfWarning` for each note, at the caller of the function that calls this one."""
    for note in notes_of(root):
        warnings.warn(note, SgfWarning, stacklevel=3)
