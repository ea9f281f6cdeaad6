"""The API in several processes: people buy once, whoever dies, and nobody reads what is not theirs."""

import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError
from psycopg import sql

from daybook.checkpoints.postgres import Postgres
from daybook.graph.merchants.resources import EVENTS_PATH
from daybook.state.clock import SYSTEM
from tests.apart.forgery.test_doors import DEEP, SIGNS, forged_in
from tests.apart.servers import places, tokens_of
from tests.conftest import Shop
from tests.dev_server import DevServer, free_port
from tests.merchants.conftest import WALLET
from tests.merchants.own import CARD as SHOP_CARD
from tests.production_server import PYTHON, production_server
from tests.purchases import PATIENCE, PURCHASE, hurry, met, until

pytestmark = pytest.mark.skipif(not PYTHON, reason="`make production` names its environment")

CARD = "4111 1111 1111 1111"
APPROVE = {"resume": {"decisions": [{"type": "approve"}]}}
PROCESSES = 2


@pytest.fixture
async def server(postgres_url: str, shop: Shop) -> AsyncIterator[DevServer]:
    async with production_server(places(postgres_url, shop), PROCESSES) as served:
        yield served


@pytest.fixture
async def tokens(postgres: Postgres) -> dict[str, str]:
    """Make a token for each of these."""
    people = {"ada": "customer", "ben": "customer", "cleo": "clerk", "prometheus": "operator"}
    return await tokens_of(postgres, people)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
async def people(
    server: DevServer, tokens: dict[str, str]
) -> AsyncIterator[dict[str, LangGraphClient]]:
    """Yield a client of each of them."""
    async with AsyncExitStack() as stack:
        yield {
            user: await stack.enter_async_context(get_client(url=server.url, headers=bearer(token)))
            for user, token in tokens.items()
        }


async def asked(client: LangGraphClient, *before: str) -> str:
    """Come to the question about a purchase; return the thread."""
    thread = str((await client.threads.create())["thread_id"])
    for words in (*before, "add BOOT-013", "check out"):
        said = {"messages": [{"role": "user", "content": words}]}
        await client.runs.wait(thread, "shop", input=said)
    return thread


async def test_who_may_what_is_as_on_a_server_of_one_process(
    server: DevServer,
    tokens: dict[str, str],
    people: dict[str, LangGraphClient],
    shop: Shop,
    postgres_url: str,
):
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as http:
        stranger = await http.post("/threads", json={})
        assert (stranger.status_code, "daybook token" in stranger.text) == (401, True)
        assert (await http.post("/runs/wait", json={})).status_code == 422
        told = [(await http.get("/metrics", headers=bearer(tokens[it]))) for it in ("ada", "ben")]
        assert [one.status_code for one in told] == [403, 403]
        seen = await http.get("/metrics", headers=bearer(tokens["prometheus"]))
        assert "daybook_threads" in seen.text
        page = await http.get("/console/", follow_redirects=True)
        assert page.status_code == 200
        assert "Sign in" in page.text
    ada, ben, cleo = (people[one] for one in ("ada", "ben", "cleo"))
    thread = await asked(ada, f"my card is {CARD}")
    with pytest.raises(APIStatusError):
        await ben.threads.get_state(thread)
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        await ben.runs.wait(thread, "shop", command=APPROVE)
    with pytest.raises(APIStatusError):
        await ada.threads.update_state(thread, {"flow": "ordered"})
    state: Any = await cleo.threads.get_state(thread)
    assert [one["value"]["action_requests"][0]["name"] for one in state["interrupts"]]
    assert shop.happened() == []
    values: Any = await ada.runs.wait(thread, "shop", command=APPROVE)
    assert "order DB-" in str(values["messages"][-1]["content"])
    assert shop.happened() == PURCHASE
    assert held_by_tables(postgres_url, CARD) == []


async def test_a_stranger_writes_no_line_into_the_log_and_no_body_is_read_without_end(
    server: DevServer, tokens: dict[str, str]
):
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as http:
        for sign in SIGNS:
            for headers in ({}, bearer(tokens["ada"])):
                for place in ("/", "/threads/", "/console/"):
                    # The client would quote it anew in a path that is given apart.
                    url = f"{server.url}{place}x{sign}FORGED"
                    assert (await http.get(url, headers=headers)).status_code < 500, url
        for body in DEEP:
            headers = {"content-type": "application/json", **bearer(tokens["ada"])}
            for path in ("/threads", "/threads/search", "/store/items/search"):
                answer = await http.post(path, content=body, headers=headers)
                assert 400 <= answer.status_code < 500, path
    log = (server.folder / "log").read_text(errors="replace")
    assert forged_in(log) == set()
    assert "Recursion" not in log


