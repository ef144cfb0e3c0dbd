"""Every command: its name, arguments, summary, and the module that carries it out.

A module is imported on the first use of one of its commands, so that ``name`` and ``list_commands`` answer at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session


class CommandSpec(NamedTuple):
    """A command: its name, its arguments, a summary, and the module that carries it out."""

    name: str
    arguments: str
    summary: str
    home: str

    @property
    def usage(self) -> str:
        """The name and the arguments."""
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
        ("list_commands", "", "all commands, one per line"),
        ("help", "", "all commands with their arguments and a summary"),
        ("quit", "", "end the session"),
        ("echo", "[TEXT]", "the text"),
        ("stop", "", "stop pondering"),
        ("clear_cache", "", "forget the search tree"),
        ("cputime", "", "processor seconds used by the process"),
        ("get_random_seed", "", "the seed"),
        ("set_random_seed", "SEED", "set the seed"),
    ),
    "setup": (
        ("boardsize", "SIZE", "start a game on an empty board of this size"),
        ("clear_board", "", "start a game on an empty board; komi, rules and time settings stay"),
        ("komi", "KOMI", "set the komi"),
        ("get_komi", "", "the komi"),
        ("fixed_handicap", "STONES", "place handicap stones on the points of a fixed handicap"),
        ("place_free_handicap", "STONES", "place handicap stones of foogo's choice"),
        ("set_free_handicap", "VERTEX VERTEX...", "place handicap stones on these points"),
        ("set_position", "[COLOR VERTEX]...", "set up a position without history"),
        ("loadsgf", "FILE [MOVE_NUMBER|VERTEX]", "load the main line of a game, up to but not including a move"),
        ("printsgf", "[FILE]", "the game as SGF, written to a file if one is named"),
    ),
    "play": (
        ("play", "COLOR VERTEX", "play a move"),
        ("genmove", "COLOR", "choose a move and play it"),
        ("reg_genmove", "COLOR", "choose a move without playing it"),
        ("undo", "", "undo the last move"),
        ("gg-undo", "[MOVES]", "undo moves, by default one"),
        ("showboard", "", "the board and the state of the game"),
        ("is_legal", "COLOR VERTEX", "1 if the move is legal, else 0"),
        ("all_legal", "COLOR", "all legal points"),
        ("list_stones", "COLOR", "all stones of a colour"),
    ),
    "clocks": (
        ("time_settings", "MAIN PERIOD STONES", "set absolute or Canadian time"),
        ("time_left", "COLOR SECONDS STONES", "set a clock to the time left"),
        ("kgs-time_settings", "none|absolute|byoyomi|canadian NUMBERS...", "set one of KGS's time systems"),
        ("kata-time_settings", "none|absolute|byoyomi|canadian|fischer|fischer-capped NUMBERS...", "set a time system"),
        ("kata-list_time_settings", "", "the names of the time systems"),
    ),
    "scoring": (
        ("final_score", "", "the result, without dead stones"),
        ("final_status", "VERTEX", "the status of a point: alive, seki, dead, or whose territory"),
        ("final_status_list", "STATUS", "alive, seki or dead strings; black_territory, white_territory or dame"),
    ),
    "rules": (
        ("kata-get-rules", "", "the rules as JSON"),
        ("kata-set-rules", "NAME|JSON", "set the rules"),
        ("kata-set-rule", "RULE VALUE", "set one of the rules"),
        ("kgs-rules", "NAME", "set the rules by their KGS name"),
    ),
    "analysis": (
        ("analyze", _ANALYSIS, "analyze the position until the next line arrives"),
        ("lz-analyze", _ANALYSIS, "as analyze"),
        ("kata-analyze", _ANALYSIS, "as analyze, with floats, ownership and more"),
        ("genmove_analyze", _ANALYSIS, "genmove, with analysis"),
        ("lz-genmove_analyze", _ANALYSIS, "as genmove_analyze"),
        ("kata-genmove_analyze", _ANALYSIS, "as genmove_analyze, with floats, ownership and more"),
        ("cgos-genmove_analyze", "COLOR", "genmove, with its analysis as JSON"),
    ),
    "servers": (
        ("kgs-genmove_cleanup", "COLOR", "genmove that captures all dead stones before passing"),
        ("kgs-game_over", "", "the game is over"),
        ("cgos-gameover", "RESULT", "the game is over, with this result"),
        ("cgos-opponent_name", "NAME", "set the name of the opponent"),
        ("cgos-opponent_rating", "RATING", "set the rating of the opponent"),
        ("gomill-describe_engine", "", "foogo's version, rules and parameters"),
        ("gomill-cpu_time", "", "processor seconds used for all moves"),
        ("gomill-explain_last_move", "", "how the last move came about"),
    ),
    "gogui": (
        ("gogui-analyze_commands", "", "the entries of GoGui's analysis dialog"),
        ("gogui-interrupt", "", "says that the comment # interrupt stops a search"),
        ("gogui-play_sequence", "[COLOR VERTEX]...", "play all of the moves, or none if one is illegal"),
        ("gogui-setup", "[COLOR VERTEX]...", "put stones on the board, or remove them (color e)"),
        ("gogui-undo_setup", "", "undo the last gogui-setup"),
        ("gogui-setup_player", "COLOR", "set the player to move"),
        ("gogui-title", "", "the loaded file and the opponent"),
    ),
    "foogo_extensions": (
        ("foogo-playouts", "N [THREADS]", "statistics of playouts from the position"),
        ("foogo-seed", "[SEED]", "the seed, or set the seed"),
        ("foogo-param", "[NAME [VALUE]]", "all parameters, one parameter, or set a parameter"),
        ("foogo-win_share", "", "win shares of the moves as colours"),
        ("foogo-visits", "", "visits of the moves"),
        ("foogo-ownership", "", "ownership of the points"),
        ("foogo-playable", "[COLOR]", "points that a colour may play in a playout"),
        ("foogo-first_move", "[PLAYOUTS]", "Black's mean lead after each first move"),
        ("foogo-strings", "", "all strings with their stones and liberties"),
        ("foogo-liberties", "", "the number of liberties of the string on each point"),
    ),
}

COMMANDS: dict[str, CommandSpec] = {
    name: CommandSpec(name, arguments, summary, home)
    for home, rows in _FAMILIES.items()
    for name, arguments, summary in rows
}
"""All commands by name, in the order of `list_commands`."""
