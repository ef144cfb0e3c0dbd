"""Policies that users write: compiled and interpreted, on every backend, and the errors of bad ones."""

from __future__ import annotations

import ast
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from functools import partial, wraps
from pathlib import Path
from random import Random

import numpy as np
import pytest

import foogo
from foogo import Board, PolicyError, playout_policy, simulate
from foogo.benchmark.playouts import digest
from foogo.cli.policy_option import chosen_policy
from foogo.player.options import PlayerOptions
from foogo.playout.games import Starts, play_games
from foogo.playout.policies import policy_of
from foogo.playout.written.interpreter import SIGHT_OPERATIONS
from foogo.playout.written.policy import load_policy
from foogo.playout.written.slow_game import SlowGame, SlowStream
from foogo.study.store.store import Store
from foogo.testing import check_policy
from tests import oracle, oracle_playouts
from tests.marks import slow
from tests.playout.test_simulate import board_of, start_positions
from tests.playout.written_policies import captures_first, edges, everything, fitting, knowledge, off_board, patterns

SIGNATURES = {"captures_first": "2ec37d52c799802c", "everything": "b0a724ab6f9148bb", "edges": "fb10ce43598db8fa"}
"""Of 500 playouts on 9x9 with seed 1: if one changes, the policies of users play other games."""


@pytest.mark.parametrize(
    "policy", [captures_first, everything, edges, slow(fitting), off_board], ids=lambda one: one.name
)
def test_the_interpreter_plays_the_same_games(policy):
    checked = check_policy(policy, 5, games=6)
    assert checked.games == 6
    assert checked.moves > 150
    assert checked.drawn == 1.0 or policy in (edges, fitting, off_board)


def test_a_pattern_fits_in_all_orientations_but_not_with_colours_exchanged():
    @playout_policy
    def drawn(see, pick):
        hane = see.fits("XOX ... ???")
        edge = see.fits("?O? X.? ###")
        return pick.often(1.0, hane | edge) or see.candidates

    diagram = """
        . X O X .
        . . . . .
        X . . . .
        O . . O O
        X . X . .
        """
    sets = drawn.sets(foogo.Game(Board.from_diagram(diagram)))
    found = {name: [foogo.vertex(int(p), 5) for p in np.flatnonzero(points)] for name, points in sets.items()}
    assert found == {"hane": ["B2", "C4"], "edge": ["D1"]}
    for_white = drawn.sets(foogo.Game(Board.from_diagram(diagram, foogo.WHITE)))
    assert not any(points.any() for points in for_white.values())


def test_games_from_positions_and_without_suicide():
    for i, position in enumerate(start_positions(9)[1:3]):
        check_policy(everything, board_of(position), games=1, seed=7, suicide=i == 1, backends=["simd"])


@pytest.mark.parametrize("policy", [captures_first, everything, edges], ids=lambda policy: policy.name)
def test_all_backends_and_threads_add_up_to_the_same(policy):
    run = simulate(9, 500, seed=1, policy=policy, threads=1)
    assert run == simulate(9, 500, seed=1, policy=policy, threads=2)
    assert run == simulate(9, 500, seed=1, policy=policy, threads=1, backend="scalar")
    assert digest(run) == SIGNATURES[policy.name]
    with pytest.raises(foogo.BackendError, match="plays only the policy uniform"):
        simulate(5, 1, policy=policy, backend="strings")


@pytest.mark.parametrize("policy", [knowledge, patterns], ids=lambda policy: policy.name)
def test_the_built_in_policies_can_be_written(policy):
    written, built_in = (simulate(9, 500, seed=1, policy=one, threads=1) for one in (policy, policy.name))
    assert written.totals == built_in.totals
    check_policy(policy, 5, games=3, backends=["simd"])


