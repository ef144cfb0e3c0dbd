"""A solved value as a file that can be checked: the best replies of both sides, replayed by slow, separate rules.

The file has two proofs: Black's, that the value is at least this much, and White's, that it is at most this much. Each
names a reply for every position that its player may reach. `foogo.solver.proof_checker` replays them; it shares no code
with the search and trusts no number in the file.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foogo.arguments import replace_file
from foogo.errors import ArgumentError
from foogo.solver.best_play import is_black, path_after
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.proof_checker import BY_POSITION, FORMAT, check_document
from foogo.solver.small_board import Position, move_of
from foogo.solver.solution import Solution, solver_of
from foogo.solver.solver import OutOfNodes, Report, Solver

Replies = dict[str, int | dict[str, int]]
"""Replies by position or by the moves since the start; instead of a reply, all replies from there on by position."""

MAX_REPLIES = 1_000_000
"""The most replies of one player; beyond this, saving gives up."""

REPLIES_PER_REPORT = 1000


def save(
    solution: Solution, path: str | Path, table_mb: int = 64, threads: int = 1, progress: Report | None = None
) -> int:
    """Write a solution with its proof, compressed if the name ends in ``.gz``; returns the number of replies.

    The proof is searched again, with that much memory and that many threads. ArgumentError if the method of the
    solution no longer exists, the proof is too long, or the file cannot be written.
    """
    solver = solver_of(
        solution.method, solution.rows, solution.cols, solution.rules, solution.suicide, table_mb=table_mb,
        threads=threads, report=progress,
    )  # fmt: skip
    line = path_after(solver, solution.moves)
    start = [move_of(solution.rows, solution.cols, vertex) for vertex in solution.moves]
    document: dict[str, Any] = {
        "format": FORMAT,
        "rows": solution.rows,
        "cols": solution.cols,
        "rules": solution.rules,
        "suicide": solution.suicide,
        "moves": [_written(move) for move in start],
        "value": solution.value,
        "best_moves": list(solution.best_moves),
        "black": _proof(solver, line, solution.value, by_black=True),
        "white": _proof(solver, line, solution.value, by_black=False),
    }
    replies = sum(
        len(reply) if isinstance(reply, dict) else 1 for side in ("black", "white") for reply in document[side].values()
    )
    data = json.dumps(document, separators=(",", ":")).encode()
    try:
        replace_file(Path(path), gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)
    except OSError as error:
        raise ArgumentError(f"{path} cannot be written: {error.strerror or error}") from None
    return replies


def verify(path: str | Path, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Replay the proof in a file: its value, rules and board, and the number of positions visited.

    `progress` is called with the number of positions so far, every thousand positions. ArgumentError if the file cannot
    be read, or proves nothing: the message names the first position that fails.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise ArgumentError(f"cannot read '{path}': {(error.strerror or str(error)).lower()}") from None
    try:
        document = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError):
        raise ArgumentError(f"{path} is not a saved solution, or is cut short: foogo solve --save writes it") from None
    if not isinstance(document, dict) or document.get("format") not in (*BY_POSITION, FORMAT):
        raise ArgumentError(f"{path} is not a saved solution: its format should be {FORMAT!r}")
    return check_document(document, progress)


def _proof(solver: Solver, path: list[Position], value: int, by_black: bool) -> Replies:
    """The prover's replies from the end of `path` on; the first position of `path` is Black's.

    They are by position (`name_of`), and only to the least image of each (`SmallBoard.least`). With superko they are by
    the moves since the start, or after some moves by position: then these replace the reply.
    """
    asked = value if by_black else -value
    replies: Replies = {}
    if asked == -solver.points:
        return replies  # a player cannot lose more
    if isinstance(solver, Enumeration):
        solver.value(path)  # the first question: the player can hold the value of this position
        _hold(solver, path, asked, by_black, replies)
    elif solver.superko or (solver.rule == "draw" and asked <= 0):
        _hold(solver, path, asked, by_black, replies)
    else:
        at = solver.least(path[-1], is_black(path))
        starts = [at] if is_black(path) == by_black else _answers(solver, at, by_black)
        try:
            found = all(one is None or _descend(solver, one, by_black, asked, replies, set()) for one in starts)
        except OutOfNodes:
            found = False
        if not found:
            raise ArgumentError("no proof without a repetition was found")
    return replies


def _written(move: int) -> int:
    """A move as the file stores it."""
    return -1 if move == PASS_MOVE else move


def _hold(solver: Solver, start: list[Position], asked: int, by_black: bool, replies: Replies) -> None:
    """Replies that keep the value. Play may cycle, except with superko."""
    superko, written, black_first = solver.superko, 0, is_black(start)
    if not superko:
        start = [solver.least(start[-1], black_first)]
    todo: list[tuple[list[Position], tuple[int, ...], bool]] = [(start, (), black_first)]
    seen = {name_of(start[-1], (), black_first, superko)}
    while todo:
        path, line, black = todo.pop()
        at = path[-1]
        key = name_of(at, line, black, superko)
        plan = solver.plan(path, asked, by_mover=black == by_black)
        if plan is not None:
            replies[key] = {name_of(one, (), by_black, superko=False): _written(move) for one, move in plan.items()}
            written += len(plan)
            _count(solver, written)
            continue
        moves = solver.moves
        if black == by_black:
            moves = [_reply(solver, path, asked, black, seen)]
            replies[key] = _written(moves[0])
            written += 1
            _count(solver, written)
        for move in moves:
            following = solver.follow(path, move)
            if following is None or (move == PASS_MOVE and at.passed):
                continue
            if superko:
                after = [*path, following], (*line, move), not black
            else:
                after = [solver.least(following, not black)], (), not black
            name = name_of(after[0][-1], after[1], not black, superko)
            if name not in seen:
                seen.add(name)
                todo.append(after)


def _reply(solver: Solver, path: list[Position], asked: int, black: bool, seen: set[str]) -> int:
    """A reply; an enumeration prefers one to a position seen already, which keeps the proof short."""
    if not isinstance(solver, Enumeration):
        return solver.reply(path, asked)
    moves = list(solver.replies(path[-1], asked))
    for move in moves if len(moves) > 1 else ():
        following = solver.play(path[-1], move)
        assert following is not None
        if name_of(solver.least(following, not black), (), not black, superko=False) in seen:
            return move
    return moves[0]


def _descend(solver: Solver, at: Position, black: bool, asked: int, replies: Replies, above: set[str]) -> bool:
    """Find replies that lead from `at`, where the prover is to move, to an end of the game, without cycling.

    A reply is added once every position that may follow it has replies of its own, so none leads back to its position.
    """
    key = name_of(at, (), black, superko=False)
    if key in replies:
        return True
    if key in above:
        return False
    if at.passed and solver.score(at) >= asked:
        replies[key] = -1
        return True
    _count(solver, len(replies))
    above.add(key)
    for move in solver.keeping([at], asked):
        after = solver.play(at, move)
        assert after is not None
        answers = _answers(solver, after, black)
        if all(one is None or _descend(solver, one, black, asked, replies, above) for one in answers):
            replies[key] = _written(move)
            break
    above.discard(key)
    return key in replies


def _answers(solver: Solver, at: Position, black: bool) -> list[Position | None]:
    """The positions with `black` to move after every move but a pass that ends the game, None for illegal moves."""
    found = [solver.play(at, move) for move in solver.moves if not (move == PASS_MOVE and at.passed)]
    return [None if one is None else solver.least(one, black) for one in found]


def _count(solver: Solver, replies: int) -> None:
    """Report the number of replies, and give up if there are too many."""
    if replies > MAX_REPLIES:
        raise ArgumentError(f"the proof has more than {MAX_REPLIES:,} replies: it is too long to be saved")
    if replies % REPLIES_PER_REPORT == 0:
        solver.tell(f"{replies:,} replies written", (solver.lower, solver.upper), solver.upper, 0.0)


def name_of(at: Position, line: tuple[int, ...], black: bool, superko: bool) -> str:
    """The name of a position in the file: with superko the moves since the start, else stones, ko, player, pass."""
    if superko:
        return " ".join(str(_written(move)) for move in line)
    stones = (at.own, at.other) if black else (at.other, at.own)
    return f"{stones[0]} {stones[1]} {at.ko} {int(black)} {at.passed}"