async def test_when_the_process_at_work_is_killed_another_one_goes_on(
    people: dict[str, LangGraphClient], shop: Shop, postgres_url: str
):
    ada = people["ada"]
    thread = await asked(ada)
    shop.fault("charges", "slow", seconds=60)
    run = await ada.runs.create(thread, "shop", command=APPROVE)
    await met(shop)
    os.kill(at_work(postgres_url, run["run_id"]), signal.SIGKILL)
    await goes_on(ada, thread, run["run_id"], shop)


async def test_merchants_are_bought_from_and_their_events_come_in(
    postgres_url: str, shop: Shop, tmp_path: Path
):
    wallet = tmp_path / "wallet.json"
    wallet.write_text(json.dumps({"*": {**WALLET["*"], "instruments": [SHOP_CARD]}}))
    public = f"http://127.0.0.1:{(port := free_port())}"
    variables = {
        "DATABASE_URL": postgres_url,
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        "DAYBOOK_MERCHANTS": shop.url,
        "DAYBOOK_WALLET": str(wallet),
        "DAYBOOK_PUBLIC_URL": public,
    }
    shop.http.put("/admin/settings", json={"profiles": "checked"}).raise_for_status()
    async with production_server(variables, PROCESSES, port) as server:
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as http:
            profile = (await http.get("/ucp/profile.json")).json()
            assert EVENTS_PATH in json.dumps(profile)
        async with get_client(url=server.url) as ada:
            thread = str((await ada.threads.create())["thread_id"])
            who = {"user_id": "ada"}
            for words in ("show me hiking boots", "add number 1", "check out"):
                said = {"messages": [{"role": "user", "content": words}]}
                await ada.runs.wait(thread, "merchants", input=said, context=who)
            values: Any = await ada.runs.wait(thread, "merchants", command=APPROVE, context=who)
            assert shop.happened() == ["reserve", "charge", "order"]
            [order] = values["orders"]
            shipments = f"/admin/ucp/orders/{order['order_id']}/shipments"
            shop.http.post(shipments, json={"type": "shipped"}).raise_for_status()
            async with SYSTEM.timeout(PATIENCE):
                while not await told(ada, thread):
                    await SYSTEM.sleep(0.1)


async def test_a_process_opens_at_most_twelve_connections(
    people: dict[str, LangGraphClient], shop: Shop, postgres_url: str
):
    ada = people["ada"]
    threads = [await ada.threads.create() for _ in range(8)]
    said = {"messages": [{"role": "user", "content": "show my cart"}]}
    for thread in threads:
        await ada.runs.create(thread["thread_id"], "shop", input=said)
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    with psycopg.connect(postgres_url) as conn:
        row = conn.execute(
            "select count(*) from pg_stat_activity where datname = %s"
            " and backend_type = 'client backend' and pid <> pg_backend_pid()",
            (name,),
        ).fetchone()
    # The test itself holds some of them.
    assert row is not None
    assert row[0] <= 12 * (PROCESSES + 1)


async def goes_on(client: LangGraphClient, thread: str, run: str, shop: Shop) -> None:
    """See another process end the purchase of one that was killed in its charge."""
    hurry(shop)
    await until(lambda: shop.happened() == PURCHASE, "another process has gone on")
    await client.runs.join(thread, run)
    values: Any = await client.threads.get_state(thread)
    assert values["values"]["flow"] == "ordered"
    assert shop.happened() == PURCHASE


async def told(client: LangGraphClient, thread: str) -> list[str]:
    """Return what the merchant told of a thread's one order by itself."""
    state: Any = await client.threads.get_state(thread)
    [order] = state["values"]["orders"]
    return [*order["told"]]


def at_work(url: str, run: str) -> int:
    """Return the process that has taken up a run."""
    with psycopg.connect(url) as conn:
        row = conn.execute("select claimed_by from runs where run_id = %s", (run,)).fetchone()
    assert row is not None
    return int(str(row[0]).partition("-worker-")[0].rpartition("-")[2])


def held_by_tables(url: str, text: str) -> list[str]:
    """Return the tables of the server's own, in the schema public, that hold a text."""
    with psycopg.connect(url) as conn:
        found = conn.execute("select tablename from pg_tables where schemaname = 'public'")
        tables = [table for (table,) in found.fetchall()]
        query = "select exists (select from {} t where t::text like %s)"
        held = []
        for table in tables:
            asks = sql.SQL(query).format(sql.Identifier("public", table))
            row = conn.execute(asks, (f"%{text}%",)).fetchone()
            held += [table] if row and row[0] else []
    assert "runs" in tables
    return held
