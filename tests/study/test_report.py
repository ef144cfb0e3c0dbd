"""Pictures, the report page in a real browser, and exports that are read back."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from foogo.errors import PlotError, StoreError
from foogo.playout.totals import Totals
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.study.config import USUAL_KOMIS, Config, komis_to_report
from foogo.study.report.charts import komi_chart, score_chart, size_chart, strength_chart
from foogo.study.report.heat_map import board_heat_map
from foogo.study.report.page import check_report_folder, write_report
from foogo.study.report.style import COLUMN_INCHES, SERIES, rendered
from foogo.study.run.runner import run_study
from foogo.study.store.export import check_export_path, export
from foogo.study.store.store import Store
from foogo.study.strengths import Setting, Strength
from foogo.study.summary import RunSummary, Summary, command, summaries

pytest.importorskip("matplotlib")

IMAGES = 3 + 2 * 3 + 4
"""By size, by strength and by komi; scores, means and shares of two runs; scores of four."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[RunSummary]:
    with Store(tmp_path_factory.mktemp("study") / "a.sqlite", create=True) as store:
        for config, openings, n in (
            (Config(5, seed=1), "classes", 2000),
            (Config(3), "all", 2000),
            (Config(4), "none", 2000),
            (Config(3, policy="knowledge"), "none", 500),
            (Config(3, policy="search:20", komi=8.5), "none", 40),
            (Config(3, policy="search:20", komi=9.5), "none", 40),
        ):
            run_study(store, store.ask(config, n=n, openings=openings))
        return summaries(store)


