"""One check of `daybook doctor`: what was looked at, how it stands, what to do.

A domain makes those of its own (see `daybook.graph.serve.Served`).
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from enum import StrEnum

import psycopg

from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError

SECONDS = 5.0
"""How long a check may take: a host that drops packets must not hold the others up."""


class Verdict(StrEnum):
    """Say how something stands; `NOT_YET` is no fault."""

    OK = "ok"
    NOT_YET = "not yet"
    WRONG = "wrong"


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        found: what was found, without a secret.
        advice: what to do about it; "" where nothing is to be done.
    """

    name: str
    verdict: Verdict
    found: str
    advice: str = ""


async def within_limit(name: str, work: Awaitable[list[Check]]) -> list[Check]:
    """Do a check; no answer in time, and what Daybook raises on purpose, is its finding."""
    try:
        async with SYSTEM.timeout(SECONDS):
            return await work
    except TimeoutError:
        found, advice = f"no answer within {SECONDS:g} s", "See host and port, and the firewalls."
        return [Check(name, Verdict.WRONG, found, advice)]
    except (DaybookError, psycopg.Error) as error:
        return [Check(name, Verdict.WRONG, str(error).strip())]
