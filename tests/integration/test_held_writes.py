"""What a node wrote waits for its checkpoint: it is stored once, and where no checkpoint comes."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.types import Interrupt

from daybook.checkpoints.postgres import Postgres
from daybook.state.fault_points import arm
from daybook.testing.model import last_result
from tests.conftest import Agent
from tests.conversation import Conversation, answer_of
from tests.cuts import Cut, Fuse

A_TASK = "11111111-1111-1111-1111-111111111111"


async def _stored(postgres: Postgres, parent: Any) -> Any:
    """Put a checkpoint."""
    checkpoint: Any = {**empty_checkpoint(), "channel_values": {}, "channel_versions": {}}
    return await postgres.saver.aput(parent, checkpoint, {"step": 0}, {})


async def _writes(postgres: Postgres, config: Any) -> Any:
    found = await postgres.saver.aget_tuple(config)
    assert found is not None
    return found.pending_writes


@pytest.fixture
def begun() -> Any:
    return {"configurable": {"thread_id": str(uuid.uuid4()), "checkpoint_ns": ""}}


async def test_what_a_node_wrote_goes_when_its_checkpoint_is_stored(postgres: Postgres, begun: Any):
    saver, first = postgres.saver, await _stored(postgres, begun)
    with saver.holding(begun["configurable"]["thread_id"]):
        await saver.aput_writes(first, [("a", [2])], A_TASK)
        await saver.aput_writes(first, [("__return__", "receipt")], "22222222")
        assert await _writes(postgres, first) == []
        await _stored(postgres, first)
    assert await _writes(postgres, first) == [("22222222", "__return__", "receipt")]


async def test_a_question_stores_what_was_written_beside_it(postgres: Postgres, begun: Any):
    saver, first = postgres.saver, await _stored(postgres, begun)
    asks = (Interrupt("may I?", id="q-1"),)
    with saver.holding(begun["configurable"]["thread_id"]):
        await saver.aput_writes(first, [("a", [2])], A_TASK)
        await saver.aput_writes(first, [("__interrupt__", asks)], "22222222")
    written = await _writes(postgres, first)
    assert sorted(written) == [(A_TASK, "a", [2]), ("22222222", "__interrupt__", [*asks])]
    assert await saver.questions(begun["configurable"]["thread_id"]) == {"22222222": [*asks]}


async def test_a_run_that_ends_without_a_checkpoint_leaves_nothing_to_the_next_one(
    postgres: Postgres, begun: Any
):
    saver, first = postgres.saver, await _stored(postgres, begun)
    thread_id = begun["configurable"]["thread_id"]
    with saver.holding(thread_id):
        await saver.aput_writes(first, [("a", ["of the run that died"])], A_TASK)
    with saver.holding(thread_id):
        await saver.aput_writes(first, [("__interrupt__", (Interrupt("?", id="q"),))], "22222222")
    assert [channel for _, channel, _ in await _writes(postgres, first)] == ["__interrupt__"]


async def test_a_read_that_waits_and_a_refusal_behind_it_have_handles_of_their_own(agent: Agent):
    calls = [("search_products", {"query": "socks"}), ("add_to_cart", {"sku": "NO-SUCH"})]
    agent.model.then([*calls, ("get_reviews", {"sku": "BOOT-001"})], "There.")
    talk = Conversation(agent.graph)
    assert answer_of(await talk.say("socks?")) == "There."
    turn_id = (await talk.state()).values["turn"]["turn_id"]
    reads = await agent.resources.postgres.reads.of_turns(talk.thread_id, [turn_id])
    assert [read.handle for read in reads] == [1, 2, 3]
    assert sorted(read.cache for read in reads) == ["failed", "miss", "miss"]


@pytest.mark.parametrize("goes_on", ["same message", "resumed"])
async def test_whatever_moment_a_turn_dies_at_after_a_record_the_model_is_not_asked_again(
    agent: Agent, goes_on: str
):
    moments = await _moments_of(agent)
    unrecorded = {"before_commit:decided"}
    assert {"before_checkpoint:put", "after_commit:turn_done"} <= set(moments)
    records = ("before_checkpoint", "after_commit", "before_commit:decided")
    for at, moment in enumerate(moments):
        if not moment.startswith(records):
            continue
        talk = Conversation(agent.graph)
        _look_and_answer(agent)
        before = agent.model.asked
        with cut_after(at):
            await talk.say("any socks?", "m-1")
        agent.model.then(*([last_result] if moment in unrecorded else []))
        if goes_on == "resumed" and (await talk.state()).next:
            await talk.run(None)
        else:
            await talk.say("any socks?", "m-1")
        asked = agent.model.asked - before
        assert asked <= 2 + (moment in unrecorded), f"{at}: {moment}"
        assert answer_of(await talk.state()), f"{at}: {moment}"
        agent.model.script.clear()


def _look_and_answer(agent: Agent) -> None:
    agent.model.then([("search_products", {"query": "wool socks"})], "There are wool socks.")


async def _moments_of(agent: Agent) -> list[str]:
    """Name the moments that a turn reaches, in order."""
    reached: list[str] = []
    arm(lambda point, about: reached.append(f"{point}:{about}" if about else str(point)))
    try:
        _look_and_answer(agent)
        await Conversation(agent.graph).say("any socks?", "m-1")
    finally:
        arm(None)
    return reached


@contextmanager
def cut_after(moments: int) -> Iterator[None]:
    """End the run of the block at one moment, and let nothing come after it."""
    fuse = Fuse()
    fuse.light(moments)
    arm(lambda point, about: fuse.passes())
    try:
        with pytest.raises(Cut):
            yield
    finally:
        arm(None)
