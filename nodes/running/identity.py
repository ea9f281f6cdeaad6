"""The user, author and thread of a run, from its configuration."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig

from daybook.state.session import ROLES, Person, Session, user_named

NOBODY = "anonymous"
"""Who is at work where neither a client nor the resources say otherwise."""

WORKER = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
"""This process, in claims."""


def person_of(config: RunnableConfig, user: str = NOBODY) -> Person:
    """Read who runs the graph: who is signed in at the server, else whom the caller names.

    Args:
        user: who it is where nobody is named.
    """
    configurable: Mapping[str, Any] = config.get("configurable", {})
    # A server sets this for each run and takes it from no client.
    signed_in = configurable.get("langgraph_auth_user")
    if signed_in is not None and _is_signed_in(signed_in):
        role = signed_in["role"] if "role" in signed_in else ROLES[0]
        # A server's own kind of mapping, which may have no `get`.
        token_id = signed_in["token_id"] if "token_id" in signed_in else None  # noqa: SIM401
        return Person(signed_in["identity"], role, token_id)
    # The server gives an empty one where nobody is authenticated.
    named = configurable.get("user_id") or user
    return Person(named, configurable.get("role") or ROLES[0], configurable.get("token_id"))


def _is_signed_in(user: Any) -> bool:
    """Tell a person with a token from whoever uses a server that asks for none."""
    return "signed_in" not in user or bool(user["signed_in"])


def acting(config: RunnableConfig, person: Person, owner: str) -> RunnableConfig:
    """Write into a run's configuration who acts in whose thread, for the nodes to read."""
    who = {"user_id": owner, "author": person.user_id, "role": person.role}
    return {**config, "configurable": {**config.get("configurable", {}), **who}}


def session_of(config: RunnableConfig, tenant_id: str, user: str = NOBODY) -> Session:
    """Read who is at work where from a run's configuration; `user` where it does not say."""
    configurable: Mapping[str, Any] = config.get("configurable", {})
    owner = user_named(configurable.get("user_id") or user)
    return Session(
        tenant_id=tenant_id,
        thread_id=str(configurable["thread_id"]),
        user_id=owner,
        author=user_named(configurable.get("author") or owner),
        role=configurable.get("role") or ROLES[0],
        worker=WORKER,
    )
