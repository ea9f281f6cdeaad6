"""Access rules of the LangGraph server; langgraph.json names `auth`.

Threads belong to people. Whose one is stands in our own table as soon as it has begun: the server's
registry, which dies with it, is believed only about threads that are still empty. What no handler
here allows is refused.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Mapping
from functools import cache
from typing import Any, NoReturn, TypeVar

from langgraph_sdk import Auth
from starlette.exceptions import HTTPException

from daybook.app.server.inside import without_head
from daybook.app.server.layers import NO_THREAD
from daybook.app.server.redaction import SUPERSTEPS
from daybook.app.server.refusals import denied, seconds_of
from daybook.app.server.run_rules import NO_WORDS, fault_in, named_in, unfinished_runs
from daybook.app.server.sign_in import owner_of, signed_in
from daybook.state.errors import DatabaseUnavailable, NotSignedIn, TooMany
from daybook.state.session import ROLES, Person

T = TypeVar("T")
Filter = dict[str, Any] | None

_LOG = logging.getLogger(__name__)

_OPERATOR = ROLES[-1]

auth = Auth()


@cache
def _warn() -> None:
    """Say once that the server runs without tokens."""
    _LOG.warning(
        "Authentication is disabled: any local client can act as any user. Other machines are not "
        "served. The first `daybook token USER` ends this."
    )


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> dict[str, Any]:
    """Take a token for its user; without any token made, whoever is at this machine."""
    try:
        person = await signed_in(scope)
    except NotSignedIn as refusal:
        denied("a request to the server")
        raise Auth.exceptions.HTTPException(status_code=401, detail=str(refusal)) from None
    except DatabaseUnavailable as error:
        # Of the server's own kind: another one it would log and answer with 500.
        raise HTTPException(status_code=503, detail=str(error)) from None
    if person is None:
        _warn()
        # Nobody in particular: who it is then is taken from what the client says.
        return {"identity": "", "role": ROLES[0], "signed_in": False, "permissions": []}
    if scope.get(SUPERSTEPS) and person.role != _OPERATOR:
        denied("threads.create with supersteps", person)
        raise Auth.exceptions.HTTPException(
            status_code=403,
            detail="A thread starts empty: supersteps would write its state. Nothing was done.",
        )
    return {
        "identity": person.user_id,
        "display_name": person.user_id,
        "role": person.role,
        "signed_in": True,
        # By which a run that waits for its turn is looked at once more when it begins.
        "token_id": person.token_id,
        "permissions": [person.role],
    }


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Refuse what nothing below allows: the store, crons, and whatever a later server adds."""
    if _person(ctx) is not None:
        _refuse(ctx, f"{ctx.resource}.{ctx.action} is not offered here.")


