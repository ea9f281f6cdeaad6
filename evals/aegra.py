"""Hold a purchase through Aegra, with langgraph_sdk: `make aegra`.

Aegra runs in an environment of its own, because it pins other versions of what the development
server needs too. The judge is what the shop says that happened.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from langgraph_sdk import get_client
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import open_postgres
from daybook.graph.shop.resources import keep_shop
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP

_HOME = Path(__file__).parents[1]
_PATIENCE = 60.0
_CARD = "4111 1111 1111 1111"
_WANTED = ["reserve", "charge", "order", "mail"]


def main() -> None:
    """Start everything, buy a pair of boots, and judge it.

    The first argument is the Python of the environment that has aegra-api.
    """
    [python] = sys.argv[1:]
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-aegra-")))
        postgres = stack.enter_context(embedded_postgres(home))
        shop = keep_shop(home)
        stack.callback(shop.close)
        shop_url, smtp_url = shop.answer
        extensions = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-ext-")))
        with psycopg.connect(postgres.url, autocommit=True) as conn:
            _offer_uuids(conn, extensions)
            conn.execute("create database aegra")
        token, watcher = asyncio.run(_tokens(postgres.url))
        port = _free_port()
        aegra_url = _url(make_conninfo(postgres.url, dbname="aegra"))
        environment = {
            **os.environ,
            "PYTHONPATH": f"{_HOME / 'src'}{os.pathsep}{_HOME}",
            "AEGRA_CONFIG": str(_HOME / "aegra.json"),
            "DATABASE_URL": aegra_url,
            "DAYBOOK_DATABASE_URL": postgres.url,
            "SHOP_URL": shop_url,
            "SMTP_URL": smtp_url,
            "AUTH_TYPE": "custom",
        }
        with (home / "aegra.log").open("w") as log:
            command = [python, "-m", "uvicorn", "aegra_api.main:app", "--port", str(port)]
            server = subprocess.Popen(command, cwd=_HOME, env=environment, stdout=log, stderr=log)
        stack.callback(_end, server)
        try:
            asyncio.run(
                _trial(f"http://127.0.0.1:{port}", token, watcher, shop_url, aegra_url, server)
            )
        except BaseException:
            print((home / "aegra.log").read_text()[-6000:], file=sys.stderr)
            raise


def _offer_uuids(conn: psycopg.Connection[Any], folder: Path) -> None:
    """Give the embedded server an extension uuid-ossp, of which Aegra uses one function.

    A server of one's own has it among Postgres' contributed modules; the wheel leaves them out.
    """
    extension = folder / "extension"
    extension.mkdir()
    folder.chmod(0o755)
    extension.chmod(0o755)
    control = "default_version = '1.1'\nrelocatable = true\n"
    (extension / "uuid-ossp.control").write_text(control)
    (extension / "uuid-ossp--1.1.sql").write_text(
        "create function uuid_generate_v4() returns uuid language sql as 'select gen_random_uuid()'"
    )
    path = sql.Literal(f"$system:{folder}")
    conn.execute(sql.SQL("alter system set extension_control_path = {}").format(path))
    conn.execute("select pg_reload_conf()")


async def _tokens(url: str) -> tuple[str, str]:
    """Make a token for a customer and one for an operator."""
    async with (
        open_postgres(url, tenant_id="default", stored_types=SHOP.restored_types) as postgres,
        open_token_office(postgres) as office,
    ):
        ada = await office.make(Person("ada"), timedelta(hours=1))
        prometheus = await office.make(Person("prometheus", "operator"), timedelta(hours=1))
        return ada.text, prometheus.text


async def _trial(
    url: str,
    token: str,
    watcher: str,
    shop_url: str,
    aegra_url: str,
    server: subprocess.Popen[bytes],
) -> None:
    await _up(url, server)
    async with httpx.AsyncClient(base_url=url) as stranger:
        refused = await stranger.post("/threads", json={})
    _say("without a token", refused.status_code == 401, f"HTTP {refused.status_code}")
    client = get_client(url=url, headers=_bearer(token))
    thread = (await client.threads.create())["thread_id"]

    async def run(**how: Any) -> dict[str, Any]:
        values = await client.runs.wait(thread, "shop", **how)
        assert isinstance(values, dict)
        return values

    async def say(text: str) -> dict[str, Any]:
        return await run(input={"messages": [{"role": "user", "content": text}]})

    await say(f"my card is {_CARD}")
    await say("add BOOT-001")
    await say("check out")
    state = await client.threads.get_state(thread)
    asked = [one for task in state["tasks"] for one in task.get("interrupts", ())]
    _say("the plan is asked about", len(asked) == 1, f"{len(asked)} interrupt")
    _say("nothing happened yet", await _happened(shop_url) == [], "GET /effects is empty")
    done = await run(command={"resume": {"decisions": [{"type": "approve"}]}})
    _say("the order is told", "order DB-" in str(done["messages"][-1]["content"]), "order DB-...")
    happened = await _happened(shop_url)
    _say("each effect happened once", happened == _WANTED, " ".join(happened))
    kept = _tables_with(aegra_url, _CARD)
    _say("no table of Aegra's has the card number", kept == [], f"{len(kept)} of them")
    async with httpx.AsyncClient(base_url=url) as http:
        told = [await http.get("/metrics", headers=_bearer(one)) for one in (token, watcher)]
    _say(
        "metrics are for operators", [one.status_code for one in told] == [403, 200], "403 and 200"
    )
    _say("they count it", 'daybook_threads{status="idle"} 1.0' in told[1].text, "one thread")


def _tables_with(url: str, text: str) -> list[str]:
    with psycopg.connect(url) as conn:
        found = conn.execute("select tablename from pg_tables where schemaname = 'public'")
        return [table for (table,) in found.fetchall() if _holds(conn, table, text)]


def _holds(conn: psycopg.Connection[Any], table: str, text: str) -> bool:
    query = sql.SQL("select exists (select from {} t where t::text like %s)")
    row = conn.execute(query.format(sql.Identifier(table)), (f"%{text}%",)).fetchone()
    return bool(row and row[0])


async def _up(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = SYSTEM.monotonic() + _PATIENCE
    async with httpx.AsyncClient() as http:
        while SYSTEM.monotonic() < deadline:
            if server.poll() is not None:
                raise RuntimeError("Aegra did not start.")
            try:
                if (await http.get(f"{url}/health")).status_code == 200:
                    return
            except httpx.TransportError:
                await SYSTEM.sleep(0.2)
    raise RuntimeError("Aegra did not answer.")


async def _happened(shop_url: str) -> list[str]:
    async with httpx.AsyncClient() as http:
        found = (await http.get(f"{shop_url}/effects")).raise_for_status().json()
    return [effect["effect"] for effect in found]


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _say(what: str, holds: bool, seen: str) -> None:
    print(f"{'ok' if holds else 'NO'}  {what}: {seen}")
    if not holds:
        raise RuntimeError(f"not as it should be: {what}")


def _url(conninfo: str) -> str:
    """Write connection parameters as a URL, which SQLAlchemy reads; the server is on a socket."""
    parts = conninfo_to_dict(conninfo)
    # Its migrations cannot read a URL with a percent sign.
    place = f"host={parts['host']}&port={parts['port']}"
    return f"postgresql://{parts['user']}@/{parts['dbname']}?{place}"


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
