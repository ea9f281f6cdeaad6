"""The shop agent behind one server: `langgraph dev`, or several processes (`make production`)."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from daybook.checkpoints.postgres import Postgres
from daybook.state.people.questions.message import is_asked
from daybook.state.receipts import is_receipt
from tests.answers import APPROVE
from tests.apart.servers import PROJECT, places
from tests.conftest import Shop
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.production_server import PYTHON, production_server
from tests.purchases import LONG, met, shop_database
from tests.shop_process import ShopProcess


@pytest.fixture(scope="package")
def served_database(server_url: str, template: str) -> Iterator[str]:
    """Yield the database of the server."""
    with database_of(server_url, template) as url:
        yield url


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def served(served_database: str, shop_process: ShopProcess) -> AsyncIterator[DevServer]:
    """Yield the server, on Postgres, with the embedded model."""
    await shop_process.settles_soon()
    variables = places(served_database, shop_process)
    serving = production_server(variables) if PYTHON else dev_server(PROJECT, variables)
    async with serving as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def client(served: DevServer, shop: Shop) -> AsyncIterator[LangGraphClient]:
    """Yield a client of the server; the shop is in its seeded state."""
    async with get_client(url=served.url) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def beside(served_database: str, served: DevServer) -> AsyncIterator[Postgres]:
    """Open the server's database from this process, as another one would."""
    async with shop_database(served_database) as postgres:
        yield postgres


OF_ONE_PROCESS = pytest.mark.skipif(bool(PYTHON), reason="Aegra does not, or not like this")


class Talk:
    """Hold one conversation through the server's API."""

    def __init__(self, client: LangGraphClient, thread_id: str, user: str) -> None:
        self.client = client
        self.thread_id = thread_id
        self._context = {"user_id": user}

    @classmethod
    async def begun(cls, client: LangGraphClient, user: str = "ada") -> "Talk":
        """Begin a thread."""
        return cls(client, (await client.threads.create())["thread_id"], user)

    async def run(self, **how: Any) -> dict[str, Any]:
        """Run the graph and return its values, or `__error__`."""
        values = await self.client.runs.wait(
            self.thread_id, "shop", context=self._context, raise_error=False, **how
        )
        assert isinstance(values, dict)
        return values

    async def say(self, text: str, **how: Any) -> dict[str, Any]:
        """Say something."""
        return await self.run(input={"messages": [{"role": "user", "content": text}]}, **how)

    async def happens(self, event_id: str, **event: Any) -> dict[str, Any]:
        """Let something happen outside the chat."""
        return await self.run(input={"events": [{"id": event_id, **event}]})

    async def answer(self, *decisions: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Answer the question that waits."""
        return await self.run(command={"resume": {"decisions": list(decisions), **more}})

    async def questions(self) -> list[dict[str, Any]]:
        """Return what the thread is told to ask; Aegra tells of it with its state alone."""
        if PYTHON:
            return [*(await self.client.threads.get_state(self.thread_id))["interrupts"]]
        thread: Any = await self.client.threads.get(self.thread_id)
        return [one for asked in thread["interrupts"].values() for one in asked]

    async def question(self) -> dict[str, Any]:
        """Return the one question that waits."""
        [interrupt] = (await self.client.threads.get_state(self.thread_id))["interrupts"]
        return dict(interrupt["value"])


def is_refused_as(values: dict[str, Any], name: str) -> bool:
    """Tell whether a run ended with this error; Aegra tells its sentence, and not its name."""
    told = values["__error__"]
    return told["error"] == ("Error" if PYTHON else name) and "othing was done" in told["message"]


def skus(values: dict[str, Any]) -> list[str]:
    """Return what is in the cart."""
    return [line["sku"] for line in values["cart"]["lines"]]


def said(values: dict[str, Any]) -> str:
    """Return what the agent said last."""
    return str([one for one in values["messages"] if not is_asked(one["id"])][-1]["content"])


def receipts_in(values: dict[str, Any]) -> str:
    """Return the texts of a thread's receipts, one after the other."""
    return "\n".join(str(one["content"]) for one in values["messages"] if is_receipt(one["id"]))


@pytest_asyncio.fixture(loop_scope="session")
async def talk(client: LangGraphClient) -> Talk:
    """Begin a conversation of Ada's."""
    return await Talk.begun(client)


async def buying(client: LangGraphClient, talk: Talk, shop: Shop, at: str) -> str:
    """Let a run buy, and be held at an endpoint of the shop; return the run."""
    await talk.say("add BOOT-013")
    await talk.say("check out")
    shop.fault(at, "slow", seconds=LONG)
    run = await client.runs.create(
        talk.thread_id,
        "shop",
        command={"resume": {"decisions": [APPROVE]}},
        context={"user_id": "ada"},
    )
    await met(shop)
    return str(run["run_id"])
