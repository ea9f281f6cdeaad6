"""Who is at work where: the identity that every row and every call carries."""

from __future__ import annotations

from dataclasses import dataclass


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
