"""Run threads through the server's own API, so that Studio and other clients see the same runs.

The way in is the server's own, within the process: it asks nobody to sign in. Who is signed in at
the console is told to the graph here, and nothing of it comes from the browser.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from daybook.app.console import house
from daybook.state.errors import InputRefused, ServiceUnavailable, ThreadBusy
from daybook.state.session import Person

T = TypeVar("T")

_FROM_THE_START = "-1"
_ANSWERS = "respond"
"""The node whose messages are the answer."""

_MOST_KEPT = 1_000


@dataclass(frozen=True)
class Begun:
    """A run that was begun here, and by whom."""

    run_id: str
    person: Person


@dataclass(frozen=True)
class RunSays:
    """Something that a run tells: "progress", "answer" or "refusal", and its words."""

    kind: str
    words: str


_latest: dict[str, Begun] = {}
"""Thread to the last run of it that was begun here."""

_graph_ids: dict[str, str] = {}
"""Domain to the name of its graph at the server."""

_refusals: dict[str, str] = {}
"""Run to why it ended with an error, for the page that is loaded when it is over."""


async def start(
    thread_id: str,
    person: Person,
    owner: str,
    *,
    given: Mapping[str, Any] | None = None,
    answer: Mapping[str, Any] | None = None,
) -> str:
    """Begin a run of a thread and return its id.

    Args:
        owner: whose thread it is, or will be.
        given: input; None goes on with what was cut off.
        answer: to the question that waits, instead of input.

    Raises:
        InputRefused: the server takes no thread of such a name.
        ThreadBusy: another run of the thread is under way.
        ServiceUnavailable: the server took it not, for whatever reason.
    """
    _check_name(thread_id)
    client = _client()
    try:
        # It may have begun in a terminal, or before the server's registry was lost.
        await client.threads.create(
            thread_id=thread_id,
            if_exists="do_nothing",
            metadata={"owner": owner},
            graph_id=await _graph_id(),
        )
        run = await client.runs.create(
            thread_id,
            await _graph_id(),
            input=dict(given) if given is not None else None,
            command={"resume": dict(answer)} if answer is not None else None,
            config={"configurable": {"user_id": person.user_id, "role": person.role}},
            stream_mode=["custom", "messages-tuple"],
            stream_resumable=True,
            multitask_strategy="reject",
            durability="sync",
        )
    except httpx.HTTPStatusError as error:
        if error.response.status_code == 409:
            raise ThreadBusy(
                "Something is being done in this conversation right now. Nothing of this was "
                "done; try again when it is through."
            ) from error
        raise ServiceUnavailable(
            f"The server did not begin this ({error.response.status_code}). Nothing was done; try "
            "again."
        ) from error
    run_id = str(run["run_id"])
    _keep(_latest, thread_id, Begun(run_id, person))
    return run_id


async def under_way(thread_id: str) -> str | None:
    """Return the run of a thread that was begun here and is not over."""
    begun = _latest.get(thread_id)
    if begun is None:
        return None
    try:
        run = await _client().runs.get(thread_id, begun.run_id)
    except httpx.HTTPStatusError:
        run = None
    if run is not None and run["status"] in ("pending", "running"):
        return begun.run_id
    _latest.pop(thread_id, None)
    return None


def is_begun_by(thread_id: str, person: Person) -> bool:
    """Tell whether the last run of a thread was begun here by this person."""
    begun = _latest.get(thread_id)
    return begun is not None and begun.person == person


async def follow(thread_id: str, run_id: str) -> AsyncIterator[RunSays]:
    """Tell what a run tells, from its beginning until it is over."""
    # Without modes: those that are named would leave out its errors.
    async for part in _client().runs.join_stream(thread_id, run_id, last_event_id=_FROM_THE_START):
        data: Any = part.data
        match part.event, data:
            case "custom", {"progress": line}:
                yield RunSays("progress", str(line))
            case "messages", [{"content": str(text)}, {"langgraph_node": node}]:
                if node == _ANSWERS and text:
                    yield RunSays("answer", text)
            case "error", {"message": str(words)}:
                _keep(_refusals, run_id, words)
                yield RunSays("refusal", words)


def refusal_of(run_id: str) -> str:
    """Return why a run that was followed here ended with an error, or nothing."""
    return _refusals.get(run_id, "")


def _keep(kept: dict[str, T], name: str, what: T) -> None:
    """Keep something, and forget the oldest of too many: a page may be closed at any time."""
    kept[name] = what
    if len(kept) > _MOST_KEPT:
        kept.pop(next(iter(kept)))


async def _graph_id() -> str:
    """Return by what name langgraph.json serves the domain: mostly its own."""
    own = house.domain()
    if own not in _graph_ids:
        known = {str(one["graph_id"]) for one in await _client().assistants.search(limit=100)}
        _graph_ids[own] = own if own in known or len(known) != 1 else known.pop()
    return _graph_ids[own]


def _check_name(thread_id: str) -> None:
    try:
        uuid.UUID(thread_id)
    except ValueError as error:
        raise InputRefused(
            f"The server takes only threads whose name is a UUID, and this one is called "
            f"{thread_id}. Nothing was done; go on with it by: daybook chat --thread {thread_id}"
        ) from error


@cache
def _client() -> LangGraphClient:
    # Not when this module is imported: the server is not there yet.
    return get_client(api_key=None)
