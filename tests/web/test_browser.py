"""The page in a real browser: a game, the analysis, the laboratory, studies; narrow and wide, dark and light."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import foogo
from foogo.game.geometry import geometry
from foogo.game.sgf import read_game
from foogo.study.config import Config
from foogo.study.first_move import first_move
from foogo.study.run.runner import run_study
from foogo.study.store.store import Store
from tests.marks import slow
from tests.web.browser import CHROMIUM, DRIVER, chromium, emulate
from tests.web.client import PATIENCE, Client, game

pytest.importorskip("selenium")

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"),
    pytest.mark.skipif(DRIVER is None, reason="chromedriver is not installed: apt-get install chromium-driver"),
]

BLUNDER = "(;GM[1]SZ[5]KM[0.5]RU[Chinese]C[a lesson];B[cc]C[the centre];W[cb];B[bb];W[dc];B[aa];W[cd](;B[bd])(;B[ee]))"
"""Black plays in the corner at move 5, while both centre groups are alive."""


LOST = "foogo web does not answer"
RECORD = "return JSON.stringify(foogo.play.record)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Any]:
    with chromium(folder) as browser:
        yield browser


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Page]:
    page = Page(browser)
    page.open(address)
    yield page
    assert page.console() == []
    page.run("foogo.play.keep = () => {}; sessionStorage.clear()")  # the next test has a board of its own
    browser.get("about:blank")  # its jobs stop


class Page:
    """What the tests do with the page."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def open(self, address: str) -> None:
        self.console()
        self.browser.get(address)
        self.wait(lambda: self.run("return document.documentElement.dataset.ready"))
        self.wait(lambda: self.text("status"))

    def run(self, script: str, *arguments: object) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if found := condition():
                return found
            time.sleep(0.02)
        raise AssertionError(f"nothing after {seconds} s; the status is {self.text('status')!r}")

    def console(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def text(self, id: str) -> str:
        return str(self.run("return document.getElementById(arguments[0]).textContent", id))

    def stones(self) -> int:
        return int(self.run("return document.querySelectorAll('#board .stones circle').length"))

    def click_point(self, vertex: str) -> None:
        from selenium.webdriver import ActionChains

        board = self.find("#board svg")
        size = int(self.run("return arguments[0].viewBox.baseVal.width", board)) - 1
        row, col = divmod(geometry(size).point(vertex), size)
        step = board.size["width"] / (size + 1)
        right, down = (col + 1 - (size + 1) / 2) * step, (size - row - (size + 1) / 2) * step
        ActionChains(self.browser, duration=0).move_to_element_with_offset(board, right, down).click().perform()

    def new_game(self, **choices: str) -> None:
        self.run("window.record = foogo.play.record")
        self.find("#new").click()
        self.choose(**choices)
        self.find("#setup .primary").click()
        self.wait(lambda: self.run("return foogo.play.record !== window.record && foogo.play.settled"))

    def choose(self, **choices: str) -> None:
        for name, value in choices.items():
            self.run(
                "arguments[0].value = arguments[1]; arguments[0].onchange?.()",
                self.find(f"#setup [name={name}]"),
                value,
            )

    def paste(self, text: str) -> None:
        script = (
            "const data = new DataTransfer(); data.setData('text', arguments[0]);"
            "document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data}));"
        )
        self.run(script, text)


def saved(folder: Path) -> Path:
    """The SGF file that the browser has downloaded, once it is complete."""
    for _ in range(3000):
        found = [path for path in folder.glob("*.sgf") if path.stat().st_size]
        if found:
            return found[0]
        time.sleep(0.02)
    raise AssertionError("no file was saved")


def play_to_the_end(page: Page, client: Client, size: int, komi: float) -> list[str]:
    """Play Black's moves as a search chooses them, until the game is counted; returns the moves."""
    moves: list[str] = []
    page.wait(lambda: page.run(SETTLED))
    while "resigned" not in page.text("status") and not page.run("return !document.getElementById('accept').hidden"):
        position = game(size, " ".join(moves), komi=komi)
        answer = client.ask("genmove", game=position, simulations=50, resign=0)["move"]
        if answer == "pass":
            page.find("#pass").click()
        else:
            page.click_point(answer)
        page.wait(partial(answered, page, len(moves)))
        moves = page.run(MOVES)
    return moves


def answered(page: Page, before: int) -> bool:
    """Whether foogo has moved, or the game has ended."""
    return bool(page.run(SETTLED)) and (at_move(page) >= before + 2 or "+" in page.text("status"))


SETTLED = "return foogo.play.settled && !foogo.play.thinking"

MOVES = "return foogo.play.record.path().map(node => foogo.play.record.nodes[node].vertex)"


def at_move(page: Page) -> int:
    return len(page.run(MOVES))


# On 5x5 Black wins by 25, so with a usual komi foogo resigns after three moves.
@pytest.mark.parametrize(("size", "komi"), [(5, 24.5), slow(9, 7.0)])
def test_a_game_to_the_end_is_counted_and_saved(
    page: Page, client: Client, folder: Path, size: int, komi: float
) -> None:
    page.new_game(size=str(size), komi=str(komi), level="0", color="B")
    page.wait(lambda: page.text("status") == "Your move")
    moves = play_to_the_end(page, client, size, komi)
    result = page.text("status")
    page.find("#save").click()
    path = saved(folder)
    played = read_game(path.read_bytes())
    path.unlink()
    assert [geometry(size).vertex(move) for move in played.moves] == moves
    assert len(moves) > size
    assert "resigned" in result or (played.is_over and moves[-1] == "pass")


def test_dead_stones_can_be_corrected(page: Page) -> None:
    page.new_game(size="5", level="8")
    for vertex in ("C1", "A1", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "pass"):
        before = at_move(page)
        page.wait(lambda: page.run(SETTLED))
        if vertex == "pass":
            page.find("#pass").click()
        else:
            page.click_point(vertex)
        page.wait(lambda before=before: at_move(page) > before)  # type: ignore[misc]
    page.wait(lambda: page.text("status").startswith("B+18"))
    page.click_point("A1")
    page.wait(lambda: page.text("status").startswith("B+7"))
    assert "A1 white" in page.run("foogo.play.board.cursor = 0; foogo.play.board.say(); return " + SAID)
    page.click_point("A1")
    page.wait(lambda: page.text("status").startswith("B+18"))
    assert "A1 white, dead" in page.run("foogo.play.board.say(); return " + SAID)
    page.click_point("A1")
    page.wait(lambda: page.text("status").startswith("B+7"))
    page.find("#resume").click()
    page.wait(lambda: "to play" in page.text("status"))


SAID = "document.querySelector('#board .live').textContent"

RESULT = "return foogo.play.record.written().result"


@pytest.mark.parametrize("rules", ["RU[Chinese]", "RU[Japanese]", ""])
def test_corrected_stones_and_an_accepted_result_stay(page: Page, address: str, rules: str) -> None:
    page.paste(f"(;GM[1]SZ[5]KM[0.5]{rules};B[cc];W[];B[])")
    page.wait(lambda: page.run("return foogo.play.record.nodes.length === 4 && foogo.play.settled"))
    page.find("#last").click()
    page.wait(lambda: page.text("status").startswith("B+24.5. Click a string"))
    page.click_point("C3")
    page.wait(lambda: page.text("status").startswith("W+0.5. Click a string"))
    for look_away in ("#previous", "#tab-laboratory"):
        page.find(look_away).click()
        page.wait(lambda: not page.text("status").startswith("W+0.5") or page.find("#laboratory").is_displayed())
        page.find("#next" if look_away == "#previous" else "#tab-play").click()
        page.wait(lambda: page.run(SETTLED))
        assert page.text("status").startswith("W+0.5. Click a string")
    page.find("#accept").click()
    page.open(address)
    page.wait(lambda: page.run(SETTLED) and page.text("status") == "W+0.5.")
    assert page.run(RESULT) == "W+0.5"


def test_the_result_stays_when_a_variation_is_undone(page: Page) -> None:
    page.new_game(size="5", level="8")
    page.click_point("C3")
    page.wait(lambda: at_move(page) == 1 and page.run(SETTLED))
    page.find("#resign").click()
    page.wait(lambda: page.text("status") == "White resigned: B+R")
    page.find("#previous").click()
    page.wait(lambda: at_move(page) == 0 and page.run(SETTLED))
    for vertex in ("B2", "pass", "pass"):
        before = at_move(page)
        page.find("#pass").click() if vertex == "pass" else page.click_point(vertex)
        page.wait(lambda before=before: at_move(page) > before and page.run(SETTLED))  # type: ignore[misc]
    page.wait(lambda: page.text("status").startswith("B+18"))
    assert page.run(RESULT) == "B+R"
    for moves in (2, 1, 0):
        page.find("#undo").click()
        page.wait(lambda moves=moves: at_move(page) == moves and page.run(SETTLED))  # type: ignore[misc]
    page.find("#next").click()
    page.wait(lambda: page.text("status") == "White resigned: B+R")
    assert page.run(RESULT) == "B+R"
    page.find("#undo").click()
    page.wait(lambda: at_move(page) == 0 and page.run(SETTLED))
    assert page.run(RESULT) == ""


def test_a_hint_is_seen_on_an_empty_board(page: Page) -> None:
    page.wait(lambda: page.text("caption"))
    page.find("#hint").click()
    page.wait(lambda: page.run("return document.querySelectorAll('#board .marks circle').length"))
    assert page.text("caption") == ""


def test_a_long_record_is_saved_and_one_that_is_too_long_refused(page: Page) -> None:
    saved_length = """
        const record = foogo.play.record;
        for (let i = 0; i < 3000; i++) record.append(0, 'B', 'C3', 'x'.repeat(arguments[0]));
        return foogo.play.connection.ask('write_sgf', {...record.written(), result: 'Black wins by resignation'})
            .then(found => found.sgf.length, error => error.message);
    """
    assert page.run(saved_length, 500) > 1_500_000
    assert page.run(saved_length, 1500) == "this is too large for foogo web"
    page.run("foogo.play.record.nodes[0].children = []")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("(;SZ[5]PB[Åke];B[cc])".encode("latin1"), "Åke"),
        ("(;SZ[5]PB[Åke];B[cc])".encode(), "Åke"),
        ("(;SZ[5]CA[gb2312]PB[李誠];B[cc])".encode("gbk"), "李誠"),
        ("(;SZ[5]CA[no such set]PB[Åke];B[cc])".encode("latin1"), "Åke"),
    ],
)
def test_a_file_is_decoded(page: Page, data: bytes, name: str) -> None:
    page.run("foogo.play.openFile(new File([new Uint8Array(arguments[0])], 'game.sgf'))", list(data))
    page.wait(lambda: page.run("return foogo.play.record.black") == name)


