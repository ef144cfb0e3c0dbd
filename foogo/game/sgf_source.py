"""SGF files as sgfmill reads them, from a path, text or bytes; and what their properties mean here."""

from __future__ import annotations

import codecs
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sgfmill import sgf, sgf_grammar

from foogo.errors import ArgumentError, RulesError, SgfError, SgfWarning, SizeError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, COLOR_NAMES, MAX_SIZE, MIN_SIZE, PASS, WHITE, check_size
from foogo.game.rules import PRESETS, Rules, preset_key

Source: TypeAlias = "bytes | bytearray | str | os.PathLike[str]"
"""An SGF file: its contents as bytes or text, or its path. A text without "(;" is a path."""

_BEGINNING = re.compile(r"\(\s*;")

_ENCODING = re.compile(rb"\bCA\s*\[([^]]*)]")

_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949"}
"""Encodings with the characters that Windows programs add to these."""

_SIZE = re.compile(r"(\d{1,9})(?:\s*:\s*(\d{1,9}))?")

SGF_COLORS = {"b": BLACK, "w": WHITE}

TERRITORY_RULES = {"japanese": "Japanese", "japan": "Japanese", "jp": "Japanese", "korean": "Korean", "kr": "Korean"}
"""Rule sets in RU that score territory. They are played with simple ko and without suicide, and scored by area."""

_KATAGO_RULES = re.compile(r"ko(simple|positional|situational)score([a-z]+)tax[a-z]+sui([01])")

OTHER_GAMES = {
    "2": "Othello", "3": "chess", "4": "Gomoku or Renju", "5": "Nine Men's Morris", "6": "backgammon",
    "7": "Chinese chess", "8": "Shogi", "9": "Lines of Action", "10": "Ataxx", "11": "Hex", "18": "Amazons",
}  # fmt: skip
"""Games that GM names besides Go, which is 1 (A. Hollosi, SGF FF[4])."""


HUNDREDTHS: dict[float, float] = {
    50: 0.5, 275: 5.5, 550: 5.5, 325: 6.5, 650: 6.5, 350: 7.0, 700: 7.0, 375: 7.5, 750: 7.5,
}  # fmt: skip
"""Komi by KM in files of `HUNDREDTHS_FROM`: hundredths of points, or of stones, which count two points each."""

HUNDREDTHS_FROM = re.compile(rb"foxwq|SGFC:2\.0")
"""In AP of files from the server Fox and from gokifu.com. KataGo reads their komi as we do."""


def parse(source: Source, encoding: str | None = None) -> Any:
    """The first game of a file, as sgfmill has it, in `encoding` or else in that of CA.

    Without CA, a file that can be UTF-8 is UTF-8, and any other is ISO-8859-1, as SGF says. A file that sgfmill would
    misread (`is_misread`) becomes UTF-8.

    Raises
    ------
    SgfError
        If the file cannot be read, is not SGF, has no encoding of text, is not of Go, or its board is not square from
        2x2 to 19x19.
    ArgumentError
        If `source` is of another type.
    """
    if isinstance(source, str) and _BEGINNING.search(source):
        source, encoding = source.encode(errors="replace"), "UTF-8"
    data = _contents(source)
    named = "" if encoding else _named_encoding(data)
    if is_misread(data, named):
        text = _decoded_widely(data, named).encode()
        if _properties(text) >= _properties(data):  # a cut character before a bracket would take it in
            data, encoding = text, "UTF-8"
    try:
        coarse = sgf_grammar.parse_sgf_game(data)
        first = {name: values[0] for name, values in coarse.sequence[0].items()}
        _check_game(first.get("GM", b"1").decode("ascii", "replace").strip())
        size = _size_of(first.get("SZ", b"19").decode("ascii", "replace").strip())
        if b":" in first.get("SZ", b""):
            coarse.sequence[0]["SZ"] = [b"%d" % size]  # sgfmill does not read 19:19
        del coarse.sequence[0].get("CA", [])[1:]  # sgfmill writes no file with two
        if "CA" not in coarse.sequence[0] and _is_utf8(data):
            encoding = encoding or "UTF-8"
        _check_encoding(encoding or first.get("CA", b"ISO-8859-1").decode("ascii", "replace"))
        return sgf.Sgf_game.from_coarse_game_tree(coarse, encoding)
    except SgfError:
        raise
    except ValueError as error:
        raise SgfError(f"this is not an SGF file: {error}") from None


