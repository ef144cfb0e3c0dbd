"""Analysis of games: values, swings, the annotated SGF file, the graph, the command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from foogo.analysis import Analysis, MoveView, PositionView, analyze_game, analyze_positions
from foogo.analysis.annotated_sgf import annotated_sgf
from foogo.analysis.graph import win_share_graph
from foogo.cli.analyze import report
from foogo.errors import ArgumentError, PlotError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.sgf import read_game
from foogo.search.parameters import SearchParameters
from foogo.search.result import SearchResult
from foogo.search.search import Search
from foogo.study.report.style import save
from tests import command_line
from tests.command_line import Said

# Black kills the white stones at B5, or White lives there. With komi 12 that decides the game.
RACE = """
    . . . O X
    O O O O X
    X X X X X
    . X . . .
    X . X . ."""


def race(first: str, *more: str) -> bytes:
    """A file in which Black plays `first` where B5 decides."""
    board = Board.from_diagram(RACE)
    stones = {
        color: "".join(f"[{point(divmod(at, 5))}]" for at in board.stones(color).search(1)) for color in (BLACK, WHITE)
    }
    moves = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate((first, *more)))
    return f"(;SZ[5]KM[12]RU[Chinese]PB[b]PW[w]AB{stones[BLACK]}AW{stones[WHITE]}PL[B]{moves})".encode()


def point(place: tuple[int, int]) -> str:
    row, col = place
    return "abcde"[col] + "abcde"[4 - row]


GOOD, BAD = "ba", "ee"  # B5, and E1


def view(turns: int, share: float, best: int = 0, to_play: int = BLACK) -> PositionView:
    return PositionView(turns, to_play, share, 20 * share - 10, share, (best, 1), 100, share, proven=False)


def made(*shares: float) -> Analysis:
    """An analysis with these win shares of Black, of a game with moves along the bottom row."""
    game = Game(5)
    views = [view(0, shares[0], best=20)]
    for turns, share in enumerate(shares[1:], 1):
        game.play(turns - 1)
        views.append(view(turns, share, best=20, to_play=BLACK if turns % 2 == 0 else WHITE))
    return Analysis(game, tuple(views))


def test_a_position_that_one_move_decides() -> None:
    good = analyze_game(read_game(race(GOOD)), simulations=2000, seed=1)
    bad = analyze_game(read_game(race(BAD)), simulations=2000, seed=1)
    vertex = geometry(5).vertex
    assert vertex(good.positions[0].best) == "B5"
    assert good.positions[0].best_share > 0.9
    assert good.moves[0].is_best
    assert abs(good.moves[0].loss) < 0.1
    assert good.swings() == ()
    assert bad.moves[0].loss > 0.5
    assert bad.positions[1].win_share < 0.4
    assert bad.positions[1].score < good.positions[1].score
    assert bad.swings() == (bad.moves[0],)


def test_who_has_lost_for_certain_loses_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves have the means of their playouts, from before the proof too."""
    complete = Search.run

    def proven(self: Search, simulations: int | None = None, **_: Any) -> SearchResult:
        result = complete(self, simulations=simulations)
        return replace(result, proven=True, value=1.0 if result.to_play == BLACK else 0.0)

    monkeypatch.setattr(Search, "run", proven)
    game = Game(5)
    for vertex in ("C3", "A1", "B2", "E5"):
        game.play(vertex)
    analysis = analyze_game(game, simulations=50)
    assert [one.win_share for one in analysis.positions] == [1.0] * 5
    assert 0 < analysis.positions[1].mean_share < 1
    assert [move.loss for move in analysis.moves] == [0.0] * 4


def test_a_proven_result_is_not_compared_with_a_mean() -> None:
    before = replace(view(0, 0.9), win_share=1.0, proven=True)
    after = view(1, 0.85, to_play=WHITE)
    assert MoveView(1, BLACK, 7, before, after).loss == pytest.approx(0.05)


def test_the_same_seed_gives_the_same_analysis() -> None:
    game = read_game(race(BAD, "ba"))
    first, second = (analyze_game(game, simulations=300, seed=4) for _ in range(2))
    assert first.as_dict() == second.as_dict()


def test_an_analysis_becomes_a_data_frame() -> None:
    pytest.importorskip("pandas")
    analysis = made(0.5, 0.4, 0.7)
    assert analysis.to_frame().to_dict("records") == analysis.as_dict()["moves"]
    assert len(Analysis(Game(5), ()).to_frame()) == 0