def test_a_pasted_file_may_have_space_after_its_bracket(page: Page) -> None:
    page.paste("(\n;SZ[5]PB[somebody];B[cc])")
    page.wait(lambda: page.run("return foogo.play.record.black") == "somebody")


def test_the_histogram_of_the_smallest_board(page: Page) -> None:
    page.find("#tab-laboratory").click()
    page.run("""
        const position = document.querySelector('.panel select');
        position.value = '2';
        position.dispatchEvent(new Event('change'));
        document.querySelector('.panel input[type=number]').value = 2000;
    """)
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".panel .primary").text == "Start" and page.find(".count").text != "0")
    assert page.run("return [...document.querySelectorAll('.histogram text')].map(one => one.textContent)")[:2] == [
        "White by 4",
        "Black by 4",
    ]


def test_why_a_move_is_illegal_stays_on_the_page(page: Page) -> None:
    page.new_game(size="5", komi="0.5", level="8")
    for count, vertex in enumerate("B3 C3 C4 D4 C2 D2 E5 E3".split(), 1):
        page.click_point(vertex)
        page.wait(lambda count=count: page.run("return foogo.play.settled") and at_move(page) == count)  # type: ignore[misc]
    page.click_point("D3")
    page.wait(lambda: page.run("return foogo.play.settled") and at_move(page) == 9)
    page.click_point("C3")
    page.wait(lambda: "retakes a ko" in page.text("notice") and page.run("return foogo.play.settled"))
    assert at_move(page) == 9
    page.click_point("A1")
    page.wait(lambda: at_move(page) == 10 and not page.text("notice"))