def _contents(source: Source) -> bytes:
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError(f"an SGF file is bytes, text or a path, not {type(source).__name__}")
    if isinstance(source, str) and not source.strip():
        raise SgfError("the SGF text is empty: give the contents of a file, or its path")
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise SgfError(f"cannot read the SGF file '{os.fspath(source)[:200]}': {reason}") from None


def _is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8 with characters beyond ASCII, which texts in other encodings hardly ever are."""
    try:
        return not data.isascii() and bool(data.decode())
    except UnicodeDecodeError:
        return False


def _named_encoding(data: bytes) -> str:
    """What CA names, "" if there is none; read without a parser, which has to know the encoding."""
    found = _ENCODING.search(data)
    return found[1].decode("ascii", "replace") if found else ""


def is_misread(data: bytes, encoding: str) -> bool:
    """Whether characters have the bytes of [, ] or a backslash in them, as in Big5, GBK and Shift_JIS.

    sgfmill would take them for the signs. Other programs decode a file before they parse it. True as well if all
    characters are in the wider encoding alone.
    """
    if not _extends_ascii(encoding) or _is_utf8(data):
        return False
    text = _decoded_widely(data, encoding)
    if any(text.count(sign) != data.count(sign.encode()) for sign in "[]\\"):
        return True
    return "\ufffd" in data.decode(encoding, "replace") and "\ufffd" not in text


def _properties(data: bytes) -> int:
    """How many properties sgfmill finds in a file; -1 if it is not SGF."""
    try:
        trees = [sgf_grammar.parse_sgf_game(data)]
    except ValueError:
        return -1
    count = 0
    while trees:
        tree = trees.pop()
        count += sum(map(len, tree.sequence))
        trees += tree.children
    return count


def _decoded_widely(data: bytes, encoding: str) -> str:
    """Bytes as text, in the wider encoding that programs mean by a name if they do not fit the narrow one."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode(_WIDER.get(codecs.lookup(encoding).name, encoding), "replace")


def _check_game(kind: str) -> None:
    if kind not in ("", "1"):
        name = f", {OTHER_GAMES[kind]}" if kind in OTHER_GAMES else ""
        raise SgfError(f"the SGF file is not a game of Go: GM is {kind!r}{name}, and Go is 1")


def _size_of(text: str) -> int:
    """The size that SZ names, as "19" or "19:19"."""
    sides = _SIZE.fullmatch(text)
    if not sides:
        raise SgfError(f"the size of the SGF file is {text[:80]!r}: SZ must be a number from {MIN_SIZE} to {MAX_SIZE}")
    columns, rows = int(sides[1]), int(sides[2] or sides[1])
    if columns != rows:
        raise SgfError(f"the SGF file has a board of {columns}x{rows} (SZ): only square boards can be played")
    try:
        return check_size(columns)
    except SizeError as error:
        raise SgfError(f"the SGF file cannot be played (SZ): {error}") from None


def _check_encoding(name: str) -> None:
    """Refuse an encoding that is not one of text, or does not extend ASCII."""
    if not _extends_ascii(name):
        shown = name.upper()[:80]
        raise SgfError(f"the SGF file cannot be in {shown!r}, which CA names: it must extend ASCII, as UTF-8 does")


def _extends_ascii(name: str) -> bool:
    """Whether Python knows an encoding, and it has brackets as SGF needs them.

    UTF-16 has not, and neither has base64, which does not encode text.
    """
    signs = "(;[])"
    try:
        return signs.encode().decode(name, "replace") == signs
    except (LookupError, ValueError):
        return False


def property_text(node: Any, name: str) -> str:
    """A property of a node as one line, "" if it is missing; U+FFFD stands for bytes outside its encoding."""
    return _decoded(node, name, sgf_grammar.simpletext_value).strip()


def comment_of(node: Any) -> str:
    """The comment on a node, with its lines; otherwise as `property_text`."""
    return _decoded(node, "C", sgf_grammar.text_value)


def write_text(node: Any, name: str, text: str) -> None:
    """Set a property of a node to a text; "?" stands for characters that its encoding does not have."""
    node.set_raw(name, _encoded(node, text))


def add_comment(node: Any, text: str) -> None:
    """Add a text to the comment on a node, after an empty line; otherwise as `write_text`."""
    before = node.get_raw_list("C") if node.has_property("C") else []
    node.set_raw("C", b"\n\n".join([*before, _encoded(node, text)]))


