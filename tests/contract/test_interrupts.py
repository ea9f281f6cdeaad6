"""What `interrupt()` and the answers to it do: approvals are built on nothing else."""

from typing import Annotated, Any, Literal

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt
from pydantic import BaseModel, Field, create_model
from typing_extensions import TypedDict

from daybook.nodes.effects.engine import Ask
from daybook.nodes.questions import answer_to
from daybook.state.errors import InputRefused

from .database import Pool, stored_rows


class State(TypedDict, total=False):
    plan: str
    answer: str


class Decision(BaseModel):
    type: Literal["approve", "reject"]


Answer = create_model(
    "Answer", decisions=(Annotated[list[Decision], Field(min_length=1, max_length=1)], ...)
)
GOOD = {"decisions": [{"type": "approve"}]}
OTHER = {"decisions": [{"type": "reject"}]}
BAD: dict[str, list[object]] = {"decisions": []}

Graph = CompiledStateGraph[State, None, State, State]


class Approver:
    """The node that asks; it notes what it did and may fail before or after it asks."""

    def __init__(self) -> None:
        self.did: list[object] = []
        self.fails: Literal["before", "after", "never"] = "never"

    async def approve(self, state: State) -> State:
        self.did.append("entered")
        if self.fails == "before":
            raise RuntimeError("failed before it asked")
        answer: Any = answer_to(Ask("q-1", {"plan": state.get("plan")}, Answer, ""))
        self.did.append(answer)
        if self.fails == "after":
            raise RuntimeError("failed after the answer")
        return {"answer": answer.decisions[0].type}


@pytest.fixture
def node() -> Approver:
    return Approver()


@pytest.fixture
def graph(node: Approver, saver: AsyncPostgresSaver) -> Graph:
    builder = StateGraph(State).add_node("approve", node.approve).add_edge(START, "approve")
    return builder.compile(checkpointer=saver)


async def ask(graph: Graph, thread: RunnableConfig, plan: str = "tea") -> Interrupt:
    """Start a turn that ends with a question; return the question."""
    await graph.ainvoke({"plan": plan}, thread, durability="sync")
    return await pending(graph, thread)


async def answer(graph: Graph, thread: RunnableConfig, value: object) -> Any:
    result: Any = await graph.ainvoke(Command(resume=value), thread, durability="sync")
    return result


async def pending(graph: Graph, thread: RunnableConfig) -> Interrupt:
    [question] = (await graph.aget_state(thread)).interrupts
    return question


async def test_the_answer_arrives_as_an_instance_of_what_it_must_be(graph, node, thread):
    """`approve` asks with a type built for this plan and works on a validated object.

    Why nothing but reads may stand before the interrupt in it: that code runs again on resume.
    """
    question = await ask(graph, thread)
    state = await answer(graph, thread, GOOD)

    assert question.value == {"plan": "tea"}
    assert node.did[:2] == ["entered", "entered"]
    assert isinstance(node.did[-1], Answer)
    assert state["answer"] == "approve"


async def test_a_bare_bad_answer_is_stored_and_replayed_until_a_good_one_replaces_it(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """Why GuardedGraph names the interrupt in every answer: the worker resumes with None."""
    await ask(graph, thread)
    with pytest.raises(InputRefused):
        await answer(graph, thread, BAD)

    stored = (await stored_rows(pool, thread))["checkpoint_writes"]
    assert "__resume__" in {row["channel"] for row in stored}
    with pytest.raises(InputRefused):
        await graph.ainvoke(None, thread, durability="sync")
    assert (await answer(graph, thread, GOOD))["answer"] == "approve"


async def test_a_bad_answer_that_names_its_interrupt_leaves_only_a_note_of_the_error(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """An answer by id is what GuardedGraph makes of a bare one: nothing can be replayed."""
    question = await ask(graph, thread)
    before = await stored_rows(pool, thread)
    with pytest.raises(InputRefused):
        await answer(graph, thread, {question.id: BAD})

    after = await stored_rows(pool, thread)
    new = [row for row in after["checkpoint_writes"] if row not in before["checkpoint_writes"]]
    assert [row["channel"] for row in new] == ["__error__"]
    await graph.ainvoke(None, thread, durability="sync")
    assert await pending(graph, thread) == question
    assert (await answer(graph, thread, {question.id: GOOD}))["answer"] == "approve"


async def test_an_answer_that_names_another_interrupt_changes_nothing_and_a_bare_one_answers(
    graph: Graph, thread: RunnableConfig
) -> None:
    """A click on yesterday's approval is harmless when it names it, and else grants today's."""
    yesterday, today = await ask(graph, thread, "tea"), await ask(graph, thread, "caviar")
    state = await answer(graph, thread, {yesterday.id: GOOD})
    assert today.id != yesterday.id
    assert "answer" not in state
    assert await pending(graph, thread) == today
    assert await answer(graph, thread, GOOD) == {"plan": "caviar", "answer": "approve"}


@pytest.mark.parametrize("other", [True, False], ids=["answered otherwise", "restarted"])
async def test_after_an_error_behind_the_interrupt_the_first_answer_stands_for_ever(
    graph: Graph, node: Approver, thread: RunnableConfig, other: bool
) -> None:
    """Why `approve` never raises after `interrupt()`; and a restart needs no second answer."""
    question = await ask(graph, thread)
    node.fails = "after"
    with pytest.raises(RuntimeError, match="after the answer"):
        await answer(graph, thread, {question.id: GOOD})
    node.fails = "never"

    given = Command(resume={question.id: OTHER}) if other else None
    state = await graph.ainvoke(given, thread, durability="sync")
    assert state["answer"] == "approve"


async def test_new_input_and_an_update_of_the_state_drop_the_pending_question(graph, node, thread):
    """A plan that waits must be withdrawn or asked about again: LangGraph forgets it silently.

    Why the auth rules deny `update_state`: an approval would vanish and its node stay next.
    """
    first = await ask(graph, thread, "tea")
    second = await ask(graph, thread, "milk")
    assert second.id != first.id
    assert second.value == {"plan": "milk"}
    assert node.did == ["entered", "entered"]

    await graph.aupdate_state(thread, {"plan": "salt"})
    state = await graph.aget_state(thread)
    assert state.interrupts == ()
    assert state.next == ("approve",)