def test_the_analysis_appears(page: Page) -> None:
    page.find("#analyze").click()
    page.wait(lambda: page.run("return document.querySelectorAll('#search tbody tr').length >= 3"))
    page.wait(lambda: page.run("return document.querySelectorAll('#board .marks circle').length"))
    page.run("document.querySelector('#search tbody tr').focus()")
    page.wait(
        lambda: page.run("return document.querySelector('#board .marks circle')?.getAttribute('fill').includes('url')")
    )
    page.find("#ownership").click()
    page.find("#analyze").click()
    page.wait(lambda: page.run("return !document.querySelector('#search tbody')"))
    page.find("#hint").click()
    page.wait(lambda: page.run("return document.querySelectorAll('#search tbody tr').length >= 3"))


def test_the_live_analysis_goes_on_after_a_hint(page: Page) -> None:
    page.find("#analyze").click()
    page.find("#hint").click()
    page.wait(lambda: page.run("return document.querySelectorAll('#search tbody tr').length >= 3"))
    time.sleep(1.5)  # a hint takes a second
    shown = page.text("search")
    page.wait(lambda: page.text("search") != shown, seconds=30)


def test_an_sgf_file_is_opened_and_its_swings_are_found(page: Page) -> None:
    page.find("#tab-laboratory").click()
    page.paste(BLUNDER)  # turns to the board, on which no values of first moves are shown
    page.wait(lambda: page.find("#board").is_displayed())
    swings = "return [...document.querySelectorAll('#swings button')].map(one => one.textContent)"
    page.wait(lambda: page.text("review") == "Review" and page.run(swings))
    assert any(swing.startswith("5 A5") for swing in page.run(swings))
    assert page.text("caption") == ""
    assert page.run("return foogo.play.record.written().comment") == "a lesson"
    page.run("document.querySelector('#swings button').click()")
    page.wait(lambda: at_move(page) > 0)
    page.find("#last").click()
    page.wait(lambda: at_move(page) == 7)
    page.find("#previous").click()
    page.wait(lambda: page.run("return document.querySelectorAll('#branches button').length") == 2)
    page.run("document.querySelector('#branches button:last-child').click()")
    page.wait(lambda: page.run(MOVES)[-1] == "E1")
    page.paste("(;no file")
    page.wait(lambda: "not an SGF file" in page.text("notice"))