def test_an_analysis_says_what_it_found() -> None:
    analysis = made(0.5, 0.2, 0.9)
    assert repr(analysis) == "<Analysis of 5x5, komi 7, 3 positions>"
    lines = str(analysis).splitlines()
    assert lines[:3] == [
        "5x5, komi 7, 3 positions",
        "at the start: Black 50.0 %, +0.0 points",
        "at the end: Black 90.0 %, +8.0 points",
    ]
    assert lines[3] == "largest swings:"
    assert [line.split(" costs ")[1].split(";")[0] for line in lines[4:]] == ["Black 30.0 %", "White 70.0 %"]
    rows = analysis._repr_html_().split("<tr>")
    assert len(rows) == 4
    assert "90.0" in rows[-1]
    stopped = Analysis(analysis.game, analysis.positions[:1])
    assert repr(stopped) == "<Analysis of 5x5, komi 7, 1 position of 3>"
    assert str(Analysis(analysis.game, ())) == "5x5, komi 7, 0 positions of 3"


def test_every_position_has_the_turn_of_the_game() -> None:
    game = Game(5)
    for move, color in (("B2", BLACK), ("D4", BLACK), ("C3", WHITE)):
        game.play(move, color)
    analysis = analyze_game(game, simulations=100)
    assert [position.to_play for position in analysis.positions] == [BLACK, BLACK, WHITE, BLACK]
    assert [move.color for move in analysis.moves] == [BLACK, BLACK, WHITE]


def test_moves_out_of_turn_keep_the_history_for_superko() -> None:
    game = Game(2, "new-zealand")
    for move, color in (("A2", WHITE), ("B2", BLACK), ("A1", BLACK), ("B1", BLACK), ("A2", BLACK)):
        game.play(move, color)
    assert analyze_game(game, simulations=10).is_complete


def test_a_finished_game_is_searched_to_its_last_position() -> None:
    game = Game(3, komi=0)
    for move in ("B2", "pass", "pass"):
        game.play(move)
    analysis = analyze_game(game, simulations=2000)
    assert analysis.is_complete
    assert analysis.positions[-1].win_share > 0.7
    assert game.is_over


def test_few_simulations_still_give_numbers() -> None:
    for simulations in (1, 2, 5):
        document = analyze_game(read_game(race(BAD)), simulations=simulations).as_dict()
        json.dumps(document, allow_nan=False)