def check_text(text: str) -> str:
    """The text; an ArgumentError if it is of another type."""
    if not isinstance(text, str):
        raise ArgumentError(f"a name, result or comment in an SGF file is a text, not {text!r}")
    return text


def by_turns(name: str, value: Mapping[int, Any] | None) -> Mapping[int, Any]:
    """The value, {} for None; an ArgumentError unless it has keys."""
    if value is not None and not isinstance(value, Mapping):
        raise ArgumentError(f"{name} are {value!r}: give them by the number of turns before them, as a dict")
    return value or {}


def _encoded(node: Any, text: str) -> bytes:
    return bytes(sgf_grammar.escape_text(check_text(text).encode(node.get_encoding(), "replace")))


def _decoded(node: Any, name: str, unescaped: Callable[[bytes], bytes]) -> str:
    return unescaped(node.get_raw(name)).decode(node.get_encoding(), "replace") if node.has_property(name) else ""


def move_of(node: Any, number: int) -> tuple[int | None, int]:
    """The colour and the move of a node, which is move `number` of the file; the colour is None without a move.

    An SgfError is raised if the node has several moves, or its move is not on the board.
    """
    raws = [(name, raw) for name in "BW" if node.has_property(name) for raw in node.get_raw_list(name)]
    if len(raws) > 1:
        given = " ".join(f"{name}[{raw.decode('ascii', 'replace')}]" for name, raw in raws)
        raise SgfError(f"move {number} of the SGF file is {given[:80]!r}: a node must have a single move")
    try:
        color, place = node.get_move()
    except ValueError:
        colour, raw = node.get_raw_move()
        where = f"{COLOR_NAMES[SGF_COLORS[colour]]} at {raw.decode('ascii', 'replace')!r}"
        raise SgfError(f"move {number} of the SGF file is not on the board: {where}") from None
    if color is None:
        return None, PASS
    return SGF_COLORS[color], PASS if place is None else place[0] * node.get_size() + place[1]


def nodes_with_moves(nodes: Iterable[Any]) -> list[Any]:
    """The nodes that have a move."""
    return [node for node in nodes if node.get_raw_move()[0] is not None]


def komi_of(root: Any) -> float:
    """The komi that KM names, 0 if it is missing; SgfError if it is no number of points."""
    text = property_text(root, "KM")
    try:
        komi = Game(2, komi=float(text.replace("_", "?") or 0)).komi  # Python would read 6_5 as 65
    except (ValueError, ArgumentError):
        raise SgfError(f"the komi of the SGF file is {text!r}: KM must be a number of points") from None
    programs = root.get_raw_list("AP") if root.has_property("AP") else []
    return HUNDREDTHS.get(komi, komi) if any(map(HUNDREDTHS_FROM.search, programs)) else komi


def rules_of(root: Any) -> Rules:
    """The rules that RU names, or Tromp-Taylor."""
    name = _rules_name(root)
    if katago := _KATAGO_RULES.match(name):
        return Rules(superko=katago[1], suicide=katago[3] == "1")
    if name in TERRITORY_RULES:
        return Rules("simple", suicide=False)
    preset = preset_of(root)
    if preset is not None:
        return PRESETS[preset].rules
    try:
        return Rules.parse(property_text(root, "RU"))
    except RulesError:
        return Rules()


def preset_of(root: Any) -> str | None:
    """The preset that RU names, or None."""
    key = preset_key(_rules_name(root))
    return next((name for name, one in PRESETS.items() if key in (preset_key(one.sgf_name), name)), None)


def notes_of(root: Any) -> tuple[str, ...]:
    """What is played differently here than the file says, a sentence each."""
    name = _rules_name(root)
    if named := TERRITORY_RULES.get(name):
        return (f"{named} rules score territory: here the game has simple ko, no suicide and area scoring",)
    katago = _KATAGO_RULES.match(name)
    if katago and katago[2] == "territory":
        return ("the rules of the SGF file score territory: here the game has area scoring",)
    return ()


def _rules_name(root: Any) -> str:
    """RU in lower case with single spaces, without "rules" at its end."""
    return " ".join(property_text(root, "RU").replace("_", " ").lower().split()).removesuffix(" rules")


def warn_of_notes(root: Any) -> None:
    """Issue a `SgfWarning` for each note, at the caller of the function that calls this one."""
    for note in notes_of(root):
        warnings.warn(note, SgfWarning, stacklevel=3)
