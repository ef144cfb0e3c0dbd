"""`foogo web` over its protocol: jobs, refusals, and what it does when pages go."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.protocol import State

import foogo
from foogo.analysis import analyze_game
from foogo.errors import ArgumentError, FoogoError
from foogo.study.first_move import first_move
from foogo.web.connection import MOST_CONNECTIONS
from foogo.web.server import MOST_PAGES, Server
from foogo.web.session import Session
from foogo.web.workers import Settings, WorkerPool
from tests.marks import posix, slow
from tests.playout.written_policies import captures_first
from tests.processes import children, processes
from tests.web.client import Client, game, running_server
from tests.web.conftest import POLICY
from tests.web.test_messages import mutated

SETTINGS = Settings(5, 1, ())
DEEP = "(;" * 100_000 + ")" * 100_000


def get(address: str, path: str, **headers: str) -> tuple[int, str]:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


# --- what a page gets --------------------------------------------------------------------------------------------


def test_the_page_and_its_files(address: str) -> None:
    status, page = get(address, "/?" + urlsplit(address).query)
    assert status == 200
    names = re.findall(r'(?:src|href)="/?([\w.]+)"', page)
    assert names
    for name in names:
        assert get(address, f"/{name}")[0] == 200, name
    assert "http" not in re.sub(r"http://www\.w3\.org\S*", "", page), "nothing comes from elsewhere"


def test_a_position(client: Client) -> None:
    found = client.ask("position", game=game(3, "A1 A2 pass B1", komi=0.5))
    assert found["stones"] == ".O.O....."
    assert (found["to_play"], found["captures"], found["over"]) == ("B", {"B": 0, "W": 1}, False)
    assert found["score"] == -9.5
    handicap = {"size": 9, "stones": [["B", "C3"], ["B", "G7"]], "to_play": "W", "komi": 0.5}
    assert client.ask("position", game=handicap)["komi"] == 2.5  # two stones of handicap under Chinese rules
    assert client.ask("handicap", size=9, stones=2)["vertices"] == ["C3", "G7"]


def test_a_search_streams_and_stops(client: Client) -> None:
    number = client.send("search", game=game(5, "C3"))
    replies = client.replies(number)
    first = next(replies)
    assert first["type"] == "update"
    assert len(first["ownership"]) == 25
    best = first["moves"][0]
    assert best["variation"][0] == best["move"]
    assert 0 <= best["low"] <= best["win_share"] <= 1
    client.send("stop", job=number)
    assert list(replies)[-1]["type"] == "result"
    limited = client.ask("search", game=game(5), simulations=300, moves=2)
    assert len(limited["moves"]) == 2


def test_a_game_against_foogo_to_the_end(client: Client) -> None:
    moves: list[str] = []
    for _ in range(200):
        answer = client.ask("genmove", game=game(5, " ".join(moves)), simulations=100, resign=0)
        moves.append(answer["move"])
        if moves[-2:] == ["pass", "pass"]:
            break
    assert client.ask("position", game=game(5, " ".join(moves)))["over"]
    judged = client.ask("dead", game=game(5, " ".join(moves)))
    dead = [string[0] for string in judged["dead"]]
    assert client.ask("score", game=game(5, " ".join(moves)), dead=dead)["result"] == judged["result"]


def test_dead_stones_are_found_and_corrected(client: Client) -> None:
    played = game(5, "C1 A1 C2 pass C3 pass C4 pass C5 pass", komi=0.5)
    judged = client.ask("dead", game=played)
    assert judged["dead"] == [["A1"]]
    assert judged["result"] == "B+24.5"
    assert client.ask("score", game=played, dead=[])["score"] == pytest.approx(5 + 10 - 1 - 0.5)


def test_a_review_equals_that_of_the_library(client: Client) -> None:
    played = game(5, "C3 B3 A1", komi=7)
    number = client.send("review", game=played, simulations=200)
    replies = list(client.replies(number))
    local = foogo.Game(5, "chinese", 7)
    for vertex in ("C3", "B3", "A1"):
        local.play(vertex)
    wanted = analyze_game(local, simulations=200).as_dict()
    assert replies[-1]["positions"] == json.loads(json.dumps(wanted["positions"]))
    assert replies[-1]["swings"] == wanted["swings"]
    assert replies[-1]["total"] == 4


def test_a_review_stops_during_a_search(client: Client) -> None:
    client.ask("search", game=game(5), simulations=10)  # compiles
    number = client.send("review", game=game(5, "C3"), seconds=3600)
    time.sleep(1)
    client.send("stop", job=number)
    began = time.monotonic()
    (reply,) = client.replies(number)
    assert (reply["type"], reply["total"], reply["complete"]) == ("result", 2, False)
    assert time.monotonic() - began < 20


def test_the_laboratory_equals_first_move(client: Client) -> None:
    number = client.send("playouts", game=game(5), playouts=30_000, seed=7)
    replies = list(client.replies(number))
    document = first_move(5, 30_000, seed=7, by_point=True).as_dict()
    starts = {one["first_move"]: one for one in replies[-1]["starts"]}
    for name in ("playouts", "cut", "mean_score", "fair_komi", "win_share"):
        assert starts["any"][name] == document[name]
        for opening in document["openings"]:
            assert starts[opening["vertex"]][name] == opening[name]
    assert replies[-1]["games"] == 7 * 30_000
    assert replies[-1]["command"] == "foogo first-move --size 5 --playouts 30000 --seed 7 --by-point"


def test_the_laboratory_of_a_position_and_of_a_policy_of_ones_own(client: Client) -> None:
    shares = {"urgent": 205, "near": 77, "pattern": 0, "nakade": 0}  # those of "knowledge"
    number = client.send("playouts", game=game(3, "B2"), playouts=500, policy=shares, by_point=True)
    found = list(client.replies(number))[-1]
    printed = subprocess.run(
        [sys.executable, "-c", found["command"]], capture_output=True, text=True, check=True
    ).stdout
    means = {line.split()[0]: float(line.split()[1]) for line in printed.splitlines()}
    assert means == {one["first_move"]: one["mean_score"]["value"] for one in found["starts"]}
    board = foogo.Board(3)
    board.play("B2")
    assert means["any"] == foogo.simulate(board, 500, policy="knowledge").mean_score


def test_the_laboratory_of_a_policy_in_a_file(client: Client) -> None:
    assert client.ask("hello")["policies"] == ["uniform", "knowledge", "patterns", POLICY]
    found = client.ask("playouts", game=game(3), playouts=500, policy=POLICY)
    starts = {one["first_move"]: one for one in found["starts"]}
    assert starts["any"]["mean_score"]["value"] == foogo.simulate(3, 500, policy=captures_first).mean_score
    assert found["command"] == f"foogo first-move --size 3 --playouts 500 --seed 0 --policy {POLICY} --by-point"
    for unknown in ("best", "search:100", __file__ + ":captures_first"):
        refused = client.ask("playouts", game=game(3), playouts=500, policy=unknown)
        assert refused["type"] == "error"
        assert "policy" in refused["message"]
        assert "search:N" not in refused["message"]


def test_the_laboratory_pauses_and_goes_on(client: Client) -> None:
    number = client.send("playouts", game=game(5), playouts=10**9, by_point=False)
    replies = client.replies(number)
    next(replies)
    client.send("pause", job=number)
    paused = next(reply for reply in replies if reply.get("paused"))
    time.sleep(0.3)
    client.send("resume", job=number)
    assert next(reply["games"] for reply in replies if reply["games"] > paused["games"])
    client.send("stop", job=number)
    final = list(replies)[-1]
    assert final["starts"][0]["playouts"] == final["games"]
    assert final["starts"][0]["scores"] == foogo.simulate(5, final["games"]).scores.tolist()


def test_a_job_may_be_paused_before_it_has_begun(client: Client) -> None:
    number = client.send("playouts", game=game(5), playouts=10**9)
    client.send("pause", job=number)
    replies = client.replies(number)
    paused = next(reply for reply in replies if reply.get("paused"))
    client.send("resume", job=number)
    assert next(reply["games"] for reply in replies if reply["games"] > paused["games"])
    client.send("stop", job=number)
    assert list(replies)[-1]["type"] == "result"


def test_studies(client: Client) -> None:
    (store,) = client.ask("studies")["stores"]
    assert store["name"] == "first.sqlite"
    assert [run["games"] for run in store["runs"]][:2] == [7 * 2000, 500]
    found = client.ask("study", store=0, run=1)
    assert len(found["starts"]) == 7
    assert "first.sqlite" in found["command"]
    assert client.ask("study", store=1, run=1)["type"] == "error"
    assert client.ask("study", store=0, run=9)["type"] == "error"


def test_a_browser_leaves_out_port_80(monkeypatch: pytest.MonkeyPatch) -> None:
    from websockets.datastructures import Headers
    from websockets.http11 import Request

    class Listener:
        def getsockname(self) -> tuple[str, int]:
            return "127.0.0.1", 80

    monkeypatch.setattr("foogo.web.server._bind", lambda port: Listener())
    server = Server(Settings(9, 1, ()), 80)
    for host, status in (("127.0.0.1", 200), ("localhost:80", 200), ("evil.example", 403)):
        answer = server._check(None, Request(f"/?token={server.token}", Headers(Host=host)))  # type: ignore[arg-type]
        assert answer is not None
        assert answer.status_code == status


# --- what bad input gets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 403),
        ("/?token=wrong", {}, 403),
        ("/?token=wrong&token=", {}, 403),
        ("/socket", {}, 403),
        ("/../server.py", {}, 404),
        ("/%2e%2e/server.py", {}, 404),
        ("//etc/passwd", {}, 404),
        ("/index.html", {}, 404),
        ("/board.js", {"Host": "evil.example"}, 403),
        ("/board.js", {"Host": "127.0.0.1"}, 403),
    ],
)
def test_http_requests_that_are_refused(address: str, path: str, headers: dict[str, str], status: int) -> None:
    found, body = get(address, path, **headers)
    assert found == status
    assert body.startswith("foogo: ")


def test_an_address_that_is_none_is_refused(address: str) -> None:
    place = urlsplit(address)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
        connection.sendall(f"GET http://[::1 HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    ("line", "status", "text"),
    [
        ("POST /main.js", b"405", b"foogo: only GET and HEAD are possible\n"),
        ("GET /?token=é", b"400", b"foogo: this is not an HTTP/1.1 request for an address in ASCII\n"),
        (f"GET /{'x' * 9000}", b"414", b"foogo: the address is too long\n"),
        ("HEAD /main.js", b"200", b""),
        ("HEAD /none.js", b"404", b""),
    ],
)
def test_every_http_request_is_answered(address: str, line: str, status: bytes, text: bytes) -> None:
    place = urlsplit(address)
    request = f"{line} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {int(line[0] == 'P')}\r\n\r\n"
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
        for part in (request[:3], request[3:], "x" * (line[0] == "P")):  # the line arrives in two parts
            connection.sendall(part.encode())
            time.sleep(0.05)
        with connection.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    assert head.split()[1] == status
    assert body == text


def test_head_opens_no_websocket(address: str) -> None:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=20)
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    connection.request("HEAD", f"/socket?{place.query}", headers=headers | {"Sec-WebSocket-Key": "A" * 22 + "=="})
    assert connection.getresponse().status == 405


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"additional_headers": {"Origin": "http://a.example, http://b.example"}},
    ],
)
def test_another_origin_is_refused(address: str, change: dict[str, object]) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        Client(address, **change)


def test_a_wrong_token_is_refused(address: str) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        Client(address[:-1])


def test_the_page_itself_may_connect(address: str) -> None:
    place = urlsplit(address)
    with Client(address, origin=f"http://{place.netloc}") as client:
        assert client.ask("hello")["foogo"] == foogo.__version__


def test_errors_keep_the_connection(client: Client) -> None:
    for message in (
        b"\x00\xff",
        "{",
        "[]",
        "x" * (1 << 21),
        '{"id": 5, "type": "fly"}',
        '{"id": 5, "type": "stop", "job": 99}',
    ):
        client.connection.send(message)
        reply = client.receive()
        assert reply["type"] == "error"
        assert reply["message"]
    assert client.ask("position", game=game(5, "C3 C3"))["message"].startswith("white cannot play C3")
    assert client.ask("genmove", game=game(5, "pass pass"), simulations=10)["type"] == "result"
    assert client.ask("hello")["type"] == "result"


def test_a_job_may_be_stopped_before_it_has_begun(client: Client) -> None:
    for _ in range(20):
        number = client.send("playouts", game=game(5), playouts=10**9)
        client.send("stop", job=number)
        assert list(client.replies(number))[-1]["type"] in ("result", "error")


def test_too_many_jobs_are_refused(client: Client) -> None:
    numbers = [client.send("playouts", game=game(5), playouts=10**9) for _ in range(9)]
    refusal = next(reply for reply in client.replies(numbers[-1]))
    assert refusal["message"] == "this page has 8 jobs: stop one, or wait"
    for number in numbers[:-1]:
        client.send("stop", job=number)
    running = set(numbers[:-1])
    while running:
        reply = client.receive()
        if reply["type"] != "update":
            running.discard(reply["id"])


@pytest.mark.parametrize(
    "sgf", ["(;" * 100_000, DEEP, "\x00" * 100_000, "(;SZ[9]" + ";B[aa]" * 50_000 + ")", "(;SZ[19]KM[x])"]
)
def test_hostile_sgf_is_an_error_in_bounded_time(server: tuple[str, int], client: Client, sgf: str) -> None:
    wait_for_workers(server[1])
    began = time.monotonic()
    reply = client.ask("read_sgf", sgf=sgf)
    assert reply["type"] == "error" or reply["left_out"]
    assert time.monotonic() - began < 30


def test_fuzzed_messages(client: Client) -> None:
    fuzz(client, 2000)


@pytest.mark.slow
def test_many_fuzzed_messages(client: Client) -> None:
    fuzz(client, 100_000)


def fuzz(client: Client, count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        client.connection.send(mutated(rng))
    number = client.send("hello")
    for reply in iter(client.receive, None):
        assert "Traceback" not in json.dumps(reply)
        assert "internal error" not in reply.get("message", "")
        if reply["id"] == number and reply["type"] == "result" and "foogo" in reply:
            break


def page_with_room(address: str) -> Client:
    """A new page, as soon as those of other tests have gone."""
    for _ in range(200):
        try:
            return Client(address)
        except InvalidStatus:
            time.sleep(0.1)
    raise AssertionError("pages that have gone make no room")


def test_pages_beyond_the_most_are_refused(address: str) -> None:
    clients = [page_with_room(address) for _ in range(MOST_PAGES)]
    try:
        with pytest.raises(InvalidStatus, match="503"):
            Client(address)
        assert clients[0].ask("hello")["type"] == "result"
    finally:
        for client in clients:
            client.close()
    page_with_room(address).close()


def test_connections_beyond_the_most_are_refused(address: str) -> None:
    place = urlsplit(address)
    where = place.hostname or "", place.port or 0
    idle = [socket.create_connection(where, timeout=20) for _ in range(MOST_CONNECTIONS)]
    try:
        with socket.create_connection(where, timeout=20) as refused:
            refused.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert refused.recv(100).startswith(b"HTTP/1.1 503 ")
    finally:
        for connection in idle:
            connection.close()
    page_with_room(address).close()


# --- the process -------------------------------------------------------------------------------------------------


def cpu_seconds(pids: list[int]) -> float:
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_a_taken_port_jobs_that_stop_with_their_page_and_ctrl_c() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running_server("--port", str(port), "--size", "5", "--threads", "1") as (address, process):
            assert urlsplit(address).port in range(port + 1, port + 50)
            errors = jobs_stop_and_ctrl_c_ends_all(address, process)
            assert f"port {port} is taken" in errors
            assert "Traceback" not in errors


def jobs_stop_and_ctrl_c_ends_all(address: str, process: subprocess.Popen[str]) -> str:
    """What the server printed to stderr."""
    client = Client(address)
    number = client.send("playouts", game=game(5), playouts=10**9)
    next(client.replies(number))
    workers = children(process.pid)
    assert workers
    client.close()
    wait_for_workers(process.pid)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 0
    for _ in range(200):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            return errors
        time.sleep(0.05)
    raise AssertionError("a worker outlived the server")


def test_a_job_whose_worker_cannot_start_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.web.workers.Worker.start", failing(errno.EAGAIN))
    with pytest.raises(FoogoError, match="no worker process can be started: "):
        asyncio.run(WorkerPool(SETTINGS).warm())
    assert asyncio.run(replies_to('{"id": 1, "type": "studies"}')) == [
        {
            "id": 1,
            "type": "error",
            "message": f"no worker process can be started: {os.strerror(errno.EAGAIN)}; try again",
        }
    ]


def test_a_failure_of_a_job_is_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("foogo.web.workers.Worker.start", failing("unforeseen"))
    (reply,) = asyncio.run(replies_to('{"id": 1, "type": "studies"}'))
    assert (reply["id"], reply["type"]) == (1, "error")
    assert reply["message"].startswith("internal error")
    assert "RuntimeError: unforeseen" in capsys.readouterr().err


async def replies_to(message: str) -> list[dict[str, Any]]:
    """What a page is sent after a message, until its jobs have ended."""

    class Connection:
        state = State.OPEN
        sent = list[dict[str, Any]]()

        async def __aiter__(self) -> AsyncIterator[str]:
            yield message
            for _ in range(100):
                await asyncio.sleep(0)

        async def send(self, text: str) -> None:
            self.sent.append(json.loads(text))

    await Session(connection := Connection(), WorkerPool(SETTINGS), SETTINGS).run()  # type: ignore[arg-type]
    return connection.sent


def failing(error: int | str) -> Callable[..., Any]:
    """A function that fails to start a worker."""

    async def start(settings: Settings) -> None:
        raise OSError(error, os.strerror(error)) if isinstance(error, int) else RuntimeError(error)

    return start


def test_connections_that_cannot_be_accepted_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail() -> None:
        server = Server(SETTINGS, 0)
        monkeypatch.setattr(server.pool, "warm", lambda: asyncio.sleep(0))
        loop = asyncio.get_running_loop()
        await server.start()
        for _ in range(100):
            error = OSError(errno.EMFILE, "Too many open files")
            loop.call_exception_handler({"message": "accept", "exception": error, "socket": None})
        await server.close()

    asyncio.run(fail())
    assert capsys.readouterr().err == "foogo: a connection cannot be accepted: Too many open files\n"


@posix
def test_a_port_without_permission_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def bind(self: socket.socket, address: tuple[str, int]) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("foogo.web.server.socket.socket.bind", bind, raising=False)
    with pytest.raises(ArgumentError, match="no permission to listen on port 80: choose a --port of 1024 or above"):
        Server(SETTINGS, 80)


@posix
def test_a_killed_worker_is_replaced(server: tuple[str, int], client: Client) -> None:
    number = client.send("playouts", game=game(5), playouts=10**9)
    next(client.replies(number))
    for worker in children(server[1]):
        os.kill(worker, signal.SIGKILL)
    assert list(client.replies(number))[-1]["message"] == "the worker process ended: try again"
    replies = (client.ask("genmove", game=game(5), simulations=50)["type"] for _ in range(9))
    assert "result" in replies  # after at most one error for every other worker that was killed


def test_without_the_extra_one_line_names_it(tmp_path: Path) -> None:
    (tmp_path / "websockets.py").write_text("raise ImportError")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    result = subprocess.run(
        [sys.executable, "-m", "foogo", "web", "--no-browser"], capture_output=True, text=True, env=environment
    )
    assert result.returncode == 2
    assert result.stderr == "foogo: error: foogo web needs the extra 'web': pip install 'foogo[web]'\n"


def test_a_book_that_cannot_be_used_is_named_at_the_start(tmp_path: Path) -> None:
    with running_server("--book", str(tmp_path / "missing.book")) as (_, process):
        assert process.stderr is not None
        assert "missing.book cannot be read as a book" in process.stderr.readline()


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
@pytest.mark.parametrize("seconds", [10, slow(600)])
def test_memory_stays_flat(server: tuple[str, int], client: Client, seconds: int) -> None:
    for _ in range(5):  # in each idle worker
        use_everything(client, 20)
    wait_for_workers(server[1])
    before = resident_bytes(server[1])
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        use_everything(client, 20)
    wait_for_workers(server[1])
    assert resident_bytes(server[1]) < before + (min(seconds, 60) << 20)


@pytest.mark.slow
def test_a_thousand_connections(server: tuple[str, int]) -> None:
    before, refused = resident_bytes(server[1]), 0
    clients = [page_with_room(server[0])]
    for _ in range(1000):
        try:
            clients.append(Client(server[0]))
        except InvalidStatus as refusal:
            refused += refusal.response.status_code == 503
    assert clients[0].ask("hello")["type"] == "result"
    assert len(clients) + refused == 1001
    assert len(clients) <= MOST_PAGES
    for client in clients:
        client.close()
    assert resident_bytes(server[1]) < before + (30 << 20)


def wait_for_workers(server: int) -> None:
    """Wait until all workers are idle: those that were just started, and those whose jobs stop."""
    for _ in range(600):
        before = cpu_seconds(children(server))
        time.sleep(0.5)
        if cpu_seconds(children(server)) - before < 0.05:
            return
    raise AssertionError("the workers do not become idle")


def use_everything(client: Client, simulations: int) -> None:
    played = game(5, "C3 B3 C4 B4")
    for kind, fields in (
        ("position", {}), ("search", {"simulations": simulations}), ("genmove", {"simulations": simulations}),
        ("dead", {}), ("review", {"simulations": simulations}), ("playouts", {"playouts": 1000}), ("write_sgf", {}),
    ):  # fmt: skip
        assert client.ask(kind, game=played, **fields)["type"] == "result"
    assert client.ask("read_sgf", sgf="(;SZ[5];B[cc])")["type"] == "result"


def resident_bytes(server: int) -> int:
    """Memory of the server and its workers."""
    return sum(one.resident for one in processes() if server in (one.pid, one.parent))
