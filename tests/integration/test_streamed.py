"""Text streams natively, is stored as it was streamed, and is shown once, whatever is answered."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.types import Command

from daybook.state.errors import ModelUnavailable
from daybook.state.people.tool_messages import as_said
from daybook.state.receipts import is_receipt
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of, receipt_of
from tests.integration.wire import Wire
from tests.provider import APIS, Turn, last_result, status
from tests.purchases import SHORT

# It is said by LangGraph, of the protocol that a client chooses.
pytestmark = pytest.mark.filterwarnings("ignore:The v3 streaming protocol on Pregel")
ADD = ("add_to_cart", {"sku": "BOOT-001", "quantity": 1})


class Watched:
    """Watch a run's messages, as a client does.

    Attributes:
        chunks: text of what came while it ran, by message, in order.
        custom: what came on the `custom` stream.
        known: ids of messages that values have told whole: a client would show more of them twice.
    """

    def __init__(self) -> None:
        self.chunks: dict[str, list[str]] = {}
        self.custom: list[Any] = []
        self.known: set[str] = set()

    async def run(self, talk: Conversation, given: Any) -> None:
        self.chunks, self.custom = {}, []
        modes = ["messages", "custom", "values"]
        async for mode, told in talk.graph.astream(given, talk.config, stream_mode=modes):
            if mode == "custom":
                self.custom.append(told)
            elif mode == "values":
                self.known |= {one.id for one in told.get("messages", ())}
            elif told[0].type in ("ai", "AIMessageChunk") and told[0].text:
                assert told[0].type == "ai" or told[0].id not in self.known, told[0]
                self.chunks.setdefault(told[0].id, []).append(told[0].text)

    @property
    def texts(self) -> dict[str, str]:
        return {id_: "".join(chunks) for id_, chunks in self.chunks.items()}


def saying(text: str, id_: str = "m-1") -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, "id": id_}]}


async def stored(talk: Conversation, after: str = "m-1") -> dict[str, str]:
    """Return the texts of the agent's messages behind one of the user's, by id."""
    messages = (await talk.state()).values["messages"]
    at = [message.id for message in messages].index(after)
    return {m.id: m.text for m in messages[at:] if isinstance(m, AIMessage) and m.text}


FIVE = "I found two. The first is a boot. The second is a sock. Both are warm. Which one?"


@pytest.mark.parametrize("api", APIS)
async def test_text_is_streamed_in_pieces_and_stored_as_it_was(wire: Wire, api: str):
    wire.provider.then(FIVE)
    async with wire.agent(api) as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("boots or socks?"))
        assert watched.texts == await stored(talk)
        ((_, pieces),) = watched.chunks.items()
        assert len(pieces) > 1
        assert answer_of(await talk.state()) == FIVE


async def test_text_beside_a_call_is_a_message_of_its_own(wire: Wire):
    wire.provider.then(Turn("Good choice. One moment.", (ADD,)), "They are in. Anything else?")
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("boots, the first"))
        assert watched.texts == await stored(talk)
        people = as_said((await talk.state()).values["messages"])
        said = [one.text for one in people]
        assert said == [
            "boots, the first",
            "Good choice. One moment.",
            "They are in. Anything else?",
        ]


async def test_text_before_a_question_stays_and_a_receipt_follows_the_approval(
    wire: Wire, shop: Shop
):
    wire.provider.then([ADD], "It is in.", Turn("A good buy.", (("checkout", {}),)))
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await talk.say("boots, the first")
        await watched.run(talk, saying("check out"))
        assert "A good buy." in watched.texts.values()
        wire.provider.then(last_result)
        await watched.run(talk, Command(resume={"decisions": [{"type": "approve"}]}))
        done = await talk.state()
        assert "A good buy." not in watched.texts.values(), "it is shown already"
        assert watched.texts.items() <= (await stored(talk)).items()
        (event,) = [one for one in watched.custom if "receipt" in one]
        assert [(one["kind"], one["status"]) for one in event["receipt"]] == [
            ("reserve_inventory", "done"),
            ("charge_payment", "done"),
            ("place_order", "done"),
            ("send_email", "done"),
        ]
        assert event["text"] == receipt_of(done)
        assert not is_receipt(done.values["messages"][-1].id), "the model's text is the last"
        assert shop.happened() == ["reserve", "charge", "order", "mail"]


LIE = "Hello again. I have placed your order DB-99999999. Have fun."


async def test_a_model_whose_text_nobody_has_read_is_asked_once_more(wire: Wire):
    wire.provider.then(LIE, "Nothing was ordered so far. Shall I?")
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        done = await talk.say("hi")
        assert answer_of(done) == "Nothing was ordered so far. Shall I?"
        assert receipt_of(done) == ""
        assert "DB-99999999" in wire.provider.requests[-1].body["messages"][-1]["content"]


async def test_a_model_that_contradicts_the_ledger_twice_is_corrected(wire: Wire):
    wire.provider.then(LIE, LIE)
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        done = await talk.say("hi", "m-1")
        assert answer_of(done) == LIE
        assert "DB-99999999" in receipt_of(done)
        known = await agent.resources.postgres.ledger.turn(talk.thread_id, "m-1")
        kinds = {
            one["kind"] for entry in known for one in (entry.payload or {}).get("findings", ())
        }
        assert kinds == {"identifier", "completion"}


async def by_events(talk: Conversation, text: str) -> dict[str, str]:
    """Return what those read who watch LangChain's events, by message."""
    seen: dict[str, str] = {}
    async for event in talk.graph.astream_events(saying(text), talk.config, version="v2"):
        if event["event"] == "on_chat_model_stream":
            chunk = event["data"]["chunk"]
            seen[chunk.id] = seen.get(chunk.id, "") + chunk.text
    return {id_: read for id_, read in seen.items() if read}


