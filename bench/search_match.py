"""Games between two settings of the search, or against GNU Go, with the Elo difference and its 95 % interval.

A player is a list of settings: ``simulations=10000`` or ``seconds=1``, then ``policy=`` (a name, or shares with +
between them), ``threads=``, ``reuse=no``, ``must_win=yes`` (or ``black``, ``white``), and any field of
`foogo.search.parameters.SearchParameters`; ``plain`` begins with plain UCT. ``gnugo`` is GNU Go, with ``level=``.
Colours alternate. Games end by two passes and are scored by area with every stone alive (GNU Go is told to capture
what is dead); nobody resigns, nothing is adjudicated. A search that takes more than a moment ends once its best move
stays the most visited one whatever is left of it, unless with ``early=no``.

    python bench/search_match.py simulations=10000 gnugo --games 100 --output bench/results/gnugo-10000.json
    python bench/search_match.py simulations=10000 simulations=10000,playouts=8 --games 400
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

from foogo.benchmark.environment import environment
from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.sgf import write_game
from foogo.gtp.client import Client
from foogo.player.options import MUST_WIN
from foogo.player.stopping import choice_is_final, visit_lead
from foogo.playout.policies import Policy, policy_of
from foogo.search.parameters import SearchParameters
from foogo.search.result import SearchResult
from foogo.search.search import Search
from foogo.stats.elo import elo
from foogo.stats.estimates import wilson

MOVES_PER_POINT = 4
"""A game ends after this many moves for each point, and is scored as the board stands."""

ANSWER_SECONDS = 600.0
"""How long GNU Go is waited for."""


class Player(Protocol):
    """Someone who plays a game from its beginning."""

    def begin(self, game: Game, color: int, seed: int) -> None:
        """A new game, of that colour."""

    def choose(self, game: Game) -> int:
        """The move to make."""

    def saw(self, color: int, move: int) -> None:
        """A move was made, by whomever."""

    def close(self) -> None:
        """No more games."""


class SearchPlayer:
    """foogo's search."""

    def __init__(self, settings: dict[str, str]) -> None:
        self._reuse = is_yes("reuse", settings.pop("reuse", "yes"))
        must_win = settings.pop("must_win", "no")
        if must_win not in MUST_WIN:
            raise ArgumentError(f"must_win is {must_win!r}: give {', '.join(MUST_WIN)}")
        self._must_win = MUST_WIN[must_win]
        self._until = self._is_decided if is_yes("early", settings.pop("early", "yes")) else None
        self._limit: dict[str, Any] = {}
        for name, kind in (("simulations", int), ("seconds", float)):
            if name in settings:
                self._limit[name] = kind(settings.pop(name))
        if not self._limit:
            raise ArgumentError("nothing ends its searches: give simulations=1000 or seconds=1")
        self._options: dict[str, Any] = {"threads": int(settings.pop("threads", "1"))}
        if "policy" in settings:
            name = settings.pop("policy")
            shares = [int(share) for share in name.split("+")] if name[:1].isdigit() else None
            self._options["policy"] = name if shares is None else Policy(*shares)
            policy_of(self._options["policy"])  # an unknown name is an error before the match
        start = SearchParameters.plain if settings.pop("plain", None) is not None else SearchParameters
        self._options["parameters"] = start(**{name: parameter(name, value) for name, value in settings.items()})
        self.simulations, self.seconds = 0, 0.0
        self.comments: dict[int, str] = {}

    def begin(self, game: Game, color: int, seed: int) -> None:
        """A new tree."""
        self._seed = seed
        self.comments = {}
        self._options["must_win"] = color if color in self._must_win else None
        self._search = Search(game, seed=seed, **self._options)

    def choose(self, game: Game) -> int:
        """The best move of a search."""
        if not self._reuse:
            self._seed += 1
            self._search = Search(game, seed=self._seed, **self._options)
        result = self._search.run(**self._limit, until=self._until)
        if result.interrupted:
            raise KeyboardInterrupt
        self.simulations += result.simulations
        self.seconds += result.seconds
        self.comments[len(game.turns) + 1] = f"{100 * result.value:.1f} % after {result.simulations:,} simulations"
        return result.best

    def saw(self, color: int, move: int) -> None:
        """Keep the subtree."""
        self._search.play(move)

    def close(self) -> None:
        """Nothing to end."""

    def _is_decided(self, result: SearchResult) -> bool:
        """Whether the best move stays the most visited one, whatever is left of the search."""
        if len(result.moves) < 2:
            return True
        if "seconds" in self._limit:
            return choice_is_final(result, result.seconds, self._limit["seconds"])
        return bool(visit_lead(result) > self._limit["simulations"] - result.simulations)


def is_yes(name: str, text: str) -> bool:
    """Whether a setting is on."""
    if text not in ("yes", "no"):
        raise ArgumentError(f"{name} is {text!r}: give yes or no")
    return text == "yes"


def parameter(name: str, text: str) -> Any:
    """The value that a text gives the parameter of that name."""
    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(SearchParameters)}
    if name not in kinds:
        raise ArgumentError(f"setting {name!r} does not exist: choose {', '.join(kinds)}, or one that --help names")
    kind = kinds[name]
    if kind is bool:
        return is_yes(name, text)
    return kind(text)


