"""Context and memory with a provider over the wire: the same paths as with the stand-in."""

import json

from tests.conftest import Shop
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import Request, last_result


def text_of(request: Request) -> str:
    """Return all that a request says, tools left out."""
    return json.dumps(request.body["messages" if request.is_chat else "input"])


async def test_remembered_recalled_asked_in_sql_and_forgotten(wire: Wire, shop: Shop):
    provider = wire.provider
    provider.then(
        [
            ("remember", {"subject": "shoe size", "value": "43 wide"}),
            ("search_products", {"query": "hiking boots"}),
        ],
        "Noted.",
        [("recall", {"handle": 1})],
        last_result,
        [("query_history", {"sql": "select subject, value from facts"})],
        last_result,
        [("forget", {"subject": "shoe size"})],
        "Forgotten.",
    )
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        await talk.say("my shoe size is 43 wide, show me hiking boots")
        assert "r1, still good" in answer_of(await talk.say("open the first result again"))
        assert "shoe size | 43 wide" in answer_of(await talk.say("what do you know of me?"))
        await talk.say("forget my shoe size")
        other = Conversation(agent.graph)
        provider.then("Hello.")
        await other.say("hello")
    assert "43 wide" in text_of(provider.requests[-4])
    assert not any("43 wide" in text_of(request) for request in provider.requests[-2:])
