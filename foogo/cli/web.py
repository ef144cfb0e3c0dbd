"""`foogo web`: a board in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foogo.cli.book_option import BookOption
from foogo.cli.console import say
from foogo.web import PORT


def web(
    port: Annotated[int, typer.Option(help="Port; the next free one if it is taken.")] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    size: Annotated[int, typer.Option(help="Points on a side of the first board, 2 to 19.")] = 9,
    threads: Annotated[
        int | None, typer.Option(help="Threads of each search and of each run of playouts. [default: all cores]")
    ] = None,
    book: BookOption = "none",
    store: Annotated[
        list[Path] | None, typer.Option(help="A study store to browse, read only; may be repeated.")
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(help="A playout policy of yours, FILE.py:NAME, which executes the file; may be repeated."),
    ] = None,
) -> None:
    """A board in the browser: play, analyze, and watch the value of the first move converge. Ctrl-C ends it."""
    from foogo.arguments import whole
    from foogo.errors import ArgumentError
    from foogo.game.geometry import check_size
    from foogo.playout.written.policy import load_policy
    from foogo.study.store.store import Store

    try:
        import websockets  # noqa: F401
    except ImportError:
        raise ArgumentError("foogo web needs the extra 'web': pip install 'foogo[web]'") from None
    import asyncio
    import webbrowser
    from threading import Thread

    from foogo.book.book import book_named
    from foogo.web.server import Server, run
    from foogo.web.workers import Settings

    whole("--port", port, 0, 65535)
    if threads is not None:
        whole("--threads", threads, 1, 1024)
    for path in store or ():
        Store(path).close()
    for written in policy or ():
        load_policy(written)
    book_named(book)  # says now if the file cannot be used
    stores = tuple(str(path.resolve()) for path in store or ())
    settings = Settings(check_size(size), threads, stores, tuple(policy or ()), book)
    server = Server(settings, port)
    if port not in (0, server.port):
        say(f"port {port} is taken: {server.port} is used")

    def ready() -> None:
        print(f"foogo web: {server.address}", flush=True)
        say("Ctrl-C ends it")
        if browser:
            Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()  # it may block

    asyncio.run(run(server, ready))
