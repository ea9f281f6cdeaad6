"""What Studio reads: schemas and the graph, complete and in words."""

from collections.abc import Iterator
from typing import Any

import pytest
import pytest_asyncio
from langgraph_sdk.client import LangGraphClient

from tests.apart.served.conftest import OF_ONE_PROCESS
from tests.production_server import PYTHON

pytestmark = pytest.mark.asyncio(loop_scope="session")

LANGCHAIN = ("Message", "Chunk", "ToolCall", "InvalidToolCall", "TokenDetails", "UsageMetadata")
"""Definitions in LangChain's words."""


GRAPHS = ("shop",) if PYTHON else ("shop", "merchants")
"""Which langgraph.json names; several processes serve one domain."""

CART = {"shop": {"cart", "checkout"}, "merchants": {"carts", "orders"}}
"""What of the state is a graph's own."""


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture(loop_scope="session")
async def schemas(client: LangGraphClient, graph: str) -> dict[str, Any]:
    [assistant] = await client.assistants.search(graph_id=graph)
    return dict(await client.assistants.get_schemas(assistant["assistant_id"]))


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("input_schema", {"messages", "events"}),
        ("output_schema", {"messages", "flow", "ledger"}),
        ("state_schema", {"messages", "flow", "ledger"}),
        ("context_schema", {"user_id"}),
        ("config_schema", {"user_id"}),
    ],
)
async def test_every_schema_is_complete_with_titles_and_descriptions(
    schemas: dict[str, Any], graph: str, name: str, holds: set[str]
):
    schema = schemas[name]
    own = CART[graph] if name in ("output_schema", "state_schema") else set()
    assert holds | own <= set(schema["properties"])
    undescribed = [
        path
        for path, one in properties(schema, name)
        if not described(one, schema) and not path.partition(".")[0].endswith(LANGCHAIN)
    ]
    assert undescribed == []


def properties(schema: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every property of a schema and of its definitions."""
    for part, body in [(name, schema), *schema.get("$defs", {}).items()]:
        for key, one in body.get("properties", {}).items():
            yield f"{part}.{key}", one


def described(one: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Tell whether a property has a title and a description, of its own or where it points."""
    there = schema["$defs"][one["$ref"].rpartition("/")[2]] if "$ref" in one else {}
    return all(key in one or key in there for key in ("title", "description"))


@OF_ONE_PROCESS
async def test_a_graph_that_lacks_what_it_deals_with_says_what_to_set(client: LangGraphClient):
    thread = await client.threads.create()
    said = {"messages": [{"role": "user", "content": "hello"}]}
    told: Any = await client.runs.wait(
        thread["thread_id"], "merchants", input=said, raise_error=False
    )
    assert "DAYBOOK_MERCHANTS" in told["__error__"]["message"]
    assert "Nothing was done" in told["__error__"]["message"]
