"""Stopping what a run of the server carries out: over HTTP, and by the console's button."""

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient

from tests.apart.served.conftest import Talk, buying, receipts_in
from tests.conftest import Shop
from tests.dev_server import DevServer
from tests.purchases import hurry

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def told(client: LangGraphClient, talk: Talk) -> str:
    """Return the receipts of the thread."""
    state = await client.threads.get_state(talk.thread_id)
    return receipts_in(state["values"])  # type: ignore[arg-type]


async def test_a_client_stops_what_a_run_carries_out(
    client: LangGraphClient, talk: Talk, served: DevServer, shop: Shop
):
    run_id = await buying(client, talk, shop, "holds")
    async with httpx.AsyncClient(base_url=served.url) as http:
        place = f"/daybook/threads/{talk.thread_id}/stop"
        for body, status in (
            ({"id": "s-1", "user_id": "ben"}, 404),
            ({}, 422),
            ([], 422),
            ({"id": "s-1", "role": "king"}, 422),
        ):
            assert (await http.post(place, json=body)).status_code == status
        answered = await http.post(place, json={"id": "s-1"})
        assert answered.status_code == 200
        assert answered.json()["told"].startswith("Stopped by ada: Check out for ")
        hurry(shop)
        await client.runs.join(talk.thread_id, run_id)
        assert shop.happened() == ["reserve", "release"]
        assert (await told(client, talk)).startswith("Stopped by ada: Check out for ")
        # The same wish once more is no wish for another time; another one finds nothing.
        assert "Undone: " in (await http.post(place, json={"id": "s-1"})).json()["told"]
        nothing = await http.post(place, json={"id": "s-2"})
        assert (nothing.status_code, "Nothing is under way" in nothing.text) == (409, True)