@auth.on.assistants.read  # type: ignore[arg-type]
@auth.on.assistants.search
async def see_assistants(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Let everybody see what runs here."""


@auth.on.assistants
async def change_assistant(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Let operators change assistants."""
    _for_operators(ctx, "Only operators may change assistants.")


@auth.on.assistants.delete
async def delete_assistant(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Delete none: without the one of the graph nobody is served until the server starts again."""
    if _person(ctx) is not None:
        _refuse(ctx, "Assistants cannot be deleted: langgraph.json lists them.")


@auth.on.threads.create
async def create_thread(ctx: Auth.types.AuthContext, value: Auth.types.ThreadsCreate) -> Filter:
    """Give a thread to whoever creates it; one that was lost, to whoever it belongs to."""
    person = _person(ctx)
    if person is None:
        return None
    if "metadata" not in value:
        _refuse(ctx, "Threads cannot be copied: the copy would claim the original's effects.")
    owner = await _owner(value.get("thread_id"))
    if owner not in (None, person.user_id) and not person.is_staff:
        _refuse(ctx, "This thread belongs to another user.", value.get("thread_id"))
    # The very mapping that the server keeps.
    value["metadata"]["owner"] = owner or person.user_id
    return {"owner": owner or person.user_id}


@auth.on.threads.read
async def read_thread(ctx: Auth.types.AuthContext, value: Mapping[str, Any]) -> Filter:
    """Let people read their own threads, and staff all."""
    person = _person(ctx)
    if person is None or person.is_staff:
        return None
    return await _own(ctx, person, value.get("thread_id"))


@auth.on.threads.search
async def search_threads(ctx: Auth.types.AuthContext, value: Mapping[str, Any]) -> Filter:
    """Let people find their own threads and runs, and staff all."""
    person = _person(ctx)
    if person is None or person.is_staff:
        return None
    if value.get("thread_id"):
        return await _own(ctx, person, value["thread_id"])
    return {"owner": person.user_id}


@auth.on.threads.update
async def update_thread(ctx: Auth.types.AuthContext, value: Mapping[str, Any]) -> Filter:
    """Let people stop runs of their own threads; the rest is rewriting, and for operators."""
    person = _person(ctx)
    if person is None or person.role == _OPERATOR:
        if person is not None and {"owner", "graph_id"} & (value.get("metadata") or {}).keys():
            _refuse(ctx, "The owner and the graph of a thread cannot be changed.")
        return None
    if value.get("action") == "interrupt" and value.get("thread_id"):
        return await _own(ctx, person, value["thread_id"])
    _refuse(ctx, "State cannot be edited here: send a message instead.")


@auth.on.threads.delete
async def delete_thread(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Let operators delete."""
    _for_operators(ctx, "Only operators may delete threads; see also `daybook forget`.")


@auth.on.threads.create_run
async def create_run(ctx: Auth.types.AuthContext, value: Auth.types.RunsCreate) -> Filter:
    """Let people run their own threads with words, events and answers, and staff answer others'."""
    given = value["kwargs"]
    given["durability"] = "sync"
    if value.get("thread_id") is None:
        _refuse(ctx, NO_THREAD)
    person = _person(ctx)
    if person is None:
        if given.get("webhook"):
            _refuse(ctx, "This server has no webhooks.")
        await _refuse_a_stranger(ctx, value["thread_id"], given)
        return None
    owner = await _owner(value.get("thread_id")) or person.user_id
    if owner != person.user_id and not person.is_staff:
        _refuse(ctx, "This thread belongs to another user.", value.get("thread_id"))
    config = given.get("config") or {}
    if named := config.get("configurable"):
        config["configurable"] = await _answered(without_head(named, str(value["thread_id"])))
    if why := fault_in(value, person, owner):
        _refuse(ctx, f"A run may not contain {why}.", value.get("thread_id"))
    # Aegra names a run after it was let in: nobody could tell later whether it has ended.
    if (run_id := value["run_id"]) is not None:
        try:
            await unfinished_runs().begin(person.user_id, str(value["thread_id"]), str(run_id))
        except TooMany as refusal:
            status, how = 429, seconds_of(refusal)
            raise Auth.exceptions.HTTPException(status, str(refusal), how) from None
    # The very mapping that the server gives to a thread that it creates with the run.
    value["metadata"]["owner"] = owner
    return await _own(ctx, person, value.get("thread_id")) if owner == person.user_id else None


async def _refuse_a_stranger(
    ctx: Auth.types.AuthContext, thread_id: Any, given: Mapping[str, Any]
) -> None:
    """Refuse, where nobody signs in, a run in a thread of someone else than whom it names.

    The run itself would be refused too, and the server would list its thread as failed, and no more
    as one whose question waits.
    """
    if (who := named_in(given)) is None:
        return
    owner = await _owner(thread_id)
    if owner in (None, who.user_id):
        return
    if not who.is_staff:
        _refuse(ctx, "This thread belongs to another user.", thread_id)
    if given.get("input") is not None:
        _refuse(ctx, f"A run may not contain {NO_WORDS.format(owner)}.", thread_id)


def _person(ctx: Auth.types.AuthContext) -> Person | None:
    """Return who is signed in; None is whoever is at this machine, while no tokens are needed."""
    user: Any = ctx.user
    if "signed_in" not in user or "role" not in user or user["role"] not in ROLES:
        _refuse(ctx, "You are not signed in.")
    return Person(user["identity"], user["role"]) if user["signed_in"] else None


def _for_operators(ctx: Auth.types.AuthContext, why: str) -> None:
    person = _person(ctx)
    if person is not None and person.role != _OPERATOR:
        _refuse(ctx, why)


async def _own(ctx: Auth.types.AuthContext, person: Person, thread_id: Any) -> Filter:
    """Return by what a thread is known to be this person's."""
    owner = await _owner(thread_id)
    if owner is None:
        return {"owner": person.user_id}
    if owner != person.user_id:
        _refuse(ctx, "This thread belongs to another user.", thread_id)
    return None


async def _owner(thread_id: Any) -> str | None:
    """Return the thread's user, if it has begun; the server's threads have UUIDs."""
    try:
        known = uuid.UUID(str(thread_id))
    except ValueError:
        return None
    return await _answered(owner_of(str(known)))


async def _answered(question: Awaitable[T]) -> T:
    try:
        return await question
    except DatabaseUnavailable as error:
        raise Auth.exceptions.HTTPException(status_code=503, detail=str(error)) from None


def _refuse(ctx: Auth.types.AuthContext, why: str, thread_id: Any = None) -> NoReturn:
    user: Any = ctx.user
    known = "role" in user and user["role"] in ROLES and bool(user["identity"])
    denied(
        f"{ctx.resource}.{ctx.action}",
        Person(user["identity"], user["role"]) if known else None,
        thread_id,
    )
    raise Auth.exceptions.HTTPException(status_code=403, detail=f"{why} Nothing was done.")