def test_the_result_that_a_file_has_stays(page: Page) -> None:
    page.paste("(;GM[1]SZ[5]KM[0.5]RU[Chinese]RE[W+R];B[cc];W[];B[])")
    page.wait(lambda: page.run("return foogo.play.record.nodes.length === 4 && foogo.play.settled"))
    page.find("#last").click()
    page.wait(lambda: "Counted here" in page.text("status"))
    assert page.text("status").startswith("W+R in the file. Counted here: B+24.5.")
    assert page.run(RESULT) == "W+R"
    page.find("#accept").click()
    assert page.text("status") == "B+24.5."
    assert page.run(RESULT) == "B+24.5"
    page.paste("(;GM[1]SZ[5]KM[0.5]RU[Chinese]RE[?];B[cc];W[];B[])")
    page.wait(lambda: at_move(page) == 0 and page.run(SETTLED))
    page.find("#last").click()
    page.wait(lambda: page.text("status").startswith("B+24.5."))
    assert page.run(RESULT) == "B+24.5"


def test_branches_that_are_left_out_are_told(page: Page) -> None:
    page.paste("(;GM[1]SZ[5];B[cc](;W[cb];B[bb])(;W[cc])(;AW[aa];W[bb]))")
    page.wait(lambda: "2 branches were left out" in page.text("notice"))
    page.wait(lambda: page.run(SETTLED))
    time.sleep(0.5)
    assert "2 branches were left out" in page.text("notice")
    page.paste("(;GM[1]SZ[5];B[cc];W[cc])")
    page.wait(lambda: page.text("notice").startswith("One branch was left out: it"))


