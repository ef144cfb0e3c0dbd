"""Pictures, the report page in a real browser, and exports that are read back."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from foogo.errors import PlotError, StoreError
from foogo.study.charts import Strength, score_chart, size_chart, strength_chart
from foogo.study.config import Config
from foogo.study.estimates import Estimate, mean_score
from foogo.study.export import check_export_path, export
from foogo.study.plots import board_heat_map
from foogo.study.report import by_strength, check_report_folder, plus_minus, write_report
from foogo.study.runner import run_study
from foogo.study.store import Store
from foogo.study.style import COLUMN_INCHES, SERIES, rendered
from foogo.study.summary import Summary, command, summaries

pytest.importorskip("matplotlib")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Summary]:
    with Store(tmp_path_factory.mktemp("study") / "a.sqlite", create=True) as store:
        for config, openings in ((Config(5, seed=1), "classes"), (Config(3), "all"), (Config(4), "none")):
            run_study(store, store.ask(config, n=2000, openings=openings))
        return summaries(store)


@pytest.fixture(scope="module")
def page(found: list[Summary], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(found, tmp_path_factory.mktemp("report") / "made" / "here")


class Images(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if tag == "img" and name == "src":
                self.sources.append(value or "")
            if name in ("src", "href") and not (value or "").startswith("data:"):
                self.outside.append(value or "")


def test_the_page_needs_no_other_file(page: Path, found: list[Summary]) -> None:
    text = page.read_text(encoding="utf-8")
    images = Images()
    images.feed(text)
    assert len(images.sources) == 1 + 3 + 3 + 1  # by size; scores, means and shares; the same; scores
    assert images.outside == []
    for one in found:
        assert command(one.run) in text
        assert one.run.signature in text
    assert "is the best first move?" in text.lower() or "the best first move?" in text
    assert "chi-square" in text  # openings of every point were asked for on 3x3
    assert sorted(path.suffix for path in page.parent.iterdir()) == [".html", *[".png"] * 8, *[".svg"] * 8]


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
    assert len(seen["sizes"]) == 8
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


def test_charts_are_of_column_width_and_the_same_each_time(found: list[Summary]) -> None:
    scores = found[0].whole.scores
    weak, strong = Estimate(2, 1, 3), Estimate(5, 4, 6)
    strengths = {5: [Strength(0, weak, weak), Strength(10, strong, strong)]}
    for make in (
        lambda: score_chart(scores, (0.0, 6.5)),
        lambda: size_chart({3: found[1].whole.scores, 5: scores}),
        lambda: strength_chart(strengths),
        lambda: board_heat_map(found[0].mean_scores(), "points"),
    ):
        figure = make()
        assert figure.get_figwidth() == COLUMN_INCHES
        assert rendered(figure, "svg") == rendered(make(), "svg")
        assert rendered(figure, "png").startswith(b"\x89PNG")


def test_the_size_chart_shows_the_means_with_their_errors(found: list[Summary]) -> None:
    scores = {3: found[1].whole.scores, 5: found[0].whole.scores}
    (axes,) = size_chart(scores).axes
    line, _, (bars,) = axes.containers[0].lines
    estimates = [mean_score(scores[size]) for size in (3, 5)]
    assert np.allclose(line.get_ydata(), [one.value for one in estimates])
    ends = [segment[:, 1] for segment in bars.get_segments()]
    assert np.allclose(ends, [[one.low, one.high] for one in estimates])


def test_the_strength_chart_has_exact_values_of_solved_boards() -> None:
    line = [Strength(0, Estimate(2, 1, 3), Estimate(3, 2, 4)), Strength(100, Estimate(5, 4, 6), Estimate(6, 5, 7))]
    top, bottom = strength_chart({5: line, 7: line}).axes
    dashed = [one for one in top.lines if one.get_linestyle() == "--" and len(one.get_ydata()) == 2]
    assert [one.get_ydata()[0] for one in dashed] == [25]
    assert [label.get_text() for label in bottom.get_xticklabels()] == ["random", "100"]
    with pytest.raises(PlotError, match="search:N"):
        strength_chart({5: line[:1]})


def test_series_differ_in_color_and_in_marker() -> None:
    for parts in zip(*SERIES, strict=True):
        assert len(set(parts)) == len(SERIES)


def test_strengths_are_gathered_by_size(found: list[Summary]) -> None:
    assert by_strength(found) == {}
    runs = [Summary(found[0].run, found[0].whole, {}, {}, {})]
    searched = Config(5, policy="search:10")
    run = type(found[0].run)(**(vars(found[0].run) | {"config": searched, "id": 9}))
    gathered = by_strength([*runs, Summary(run, found[0].whole, {}, {}, {})])
    assert [one.simulations for one in gathered[5]] == [0, 10]


@pytest.mark.parametrize(("half", "text"), [(0.5, "2.00 ±0.50"), (0.05, "2.000 ±0.050"), (float("inf"), "2.00")])
def test_as_many_digits_as_the_interval_deserves(half: float, text: str) -> None:
    assert plus_minus(Estimate(2, 2 - half, 2 + half)) == text


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path, found: list[Summary]) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PlotError, match="cannot write a report"):
        check_report_folder(tmp_path / "file")
    with Store(tmp_path / "a.sqlite", create=True) as store:
        store.ask(Config(5), n=10)
        with pytest.raises(StoreError, match="nothing to report"):
            write_report(summaries(store), tmp_path / "report")


def test_exports_add_up_to_the_store(found: list[Summary], tmp_path: Path) -> None:
    export(found, tmp_path / "a.csv")
    export(found, tmp_path / "a.json")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    document = json.loads((tmp_path / "a.json").read_text())
    one = found[0]
    for start in document["runs"][0]["starts"]:
        tally = one.whole if start["first_move"] == "any" else one.openings[0] if start["first_move"] == "A1" else None
        if tally is not None:
            mine = {
                int(row["score"]): int(row["playouts"])
                for row in rows
                if (row["run"], row["first_move"]) == (str(one.run.id), start["first_move"])
            }
            assert mine == {int(score): games for score, games in start["scores"].items()}
            assert mine == {i - 25: int(games) for i, games in enumerate(tally.scores) if games}


def test_parquet_is_the_same_table(found: list[Summary], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    export(found, tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert sum(table["playouts"]) == sum(one.games for one in found)
    export(found, tmp_path / "b.parquet", table="estimates", komis=(6.5,))
    shares = parquet.read_table(tmp_path / "b.parquet").to_pydict()["win_share_6.5"]
    assert len(shares) == 7 + 4 + 1
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("name", ["a.xls", "no/folder/a.csv", "a"])
def test_an_export_path_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="cannot (export|write)"):
        check_export_path(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
