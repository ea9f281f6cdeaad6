"""What a client shows while a question's answer is carried out: each text once, at every moment."""

from collections import Counter
from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.errors import ModelUnavailable
from daybook.state.people.called import as_said, is_called
from tests.conftest import Shop
from tests.conversation import Conversation
from tests.integration.wire import Wire
from tests.provider import Turn, last_result, status
from tests.purchases import SHORT

ADD = ("add_to_cart", {"sku": "BOOT-001", "quantity": 1})
MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})
GOOD = "A good buy. I am glad."
WRITING = "I write it. One moment."

Shown = list[tuple[str, str]]
"""Id and text of each message, from the top."""


class ByIndex:
    """Put messages together as LangGraph's SDK for JavaScript does.

    Chunks are gathered anew in each run. What was gathered stands where the message stood when its
    first chunk came: at the end; values take the place of everything.
    """

    def __init__(self) -> None:
        self.messages: Shown = []
        self._gathered: dict[str, str] = {}
        self._places: dict[str, int] = {}

    def begins(self) -> None:
        self._gathered, self._places = {}, {}

    def chunk(self, id_: str, text: str) -> None:
        self._gathered[id_] = self._gathered.get(id_, "") + text
        place = self._places.setdefault(id_, len(self.messages))
        self.messages[place : place + 1] = [(id_, self._gathered[id_])]

    def values(self, messages: Shown) -> None:
        self.messages = messages


class ById:
    """Put a chunk behind what is known of its message, whoever told that."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    @property
    def messages(self) -> Shown:
        return [*self._known.items()]

    def begins(self) -> None:
        """What is known stays known."""

    def chunk(self, id_: str, text: str) -> None:
        self._known[id_] = self._known.get(id_, "") + text

    def values(self, messages: Shown) -> None:
        self._known = dict(messages)


class Watched:
    """Watch runs as both clients do, and hold after each event that nothing is shown twice."""

    def __init__(self, *once: str) -> None:
        self.once, self.streamed = once, ""
        self.clients = (ByIndex(), ById())

    async def run(self, talk: Conversation, given: Any) -> None:
        self.streamed = ""
        for client in self.clients:
            client.begins()
        modes = ["messages", "values"]
        async for mode, told in talk.graph.astream(given, talk.config, stream_mode=modes):
            self.take(mode, told)
        stored = shown((await talk.state()).values["messages"])
        assert all(client.messages == stored for client in self.clients)

    def take(self, mode: str, told: Any) -> None:
        for client in self.clients:
            if mode == "values":
                client.values(shown(told.get("messages", ())))
            elif told[0].type == "AIMessageChunk" or told[0].id not in dict(client.messages):
                client.chunk(told[0].id, told[0].text)
            self.check(client.messages)
        if mode == "messages" and told[0].type == "AIMessageChunk":
            self.streamed += told[0].text

    def check(self, messages: Shown) -> None:
        assert max(Counter(id_ for id_, _ in messages).values(), default=1) == 1, messages
        text = "\n".join(text for id_, text in messages if not is_called(id_))
        assert all(text.count(one) <= 1 for one in self.once), messages


def shown(messages: Any) -> Shown:
    return [(str(one.id), one.text) for one in messages]


def saying(text: str, id_: str = "m-1") -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, "id": id_}]}


def answering(**decision: Any) -> Command[Any]:
    return Command(resume={"decisions": [decision]})


async def test_what_was_said_before_an_approval_is_shown_once(wire: Wire, shop: Shop):
    wire.provider.then([ADD], "It is in.", Turn(f"{GOOD} Now", (("checkout", {}),)), last_result)
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched(GOOD, "order DB-")
        await talk.say("boots, the first")
        await watched.run(talk, saying("check out"))
        await watched.run(talk, answering(type="approve"))
        assert GOOD not in watched.streamed
        assert "order DB-" in watched.streamed
        assert "charge" in shop.happened()


@pytest.mark.parametrize("answer", ["it happened", "it did not happen"])
async def test_what_was_said_before_a_doubt_is_shown_once(wire: Wire, shop: Shop, answer: str):
    wire.provider.then(Turn(f"{WRITING} So", (MAIL,)), "It is on its way. Anything else?")
    async with wire.agent(budget=SHORT) as agent:
        talk, watched = Conversation(agent.graph), Watched(WRITING, "It is on its way.")
        await watched.run(talk, saying("mail me"))
        shop.fault("mail", "drop", seconds=30)
        await watched.run(talk, answering(type="approve"))
        assert (await talk.state()).interrupts
        await watched.run(talk, answering(type="respond", message=answer))
        assert WRITING not in watched.streamed
        assert "It is on its way." in watched.streamed


async def test_what_was_said_before_a_run_broke_off_is_shown_once(wire: Wire):
    wire.provider.then(Turn(f"{GOOD} So", (ADD,)), status(401), "It is in. Anything else?")
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched(GOOD, "It is in.")
        with pytest.raises(ModelUnavailable):
            await watched.run(talk, saying("boots, the first"))
        await watched.run(talk, None)
        assert watched.streamed == "It is in. Anything else?"
        said = as_said((await talk.state()).values["messages"])
        assert [one.text for one in said[1:]] == [f"{GOOD} So", "It is in. Anything else?"]
        # The model reads each of its texts once.
        wire.provider.then("You are welcome.")
        await watched.run(talk, saying("thanks", "m-2"))
        read = str(wire.provider.requests[-1].body["messages"])
        assert (read.count(GOOD), read.count("It is in. Anything else?")) == (1, 1)
