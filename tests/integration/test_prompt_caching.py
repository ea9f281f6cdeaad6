"""The provider's cache over the wire: breakpoints, the thread's key, and for how long it is kept."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.conftest import Shop
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import APIS, Request, last_result, status

ADD = ("add_to_cart", {"sku": "BOOT-001"})
BREAK = {"mode": "explicit"}

CHAT = ["chat", pytest.param("responses", marks=pytest.mark.long)]


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
async def test_the_cache_may_end_after_what_never_changes_and_before_the_tail(wire, shop, api):
    wire.provider.then([ADD], "In the cart.", [("get_product", {"sku": "BOOT-001"})], last_result)
    async with wire.agent(api) as agent:
        talk = Conversation(agent.graph)
        await talk.say("add BOOT-001")
        await talk.say("tell me more")
    for request in wire.provider.requests:
        said = blocks(request)
        first, *between, tail = said
        assert first[1]
        assert first[0].startswith("You are Daybook")
        assert not tail[1]
        assert tail[0].startswith("# Now")
        assert sum(marked for _, marked in between) == 1
        assert [marked for _, marked in between][-1]
    before: list[str] = []
    for request in wire.provider.requests:
        body = [text for text, _ in blocks(request)][:-1]
        assert body[: len(before)] == before
        before = body


@pytest.mark.parametrize("api", CHAT)
async def test_the_cache_has_the_threads_key_which_is_not_its_name(wire, shop, api):
    wire.provider.then("Hello.", "Hello.", "Hello.")
    async with wire.agent(api) as agent:
        one, other = Conversation(agent.graph), Conversation(agent.graph)
        await one.say("hello")
        await one.say("hello again")
        await other.say("hello")
    keys = [request.body["prompt_cache_key"] for request in wire.provider.requests]
    assert keys[0] == keys[1] != keys[2]
    assert one.thread_id not in str(keys)
    options = [request.body["prompt_cache_options"] for request in wire.provider.requests]
    assert options == [{"mode": "explicit", "ttl": "30m"}] * 3
    assert not any("prompt_cache_retention" in r.body for r in wire.provider.requests)


@pytest.mark.parametrize("api", APIS)
async def test_where_a_person_may_be_waited_for_the_cache_is_asked_to_last_longer(wire, shop, api):
    wire.provider.then([ADD], "In the cart.", [("checkout", {})], last_result)
    async with wire.agent(api) as agent:
        talk = Conversation(agent.graph)
        await talk.say("add BOOT-001")
        asked = await talk.say("check out")
        assert asked.interrupts
        lifetime = asked.values["asked"]["lifetime"]
        done = await talk.approve()
        assert "order DB-" in answer_of(done)
        # The first call after the pause is of the same epoch: its cache is warm, and it is used.
        assert done.values["asked"]["epoch"] == asked.values["asked"]["epoch"]
        assert done.values["asked"]["shared"] == sum(asked.values["asked"]["zones"][:3])
    before_the_pause = wire.provider.requests[2].body
    if api == "chat":
        assert before_the_pause["prompt_cache_retention"] == "24h"
        assert lifetime == 86_400
    else:
        assert before_the_pause["prompt_cache_options"]["ttl"] == "12h"
        assert lifetime == 43_200


async def test_a_provider_that_knows_no_such_words_is_asked_without_them(wire: Wire, shop: Shop):
    wire.provider.then(
        status(400, "Unrecognized request argument supplied: prompt_cache_options"),
        "Hello.",
        "Hello again.",
    )
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        assert answer_of(await talk.say("hello")) == "Hello."
        assert answer_of(await talk.say("hello")) == "Hello again."
    _, *plain = wire.provider.requests
    assert not any("prompt_cache" in str(request.body) for request in plain)


@pytest.mark.parametrize("api", CHAT)
async def test_the_tail_is_never_a_part_of_what_is_cached(wire: Wire, shop: Shop, api: str):
    wire.provider.then([ADD], "In the cart.")
    async with wire.agent(api) as agent:
        state = await Conversation(agent.graph).say("add BOOT-001")
    cached = [text for text, _ in blocks(wire.provider.requests[-1])][:-1]
    assert not any("98.90" in text and "total" in text for text in cached)
    report = state.values["asked"]
    assert datetime.fromisoformat(report["at"]).tzinfo == UTC
    assert report["zones"][0] >= 1_024
