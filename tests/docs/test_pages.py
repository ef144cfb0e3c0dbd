"""The pages of docs/ and the README: their Python runs, their links lead somewhere, and so do mentions of them."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pytest

import foogo

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "docs").rglob("*.md"))}
RECORDS = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "bench" / "results").glob("*.md"))}
SOURCES = [path for folder in ("foogo", "tests", "bench") for path in (ROOT / folder).rglob("*.py")]
SOURCES += ROOT.glob("*.md")

GENERATED = ROOT / "docs" / "reference" / "cli.md"
"""The page whose headings the site makes; `mkdocs build --strict` checks the anchors of links to it."""

PYTHON = re.compile(r"^```python(?P<title> title=.*)?\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block of Python. One with a title is a program for another machine, such as a cluster: it is compiled, not run."""

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")
"""A link to a file, and its anchor."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as forges and mkdocs write them."""
    headings = re.findall(r"^#+ (.*)$", read(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


with_python = [name for name, path in PAGES.items() if PYTHON.search(read(path))]


@pytest.mark.parametrize("name", with_python)
def test_the_python_of_a_page_runs(name: str) -> None:
    text = read(PAGES[name])
    names: dict[str, object] = {"__name__": "page"}
    for block in PYTHON.finditer(text):
        line, code = text[: block.start()].count("\n") + 1, block["code"]
        if ">>>" in code:
            examples = doctest.DocTestParser().get_doctest(code, names, name, name, line)
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            report: list[str] = []
            runner.run(examples, out=report.append, clear_globs=False)
            assert not runner.failures, "".join(report)
            names |= examples.globs
        else:
            program = compile("\n" * line + code, name, "exec")
            if not block["title"]:
                exec(program, names)


@pytest.mark.parametrize("name", ["README.md", *PAGES, *RECORDS])
def test_the_links_of_a_page_lead_somewhere(name: str) -> None:
    path = ROOT / name
    links = [((path.parent / (file or path.name)).resolve(), anchor) for file, anchor in LINK.findall(read(path))]
    assert [file for file, _ in links if not file.exists()] == []
    anchored = [(file, anchor) for file, anchor in links if anchor and file != GENERATED]
    assert [(file, anchor) for file, anchor in anchored if anchor not in anchors(file)] == []


@pytest.mark.parametrize("name", ["search", "solve"])
def test_long_explanations_stay_short(name: str) -> None:
    assert len(read(PAGES[f"docs/explanation/{name}.md"]).split()) < 2000


def test_every_page_that_the_sources_mention_exists() -> None:
    mentioned = {
        (page, str(source.relative_to(ROOT)))
        for source in SOURCES
        for page in re.findall(r"\bdocs/[\w/-]+\.md", read(source))
    }
    assert mentioned
    assert [(page, source) for page, source in sorted(mentioned) if not (ROOT / page).exists()] == []


def test_the_reference_has_every_public_name() -> None:
    text = "".join(read(path) for name, path in PAGES.items() if name.startswith("docs/reference/api/"))
    there = set(re.findall(r"^::: foogo\.(\w+)$", text, re.MULTILINE))
    assert set(foogo.__all__) - there == {"BLACK", "EMPTY", "PASS", "WHITE", "__version__"}


@pytest.mark.parametrize("game", ["bridge", "deal", "poker", "rummy"])
def test_the_page_of_a_game_has_its_public_names(game: str) -> None:
    there = set(re.findall(rf"^::: foogo\.cards\.{game}\.(\w+)$", read(PAGES[f"docs/cards/{game}.md"]), re.MULTILINE))
    assert set(import_module(f"foogo.cards.{game}").__all__) == there


def test_every_picture_is_used() -> None:
    text = "".join(read(ROOT / name) for name in ["README.md", *PAGES, *RECORDS])
    pictures = {path.name for path in (ROOT / "docs" / "images").iterdir() if path.suffix in (".png", ".svg")}
    assert {picture for picture in pictures if f"images/{picture})" not in text} == set()


def test_the_site_links_the_pages_that_docstrings_name() -> None:
    loaded = spec_from_file_location("site_hooks", ROOT / "docs" / "site_hooks.py")
    assert loaded is not None
    assert loaded.loader is not None
    hooks = module_from_spec(loaded)
    loaded.loader.exec_module(hooks)
    file = SimpleNamespace(page=SimpleNamespace(title="GTP"), url_relative_to=lambda page: f"../../{page}")
    files = SimpleNamespace(get_file_from_path={"reference/gtp.md": file}.get)
    text = '<p>docs/reference/gtp.md lists them, docs/index.md not. <a href="https://x/docs/reference/gtp.md">x</a></p>'
    html = hooks.on_page_content(text, page=SimpleNamespace(file="here"), files=files)
    assert html == text.replace("<p>docs/reference/gtp.md", '<p><a href="../../here">GTP</a>')