def test_no_time_at_all_still_gives_numbers() -> None:
    for _ in range(10):
        analysis = analyze_game(read_game(race(BAD)), seconds=1e-6)
        assert analysis.is_complete
        json.dumps(analysis.as_dict(), allow_nan=False)


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    analyze_game(read_game(race(BAD)), simulations=50, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_no_effort_is_refused() -> None:
    with pytest.raises(ArgumentError, match="give simulations or seconds"):
        analyze_game(Game(5))


def test_a_board_is_no_game() -> None:
    with pytest.raises(ArgumentError, match=r"^an analysis needs a Game, not Board\[3\]: Game\(board\) makes one"):
        analyze_game(Board(3), simulations=5)  # type: ignore[arg-type]


def test_no_loss_is_shown_as_zero() -> None:
    analysis = made(0.5, 0.5, 0.5)
    assert "-0.0" not in report(analysis.game, analysis, ("", ""), 5)


def test_losses_are_the_movers() -> None:
    analysis = made(0.5, 0.2, 0.9, 0.85)
    assert [move.loss for move in analysis.moves] == pytest.approx([0.3, 0.7, 0.05])


def test_the_largest_swings_in_game_order() -> None:
    analysis = made(0.5, 0.2, 0.9, 0.85, 0.84)
    assert [move.number for move in analysis.swings(2)] == [1, 2]
    assert [move.number for move in analysis.swings(1)] == [2]
    assert [move.number for move in analysis.swings(9)] == [1, 2, 3]  # move 4 gained
    assert analysis.swings(0) == ()
    for wrong in (-1, "3", 1.5):
        with pytest.raises(ArgumentError, match="swings is"):
            analysis.swings(wrong)  # type: ignore[arg-type]


def test_a_swing_is_no_choice_of_the_search_and_no_noise() -> None:
    game = Game(5)
    game.play(20)
    game.play(3)
    analysis = Analysis(game, (view(0, 0.5, best=20), view(1, 0.1, best=21), view(2, 0.11, best=22)))
    assert analysis.swings() == ()


def test_an_interrupted_search_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from foogo.search.search import Search

    complete, count = Search.run, iter(range(9))

    def interrupted(self: Search, simulations: int | None = None, **limits: None) -> object:
        return replace(complete(self, simulations=simulations), interrupted=next(count) >= 2)

    monkeypatch.setattr(Search, "run", interrupted)
    game = read_game(race(BAD, GOOD, "de"))
    analysis = analyze_game(game, simulations=200, parameters=SearchParameters(certainty=False))
    assert (len(analysis.positions), len(analysis.moves), analysis.is_complete) == (2, 1, False)


@pytest.mark.parametrize(("limits", "wanted"), [({"simulations": 20}, 2), ({"seconds": 3600.0}, 0)])
def test_an_analysis_ends_when_until_says_so(limits: dict[str, Any], wanted: int) -> None:
    views: list[PositionView] = []
    for one in analyze_positions(read_game(race(BAD, GOOD, "de")), **limits, until=lambda _: len(views) >= wanted):
        views.append(one)
    assert len(views) == wanted


def test_the_record_gets_comments_marks_and_variations() -> None:
    data = race(BAD, "ba")
    analysis = analyze_game(read_game(data), simulations=2000, seed=1)
    written = annotated_sgf(data, analysis)
    nodes = sgf.Sgf_game.from_bytes(written).get_main_sequence()
    assert nodes[0].get("C").startswith("Black ")
    assert " %, +" in nodes[0].get("C")
    assert "E1 costs Black " in nodes[1].get("C")
    assert "better: B5" in nodes[1].get("C")
    assert nodes[1].get("BM") == 1
    assert [child.get_move() for child in nodes[0]] == [("b", (0, 4)), ("b", (4, 1))]
    assert not nodes[2].has_property("BM")
    assert nodes[0].get("PB") == "b"
    assert read_game(written).moves == read_game(data).moves


def test_no_swing_no_variation() -> None:
    data = race(BAD)
    analysis = analyze_game(read_game(data), simulations=1000, seed=1)
    nodes = sgf.Sgf_game.from_bytes(annotated_sgf(data, analysis, swings=0)).get_main_sequence()
    assert len(nodes[0]) == 1
    assert not nodes[1].has_property("BM")


def test_the_graph_shows_shares_leads_and_swings() -> None:
    pytest.importorskip("matplotlib")
    figure = win_share_graph(made(0.5, 0.2, 0.9, 0.85, 0.8), swings=2, title="a - b")
    top, bottom = figure.axes
    curve = next(line for line in top.get_lines() if len(line.get_xdata()) == 5)
    assert list(curve.get_ydata()) == pytest.approx([50, 20, 90, 85, 80])
    assert [text.get_text() for text in top.texts] == ["1 A1", "2 B1"]
    lead = next(line for line in bottom.get_lines() if len(line.get_xdata()) == 5)
    assert list(lead.get_ydata()) == pytest.approx([0, -6, 8, 7, 6])
    assert figure.get_suptitle() == "a - b"
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["Black ahead", "White ahead", "Black's largest losses", "White's largest losses"]


def test_the_graph_of_a_position_and_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    save(win_share_graph(made(0.5)), tmp_path / "one.svg")
    assert b"<svg" in (tmp_path / "one.svg").read_bytes()
    with pytest.raises(PlotError, match="nothing to draw"):
        win_share_graph(Analysis(Game(5), ()))


# --- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "game.sgf").write_bytes(race(BAD, "ba", "tt"))
    return tmp_path / "game.sgf"


def told(capfd: pytest.CaptureFixture[str], *arguments: object) -> Said:
    return command_line.told(capfd, "analyze", *arguments)


def test_the_command(capfd: pytest.CaptureFixture[str], path: Path) -> None:
    outputs = [path.with_name("out.sgf"), path.with_name("out.png")]
    pytest.importorskip("matplotlib")
    code, out, err = told(capfd, path, "--simulations", 1000, "--sgf", outputs[0], "--plot", outputs[1])
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "b (Black) against w (White), 5x5, komi 12"
    assert lines[1].startswith("at the start: Black ")
    row = next(line for line in lines if line.startswith("1 black"))
    assert row.split()[2] == "E1"
    assert row.endswith("B5  swing")
    (swing,) = [line for line in lines if line.startswith("  1: E1 costs Black")]
    assert "; better: B5" in swing
    assert swing.count("B5") == 1
    assert any(line.startswith("loss: the win share in % that the move cost") for line in lines)
    assert all(float(line.split()[5]) >= 0 for line in lines if re.match(r"\d (black|white)", line))
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("3 black") and "pass" in line for line in lines)
    assert err == f"foogo: wrote {outputs[0]}\nfoogo: wrote {outputs[1]}\n"
    assert outputs[1].read_bytes().startswith(b"\x89PNG")
    assert read_game(outputs[0].read_bytes()).moves[-1] == PASS


