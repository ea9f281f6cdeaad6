"""What the console finds in the process that it runs in: the open resources, and the graph."""

from __future__ import annotations

from functools import lru_cache

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from daybook.checkpoints.ledger.questions import Questions
from daybook.checkpoints.ledger.search import Search
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.graph.guarded import GuardedGraph
from daybook.graph.serve import at_work
from daybook.nodes.running.work import Resources
from daybook.state.session import Person
from daybook.tools.domain import Domain

NO_THREAD = "There is no such conversation of yours. Nothing was done; yours are listed."


def resources() -> Resources:
    """Return what the server has opened.

    Raises:
        ConfigurationError: it has opened nothing.
    """
    return at_work()()


def postgres() -> Postgres:
    """Return the open database."""
    return resources().postgres


def questions() -> Questions:
    """Return what finds the questions that wait."""
    return Questions(postgres().pool)


def search() -> Search:
    """Return what searches the ledger."""
    return Search(postgres().pool)


def served_domain() -> Domain:
    """Return the domain whose threads are shown."""
    return at_work().domain


def domain() -> str:
    """Name the domain whose threads are shown."""
    return served_domain().name


async def state_of(thread_id: str) -> StateSnapshot:
    """Read where a thread stands, straight from Postgres: the server may not know it."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
    return await _reader(postgres().saver).aget_state(config)


async def may_see(thread_id: str, person: Person) -> bool:
    """Tell whether a thread is this person's to see; one that nobody has begun is anybody's."""
    if await owner_of(thread_id, person) is not None:
        return True
    return not await search().is_begun(thread_id)


async def owner_of(thread_id: str, person: Person) -> str | None:
    """Return whose thread it is; None where there is none, or none that this person may see."""
    owner = await postgres().threads.owner_of(thread_id)
    return owner if owner == person.user_id or person.is_staff else None


@lru_cache(maxsize=1)
def _reader(saver: FencedSaver) -> GuardedGraph:
    """Make the graph with a checkpointer of its own, to read by; runs go through the server."""
    return at_work().graph.copy({"checkpointer": saver})