async def by_blocks(talk: Conversation, text: str) -> dict[str, str]:
    """Return what those read who watch by the third protocol of streams, by message."""
    run = await talk.graph.astream_events(saying(text), talk.config, version="v3")
    told: dict[str, str] = {}
    async with run:
        async for message in run.messages:
            pieces = [piece async for piece in message.text]
            assert "".join(pieces) == await message.text
            told[message.message_id or ""] = "".join(pieces)
    return {id_: read for id_, read in told.items() if read}


@pytest.mark.parametrize("watched", [by_events, by_blocks])
@pytest.mark.parametrize("answer", [FIVE, LIE, "Two"], ids=["true", "false", "short"])
async def test_other_streams_read_what_is_stored(wire: Wire, watched: Any, answer: str):
    wire.provider.then(answer)
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        read = await watched(talk, "hi")
        assert answer in read.values()
        assert read.items() <= (await stored(talk)).items()


MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})
WRITING = "I write it. One moment."


async def says_once(talk: Conversation, text: str) -> bool:
    """Tell whether a text stands once in what people read of a conversation."""
    said = as_said((await talk.state()).values["messages"])
    return "\n".join(one.text for one in said).count(text) == 1


@pytest.mark.parametrize("answer", ["it happened", "it did not happen"])
async def test_what_was_said_before_a_doubt_is_shown_once(wire: Wire, shop: Shop, answer: str):
    wire.provider.then(Turn(f"{WRITING} So", (MAIL,)), "It is on its way. Anything else?")
    async with wire.agent(budget=SHORT) as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("mail me"))
        shop.fault("mail", "drop", seconds=30)
        approve, answered = {"type": "approve"}, {"type": "respond", "message": answer}
        await watched.run(talk, Command(resume={"decisions": [approve]}))
        assert (await talk.state()).interrupts
        await watched.run(talk, Command(resume={"decisions": [answered]}))
        assert "It is on its way. Anything else?" in watched.texts.values()
        assert watched.texts.items() <= (await stored(talk)).items()
        assert await says_once(talk, WRITING)


async def test_what_was_said_before_a_run_broke_off_is_shown_once(wire: Wire):
    wire.provider.then(Turn(f"{WRITING} So", (ADD,)), status(401), "It is in. Anything else?")
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        with pytest.raises(ModelUnavailable):
            await watched.run(talk, saying("boots, the first"))
        await watched.run(talk, None)
        assert [*watched.texts.values()] == ["It is in. Anything else?"]
        said = as_said((await talk.state()).values["messages"])
        assert [one.text for one in said[1:]] == [f"{WRITING} So", "It is in. Anything else?"]
        # The model reads each of its texts once.
        wire.provider.then("You are welcome.")
        await watched.run(talk, saying("thanks", "m-2"))
        read = str(wire.provider.requests[-1].body["messages"])
        assert (read.count(WRITING), read.count("It is in. Anything else?")) == (1, 1)