def test_other_weights_are_not_compiled_again():
    simulate(9, 10, policy=captures_first, threads=1)
    from foogo.core.compiling import WATCH

    before = WATCH.functions
    sweep = [simulate(9, 300, seed=1, policy=captures_first(capture=c), threads=1) for c in (0.0, 0.4, 1.0)]
    assert WATCH.functions == before
    assert len({run.mean_score for run in sweep}) == 3
    assert captures_first(capture=0.8) == captures_first
    assert captures_first(near=1).label.startswith("captures_first(near=1)@")
    assert captures_first(near=0.1234567) != captures_first(near=0.1234568)
    assert captures_first(near=0.1234567).label.startswith("captures_first(near=0.1234567)@")
    assert captures_first(near=np.float32(0.25), capture=np.int8(1)) == captures_first(near=0.25, capture=1)
    assert everything(gammas=(1, 2, 3.5)).weights["gammas"] == (1.0, 2.0, 3.5)
    captures_first.weights["capture"] = 0.0  # of a copy
    assert captures_first.weights["capture"] == 0.8


def test_compiled_policies_are_cached(tmp_path):
    source = f"""
import foogo
from foogo.core.compiling import WATCH
from foogo.playout.written.policy import load_policy
mine = load_policy({policy_file(tmp_path, "return pick.often(0.5, see.line(1))")!r})
for policy in "knowledge", mine:
    foogo.simulate(2, 1, policy=policy, threads=1)
print(WATCH.functions)
"""
    compiled = [
        int(subprocess.run([sys.executable, "-c", source], env=environment, capture_output=True, check=True).stdout)
        for environment in [{**os.environ, "FOOGO_CACHE_DIR": str(tmp_path / "cache")}] * 2
    ]
    assert compiled[0] > 0
    assert compiled[1] == 0


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"far": 1.0}, "captures_first has no weight 'far': it has capture, near"),
        ({"near": "often"}, "weight 'near' is 'often': give a finite number"),
        ({"near": 10**400}, ": give a finite number"),
        ({"near": float("nan")}, "weight 'near' is nan: give a finite number"),
        ({"near": (0.1, 0.2)}, "weight 'near' is (0.1, 0.2): give as many numbers as 0.3 has"),
        ({"near": 1.5}, "the chance 1.5 must be a number from 0 to 1"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(PolicyError) as raised:
        captures_first(**weights)
    assert message in str(raised.value)


def test_a_nested_policy_may_have_lines_at_the_margin(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(NESTED)
    policy = load_policy(f"{file}:hane")
    assert check_policy(policy, 5, games=2).games == 2
    file.write_text(NESTED.replace("see.candidates\n", "see.nothing\n"))
    with pytest.raises(PolicyError, match=r"mine\.py:13: see has no 'nothing'"):
        load_policy(f"{file}:hane")


def test_a_policy_that_another_decorator_wraps_is_refused():
    def noted(function):
        @wraps(function)
        def noting(*arguments):
            return function(*arguments)

        return noting

    with pytest.raises(PolicyError, match="near is wrapped by another decorator"):

        @playout_policy
        @noted
        def near(see, pick, chance=0.5):
            return pick.often(chance, see.candidates)


NESTED = '''from foogo import playout_policy

def make():
    @playout_policy
    def hane(see, pick):
#       return pick.often(0.5, see.candidates)
        """Its text begins
at the margin."""
        patterns = see.fits("""
XOX
...
???""")
        return pick.often(1.0, patterns) or see.candidates
    return hane

hane = make()
'''


def test_a_lambda_is_refused():
    with pytest.raises(PolicyError, match="a policy is a function that `def` defines"):
        foogo.simulate(5, 10,
            policy=playout_policy(lambda see, pick: see.candidates))  # fmt: skip


def test_constants_of_the_enclosing_function():
    def made(chance):
        @playout_policy
        def mine(see, pick):
            return pick.often(chance, see.candidates)

        return mine

    def too_early():
        @playout_policy
        def mine(see, pick):
            return pick.often(chance, see.candidates)

        chance = 0.5
        return mine, chance

    assert made(0.25) != made(0.75)
    with pytest.raises(PolicyError, match=r"test_written_policies\.py:\d+: name 'chance' has no value yet"):
        too_early()


def test_a_class_is_drawn_in_proportion_to_weight_times_size():
    """On the empty 9x9 board the first line has 32 points, the centre 49: with weights 3 and 1 that is 96 to 49."""

    @playout_policy
    def two_classes(see, pick, rim=3.0):
        return pick.weighted((rim, see.line(1)), (1.0, see.board & ~see.line(1)), (0.0, see.board))

    firsts = first_points(two_classes, 20_000)
    counts = np.bincount(firsts, minlength=81)
    rim = [p for p in range(81) if p // 9 in (0, 8) or p % 9 in (0, 8)]
    expected = np.full(81, 20_000 / 145)
    expected[rim] *= 3
    assert ((counts - expected) ** 2 / expected).sum() < 80 + 5 * np.sqrt(2 * 80)


def first_points(policy, games: int) -> list[int]:
    """The first move of each game from the empty 9x9 board."""
    starts = Starts([Board(9)])
    starts.move_limit = 1
    played = play_games(starts, games, seed=3, sets=True, policy=policy)
    assert played.first_players is not None
    return [sum(int(w) << 64 * i for i, w in enumerate(words)).bit_length() - 1 for words in played.first_players[:, 0]]


def test_the_interpreter_sees_what_the_oracle_sees():
    random = Random(1)
    for size in (5, 7):
        for position in start_positions(size):
            view = SlowGame.of_board(board_of(position)).view(frozenset(), 0)
            stones = position.black | position.white
            atari = {s for s in stones if len(position.liberties(s)) == 1}
            assert SIGHT_OPERATIONS.in_atari(size, view).points == atari
            assert view.short.points == oracle_playouts.short_stones(position)
            assert view.candidates.points == oracle.candidates(position) - oracle_playouts.certain_suicides(position)
            vital = {p for p in position.empty if oracle_playouts.is_vital(position, p)}
            assert SIGHT_OPERATIONS.vital(size, view).points == vital
            last = random.randrange(size * size)
            view = view._replace(last_move=type(view.own)(size, [last]))
            near = ({last} | oracle.neighbors(size, last) | oracle.diagonals(size, last)) & position.empty
            shaped = {p for p in near if oracle_playouts.fits_a_pattern(position, p)}
            assert SIGHT_OPERATIONS.shaped(size, view).points == shaped


def test_the_search_and_studies_take_policies(tmp_path):
    game = foogo.Game(5)
    result = foogo.Search(game, policy=captures_first, seed=1).run(simulations=200)
    assert result.simulations >= 200
    whole = foogo.first_move(5, 64, seed=2, policy=captures_first)
    assert whole.policy == captures_first.label
    with Store(tmp_path / "study.sqlite", create=True) as store:
        kept = foogo.first_move(5, 64, seed=2, policy=captures_first, store=store)
        assert kept.playouts == whole.playouts
        other = foogo.first_move(5, 64, seed=2, policy=captures_first(near=0.9), store=store)
        assert other.playouts != whole.playouts
        runs = list(store.runs())
    assert len({run.signature for run in runs}) == 2
    with pytest.raises(foogo.ArgumentError, match="is not defined in this process"):
        policy_of("unheard_of@0123456789ab")


def test_an_explanation_draws_the_sets():
    board = Board.from_diagram(
        """
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        . . . . .
        """
    )
    explanation = captures_first(capture=1.0).explain(board)
    text = str(explanation)
    assert explanation._repr_html_() == f"<pre>{text}</pre>"
    assert "taking" in text
    assert " 3  .  X  O (.) ." in text
    assert text.endswith("drawn: D3 100%")
    with pytest.raises(foogo.ArgumentError, match="board is a Game: give a Board, such as `game.board`"):
        captures_first.explain(foogo.Game(board))  # type: ignore[arg-type]
    with pytest.raises(foogo.ArgumentError, match=r"game is a Board\[5\]: give a Game; Game\(board\) makes one"):
        captures_first.sets(board)  # type: ignore[arg-type]


def test_threads_explain_their_own_positions():
    @playout_policy
    def near(see, pick):
        beside = see.candidates & see.around(see.last_move)
        return pick.often(0.9, beside) or see.candidates

    boards = [Board.from_text("5/5/2X2/5/O4 b - A1"), Board.from_text("O4/5/5/5/4X w - E1")]
    expected = [near.explain(board) for board in boards]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert [*threads.map(near.explain, boards * 4)] == expected * 4
    finally:
        sys.setswitchinterval(before)


def test_constants_of_numpy_and_enumerations():
    def made(chance, line):
        @playout_policy
        def mine(see, pick):
            return pick.often(chance, see.candidates & see.line(line)) or see.candidates

        return mine

    class Line(IntEnum):
        SECOND = 2

    plain = made(0.5, 2)
    for chance, line in [(np.float64(0.5), np.int64(2)), (np.float32(0.5), np.uint8(2)), (0.5, Line.SECOND)]:
        assert made(chance, line) == plain
    shares = np.float64(0.25), np.float64(0.5)

    @playout_policy
    def of_a_tuple(see, pick):
        return pick.often(shares[1], see.candidates) or see.candidates

    assert check_policy(of_a_tuple, 3, games=1, backends=["scalar"]).drawn == 1.0


# --- what bad input gets ----------------------------------------------------------------------------

BAD = [
    ("while True:\n        pass", 3, "While is not supported in a playout policy (loops go over `range` of constants)"),
    ("return see.fits('XOX')", 3, "see.fits takes a pattern as text: three rows of three signs X O x o . # ?"),
    ("return see.fits('XOX XOX XOX')", 3, "with a . in the middle"),
    ("return see.libertes", 3, "see has no 'libertes': it has own"),
    ("return see.opponents", 3, "see has no 'opponents': did you mean 'opponent'?"),
    ("return see.beside(see.own, see.own)", 3, "see.beside takes 1 arguments, not 2"),
    ("return see.own and see.empty", 3, "`and` is for conditions of `if`: use & for the points in both sets"),
    ("return print(see.own)", 3, "print(...) cannot be called in a playout policy"),
    ("a = [1, 2]\n    return see.own", 3, "List is not supported in a playout policy"),
    (
        "print(see.own)\n    return see.own",
        3,
        "a statement that neither assigns nor returns a value has no effect in a playout",
    ),
    ("a = see.candidates", 3, "the function may end without `return`"),
    ("for _ in range(10 ** 9):\n        pass\n    return see.own", 3, "loops go over `range` of constants"),
    ("for _ in range(5000):\n        pass\n    return see.candidates", 3, "the loop has 5000 rounds: the most is 100"),
    ("for _ in range(MANY):\n        pass\n    return see.own", 3, "rounds: the most is 100"),
    ("for _ in range(50):\n        for _ in range(3):\n            pass\n    return see.own", 4, "has 150 rounds"),
    ("for _ in range(3):\n        a = pick.often(0.5, see.own)\n    return a", 4, "pick cannot be used in a loop"),
    ("return pick.weighted(see.own)", 3, "pick.weighted takes 1 to 32 pairs (weight, set)"),
    ("return missing & see.own", 3, "name 'missing' is not defined"),
    ("return Path & see.own", 3, "'Path' is a type: only numbers and tuples of numbers can be used"),
    ("return see.own.size", 3, "'see.own.size': only see and pick have attributes"),
    ("\n    return see.own | see.candidates", 4, "the policy returned {B1}, which is not a candidate"),
    ("return 3", 3, "the policy returned 3: return a set of points"),
    ("a = 1\n    return see.candidates & a", 4, "TypeError: & of a set and 1: both must be sets"),
    ("if see.own:\n        return see.candidates\n    return see.empty", 3, "a set is neither true nor false"),
    ("return pick.often(0.5, see.own, 3)", 3, "the third argument of pick.often is a byte: 0, 1 or 2"),
    ("return pick.often(1.25, see.candidates)", 3, "the chance 1.25 must be a number from 0 to 1"),
    ("return pick.weighted((-1, see.candidates))", 3, "the weight -1 must be a number from 0 to"),
]


def policy_file(folder: Path, body: str, parameters: str = "see, pick") -> str:
    path = folder / "mine.py"
    head = f"import foogo; from pathlib import Path; MANY = 10**30\n@foogo.playout_policy\ndef mine({parameters}):\n"
    path.write_text(f"{head}    {body}\n")
    return f"{path}:mine"


@pytest.mark.parametrize(("body", "line", "message"), BAD)
def test_a_bad_policy_is_refused_with_its_line(tmp_path, body, line, message):
    named = policy_file(tmp_path, body)
    with pytest.raises(PolicyError) as raised:
        load_policy(named)
    assert str(raised.value).startswith(f"{tmp_path / 'mine.py'}:{line + 1}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("see", "a policy takes `see` and `pick`"),
        ("see, pick, weight", "every other parameter is a weight with a default"),
        ("see, pick, *weights", "without * and **"),
        ("see, pick, weight='x'", "weight 'weight' is 'x': give a finite number"),
    ],
)
def test_bad_parameters(tmp_path, parameters, message):
    with pytest.raises(PolicyError) as raised:
        load_policy(policy_file(tmp_path, "return see.candidates", parameters))
    assert message in str(raised.value)


def test_what_only_the_compiler_finds_has_its_line(tmp_path):
    body = "if weight > 1:\n        return see.candidates & weight\n    return see.candidates"
    policy = load_policy(policy_file(tmp_path, body, "see, pick, weight=0.0"))
    with pytest.raises(PolicyError, match=r"mine\.py:5: this cannot be compiled") as raised:
        simulate(5, 1, policy=policy)
    assert "\x1b" not in str(raised.value)  # Numba writes in colours if colorama is installed


def test_a_deeply_nested_expression_is_refused(tmp_path):
    body = f"return {' or '.join(['see.candidates'] * 500)}"
    with pytest.raises(PolicyError, match=r"mine\.py:2: an expression is nested too deeply: assign parts of it"):
        load_policy(policy_file(tmp_path, body))


def test_a_policy_that_draws_nothing(tmp_path):
    policy = load_policy(policy_file(tmp_path, "return see.candidates & see.own"))
    with pytest.raises(PolicyError, match="never returned a point in 3 games: it draws nothing"):
        check_policy(policy, 3, games=3, backends=["scalar"])


def test_a_check_without_a_backend_is_none(monkeypatch):
    with pytest.raises(foogo.ArgumentError, match="there is no backend to check: use simd, scalar"):
        check_policy(captures_first, 3, backends=())
    for wrong in "simd", 3:
        with pytest.raises(foogo.ArgumentError, match="give a sequence of names"):
            check_policy(captures_first, 3, backends=wrong)  # type: ignore[arg-type]
    checked = []
    monkeypatch.setattr("foogo.testing._compare", lambda *arguments: checked.append(arguments[-1]))
    check_policy(captures_first, 3, games=1, backends=iter(["simd", "scalar"]))  # type: ignore[arg-type]
    assert checked == ["simd", "scalar"]


def test_a_game_is_checked_from_its_position_by_its_rules():
    game = foogo.Game(3, rules=foogo.Rules(suicide=False))
    game.play("B2")
    check = partial(check_policy, captures_first, games=4, backends=["scalar"])
    checked = check(game)
    assert checked == check(game.board, suicide=False) != check(game, suicide=True)
    with pytest.raises(foogo.SizeError, match="board size '3' is not possible"):
        check_policy(captures_first, "3")  # type: ignore[arg-type]


def test_a_label_does_not_depend_on_the_version_of_python(monkeypatch):
    """Python 3.10 writes unpacked names in parentheses."""

    def mine(see, pick, chance=0.5, near=0.3):
        return pick.often(chance, see.around(see.last_move)) or pick.often(near, see.line(1)) or see.candidates

    label, unparse = playout_policy(mine).label, ast.unparse
    assert label == "mine@eb3554ec563a"

    def as_3_10(tree):
        return re.sub(r"^( +)(\w.*) = _foogo_weights$", r"\1(\2) = _foogo_weights", unparse(tree), flags=re.MULTILINE)

    monkeypatch.setattr(ast, "unparse", as_3_10)
    assert playout_policy(mine).label == label


def test_a_tuple_of_whole_and_other_numbers_is_a_constant():
    numbers = (1, 0.5)

    @playout_policy
    def mine(see, pick):
        total = 0.0
        for i in range(2):
            total = total + numbers[i]
        return pick.often(total / 2, see.candidates) or see.candidates

    assert check_policy(mine, 3, games=1, backends=["scalar"]).games == 1


def test_sets_see_the_move_before_the_game():
    @playout_policy
    def mine(see, pick):
        earlier = see.before_last
        return pick.often(0.5, earlier) or see.candidates

    board = Board(5)
    board.play("C3")
    game = foogo.Game(board)
    game.play("D3")
    assert np.flatnonzero(mine.sets(game)["earlier"]).tolist() == [12]
    game.play("pass")
    assert np.flatnonzero(mine.sets(game)["earlier"]).tolist() == [13]


def test_a_file_that_was_just_rewritten_is_read_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for number, default in enumerate(("0.25", "0.75")):
        named = policy_file(tmp_path, "return pick.often(near, see.candidates)", f"see, pick, near={default}")
        os.utime(tmp_path / "mine.py", (1e9, 1e9 + number / 4))
        assert load_policy(named).weights == {"near": float(default)}


def test_files_of_policies(tmp_path, capsys):
    assert load_policy(policy_file(tmp_path, "return see.candidates")).name == "mine"
    for text in ("mine", "README.md:mine", "mine.py"):
        with pytest.raises(PolicyError, match="is not in a file: write FILE.py:NAME"):
            load_policy(text)
    with pytest.raises(PolicyError, match="there is no file"):
        load_policy("nowhere.py:mine")
    with pytest.raises(PolicyError, match="cannot read"):
        load_policy(f"{'a' * 300}.py:mine")
    with pytest.raises(PolicyError, match="has no playout policy 'yours': it has mine"):
        load_policy(policy_file(tmp_path, "return see.candidates").replace(":mine", ":yours"))
    (tmp_path / "broken.py").write_text("x = 1\n1 / 0\n")
    with pytest.raises(PolicyError, match=r"broken\.py:2: ZeroDivisionError"):
        load_policy(f"{tmp_path / 'broken.py'}:x")
    (tmp_path / "beside.py").write_text("x = 1\n")
    (tmp_path / "importing.py").write_text("import beside\nprint('loaded')\n")
    with pytest.raises(PolicyError, match="has no playout policy 'x': it has none"):
        load_policy(f"{tmp_path / 'importing.py'}:x")
    assert capsys.readouterr() == ("", "loaded\n")  # stdout is for results
    assert str(tmp_path) not in sys.path
    (tmp_path / "program.py").write_text("import sys\nsys.exit(3)\n")
    with pytest.raises(PolicyError, match=r"program\.py:2: SystemExit: 3"):
        load_policy(f"{tmp_path / 'program.py'}:x")


def test_the_option_policy_of_commands(tmp_path):
    named = policy_file(tmp_path, "return see.candidates")
    label = chosen_policy(named)
    assert label.startswith("mine@")
    assert policy_of(label) == load_policy(named)
    assert PlayerOptions(policy=label).policy == label
    assert chosen_policy("knowledge") == "knowledge"


def test_a_policy_can_be_pickled():
    policy = captures_first(near=0.5)
    copy = pickle.loads(pickle.dumps(policy))
    assert copy == policy
    assert simulate(9, 100, seed=1, policy=copy, threads=1) == simulate(9, 100, seed=1, policy=policy, threads=1)


def test_a_stream_is_the_oracles():
    for seed, number in ((1, 0), (2**64 - 1, 2**40 + 3)):
        ours, other = SlowStream(seed, number), oracle_playouts.Stream(seed, number)
        assert [ours.draw() for _ in range(20)] == [other.draw() for _ in range(20)]
