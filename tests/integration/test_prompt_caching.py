"""The provider's cache over the wire: breakpoints, the thread's key, and for how long it is kept."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.conftest import Shop
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import APIS, Request, last_result

ADD = ("add_to_cart", {"sku": "BOOT-001"})
BREAK = {"mode": "explicit"}


def blocks(request: Request) -> list[tuple[str, bool]]:
    """Return what each message says, and whether the cache may end there."""
    found = []
    for item in request.body["messages" if request.is_chat else "input"]:
        content: Any = item.get("content") if "content" in item else item.get("output")
        parts = content if isinstance(content, list) else [{"text": content or ""}]
        marked = any(part.get("prompt_cache_breakpoint") == BREAK for part in parts)
        found.append(("".join(part.get("text") or "" for part in parts), marked))
    return found


@pytest.mark.parametrize("api", APIS)
async def test_a_threads_prompts_are_cached_up_to_the_tail_and_longer_where_a_person_is_awaited(
    wire: Wire, shop: Shop, api: str
):
    wire.provider.then([ADD], "In the cart.", [("checkout", {})], last_result, "Hello.")
    async with wire.agent(api) as agent:
        talk, other = Conversation(agent.graph), Conversation(agent.graph)
        added = await talk.say("add BOOT-001")
        asked = await talk.say("check out")
        assert asked.interrupts
        lifetime = asked.values["asked"]["lifetime"]
        done = await talk.approve()
        assert "order DB-" in answer_of(done)
        # The first call after the pause is of the same epoch: its cache is warm, and it is used.
        assert done.values["asked"]["epoch"] == asked.values["asked"]["epoch"]
        assert done.values["asked"]["shared"] == sum(asked.values["asked"]["zones"][:3])
        await other.say("hello")
    report = added.values["asked"]
    assert datetime.fromisoformat(report["at"]).tzinfo == UTC
    assert report["zones"][0] >= 1_024

    *requests, of_the_other = wire.provider.requests
    before: list[str] = []
    for request in requests:
        first, *between, tail = blocks(request)
        assert first[1]
        assert first[0].startswith("You are Daybook")
        assert not tail[1]
        assert tail[0].startswith("# Now")
        assert sum(marked for _, marked in between) == 1
        assert [marked for _, marked in between][-1]
        cached = [text for text, _ in (first, *between)]
        assert cached[: len(before)] == before
        before = cached
    after_the_change = [text for text, _ in blocks(requests[1])][:-1]
    assert not any("98.90" in text and "total" in text for text in after_the_change)

    keys = {request.body["prompt_cache_key"] for request in requests}
    assert len(keys | {of_the_other.body["prompt_cache_key"]}) == 2
    assert talk.thread_id not in str(keys)
    usual = requests[0].body
    assert usual["prompt_cache_options"] == {"mode": "explicit", "ttl": "30m"}
    assert "prompt_cache_retention" not in usual
    before_the_pause = requests[2].body
    if api == "chat":
        assert before_the_pause["prompt_cache_retention"] == "24h"
        assert lifetime == 86_400
    else:
        assert before_the_pause["prompt_cache_options"]["ttl"] == "12h"
        assert lifetime == 43_200
