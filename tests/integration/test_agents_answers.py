"""Whose answer is taken, to which question, by an agent of `create_agent` under the middleware."""

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from psycopg import OperationalError

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import (
    DatabaseUnavailable,
    ForeignThread,
    InputRefused,
    NothingPending,
    ThreadBusy,
)
from tests.conftest import Shop
from tests.cuts import Cut, CutLedger, Fuse
from tests.integration.desk import CHARGE, TIP, YES, Desk, open_desk


async def test_an_answer_is_never_given_to_the_next_question(desk: Desk, shop: Shop):
    shop.fault("charges", "drop", times=2)
    desk.model.then([TIP, TIP], "thanks")
    await desk.say("tip them twice")
    [first] = (await desk.answer(YES)).interrupts
    [second] = (await desk.answer({"type": "respond", "message": "it happened"})).interrupts
    assert (first.value["in_doubt"], "in_doubt" in second.value) != ("", True)
    [still] = (await desk.go_on()).interrupts
    assert still.value["approval_id"] == second.value["approval_id"]
    [doubt] = (await desk.answer(YES)).interrupts
    assert doubt.value["in_doubt"] != first.value["in_doubt"]


async def test_an_answer_is_not_given_to_a_question_that_nobody_has_seen(
    desk: Desk, postgres: Postgres, shop: Shop
):
    desk.model.then([CHARGE], "done")
    kept, fuse = postgres.ledger, Fuse()
    postgres.ledger = CutLedger(postgres, fuse, "before")
    fuse.light(1)
    with pytest.raises(Cut):
        await desk.say("charge me")
    postgres.ledger = kept
    assert not (await desk.state()).interrupts
    assert len((await desk.answer(YES)).interrupts) == 1
    assert len((await desk.go_on()).interrupts) == 1
    assert shop.happened() == []
    await desk.answer(YES)
    assert shop.happened() == ["charge"]


async def test_an_answer_that_does_not_fit_or_is_a_strangers_or_names_no_question_counts_for_nobody(
    desk: Desk, postgres: Postgres, shop: Shop
):
    desk.model.then([CHARGE], "done")
    await desk.say("charge me")
    with pytest.raises(InputRefused, match="the question is still open"):
        await desk.resume(YES, YES)
    assert len((await desk.state()).interrupts) == 1
    assert len((await desk.go_on()).interrupts) == 1
    await answered_by_a_stranger(desk, ForeignThread)
    assert len((await desk.go_on()).interrupts) == 1, "it is not kept for the owner's next run"
    # Its process may die before it is refused, and another run of the thread may come between.
    where = (await desk.state()).config
    null_task = "00000000-0000-0000-0000-000000000000"
    await postgres.saver.aput_writes(where, [("__resume__", {"decisions": [YES]})], null_task)
    assert len((await desk.go_on()).interrupts) == 1
    assert shop.happened() == []
    await desk.answer(YES)
    assert shop.happened() == ["charge"]


async def test_an_answer_of_a_stranger_that_is_stored_late_is_not_kept_either(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    """The run stores an answer beside its nodes: on a busy machine, after they have refused it."""
    saver, late = InMemorySaver(), asyncio.Event()
    put, get = saver.aput_writes, saver.aget_tuple
    looks: list[Any] = []

    async def put_late(config: Any, writes: Any, *where: Any) -> None:
        if ("__resume__", None) in writes or "__resume__" not in dict(writes):
            await put(config, writes, *where)
            late.set()
        else:
            await late.wait()
            await put(config, writes, *where)

    async def get_and_count(config: Any) -> Any:
        looks.append(config)
        if len(looks) == 6:
            late.set()
        return await get(config)

    async with open_desk(postgres, shop.url, saver=saver) as desk:
        desk.model.then([CHARGE], "done")
        await desk.say("charge me")
        monkeypatch.setattr(saver, "aput_writes", put_late)
        monkeypatch.setattr(saver, "aget_tuple", get_and_count)
        await answered_by_a_stranger(desk, ForeignThread)
        monkeypatch.undo()
        assert len((await desk.go_on()).interrupts) == 1
    assert shop.happened() == []


@pytest.mark.parametrize(
    ("what", "whose"),
    [
        ("its removal", "another"),
        ("the plan", "ours"),
        ("the owner", "another"),
        pytest.param("the plan", "another", marks=pytest.mark.long),
        pytest.param("the owner", "ours", marks=pytest.mark.long),
    ],
)
async def test_an_answer_of_a_stranger_is_not_kept_where_its_run_fails(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch, what: str, whose: str
):
    """The database may go away between the storing of an answer and its refusal."""
    saver: BaseCheckpointSaver[Any] = InMemorySaver() if whose == "another" else postgres.saver
    failing: Any = {
        "its removal": (saver, "aget_tuple"),
        "the plan": (postgres.ledger, "open_plan"),
        "the owner": (postgres.threads, "owner_for"),
    }[what]
    real = getattr(*failing)
    calls = []

    async def fails(*given: Any) -> Any:
        calls.append(given)
        # The run begins by reading its own checkpoint.
        if len(calls) == (2 if what == "its removal" else 1):
            raise OperationalError("the connection was lost")
        return await real(*given)

    async with open_desk(postgres, shop.url, saver=saver) as desk:
        desk.model.then([CHARGE], "done")
        await desk.say("charge me")
        monkeypatch.setattr(*failing, fails)
        is_refused = what == "its removal"
        await answered_by_a_stranger(desk, ForeignThread if is_refused else DatabaseUnavailable)
        monkeypatch.undo()
        assert len((await desk.go_on()).interrupts) == 1
    assert shop.happened() == []


async def answered_by_a_stranger(desk: Desk, raises: type[Exception]) -> None:
    stranger = {"configurable": {"thread_id": desk.thread, "user_id": "bob"}}
    with pytest.raises(raises):
        await desk.agent.ainvoke(Command(resume={"decisions": [YES]}), stranger)


async def test_two_answers_at_once_do_it_once(desk: Desk, shop: Shop):
    desk.model.then([TIP], "thanks", "thanks")
    await desk.say("tip them")
    came = await asyncio.gather(desk.answer(YES), desk.answer(YES), return_exceptions=True)
    assert {type(one) for one in came if isinstance(one, Exception)} <= {ThreadBusy}
    assert shop.happened() == ["charge"]


async def test_a_guarded_agent_takes_messages_and_answers_and_nothing_else(desk: Desk, shop: Shop):
    assert desk.ledger is not None
    desk.agent = desk.ledger.guarded(desk.agent)
    desk.model.then([CHARGE], "done")
    with pytest.raises(NothingPending):
        await desk.answer(YES)
    await desk.say("charge me")
    stranger = {"configurable": {"thread_id": desk.thread, "user_id": "bob"}}
    with pytest.raises(ForeignThread):
        await desk.agent.ainvoke(Command(resume={"decisions": [YES]}), stranger)
    with pytest.raises(InputRefused):
        await desk.agent.ainvoke(Command(goto="tools"), desk.config)
    with pytest.raises(InputRefused, match="the question is still open"):
        await desk.resume(YES, YES)
    await desk.answer(YES)
    assert shop.happened() == ["charge"]
    assert await desk.said() == "done"
    assert await desk.ledger.recover(desk.agent, desk.thread) == "finished"