@pytest.fixture(scope="module")
def page(found: list[RunSummary], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(found, tmp_path_factory.mktemp("report") / "made" / "here")


class Images(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.outside: list[str] = []
        self.links: list[str] = []
        self.places: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if tag == "img" and name == "src":
                self.sources.append(value or "")
            if name in ("src", "href") and not (value or "").startswith(("data:", "#")):
                self.outside.append(value or "")
            if name == "href" and (value or "").startswith("#"):
                self.links.append((value or "")[1:])
            if name == "id":
                self.places.append(value or "")


def test_the_page_needs_no_other_file(page: Path, found: list[RunSummary]) -> None:
    text = page.read_text(encoding="utf-8")
    images = Images()
    images.feed(text)
    assert len(images.sources) == IMAGES
    assert images.outside == []
    runs = [f"run{one.run.id}" for one in found]
    assert images.links == images.places == ["overview", "strength", *runs, "notes"]
    assert "komi 5.5 and 6.5 then decide nearly every game alike" in text
    assert "Fair komi near the whole board: any." in text  # of random players on 3x3
    assert not re.search(r"<td>-\d", text)
    assert not re.search(r"\[-\d", text)
    for one in found:
        assert escape(command(one.run, one.store)) in text
        assert one.run.signature in text
        cut = sum(totals.cut for totals, _ in one.played.values())
        assert f"<tr><td>games played</td><td>{one.games:,}</td></tr><tr><td>cut</td><td>{cut:,}</td></tr>" in text
    assert "is the best first move?" in text.lower() or "the best first move?" in text
    assert "van der Werf" in text
    assert "<td>search:20</td>" in text
    assert "chi-square" in text  # openings of every point were asked for on 3x3
    assert sorted(path.suffix for path in page.parent.iterdir()) == [".html", *[".png"] * IMAGES, *[".svg"] * IMAGES]


@pytest.mark.client
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt-get install chromium")
def test_the_page_in_a_real_browser(page: Path, tmp_path: Path) -> None:
    """Chromium draws it without an error on the console, and every image has a size."""
    assert CHROMIUM is not None
    copy, shot = tmp_path / "page.html", tmp_path / "shot.png"
    probe = (
        "<script>addEventListener('load', () => {"
        "const sizes = [...document.images].map(image => image.complete ? image.naturalWidth : 0);"
        "const wide = document.documentElement.scrollWidth > innerWidth;"
        "document.title = JSON.stringify({sizes, wide});});</script>"
    )
    copy.write_text(page.read_text(encoding="utf-8").replace("</head>", probe + "</head>"), encoding="utf-8")
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={tmp_path}/profile",
        "--enable-logging=stderr", "--window-size=1200,3000", "--virtual-time-budget=10000",
    ]  # fmt: skip
    dumped = subprocess.run(
        [CHROMIUM, *options, "--dump-dom", copy.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    seen = json.loads(dumped.stdout.split("<title>")[1].split("</title>")[0])
    assert len(seen["sizes"]) == IMAGES
    assert min(seen["sizes"]) > 500
    assert not seen["wide"]
    assert "CONSOLE" not in dumped.stderr
    subprocess.run(
        [CHROMIUM, *options, f"--screenshot={shot}", page.as_uri()], capture_output=True, timeout=120, check=True
    )
    from matplotlib.image import imread

    picture = imread(shot)[..., :3]
    assert picture.shape[:2] == (3000, 1200)
    assert picture.std() > 0.05  # not a white page


def test_charts_are_of_column_width_and_the_same_each_time(found: list[RunSummary]) -> None:
    scores = found[0].whole.scores
    lines = {Setting(5, True): made_up_line()}
    for make in (
        lambda: score_chart(scores, (0.0, 6.5)),
        lambda: size_chart({3: found[1].whole.scores, 5: scores}),
        lambda: strength_chart(lines),
        lambda: komi_chart(made_up_line()),
        lambda: board_heat_map(found[0].mean_scores(), "points"),
    ):
        figure = make()
        assert figure.get_figwidth() == COLUMN_INCHES
        assert rendered(figure, "svg") == rendered(make(), "svg")
        assert rendered(figure, "png").startswith(b"\x89PNG")


def test_the_komis_of_a_chart_are_labelled_within_its_axes() -> None:
    scores = np.zeros(51, np.int64)  # of 5x5, where few komis change a result: the fair komi is far from the others
    scores[[0, 22, 24, 26, 28, 30, 32, 50]] = 1200, 30, 60, 70, 60, 40, 30, 1510
    figure = score_chart(scores, USUAL_KOMIS)
    axes = figure.axes[1]
    assert [text.get_text() for text in axes.texts][1].startswith("5.5 to 7.5: ")
    figure.draw_without_rendering()
    for text in axes.texts:
        label, around = text.get_window_extent(), axes.get_window_extent()
        assert around.x0 < label.x0 < label.x1 < around.x1
        assert around.y0 < label.y0 < label.y1 < around.y1


def test_the_size_chart_shows_the_estimates_with_their_errors(found: list[RunSummary]) -> None:
    scores = {3: found[1].whole.scores, 5: found[0].whole.scores}
    top, bottom = size_chart(scores).axes
    line, _, (bars,) = top.containers[0].lines
    estimates = [mean_score(scores[size]) for size in (3, 5)]
    assert np.allclose(line.get_ydata(), [one.value for one in estimates])
    ends = [segment[:, 1] for segment in bars.get_segments()]
    assert np.allclose(ends, [[one.low, one.high] for one in estimates])
    assert np.allclose(bottom.containers[0].lines[0].get_ydata(), [100 * win_share(scores[n], 0).value for n in (3, 5)])


def test_a_fair_komi_far_from_the_mean_is_at_the_rim_with_its_value() -> None:
    scores = np.zeros(33, np.int64)
    scores[[0, 32]] = 40, 60  # the whole board or nothing: the mean is 3.2, the fair komi almost 16
    top, _ = size_chart({4: scores, 9: np.bincount([84], minlength=163) * 100}).axes
    (text,) = top.texts
    assert text.get_text() == f"{fair_komi(scores).value:.1f}"
    assert top.containers[1].lines[0].get_xdata().tolist() == [9.1]


def test_only_the_sizes_played_have_ticks() -> None:
    scores = {size: np.bincount([size * size + 3, size * size - 3], minlength=2 * size * size + 1) for size in (3, 19)}
    top, bottom = size_chart(scores).axes
    assert bottom.get_xticks().tolist() == [3, 19]
    assert [text.get_text() for text in top.get_legend().get_texts()] == ["mean score", "fair komi"]


def test_legends_are_clear_of_the_bars() -> None:
    scores = np.zeros(19, np.int64)
    scores[[0, 18]] = 45, 55
    figure = score_chart(scores, (0.0, 5.5, 6.5))
    rendered(figure, "png")
    for axes in figure.axes:
        legend, data = axes.get_legend().get_window_extent(), axes.get_window_extent()
        assert legend.y0 >= data.y1 - 1


def test_komis_with_one_share_have_one_label_and_one_minus_sign() -> None:
    scores = np.zeros(51, np.int64)
    scores[[25 - 7, 25 + 5]] = 60, 40
    top, bottom = score_chart(scores, (0.0, 5.5, 6.5, 7.0)).axes
    assert [text.get_text() for text in bottom.texts] == ["0: 40.00", "5.5, 6.5, 7: 0.00"]
    assert "mean −2.2" in top.get_legend().get_texts()[2].get_text()
    assert "fair komi −" in bottom.get_legend().get_texts()[0].get_text()
    for axes in (top, bottom):
        assert not any("-" in text.get_text() for text in axes.get_legend().get_texts())


def test_scores_of_one_parity_are_drawn_without_gaps() -> None:
    scores = np.zeros(723, np.int64)
    scores[361 - 201 : 361 + 202 : 2] = 1
    assert {patch.get_width() for patch in score_chart(scores, ()).axes[0].patches} == {2.0}


def test_a_heat_map_states_its_centre_and_its_pooling(found: list[RunSummary]) -> None:
    values = found[0].mean_scores()
    board, bar = board_heat_map(values, "points", form="{:.2f}").axes
    mean = f"{values.mean():.2f}".replace("-", "−")
    assert bar.get_ylabel() == f"points\npalest: the mean of the points, {mean}"
    shown = {text.get_text() for text in board.texts}
    assert shown == {f"{value:.2f}".replace("-", "−") for value in values.ravel()}


def made_up_line() -> list[Strength]:
    """Random players, and a search whose win share crosses one half between komi 6.5 and 8.5."""
    scores = np.zeros(51, np.int64)
    scores[[25 - 3, 25 + 7]] = 30, 70
    worse = np.zeros(51, np.int64)
    worse[[25 - 3, 25 + 9]] = 70, 30
    played: dict[float | None, Totals] = {6.5: Totals(0, 0, scores), 8.5: Totals(0, 0, worse)}
    return [Strength("uniform", 0, {None: Totals(0, 0, scores)}), Strength("search:100", 100, played)]


def test_the_strength_chart_shows_the_estimates_and_exact_values() -> None:
    line = made_up_line()
    fair, mean, share = strength_chart({Setting(5, True): line, Setting(7, True): line}, 6.5).axes
    dashed = [one for one in fair.lines if one.get_linestyle() == "--" and len(one.get_ydata()) == 2]
    assert [one.get_ydata()[0] for one in dashed] == [25]
    assert [label.get_text() for label in share.get_xticklabels()] == ["uniform", "100"]
    for axes, values in ((fair, [one.fair.value for one in line]), (mean, [4.0, 4.0]), (share, [70.0, 70.0])):
        assert np.allclose(axes.containers[0].lines[0].get_ydata(), values)
    assert line[1].fair.value == pytest.approx(7.5)
    with pytest.raises(PlotError, match="only runs of policy uniform"):
        strength_chart({})
    with pytest.raises(PlotError, match="search:N"):
        komi_chart(line[:1])


def test_a_fair_komi_beyond_the_komis_played_is_a_hollow_triangle() -> None:
    line = made_up_line()
    del line[1].totals[8.5]
    fair, _, _ = strength_chart({Setting(7, True): line}).axes
    (mark,) = [one for one in fair.lines if one.get_fillstyle() == "none"]
    assert mark.get_marker() == "^"
    assert mark.get_ydata()[0] == 6.5


def test_a_fair_komi_of_which_nothing_is_known_is_not_drawn() -> None:
    line = made_up_line()
    scores = np.zeros(51, np.int64)
    scores[[25 - 3, 25 + 7]] = 1
    line.append(Strength("search:200", 200, {6.5: Totals(0, 0, scores)}))
    assert line[2].fair.value == 6.5  # a win and a loss
    fair, mean, _ = strength_chart({Setting(7, True): line}).axes
    assert len(fair.containers[0].lines[0].get_ydata()) == 2
    assert len(mean.containers[0].lines[0].get_ydata()) == 3


def test_the_komi_chart_has_a_bar_at_each_komi_played() -> None:
    (axes,) = komi_chart(made_up_line()).axes
    line, _, (bars,) = axes.containers[0].lines
    assert line.get_xdata().tolist() == [6.5, 8.5]
    assert np.allclose(line.get_ydata(), [70, 30])
    assert len(bars.get_segments()) == 2


def test_series_differ_in_color_and_in_marker() -> None:
    for parts in zip(*SERIES, strict=True):
        assert len(set(parts)) == len(SERIES)


@pytest.mark.parametrize(("half", "text"), [(0.5, "2.00 ±0.50"), (0.05, "2.000 ±0.050"), (float("inf"), "2.00")])
def test_as_many_digits_as_the_interval_deserves(half: float, text: str) -> None:
    assert Estimate(2, 2 - half, 2 + half).plus_minus() == text


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path, found: list[RunSummary]) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PlotError, match="cannot write a report"):
        check_report_folder(tmp_path / "file")
    with Store(tmp_path / "a.sqlite", create=True) as store:
        store.ask(Config(5), n=10)
        with pytest.raises(StoreError, match="nothing to report"):
            write_report(summaries(store), tmp_path / "report")


def test_komis_may_be_none_and_come_from_numpy(found: list[RunSummary], tmp_path: Path) -> None:
    assert komis_to_report(()) == komis_to_report(np.array([])) == komis_to_report(None) == USUAL_KOMIS
    assert komis_to_report(iter((7, 7.0, 0.5))) == komis_to_report(np.array([7, 0.5])) == (7.0, 0.5)
    assert "by first move at komi 6.5" in write_report(found[:1], tmp_path / "report", komis=()).read_text()


def test_runs_are_named_by_any_numbers(found: list[RunSummary]) -> None:
    with Store(found[0].store) as store:
        numbers = np.array([one.run.id for one in found[:2]])
        assert [one.run.id for one in summaries(store, numbers)] == numbers.tolist()
        assert len(summaries(store, [1, 1])) == 1  # games count once


def test_exports_add_up_to_the_store(found: list[RunSummary], tmp_path: Path) -> None:
    export(found, tmp_path / "a.csv")
    export(found, tmp_path / "a.json")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    document = json.loads((tmp_path / "a.json").read_text())
    one = found[0]
    for start in document["runs"][0]["starts"]:
        totals = one.whole if start["first_move"] == "any" else one.openings[0] if start["first_move"] == "A1" else None
        if totals is not None:
            mine = {
                int(row["score"]): int(row["playouts"])
                for row in rows
                if (row["run"], row["first_move"]) == (str(one.run.id), start["first_move"])
            }
            assert mine == {int(score): games for score, games in start["scores"].items()}
            assert mine == {i - 25: int(games) for i, games in enumerate(totals.scores) if games}


def test_points_that_were_played_apart_are_exported_apart(found: list[RunSummary], tmp_path: Path) -> None:
    apart = found[1]
    export([apart], tmp_path / "a.csv")
    export([apart], tmp_path / "a.json")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    (shown,) = json.loads((tmp_path / "a.json").read_text())["runs"]
    assert {row["first_move"] for row in rows} == {"any", *shown["scores_by_point"]}
    for point, totals in apart.points.items():
        name = apart.config.name_of(point)
        expected = {i - 9: int(games) for i, games in enumerate(totals.scores) if games}
        assert {int(row["score"]): int(row["playouts"]) for row in rows if row["first_move"] == name} == expected
        assert {int(score): games for score, games in shown["scores_by_point"][name].items()} == expected


def test_a_row_of_an_export_has_the_whole_configuration(tmp_path: Path) -> None:
    """Two runs that differ in the ko alone are not taken for one, such as in exports of two stores."""
    stones, columns = ".XO./X.XO/.XO./....", {"komi": "play_komi"}
    with Store(tmp_path / "a.sqlite", create=True) as store:
        for ko in (None, "B3"):
            run_study(store, store.ask(Config(4, stones, "white", ko), n=10), threads=1)
        found = summaries(store)
    for table in ("scores", "estimates"):
        export(found, tmp_path / "a.csv", table=table)
        with (tmp_path / "a.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["ko"] for row in rows} == {"", "B3"}
        assert {columns.get(name, name) for name in found[0].config.as_dict()} <= set(rows[0])


def test_a_komi_beyond_all_scores_leaves_a_chart_its_size(found: list[RunSummary], tmp_path: Path) -> None:
    assert write_report(found[2:3], tmp_path / "usual", komis=(6.5,)).exists()
    page = write_report(found[2:3], tmp_path / "report", komis=(6.5, 1e300)).read_text()
    assert "1e+300" in page or "0" * 300 in page


def test_symmetric_points_are_pooled_under_the_first_of_their_class() -> None:
    scores = np.zeros(9, np.int64)
    scores[6] = 1  # one game, won by 2 points
    one = Totals(0, 4, scores), [(0, 1)]
    summary = Summary(Config(2), {-1: (Totals.of_none(2), []), 1: one, 3: one})
    assert summary.games == 2
    assert {start: (totals.n, totals.moves) for start, totals in summary.openings.items()} == {0: (2, 8)}
    assert summary.mean_scores().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    center = Totals(0, 4, np.bincount([12], minlength=19)), [(0, 1)]
    only = Summary(Config(3), {-1: (Totals.of_none(3), []), 4: center})
    assert only.mean_scores()[1, 1] == 3.0
    assert np.isnan(only.mean_scores()).sum() == 8


def test_parquet_is_the_same_table(found: list[RunSummary], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    export(found, tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert sum(table["playouts"]) == sum(one.games for one in found)
    export(found, tmp_path / "b.parquet", table="estimates", komis=(6.5,))
    shares = parquet.read_table(tmp_path / "b.parquet").to_pydict()["win_share_6.5"]
    assert len(shares) == 7 + 4 + 1 + 3
    assert all(0 <= share <= 1 for share in shares)


def test_strengths_are_exported(found: list[RunSummary], tmp_path: Path) -> None:
    export(found, tmp_path / "a.csv", table="strengths", komis=(6.5, 8.5))
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["size"], row["policy"]) for row in rows] == [("3", p) for p in ("uniform", "knowledge", "search:20")]
    assert (rows[2]["play_komis"], rows[2]["games"], rows[2]["win_share_6.5"]) == ("8.5 9.5", "80", "")
    assert float(rows[2]["win_share_8.5"]) > 0
    assert float(rows[0]["fair_komi"]) == pytest.approx(fair_komi(found[1].whole.scores).value)
    export(found, tmp_path / "a.json")
    document = json.loads((tmp_path / "a.json").read_text())
    assert [one["policy"] for one in document["strengths"]] == ["uniform", "knowledge", "search:20"]
    export(found, tmp_path / "a.json", komis=())
    assert json.loads((tmp_path / "a.json").read_text())["strengths"][0]["fair_komi"]
    with pytest.raises(StoreError, match="no strengths"):
        export(found[:2], tmp_path / "a.csv", table="strengths")
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run_study(store, store.ask(Config(3, ".X./.../...", "white", policy="knowledge"), n=10), threads=1)
        with pytest.raises(StoreError, match="no run from the empty board"):
            export(summaries(store), tmp_path / "a.csv", table="strengths")


@pytest.mark.parametrize("name", ["a.xls", "no/folder/a.csv", "a"])
def test_an_export_path_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="cannot (export|write)"):
        check_export_path(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