def test_the_command_as_json(capfd: pytest.CaptureFixture[str], path: Path) -> None:
    code, out, err = told(capfd, path, "--simulations", 500, "--json", "--komi", "12.5", "--rules", "aga")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["command"], document["black"], document["komi"]) == ("analyze", "b", 12.5)
    assert document["rules"] == "superko=situational suicide=no scoring=area"
    assert [move["move"] for move in document["moves"]] == ["E1", "B5", "pass"]
    assert len(document["positions"]) == 4
    assert 1 in document["swings"]
    assert document["positions"][0]["variation"][0] == "B5"
    assert document["positions"][0]["simulations"] == 500


def test_seconds_limit_a_position(capfd: pytest.CaptureFixture[str], path: Path) -> None:
    code, out, _ = told(capfd, path, "--seconds", "0.1", "--json")
    assert code == 0
    assert all(position["simulations"] > 0 for position in json.loads(out)["positions"])


def test_the_command_interrupted(
    capfd: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = analyze_game(read_game(path.read_bytes()), simulations=50)
    partly = Analysis(complete.game, complete.positions[:2])
    monkeypatch.setattr("foogo.analysis.analyze_game", lambda game, **options: partly)
    target = path.with_name("out.sgf")
    code, out, err = told(capfd, path, "--sgf", target)
    assert code == 130
    assert "1 black" in out
    assert "2 white" not in out
    assert err == "foogo: interrupted: 2 of 4 positions are analyzed; nothing is written\n"
    assert not target.exists()


WRONG = [
    (["missing.sgf"], "cannot read 'missing.sgf': no such file"),
    (["."], "cannot read '.'"),
    (["GAME", "--simulations", "0"], "simulations is 0"),
    (["GAME", "--seconds", "-1"], "seconds is -1"),
    (["GAME", "--threads", "0"], "threads is 0"),
    (["GAME", "--policy", "oracle"], "oracle"),
    (["GAME", "--rules", "blitz"], "blitz"),
    (["GAME", "--komi", "nan"], "komi nan"),
    (["GAME", "--swings", "-1"], "swings is -1"),
    (["GAME", "--plot", "out.gif"], ".png, .svg or .pdf"),
    (["GAME", "--sgf", "no/folder/out.sgf"], f"cannot write '{Path('no/folder/out.sgf')}': no such file"),
]


@pytest.mark.parametrize(("arguments", "word"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_commands(capfd: pytest.CaptureFixture[str], path: Path, arguments: list[str], word: str) -> None:
    code, out, err = told(capfd, *[path if word == "GAME" else word for word in arguments])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("foogo: error: ")
    assert word in err


@pytest.mark.parametrize(
    ("data", "word"),
    [(b"hello", "not an SGF"), (b"(;SZ[9];B[ee];W[ee])", "move 2 of the SGF file is illegal"), (b"(;SZ[25])", "25")],
)
def test_wrong_files(capfd: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, word: str) -> None:
    (tmp_path / "game.sgf").write_bytes(data)
    code, out, err = told(capfd, tmp_path / "game.sgf")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert word in err


def test_a_name_that_cannot_be_decoded(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(b"(;SZ[5]CA[UTF-8]PB[A\xff]C[\xff])")
    code, out, _ = told(capfd, tmp_path / "game.sgf", "--simulations", "50", "--sgf", tmp_path / "out.sgf")
    assert code == 0
    assert out.startswith("A\ufffd (Black) against White, 5x5")
    assert b"C[\xff\n\nBlack " in (tmp_path / "out.sgf").read_bytes()


def test_a_file_without_moves(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(b"(;SZ[5])")
    code, out, _ = told(capfd, tmp_path / "game.sgf", "--simulations", "50")
    assert code == 0
    assert "at the start: Black" in out
    assert out.startswith("Black against White, 5x5, komi ")
