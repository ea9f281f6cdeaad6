"""What the console needs from its process: the open resources and the graph."""

from __future__ import annotations

from functools import lru_cache

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from daybook.app.console.pages import Refused
from daybook.checkpoints.ledger.search import Search
from daybook.checkpoints.ledger.steps import Questions
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.graph.guarded import GuardedGraph
from daybook.graph.serve import Served, all_at_work
from daybook.nodes.running.work import Resources
from daybook.state.session import Person
from daybook.tools.domain import Domain

NO_THREAD = "You have no such conversation. Nothing was done; your conversations are listed."


def resources(domain: Domain | None = None) -> Resources:
    """Return what the server has opened: for a domain, or for the one that comes first.

    Raises:
        ConfigurationError: it has opened nothing.
    """
    return serving(domain)() if domain else all_at_work()[0]()


def postgres() -> Postgres:
    """Return the open database; all domains are in one."""
    return resources().postgres


def questions() -> Questions:
    """Return what finds the questions that wait."""
    return Questions(postgres().pool)


def search() -> Search:
    """Return what searches the ledger."""
    return Search(postgres().pool)


def domains() -> tuple[Domain, ...]:
    """Return the domains whose threads are shown, the one that comes first first."""
    return tuple(one.domain for one in all_at_work())


def names() -> list[str]:
    """Return the names of the domains whose threads are shown."""
    return [one.name for one in domains()]


def domain_named(name: str | None) -> Domain:
    """Return a domain by its name; the one that comes first for a name that is not known."""
    known = domains()
    return next((one for one in known if one.name == name), known[0])


async def domain_of(thread_id: str, wished: str | None = None) -> Domain:
    """Return the domain of a thread.

    Args:
        wished: the one in which a thread is begun that nobody has begun.

    Raises:
        Refused: it is of a program that is not served here.
    """
    whose = await postgres().threads.whose(thread_id)
    if whose is not None and not is_served(whose.domain):
        raise Refused(
            f"This conversation belongs to the program {whose.domain}, which is not served here. "
            "Nothing was done; only its ledger can be viewed here.",
            409,
        )
    return domain_named(wished if whose is None else whose.domain)


def is_served(domain: str | None) -> bool:
    """Tell whether threads of a domain can be read here, and not their ledger alone."""
    return domain in (None, *names())


async def state_of(thread_id: str, domain: Domain) -> StateSnapshot:
    """Read where a thread stands, straight from Postgres: the server may not know it."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
    served = serving(domain)
    return await _reader(served.graph, served().postgres.saver).aget_state(config)


async def may_see(thread_id: str, person: Person) -> bool:
    """Tell whether a thread is this person's to see; one that nobody has begun is anybody's."""
    if await owner_of(thread_id, person) is not None:
        return True
    return not await search().is_begun(thread_id)


async def owner_of(thread_id: str, person: Person) -> str | None:
    """Return the thread's user; None if there is none, or none that this person may see.

    One of a program that is not served here is shown to staff alone, as far as the ledger tells it.
    """
    whose = await postgres().threads.whose(thread_id)
    if whose is None or whose.is_closed:
        return None
    is_own = whose.user_id == person.user_id and is_served(whose.domain)
    return whose.user_id if is_own or person.is_staff else None


def serving(domain: Domain) -> Served:
    """Return what serves a domain."""
    return next(one for one in all_at_work() if one.domain is domain)


@lru_cache(maxsize=8)
def _reader(graph: GuardedGraph, saver: FencedSaver) -> GuardedGraph:
    """Make a graph with a checkpointer of its own, to read by; runs go through the server."""
    return graph.copy({"checkpointer": saver})
