"""Access to the server from within: its database, and its own API without a token."""

from __future__ import annotations

import hmac
import os
from collections.abc import Awaitable, Mapping
from functools import cache
from typing import Any, TypeVar

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from psycopg import InternalError, OperationalError

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.graph.serve import at_work

T = TypeVar("T")

ADDRESS = "DAYBOOK_INSIDE"
"""Where the processes of one server call each other, as a server of several sets it: URL SECRET."""

SECRET_HEADER, OWNER_HEADER = "x-daybook-inside", "x-daybook-owner"

_WITHIN = "/noauth"
"""Where `langgraph dev` calls itself, for whom it has let in already."""

CHECKPOINT = frozenset({"checkpoint_id", "checkpoint_ns", "checkpoint_map"})

_UNDER_WAY = ("pending", "running")


def postgres() -> Postgres:
    """Return the database that the server works on."""
    return at_work()().postgres


async def available(query: Awaitable[T]) -> T:
    """Return the result of a query of the database.

    Raises:
        DatabaseUnavailable: it cannot be asked now.
    """
    try:
        return await query
    except (OperationalError, InternalError) as error:
        await postgres().drop_broken()
        raise unavailable(error) from error


@cache
def inside() -> LangGraphClient:
    """Return a client of the server that this process is, or is one of."""
    # Not when this module is imported: the server is not there yet.
    if (there := os.environ.get(ADDRESS)) is None:
        return get_client(api_key=None)
    url, _, secret = there.partition(" ")
    return get_client(url=url, api_key=None, headers={SECRET_HEADER: secret})


def for_owner(owner: str) -> Mapping[str, str]:
    """Return the headers of a call about a thread of this owner, who may not have begun it yet."""
    return {OWNER_HEADER: owner} if ADDRESS in os.environ else {}


def is_inside(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request was sent by the server itself."""
    root = str(scope.get("root_path") or "")
    if root == _WITHIN or root.startswith(f"{_WITHIN}/"):
        return True
    _, _, secret = os.environ.get(ADDRESS, "").partition(" ")
    given = header_of(scope, SECRET_HEADER)
    return bool(secret) and hmac.compare_digest(given.encode(), secret.encode())


def header_of(scope: Mapping[str, Any], name: str) -> str:
    """Return a header of a request, or nothing."""
    wanted = name.encode()
    found = (value for given, value in scope.get("headers", ()) if given.lower() == wanted)
    return str(next(found, b"").decode("latin-1"))


async def is_over(thread_id: str, run_id: str, owner: str) -> bool:
    """Tell whether a run of a person's thread has ended, or is not there."""
    try:
        run = await inside().runs.get(thread_id, run_id, headers=for_owner(owner))
    except httpx.HTTPStatusError:
        return True
    return run["status"] not in _UNDER_WAY


async def without_head(configurable: Mapping[str, Any], thread_id: str) -> dict[str, Any]:
    """Leave the checkpoint out of a run's config where it is the newest of its thread.

    Web clients name what they show. A run that names its checkpoint does again what came after it,
    of the newest one too.
    """
    named = configurable.get("checkpoint_id")
    if not named or configurable.get("checkpoint_ns") or configurable.get("checkpoint_map"):
        return dict(configurable)
    at: Any = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    head = await available(postgres().saver.aget_tuple(at))
    if head is None or head.config["configurable"]["checkpoint_id"] != str(named):
        return dict(configurable)
    return {name: one for name, one in configurable.items() if name not in CHECKPOINT}
