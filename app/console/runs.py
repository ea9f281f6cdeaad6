"""Run threads through the server's own API, so that Studio and other clients see the same runs.

The way in is the server's own (`daybook.app.server.inside`): it asks nobody to sign in. Who is
signed in at the console is told to the graph here, and nothing of it comes from the browser.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from daybook.app.server.inside import for_owner, inside, is_over
from daybook.app.server.run_rules import unfinished_runs
from daybook.state.errors import DaybookError, InputRefused, ServiceUnavailable, ThreadBusy
from daybook.state.people.tool_messages import is_called
from daybook.state.session import Person

T = TypeVar("T")

_FROM_THE_START = "-1"
_ANSWERS = frozenset({"decide", "respond", "model"})
"""The nodes whose messages are the answer; the first one streams it, an agent's node comes last."""

_MOST_KEPT = 1_000


@dataclass(frozen=True)
class Begun:
    """A run that was begun here, by whom, and in whose thread."""

    run_id: str
    person: Person
    owner: str


@dataclass(frozen=True)
class RunSays:
    """Something that a run tells: "progress", "answer" so far or "refusal", and its words."""

    kind: str
    words: str


_latest: dict[str, Begun] = {}
"""Thread to its last run that was started here."""

_graph_ids: dict[str, str] = {}
"""Domain to the name of its graph at the server."""

_refusals: dict[str, str] = {}
"""Run to the error that ended it, for the page that loads when it has ended."""


async def start(
    thread_id: str,
    person: Person,
    owner: str,
    domain: str,
    *,
    given: Mapping[str, Any] | None = None,
    answer: Mapping[str, Any] | None = None,
) -> str:
    """Begin a run of a thread and return its id.

    Args:
        owner: the thread's user, or will be.
        domain: the name of that of the thread.
        given: input; None goes on with what was cut off.
        answer: to the question that waits, instead of input.

    Raises:
        InputRefused: the server takes no thread of such a name.
        TooMany: too many runs of the owner have not ended.
        ThreadBusy: another run of the thread is in progress.
        ServiceUnavailable: the server took it not, for whatever reason.
    """
    _check_name(thread_id)
    # A run works for the thread's user: staff may answer many people at once.
    counted = await unfinished_runs().begin(owner, thread_id)
    try:
        counted.run_id = await _created(thread_id, person, owner, domain, given, answer)
    except DaybookError:
        unfinished_runs().end(owner, counted)
        raise
    _keep(_latest, thread_id, Begun(counted.run_id, person, owner))
    return counted.run_id


async def _created(
    thread_id: str,
    person: Person,
    owner: str,
    domain: str,
    given: Mapping[str, Any] | None,
    answer: Mapping[str, Any] | None,
) -> str:
    client = inside()
    who = {"user_id": person.user_id, "role": person.role, "token_id": person.token_id}
    try:
        # It may have begun in a terminal, or before the server's registry was lost.
        await client.threads.create(
            thread_id=thread_id,
            if_exists="do_nothing",
            metadata={"owner": owner},
            graph_id=await _graph_id(domain),
            headers=for_owner(owner),
        )
        run = await client.runs.create(
            thread_id,
            await _graph_id(domain),
            input=dict(given) if given is not None else None,
            command={"resume": dict(answer)} if answer is not None else None,
            config={"configurable": who},
            stream_mode=["custom", "messages-tuple"],
            stream_resumable=True,
            multitask_strategy="reject",
            durability="sync",
            headers=for_owner(owner),
        )
    except httpx.HTTPStatusError as error:
        if error.response.status_code == 409:
            raise ThreadBusy(
                "This conversation is busy. Nothing was done; try again when it has finished."
            ) from error
        raise ServiceUnavailable(
            f"The server did not start the run ({error.response.status_code}). Nothing was done; "
            "try again."
        ) from error
    return str(run["run_id"])


async def under_way(thread_id: str) -> str | None:
    """Return the run of a thread that was begun here and is not over."""
    begun = _latest.get(thread_id)
    if begun is None:
        return None
    if not await is_over(thread_id, begun.run_id, begun.owner):
        return begun.run_id
    _latest.pop(thread_id, None)
    return None


def is_begun_by(thread_id: str, person: Person) -> bool:
    """Tell whether the last run of a thread was begun here by this person."""
    begun = _latest.get(thread_id)
    return begun is not None and begun.person == person


async def follow(thread_id: str, run_id: str) -> AsyncIterator[RunSays]:
    """Tell what a run tells, from its beginning until it is over."""
    said: dict[str, str] = {}
    # Without modes: those that are named would leave out its errors.
    begun = _latest.get(thread_id)
    whose = for_owner(begun.owner) if begun else {}
    async for part in inside().runs.join_stream(
        thread_id, run_id, last_event_id=_FROM_THE_START, headers=whose
    ):
        data: Any = part.data
        match part.event, data:
            case "custom", {"progress": line}:
                yield RunSays("progress", ", ".join(filter(None, [data.get("at"), str(line)])))
            case "messages", [{"content": str(text), "id": str(name)}, {"langgraph_node": node}]:
                if node in _ANSWERS and text and not is_called(name):
                    said[name] = said.get(name, "") + text
                    yield RunSays("answer", said[name])
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


async def _graph_id(domain: str) -> str:
    """Return by what name langgraph.json serves a domain: mostly its own."""
    if domain not in _graph_ids:
        known = {str(one["graph_id"]) for one in await inside().assistants.search(limit=100)}
        _graph_ids[domain] = domain if domain in known or len(known) != 1 else known.pop()
    return _graph_ids[domain]


def _check_name(thread_id: str) -> None:
    try:
        is_its_own = str(uuid.UUID(thread_id)) == thread_id
    except ValueError:
        is_its_own = False
    # Another spelling of a UUID is another thread here, and the same one at the server.
    if not is_its_own:
        raise InputRefused(
            f"The server supports only threads whose id is a UUID, and this one is {thread_id}. "
            f"Nothing was done; continue it with: daybook chat --thread {thread_id}"
        )
