"""A game between a person and foogo: reads commands line by line and carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from foogo.arguments import replace_file
from foogo.errors import ArgumentError, FoogoError, VertexError
from foogo.game.geometry import BLACK, PASS, WHITE, geometry, opponent
from foogo.game.notation import counted, number_text, result_text
from foogo.game.sgf import write_game
from foogo.player.decision import RESIGN, Decision
from foogo.player.options import DEFAULT_SECONDS
from foogo.player.player import Player
from foogo.playout.policies import policy_name
from foogo.playout.simulate import simulate
from foogo.stats.estimates import Z95
from foogo.stats.percent import percent
from foogo.terminal.rich_boards import (
    NAMES,
    board_text,
    hint_legend,
    hint_lines,
    hint_text,
    legend_text,
    move_sentence,
)
from foogo.terminal.typing_ahead import keys_unseen

HELP = """\
E5         play at E5; type pass to pass, resign to resign
undo       take back your last move and foogo's answer
hint       win shares of the moves that foogo considers, and its best moves
score      who is ahead in playouts, and which stones look dead
board      draw the board again
save FILE  write the game as SGF
quit       leave the game; so does the end of the input"""

WORDS = ("pass", "resign", "undo", "hint", "score", "board", "save", "help", "quit", "exit")

PLAYOUTS = 10_000  # that an estimate of the score is from

Ask = Callable[[str], str]


class TerminalGame:
    """A game between a person, of colour `human`, and foogo.

    `ask` shows a prompt and returns a line; it raises EOFError at the end of the input. The game is written to
    `save_to` at the end.
    """

    def __init__(self, player: Player, human: int, console: Console, ask: Ask, save_to: Path | None = None) -> None:
        self._player, self._human, self._console, self._ask, self._save_to = player, human, console, ask, save_to
        self.result = ""
        self._quit = False

    def run(self) -> None:
        """Play until the person leaves."""
        self._say(self._header())
        self._console.print(legend_text(self._console), highlight=False)
        self._say(f"You are {NAMES[self._human]}; help lists what you can type.")
        self._show()
        try:
            while not self._quit:
                if not self.result and self._player.game.to_play != self._human:
                    self._answer()
                else:
                    self._obey(self._ask(self._prompt()))
        except EOFError:
            self._say("")
        finally:
            if self._save_to is not None:
                self._save(self._save_to)

    def _prompt(self) -> str:
        return "game over> " if self.result else f"{NAMES[self._human]} to play> "

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _header(self) -> str:
        """The size, komi, rules, and foogo's level."""
        player, options = self._player, self._player.options
        limits = [f"{options.simulations:,} simulations"] if options.simulations is not None else []
        if options.seconds is not None or not limits:
            limits.append(f"{DEFAULT_SECONDS if options.seconds is None else options.seconds:g} s")
        komi, compensation = f"komi {number_text(player.komi)}", player.total_komi - player.komi
        if compensation:
            komi += f" and {compensation:g} for the handicap"
        level = f"{' or '.join(limits)} per move, policy {policy_name(options.policy)}"
        return f"{player.size}x{player.size}, {komi}, {player.ruleset.name} rules; foogo: {level}"

    def _show(self) -> None:
        """Draw the board, and say how many stones each side has captured."""
        self._console.print(board_text(self._player.game.board, self._console), highlight=False)
        self._say(f"captures: Black {self._captured(WHITE)}, White {self._captured(BLACK)}")

    def _captured(self, color: int) -> int:
        """How many stones of a colour were taken off the board."""
        game = self._player.game
        placed = sum(turn.color == color and turn.move != PASS for turn in game.turns)
        return int(game.start.stones(color).count() + placed - game.board.stones(color).count())

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        with keys_unseen(), self._console.status("foogo thinks"):
            yield

    def _obey(self, line: str) -> None:
        """Carry out a command; an error is shown and changes nothing."""
        words = line.split()
        if not words:
            return
        command, arguments = words[0].lower(), line.split(maxsplit=1)[1:]
        actions = {
            "undo": self._undo, "hint": self._hint, "score": self._estimate, "board": self._show,
            "resign": self._resign, "help": lambda: self._say(HELP), "quit": self._leave, "exit": self._leave,
        }  # fmt: skip
        try:
            if command == "save":
                if not arguments:
                    raise ArgumentError("save needs a file: save game.sgf")
                path = Path(arguments[0].strip().strip('"'))
                with suppress(RuntimeError):  # no such user, or no home
                    path = path.expanduser()
                self._save(path)
            elif arguments:
                guess = _guess(words, self._player.size)
                raise ArgumentError(f"{line.strip()!r} is not understood: help lists what you can type{guess}")
            elif command in actions:
                actions[command]()
            else:
                self._play(words[0])
        except FoogoError as error:
            self._say(str(error))

    def _play(self, vertex: str) -> None:
        size = self._player.size
        try:
            move = geometry(size).point(vertex)
        except VertexError as error:
            if guess := _guess([vertex], size):
                raise VertexError(f"{vertex!r} is not understood: help lists what you can type{guess}") from None
            raise VertexError(f"{error}; help lists what else you can type") from None
        self._check_running()
        self._player.play(move, self._human)
        self._after(self._human, move)

    def _answer(self) -> None:
        """Have foogo play a move."""
        color = opponent(self._human)
        with self._thinking():
            move = self._player.genmove(color)
        if move == RESIGN:
            self._end(f"{'BW'[self._human - 1]}+R", f"{NAMES[color]} resigns")
        else:
            self._after(color, move)

    def _after(self, color: int, move: int) -> None:
        self._say(move_sentence(self._player.size, color, move))
        if color != self._human or self._player.game.is_over:
            self._show()
        if self._player.game.is_over:
            self._end(result_text(self._player.final_score()), self._dead() or "no stone is dead")

    def _end(self, result: str, why: str) -> None:
        self.result = result
        self._say(f"{why}; the result is {self.result}")

    def _check_running(self) -> None:
        if self.result:
            raise ArgumentError(f"the game is over ({self.result}): undo takes a move back, quit ends")

    def _resign(self) -> None:
        self._check_running()
        self._end(f"{'BW'[opponent(self._human) - 1]}+R", f"{NAMES[self._human]} resigns")

    def _undo(self) -> None:
        """Undo turns up to and including the person's last move; before it, a resignation."""
        turns = self._player.game.turns
        own = [number for number, turn in enumerate(turns) if turn.color == self._human]
        if own:
            self._player.undo(len(turns) - own[-1])
        elif not self.result:
            raise ArgumentError("nothing to undo: you have not moved yet")
        self.result = ""
        self._show()

    def _hint(self) -> None:
        self._check_running()
        decision = self._think()
        result = decision.result
        if result.moves["visits"].any():
            self._console.print(hint_text(result, self._console), highlight=False)
            self._say(hint_legend(result, self._console))
        else:
            self._say(f"{decision.reason}:")
        for line in hint_lines(result):
            self._say(line)

    def _think(self) -> Decision:
        """What foogo would play, by a search as long as for a move of its own."""
        with self._thinking():
            self._player.genmove(self._human, play=False)
        decision = self._player.decision
        assert decision is not None
        return decision

    def _estimate(self) -> None:
        """Say who is ahead: by the count if the game is over, else by playouts."""
        if self.result and self._player.game.is_over:
            self._say(f"the game is over: {self.result}")
            return
        player, options = self._player, self._player.options
        board, suicide = player.open_game().board, player.ruleset.rules.suicide
        try:
            with self._thinking():
                played = simulate(board, PLAYOUTS, seed=options.seed, suicide=suicide, policy=options.policy)
                dead = self._dead()
        except KeyboardInterrupt:
            self._say("interrupted")
            return
        lead, error = played.mean_score - player.total_komi, Z95 * played.se_score
        ahead = BLACK if lead > 0 else WHITE
        share = played.win_share(player.total_komi)
        margin = f"{abs(lead):.1f}" + (f" ±{error:.1f}" if error >= 0.05 else "")
        wins = f"{PLAYOUTS:,} playouts, {NAMES[ahead]} wins {percent(share if ahead == BLACK else 1 - share, 0)}"
        state = f"{NAMES[ahead]} is ahead by {margin}" if lead else "the score is even"
        self._say("; ".join(filter(None, [state, dead])) + f" ({wins})")

    def _dead(self) -> str:
        """The strings that look dead, in words."""
        vertex = geometry(self._player.size).vertex
        dead = [" ".join(map(vertex, string.points)) for string in self._player.status().dead]
        return f"dead: {', '.join(dead)}" if dead else ""

    def _save(self, path: Path) -> None:
        game = self._player.game
        names = {color: "you" if color == self._human else "foogo" for color in (BLACK, WHITE)}
        try:
            replace_file(path, write_game(game, black=names[BLACK], white=names[WHITE], result=self.result))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ArgumentError(f"cannot write {str(path)!r}: {reason.lower()}") from None
        self._say(f"wrote {path}, {counted(len(game.turns), 'move')}")

    def _leave(self) -> None:
        self._quit = True


def _guess(words: list[str], size: int) -> str:
    """What a line that is not understood may have meant, as the end of a sentence; "" if nothing is near."""
    near = get_close_matches(words[0].lower(), WORDS, 1)
    for word in words[1:2]:
        try:
            near = [geometry(size).vertex(geometry(size).point(word))]
        except VertexError:
            continue
    return f"; did you mean {near[0]}?" if near else ""
