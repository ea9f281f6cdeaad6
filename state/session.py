"""Who is at work where: the identity that every row and every call carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

# typing.TypedDict makes the server's schemas null on Python 3.11 (held in tests/contract).
from typing_extensions import TypedDict


@dataclass(frozen=True)
class Session:
    """Name the thread, the person and the process of a run.

    Attributes:
        role: customer, clerk or operator.
        worker: this process, for claims; unique per process start.
    """

    tenant_id: str
    thread_id: str
    user_id: str
    role: str
    worker: str


class Caller(TypedDict, total=False):
    """Who runs the graph: the context of a run, as clients name it."""

    user_id: Annotated[
        str,
        Field(title="User", description="whose thread it is"),
    ]
