"""Every command: its name, what it takes, what it is for, and the module that carries it out.

A module is imported when one of its commands first comes, so that ``name`` and ``list_commands`` wait for nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from foogo.gtp.engine import Call
from foogo.gtp.session import Session


class Row(NamedTuple):
    """One command."""

    name: str
    arguments: str
    summary: str
    home: str

    @property
    def usage(self) -> str:
        """The name and what it takes."""
        return f"{self.name} {self.arguments}".rstrip()

    def run(self, session: Session, call: Call) -> str:
        """Carry the command out."""
        module = import_module(f"foogo.gtp.commands.{self.home}")
        text: str = getattr(module, self.name.replace("-", "_"))(session, call)
        return text


_ANALYSIS = "[COLOR] [INTERVAL] [KEY VALUE]..."

_FAMILIES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "administrative": (
        ("protocol_version", "", "2"),
        ("name", "", "foogo"),
        ("version", "", "foogo's version"),
        ("known_command", "NAME", "true or false"),
        ("list_commands", "", "all commands, one on a line"),
        ("help", "", "all commands with what they take and do"),
        ("quit", "", "end"),
        ("echo", "[TEXT]", "the text"),
        ("stop", "", "end pondering"),
        ("clear_cache", "", "forget the search tree"),
        ("cputime", "", "processor seconds of the process"),
        ("get_random_seed", "", "the seed"),
        ("set_random_seed", "SEED", "set it"),
    ),
    "setup": (
        ("boardsize", "SIZE", "an empty board of that size"),
        ("clear_board", "", "an empty board; komi, rules and time settings stay"),
        ("komi", "KOMI", "set komi"),
        ("get_komi", "", "komi"),
        ("fixed_handicap", "STONES", "handicap stones on their usual points"),
        ("place_free_handicap", "STONES", "handicap stones where foogo wants them"),
        ("set_free_handicap", "VERTEX VERTEX...", "handicap stones there"),
        ("set_position", "[COLOR VERTEX]...", "a position without history"),
        ("loadsgf", "FILE [MOVE_NUMBER|VERTEX]", "the main line of a game, up to before that move"),
        ("printsgf", "[FILE]", "the game as SGF"),
    ),
    "play": (
        ("play", "COLOR VERTEX", "play a move"),
        ("genmove", "COLOR", "find a move and play it"),
        ("reg_genmove", "COLOR", "find a move"),
        ("undo", "", "take the last move back"),
        ("gg-undo", "[MOVES]", "take moves back"),
        ("showboard", "", "the board"),
        ("is_legal", "COLOR VERTEX", "1 or 0"),
        ("all_legal", "COLOR", "all legal points"),
        ("list_stones", "COLOR", "all stones of a colour"),
    ),
    "clocks": (
        ("time_settings", "MAIN PERIOD STONES", "absolute or Canadian time"),
        ("time_left", "COLOR SECONDS STONES", "what a clock shows"),
        ("kgs-time_settings", "none|absolute|byoyomi|canadian NUMBERS...", "time as on KGS"),
        ("kata-time_settings", "none|absolute|byoyomi|canadian|fischer|fischer-capped NUMBERS...", "any time system"),
        ("kata-list_time_settings", "", "the time systems"),
    ),
    "scoring": (
        ("final_score", "", "the result, dead stones taken off"),
        ("final_status_list", "STATUS", "alive, seki or dead strings; black_territory, white_territory or dame"),
    ),
    "rules": (
        ("kata-get-rules", "", "the rules as JSON"),
        ("kata-set-rules", "NAME|JSON", "set them"),
        ("kata-set-rule", "RULE VALUE", "set one of them"),
        ("kgs-rules", "NAME", "set them by KGS's name"),
    ),
    "analysis": (
        ("analyze", _ANALYSIS, "look at the position until a line comes"),
        ("lz-analyze", _ANALYSIS, "the same"),
        ("kata-analyze", _ANALYSIS, "the same with floats, ownership and more"),
        ("genmove_analyze", _ANALYSIS, "genmove, telling how it thinks"),
        ("lz-genmove_analyze", _ANALYSIS, "the same"),
        ("kata-genmove_analyze", _ANALYSIS, "the same with floats, ownership and more"),
        ("cgos-genmove_analyze", "COLOR", "genmove, telling what it thought as JSON"),
    ),
    "servers": (
        ("kgs-genmove_cleanup", "COLOR", "genmove that captures all dead stones before it passes"),
        ("kgs-game_over", "", "the game is over"),
        ("cgos-gameover", "RESULT", "the game is over"),
        ("cgos-opponent_name", "NAME", "who plays against foogo"),
        ("cgos-opponent_rating", "RATING", "how strong it is"),
        ("gomill-describe_engine", "", "foogo and its options"),
        ("gomill-cpu_time", "", "processor seconds of all moves"),
        ("gomill-explain_last_move", "", "how the last move came about"),
    ),
    "gogui": (
        ("gogui-analyze_commands", "", "what GoGui can show"),
        ("gogui-interrupt", "", "the comment # interrupt ends a search"),
        ("gogui-play_sequence", "[COLOR VERTEX]...", "play moves, all or none"),
        ("gogui-setup", "[COLOR VERTEX]...", "put stones on the board, or take them off (color e)"),
        ("gogui-undo_setup", "", "undo the last gogui-setup"),
        ("gogui-setup_player", "COLOR", "whose turn it is"),
        ("gogui-title", "", "a title for the window"),
    ),
    "own": (
        ("foogo-playouts", "N [THREADS]", "statistics of playouts from the position"),
        ("foogo-seed", "[SEED]", "the seed, or set it"),
        ("foogo-param", "[NAME [VALUE]]", "the parameters, one of them, or set it"),
        ("foogo-win_share", "", "win shares of the moves as colours"),
        ("foogo-visits", "", "playouts of the moves"),
        ("foogo-ownership", "", "whose the points are"),
        ("foogo-playable", "[COLOR]", "points that a playout may play"),
        ("foogo-first_move", "[PLAYOUTS]", "Black's mean lead after each first move"),
        ("foogo-strings", "", "strings, their stones and liberties"),
        ("foogo-liberties", "", "liberties of the string on each point"),
    ),
}

COMMANDS: dict[str, Row] = {
    name: Row(name, arguments, summary, home) for home, rows in _FAMILIES.items() for name, arguments, summary in rows
}
"""All commands by name, in the order of docs/reference/gtp.md."""