def test_moves_taken_back_leave_the_review(page: Page) -> None:
    page.paste("(;GM[1]SZ[5]KM[0.5];B[cc];W[cb](;B[bb];W[dc];B[bc])(;B[dd])(;B[bd]))")
    page.wait(lambda: page.text("review") == "Review" and not page.find("#graph").get_attribute("hidden"))
    marked = "return Number(document.querySelector('#graph .here').getAttribute('x1'))"
    page.run("foogo.play.go(2)")
    page.wait(lambda: page.run(SETTLED) and at_move(page) == 2)
    second_move = page.run(marked)
    page.run("foogo.play.go(6)")  # a variation: the graph shows where it begins
    page.wait(lambda: page.run(SETTLED) and page.run(MOVES) == ["C3", "C4", "D2"])
    assert page.run(marked) == second_move > 10
    page.run("foogo.play.go(3)")
    page.wait(lambda: page.run(SETTLED) and page.run(MOVES)[2:] == ["B4"])
    page.find("#undo").click()
    page.wait(lambda: page.run(SETTLED) and at_move(page) == 2)
    assert page.find("#graph").get_attribute("hidden")
    branches = "return [...document.querySelectorAll('#branches button')].map(one => one.textContent)"
    assert page.run(branches) == ["D2", "or B2"]


def test_a_dialog_that_is_closed_starts_no_game(page: Page) -> None:
    page.new_game(size="5", level="8")
    page.wait(lambda: page.run(SETTLED))
    page.click_point("C3")
    page.wait(lambda: page.stones() == 1)
    page.find("#new").click()
    page.run("document.getElementById('setup').close()")  # what Escape does, in browsers that keep the value
    time.sleep(0.5)
    assert page.stones() == 1


def test_another_size_takes_back_handicap_and_its_komi(page: Page) -> None:
    def choose(name: str, value: str) -> None:
        choice = page.find(f"#setup [name={name}]")
        page.run("arguments[0].value = arguments[1]; arguments[0].onchange?.()", choice, value)

    page.find("#new").click()
    choose("size", "9")
    choose("handicap", "3")
    komi = "return Number(document.querySelector('#setup [name=komi]').value)"
    assert page.run(komi) == 0.5
    choose("size", "13")
    assert page.run("return document.querySelector('#setup [name=handicap]').value") == "0"
    assert page.run(komi) == 7
    choose("komi", "5.5")
    choose("size", "9")
    assert page.run(komi) == 5.5
    page.find("#setup [value=cancel]").click()


def test_an_empty_number_starts_nothing(page: Page) -> None:
    page.find("#new").click()
    page.choose(komi="")
    page.find("#setup .primary").click()
    assert page.run("return document.getElementById('setup').open")
    page.find("#setup [value=cancel]").click()
    page.find("#tab-laboratory").click()
    page.run("[...document.querySelectorAll('.panel input[type=number]')].at(-1).value = ''")
    page.find(".panel .primary").click()
    time.sleep(0.2)
    assert page.find(".panel .primary").text == "Start"


BLOCKED = """
    for (const kind of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, kind, {get() { throw new DOMException('blocked', 'SecurityError'); }});
    }
"""
DAMAGED = f"localStorage.setItem('foogo-theme', '{{'); sessionStorage.setItem('foogo-game-{foogo.__version__}', '%s');"


@pytest.mark.parametrize("damage", [BLOCKED, DAMAGED % "{", DAMAGED % '{"level": 3}', DAMAGED % "7"])
def test_the_page_works_without_its_storage(page: Page, address: str, damage: str) -> None:
    script = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": damage})
    try:
        page.open(address)
        page.find("#theme").click()
        page.new_game(size="5", level="8")
        page.wait(lambda: page.text("status") == "Black to play")
    finally:
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    page.open(address)
    page.run("localStorage.clear()")


def test_numbers_are_short(page: Page) -> None:
    shown = "return import('./page.js').then(({short}) => arguments[0].map(short))"
    assert page.run(shown, [7, 999.4, 999.6, 1234, 999_400, 999_700, 1_234_567]) == [
        "7", "999", "1k", "1.23k", "999k", "1M", "1.23M",
    ]  # fmt: skip


