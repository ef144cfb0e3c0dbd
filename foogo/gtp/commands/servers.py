"""Commands of KGS, CGOS and Gomill."""

from __future__ import annotations

from foogo import __version__
from foogo.game.geometry import COLOR_NAMES, geometry
from foogo.gtp import parsing
from foogo.gtp.commands.administrative import NAME
from foogo.gtp.commands.play import move_text, think
from foogo.gtp.dispatcher import Call
from foogo.gtp.session import Session

LONGEST_NAME = 200  # characters of a name, rating or result that are kept


def kgs_genmove_cleanup(session: Session, call: Call) -> str:
    """Genmove that captures all dead stones before passing."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, parsing.color(word), clean_up=True))


def kgs_game_over(session: Session, call: Call) -> str:
    """The game is over."""
    session.player.stop_pondering()
    return ""


def cgos_gameover(session: Session, call: Call) -> str:
    """The game is over; keep its result."""
    (word,) = call.expect(1)
    session.result = _readable(word)
    session.player.stop_pondering()
    return ""


def cgos_opponent_name(session: Session, call: Call) -> str:
    """Set the name of the opponent."""
    session.opponent_name = _readable(call.command.text)
    return ""


def cgos_opponent_rating(session: Session, call: Call) -> str:
    """Set the rating of the opponent; empty if the server does not know it."""
    session.opponent_rating = _readable(call.command.text)
    return ""


def gomill_describe_engine(session: Session, call: Call) -> str:
    """The name, version, rules and parameters that determine foogo's play."""
    from foogo.gtp.parameters import all_parameters

    player, options = session.player, session.player.options
    lines = [f"{NAME} {__version__}", f"rules: {player.ruleset.name}, {player.ruleset.rules}"]
    lines += [f"{name}: {value}" for name, value in all_parameters(options).items()]
    timed = options.seconds is not None or options.ponder or player.settings.system != "none"
    if options.threads == 1 and options.simulations and not timed:
        lines.append("moves depend on the seed alone")
    return "\n".join(lines)


def gomill_cpu_time(session: Session, call: Call) -> str:
    """Processor seconds used for all moves, summed over threads."""
    return f"{session.player.cpu_seconds:.3f}"


def gomill_explain_last_move(session: Session, call: Call) -> str:
    """How the last move came about."""
    decision = session.player.decision
    if decision is None:
        return ""
    result = decision.result
    variation = " ".join(map(geometry(result.size).vertex, result.pv[:8]))
    text = (
        f"{COLOR_NAMES[decision.color]} {move_text(session, decision.move)}: {decision.comment}, "
        f"{result.simulations} simulations in {decision.seconds:.2f} s, variation {variation}"
    )
    return f"{text}; {decision.reason}" if decision.reason else text


def _readable(text: str) -> str:
    """A text truncated to `LONGEST_NAME`, with replacement characters for bytes that are not UTF-8."""
    return text[:LONGEST_NAME].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
