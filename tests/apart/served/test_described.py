"""What Studio reads: schemas and the graph, complete and in words."""

from typing import Any

import pytest
import pytest_asyncio
from langgraph_sdk.client import LangGraphClient

from tests.apart.served.conftest import OF_ONE_PROCESS
from tests.production_server import PYTHON

pytestmark = pytest.mark.asyncio(loop_scope="session")


GRAPHS = ("shop",) if PYTHON else ("shop", "merchants")
"""Which langgraph.json names; several processes serve one domain."""


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture(loop_scope="session")
async def schemas(client: LangGraphClient, graph: str) -> dict[str, Any]:
    [assistant] = await client.assistants.search(graph_id=graph)
    return dict(await client.assistants.get_schemas(assistant["assistant_id"]))


@OF_ONE_PROCESS
async def test_a_graph_that_lacks_what_it_deals_with_says_what_to_set(client: LangGraphClient):
    thread = await client.threads.create()
    said = {"messages": [{"role": "user", "content": "hello"}]}
    told: Any = await client.runs.wait(
        thread["thread_id"], "merchants", input=said, raise_error=False
    )
    assert "DAYBOOK_MERCHANTS" in told["__error__"]["message"]
    assert "Nothing was done" in told["__error__"]["message"]