def test_by_keyboard_alone(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    def press(*keys: str) -> None:
        page.wait(lambda: page.run(SETTLED))
        ActionChains(page.browser).send_keys(*keys).perform()

    page.new_game(size="5", level="8")
    page.wait(lambda: "Black to play" in page.text("status"))
    for _ in range(20):
        press(Keys.TAB)
        if page.run("return document.activeElement.matches('#board svg')"):
            break
    press(Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: page.run(MOVES) == ["D4"] and page.run(SETTLED))
    assert "D4 " in page.run("return document.querySelector('#board .live').textContent") + " "
    press("p")
    page.wait(lambda: page.run(MOVES) == ["D4", "pass"] and page.run(SETTLED))
    press("u")
    page.wait(lambda: page.run(MOVES) == ["D4"] and page.run(SETTLED))
    press(",")
    page.wait(lambda: at_move(page) == 0 and page.run(SETTLED))
    press(".")
    page.wait(lambda: at_move(page) == 1)


def test_keys_that_work_wherever_the_focus_is(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    def press(key: str) -> None:
        page.wait(lambda: page.run(SETTLED))
        ActionChains(page.browser).send_keys(key).perform()

    page.new_game(size="5", level="8")
    assert page.run("return document.activeElement.matches('#board svg')")
    press(Keys.ENTER)
    page.wait(lambda: page.run(MOVES) == ["C3"])
    press("p")
    page.wait(lambda: at_move(page) == 2)
    page.run("document.activeElement.blur()")
    for key, moves in ((Keys.HOME, 0), (Keys.END, 2), (Keys.BACKSPACE, 1)):
        press(key)
        page.wait(lambda moves=moves: at_move(page) == moves)  # type: ignore[misc]
    page.find("#new").click()
    page.run("document.querySelector('#setup [name=komi]').focus()")
    press(Keys.BACKSPACE)
    page.find("#setup [value=cancel]").click()
    assert at_move(page) == 1


def test_the_tabs_by_keyboard(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    page.run("document.getElementById('tab-play').focus()")
    for key, view in ((Keys.ARROW_RIGHT, "laboratory"), (Keys.ARROW_LEFT, "play"), (Keys.ARROW_LEFT, "studies")):
        ActionChains(page.browser).send_keys(key).perform()
        assert page.run("return !document.getElementById(arguments[0]).hidden", view)
        assert page.run("return document.activeElement.id") == f"tab-{view}"
        assert page.run("return [...document.querySelectorAll('[role=tab]')].filter(one => !one.tabIndex).length") == 1


def test_progress_has_names(page: Page) -> None:
    assert page.run("return [...document.querySelectorAll('progress')].every(one => one.getAttribute('aria-label'))")


@pytest.mark.parametrize("playouts", [100_000, slow(750_000)])
def test_the_laboratory_counts_as_first_move_does(page: Page, playouts: int) -> None:
    page.find("#tab-laboratory").click()
    games, seed = page.browser.find_elements("css selector", ".panel input[type=number]")
    page.run("arguments[0].value = arguments[2]; arguments[1].value = 3", games, seed, playouts)
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".panel .primary").text == "Start")
    assert page.find(".count").text == f"{7 * playouts:,}"
    found = page.run("return foogo.laboratory.panels[0].view.found")
    document = first_move(5, playouts, seed=3, by_point=True).as_dict()
    starts = {start["first_move"]: start for start in found["starts"]}
    assert starts["any"]["fair_komi"] == document["fair_komi"]
    for opening in document["openings"]:
        for name in ("playouts", "mean_score", "win_share"):
            assert starts[opening["vertex"]][name] == opening[name]
    share = page.run("return foogo.winShare(arguments[0], 7)", starts["any"]["scores"])
    assert share == pytest.approx({key: document["win_share"][3][key] for key in ("value", "low", "high")}, abs=1e-12)
    assert found["command"] == f"foogo first-move --size 5 --playouts {playouts} --seed 3 --by-point"


def test_another_position_ends_the_laboratorys_run(page: Page) -> None:
    page.find("#tab-laboratory").click()
    page.run("document.querySelector('.panel input[type=number]').value = 1e9")
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".count").text != "0")
    position = page.find(".panel select")
    page.run("arguments[0].value = '3'; arguments[0].dispatchEvent(new Event('change'))", position)
    assert page.find(".panel .primary").text == "Start"
    page.run("document.querySelector('.panel input[type=number]').value = 2000")
    time.sleep(0.5)  # the stopped run answers
    assert page.find(".count").text == "0"
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".count").text == "8,000")