class GnuGo:
    """GNU Go through GTP, under Chinese rules."""

    def __init__(self, settings: dict[str, str]) -> None:
        self._level = settings.pop("level", "10")
        if settings:
            raise ArgumentError(f"GNU Go has no setting {next(iter(settings))!r}: give level=10 or nothing")
        self._engine: Client | None = None
        self._has_played = False

    def begin(self, game: Game, color: int, seed: int) -> None:
        """A new process, so that its seed counts."""
        self.close()
        rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead", "--never-resign"]
        command = ["gnugo", "--mode", "gtp", "--level", self._level, *rules, "--seed", str(seed)]
        self._engine = Client(command, label="GNU Go", timeout=ANSWER_SECONDS)
        self._size = game.size
        self._engine.new_game(game.size, komi=game.komi)

    def choose(self, game: Game) -> int:
        """What GNU Go generates, which it has then played; a pass in its place where the game forbids that."""
        color = "b" if game.to_play == BLACK else "w"
        answer = self._ask(f"genmove {color}")
        self._has_played = True
        move = PASS if answer.lower() in ("pass", "resign") else geometry(self._size).point(answer)
        if game.is_legal(move):
            return move
        print(f"GNU Go plays {answer} after {len(game.turns)} moves, which is illegal; passed instead", file=sys.stderr)
        self._ask("undo")
        self._ask(f"play {color} pass")
        return PASS

    def saw(self, color: int, move: int) -> None:
        """Tell GNU Go of the other's moves."""
        if self._has_played:
            self._has_played = False
            return
        vertex = geometry(self._size).vertex(move)
        self._ask(f"play {'b' if color == BLACK else 'w'} {vertex}")

    def close(self) -> None:
        """End the process."""
        if self._engine is not None:
            self._engine.close(polite=True)
            self._engine = None

    def _ask(self, command: str) -> str:
        assert self._engine is not None
        return self._engine.send(command)


def player(text: str) -> Player:
    """The player that a text of settings describes."""
    parts = [part.partition("=") for part in text.split(",")]
    settings = {name: value for name, _, value in parts}
    if settings.pop("gnugo", None) is not None:
        return GnuGo(settings)
    return SearchPlayer(settings)


def described(text: str) -> Player:
    """The same for the command line, which says what is wrong with it."""
    try:
        return player(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def play_game(black: Player, white: Player, size: int, komi: float, seed: int) -> Game:
    """One game to its end."""
    game = Game(size, rules="chinese", komi=komi)
    black.begin(game, BLACK, seed)
    white.begin(game, WHITE, seed)
    while not game.is_over and len(game.turns) < MOVES_PER_POINT * size * size:
        color = game.to_play
        move = (black if color == BLACK else white).choose(game)
        game.play(move)
        for side in (black, white):
            side.saw(color, move)
    return game


def match(
    first: Player,
    second: Player,
    games: int,
    size: int,
    komi: float,
    seed: int,
    begin: int = 0,
    lost: Path | None = None,
) -> Iterator[float]:
    """The first player's points, 1, 1/2 or 0, of each game from number `begin` on; it is Black in every other game.

    Games that it does not win are written into the folder `lost`, as SGF, with its win share after each of its moves.
    """
    for number in range(begin, begin + games):
        is_black = number % 2 == 0
        sides = (first, second) if is_black else (second, first)
        game = play_game(*sides, size, komi, seed + number)
        score = game.score() * (1 if is_black else -1)
        if lost is not None and score <= 0:
            lost.mkdir(parents=True, exist_ok=True)
            comments = first.comments if isinstance(first, SearchPlayer) else {}
            (lost / f"{seed}-{number}.sgf").write_bytes(write_game(game, comments=comments))
        yield 1.0 if score > 0 else 0.5 if score == 0 else 0.0


def summary(points: list[float]) -> dict[str, Any]:
    """Games, points, share and Elo with their intervals."""
    share = wilson(sum(points), len(points))
    differences = [elo(number) for number in (share.value, share.low, share.high)]
    value, *interval = [number if math.isfinite(number) else None for number in differences]
    return {
        "games": len(points),
        "points": sum(points),
        "share": round(share.value, 4),
        "share_95": [round(share.low, 4), round(share.high, 4)],
        "elo": value,
        "elo_95": interval,
    }


def played(points: Iterator[float], limit: float = math.inf) -> list[float]:
    """All points of a match, or those of the games begun within `limit` seconds; prints the sum after each game."""
    found: list[float] = []
    began = time.monotonic()
    for point in points:
        found.append(point)
        now = summary(found)
        print(f"{now['points']:g}/{now['games']} {now['share']:.3f} {now['share_95']}", file=sys.stderr, flush=True)
        if time.monotonic() - began > limit:
            break
    return found


def report(document: dict[str, Any], output: Path | None) -> None:
    """Print a document as JSON, and write it to a file if there is one."""
    text = json.dumps(document, indent=2)
    print(text)
    if output:
        output.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Run a match from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=described)
    parser.add_argument("second", type=described)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds after which no game is begun")
    parser.add_argument("--lost", type=Path, metavar="DIR", help="write the games that are not won there, as SGF")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    first, second = arguments.first, arguments.second
    points = played(
        match(first, second, arguments.games, *(arguments.size, arguments.komi, arguments.seed), lost=arguments.lost),
        arguments.limit,
    )
    document = {"command": sys.argv[1:], "machine": environment(), **summary(points)}
    for name, side in (("first", first), ("second", second)):
        if isinstance(side, SearchPlayer) and side.seconds:
            document[f"{name}_simulations_per_second"] = round(side.simulations / side.seconds)
        side.close()
    report(document, arguments.output)


if __name__ == "__main__":
    main()
