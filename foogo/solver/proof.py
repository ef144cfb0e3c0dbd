"""A solved value as a file that can be checked: the best replies of both sides, replayed by slow, separate rules.

The file has two proofs: Black's, that the value is at least so much, and White's, that it is at most so much.
Each names a reply for every position that its player may come to, whatever the other side plays. The check
(`foogo.solver.checker`) replays them all; it shares no code with the search and believes no number of the file.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foogo.errors import ArgumentError
from foogo.solver.board import Board, OutOfNodes, Position, Report
from foogo.solver.checker import BY_POSITION, FORMAT, check_document
from foogo.solver.kernels.table import PASS_MOVE
from foogo.solver.methods import solver_of
from foogo.solver.solver import Solution, is_black, move_of, path_after
from foogo.solver.space import Space

Replies = dict[str, int | dict[str, int]]
"""Replies by position or by the moves since the start; in place of one, all that follow after it, by position."""

MAX_REPLIES = 1_000_000
"""Replies of one player after which saving gives up."""

REPLIES_A_REPORT = 1000


def save(
    solution: Solution, path: str | Path, table_mb: int = 64, threads: int = 1, progress: Report | None = None
) -> int:
    """Write a solution with its proof, compressed if the name ends in ``.gz``; how many replies it has.

    The proof is found anew, with that much memory and that many threads; `progress` hears of it as in `foogo.solve`.

    Raises
    ------
    ArgumentError
        If the proof is too long, or the file cannot be written.
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
    text = json.dumps(document, separators=(",", ":"))
    try:
        if str(path).endswith(".gz"):
            Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))
        else:
            Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"{path} cannot be written: {error.strerror or error}") from None
    return replies


