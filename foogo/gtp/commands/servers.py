"""What servers and match programs send: KGS, CGOS and Gomill."""

from __future__ import annotations

from foogo import __version__
from foogo.game.geometry import COLOR_NAMES, geometry
from foogo.gtp import arguments
from foogo.gtp.commands.administrative import NAME
from foogo.gtp.commands.play import move_text, think
from foogo.gtp.engine import Call
from foogo.gtp.session import Session
from foogo.stats.percent import percent

LONGEST_NAME = 200


def kgs_genmove_cleanup(session: Session, call: Call) -> str:
    """Genmove that captures all dead stones before it passes."""
    (word,) = call.expect(1)
    return move_text(session, think(session, call, arguments.color(word), clean_up=True))


def kgs_game_over(session: Session, call: Call) -> str:
    """The game is over."""
    call.expect(0)
    session.player.stop_pondering()
    return ""


def cgos_gameover(session: Session, call: Call) -> str:
    """The game is over, with that result."""
    (word,) = call.expect(1)
    session.result = _readable(word)
    session.player.stop_pondering()
    return ""


def cgos_opponent_name(session: Session, call: Call) -> str:
    """Who plays against foogo."""
    session.opponent_name = _readable(call.command.text)
    return ""


def cgos_opponent_rating(session: Session, call: Call) -> str:
    """How strong it is; empty where the server does not know."""
    session.opponent_rating = _readable(call.command.text)
    return ""


def gomill_describe_engine(session: Session, call: Call) -> str:
    """Foogo and all that its play depends on."""
    from foogo.gtp.parameters import all_parameters

    call.expect(0)
    player = session.player
    lines = [f"{NAME} {__version__}", f"rules: {player.conventions.name}, {player.conventions.rules}"]
    lines += [f"{name}: {value}" for name, value in all_parameters(player.options).items()]
    if player.options.threads == 1 and player.options.simulations and player.settings.system == "none":
        lines.append("moves depend on the seed alone")
    return "\n".join(lines)


def gomill_cpu_time(session: Session, call: Call) -> str:
    """Processor seconds of all moves, all threads together."""
    call.expect(0)
    return f"{session.player.cpu_seconds:.3f}"


def gomill_explain_last_move(session: Session, call: Call) -> str:
    """What the search thought of the last move it found."""
    call.expect(0)
    decision = session.player.decision
    if decision is None:
        return ""
    text = f"{COLOR_NAMES[decision.color]} {move_text(session, decision.move)}"
    result = decision.result
    if result is not None:
        vertex = geometry(result.size).vertex
        variation = " ".join(map(vertex, result.pv[:8]))
        text += (
            f": win share {percent(result.value)}, {result.score:+.1f} points, {result.simulations} simulations "
            f"in {decision.seconds:.2f} s, variation {variation}"
        )
    return f"{text}; {decision.reason}" if decision.reason else text


def _readable(text: str) -> str:
    """The beginning of a text, with a sign for each byte that is no UTF-8."""
    return text[:LONGEST_NAME].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
