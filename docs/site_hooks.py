"""Hooks of the site: links that leave docs/ lead to the repository, and the command-line page lists every option.

A page links to a file outside docs/ by its relative path, so that the link also works in a checkout. Docstrings and
help texts name a page by its path in the checkout, which the site turns into a link.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

COMMANDS = "<!-- commands -->"
"""Where the page of the command line has its list."""

LINK = re.compile(r"\]\(((?:\.\./)+[^)#]*)")
"""A Markdown link that goes up at least one folder, without its anchor."""

MENTION = re.compile(r"(?<![\w/])docs/([\w/-]+\.md)")
"""The path of a page, as docstrings and help texts name it."""


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """The page with its links into the repository resolved, and with the commands if it has a place for them."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def resolve(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        kind = "tree" if link[1].endswith("/") else "blob"
        return link[0] if path.startswith("docs/") else f"]({config.repo_url}/{kind}/main/{path}"

    markdown = LINK.sub(resolve, markdown)
    return markdown.replace(COMMANDS, "\n".join(commands())) if COMMANDS in markdown else markdown


def on_page_content(html: str, page: Page, files: Files, **_: Any) -> str:
    """The page with the paths of other pages turned into links."""

    def link(mention: re.Match[str]) -> str:
        file = files.get_file_from_path(mention[1])
        if file is None or file.page is None:
            return mention[0]
        return f'<a href="{file.url_relative_to(page.file)}">{file.page.title}</a>'

    return MENTION.sub(link, html)


def commands() -> list[str]:
    """The lines of the command-line page: a section for each command, with a table of what it takes."""
    import typer

    from foogo.cli import app

    return _command("foogo", typer.main.get_command(app))


def _command(name: str, command: Any) -> list[str]:
    """The section of a command, or those of its subcommands."""
    subcommands = getattr(command, "commands", {})
    lines = [f"## `{name}`", "", command.help or "", ""]
    if not subcommands:
        lines += ["| option | default | what it does |", "|---|---|---|", *map(_row, command.params), ""]
    for key, value in subcommands.items():
        lines += _command(f"{name} {key}", value)
    return lines


def _row(parameter: Any) -> str:
    """The row of an option or an argument."""
    is_option = parameter.param_type_name == "option"
    names = parameter.opts + parameter.secondary_opts if is_option else [parameter.metavar or parameter.name.upper()]
    default = "" if str(parameter.default) in ("None", "False", "") else f"`{parameter.default}`"
    return f"| {', '.join(f'`{name}`' for name in names)} | {default} | {parameter.help} |"
