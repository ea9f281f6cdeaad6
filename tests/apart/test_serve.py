"""`daybook serve`: what it refuses to start over, what it prints, how it runs and ends."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from daybook.app.conversations.terminal import Terminal as AppTerminal
from daybook.app.server.dev_server import prepare
from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, DatabaseUnavailable
from daybook.state.session import Person
from tests.apart.servers import PROJECT
from tests.apart.terminal import PATIENCE, Terminal
from tests.dev_server import environment, free_port


async def test_what_would_fail_is_said_before_anything_is_started(
    terminal: Terminal, capsys: pytest.CaptureFixture[str]
):
    settings, shown = settings_from(terminal.environment), AppTerminal()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"Port {port} of 127.0.0.1 .* in use"):
            await prepare(settings, shown, "127.0.0.1", port)
    with pytest.raises(ConfigurationError, match=r"no token exists.*daybook token USER"):
        await prepare(settings, shown, "0.0.0.0", port)
    with pytest.raises(ConfigurationError, match="IPv4"):
        await prepare(settings, shown, "::1", port)
    away = settings_from(
        {**terminal.environment, "DATABASE_URL": f"postgresql://127.0.0.1:{port}/x"}
    )
    with pytest.raises(DatabaseUnavailable, match="Start the server"):
        await prepare(away, shown, "127.0.0.1", port)
    assert capsys.readouterr().out == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the project's langgraph.json; the server keeps files beside it."""
    (tmp_path / "langgraph.json").write_text(PROJECT.read_text())
    return tmp_path


@pytest.fixture
def made(terminal: Terminal, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """Run it as `make serve` does; yield the process of make, the URL and what is printed."""
    port, log = free_port(), folder / "log"
    (folder / "Makefile").write_text(
        f"serve:\n\t@{sys.executable} -m daybook.app serve --port {port}\n"
    )
    with log.open("wb") as out:
        make = subprocess.Popen(
            ["make", "serve"],
            cwd=folder,
            env={**terminal.environment, **environment("http://127.0.0.1:1")}
            | {"PYTHONPATH": f"{PROJECT.parent / 'src'}:{PROJECT.parent}", "LOG_LEVEL": "INFO"},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
        try:
            yield make, f"http://127.0.0.1:{port}", log
        finally:
            if make.poll() is None:
                os.killpg(make.pid, signal.SIGKILL)
                make.wait(PATIENCE)


async def test_it_serves_this_machine_until_the_first_token_and_ends_by_ctrl_c(
    made: tuple[subprocess.Popen[bytes], str, Path], postgres: Postgres
):
    make, url, log = made
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as http:
        await serving(http, make)
        said = log.read_text()
        for address in (url, f"{url}/console", f"studio/?baseUrl={url}", f"{url}/docs"):
            assert address in said
        for address in (f"{url}/console", f"{url}/docs"):
            assert (await http.get(address, follow_redirects=True)).status_code == 200
        assert "Authentication is disabled" in said

        async def status(**headers: str) -> int:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return (await http.post("/threads/search", json={}, headers=named)).status_code

        assert await status() == 200
        assert await status(x_api_key="lsv2_pt_of_another_service") == 200
        assert await status(origin="https://smith.langchain.com") == 200
        assert await status(host="evil.example") == 401
        assert await status(origin="https://evil.example") == 401
        assert await status(x_forwarded_for="127.0.0.1") == 401
        assert "Authentication is disabled" in log.read_text()

        async with open_token_office(postgres) as office:
            token = (await office.make(Person("ada"), timedelta(days=1))).text
        signed_in = {"authorization": f"Bearer {token}"}
        assert await status() == 401
        assert await status(**signed_in) == 200
        assert token.split("_", 2)[2] not in log.read_text()

        thread_id = (await http.post("/threads", json={}, headers=signed_in)).json()["thread_id"]
        # With a client that listens for ever, as web pages do.
        listens = http.stream("GET", f"/threads/{thread_id}/stream", headers=signed_in)
        async with listens as stream:
            assert stream.status_code == 200
            # As a terminal does: to everybody who runs in it.
            os.killpg(make.pid, signal.SIGINT)
            await asyncio.to_thread(make.wait, PATIENCE)
    with pytest.raises(ProcessLookupError):
        os.killpg(make.pid, 0)
    kept = [*(log.parent / ".langgraph_api").iterdir()]
    assert [file.name for file in kept if file.stat().st_mode & 0o077] == []
    assert kept != []
    assert "Traceback" not in log.read_text()
    socket.create_server(("127.0.0.1", int(url.rpartition(":")[2]))).close()


async def serving(http: httpx.AsyncClient, make: subprocess.Popen[bytes]) -> None:
    """Wait until the server is up."""
    async with SYSTEM.timeout(PATIENCE):
        while True:
            assert make.poll() is None, "the server has ended"
            with suppress(httpx.TransportError):
                if (await http.get("/ok")).is_success:
                    return
            await SYSTEM.sleep(0.1)