def verify(path: str | Path, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Replay the proof in a file: its value, rules and board, and how many positions were looked at.

    `progress` is called with the positions so far, now and then.

    Raises
    ------
    ArgumentError
        If the file cannot be read, or proves nothing: the message names the first position that fails.
    """
    try:
        raw = Path(path).read_bytes()
        document = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except (OSError, ValueError, EOFError) as error:
        raise ArgumentError(f"{path} cannot be read as a saved solution: {error}") from None
    if not isinstance(document, dict) or document.get("format") not in (*BY_POSITION, FORMAT):
        raise ArgumentError(f"{path} is no saved solution: it should say {FORMAT!r}")
    return check_document(document, progress)


def _proof(solver: Board, path: list[Position], value: int, by_black: bool) -> Replies:
    """The prover's replies from the end of `path` on, whose first position is Black's.

    By position (`key_of`): of those that are one turned or mirrored, to the least (`Board.least`). With superko by the
    moves since; -1 is a pass. After some moves replies may be by position with superko too: then these stand in place
    of the reply.
    """
    asked = value if by_black else -value
    replies: Replies = {}
    if asked == -solver.points:
        return replies  # nobody can lose more
    if isinstance(solver, Space):
        _write_down(solver, path, asked, by_black, replies)
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


def _write_down(space: Space, path: list[Position], asked: int, by_black: bool, replies: Replies) -> None:
    """The replies of an enumeration."""
    space.value(path)  # the first question: what it is worth is what can be held
    start = space.least(path[-1], is_black(path)), is_black(path)
    todo, seen = [start], {start}
    while todo:
        at, black = todo.pop()
        moves = _all_moves(space)
        if black == by_black:
            moves = [_known_reply(space, at, black, asked, seen)]
            replies[key_of(at, (), black, superko=False)] = _written(moves[0])
            _count(space, len(replies))
        for move in moves:
            following = space.play(at, move)
            if following is None or (move == PASS_MOVE and at.passed):
                continue
            node = space.least(following, not black), not black
            if node not in seen:
                seen.add(node)
                todo.append(node)


def _known_reply(space: Space, at: Position, black: bool, asked: int, seen: set[tuple[Position, bool]]) -> int:
    """A reply after which the position was seen already, if there is a choice and such a one."""
    moves = list(space.replies(at, asked))
    for move in moves if len(moves) > 1 else ():
        following = space.play(at, move)
        assert following is not None
        if (space.least(following, not black), not black) in seen:
            return move
    return moves[0]


def _written(move: int) -> int:
    """A move as the file has it."""
    return -1 if move == PASS_MOVE else move


def _hold(engine: Board, start: list[Position], asked: int, by_black: bool, replies: Replies) -> None:
    """Replies that keep the value; play may go round (`draw`) or cannot (superko)."""
    seen: set[str] = set()
    superko, length, black_first = engine.superko, 0, is_black(start)
    if not superko:
        start = [engine.least(start[-1], black_first)]
    todo: list[tuple[list[Position], tuple[int, ...], bool]] = [(start, (), black_first)]
    while todo:
        path, line, black = todo.pop()
        at = path[-1]
        key = key_of(at, line, black, superko)
        if key in seen:
            continue
        seen.add(key)
        plan = engine.plan(path, asked, by_mover=black == by_black)
        length += 1 if plan is None else len(plan)
        _count(engine, length)
        if plan is not None:
            replies[key] = {key_of(one, (), by_black, superko=False): _written(move) for one, move in plan.items()}
            continue
        past = path if superko else path[-1:]
        moves = _all_moves(engine)
        if black == by_black:
            if at.passed and engine.score(at) >= asked:
                replies[key] = -1
                continue
            move = next(engine.keeping(past, asked))
            replies[key] = _written(move)
            moves = [move]
        for move in moves:
            following = engine.follow(past, move)
            if following is None or (move == PASS_MOVE and at.passed):
                continue
            if superko:
                todo.append(([*path, following], (*line, move), not black))
            else:
                todo.append(([engine.least(following, not black)], (), not black))


def _descend(engine: Board, at: Position, black: bool, asked: int, replies: Replies, above: set[str]) -> bool:
    """Find replies that lead to an end from `at`, where the prover is to move, without going round.

    A reply is written down when all that may follow it has its own: so no reply leads back to its position.
    """
    key = key_of(at, (), black, superko=False)
    if key in replies:
        return True
    if key in above:
        return False
    if at.passed and engine.score(at) >= asked:
        replies[key] = -1
        return True
    _count(engine, len(replies))
    above.add(key)
    for move in engine.keeping([at], asked):
        after = engine.play(at, move)
        assert after is not None
        answers = _answers(engine, after, black)
        if all(one is None or _descend(engine, one, black, asked, replies, above) for one in answers):
            replies[key] = _written(move)
            break
    above.discard(key)
    return key in replies


def _answers(engine: Board, at: Position, black: bool) -> list[Position | None]:
    """The positions, `black`'s to move, after all moves but a pass that ends the game, whose score is known to do."""
    found = [engine.play(at, move) for move in _all_moves(engine) if not (move == PASS_MOVE and at.passed)]
    return [None if one is None else engine.least(one, black) for one in found]


def _all_moves(solver: Board) -> list[int]:
    return [*range(solver.points), PASS_MOVE]


def _count(solver: Board, replies: int) -> None:
    """Report how many replies there are, and give up where they are too many."""
    if replies > MAX_REPLIES:
        raise ArgumentError(f"the proof has more than {MAX_REPLIES:,} replies: it is too long to be saved")
    if replies % REPLIES_A_REPORT == 0:
        solver.tell(f"{replies:,} replies written", solver.lower, solver.upper, solver.upper, 0.0)


def key_of(at: Position, line: tuple[int, ...], black: bool, superko: bool) -> str:
    """The name of a position in the file: the moves since the start, or stones, ko, player and pass."""
    if superko:
        return " ".join(str(_written(move)) for move in line)
    stones = (at.own, at.other) if black else (at.other, at.own)
    return f"{stones[0]} {stones[1]} {at.ko} {int(black)} {at.passed}"
