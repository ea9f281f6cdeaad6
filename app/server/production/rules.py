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

auth = Auth()


@auth.authenticate
async def sign_in(headers: Mapping[Any, Any]) -> dict[str, Any]:
    """Take who stands at the door already (`daybook.app.server.production.door`)."""
    return dict(let_in())


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Refuse what nothing below allows."""
    return await _asked(ours.refuse, ctx, value)


@auth.on.assistants
async def change_assistant(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let operators change assistants."""
    return await _asked(ours.change_assistant, ctx, value)


@auth.on.assistants.read
async def read_assistant(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let everybody see what runs here."""
    return await _asked(ours.read_assistant, ctx, value)


@auth.on.assistants.search
async def search_assistants(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let everybody see what runs here."""
    return await _asked(ours.search_assistants, ctx, value)


@auth.on.assistants.delete
async def delete_assistant(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Delete none."""
    return await _asked(ours.delete_assistant, ctx, value)


@auth.on.threads.create
async def create_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Give a thread to whoever creates it."""
    await _asked(ours.create_thread, ctx, {**value, "metadata": value.get("metadata") or {}})
    # Aegra writes down the owner by itself.


@auth.on.threads.read
async def read_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let people read their own threads, and staff all."""
    await _asked(ours.read_thread, ctx, value)


@auth.on.threads.search
async def search_threads(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let people find their own threads and runs."""
    await _asked(ours.search_threads, ctx, value)


@auth.on.threads.update
async def update_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let people stop runs of their own threads; the rest is rewriting, and for operators."""
    is_stop = bool(value.get("run_id"))
    return await _asked(
        ours.update_thread, ctx, {**value, **({"action": "interrupt"} if is_stop else {})}
    )


@auth.on.threads.delete
async def delete_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let operators delete."""
    return await _asked(ours.delete_thread, ctx, value)


@auth.on.threads.create_run
async def create_run(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Let people run their own threads, and staff answer others'."""
    await _asked(ours.create_run, ctx, _run(value))


async def _asked(rule: Rule, ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Ask one of our rules about whoever really asks."""
    user = dict(let_in())
    who = {**user, "identity": user.get(SPEAKS, user["identity"])}
    asks = SimpleNamespace(user=who, resource=ctx.resource, action=ctx.action)
    return await rule(ctx=asks, value=value)


def _run(value: Mapping[str, Any]) -> dict[str, Any]:
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
