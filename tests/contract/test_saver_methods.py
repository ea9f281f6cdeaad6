"""What the server asks a checkpointer of one's own for: a release that asks for more is seen here."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver

from daybook.checkpoints.runs.saver import FencedSaver
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.purchases import asked_to_buy

METHODS = {"aget_iter", "adelete_thread", "adelete_for_runs", "acopy_thread", "aprune"}

OF_THE_SERVER = {"aget_iter"}
"""Which the server's own adapter makes up out of `aget_tuple`."""


def test_the_server_looks_for_these_methods_and_the_saver_has_each():
    spec = find_spec("langgraph_api")
    assert spec is not None
    assert spec.origin is not None
    adapter = (Path(spec.origin).parent / "_checkpointer" / "_adapter.py").read_text()
    assert set(re.findall(r'_is_overridden\(inner_type, "(\w+)"\)', adapter)) == METHODS
    for name in METHODS - OF_THE_SERVER:
        ours, base = getattr(FencedSaver, name), getattr(BaseCheckpointSaver, name)
        assert ours is not base, name


async def test_a_copied_thread_is_the_same_conversation_and_a_deleted_one_is_gone(agent: Agent):
    talk = await asked_to_buy(agent)
    saver = agent.resources.postgres.saver
    copy = Conversation(agent.graph, "ada")
    await saver.acopy_thread(talk.thread_id, copy.thread_id)
    there, here = await talk.state(), await copy.state()
    assert here.values == there.values
    assert here.next == there.next
    assert [one.value for one in here.interrupts] == [one.value for one in there.interrupts]
    past = [[one.next async for one in c.graph.aget_state_history(c.config)] for c in (talk, copy)]
    assert past[0] == past[1]
    await saver.aprune([copy.thread_id])
    assert (await copy.state()).values == there.values, "what is old went when its turn ended"
    await saver.aprune([copy.thread_id], strategy="delete_all")
    assert (await copy.state()).values == {}
    assert (await talk.state()).values == there.values


@pytest.mark.parametrize("name", ["checkpoint_id", "checkpoint_ns", "thread_id"])
@pytest.mark.parametrize("sign", ["\x00", "\ud800"])
async def test_what_no_row_can_be_called_is_not_there(agent: Agent, name: str, sign: str):
    talk = await asked_to_buy(agent)
    saver = agent.resources.postgres.saver
    place = {"thread_id": talk.thread_id, "checkpoint_ns": "", name: f"1f{sign}"}
    assert await saver.aget_tuple({"configurable": place}) is None
    assert [one async for one in saver.alist({"configurable": place})] == []
    before = [one async for one in saver.alist(talk.config, before={"configurable": place})]
    assert before == []
