"""An answer is read while it comes, over the wire: what streams is what is stored."""

import asyncio
from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.people.called import as_said
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import APIS, Turn, cut, halts, last_result

# It is said by LangGraph, of the protocol that a client chooses.
pytestmark = pytest.mark.filterwarnings("ignore:The v3 streaming protocol on Pregel")

ADD = ("add_to_cart", {"sku": "BOOT-001", "quantity": 1})


class Watched:
    """Watch a run's messages, as a client does.

    Attributes:
        chunks: text of what came while it ran, by message, in order.
        progress: what the run told beside it.
    """

    def __init__(self) -> None:
        self.chunks: dict[str, list[str]] = {}
        self.custom: list[Any] = []

    async def run(self, talk: Conversation, given: Any) -> None:
        self.chunks, self.custom = {}, []
        modes = ["messages", "custom"]
        async for mode, told in talk.graph.astream(given, talk.config, stream_mode=modes):
            if mode == "custom":
                self.custom.append(told)
            elif told[0].type != "human":
                self.chunks.setdefault(told[0].id, []).append(told[0].text)

    def of(self, id_: str) -> str:
        return "".join(self.chunks[id_])


def saying(text: str, id_: str = "m-1") -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, "id": id_}]}


FIVE = "I found two. The first is a boot. The second is a sock. Both are warm. Which one?"


@pytest.mark.parametrize("api", APIS)
async def test_an_answer_is_read_while_it_comes_and_is_the_one_that_is_stored(wire: Wire, api: str):
    wire.provider.then(FIVE)
    async with wire.agent(api) as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("boots or socks?"))
        assert len(watched.chunks["m-1/answer"]) == 5
        assert watched.of("m-1/answer") == FIVE == answer_of(await talk.state())


async def test_the_first_sentences_are_read_before_the_last_one_is_written(wire: Wire):
    read = asyncio.Event()
    wire.provider.then(halts(Turn(FIVE), read))
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        seen = ""
        async for message, _ in agent.graph.astream(
            saying("boots or socks?"), talk.config, stream_mode="messages"
        ):
            seen += message.text if message.type != "human" else ""
            read.set()
        assert seen == FIVE


async def test_what_was_read_before_a_call_is_the_beginning_of_the_answer(wire: Wire):
    wire.provider.then(
        Turn("Good choice. I put them into the cart. Wait.", (ADD,)), "They are in. Anything else?"
    )
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("boots, the first"))
        said = "Good choice.\n\nThey are in. Anything else?"
        assert watched.of("m-1/answer") == said
        people = as_said((await talk.state()).values["messages"])
        assert [one.text for one in people] == ["boots, the first", said]
        assert "said" not in (await talk.state()).values["turn"]


async def test_what_was_read_before_a_question_stays_and_the_outcome_stands_behind_it(
    wire: Wire, shop: Shop
):
    wire.provider.then([ADD], "It is in.", Turn("A good buy. I am glad. Now", (("checkout", {}),)))
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await talk.say("boots, the first")
        await watched.run(talk, saying("check out"))
        begun = (await talk.state()).values["messages"]
        assert watched.of("m-1/answer") == "A good buy. I am glad."
        assert [one.text for one in begun if one.id == "m-1/answer"] == ["A good buy. I am glad."]
        wire.provider.then(last_result)
        await watched.run(talk, Command(resume={"decisions": [{"type": "approve"}]}))
        done = await talk.state()
        assert watched.of("m-1/answer/1") == answer_of(done)
        assert "order DB-" in answer_of(done)
        texts = [one.text for one in as_said(done.values["messages"])[-2:]]
        assert texts == ["A good buy. I am glad.", answer_of(done)]
        assert done.values["messages"][-1].id == "m-1/answer/1"
        assert shop.happened() != []


async def test_nothing_is_read_of_what_is_not_so_and_what_was_read_stands(wire: Wire):
    wire.provider.then(
        "Hello again. Nice day. I placed your order DB-99999999. Have fun. Bye.",
        "Nothing was ordered so far. Shall I?",
    )
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("hi"))
        said = "Hello again. Nice day.\n\nNothing was ordered so far. Shall I?"
        assert watched.of("m-1/answer") == said == answer_of(await talk.state())
        assert "as far as" in wire.provider.requests[-1].body["messages"][-1]["content"]


async def test_what_contradicts_twice_is_set_right_behind_what_was_read(wire: Wire):
    lie = "Hello again. Nice day. I placed your order DB-99999999. Have fun."
    wire.provider.then(lie, lie)
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("hi"))
        said = answer_of(await talk.state())
        assert watched.of("m-1/answer") == said
        assert said.startswith("Hello again. Nice day.\n\n")
        assert "I placed" not in said
        assert "Have fun." in said


