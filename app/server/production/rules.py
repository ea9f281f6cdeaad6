"""The rules of `daybook.app.server.auth`, asked in Aegra's words.

Aegra hands its handlers the body of a request beside the names in its path; `langgraph dev` hands
ours what it is going to keep.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import SimpleNamespace
from typing import Any

from langgraph_sdk import Auth

from daybook.app.server import auth as ours
from daybook.app.server.production.door import SPEAKS, let_in
from daybook.app.server.run_rules import CHECKPOINT

Rule = Callable[..., Awaitable[Any]]
Value = Mapping[str, Any]

auth = Auth()


@auth.authenticate
async def sign_in(headers: Mapping[Any, Any]) -> dict[str, Any]:
    """Take who stands at the door already (`daybook.app.server.production.door`)."""
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
    (auth.on.assistants.read, ours.read_assistant, _as_ours, True),
    (auth.on.assistants.search, ours.search_assistants, _as_ours, True),
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
