"""Access rules for Aegra: its sign-in, and the rules of `daybook.app.server.auth`.

Aegra tells its handlers nothing but headers, answers 401 whatever is wrong, and keeps each thread
for the one who made it. Here who asks is found by the whole request before Aegra sees it: a
database that is away is 503, and staff are let into other people's threads.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from langgraph_sdk import Auth
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server import auth as ours
from daybook.app.server.inside import (
    CHECKPOINT,
    OWNER_HEADER,
    available,
    header_of,
    is_inside,
    postgres,
)
from daybook.app.server.sign_in import owner_of
from daybook.checkpoints.ledger.steps import Questions
from daybook.state.errors import DaybookError
from daybook.state.session import ROLES

SPEAKS = "speaks"
"""The field of an Aegra user that holds the caller; its identity is the owner of the thread."""

_SERVED_BY_AEGRA = frozenset({"assistants", "threads", "runs", "store", "crons"})

_MAY_ANSWER = frozenset({"runs", "commands"})
"""The POST routes of a thread that may carry an answer to a question."""

_let_in: ContextVar[Mapping[str, Any] | None] = ContextVar("let_in", default=None)


def let_in() -> Mapping[str, Any]:
    """Return who was let in with the request that is being answered.

    Raises:
        Auth.exceptions.HTTPException: nobody was.
    """
    found = _let_in.get()
    if found is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail="You are not signed in.")
    return found


class Door:
    """Let people in to what Aegra serves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        parts = [part for part in scope.get("path", "").split("/") if part]
        if scope["type"] != "http" or not parts or parts[0] not in _SERVED_BY_AEGRA:
            return await self._app(scope, receive, send)
        thread_id = parts[1] if parts[0] == "threads" and len(parts) > 1 else None
        try:
            user = _from_inside(scope) or await ours.authenticate(dict(scope))
            whose = await _whose(scope, user, thread_id)
            if thread_id is not None and scope["method"] == "POST" and _MAY_ANSWER & {*parts[2:3]}:
                await _note_open_question(thread_id, whose)
        except Auth.exceptions.HTTPException as refusal:
            return await _told(refusal.status_code, refusal.detail)(scope, receive, send)
        except HTTPException as refusal:
            answer = _told(refusal.status_code, refusal.detail, refusal.headers)
            return await answer(scope, receive, send)
        except DaybookError as error:
            return await _told(503, str(error))(scope, receive, send)
        token = _let_in.set({**user, "identity": whose, SPEAKS: user["identity"]})
        try:
            await self._app(scope, receive, send)
        finally:
            _let_in.reset(token)


async def _whose(scope: Scope, user: Mapping[str, Any], thread_id: str | None) -> str:
    """Return by whose name Aegra is to look for a thread: staff see those of others."""
    asks = str(user["identity"])
    named = header_of(scope, OWNER_HEADER) if user.get("inside") else ""
    is_staff = user.get("inside") or user["role"] != ROLES[0]
    if named or thread_id is None or not is_staff:
        return named or asks
    return await owner_of(thread_id) or asks


def _from_inside(scope: Scope) -> dict[str, Any] | None:
    """Know a page of this server's own by the secret that its processes share."""
    if not is_inside(scope):
        return None
    # Who acts is told to the graph by the page, as on a server of one process.
    who = {"identity": "", "role": ROLES[0], "signed_in": False, "permissions": []}
    return {**who, "inside": True}


def _told(status: int, why: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": why}, status, headers=dict(headers or {}))


async def _note_open_question(thread_id: str, whose: str) -> None:
    """Let Aegra take an answer, where a question waits for one by the ledger.

    Aegra takes answers only to the questions of its own runs, and records that one waits when the
    run that asked has ended. That run may have been killed and its turn finished by our worker; or
    another process asked, as a terminal does. This comes before Aegra begins
    on the request: it keeps one of its few connections until the end of it, and whoever asks for a
    second one meanwhile may wait forever.

    Args:
        whose: by whose name Aegra looks for the thread; nothing is noted in anybody else's.

    Raises:
        DatabaseUnavailable: the ledger cannot be asked now.
    """
    from aegra_api.core.orm import Thread, get_session_maker

    if not await available(Questions(postgres().pool).names([thread_id])):
        return
    async with get_session_maker()() as session:
        thread = await session.get(Thread, thread_id)
        if thread is not None and thread.user_id == whose:
            thread.status = "interrupted"
            await session.commit()


# -- the rules, asked in Aegra's words -------------------------------------------------------------

Rule = Callable[..., Awaitable[Any]]
Value = Mapping[str, Any]

auth = Auth()
# Aegra hands its handlers the body of a request beside the names in its path; `langgraph dev`
# hands ours what it is going to keep.


@auth.authenticate
async def sign_in(headers: Mapping[Any, Any]) -> dict[str, Any]:
    """Take who was let in already (`Door`)."""
    return dict(let_in())


def _as_ours(value: Value) -> Value:
    return value


def _new_thread(value: Value) -> Value:
    return {**value, "metadata": value.get("metadata") or {}}


def _update(value: Value) -> Value:
    return {**value, **({"action": "interrupt"} if value.get("run_id") else {})}


def _run(value: Value) -> Value:
    """Write what a request asks to run as `langgraph dev` has it."""
    given = value
    if isinstance(value.get("params"), Mapping):
        # A command of the newer protocol of events.
        given = {**value["params"], "thread_id": value.get("thread_id")}
    config = dict(given.get("config") or {})
    named = {name: given[name] for name in CHECKPOINT if given.get(name)}
    checkpoint = {**(given.get("checkpoint") or {}), **named}
    configurable = {**(config.get("configurable") or {}), **checkpoint}
    config["configurable"] = {name: one for name, one in configurable.items() if one is not None}
    return {
        "thread_id": given.get("thread_id"),
        # Aegra names a run after it was let in.
        "run_id": None,
        "metadata": dict(given.get("metadata") or {}),
        "multitask_strategy": given.get("multitask_strategy"),
        "after_seconds": given.get("after_seconds"),
        "kwargs": {**given, "config": config},
    }


def _handler(rule: Rule, translated: Callable[[Value], Value], *, filters: bool) -> Rule:
    async def handle(ctx: Auth.types.AuthContext, value: Any) -> Any:
        user = dict(let_in())
        # Whoever really asks: Aegra's identity is whose the thread is.
        who = {**user, "identity": user.get(SPEAKS, user["identity"])}
        asks = SimpleNamespace(user=who, resource=ctx.resource, action=ctx.action)
        answer = await rule(ctx=asks, value=translated(value))
        return answer if filters else None

    return handle


_ON: tuple[tuple[Any, Rule, Callable[[Value], Value], bool], ...] = (
    (auth.on, ours.refuse, _as_ours, True),
    (auth.on.assistants, ours.change_assistant, _as_ours, True),
    (auth.on.assistants.read, ours.see_assistants, _as_ours, True),
    (auth.on.assistants.search, ours.see_assistants, _as_ours, True),
    (auth.on.assistants.delete, ours.delete_assistant, _as_ours, True),
    # Aegra records and filters by the owner itself.
    (auth.on.threads.create, ours.create_thread, _new_thread, False),
    (auth.on.threads.read, ours.read_thread, _as_ours, False),
    (auth.on.threads.search, ours.search_threads, _as_ours, False),
    (auth.on.threads.update, ours.update_thread, _update, True),
    (auth.on.threads.delete, ours.delete_thread, _as_ours, True),
    (auth.on.threads.create_run, ours.create_run, _run, False),
)

for _register, _rule, _translated, _filters in _ON:
    _register(_handler(_rule, _translated, filters=_filters))