async def test_an_answer_that_broke_off_is_gone_on_with_by_the_next_one(wire: Wire):
    wire.provider.then(cut(Turn(FIVE), 1_200), "Two. That is all.")
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await watched.run(talk, saying("boots or socks?"))
        said = answer_of(await talk.state())
        assert watched.of("m-1/answer") == said
        assert said.endswith("Two. That is all.")


async def test_what_was_removed_is_kept_back_while_an_answer_comes(wire: Wire):
    wire.provider.then([ADD], "It is in.")
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        state = await talk.say("boots, the first")
        name = state.values["cart"].lines[0].name
        await talk.happens("e1", type="remove", sku="BOOT-001")
        wire.provider.then(
            f"Take socks. They are soft. The {name} is better. I like it. Socks, then?"
        )
        await watched.run(talk, saying("what else?"))
        assert name not in watched.of("m-1/answer")
        assert watched.of("m-1/answer") == answer_of(await talk.state())
        assert len(watched.chunks["m-1/answer"]) > 1


async def by_events(talk: Conversation, text: str) -> str:
    """Return an answer as those put it together who watch LangChain's events."""
    seen = ""
    events = talk.graph.astream_events(saying(text), talk.config, version="v2")
    async for event in events:
        if event["event"] == "on_chat_model_stream":
            assert event["data"]["chunk"].id == "m-1/answer"
            seen += event["data"]["chunk"].text
        elif event["event"] == "on_chat_model_end":
            assert seen.endswith(event["data"]["output"].text)
    return seen


async def by_blocks(talk: Conversation, text: str) -> str:
    """Return an answer as those read it who watch by the third protocol of streams."""
    run = await talk.graph.astream_events(saying(text), talk.config, version="v3")
    told: dict[str, str] = {}
    async with run:
        async for message in run.messages:
            pieces = [piece async for piece in message.text]
            assert "".join(pieces) == await message.text
            told[message.message_id or ""] = "".join(pieces)
    return told["m-1/answer"]


LIE = "Hello again. Nice day. I placed your order DB-99999999. Have fun."


@pytest.mark.parametrize("watched", [by_events, by_blocks])
@pytest.mark.parametrize("answer", [FIVE, LIE, "Two"], ids=["true", "false", "short"])
async def test_whoever_watches_in_another_way_reads_what_is_stored_and_nothing_else(
    wire: Wire, watched: Any, answer: str
):
    wire.provider.then(answer, answer)
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        read = await watched(talk, "hi")
        assert read == answer_of(await talk.state())
        assert "I placed" not in read


@pytest.mark.parametrize("watched", [by_events, by_blocks])
async def test_what_was_removed_is_kept_back_from_whoever_watches_in_another_way(
    wire: Wire, watched: Any
):
    wire.provider.then([ADD], "It is in.")
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        await talk.say("boots, the first", "m-0")
        name = (await talk.state()).values["cart"].lines[0].name
        await talk.happens("e1", type="remove", sku="BOOT-001")
        wire.provider.then(f"Take socks. They are soft. The {name} is better. Socks, then?")
        read = await watched(talk, "what else?")
        assert name not in read
        assert read == answer_of(await talk.state())


@pytest.mark.parametrize("watched", [by_events, by_blocks])
async def test_an_answer_that_began_before_a_call_is_read_whole_in_another_way(
    wire: Wire, watched: Any
):
    wire.provider.then(
        Turn("Good choice. I put them into the cart. Wait.", (ADD,)), "They are in. Anything else?"
    )
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        read = await watched(talk, "boots, the first")
        assert read == answer_of(await talk.state())
        assert read.startswith("Good choice.")


async def test_those_who_watch_are_shown_how_far_a_plan_is(wire: Wire, shop: Shop):
    wire.provider.then([ADD], "It is in.", [("checkout", {})], last_result)
    async with wire.agent() as agent:
        talk, watched = Conversation(agent.graph), Watched()
        await talk.say("boots, the first")
        asked = await talk.say("check out")
        await watched.run(talk, Command(resume={"decisions": [{"type": "approve"}]}))
        drawn = [one for one in watched.custom if one.get("type") == "ui"]
        assert {one["id"] for one in drawn} == {asked.values["plan_id"]}
        under_way = [
            step["name"]
            for one in drawn
            for step in one["props"]["actions"][0]["steps"]
            if step["is_under_way"]
        ]
        last = drawn[-1]["props"]["actions"][0]["steps"]
        assert list(dict.fromkeys(under_way)) == [step["name"] for step in last]
        assert {step["state"] for step in last} == {"done"}
        lines = [one["progress"] for one in watched.custom if "progress" in one]
        order = next(step for step in last if step["reference"] and "DB-" in step["reference"])
        assert f"{order['name']}: done {order['reference']}" in lines
        assert "ui" not in (await talk.state()).values