def test_a_lost_connection_is_told_and_opened_again(page: Page) -> None:
    page.new_game(size="9", level="0")  # on 5x5 foogo may resign
    page.wait(lambda: page.text("status") == "Your move")
    page.run("foogo.play.connection.socket.close()")
    page.wait(lambda: LOST in page.text("notice"))
    page.click_point("C3")
    page.find("#tab-laboratory").click()
    page.find("#laboratory .controls .primary").click()  # which clears other messages
    assert LOST in page.text("notice")
    page.find("#tab-play").click()
    page.wait(lambda: not page.find("#notice").is_displayed())
    page.wait(lambda: page.text("number") == "move 2 of 2")


def test_a_new_game_that_cannot_begin_changes_nothing(page: Page) -> None:
    page.new_game(size="5", level="3")
    page.wait(lambda: page.text("status") == "Your move")
    before = page.run("return [foogo.play.human, foogo.play.level]")
    page.run("foogo.play.connection.ask = () => Promise.reject(new Error('lost'))")
    page.find("#new").click()
    page.choose(size="9", level="0", color="W", handicap="2")
    page.find("#setup .primary").click()
    page.wait(lambda: page.text("notice") == "lost")
    assert page.run("return [foogo.play.human, foogo.play.level]") == before
    page.run("delete foogo.play.connection.ask")


def test_a_pass_that_is_best_is_no_other_move(page: Page) -> None:
    moves = "[{move: 'pass', visits: 90, win_share: .9}, {move: 'C3', visits: 10, win_share: .4}]"
    page.run(f"foogo.play.analysis.result = {{moves: {moves}}}")
    assert page.run("return foogo.play.analysis.marks(5).map(one => one.halo)") == [False]
    page.run("foogo.play.analysis.result = null")


def test_first_moves_of_white_are_ranked_for_white(page: Page) -> None:
    def start(point: str, lead: int) -> dict[str, Any]:
        one = {"value": lead, "low": None, "high": None}
        scores = [int(score == lead) for score in range(-25, 26)]
        return {
            "first_move": point, "points": [point], "playouts": 1, "moves_per_playout": 9, "scores": scores,
            "mean_score": one, "fair_komi": one,
        }  # fmt: skip

    found = {"games": 2, "to_play": "W", "starts": [start("B2", 3), start("A1", -3)]}
    page.run("foogo.studies.view.clear(5, []); foogo.studies.view.show(arguments[0])", found)
    cells = page.run("return [...foogo.studies.view.table.querySelectorAll('tbody td')].map(one => one.textContent)")
    assert (cells[0], cells[4]) == ("A1", "B2")
    assert cells[1].endswith("±?")
    map_text = page.run("return foogo.studies.view.map.textContent")
    assert "±?" in map_text
    assert "±0.00" not in map_text
    assert page.run("return foogo.studies.view.board.describe(0)") == "empty, −3.0 ±?"
    assert "Enter chooses a first move." in page.run("return foogo.studies.view.board.picture.ariaLabel")


def test_a_game_lasts_as_long_as_its_tab(page: Page, address: str) -> None:
    page.new_game(size="5", level="0", komi="0.5", color="W")
    page.wait(lambda: page.text("number") == "move 1 of 1")
    first = page.run(RECORD)
    page.open(address)
    assert page.text("status") == "Your move"
    assert page.run(RECORD) == first
    page.find("#resign").click()
    page.wait(lambda: page.text("status") == "White resigned: B+R")
    page.open(address)
    page.wait(lambda: page.text("status") == "White resigned: B+R")


