"""Analysis until the next line arrives, and genmove with analysis."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from foogo.gtp import parsing
from foogo.gtp.analysis_lines import cgos_document, has_news, kata_line, leela_line
from foogo.gtp.analysis_request import AnalysisRequest, read_request
from foogo.gtp.commands.play import move_text, note_result, think
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session
from foogo.search.result import SearchResult

POLL = 0.05
"""Seconds between checks for a new line."""

FormatLine = Callable[[SearchResult, AnalysisRequest], str]


def lz_analyze(session: Session, call: Call) -> str:
    """Lines in Leela Zero's format until the next line arrives."""
    return _analyze(session, call, leela_line)


def kata_analyze(session: Session, call: Call) -> str:
    """Lines in KataGo's format until the next line arrives."""
    return _analyze(session, call, lambda result, request: kata_line(result, request, session))


def lz_genmove_analyze(session: Session, call: Call) -> str:
    """Genmove, with lines in Leela Zero's format."""
    return _genmove(session, call, leela_line)


def kata_genmove_analyze(session: Session, call: Call) -> str:
    """Genmove, with lines in KataGo's format."""
    return _genmove(session, call, lambda result, request: kata_line(result, request, session))


def cgos_genmove_analyze(session: Session, call: Call) -> str:
    """Genmove, with its analysis as one line of JSON."""
    words = call.expect(1, 100)
    color = parsing.color(words[0])
    move = think(session, call, color)
    decision = session.player.decision
    assert decision is not None
    call.write(cgos_document(decision.result, decision.reason))
    return f"play {move_text(session, move)}"


def analyze(session: Session, call: Call) -> str:
    """Lines in Sabaki's format until the next line arrives."""
    return _analyze(session, call, partial(leela_line, leads=True))


def genmove_analyze(session: Session, call: Call) -> str:
    """Genmove, with lines in Sabaki's format."""
    return _genmove(session, call, partial(leela_line, leads=True))


def _analyze(session: Session, call: Call, line: FormatLine) -> str:
    request = read_request(session, call.arguments, call.usage)
    snapshots = session.player.analyze(request.color, request.avoid, min(POLL, request.interval))
    call.write("")
    due, shown, result = time.perf_counter() + request.interval, None, None
    try:
        for result in snapshots:
            if call.is_overtaken():
                return ""
            if time.perf_counter() >= due and has_news(result):
                due, shown = due + request.interval, result
                call.write(line(result, request))
    finally:
        snapshots.close()
    if result is not shown and result is not None and has_news(result):  # the search ended by itself: it is proven
        call.write(line(result, request))
    return ""


def _genmove(session: Session, call: Call, line: FormatLine) -> str:
    request = read_request(session, call.arguments, call.usage)
    player = session.player
    color = player.game.to_play if request.color is None else request.color
    due = time.perf_counter() + request.interval

    def watch(result: SearchResult) -> None:
        nonlocal due
        call.write("")  # not before the search runs: an answer that has begun cannot say what is wrong
        if time.perf_counter() >= due and has_news(result):
            due += request.interval
            call.write(line(result, request))

    move = player.genmove(color, watch=watch, avoid=request.avoid, interrupted=call.is_interrupted)
    decision = player.decision
    assert decision is not None
    call.write(line(decision.result, request))
    note_result(session, color, move)
    return f"play {move_text(session, move)}"
