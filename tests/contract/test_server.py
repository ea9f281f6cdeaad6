"""What `langgraph dev` does with the graph, the saver and the rules that we give it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import pytest_asyncio
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import AuthenticationError, PermissionDeniedError
from psycopg.rows import dict_row

from tests.dev_server import DevServer, dev_server

from .database import fresh_schema

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROJECT = Path(__file__).with_name("server_project")


@dataclass
class ToyServer(DevServer):
    """A server of the toy project, and its database."""

    database_url: str = ""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(postgres_url: str) -> AsyncIterator[ToyServer]:
    """Yield the one server of this module."""
    with fresh_schema(postgres_url) as url:
        async with dev_server(PROJECT, {"TOY_DATABASE_URL": url}) as served:
            yield ToyServer(served.url, served.calls_out, database_url=url)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def ann(server: ToyServer) -> AsyncIterator[LangGraphClient]:
    """Yield a client that says it is Ann."""
    async with get_client(url=server.url, headers={"Authorization": "Bearer ann"}) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def thread(ann: LangGraphClient) -> str:
    """Return the id of a new thread."""
    return str((await ann.threads.create())["thread_id"])


async def ask(ann: LangGraphClient, thread: str | None, asked: str, **how: Any) -> dict[str, Any]:
    """Run one turn and return what the client gets of it."""
    given: dict[str, Any] = {"asked": asked}
    result = await ann.runs.wait(thread, "toy", input=given, raise_error=False, **how)
    assert isinstance(result, dict)
    return result


def notes(server: ToyServer, topic: str, thread: str) -> list[dict[str, Any]]:
    """Return what the toy graph wrote down in the runs of a thread, in order."""
    with psycopg.connect(server.database_url, row_factory=dict_row) as connection:
        rows = connection.execute(
            "SELECT what FROM note WHERE topic = %s AND thread_id = %s", (topic, thread)
        )
        return [row["what"] for row in rows]


def stored_checkpoints(server: ToyServer, thread: str) -> int:
    """Return how many checkpoints of a thread stand in our tables."""
    with psycopg.connect(server.database_url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM checkpoints WHERE thread_id = %s", (thread,)
        ).fetchone()
    assert row is not None
    return int(row[0])


async def test_the_server_describes_the_graph_that_it_found_by_its_dotted_name(ann):
    """Studio needs the schemas; `daybook.graph.shop.app:graph` loads the module once, under its own name."""
    [assistant] = await ann.assistants.search()
    schemas = await ann.assistants.get_schemas(assistant["assistant_id"])

    assert assistant["graph_id"] == "toy"
    assert schemas["input_schema"] is not None
    assert set(schemas["input_schema"]["properties"]) == {"asked"}
    assert schemas["output_schema"] is not None
    assert set(schemas["output_schema"]["properties"]) == {"asked", "ledger", "answer"}
    assert {"ReadCall", "WriteCall"} <= set(schemas["output_schema"]["$defs"])
    drawn = await ann.assistants.get_graph(assistant["assistant_id"])
    assert {node["id"] for node in drawn["nodes"]} >= {"remember", "act"}


async def test_a_run_is_interrupted_and_resumed_on_our_saver_through_our_subclass(
    server: ToyServer, ann: LangGraphClient, thread: str
) -> None:
    """The core of it: the copy that runs is ours, on our tables, and its nodes find our pool.

    A union's member comes out of the checkpoint as a model under strict msgpack: only the list given
    to our saver does that, the server adds no types by itself.
    """
    first = await ask(ann, thread, "ask")
    [question] = (await ann.threads.get_state(thread))["interrupts"]
    before = stored_checkpoints(server, thread)
    last = await ann.runs.wait(thread, "toy", command={"resume": {question["id"]: "yes"}})

    assert first["__interrupt__"][0]["value"] == {"question": "shall I?"}
    assert isinstance(last, dict)
    assert last["answer"] == "yes"
    assert before == 3, "the input, the start, the first node"
    assert stored_checkpoints(server, thread) == 4
    assert [run["mark"] for run in notes(server, "run", thread)] == ["kept by the copy"] * 2
    assert len(notes(server, "remember", thread)) == 1
    assert notes(server, "act", thread) == [{"call": "WriteCall"}]


async def test_a_rule_sets_the_durability_and_who_comes_and_a_run_its_checkpoint(
    server: ToyServer, ann: LangGraphClient, thread: str
) -> None:
    """A second fence beside GuardedGraph: the client asked for "exit" and did not get it.

    Who decided, and in what role, is taken from here; a client's own word is dropped. GuardedGraph
    may refuse a checkpoint that is not the head without refusing ordinary runs, which name none.
    """
    forged = {"langgraph_auth_user": {"identity": "eve", "role": "owner"}}
    await ask(ann, thread, "tea", durability="exit", config={"configurable": forged})
    checkpoint = (await ann.threads.get_state(thread))["checkpoint"]["checkpoint_id"]
    await ask(ann, thread, "milk", checkpoint_id=checkpoint)

    runs = notes(server, "run", thread)
    assert [run["durability"] for run in runs] == ["sync", "sync"]
    assert runs[0]["user"] == {"identity": "ann", "role": "clerk"}
    assert [run["checkpoint_id"] for run in runs] == [None, checkpoint]


async def test_a_rule_denies_rewriting_a_thread_and_jumping_into_the_graph(server, ann, thread):
    """`threads.update` covers state and metadata; `create_run` sees the command.

    The same rule holds for `supersteps`: the thread is made, but nothing is written into it.
    """
    await ask(ann, thread, "tea")
    before = stored_checkpoints(server, thread)
    with pytest.raises(PermissionDeniedError, match="no rewriting"):
        await ann.threads.update_state(thread, {"answer": "forged"})
    with pytest.raises(PermissionDeniedError, match="no rewriting"):
        await ann.threads.update(thread, metadata={"forged": True})
    with pytest.raises(httpx.HTTPStatusError, match="403"):
        await ann.runs.wait(thread, "toy", command={"goto": "act"})
    seed: list[Any] = [{"updates": [{"values": {"answer": "forged"}, "as_node": "act"}]}]
    born: Any = await ann.threads.create(supersteps=seed, graph_id="toy")

    assert "no rewriting" in born["detail"]
    assert stored_checkpoints(server, thread) == before
    assert len(notes(server, "run", thread)) == 1


@pytest.mark.parametrize("headers", [{}, {"x-auth-scheme": "langsmith"}])
async def test_nobody_comes_in_without_a_name_not_even_as_studio(server, headers):
    """`disable_studio_auth` is what closes the header `x-auth-scheme: langsmith`."""
    async with get_client(url=server.url, headers=headers) as nobody:
        with pytest.raises(AuthenticationError):
            await nobody.threads.create()


async def test_a_stateless_run_reaches_the_graph_without_a_saver(server, ann):
    """GuardedGraph must refuse it: no checkpoint, no interrupt, and `sync` ends in a riddle."""
    result = await ask(ann, None, "tea")

    with psycopg.connect(server.database_url, row_factory=dict_row) as connection:
        rows = connection.execute(
            "SELECT thread_id FROM note WHERE what @> '{\"has_saver\": false}'"
        )
        [stateless] = [row["thread_id"] for row in rows]
    assert result["__error__"]["error"] == "AttributeError"
    assert stored_checkpoints(server, stateless) == 0
    assert notes(server, "remember", stateless) == []


async def test_the_words_of_an_error_reach_the_client_only_for_some_kinds_of_error(ann, thread):
    """ThreadBusy is a RuntimeError, so that a client can show it; other errors keep quiet.

    A call that blocks in a node is one too: every client of ours is asynchronous, or it would fail.
    """
    busy, secret, block = [await ask(ann, thread, how) for how in ("busy", "secret", "block")]

    assert busy["__error__"] == {"error": "Busy", "message": "somebody else is at it"}
    assert secret["__error__"]["error"] == "Secret"
    assert "nobody should read this" not in str(secret)
    assert block["__error__"]["error"] == "BlockingError"


async def test_deleting_a_thread_deletes_our_rows(server, ann, thread):
    """The server passes the deletion on to the saver."""
    await ask(ann, thread, "tea")
    assert stored_checkpoints(server, thread) == 4
    await ann.threads.delete(thread)

    assert stored_checkpoints(server, thread) == 0


async def test_the_server_called_nobody(server: ToyServer) -> None:
    """With the three settings of the fixture nothing leaves the machine. Runs last."""
    assert server.calls_out == []