def test_a_double_click_starts_one_run(page: Page) -> None:
    page.find("#tab-laboratory").click()
    page.run("document.querySelector('.panel input[type=number]').value = 1e9")
    position = page.find(".panel select")
    page.run("arguments[0].value = 'game'; arguments[0].dispatchEvent(new Event('change'))", position)
    page.run(
        "const {connection} = foogo.play, job = connection.job.bind(connection); window.started = 0;"
        "connection.job = (type, ...rest) => { window.started += type === 'playouts'; return job(type, ...rest); };"
        "for (const _ of [1, 2]) document.querySelector('.panel .primary').click();"
    )
    page.wait(lambda: page.find(".count").text != "0")
    assert page.run("return window.started") == 1
    assert page.find(".panel .primary").text == "Stop"
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".panel .primary").text == "Start")
    page.run("document.querySelector('.panel input[type=number]').value = 2000")
    page.find(".panel .primary").click()
    page.wait(lambda: page.find(".count").text == "14,000")


def test_the_laboratory_compares_and_exports(page: Page, folder: Path) -> None:
    page.find("#tab-laboratory").click()
    page.find("#compare").click()
    page.run("for (const input of document.querySelectorAll('.panel input[type=number]')) input.value = 2000")
    page.run("document.querySelectorAll('.panel select')[4].value = 'knowledge'")
    for button in page.browser.find_elements("css selector", ".panel .primary"):
        button.click()
    page.wait(
        lambda: [one.text for one in page.browser.find_elements("css selector", ".panel .count")] == ["14,000"] * 2
    )
    page.wait(
        lambda: [one.text for one in page.browser.find_elements("css selector", ".panel .primary")] == ["Start"] * 2
    )
    for button in page.browser.find_elements("css selector", ".panel:last-child .numbers .buttons button"):
        button.click()
    names = {
        "first-move-b.png": b"\x89PNG",
        "first-move-b.svg": b"<svg",
        "first-move-b.csv": b"first_move,points,games",
    }
    for name, start in names.items():
        page.wait(lambda name=name: (folder / name).exists())  # type: ignore[misc]
        page.wait(lambda name=name, start=start: (folder / name).read_bytes().startswith(start))  # type: ignore[misc]
    assert "--policy knowledge" in page.find(".panel:last-child pre").text


def test_a_study_is_browsed(page: Page, store: Path) -> None:
    page.find("#tab-studies").click()
    page.wait(lambda: page.browser.find_elements("css selector", "#runs button"))
    page.run("document.querySelector('#runs button').click()")
    page.wait(lambda: page.run("return document.querySelector('#run .count').textContent") == "14,000")
    page.run(
        "window.asked = 0; const {connection} = foogo.studies, {ask} = connection;"
        "connection.ask = (...request) => { window.asked++; return ask.apply(connection, request); };"
        "foogo.studies.show(true); foogo.studies.show(false)"
    )
    time.sleep(4)  # a hidden view would have looked again
    assert page.run("return window.asked") == 1
    page.run("foogo.studies.show(true)")
    assert "5x5, uniform players" in page.find("#run h2").text
    with Store(store) as study:  # a run that goes on while it is looked at
        run_study(study, study.ask(Config(4), n=300))
        page.wait(lambda: page.run("return document.querySelectorAll('#runs button').length") == 3)
        page.run("document.querySelectorAll('#runs button')[2].click()")
        page.wait(lambda: page.run("return document.querySelector('#run .count').textContent") == "300")
        run_study(study, study.ask(Config(4), n=700))
        page.wait(lambda: page.run("return document.querySelector('#run .count').textContent") == "700")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1920, 1080)])
@pytest.mark.parametrize("dark", [False, True])
def test_every_view_fits(page: Page, width: int, height: int, dark: bool) -> None:
    emulate(page.browser, width, height, dark=dark)
    try:
        for view in ("play", "laboratory", "studies"):
            page.find(f"#tab-{view}").click()
            assert page.run("return document.documentElement.scrollWidth") <= width
            assert is_dark(page) == dark
        page.find("#theme").click()
        assert is_dark(page) != dark
    finally:
        page.run("localStorage.clear()")
        emulate(page.browser)


def is_dark(page: Page) -> bool:
    return bool(page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 23)")
